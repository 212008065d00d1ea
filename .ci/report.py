#!/usr/bin/env python3
"""Tests the report of `ZUGWERK analyse --html` in a headless Chromium and fails at the first fault.

usage: report.py [--pictures FOLDER] ENGINE

With --pictures it saves screenshots of the page at three widths in both themes.
"""

import argparse
import json
import pathlib
import re
import tempfile

from browser import chromium, expect, expect_to_fit, open_file, page_of, run, without_name

EVIL = "<!--<script>alert(1)</script><img src=x onerror=alert(2)>' onclick=alert(3)"
# Morphy's game at the opera (Paris 1858), with clock readings and a variation of our own.
OPERA = """[Event "Opera"]
[Site "Paris"]
[Date "1858.11.02"]
[White "Morphy"]
[Black "Duke Karl, Count Isouard"]
[Result "1-0"]
[TimeControl "600+2"]

1. e4 {[%clk 0:09:58]} e5 {[%clk 0:09:59]} 2. Nf3 {[%clk 0:09:57]} d6 {[%clk 0:09:50]} 3. d4 {[%clk 0:09:55]}
Bg4 $6 {[%clk 0:09:20] It costs a bishop.} (3... exd4 4. Nxd4 (4. Qxd4 Nc6) Nf6) 4. dxe5 {[%clk 0:09:50]} Bxf3
{[%clk 0:09:10]} 5. Qxf3 {[%clk 0:09:48]} dxe5 {[%clk 0:09:08]} 6. Bc4 {[%clk 0:09:40]} Nf6 {[%clk 0:08:40]}
7. Qb3 {[%clk 0:09:20]} Qe7 {[%clk 0:08:00]} 8. Nc3 {[%clk 0:08:20]} c6 {[%clk 0:07:40]} 9. Bg5 {[%clk 0:08:00]}
b5 {[%clk 0:07:00]} 10. Nxb5 {[%clk 0:07:10]} cxb5 {[%clk 0:06:50]} 11. Bxb5+ {[%clk 0:07:08]} Nbd7
{[%clk 0:06:00]} 12. O-O-O {[%clk 0:07:00]} Rd8 {[%clk 0:05:00]} 13. Rxd7 {[%clk 0:06:40]} Rxd7 {[%clk 0:04:50]}
14. Rd1 {[%clk 0:06:30]} Qe6 {[%clk 0:03:00]} 15. Bxd7+ {[%clk 0:06:00]} Nxd7 {[%clk 0:02:50]} 16. Qb8+
{[%clk 0:05:50]} Nxb8 {[%clk 0:02:48]} 17. Rd8# {[%clk 0:05:49]} 1-0

"""

# Both sides miss captures and mates.
PATZERS = """[White "A"]

1. e4 e5 2. Qh5 Ke7 3. Qg5+ f6 4. Qg3 Nc6 5. Nf3 d6 6. Nxe5 Bh3 7. Nxc6+ bxc6 8. Qxh3 Qd7 9. Qxd7+ Kxd7 1-0

"""

LAST = re.compile("^1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b")


class Game:
    """The parts of the game that the page shows."""

    def __init__(self, page):
        self.page = page
        self.shown = page.locator("section.game:not([hidden])")
        self.fen = self.shown.locator(".links input")
        self.state = self.shown.locator(".state")
        self.slider = self.shown.locator(".chart input")

    def move(self, number):
        return self.shown.locator(f"[data-n='{number}']")

    def place(self):
        return int(self.slider.input_value())

    def data(self):
        return json.loads(self.shown.locator(".data").text_content())

    def answer(self, text):
        self.shown.locator(".try input").fill(text)
        self.shown.locator(".try button[type=submit]").click()


