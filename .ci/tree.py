#!/usr/bin/env python3
"""Tests the page of `ZUGWERK tree -o tree.html` in a headless Chromium and fails at the first fault.

usage: tree.py [--pictures FOLDER] ENGINE

With --pictures it saves screenshots of the page at three widths in both themes.
"""

import argparse
import pathlib
import subprocess

from browser import expect, use

PAWNS = "7k/7P/7P/8/8/p7/8/7K b - - 0 1"
MIDDLEGAME = "r1bqrnk1/pp2bppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 w - - 7 11"

# JavaScript expressions for parts of the page.
STATE = "document.querySelector('.state').textContent"
BOARD = "document.querySelector('.board').getAttribute('aria-label')"
CHOSEN = "document.querySelector('[aria-selected=true]')"
LABEL = CHOSEN + ".querySelector('.node').textContent"
OPEN = CHOSEN + ".getAttribute('aria-expanded')"
SHOWN = "[...document.querySelectorAll('[role=treeitem]')].filter(one => one.offsetParent)"
DATA = "JSON.parse(document.getElementById('data').textContent)"


def node(index):
    return f"[data-node='{index}'] > .row > .node"


def shows_the_best_line(browser, page):
    browser.size(1280, 900, "light")
    browser.open(page)
    hidden = browser(f"{DATA}.nodes.flatMap((node, index) => node.p ? [index] : []).filter(index => "
                     "!document.querySelector(`[data-node='${index}']`)?.offsetParent)")
    expect(not hidden, f"nodes of the best line are folded away: {hidden}")
    expect("The root: Black to move" in browser(STATE) and PAWNS in browser(STATE), browser(STATE))
    expect("king h8" in browser(BOARD) and "Black to move" in browser(BOARD), browser(BOARD))


def shows_positions(browser, page):
    browser.open(page)
    before = browser(BOARD)
    first = browser(f"{DATA}.nodes[0].c[0]")
    browser.mouse("mouseMoved", browser.place(node(first)))
    expect("king h7" in browser(BOARD) and "Kxh7" in browser(STATE), f"hovering shows the position: {browser(STATE)}")
    browser.mouse("mouseMoved", browser.place("h1"))
    expect(browser(BOARD) == before, "and leaving shows the chosen node again")
    browser.click(node(first))
    browser.mouse("mouseMoved", browser.place("h1"))
    expect("king h7" in browser(BOARD), "a click chooses a node")
    expect("Worth" in browser(STATE) and "window" in browser(STATE), browser(STATE))
    pruned = browser(f"{DATA}.nodes.findIndex(node => node.m === 'pruned')")
    browser("document.getElementById('open').click(); document.getElementById('open').click(); document.getElementById('open').click()")
    browser.click(node(pruned))
    expect("Not searched" in browser(STATE), browser(STATE))
    expect(browser("document.querySelector('.board .arrow') !== null"), "a move that was not searched is an arrow")


def takes_keys(browser, page):
    browser.open(page)
    browser("document.querySelector('[role=treeitem]').focus()")
    stops = browser("document.querySelectorAll('#tree [tabindex=\"0\"]').length")
    expect(stops == 1, f"the tab key stops at {stops} nodes")

    def press(key, label, is_open):
        browser.press(key)
        expect(browser(LABEL).startswith(label) and browser(OPEN) == is_open,
               f"{key}: expected {label}, {is_open}, got {browser(LABEL)}, {browser(OPEN)}")
        expect(browser(f"document.activeElement === {CHOSEN}"), "the chosen node has the focus")

    count = browser(SHOWN + ".length")
    press("ArrowLeft", "Black", "false")
    expect(browser(SHOWN + ".length") == 1, "folded")
    press("ArrowRight", "Black", "true")
    expect(browser(SHOWN + ".length") == count, "what was unfolded within is so again")
    press("ArrowRight", "Kxh7", "false")
    press("Enter", "Kxh7", "true")
    press("ArrowDown", "Kg1", "false")
    press(" ", "Kg1", "true")
    press(" ", "Kg1", "false")
    press("ArrowUp", "Kxh7", "true")
    press("ArrowRight", "Kg1", "false")
    press("*", "Kg1", "true")
    expect(not browser(f"{CHOSEN}.parentElement.querySelector(':scope > [aria-expanded=false]')"), "* unfolds all siblings")
    press("ArrowLeft", "Kg1", "false")
    press("ArrowLeft", "Kxh7", "true")
    press("ArrowLeft", "Kxh7", "false")
    press("ArrowLeft", "Black", "true")
    browser.press("End")
    expect(browser(f"{SHOWN}.at(-1) === {CHOSEN}"), "End leads to the last node that is shown")
    press("Home", "Black", "true")
    browser.click("#close")
    expect(browser(SHOWN + ".length") == 1 + browser(f"{DATA}.nodes[0].c.length"), "all is folded but the root")
    browser.click("#line")
    expect(browser(SHOWN + ".length") >= count, "the best line again")


