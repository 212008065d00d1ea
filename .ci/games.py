#!/usr/bin/env python3
"""Lets an engine play whole games under the control of python-chess and fails at the first fault.

usage: games.py ENGINE [--seed N]

Four games: against itself and against a random mover, in standard chess and in Chess960. A fault is an illegal move, an
info line with an unknown or ill-formed word, a pv that is not legal from the current position, a last info line that is
not exact or does not begin with the best move, a missing or second bestmove, or a clock that runs out.
"""

import argparse
import queue
import random
import subprocess
import sys
import threading
import time

import chess

BASE_SECONDS = 6.0
INCREMENT_SECONDS = 0.2
# The delay that a busy machine may cause between the two processes; a tournament would allow a few hundredths.
MARGIN_SECONDS = 0.5
MAX_PLIES = 500
PATIENCE_SECONDS = 30.0
NUMBERS = {"depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time", "currmovenumber"}


class Fault(Exception):
    """The engine broke the protocol or the rules."""


class Engine:
    """An engine process; every wait has a time limit."""

    def __init__(self, path, chess960):
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, encoding="utf-8"
        )
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.send("uci")
        self.until("uciok")
        self.send(f"setoption name UCI_Chess960 value {str(chess960).lower()}")
        self.send("setoption name UCI_ShowWDL value true")
        self.send("ucinewgame")
        self.expect_ready()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def until(self, word):
        """Returns all lines up to and including the first that begins with `word`."""
        lines = []
        while True:
            try:
                line = self.lines.get(timeout=PATIENCE_SECONDS)
            except queue.Empty:
                raise Fault(f"`{word}` never came; the last lines were {lines[-3:]}") from None
            if line is None:
                raise Fault(f"the engine ended while `{word}` was expected")
            lines.append(line)
            if line.split(" ")[0] == word:
                return lines

    def expect_ready(self):
        self.send("isready")
        unexpected = self.until("readyok")[:-1]
        if unexpected:
            raise Fault(f"said out of turn: {unexpected}")

    def move(self, board, start, clocks):
        """Returns the engine's move in `board`, after checking all its output."""
        # `board.uci` would take an earlier move for castling where the king of the current position stands.
        moves = " ".join(move.uci() for move in board.move_stack)
        self.expect_ready()
        self.send(f"position fen {start} moves {moves}".rstrip(" "))
        white, black = (max(0, int(clocks[color] * 1000)) for color in chess.COLORS)
        increment = int(INCREMENT_SECONDS * 1000)
        self.send(f"go wtime {white} btime {black} winc {increment} binc {increment}")
        began = time.monotonic()
        lines = self.until("bestmove")
        spent = time.monotonic() - began
        best = check_answer(board, lines)
        self.expect_ready()
        return best, spent

    def quit(self):
        self.send("quit")
        if self.process.wait(PATIENCE_SECONDS) != 0:
            raise Fault(f"exit code {self.process.returncode}")


def check_answer(board, lines):
    """Checks all output of one search and returns the move played."""
    last_pv, last_line = None, ""
    for line in lines[:-1]:
        pv = check_info(board, line)
        if pv:
            last_pv, last_line = pv, line
    words = lines[-1].split(" ")
    if not (len(words) == 2 or (len(words) == 4 and words[2] == "ponder")):
        raise Fault(f"ill-formed: {lines[-1]}")
    played = check_line(board, words[1:4:2], lines[-1])
    if last_pv is None:
        raise Fault("no info line with a pv before the best move")
    if last_pv[0] != played[0]:
        raise Fault(f"the last info line does not belong to the best move: {last_line} / {lines[-1]}")
    return played[0]


def check_info(board, line):
    """Checks one info line word by word and returns its pv, if it has one."""
    words = iter(line.split(" "))
    if next(words) != "info":
        raise Fault(f"neither info nor bestmove: {line}")
    for word in words:
        if word in NUMBERS:
            whole_number(next(words, ""), line)
        elif word == "score":
            if next(words, "") not in ("cp", "mate"):
                raise Fault(f"ill-formed score: {line}")
            whole_number(next(words, ""), line, signed=True)
        elif word in ("lowerbound", "upperbound"):
            continue
        elif word == "wdl":
            if sum(whole_number(next(words, ""), line) for _ in range(3)) != 1000:
                raise Fault(f"chances that do not add up: {line}")
        elif word == "currmove":
            check_line(board, [next(words, "")], line)
        elif word == "pv":
            return check_line(board, list(words), line)
        else:
            raise Fault(f"unexpected word `{word}`: {line}")
    return None


def whole_number(text, line, signed=False):
    if not (text[1:] if signed and text.startswith("-") else text).isdecimal():
        raise Fault(f"expected a whole number, got `{text}`: {line}")
    return int(text)


def check_line(board, words, line):
    """Plays `words` from `board` and returns the moves; every one must be legal and in the variant's notation."""
    board = board.copy(stack=False)
    moves = []
    for word in words:
        try:
            move = board.parse_uci(word)
        except ValueError as error:
            raise Fault(f"{error} in {board.fen()}: {line}") from None
        if board.uci(move, chess960=board.chess960) != word:
            raise Fault(f"`{word}` is written wrong: {line}")
        board.push(move)
        moves.append(move)
    if not moves:
        raise Fault(f"no moves: {line}")
    return moves


def play(path, chess960, against_random, rng):
    """Plays one game and returns the final board and the least time left on the engine's clock."""
    board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
    board.chess960 = chess960
    start = board.fen()
    players = [Engine(path, chess960), None if against_random else Engine(path, chess960)]
    if rng.random() < 0.5:
        players.reverse()
    clocks = {chess.WHITE: BASE_SECONDS, chess.BLACK: BASE_SECONDS}
    least = BASE_SECONDS
    while not board.is_game_over(claim_draw=True) and board.ply() < MAX_PLIES:
        player = players[0 if board.turn == chess.WHITE else 1]
        if player is None:
            board.push(rng.choice(list(board.legal_moves)))
            continue
        move, spent = player.move(board, start, clocks)
        clocks[board.turn] -= spent
        least = min(least, clocks[board.turn])
        if clocks[board.turn] < -MARGIN_SECONDS:
            raise Fault(f"{-clocks[board.turn]:.3f} s late after thinking {spent:.3f} s in {board.fen()}")
        clocks[board.turn] = max(0.0, clocks[board.turn]) + INCREMENT_SECONDS
        board.push(move)
    for player in players:
        if player is not None:
            player.quit()
    return board, least


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    args = parser.parse_args()
    rng = random.Random(args.seed)
    print(f"seed {args.seed}")
    for chess960 in (False, True):
        for against_random in (False, True):
            name = f"{'Chess960' if chess960 else 'standard'}, against {'a random mover' if against_random else 'itself'}"
            try:
                board, least = play(args.engine, chess960, against_random, rng)
            except Fault as fault:
                sys.exit(f"{name}: {fault}")
            outcome = board.outcome(claim_draw=True)
            ending = f"{outcome.result()} by {outcome.termination.name.lower()}" if outcome else "unfinished"
            print(f"{name}: {ending} after {board.ply()} plies, least time left {least:.2f} s", flush=True)


if __name__ == "__main__":
    main()
