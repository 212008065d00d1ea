#!/usr/bin/env python3
"""Measures how long an engine takes from `stop` to `bestmove`. Run it on a quiet machine.

usage: stop.py ENGINE [--count N] [--seed N]

It sends `stop` at random moments of searches of random positions, for 1, 2 and 4 threads and tables of 16 and 1024 MiB.
Needs python-chess.
"""

import argparse
import random
import subprocess
import time

import chess

# An answer that takes longer is late.
LATE_MS = 15


class Engine:
    """A UCI engine over pipes."""

    def __init__(self, path, **options):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        for name, value in options.items():
            self.send(f"setoption name {name} value {value}")
        self.send("isready")
        self.wait_for("readyok")

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def wait_for(self, word):
        for line in self.process.stdout:
            if line.startswith(word):
                return
        raise EOFError(f"the engine ended before `{word}`")

    def quit(self):
        self.send("quit")
        self.process.wait()


def random_position(rng):
    """A position after 8 to 40 random moves in which the game goes on."""
    while True:
        board = chess.Board()
        for _ in range(rng.randint(8, 40)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        if not board.is_game_over():
            return board.fen()


def milliseconds_to_stop(engine, rng):
    engine.send(f"position fen {random_position(rng)}")
    engine.send("go infinite")
    time.sleep(rng.uniform(0.005, 0.06))
    start = time.perf_counter()
    engine.send("stop")
    engine.wait_for("bestmove")
    return 1000 * (time.perf_counter() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    for threads in (1, 2, 4):
        for size in (16, 1024):
            engine = Engine(args.engine, Threads=threads, Hash=size)
            delays = sorted(milliseconds_to_stop(engine, rng) for _ in range(args.count))
            engine.quit()
            late = sum(delay > LATE_MS for delay in delays)
            print(
                f"threads {threads}, hash {size:4}: {late} of {len(delays)} over {LATE_MS} ms; median "
                f"{delays[len(delays) // 2]:.1f}, 99 % {delays[len(delays) * 99 // 100]:.1f}, worst {delays[-1]:.1f} ms",
                flush=True,
            )


if __name__ == "__main__":
    main()
