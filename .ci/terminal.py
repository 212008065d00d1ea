#!/usr/bin/env python3
"""Checks what the program does only on a terminal: the colours of `play`, and that `tree` refuses to draw there, before the search.

usage: terminal.py PROGRAM
"""

import os
import pty
import subprocess
import sys


def on_terminal(*args, **environment):
    """The exit code of a call whose output is a terminal, and what it wrote."""
    ours, theirs = pty.openpty()
    call = subprocess.Popen(
        [sys.argv[1], *args], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env={**os.environ, **environment})
    os.close(theirs)
    written = b""
    try:
        while part := os.read(ours, 1 << 16):
            written += part
    except OSError:  # Linux reports the end of a terminal so.
        pass
    os.close(ours)
    return call.wait(timeout=60), written.decode()


def expect(is_so, what):
    if not is_so:
        sys.exit(f"terminal: expected {what}")


BOARD = ["play", "--white", "human", "--black", "human"]
for value, is_coloured in {"": True, "1": False}.items():
    code, text = on_terminal(*BOARD, NO_COLOR=value)
    expect(code == 0 and ("\x1b[48;5;" in text) == is_coloured, f"NO_COLOR={value!r} to decide about colours, got {code}: {text}")
code, text = on_terminal("tree", "--depth", "20", "--algorithm", "search")
expect(code == 2 and "--output" in text and len(text.splitlines()) == 1, f"one line that names --output, got {code}: {text}")
print("colours and refusals on a terminal are right")
