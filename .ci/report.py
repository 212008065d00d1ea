#!/usr/bin/env python3
"""Tests the report of `ZUGWERK analyse --html` in a headless Chromium and fails at the first fault.

usage: report.py [--pictures FOLDER] ENGINE

With --pictures it saves screenshots of the page at three widths in both themes.
"""

import argparse
import json
import pathlib
import subprocess

from browser import expect, use

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

# JavaScript expressions for parts of the page.
SHOWN = "document.querySelector('section.game:not([hidden])')"
FEN = SHOWN + ".querySelector('.links input').value"
STATE = SHOWN + ".querySelector('.state').textContent"
CURRENT = "(" + SHOWN + ".querySelector('[aria-current]') || {textContent: ''}).textContent"
SLIDER = "Number(" + SHOWN + ".querySelector('.chart input').value)"
FACTS = "[...document.querySelectorAll('section.game')].length"


def steps_through(browser, page):
    browser.size(1280, 900, "light")
    browser.open(page)
    expect(browser(FEN).startswith("1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b"), "the last position is shown first")
    for key, start in [("Home", "rnbqkbnr/pppppppp/8/8"), ("ArrowRight", "rnbqkbnr/pppppppp/8/8/4P3"),
                       ("ArrowRight", "rnbqkbnr/pppp1ppp/8/4p3"), ("ArrowLeft", "rnbqkbnr/pppppppp/8/8/4P3"), ("End", "1n1Rkb1r")]:
        browser.press(key)
        expect(browser(FEN).startswith(start), f"{key} leads to {start}, not {browser(FEN)}")
    browser.press("ArrowRight")
    expect(browser(FEN).startswith("1n1Rkb1r"), "behind the last move there is nothing")
    browser.click("[data-n='24']")
    expect(browser(CURRENT).startswith("Rd8") and browser(SLIDER) == 24, "a click on a move leads there")
    expect("12... Rd8" in browser(STATE), browser(STATE))
    browser.press("n")
    expect(browser(SLIDER) > 24, "n leads to the next mark")
    before = browser("document.querySelector('.board rect[data-square]').dataset.square + document.querySelector('.board rect[data-square]').getAttribute('y')")
    browser.press("f")
    after = browser("document.querySelector('.board rect[data-square]').dataset.square + document.querySelector('.board rect[data-square]').getAttribute('y')")
    expect(before != after, "f turns the board")
    browser.press("f")


def follows_the_chart(browser):
    point = lambda share: browser.place(".chart input", share)
    begin = point(0.25)
    browser.mouse("mousePressed", begin)
    first = browser(SLIDER)
    browser.mouse("mouseMoved", point(0.5))
    middle = browser(SLIDER)
    browser.mouse("mouseMoved", point(0.75))
    browser.mouse("mouseReleased", point(0.75))
    last = browser(SLIDER)
    expect(6 <= first <= 10 and 15 <= middle <= 18 and 23 <= last <= 27, f"dragging leads along the game: {first}, {middle}, {last}")
    expect(browser(CURRENT) == browser(f"{SHOWN}.querySelector('[data-n=\"{last}\"]').textContent"), "the move is marked in the list")
    expect(browser("document.activeElement.type") == "range", "the chart is a slider")
    browser.press("ArrowLeft")
    expect(browser(SLIDER) == last - 1, "arrow keys go one move where the slider has the focus, too")
    expect("at depth" in browser(SHOWN + ".querySelector('.chart input').getAttribute('aria-valuetext')"), "the slider speaks")


def plays_variations(browser):
    number = browser("Number([...document.querySelectorAll('.variation [data-n]')].find(one => one.textContent.includes('4. Qxd4')).dataset.n)")
    browser.click(f"[data-n='{number}']")
    expect(browser(FEN).startswith("rn1qkbnr/ppp2ppp/3p4/8/3QP1b1") or "3QP3" in browser(FEN), browser(FEN))
    expect("in a variation of" in browser(STATE), browser(STATE))
    browser.press("ArrowRight")
    expect("4... Nc6" in browser(STATE), browser(STATE))
    browser.press("ArrowLeft")
    browser.press("ArrowLeft")
    expect("3... exd4" in browser(STATE), browser(STATE))
    browser.press("ArrowLeft")
    expect("3. d4" in browser(STATE) and browser(SLIDER) == 5, "back on the game")
    lines = browser(SHOWN + ".querySelectorAll('.verdict [data-n]').length")
    expect(lines > 4, f"better lines are there: {lines}")
    browser.click(".verdict [data-n]")
    expect("in a variation of" in browser(STATE), "a better line can be played")
    browser.click(".state .move")
    expect("in a variation of" not in browser(STATE), "and left")


