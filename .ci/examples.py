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


def fail(what):
    sys.exit(f"examples: {what}")


def build():
    """Builds the examples. Returns what cargo says of each of them, and of each library, by name."""
    command = ["cargo", "build", "--examples", "--locked", "--message-format=json"]
    lines = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    built = [line for line in map(json.loads, lines) if line["reason"] == "compiler-artifact"]
    of_kind = lambda kind: {line["target"]["name"]: line for line in built if kind in line["target"]["kind"]}
    return of_kind("example"), of_kind("lib")


def ends(program, name, folder):
    """The exit code of a program and the lines that it prints."""
    run = subprocess.run([program], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    return run.returncode, run.stdout.splitlines()


def solve(name, text, function):
    """The text of the exercise with its solution."""
    exercise = f"examples/{name}.rs"
    unsolved = item(exercise, f"fn {function}")
    if [line.strip() for line in unsolved].count("todo!()") != 1:
        fail(f"{exercise}: expected one todo!() in `{function}`")
    solution = item(LESSONS.get(name, f".ci/examples/{name}.rs"), f"fn {function}")
    return text.replace("\n".join(unsolved), "\n".join(solution))


def compile(source, example, libraries):
    """Compiles a copy of an example, with the libraries that cargo has built."""
    rlib = {name: next(file for file in libraries[name]["filenames"] if file.endswith(".rlib")) for name in ["shakmaty", "zugwerk"]}
    program = source.with_suffix("")
    command = [os.environ.get("RUSTC", "rustc"), "--crate-name=exercise", f"--edition={example['target']['edition']}", "-Copt-level=1"]
    command += [f"-Ldependency={pathlib.Path(rlib['shakmaty']).parent}", *(f"--extern={name}={file}" for name, file in rlib.items())]
    subprocess.run([*command, "-o", program, source], check=True)
    return program


def main():
    examples, libraries = build()
    if not examples:
        fail("expected examples, got none")
    with tempfile.TemporaryDirectory() as name:
        copy = pathlib.Path(shutil.copytree(ROOT / "examples", pathlib.Path(name) / "examples"))
        for name, example in sorted(examples.items()):
            source, page = copy / f"{name}.rs", ROOT / "docs" / "course" / f"{name}.md"
            text = source.read_text(encoding="utf-8")
            function = re.search(r'exercise\(file!\(\), "(\w+)"', text)[1]
            code, lines = ends(example["executable"], name, ROOT)
            wanted = rf"examples/{name}\.rs:\d+:\d+: write `{function}`; docs/course/{name}\.md explains it"
            if code != 2 or len(lines) != 1 or not re.fullmatch(wanted, lines[0]):
                fail(f"{name}: expected exit code 2 and one line, got {code} and: {lines}")
            if f"cargo run --example {name}\n" not in page.read_text(encoding="utf-8"):
                fail(f"{page}: expected the command of the exercise")
            source.write_text(solve(name, text, function), encoding="utf-8")
            code, lines = ends(compile(source, example, libraries), name, ROOT)
            if code != 0:
                fail(f"{name}, solved: expected exit code 0, got {code} and:\n" + "\n".join(lines))
            print(f"{name}: {lines[-1]}")


if __name__ == "__main__":
    main()
