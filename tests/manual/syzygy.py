#!/usr/bin/env python3
"""Lets an engine with endgame tables play out positions against a perfect opponent, refereed by python-chess.

usage: syzygy.py ENGINE TABLES EPD... [--nodes N] [--without] [--every N]

From each position in the tables the engine plays the side that stands better, or the side to move in a draw. The opponent
uses the same tables. If it is losing, it plays the move with the longest distance; in a draw, the drawing move that
leaves the engine the fewest drawing moves. A result is right if a won game ends in mate and a drawn one is not lost.
`--without` gives the engine no tables, for comparison.
"""

import argparse
import os
import random
import subprocess
import sys

import chess
import chess.syzygy

# A draw is played out for this many plies, because the fifty-move rule would then end the game.
LONGEST_DRAW = 100


class Engine:
    def __init__(self, path, tables, nodes):
        self.nodes = nodes
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, encoding="utf-8"
        )
        self.notes = []
        if tables:
            self.send(f"setoption name SyzygyPath value {tables}")
        self.ready()

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def until(self, word):
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip("\n"))
            if lines[-1].startswith(word):
                return lines
        raise SystemExit("the engine has ended")

    def ready(self):
        self.send("isready")
        self.notes += [line for line in self.until("readyok") if line.startswith("info string")]

    def move(self, start, moves):
        played = " moves " + " ".join(move.uci() for move in moves) if moves else ""
        self.send(f"position fen {start}{played}")
        self.send(f"go nodes {self.nodes}")
        lines = self.until("bestmove")
        last = [line for line in lines if " pv " in line][-1]
        return chess.Move.from_uci(lines[-1].split()[1]), last


def result(tables, board):
    """Returns 1, 0 or -1 for the side to move, including the fifty-move counter."""
    dtz = tables.probe_dtz(board)
    if dtz == 0 or abs(dtz) + board.halfmove_clock > 100:
        return 0
    return 1 if dtz > 0 else -1


def after(board, move, function):
    board.push(move)
    try:
        return function(board)
    finally:
        board.pop()


def value_after(tables, board, move):
    """Returns the result of the mover after `move`: 1, 0 or -1."""

    def value(board):
        if board.is_checkmate():
            return 1
        if board.is_stalemate() or board.is_insufficient_material() or board.is_repetition(3):
            return 0
        return -result(tables, board)

    return after(board, move, value)


def opponents_move(tables, board, chance):
    moves = list(board.legal_moves)
    chance.shuffle(moves)
    if result(tables, board) < 0:
        # The longest distance; a capture or pawn move begins a new count.
        distance = lambda board: 999 if board.is_checkmate() else tables.probe_dtz(board)
        zeroing = lambda move: after(board, move, lambda board: board.halfmove_clock == 0)
        return max(moves, key=lambda move: (value_after(tables, board, move), not zeroing(move), after(board, move, distance)))
    holding = [move for move in moves if value_after(tables, board, move) == 0]

    def ways_out(board):
        if board.is_game_over(claim_draw=False):
            return 999
        return sum(value_after(tables, board, move) >= 0 for move in board.legal_moves)

    return min(holding, key=lambda move: after(board, move, ways_out))


def play(engine, tables, board, chance):
    """Returns None if the result is right, otherwise the error."""
    expected = result(tables, board)
    side = board.turn if expected >= 0 else not board.turn
    expected = abs(expected)
    start, moves = board.fen(), []
    engine.send("ucinewgame")
    while True:
        if board.is_checkmate():
            if board.turn == side:
                return "it was mated"
            return None
        drawn = board.is_stalemate() or board.is_insufficient_material() or board.is_repetition(3)
        if drawn or board.halfmove_clock >= 100:
            return None if expected == 0 else f"a win ended as a draw after {len(moves)} plies: {board.fen()}"
        if expected == 0 and len(moves) >= LONGEST_DRAW:
            return None
        if board.turn == side:
            move, info = engine.move(start, moves)
            if move not in board.legal_moves:
                return f"the illegal move {move}"
            if value_after(tables, board, move) < expected:
                return f"{move} gives it away in {board.fen()} ({info})"
        else:
            move = opponents_move(tables, board, chance)
        board.push(move)
        moves.append(move)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("tables")
    parser.add_argument("epd", nargs="+")
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--without", action="store_true")
    parser.add_argument("--every", type=int, default=1, help="only every N-th position")
    arguments = parser.parse_args()
    engine = Engine(arguments.engine, None if arguments.without else arguments.tables, arguments.nodes)
    for note in engine.notes:
        print(note)
    chance = random.Random(1)
    faults = 0
    with chess.syzygy.open_tablebase(arguments.tables) as tables:
        for path in arguments.epd:
            played = right = 0
            with open(path, encoding="utf-8") as lines:
                rows = [line for line in lines if line.strip() and not line.startswith("#")]
            for row in rows[:: arguments.every]:
                board, operations = chess.Board.from_epd(row)
                if chess.popcount(board.occupied) > 4 or board.castling_rights or board.is_game_over():
                    continue
                fen = board.fen()
                played += 1
                wrong = play(engine, tables, board, chance)
                right += wrong is None
                if wrong:
                    print(f"{operations.get('id', fen)}: {wrong}", flush=True)
            faults += played - right
            print(f"{os.path.basename(path)}: {right} of {played} right", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