def steps_through(page, game):
    expect(game.fen).to_have_value(LAST)
    for key, start in [("Home", "rnbqkbnr/pppppppp/8/8/8/"), ("ArrowRight", "rnbqkbnr/pppppppp/8/8/4P3"),
                       ("ArrowRight", "rnbqkbnr/pppp1ppp/8/4p3"), ("ArrowLeft", "rnbqkbnr/pppppppp/8/8/4P3"), ("End", "1n1Rkb1r")]:
        page.keyboard.press(key)
        expect(game.fen).to_have_value(re.compile("^" + start))
    page.keyboard.press("ArrowRight")
    expect(game.fen).to_have_value(LAST)
    game.move(24).click()
    expect(game.shown.locator("[aria-current]")).to_have_text(re.compile("^Rd8"))
    expect(game.slider).to_have_value("24")
    expect(game.state).to_contain_text("12... Rd8")
    page.keyboard.press("n")
    assert game.place() > 24, "n leads to the next mark"
    square = game.shown.locator(".board rect[data-square]").first
    corner = lambda: (square.get_attribute("data-square"), square.get_attribute("y"))
    before = corner()
    page.keyboard.press("f")
    assert corner() != before, "f turns the board"
    page.keyboard.press("f")


def follows_the_chart(page, game):
    game.slider.scroll_into_view_if_needed()
    box = game.slider.bounding_box()
    places = []
    for share in [0.25, 0.5, 0.75]:
        page.mouse.move(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
        page.mouse.down()
        places.append(game.place())
    page.mouse.up()
    first, middle, last = places
    assert 6 <= first <= 10 and 15 <= middle <= 18 and 23 <= last <= 27, f"dragging leads along the game: {places}"
    expect(game.move(last)).to_have_attribute("aria-current", "true")
    expect(game.slider).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(game.slider).to_have_value(str(last - 1))
    expect(game.slider).to_have_attribute("aria-valuetext", re.compile("at depth"))


def plays_variations(page, game):
    game.shown.locator(".variation [data-n]", has_text="4. Qxd4").click()
    expect(game.fen).to_have_value(re.compile("3QP"))
    expect(game.state).to_contain_text("in a variation of")
    for key, move in [("ArrowRight", "4... Nc6"), ("ArrowLeft", "4. Qxd4"), ("ArrowLeft", "3... exd4"), ("ArrowLeft", "3. d4")]:
        page.keyboard.press(key)
        expect(game.state).to_contain_text(move)
    expect(game.slider).to_have_value("5")
    better = game.shown.locator(".verdict [data-n]")
    assert better.count() > 4, "better lines are there"
    better.first.click()
    expect(game.state).to_contain_text("in a variation of")
    game.state.locator(".move").first.click()
    expect(game.state).not_to_contain_text("in a variation of")


def sets_exercises(game):
    exercise = game.data()["exercises"][0]
    best = exercise["best"]
    squares = next(move[0] for move in exercise["legal"] if move[2] == best)
    button = game.shown.locator(".exercise").first
    button.click()
    expect(game.state).to_contain_text("Find a better move")
    expect(game.state).not_to_contain_text(best)
    expect(game.shown.locator(".arrow")).to_have_count(0)
    game.answer("Zz9")
    expect(game.state).to_contain_text("no legal move")
    game.answer(exercise["played"].lower())
    expect(game.state).to_contain_text("was played")
    game.shown.locator(f".board [data-square={squares[:2]}]").first.click()
    expect(game.shown.locator(".board .target")).not_to_have_count(0)
    game.shown.locator(f".board .target[data-square={squares[2:4]}]").click()
    expect(game.state).to_contain_text("Right!")
    button.click()
    game.answer(squares)
    expect(game.state).to_contain_text("Right!")
    button.click()
    game.shown.locator(".try button[type=button]").first.click()
    expect(game.state).to_contain_text(best)


def accepts_good_moves(game):
    """Answers other than the best move: equally good, worse, and not compared."""
    number, exercise = next((number, exercise) for number, exercise in enumerate(game.data()["exercises"])
                            if {bool(other[2]) for other in exercise["others"]} == {True, False})
    others = exercise["others"]
    game.shown.locator(f"[data-exercise='{number}']").click()
    bad = next(other for other in others if not other[2])
    game.answer(bad[0])
    expect(game.state).to_contain_text(f"{bad[0]} is worth {bad[1]}")
    compared = {exercise["best"], exercise["played"], *(other[0] for other in others)}
    for unknown in [move[2] for move in exercise["legal"] if move[2] not in compared][:1]:
        game.answer(unknown)
        expect(game.state).to_contain_text(f"{unknown} is worse than {others[-1][0]}")
    good = next(other for other in others if other[2])
    game.answer(good[0])
    expect(game.state).to_contain_text(f"Right! {good[0]} ({good[1]}) will do.")
    expect(game.state).to_contain_text("Also right")


def opens_elsewhere(page, game):
    page.keyboard.press("Home")
    links = game.shown.locator(".links a")
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    expect(links.nth(0)).to_have_attribute("href", f"https://lichess.org/analysis/standard/{start}_w_KQkq_-_0_1")
    expect(links.nth(1)).to_have_attribute("href", re.compile("rnbqkbnr%2Fpppppppp"))


def fits(page, game, files):
    small = """all => all.map(one => one.getBoundingClientRect()).filter(box => box.height < 32 || box.width < 32).length"""
    for file in files:
        for width in [360, 820, 1280]:
            page.set_viewport_size({"width": width, "height": 900})
            open_file(page, file)
            expect_to_fit(page, width)
            assert game.shown.locator(".steps button").evaluate_all(small) == 0, f"a button is too small for a finger at {width}"


def reads_aloud(game):
    assert without_name(game.shown.locator("button, input, select, a")) == 0, "controls without a name"
    expect(game.shown.locator(".board")).to_have_attribute("aria-label", re.compile("White: .*king"))
    expect(game.shown.locator(".moves [tabindex='0']")).to_have_count(1)


def many_games(page, game, file):
    open_file(page, file)
    expect(page.locator("section.game")).to_have_count(100)
    expect(game.shown).to_have_count(1)
    page.locator("#games select").select_option(index=99)
    expect(game.shown).to_have_id("game100")
    assert page.url.endswith("#game100"), page.url
    page.locator("#games select").blur()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(game.slider).to_have_value("1")
    open_file(page, file, "#game7")
    expect(game.shown).to_have_id("game7")


def evil_games(page, game):
    expect(page.locator("section.game")).to_have_count(2)
    expect(game.shown.locator("h2")).to_contain_text(EVIL)
    expect(page.locator("img")).to_have_count(0)
    game.shown.locator(".said .move").first.click()
    expect(page.locator("script")).to_have_count(3)


def photographs(browser, file, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for width, height in [(360, 1400), (820, 860), (1280, 760)]:
        for theme in ["light", "dark"]:
            with page_of(browser, viewport={"width": width, "height": height}, color_scheme=theme) as page:
                open_file(page, file)
                for key in ["Home"] + 24 * ["ArrowRight"]:
                    page.keyboard.press(key)
                page.evaluate("scrollTo(0, 0)")
                page.screenshot(path=folder / f"report-{width}-{theme}.png")


def report(engine, folder, name, pgn, nodes):
    games, file = folder / f"{name}.pgn", folder / f"{name}.html"
    games.write_text(pgn, encoding="utf-8")
    run(engine, "analyse", games, "--html", file, "--nodes", str(nodes), "--hash", "4")
    return file


def test(browser, engine, folder):
    evil = EVIL.replace("\\", "\\\\").replace('"', '\\"')
    hostile = f'[White "{evil}"]\n[Event "{evil}"]\n\n1. f3 {{{EVIL}}} e5 2. g4 ({{{EVIL}}} 2. e4) Qh4# 0-1\n\n'
    opera = report(engine, folder, "opera", OPERA, 30000)
    hundred = report(engine, folder, "hundred", OPERA * 100, 20)
    patzers = report(engine, folder, "patzers", PATZERS, 10000)
    evil_file = report(engine, folder, "evil", hostile * 2, 100)
    with page_of(browser, viewport={"width": 1280, "height": 900}) as page:
        game = Game(page)
        open_file(page, opera)
        steps_through(page, game)
        follows_the_chart(page, game)
        plays_variations(page, game)
        sets_exercises(game)
        opens_elsewhere(page, game)
        open_file(page, patzers)
        accepts_good_moves(game)
        open_file(page, opera)
        reads_aloud(game)
        many_games(page, game, hundred)
        open_file(page, evil_file)
        evil_games(page, game)
        fits(page, game, [opera, hundred, evil_file])
    with page_of(browser, java_script_enabled=False) as page:
        open_file(page, opera)
        expect(page.locator("section.game:not([hidden]) .moves")).to_have_count(1)
    return opera


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        opera = test(browser, args.engine.resolve(), pathlib.Path(folder))
        if args.pictures:
            photographs(browser, opera, args.pictures)
    print("the report can be stepped through, dragged, played in, read aloud, and fits screens of 360, 820 and 1280 pixels")


if __name__ == "__main__":
    main()
