#!/usr/bin/env python3
"""Measures how an engine answers. Run it by hand on a quiet machine: see docs/testing.md.

usage: measure.py stop ENGINE [--count N] [--seed S]
       measure.py mates ENGINE SUITE... [--draw N] [--seed S]
       measure.py answers ENGINE [--count N] [--seed S]

stop      sends `stop` at a random moment of a search, and reports the time to `bestmove`, for 1, 2 and 4 threads with
          tables of 16 and 1024 MiB.
mates     searches the positions of EPD suites with `dm` (moves to mate) of 3 or less for 60 ms with 4 threads, and
          counts those where a mating move with the exact distance is the answer. `--draw` takes N positions at random.
answers   searches random positions for 60 ms with 4 threads, and counts those where the best move is the first move of
          the last reported line.

Needs python-chess.
"""

import argparse
import random
import subprocess
import time

import chess

MOVETIME = "go movetime 60"
# A stop that takes longer is late.
LATE_MS = 15


class Engine:
    """A UCI engine over pipes."""

    def __init__(self, path, **options):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        for name, value in options.items():
            self.send(f"setoption name {name} value {value}")
        self.ready()

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def until(self, word):
        """The lines up to the first that begins with `word`, which is the last."""
        lines = []
        while not lines or not lines[-1].startswith(word):
            line = self.process.stdout.readline()
            if not line:
                raise EOFError(f"the engine ended before `{word}`")
            lines.append(line.strip())
        return lines

    def ready(self):
        self.send("isready")
        self.until("readyok")

    def search(self, fen):
        """Searches a position from nothing, and returns the last reported line and the best move."""
        self.send("ucinewgame")
        self.ready()
        self.send(f"position fen {fen}")
        self.send(MOVETIME)
        *infos, best = self.until("bestmove")
        lines = [info.split() for info in infos if " pv " in info]
        return lines[-1], best.split()[1]

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


def measure_stop(args, rng):
    for threads in (1, 2, 4):
        for size in (16, 1024):
            engine = Engine(args.engine, Threads=threads, Hash=size)
            delays = []
            for _ in range(args.count):
                engine.send(f"position fen {random_position(rng)}")
                engine.send("go infinite")
                time.sleep(rng.uniform(0.005, 0.06))
                start = time.perf_counter()
                engine.send("stop")
                engine.until("bestmove")
                delays.append(1000 * (time.perf_counter() - start))
            engine.quit()
            delays.sort()
            late = sum(delay > LATE_MS for delay in delays)
            print(
                f"threads {threads}, hash {size:4}: {late} of {len(delays)} over {LATE_MS} ms; median "
                f"{delays[len(delays) // 2]:.1f}, 99 % {delays[len(delays) * 99 // 100]:.1f}, worst {delays[-1]:.1f} ms",
                flush=True,
            )


def measure_mates(args, rng):
    positions = []
    for path in args.suites:
        with open(path, encoding="utf-8") as suite:
            for line in filter(str.strip, suite):
                board, operations = chess.Board.from_epd(line)
                if 0 < operations.get("dm", 4) <= 3 and "bm" in operations:
                    positions.append((board.fen(), operations["dm"], operations["bm"]))
    if args.draw:
        positions = rng.sample(positions, args.draw)
    engine = Engine(args.engine, Threads=4)
    found = 0
    for fen, distance, keys in positions:
        line, best = engine.search(fen)
        score = line[line.index("score") + 1 :][:2]
        if score == ["mate", str(distance)] and chess.Move.from_uci(best) in keys:
            found += 1
        else:
            print(f"missed: {fen}: mate in {distance}, got {' '.join(score)} {best}", flush=True)
    engine.quit()
    print(f"mates: {found} of {len(positions)}")


def measure_answers(args, rng):
    engine = Engine(args.engine, Threads=4)
    equal = 0
    for _ in range(args.count):
        fen = random_position(rng)
        line, best = engine.search(fen)
        if line[line.index("pv") + 1] == best:
            equal += 1
        else:
            print(f"{fen}: last line {' '.join(line)}, best move {best}", flush=True)
    engine.quit()
    print(f"answers: {equal} of {args.count} begin the last line")


def main():
    parser = argparse.ArgumentParser(description="Measures how an engine answers.")
    kinds = parser.add_subparsers(required=True)
    for name, measure in (("stop", measure_stop), ("mates", measure_mates), ("answers", measure_answers)):
        kind = kinds.add_parser(name)
        kind.set_defaults(measure=measure)
        kind.add_argument("engine")
        if measure is measure_mates:
            kind.add_argument("suites", nargs="+")
            kind.add_argument("--draw", type=int)
        else:
            kind.add_argument("--count", type=int, default=200)
        kind.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    args.measure(args, random.Random(args.seed))


if __name__ == "__main__":
    main()
