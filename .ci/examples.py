#!/usr/bin/env python3
"""Tries the exercises in examples/: unsolved, each says in one line what to write; solved, each finds that all is right.

usage: examples.py

The solution is a function of the lesson, or of .ci/examples/NAME.rs where the exercise has another form than the lesson. It replaces
the function of the exercise in a copy.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from transcripts import ROOT, item

LESSONS = {
    "02-minimax": "src/lessons/minimax.rs",
    "03-alpha-beta": "src/lessons/alpha_beta.rs",
    "04-move-ordering": "src/lessons/prototype.rs",
    "05-iterative-deepening": "src/lessons/deepening.rs",
    "07-quiescence": "src/lessons/prototype.rs",
}
MOST_LINES = 60
# The first page shows what this one says before it is solved.
SHOWN = "02-minimax"


def fail(what):
    sys.exit(f"examples: {what}")


def build():
    """Builds the examples. Returns what cargo says of each of them, and of each library, by name."""
    command = ["cargo", "build", "--examples", "--locked", "--message-format=json"]
    lines = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    built = [line for line in map(json.loads, lines) if line["reason"] == "compiler-artifact"]
    examples, libraries = ({line["target"]["name"]: line for line in built if kind in line["target"]["kind"]} for kind in ["example", "lib"])
    return examples, libraries


def outcome(program):
    """The exit code of a program and the lines that it prints."""
    run = subprocess.run([program], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    return run.returncode, run.stdout.splitlines()


def solved(name, text, function):
    """The text of an exercise with the solution."""
    exercise = item(f"examples/{name}.rs", f"fn {function}")
    if [line.strip() for line in exercise].count("todo!()") != 1:
        fail(f"{name}: expected one todo!() in `{function}`")
    solution = item(LESSONS.get(name, f".ci/examples/{name}.rs"), f"fn {function}")
    return text.replace("\n".join(exercise), "\n".join(solution))


def compiled(source, edition, libraries):
    """The program of a source, with the libraries that cargo has built."""
    rlibs = {name: next(file for file in libraries[name]["filenames"] if file.endswith(".rlib")) for name in ["shakmaty", "zugwerk"]}
    dependencies = pathlib.Path(rlibs["shakmaty"]).parent
    externs = [f"--extern={name}={rlib}" for name, rlib in rlibs.items()]
    program = source.with_suffix("")
    rustc = [os.environ.get("RUSTC", "rustc"), "--crate-name=exercise", f"--edition={edition}", "-Copt-level=1"]
    subprocess.run([*rustc, f"-Ldependency={dependencies}", *externs, "-o", program, source], check=True)
    return program


def main():
    examples, libraries = build()
    if not examples:
        fail("expected examples, got none")
    with tempfile.TemporaryDirectory() as folder:
        copies = pathlib.Path(shutil.copytree(ROOT / "examples", pathlib.Path(folder) / "examples"))
        for name, example in sorted(examples.items()):
            source = copies / f"{name}.rs"
            text = source.read_text(encoding="utf-8")
            function = re.search(r'exercise\(file!\(\), "(\w+)"', text)[1]
            if text.count("\n") > MOST_LINES:
                fail(f"{name}: expected {MOST_LINES} lines at most, got {text.count(chr(10))}")
            if f"cargo run --example {name}\n" not in (ROOT / "docs" / "course" / f"{name}.md").read_text(encoding="utf-8"):
                fail(f"docs/course/{name}.md: expected the command of the exercise")

            code, lines = outcome(example["executable"])
            wanted = rf"examples/{name}\.rs:\d+:\d+: write `{function}`; docs/course/{name}\.md explains it"
            if code != 2 or len(lines) != 1 or not re.fullmatch(wanted, lines[0]):
                fail(f"{name}: expected exit code 2 and one line, got {code} and: {lines}")

            if name == SHOWN and lines[0] not in (ROOT / "docs" / "course" / "README.md").read_text(encoding="utf-8").splitlines():
                fail(f"docs/course/README.md: expected the line {lines[0]}")

            source.write_text(solved(name, text, function), encoding="utf-8")
            code, lines = outcome(compiled(source, example["target"]["edition"], libraries))
            if code != 0:
                fail(f"{name}, solved: expected exit code 0, got {code} and:\n" + "\n".join(lines))
            print(f"{name}: {lines[-1]}")


if __name__ == "__main__":
    main()
