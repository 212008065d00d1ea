#!/usr/bin/env python3
"""Runs the commands in README.md, nets/README.md and docs/, and fails where their output has changed.

usage: transcripts.py [--write] PROGRAM [FILE...]

A transcript is a block marked `text` whose first line is a command (`$ zugwerk ...`), or one that follows a block marked
`sh` of one command; `...` stands for omitted lines, `…` for a part of a line that may differ from run to run. Times and speeds may
differ. Pictures are the files that a command writes under a name in docs/pictures; NAME.png is a picture of the page NAME.html, made
by Chromium, and contains the checksum of the page. The command of a picture that a reader need not see is a comment,
`<!-- zugwerk ... -->`. A block marked `rust` below a comment `<!-- src/FILE.rs: fn NAME -->` is that item of
the source, without its documentation; `impl TRAIT for TYPE` is one too. --write replaces the old text, code and pictures.

Only commands that need no files from outside the repository are run: see NEEDS_NOTHING and is_run.
"""

import argparse
import hashlib
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
NEEDS_NOTHING = {"analyse", "bench", "board", "elo", "epd", "eval", "match", "net", "play", "spsa", "study", "tree"}
OUTPUTS = {"-o", "--output", "--pgn", "--html", "--svg"}
PICTURE = re.compile(r"\]\((?:\.\./)*(?:docs/)?pictures/([^)]*)\)")
COMMENT = re.compile(r"<!-- (zugwerk .*) -->")
CODE = re.compile(r"<!-- (src/[\w/]+\.rs): (\w+(?: \w+)+) -->")
GENERICS = re.compile(r"<[^<>]*>")
# The lengths of spaces and rules in tables depend on the times in them.
TIMES = [
    (re.compile(r"\d+(\.\d+)? (s|ms)\b"), r"# \2"),
    (re.compile(r"\d+ nps\b(?! \d)"), "# nps"),  # not the nodes of `nodes 100 nps 5000`
    (re.compile(r"\b(nps|time) \d+"), r"\1 #"),
    (re.compile(r"[─═]+"), "-"),
    (re.compile(r"\s+"), " "),
]


def words(command):
    """The arguments of `zugwerk ...`, or None for another program."""
    if not command.startswith("zugwerk "):
        return None
    return shlex.split(command)[1:]


def is_run(arguments):
    """Whether the command needs only the program and the repository."""
    is_uci = " " in arguments[0]
    if not is_uci and arguments[0] not in NEEDS_NOTHING:
        return False
    for before, word in zip([""] + arguments, arguments):
        if "…" in word or "cmd=" in word:
            return False
        is_file = not is_uci and re.fullmatch(r"[\w/.-]+\.(epd|pgn|zwd|zwn)", word)
        if is_file and not (ROOT / word).exists() and (before not in OUTPUTS or arguments[0] == "analyse"):
            return False
    return arguments[0] != "play" or "--white" in arguments  # or else a person plays


def shortened(arguments):
    """The command with two games in place of many, for a result that nobody compares."""
    return [("2" if before == "--games" else word) for before, word in zip([""] + arguments, arguments)]


def said(program, arguments, folder):
    """The standard output and error of the program, which runs in `folder`. None if it needs a network and is built without
    one."""
    for before, word in zip(arguments, arguments[1:]):
        if before in OUTPUTS:  # another document may have written it
            (folder / word).unlink(missing_ok=True)
    at_home = [str(ROOT / word) if (ROOT / word).is_file() else word for word in arguments]
    run = subprocess.run([program, *at_home], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, timeout=600)
    lines = run.stdout.replace(str(ROOT) + "/", "").rstrip("\n").split("\n")
    if arguments[0] == "net" and "built without one" in run.stdout:
        return None
    if run.returncode not in {0, 1, 3}:  # all verdicts
        sys.exit(f"transcripts: {shlex.join(arguments)}: exit code {run.returncode}: {lines[-1]}")
    return lines


def alike(one, other):
    for pattern, instead in TIMES:
        one, other = (pattern.sub(instead, line) for line in (one, other))
    parts = [re.escape(part) for part in one.strip().split("…")]
    return re.fullmatch(".*".join(parts), other.strip()) is not None


def without_speeds(lines):
    """The lines, without the last two columns of a table of players: the nodes a second and the seconds a move."""
    in_table = False
    for line in lines:
        in_table = bool(line) and (in_table or line.split()[-2:] == ["nodes/s", "s/move"])
        yield " ".join(line.split()[:-2]) if in_table else line


def shown(old, new):
    """The lines of `new` in the places of those of `old`; `old` if only times differ."""
    if new is None:
        return old
    if "..." not in old:
        lines = new
    else:
        head, tail = old[: old.index("...")], old[old.index("...") + 1 :]
        lines = new[: len(head)] + ["..."] + (new[-len(tail) :] if tail else [])
    if len(lines) == len(old) and all(map(alike, without_speeds(old), without_speeds(lines))):
        return old
    return lines


