#!/usr/bin/env python3
"""Tests the page of `ENGINE match --html match.html` in a headless Chromium and fails at the first fault.

usage: match.py [--pictures FOLDER] ENGINE

With --pictures it saves screenshots of the page at three widths in both themes.
"""

import pathlib
import re

from browser import expect, expect_to_fit, main, open_file, page_of, photographs, run, without_name

BAD = "<b onclick=alert(1)>B</b>"
# Other programs write no comments, and their own rounds.
PLAIN = """[Event "e"]
[White "One"]
[Black "Two"]
[Round "1"]
[Result "1-0"]

1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0

[Event "e"]
[White "Two"]
[Black "One"]
[Round "2"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1
"""


def shows_the_match(page, games):
    expect(page.locator("h1")).to_contain_text(BAD)
    expect(page.locator("#games tr[data-game]")).to_have_count(games)
    expect(page.locator(".figure svg")).to_have_count(5)
    expect(page.locator("section.game:visible")).to_have_count(0)
    text = page.locator("main").text_content()
    for part in ["Elo over the games", "LLR between its bounds", "Median depth", "Pairs by the points", "Openings"]:
        assert part in text, f"the page has no {part}"
    assert without_name(page.locator("button, input, a")) == 0, "controls without a name"


def steps_through_games(page, games):
    page.locator("#games tr[data-game] a").first.click()
    game = page.locator("section.game:visible")
    expect(game).to_have_count(1)
    board = game.locator("svg.board")
    before = board.get_attribute("aria-label")
    page.keyboard.press("ArrowRight")
    expect(board).not_to_have_attribute("aria-label", before)
    expect(game.locator(".curve.reported-white")).to_have_count(1)
    expect(game.locator(".curve.reported-black")).to_have_count(1)
    page.keyboard.press("End")
    expect(game.locator(".move").last).to_have_attribute("aria-current", re.compile(".*"))
    first = game.get_attribute("id")
    page.keyboard.press("n")
    expect(game).not_to_have_id(first)
    page.keyboard.press("p")
    expect(game).to_have_id(first)
    page.keyboard.press("Escape")
    expect(game).to_have_count(0)
    for index in range(games):
        page.locator("#games tr[data-game] a").nth(index).click()
        expect(game.locator(".move").first).to_be_visible()


def keeps_the_board_in_sight(browser, file):
    """On a telephone, while one taps."""
    with page_of(browser, viewport={"width": 390, "height": 844}, has_touch=True) as page:
        open_file(page, file, "#game2")
        moves = page.locator("section.game:visible .move")
        for number in [3, 5, 8]:
            moves.nth(number).tap()
            box = page.locator("section.game:visible svg.board").bounding_box()
            assert box["y"] >= -1 and box["y"] + box["height"] <= 844, f"the board is at {box}"


def shows_whole_charts(browser, file):
    """On a telephone: no chart and no name of a curve is cut off."""
    with page_of(browser, viewport={"width": 390, "height": 844}) as page:
        open_file(page, file)
        cut = page.locator(".figure text").evaluate_all("""all => all.filter(one => {
            const [text, box] = [one, one.closest(".figure")].map(part => part.getBoundingClientRect());
            return text.left < box.left || text.right > box.right || text.height < 10;
        }).map(one => one.textContent)""")
        assert not cut, f"cut off or too small: {cut}"
        assert page.locator(".figure .name", has_text="A").count() and page.locator(".figure .name", has_text="<b").count(), "both names"


def looks_like_the_report(browser, file):
    """A game has the bar, the area and the paper of a game report, also in the dark."""
    for theme in ["light", "dark"]:
        with page_of(browser, viewport={"width": 390, "height": 844}, color_scheme=theme) as page:
            open_file(page, file, "#game1")
            page.keyboard.press("End")
            game = page.locator("section.game:visible")
            expect(game.locator(".evaluation:not(.unknown)")).to_be_visible()
            expect(game.locator(".chart .white")).to_have_count(1)
            colour = "one => getComputedStyle(one).backgroundColor"
            assert game.evaluate(colour) == game.locator(".stage").evaluate(colour), f"{theme}: the board lies in a box"


def fits(browser, files):
    for file in files:
        for width in [360, 390, 820, 1280]:
            for theme in ["light", "dark"]:
                with page_of(browser, viewport={"width": width, "height": 844}, color_scheme=theme) as page:
                    for mark in ["", "#game1"]:
                        open_file(page, file, mark)
                        expect_to_fit(page, width)


def shows_games_of_others(page):
    expect(page.locator("main")).to_contain_text("say no scores, no depths, no times, no nodes")
    page.locator("#games tr[data-game] a").last.click()
    expect(page.locator("section.game:visible h2")).to_contain_text("One – Two")
    page.keyboard.press("End")
    expect(page.locator("section.game:visible svg.board")).to_have_attribute("aria-label", re.compile("queen e5"))


def pictures(browser, engine, games, folder):
    file = games / "pictures.html"
    run(engine, "match", "--engine", "self,name=New,nodes=3000", "--engine", "self,name=Old,nodes=2000", "--games", "40", "--html", file,
        "--resign", "movecount=3", "score=600", "--draw", "movenumber=30", "movecount=6", "score=15")
    photographs(browser, file, folder, "match", [900, 900, 900])


def test(browser, engine, folder):
    games = 12
    live, match, plain, others = folder / "live.html", folder / "match.html", folder / "plain.pgn", folder / "plain.html"
    pgn = folder / "match.pgn"
    run(engine, "match", "--engine", "self,name=A,nodes=2000", "--engine", f"self,name={BAD},nodes=1500", "--games", str(games),
        "--html", live, "--pgn", pgn, "--pgn-detail", "--resign", "movecount=3", "score=600", "--max-moves", "60")
    run(engine, "match", "--from", pgn, "--sprt", "elo0=0", "elo1=5", "--html", match)
    plain.write_text(PLAIN)
    run(engine, "match", "--from", plain, "--html", others)
    with page_of(browser, viewport={"width": 1280, "height": 900}) as page:
        open_file(page, match)
        shows_the_match(page, games)
        steps_through_games(page, games)
        open_file(page, live)
        steps_through_games(page, games)
        open_file(page, others)
        shows_games_of_others(page)
    keeps_the_board_in_sight(browser, match)
    shows_whole_charts(browser, match)
    looks_like_the_report(browser, match)
    fits(browser, [match, others])
    with page_of(browser, java_script_enabled=False) as page:
        open_file(page, match)
        expect(page.locator("#games tr[data-game]")).to_have_count(games)
        expect(page.locator("noscript")).to_be_visible()
    return folder


if __name__ == "__main__":
    main(__doc__, test, pictures, "the page of a match shows results, charts and games, and fits screens of 360 to 1280 pixels")
