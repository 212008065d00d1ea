#!/usr/bin/env python3
"""Tests the page of `ZUGWERK tree -o tree.html` in a headless Chromium and fails at the first fault.

usage: tree.py [--pictures FOLDER] ENGINE

With --pictures it saves screenshots of the page at three widths in both themes.
"""

import json
import pathlib
import re

from browser import expect, expect_to_fit, main, open_file, page_of, photographs, run, without_name

PAWNS = "7k/7P/7P/8/8/p7/8/7K b - - 0 1"
MIDDLEGAME = "r1bqrnk1/pp2bppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 w - - 7 11"


class Tree:
    """The parts of the page."""

    def __init__(self, page):
        self.page = page
        self.state = page.locator(".state")
        self.board = page.locator(".board")
        self.chosen = page.locator("[aria-selected=true]")
        self.label = page.locator("[aria-selected=true] > .node")
        self.shown = page.locator("[role=treeitem]:visible")

    def data(self):
        return json.loads(self.page.locator("#data").text_content())

    def node(self, index):
        return self.page.locator(f"[data-node='{index}'] > .node")

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
    first = nodes[0]["c"][0]
    tree.node(first).click()
    expect(tree.board).to_have_attribute("aria-label", re.compile("king h7"))
    expect(tree.state).to_contain_text("Kxh7")
    tree.node(nodes[0]["c"][1]).hover()
    expect(tree.state).to_contain_text("Kxh7")
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
    folded = tree.chosen.locator("xpath=../../li/*[@aria-expanded='false']")
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


def steps_of(nodes):
    """The steps of a search, from its tree alone: [node, whether it is left]."""
    steps = []

    def visit(index):
        children = [child for child in nodes[index].get("c", []) if nodes[child]["m"] != "pruned"]
        if nodes[index].get("c"):
            steps.append((index, False))
        for child in children:
            visit(child)
        steps.append((index, True))

    visit(0)
    return steps


def plays(page, tree):
    nodes = tree.data()["nodes"]
    steps = steps_of(nodes)
    slider, line, step_name = page.locator("#step"), page.locator(".window-line svg"), page.locator("#step-name")
    expect(slider).to_have_value(str(len(steps) - 1))
    expect(step_name).to_have_text("the whole search")
    slider.focus()
    page.keyboard.press("Home")
    met, left = set(), set()
    for number, (node, is_left) in enumerate(steps):
        expect(slider).to_have_value(str(number))
        met.add(node)
        if is_left:
            left.add(node)
            met.update(child for child in nodes[node].get("c", []) if nodes[child]["m"] == "pruned")
        made = tree.page.locator("[role=treeitem]").evaluate_all("""all => all.map(item =>
            [Number(item.dataset.node), !item.parentElement.hidden, item.querySelector(".value").textContent])""")
        for index, is_shown, value in made:
            assert is_shown == (index in met), f"step {number}: node {index} is shown: {is_shown}"
            known = index in left or nodes[index]["m"] == "pruned" and index in met
            assert value == (nodes[index]["v"] if known else "…"), f"step {number}: node {index} says {value}"
        assert met <= {index for index, _, _ in made}, f"step {number}: a node is missing"
        expect(tree.chosen).to_have_attribute("data-node", str(node))
        label = line.get_attribute("aria-label")
        window = re.search(r"\(([^,]+), ([^)]+)\)$", nodes[node].get("w", ""))
        alpha, beta = window.groups() if window else ("-∞", "∞")
        assert label.startswith(f"alpha {alpha}, beta {beta}"), f"step {number}: {label}"
        assert (f"value {nodes[node]['v']}" in label) == is_left, f"step {number}: {label}"
        page.keyboard.press("ArrowRight")
    expect(step_name).to_have_text("the whole search")
    play = page.locator("#play")
    play.click()
    expect(tree.shown).to_have_count(1)
    expect(slider).to_have_value("2")
    play.click()
    at = slider.input_value()
    page.wait_for_timeout(1000)
    expect(slider).to_have_value(at)
    tree.search("Kh2")
    expect(tree.chosen).to_be_visible()