def item(path, name):
    """The lines of an item of the source, such as `fn minimax`, up to the brace that ends it. The code is formatted. The name of
    an `impl` has no generics."""
    lines = (ROOT / path).read_text(encoding="utf-8").split("\n")
    starts = [number for number, line in enumerate(lines) if re.search(rf"\b{name}\b(?!.*;$)", GENERICS.sub("", line.split("//")[0]))]
    if not starts:
        sys.exit(f"transcripts: {path}: expected the item `{name}`, got none")
    begin = starts[0]
    indent = re.match(" *", lines[begin])[0]
    end = begin
    while not re.fullmatch(indent + r"[})\]].*", lines[end]) or lines[end].endswith("{"):
        end += 1
    return [line.removeprefix(indent) for line in lines[begin : end + 1]]


class Document:
    """A file and its lines."""

    def __init__(self, path):
        self.path = path
        self.lines = path.read_text(encoding="utf-8").split("\n")

    def blocks(self):
        """(kind, first line, line after the last), from the end of the file to its beginning."""
        fences = [number for number, line in enumerate(self.lines) if line.startswith("```")]
        pairs = list(zip(fences[::2], fences[1::2]))
        return [(self.lines[begin][3:], begin + 1, end) for begin, end in reversed(pairs)]

    def renew(self, program, folder):
        """Runs all commands and inserts their output. The last block comes first, so that line numbers stay valid."""
        for comment in filter(None, map(COMMENT.fullmatch, self.lines)):
            said(program, words(comment[1]), folder)
        below = None
        for kind, begin, end in self.blocks():
            block = self.lines[begin:end]
            above = CODE.fullmatch(self.lines[begin - 3] if begin > 2 and not self.lines[begin - 2] else self.lines[begin - 2])
            if kind == "rust" and above:
                self.lines[begin:end] = item(above[1], above[2])
            elif kind == "text" and block and block[0].startswith("$ zugwerk "):
                self.lines[begin:end] = self.session(block, program, folder)
            elif kind == "sh":
                commands = "\n".join(block).replace("\\\n", "").split("\n")
                arguments = [words(command.strip()) for command in commands]
                if all(a and is_run(a) for a in arguments):
                    compares = below and len(arguments) == 1 and not any(self.lines[end + 1 : below[0] - 1])
                    for each in arguments:
                        printed = said(program, each if compares else shortened(each), folder)
                    if compares:
                        first, last = below
                        self.lines[first:last] = shown(self.lines[first:last], printed)
            below = (begin, end) if kind == "text" else None

    def session(self, block, program, folder):
        """The block with the current output of its commands."""
        starts = [number for number, line in enumerate(block) if line.startswith("$ ")] + [len(block)]
        result = []
        for start, stop in zip(starts, starts[1:]):
            first = start
            while block[first].endswith("\\"):
                first += 1
            command = " ".join(line.rstrip("\\") for line in block[start : first + 1])[2:]
            arguments = words(command)
            old = block[first + 1 : stop]
            run = bool(arguments) and is_run(arguments)
            result += block[start : first + 1]
            result += shown(old, said(program, arguments, folder)) if run else old
        return result


# How often the right arrow leads to what a picture of a page shows.
STEPS = {"report": 22}
# The end of the header of a PNG file.
HEADER = 33


def picture_of(page):
    """A picture of a page in a wide window, with the checksum of the page in it."""
    from browser import chromium, open_file, page_of

    with chromium() as browser, page_of(browser, viewport={"width": 1280, "height": 800}, color_scheme="light") as shown:
        open_file(shown, page)
        for key in STEPS.get(page.stem, 0) * ["ArrowRight"]:
            shown.keyboard.press(key)
        shown.evaluate("scrollTo(0, 0)")
        png = shown.screenshot()
    chunk = b"tEXtpage\0" + hashlib.sha256(page.read_bytes()).hexdigest().encode()
    return png[:HEADER] + struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) + png[HEADER:]


def is_of(picture, page):
    """Whether the picture shows the page as it is now."""
    return picture.exists() and hashlib.sha256(page.read_bytes()).hexdigest().encode() in picture.read_bytes()[: 4 * HEADER]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="replace the old text and pictures")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="README.md, nets/README.md and docs/**/*.md by default")
    args = parser.parse_args()
    files = [path.resolve() for path in args.files] or [ROOT / "README.md", ROOT / "nets" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    stale, wanted = [], set()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for path in files:
            document = Document(path)
            old = list(document.lines)
            document.renew(args.program.resolve(), folder)
            wanted.update(PICTURE.findall("\n".join(document.lines)))
            if document.lines != old:
                first = next(n for n, (a, b) in enumerate(zip(old + [""], document.lines + [""])) if a != b)
                stale.append(f"{path.relative_to(ROOT)}:{first + 1}: {document.lines[first]}")
                if args.write:
                    path.write_text("\n".join(document.lines), encoding="utf-8")
        for picture in sorted(folder.iterdir()):
            kept = PICTURES / picture.name
            if picture.suffix == ".html" and picture.stem + ".png" in wanted and not is_of(kept.with_suffix(".png"), picture):
                stale.append(str(kept.with_suffix(".png").relative_to(ROOT)))
                if args.write:
                    kept.with_suffix(".png").write_bytes(picture_of(picture))
            if picture.name in wanted and not (kept.exists() and kept.read_bytes() == picture.read_bytes()):
                stale.append(str(kept.relative_to(ROOT)))
                if args.write:
                    shutil.copyfile(picture, kept)
    for place in stale:
        print(f"{'renewed' if args.write else 'expected the current output'}: {place}")
    if stale and not args.write:
        print("`.ci/transcripts.py --write PROGRAM` renews them; then check the text around them")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
