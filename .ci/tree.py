#!/usr/bin/env python3
"""Tests the page of `ZUGWERK tree -o tree.html` in a headless Chromium and fails at the first fault.

usage: tree.py [--pictures FOLDER] ENGINE

With --pictures it saves screenshots of the page at three widths in both themes.
"""

import argparse
import json
import pathlib
import re
import tempfile

from browser import chromium, expect, expect_to_fit, open_file, page_of, run, without_name

PAWNS = "7k/7P/7P/8/8/p7/8/7K b - - 0 1"
MIDDLEGAME = "r1bqrnk1/pp2bppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 w - - 7 11"


class Tree:
    """The parts of the page."""

    def __init__(self, page):
        self.page = page
        self.state = page.locator(".state")
        self.board = page.locator(".board")
        self.chosen = page.locator("[aria-selected=true]")
        self.label = page.locator("[aria-selected=true] > .row > .node")
        self.shown = page.locator("[role=treeitem]:visible")

    def data(self):
        return json.loads(self.page.locator("#data").text_content())

    def node(self, index):
        return self.page.locator(f"[data-node='{index}'] > .row > .node")

    def search(self, text):
        self.page.locator("#query").fill(text)


def shows_the_best_line(tree):
    for index, node in enumerate(tree.data()["nodes"]):
        if node.get("p"):
            expect(tree.node(index)).to_be_visible()
    expect(tree.state).to_contain_text("The root: Black to move")
    expect(tree.state).to_contain_text(PAWNS)
    expect(tree.board).to_have_attribute("aria-label", re.compile("Black to move.*king h8|king h8.*Black to move"))


def shows_positions(page, tree):
    nodes = tree.data()["nodes"]
    before = tree.board.get_attribute("aria-label")
    first = nodes[0]["c"][0]
    tree.node(first).hover()
    expect(tree.board).to_have_attribute("aria-label", re.compile("king h7"))
    expect(tree.state).to_contain_text("Kxh7")
    page.locator("h1").hover()
    expect(tree.board).to_have_attribute("aria-label", before)
    tree.node(first).click()
    page.locator("h1").hover()
    expect(tree.board).to_have_attribute("aria-label", re.compile("king h7"))
    expect(tree.state).to_contain_text("Worth")
    expect(tree.state).to_contain_text("window")
    pruned = next(index for index, node in enumerate(nodes) if node.get("m") == "pruned")
    for _ in range(3):
        page.locator("#open").click()
    tree.node(pruned).click()
    expect(tree.state).to_contain_text("Not searched")
    expect(tree.board.locator(".arrow")).not_to_have_count(0)


def takes_keys(page, tree):
    page.locator("[role=treeitem]").first.focus()
    expect(page.locator("#tree [tabindex='0']")).to_have_count(1)

    def press(key, label, is_open):
        page.keyboard.press(key)
        expect(tree.label).to_have_text(re.compile("^" + label))
        expect(tree.chosen).to_have_attribute("aria-expanded", is_open)
        expect(tree.chosen).to_be_focused()

    count = tree.shown.count()
    press("ArrowLeft", "Black", "false")
    expect(tree.shown).to_have_count(1)
    press("ArrowRight", "Black", "true")
    expect(tree.shown).to_have_count(count)
    press("ArrowRight", "Kxh7", "false")
    press("Enter", "Kxh7", "true")
    press("ArrowDown", "Kg1", "false")
    press(" ", "Kg1", "true")
    press(" ", "Kg1", "false")
    press("ArrowUp", "Kxh7", "true")
    press("ArrowRight", "Kg1", "false")
    press("*", "Kg1", "true")
    folded = tree.chosen.locator("xpath=../*[@aria-expanded='false']")
    expect(folded).to_have_count(0)
    press("ArrowLeft", "Kg1", "false")
    press("ArrowLeft", "Kxh7", "true")
    press("ArrowLeft", "Kxh7", "false")
    press("ArrowLeft", "Black", "true")
    page.keyboard.press("End")
    expect(tree.shown.last).to_have_attribute("aria-selected", "true")
    press("Home", "Black", "true")
    page.locator("#close").click()
    expect(tree.shown).to_have_count(1 + len(tree.data()["nodes"][0]["c"]))
    page.locator("#line").click()
    assert tree.shown.count() >= count, "the best line again"


