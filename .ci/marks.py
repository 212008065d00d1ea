#!/usr/bin/env python3
"""Checks the marks of `zugwerk analyse` against the evaluations that it shows.

usage: marks.py ENGINE [--games N] [--nodes N] [--seed N]

Games between players of different strength are played and analysed. Between two neighbouring evaluations the player of
the move loses winning chances (the curve of Lichess, -100 to 100). A loss of 20 or more must have a mark, and every mark
must have the loss of its class: 10, 20 or 30.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

CLASSES = {"inaccuracy": 10, "mistake": 20, "blunder": 30}
# The analysis computes with more digits than one would get from the centipawns of a bounded value.
ROUNDING = 0.001


def chances(shown):
    """The winning chances of White, -100 to 100."""
    if shown["mate"] is not None:
        mated = shown["mate"] < 0 or (shown["mate"] == 0 and shown["side"] == "Black")
        return -100.0 if mated else 100.0
    return 200 / (1 + math.exp(-0.00368208 * shown["cp"])) - 100


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pgn = pathlib.Path(folder, "games.pgn")
        players = ["--engine", "self,name=A,nodes=3000", "--engine", "self,name=B,nodes=200"]
        match = ["match", *players, "--games", str(args.games), "--seed", str(args.seed), "--pgn", str(pgn)]
        subprocess.run([args.engine, *match], check=True, stdout=subprocess.DEVNULL)
        analyse = ["analyse", str(pgn), "--nodes", str(args.nodes), "--json"]
        done = subprocess.run([args.engine, *analyse], check=True, capture_output=True, text=True)
    drops = marked = marks = 0
    faults = []
    for game in json.loads(done.stdout):
        for before, shown in zip(game["moves"], game["moves"][1:]):
            white = 1 if shown["side"] == "White" else -1
            lost = white * (chances(before) - chances(shown))
            mark = shown["mark"]
            drops += lost >= 20
            marked += lost >= 20 and mark is not None
            marks += mark is not None
            if (lost >= 20 and mark is None) or (mark and lost < CLASSES[mark] - ROUNDING):
                faults.append(f"game {game['game']}, move {shown['number']}, {shown['san']}: {lost:.2f} lost, {mark}")
    games = len(json.loads(done.stdout))
    print(f"{games} games: {marked} of {drops} drops of 20 or more are marked; {marks} marks, {len(faults)} faults")
    sys.exit("\n".join(faults) if faults else 0)


if __name__ == "__main__":
    main()