def draws_in_the_dark(browser, engine, folder):
    """The SVG of a tree on dark paper: its words are light, except in light boxes."""
    file = folder / "tree.svg"
    run(engine, "tree", "--fen", PAWNS, "--depth", "2", "--evaluator", "classical", "-o", file)
    for theme in ["light", "dark"]:
        with page_of(browser, color_scheme=theme) as page:
            open_file(page, file)
            light = lambda place: page.locator(place).first.evaluate("one => Number(getComputedStyle(one).fill.match(/\\d+/)[0])") > 128
            assert light(".paper") == (theme == "light"), theme
            assert light("svg > text") == (theme == "dark"), theme
            assert not light("rect[fill='#ffffff'] + text"), theme


def keeps_the_board_in_sight(browser, file):
    """On a telephone, while one taps."""
    with page_of(browser, viewport={"width": 390, "height": 844}, has_touch=True) as page:
        open_file(page, file)
        for _ in range(3):
            page.locator("#open").tap()
        page.locator("[role=treeitem]:visible .node").last.tap()
        box = page.locator(".board").bounding_box()
        assert 0 <= box["y"] and box["y"] + box["height"] <= 844, f"the board is at {box}"
        play = page.locator("#play").bounding_box()
        assert 0 <= play["y"] <= 844 - play["height"], f"the button is at {play}"


def reads_aloud(page, tree):
    for _ in range(4):
        page.locator("#open").click()
    expect(page.locator("#tree")).to_have_attribute("role", "tree")
    wrong = page.locator("#tree .row").evaluate_all("""all => all.filter(one => {
        const list = one.parentElement.parentElement, above = list.previousElementSibling?.closest('[role=treeitem]');
        const level = above ? Number(above.getAttribute('aria-level')) + 1 : 1;
        return one.getAttribute('role') !== 'treeitem' || !one.textContent.trim() || Number(one.getAttribute('aria-level')) !== level
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
    expect(tree.chosen).to_contain_text("cut-off")
    first = tree.chosen.get_attribute("data-node")
    page.locator("#next").click()
    expect(tree.chosen).not_to_have_attribute("data-node", first)
    tree.search("<b>")
    expect(page.locator("#count")).to_have_text("not found")


def fits(page, files):
    for file in files:
        for width in [360, 390, 820, 1280]:
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


def pictures(browser, _, file, folder):
    def unfolded(page):
        page.locator("[role=treeitem]").first.focus()
        for key in ["ArrowRight", "ArrowRight", "*", "ArrowDown"]:
            page.keyboard.press(key)
        page.evaluate("scrollTo(0, 0)")

    photographs(browser, file, folder, "tree", [900, 760, 760], unfolded)


def written(engine, folder, name, fen, *options):
    file = folder / f"{name}.html"
    run(engine, "tree", "--fen", fen, "--evaluator", "classical", "-o", file, *options)
    return file


def test(browser, engine, folder):
    pawns = written(engine, folder, "pawns", PAWNS, "--depth", "3")
    minimax = written(engine, folder, "minimax", PAWNS, "--depth", "3", "--algorithm", "minimax")
    small = written(engine, folder, "small", PAWNS, "--depth", "3", "--algorithm", "search")
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
        for file in [minimax, pawns, small]:
            open_file(page, file)
            plays(page, tree)
        open_file(page, memo)
        reads_aloud(page, tree)
        searches(page, tree, pawns)
        fits(page, [pawns, search])
    keeps_the_board_in_sight(browser, pawns)
    draws_in_the_dark(browser, engine, folder)
    with page_of(browser, java_script_enabled=False) as page:
        open_file(page, pawns)
        expect(page.locator(".board")).to_have_attribute("aria-label", PAWNS)
    return search


if __name__ == "__main__":
    main(__doc__, test, pictures, "the tree can be folded, walked through, played, searched and read aloud, and fits screens of 360 to 1280 pixels")
