#!/usr/bin/env python3
"""Makes a book of the documents with mdbook: the course first, then the guides. Follows every link in it.

usage: .ci/book.py            writes target/book, whose first page is target/book/index.html
       .ci/book.py --search   also searches in it, in Chromium

The chapters are those that docs/README.md and docs/course/README.md list, in their order. Every file of the repository to which
a page links is copied beside the pages, so that all links lead somewhere without the internet.
"""

import functools
import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES, BOOK = ROOT / "target/book-pages", ROOT / "target/book"
LINK = re.compile(r"\[([^\]\[]*)\]\(([^)\s]+)\)")
SETTINGS = f"""
[book]
title = "Zugwerk"
language = "en"
src = "{PAGES.name}"
[build]
build-dir = "{BOOK.name}"
create-missing = false
use-default-preprocessors = false
[output.html]
default-theme = "light"
preferred-dark-theme = "navy"
no-section-label = true
additional-css = ["{PAGES.name}/book.css"]
[output.html.print]
enable = false
[output.html.playground]
runnable = false
[output.html.fold]
enable = true
[output.html.search]
heading-split-level = 2
"""
# The drawings follow the system, not the theme of the book. They stand on their own ground.
STYLE = "main img { background: Canvas; color-scheme: light dark; padding: .5rem; border-radius: 4px; } :root { --content-max-width: 60rem; }"


def chapters():
    """The parts of the book: a heading and its (title, path) pairs."""
    listed = {
        page: re.findall(r"^## (.*)$|^\|\s*(\[.*?)\s*\|.*\|$", (ROOT / page).read_text(encoding="utf-8"), re.M)
        for page in ["docs/course/README.md", "docs/README.md"]
    }

    def rows(page, begin="", end=None):
        part = begin
        for heading, cell in listed[page]:
            part = heading or part
            if cell and (not end or part in end):
                for text, link in LINK.findall(cell):
                    yield part, text.removesuffix(".md").rstrip("/"), (pathlib.Path(page).parent / link)

    course = [(text, path) for _, text, path in rows("docs/course/README.md")]
    course += [(name.capitalize().replace("Teaching", "For teachers"), pathlib.Path(f"docs/course/{name}.md"))
               for name in ["contributing", "teaching", "glossary"]]
    yield "The course", [("A course in chess programming", pathlib.Path("docs/course/README.md")), *course]
    parts = {}
    for part, text, path in rows("docs/README.md"):
        if path.suffix == ".md" and "course" not in path.parts:
            parts.setdefault(part, []).append((text, path))
    yield from parts.items()


def normal(path):
    return pathlib.Path(os.path.normpath(path))


def copy_linked(pages):
    """Copies the pages, and every file of the repository to which they lead."""
    waiting, done = list(pages), set()
    while waiting:
        path = waiting.pop()
        if path in done:
            continue
        done.add(path)
        source, copy = ROOT / path, PAGES / path
        if source.is_dir():
            waiting += [path / file.name for file in source.iterdir() if file.is_file()]
            continue
        if not source.exists():
            sys.exit(f"book: {path} does not exist")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)
        if path.suffix == ".md":
            links = (link for _, link in LINK.findall(source.read_text(encoding="utf-8")))
            waiting += [normal(path.parent / link.split("#")[0]) for link in links
                        if not re.match(r"\w+:", link) and not link.startswith("#")]
    return [path for path in done if path.suffix == ".md"]


def make():
    for folder in [PAGES, BOOK]:
        shutil.rmtree(folder, ignore_errors=True)
    PAGES.mkdir(parents=True)
    parts = [(part, [(text, normal(path)) for text, path in pages]) for part, pages in chapters()]
    pages = copy_linked([pathlib.Path("README.md"), pathlib.Path("docs/README.md"), *(path for _, all in parts for _, path in all)])
    known = {path for _, all in parts for _, path in all} | {pathlib.Path("README.md"), pathlib.Path("docs/README.md")}
    lines = ["[Zugwerk](README.md)", "[All pages](docs/README.md)"]
    for part, all in parts:
        lines += [f"# {part}", *(f"- [{text}]({path})" for text, path in all)]
    # Pages that no list has are needed for the links to them.
    lines += ["# More", *(f"- [{path}]({path})" for path in sorted(set(pages) - known))]
    (PAGES / "SUMMARY.md").write_text("\n\n".join(lines) + "\n", encoding="utf-8")
    (PAGES / "book.css").write_text(STYLE, encoding="utf-8")
    (PAGES.parent / "book.toml").write_text(SETTINGS, encoding="utf-8")
    built = subprocess.run(["mdbook", "build", str(PAGES.parent)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    # It goes on after an error in its settings.
    if built.returncode or "ERROR" in built.stdout:
        sys.exit(f"book: mdbook: {built.stdout}")


class Page(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], {""}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.anchors.update(filter(None, [attrs.get("id"), attrs.get("name")]))
        self.links += filter(None, [attrs.get("href"), attrs.get("src")])


@functools.cache
def parsed(path):
    return Page(path.read_text(encoding="utf-8"))


def check():
    """Follows every link inside the book; returns their number."""
    count, broken = 0, []
    for page in BOOK.rglob("*.html"):
        for link in parsed(page).links:
            if re.match(r"[\w+-]+:", link):
                continue
            count += 1
            path, _, anchor = link.partition("#")
            target = (page.parent / urllib.parse.unquote(path)) if path else page
            is_there = target.exists() and (target.suffix != ".html" or urllib.parse.unquote(anchor) in parsed(target).anchors)
            if not is_there:
                broken.append(f"{page.relative_to(BOOK)}: {link}")
    if broken or not count:
        sys.exit("book: links that lead nowhere:\n" + "\n".join(broken))
    return count


def search():
    """The search of the book must work without a server, and a page must fit on a phone."""
    from browser import chromium, expect_to_fit, page_of
    with chromium() as browser:
        for width in [390, 1280]:
            with page_of(browser, viewport={"width": width, "height": 900}) as page:
                page.goto(f"{(BOOK / 'docs/course/07-quiescence.html').as_uri()}?search=quiescence")
                page.get_by_text("search results for 'quiescence'").wait_for()
                expect_to_fit(page, width)


if __name__ == "__main__":
    make()
    if sys.argv[1:] == ["--search"]:
        search()
    links = check()
    size = sum(file.stat().st_size for file in BOOK.rglob("*") if file.is_file())
    print(f"target/book/index.html: {len(list(BOOK.rglob('*.html')))} pages, {links} links followed, {size / 1e6:.1f} MB")
