#!/usr/bin/env python3
"""Fills the folder of a package with what belongs to the program: README.txt, licences, and the pages that its user needs. The
links in them lead to files of the package, or to the internet; of other links only the text stays.

usage: fill.py FOLDER PACKAGE VERSION SOURCE     fills it; SOURCE says where the source is
       fill.py --check FOLDER                    fails if a link in the folder leads nowhere
"""

import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGES = ["analyse", "clients", "commands", "elo", "epd", "match", "play", "study", "tree"]
FILES = ["LICENSE", "CHANGELOG.md", "docs/opera.pgn", "positions/mates.epd", "lichess-bot/config.yml"]
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
PROCESSORS = {
    "v1": "every 64-bit x86 processor",
    "v2": "x86 processors since about 2009 (SSE4.2)",
    "v3": "x86 processors since about 2013 (AVX2)",
    "v4": "x86 processors with AVX-512",
    "aarch64": "64-bit ARM processors",
}
CHOICE = """If the program says that the processor lacks something, take the package with the
next smaller number. A larger one is a little faster, if it runs."""
START = {
    "windows": """* Windows asks whether a program from the internet may run: "More info",
  then "Run anyway". The program is not signed.
* An antivirus program removes it: compare the package with SHA256SUMS, then
  make an exception for this folder.""",
    "macos": """* The system refuses a program that is not signed:
  xattr -d com.apple.quarantine zugwerk""",
    "linux": """* "Permission denied": chmod +x zugwerk
* "GLIBC_2.xx not found": the system is older than this package supports, which
  needs glibc 2.31 (Debian 11, Ubuntu 20.04, RHEL 9 and later).""",
}


def heading(line):
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower()).replace(" ", "-")


def anchors(page):
    return {heading(line) for line in page.read_text(encoding="utf-8").split("\n") if line.startswith("#")}


def target_of(page, link):
    """The file to which a link leads, and the heading in it; None if it leads to the internet."""
    if re.match(r"\w+:", link):
        return None
    path, _, mark = link.partition("#")
    return (page.parent / path if path else page), mark


def leads_somewhere(page, link):
    found = target_of(page, link)
    return found is None or found[0].exists() and (not found[1] or found[1] in anchors(found[0]))


def without_links(folder, page):
    """Takes the links away that lead out of the package. A picture that is not there goes with its line."""
    def kept(match):
        is_picture, text, link = match.groups()
        found = target_of(page, link)
        is_inside = found is None or found[0].resolve().is_relative_to(folder) and leads_somewhere(page, link)
        return match[0] if is_inside else "" if is_picture else text

    lines = [line for line in page.read_text(encoding="utf-8").split("\n") if not line.startswith("<!--")]
    page.write_text(LINK.sub(kept, "\n".join(lines)), encoding="utf-8")


def fill(folder, package, version, source):
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
    pages = [folder / "docs" / f"{name}.md" for name in PAGES]
    for page in pages:
        shutil.copyfile(ROOT / "docs" / page.name, page)
        for is_picture, _, link in LINK.findall(page.read_text(encoding="utf-8")):
            picture = ROOT / "docs" / link
            if is_picture and picture.exists():
                (folder / "docs" / link).parent.mkdir(exist_ok=True)
                shutil.copyfile(picture, folder / "docs" / link)
    for page in [*pages, folder / "CHANGELOG.md"]:
        without_links(folder.resolve(), page)
    system = package.split("-")[0] if package.startswith(("windows", "macos")) else "linux"
    level = package.rsplit("-", 1)[-1]
    program = "zugwerk.exe" if system == "windows" else "zugwerk"
    choice = CHOICE if level.startswith("v") else "There is one package for all of them."
    words = {
        "VERSION": version, "PROCESSOR": PROCESSORS[level], "CHOICE": choice, "PROGRAM": program, "SOURCE": source,
        "RUN": ".\\zugwerk" if system == "windows" else "./zugwerk", "START": START[system],
    }
    text = (HERE / "README.txt").read_text(encoding="utf-8")
    text = re.sub(r"\{(\w+)\}", lambda match: words[match[1]], text)
    (folder / "README.txt").write_text(text, encoding="utf-8", newline="\r\n" if system == "windows" else "\n")


def check(folder):
    pages = sorted(folder.rglob("*.md"))
    broken = [
        f"{page.relative_to(folder)}: {link}" for page in pages
        for _, _, link in LINK.findall(page.read_text(encoding="utf-8")) if not leads_somewhere(page, link)
    ]
    if broken or not pages:
        sys.exit("fill: links that lead nowhere: " + ", ".join(broken or ["no page at all"]))


if __name__ == "__main__":
    if sys.argv[1] == "--check":
        check(pathlib.Path(sys.argv[2]))
    else:
        fill(pathlib.Path(sys.argv[1]), *sys.argv[2:5])