def reads_aloud(page, tree):
    for _ in range(4):
        page.locator("#open").click()
    expect(page.locator("#tree")).to_have_attribute("role", "tree")
    wrong = page.locator("#tree li").evaluate_all("""all => all.filter(one => {
        const list = one.parentElement, above = list.parentElement.closest('[role=treeitem]');
        const level = above ? Number(above.getAttribute('aria-level')) + 1 : 1;
        return one.getAttribute('role') !== 'treeitem' || !one.getAttribute('aria-label') || Number(one.getAttribute('aria-level')) !== level
            || list.getAttribute('role') !== (above ? 'group' : 'tree');
    }).length""")
    assert wrong == 0, f"{wrong} nodes without role, level or name"
    assert without_name(page.locator("button, input, a")) == 0, "controls without a name"


def names_every_sign(page, tree):
    legend = page.locator(".legend").text_content()
    data = tree.data()
    tags = {node["t"] for node in data["nodes"] if node.get("t")}
    assert tags, f"{page.url}: there are tags"
    assert all(data["meanings"].values()), f"a tag without a meaning: {data['meanings']}"
    written = "".join(node["v"] + (node.get("w") or "") for node in data["nodes"])
    for sign in [*tags, *(sign for sign in "≥≤#↓↑↻(?" if sign in written)]:
        assert sign in legend, f"{page.url}: the legend has no {sign}"


def searches(page, tree, file):
    open_file(page, file, "#Qa1")
    open_file(page, file, "#%")
    open_file(page, file, "#a1=Q")
    expect(page.locator("#count")).to_have_text(re.compile("^1 of "))
    expect(tree.label).to_contain_text("a1=Q")
    tree.search("cut-off")
    expect(tree.chosen.locator("> .row")).to_contain_text("cut-off")
    first = tree.chosen.get_attribute("data-node")
    page.locator("#next").click()
    expect(tree.chosen).not_to_have_attribute("data-node", first)
    tree.search("<b>")
    expect(page.locator("#count")).to_have_text("not found")


def fits(page, files):
    for file in files:
        for width in [360, 820, 1280]:
            for theme in ["light", "dark"]:
                page.set_viewport_size({"width": width, "height": 900})
                page.emulate_media(color_scheme=theme)
                open_file(page, file)
                expect_to_fit(page, width)
                light = page.evaluate("Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])")
                assert (light > 128) == (theme == "light"), f"{theme}: the background is {light}"


def makes_only_what_is_unfolded(page, tree):
    count = len(tree.data()["nodes"])
    assert count > 5000, f"expected a large tree, got {count} nodes"
    for _ in range(8):
        page.keyboard.press("ArrowDown")
    assert tree.shown.count() < 2000, "only what is unfolded is made"


def photographs(browser, file, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for width, height in [(360, 900), (820, 760), (1280, 760)]:
        for theme in ["light", "dark"]:
            with page_of(browser, viewport={"width": width, "height": height}, color_scheme=theme) as page:
                open_file(page, file)
                page.locator("[role=treeitem]").first.focus()
                for key in ["ArrowRight", "ArrowRight", "*", "ArrowDown"]:
                    page.keyboard.press(key)
                page.evaluate("scrollTo(0, 0)")
                page.screenshot(path=folder / f"tree-{width}-{theme}.png")


def written(engine, folder, name, fen, *options):
    file = folder / f"{name}.html"
    run(engine, "tree", "--fen", fen, "--evaluator", "classical", "-o", file, *options)
    return file


def test(browser, engine, folder):
    pawns = written(engine, folder, "pawns", PAWNS, "--depth", "3")
    memo = written(engine, folder, "memo", PAWNS, "--depth", "5", "--algorithm", "memo")
    search = written(engine, folder, "search", MIDDLEGAME, "--depth", "8", "--algorithm", "search", "--quiescence")
    with page_of(browser, viewport={"width": 1280, "height": 900}) as page:
        tree = Tree(page)
        for file in [pawns, memo, search]:
            open_file(page, file)
            names_every_sign(page, tree)
        makes_only_what_is_unfolded(page, tree)
        open_file(page, pawns)
        shows_the_best_line(tree)
        shows_positions(page, tree)
        open_file(page, pawns)
        takes_keys(page, tree)
        open_file(page, memo)
        reads_aloud(page, tree)
        searches(page, tree, pawns)
        fits(page, [pawns, search])
    with page_of(browser, java_script_enabled=False) as page:
        open_file(page, pawns)
        expect(page.locator(".board")).to_have_attribute("aria-label", PAWNS)
    return search


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        search = test(browser, args.engine.resolve(), pathlib.Path(folder))
        if args.pictures:
            photographs(browser, search, args.pictures)
    print("the tree can be folded, walked through, searched and read aloud, and fits screens of 360, 820 and 1280 pixels")


if __name__ == "__main__":
    main()