def answer(browser, text):
    browser(f"{SHOWN}.querySelector('.try input').value = {json.dumps(text)}")
    browser.click(".try button[type=submit]")


def sets_exercises(browser):
    count = browser(SHOWN + ".querySelectorAll('.exercise').length")
    expect(count > 0, "there are exercises")
    game = f"JSON.parse({SHOWN}.querySelector('.data').textContent)"
    best = browser(game + ".exercises[0].best")
    squares = browser(f"{game}.exercises[0].legal.find(one => one[2] === {json.dumps(best)})[0]")
    played = browser(game + ".exercises[0].played")

    browser.click(".exercise")
    expect("Find a better move" in browser(STATE) and best not in browser(STATE), browser(STATE))
    expect(browser(SHOWN + ".querySelector('.arrow') === null"), "the answer is not drawn")
    answer(browser, "Zz9")
    expect("no legal move" in browser(STATE), browser(STATE))
    answer(browser, played.lower())
    expect("was played" in browser(STATE), browser(STATE))
    browser.click(f".board [data-square={squares[:2]}]")
    expect(browser(SHOWN + ".querySelectorAll('.board .target').length") > 0, "squares to go to are shown")
    browser.click(f".board .target[data-square={squares[2:4]}]")
    expect("Right!" in browser(STATE), browser(STATE))
    browser.click(".exercise")
    answer(browser, squares)
    expect("Right!" in browser(STATE), browser(STATE))
    browser.click(".exercise")
    browser.click(".try button[type=button]")
    expect(best in browser(STATE), browser(STATE))


def accepts_good_moves(browser, page):
    """Answers other than the best move: equally good, worse, and not compared."""
    browser.open(page)
    game = f"JSON.parse({SHOWN}.querySelector('.data').textContent)"
    of = browser(f"{game}.exercises.findIndex(one => one.others.some(other => other[2]) && one.others.some(other => !other[2]))")
    expect(of >= 0, "in some exercise more than one move will do, and one that was compared will not")
    others = browser(f"{game}.exercises[{of}].others")
    browser.click(f"[data-exercise='{of}']")
    bad = next(other for other in others if not other[2])
    answer(browser, bad[0])
    expect(f"{bad[0]} is worth {bad[1]}" in browser(STATE), browser(STATE))
    unknown = browser(f"(() => {{ const one = {game}.exercises[{of}], known = [one.best, one.played, ...one.others.map(other => other[0])];"
                      "return one.legal.map(move => move[2]).find(san => !known.includes(san)) || null; })()")
    if unknown:
        answer(browser, unknown)
        expect(f"{unknown} is worse than {others[-1][0]}" in browser(STATE), browser(STATE))
    good = next(other for other in others if other[2])
    answer(browser, good[0])
    expect(f"Right! {good[0]} ({good[1]}) will do." in browser(STATE) and "Also right" in browser(STATE), browser(STATE))


def opens_elsewhere(browser):
    browser.press("Home")
    links = browser(f"[...{SHOWN}.querySelectorAll('.links a')].map(one => one.href)")
    expect(links[0] == "https://lichess.org/analysis/standard/rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1", links[0])
    expect("rnbqkbnr%2Fpppppppp" in links[1], links[1])


def fits(browser, pages):
    for page in pages:
        for width in [360, 820, 1280]:
            browser.size(width, 900, "light")
            browser.open(page)
            wide = browser("document.documentElement.scrollWidth")
            expect(wide <= width, f"{page.name}: {wide} pixels on a screen of {width}")
            small = browser("[...document.querySelectorAll('section.game:not([hidden]) .steps button')].map(one => one.getBoundingClientRect()).filter(box => box.height < 32 || box.width < 32).length")
            expect(small == 0, f"{small} buttons are too small for a finger at {width}")


