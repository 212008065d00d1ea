"""Opens a page in a headless Chromium, for report.py, tree.py and match.py."""

import argparse
import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile

from playwright.sync_api import expect, sync_playwright

# Enough for a busy machine, in milliseconds.
PATIENCE = 30_000


@contextlib.contextmanager
def chromium():
    """A browser: Debian's package `chromium`, or the program in the environment variable CHROMIUM."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not program:
        raise SystemExit("expected Chromium, found none (apt-get install chromium, or CHROMIUM=PATH)")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, chromium_sandbox=False)
        yield browser
        browser.close()


@contextlib.contextmanager
def page_of(browser, **settings):
    """A page that must cause no error, open no dialogue and ask the network for nothing."""
    problems = []
    context = browser.new_context(**settings)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: problems.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (problems.append(f"dialogue: {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda request: request.url.startswith(("file:", "data:", "about:")) or problems.append(f"asks for {request.url}"))
    yield page
    assert not problems, problems
    context.close()


def open_file(page, path, mark=""):
    """Opens a file, also if the page shows it already."""
    page.goto("about:blank")
    page.goto(path.resolve().as_uri() + mark)


def without_name(controls):
    """The number of these buttons, fields and links that a screen reader cannot name."""
    return controls.evaluate_all("all => all.filter(one => !(one.textContent.trim() || one.getAttribute('aria-label'))).length")


def expect_to_fit(page, width):
    """Fails if one must scroll to the side."""
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width, f"{page.url}: {wide} pixels on a screen of {width}"


def expect_in_sight(page, *places):
    """Fails if one of the elements is not wholly on the screen, or is below another one."""
    seen = """one => {
        const { left, top, right, bottom } = one.getBoundingClientRect(), [x, width] = [(left + right) / 2, right - left];
        const ends = [top + 2, bottom - 2].map(y => document.elementFromPoint(x, y));
        return left >= 0 && top >= -1 && right <= innerWidth && bottom <= innerHeight + 1 && width > 0 && ends.every(end => one.contains(end) || end?.contains(one));
    }"""
    for place in places:
        assert place.first.evaluate(seen), f"{page.viewport_size}: not in sight: {place}: {place.first.bounding_box()}"


def run(*command):
    """Runs the engine, and fails with its error."""
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, f"{command}: exit code {done.returncode}: {done.stderr[-300:]}"


def photographs(browser, file, folder, name, heights, prepare=lambda page: None):
    """Saves screenshots of the page at three widths, each with its height, in both themes."""
    folder.mkdir(parents=True, exist_ok=True)
    for width, height in zip([390, 820, 1280], heights):
        for theme in ["light", "dark"]:
            with page_of(browser, viewport={"width": width, "height": height}, color_scheme=theme) as page:
                open_file(page, file)
                prepare(page)
                page.screenshot(path=folder / f"{name}-{width}-{theme}.png")


def main(about, test, pictures, done):
    """Calls `test(browser, engine, folder)` with the arguments of the script, and with --pictures `pictures(browser, engine, result of
    test, folder for pictures)`. `done` says what has passed."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("engine", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        result = test(browser, args.engine.resolve(), pathlib.Path(folder))
        if args.pictures:
            pictures(browser, args.engine.resolve(), result, args.pictures)
    print(done)