def reads_aloud(browser, page):
    browser.open(page)
    for _ in range(4):
        browser("document.getElementById('open').click()")
    expect(browser("document.getElementById('tree').getAttribute('role')") == "tree", "it is a tree")
    wrong = browser("""[...document.querySelectorAll('#tree li')].filter(one => {
        const list = one.parentElement, above = list.parentElement.closest('[role=treeitem]');
        const level = above ? Number(above.getAttribute('aria-level')) + 1 : 1;
        return one.getAttribute('role') !== 'treeitem' || !one.getAttribute('aria-label') || Number(one.getAttribute('aria-level')) !== level
            || list.getAttribute('role') !== (above ? 'group' : 'tree');
    }).length""")
    expect(wrong == 0, f"{wrong} nodes without role, level or name")
    nameless = browser("""[...document.querySelectorAll(':is(button, input, a)')]
        .filter(one => !(one.textContent.trim() || one.getAttribute('aria-label'))).length""")
    expect(nameless == 0, f"{nameless} controls without a name")


def names_every_sign(browser, pages):
    for page in pages:
        browser.open(page)
        browser("document.querySelector('.legend').open = true")
        legend = browser("document.querySelector('.legend').textContent")
        tags = browser(f"[...new Set({DATA}.nodes.map(node => node.t).filter(Boolean))]")
        without = browser(f"Object.entries({DATA}.meanings).filter(([, meaning]) => !meaning).map(([tag]) => tag)")
        expect(not without, f"tags without a meaning: {without}")
        written = browser(f"{DATA}.nodes.map(node => node.v + (node.w || '')).join('')")
        signs = [sign for sign in "≥≤#↓↑↻(" if sign in written]
        for sign in tags + signs + ["?"] * ("?" in written):
            expect(sign in legend, f"{page.name}: the legend has no {sign}")
        expect(len(tags) > 0, f"{page.name}: there are tags")


def searches(browser, page):
    browser.open(page, "#Qa1")
    browser.open(page, "#%")
    browser.open(page, "#a1=Q")
    expect(browser("document.getElementById('count').textContent").startswith("1 of "), "what the address asks for is found")
    expect("a1=Q" in browser(LABEL), browser(LABEL))
    browser("(() => { const q = document.getElementById('query'); q.value = 'cut-off'; q.dispatchEvent(new Event('input')); })()")
    first = browser(CHOSEN + ".dataset.node")
    expect("cut-off" in browser(CHOSEN + ".firstChild.textContent"), "a tag is found")
    browser.click("#next")
    expect(browser(CHOSEN + ".dataset.node") != first, "and the next one")
    browser("(() => { const q = document.getElementById('query'); q.value = '<b>'; q.dispatchEvent(new Event('input')); })()")
    expect(browser("document.getElementById('count').textContent") == "not found", "and what is not there is not")


def fits(browser, pages):
    for page in pages:
        for width in [360, 820, 1280]:
            for theme in ["light", "dark"]:
                browser.size(width, 900, theme)
                browser.open(page)
                wide = browser("document.documentElement.scrollWidth")
                expect(wide <= width, f"{page.name}: {wide} pixels on a screen of {width}")
                light = browser("Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])")
                expect((light > 128) == (theme == "light"), f"{theme}: the background is {light}")


def large(browser, page):
    browser.size(1280, 900, "light")
    browser.open(page)
    count = browser(DATA + ".nodes.length")
    expect(count > 5000, f"a large tree: {count} nodes")
    for _ in range(8):
        browser.press("ArrowDown")
    expect(browser(SHOWN + ".length") < 2000, "only what is unfolded is made")


def without_scripts(browser, page):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(page)
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    expect("king h8" in browser(BOARD) or PAWNS in browser(BOARD), "the position at the root is there without scripts")


def photographs(browser, page, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for width, height in [(360, 900), (820, 760), (1280, 760)]:
        for theme in ["light", "dark"]:
            browser.size(width, height, theme)
            browser.open(page)
            browser("document.querySelector('[role=treeitem]').focus()")
            for key in ["ArrowRight", "ArrowRight", "*", "ArrowDown"]:
                browser.press(key)
            browser("scrollTo(0, 0)")
            browser.photograph(folder / f"tree-{width}-{theme}.png")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path)
    args = parser.parse_args()

    def tree(folder, name, fen, *options):
        page = folder / f"{name}.html"
        done = subprocess.run([args.engine.resolve(), "tree", "--fen", fen, "--evaluator", "classical", "-o", page, *options],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        expect(done.returncode == 0, f"{name}: exit code {done.returncode}: {done.stderr[-300:]}")
        return page

    def test(browser, folder):
        pawns = tree(folder, "pawns", PAWNS, "--depth", "3")
        memo = tree(folder, "memo", PAWNS, "--depth", "5", "--algorithm", "memo")
        search = tree(folder, "search", MIDDLEGAME, "--depth", "8", "--algorithm", "search", "--quiescence")
        shows_the_best_line(browser, pawns)
        shows_positions(browser, pawns)
        takes_keys(browser, pawns)
        reads_aloud(browser, memo)
        names_every_sign(browser, [pawns, memo, search])
        searches(browser, pawns)
        fits(browser, [pawns, search])
        large(browser, search)
        without_scripts(browser, pawns)
        if args.pictures:
            photographs(browser, search, args.pictures)

    use("tree", test, "the tree can be folded, walked through, searched and read aloud, and fits screens of 360, 820 and 1280 pixels")


if __name__ == "__main__":
    main()