def reads_aloud(browser, page):
    browser.open(page)
    nameless = browser("""[...document.querySelectorAll('section.game:not([hidden]) :is(button, input, select, a)')]
        .filter(one => !(one.textContent.trim() || one.getAttribute('aria-label'))).length""")
    expect(nameless == 0, f"{nameless} controls without a name")
    label = browser(SHOWN + ".querySelector('.board').getAttribute('aria-label')")
    expect("White: " in label and "king" in label, label)
    stops = browser(SHOWN + ".querySelectorAll('.moves [tabindex=\"0\"]').length")
    expect(stops == 1, f"{stops} moves can be reached with the tab key")


def many_games(browser, page, count):
    browser.size(1280, 900, "light")
    browser.open(page)
    expect(browser(FACTS) == count, f"{browser(FACTS)} games")
    expect(browser("document.querySelectorAll('section.game:not([hidden])').length") == 1, "one game is shown at a time")
    browser("(() => { const s = document.querySelector('#games select'); s.value = '99'; s.dispatchEvent(new Event('change')); })()")
    expect(browser(SHOWN + ".id") == "game100" and browser("location.hash") == "#game100", "the hundredth is chosen")
    browser.press("Home")
    browser.press("ArrowRight")
    expect(browser(SLIDER) == 1, "and can be stepped through")
    browser.open(page, "#game7")
    expect(browser(SHOWN + ".id") == "game7", "a link leads to a game")


def evil_games(browser, page):
    browser.open(page)
    expect(browser(FACTS) == 2, f"{browser(FACTS)} games")
    expect(EVIL in browser("document.querySelector('section.game h2').textContent"), "tags are text")
    expect(browser("document.querySelectorAll('img').length") == 0, "no tag becomes an element")
    browser.click(".said .move")
    expect(browser("document.querySelectorAll('script').length") == 3, "scripts are those of the page")


def without_scripts(browser, page):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(page)
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    expect(browser("document.querySelectorAll('section.game:not([hidden]) .moves').length") == 1, "the moves are there without scripts")


def photographs(browser, page, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for width, height in [(360, 1400), (820, 860), (1280, 760)]:
        for theme in ["light", "dark"]:
            browser.size(width, height, theme)
            browser.open(page)
            browser.press("Home")
            for _ in range(24):
                browser.press("ArrowRight")
            browser("scrollTo(0, 0)")
            browser.photograph(folder / f"report-{width}-{theme}.png")


def report(engine, folder, name, pgn, nodes):
    games, page = folder / f"{name}.pgn", folder / f"{name}.html"
    games.write_text(pgn, encoding="utf-8")
    done = subprocess.run([engine, "analyse", "--pgn", games, "--html", page, "--nodes", str(nodes), "--hash", "4"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    expect(done.returncode == 0, f"{name}: exit code {done.returncode}: {done.stderr[-300:]}")
    return page


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path)
    args = parser.parse_args()
    engine = args.engine.resolve()
    evil = EVIL.replace("\\", "\\\\").replace('"', '\\"')
    hostile = f'[White "{evil}"]\n[Event "{evil}"]\n\n1. f3 {{{EVIL}}} e5 2. g4 ({{{EVIL}}} 2. e4) Qh4# 0-1\n\n'

    def test(browser, folder):
        opera = report(engine, folder, "opera", OPERA, 30000)
        hundred = report(engine, folder, "hundred", OPERA * 100, 20)
        patzers = report(engine, folder, "patzers", PATZERS, 10000)
        evil_page = report(engine, folder, "evil", hostile * 2, 100)
        steps_through(browser, opera)
        follows_the_chart(browser)
        plays_variations(browser)
        sets_exercises(browser)
        opens_elsewhere(browser)
        accepts_good_moves(browser, patzers)
        reads_aloud(browser, opera)
        fits(browser, [opera, hundred, evil_page])
        many_games(browser, hundred, 100)
        evil_games(browser, evil_page)
        without_scripts(browser, opera)
        if args.pictures:
            photographs(browser, opera, args.pictures)

    use("report", test, "the report can be stepped through, dragged, played in, read aloud, and fits screens of 360, 820 and 1280 pixels")


if __name__ == "__main__":
    main()
