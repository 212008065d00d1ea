#!/usr/bin/env python3
"""Uses an engine as a client written with python-chess does: through its module `chess.engine`.

usage: client.py ENGINE

games.py checks every word of the engine's output. This script checks what a client needs: options, pondering, several
lines, Chess960, an analysis that is stopped and begun again, engines that are started again, and a command during a
search. python-chess logs what it cannot interpret; every such line is a fault.
"""

import argparse
import asyncio
import logging
import sys
import time

import chess
import chess.engine

# The time a busy machine may need for an immediate answer.
PATIENCE_SECONDS = 10.0


def opened(path):
    return chess.engine.SimpleEngine.popen_uci(path, timeout=PATIENCE_SECONDS)


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def options(path):
    """The options that clients set exist and accept the clients' values."""
    with opened(path) as engine:
        engine.configure({"Threads": 2, "Hash": 32, "Move Overhead": 50, "UCI_ShowWDL": True})
        info = engine.analyse(chess.Board(), chess.engine.Limit(nodes=5000))
        check(info["wdl"].relative.total() == 1000, f"wdl: {info}")
        engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 1500})
        check(engine.play(chess.Board(), chess.engine.Limit(nodes=5000)).move, "a move of limited strength")
        try:
            engine.configure({"Hash": 0})
        except chess.engine.EngineError:
            return
        raise AssertionError("python-chess does not know the range of Hash")


def pondering(path):
    """A game in which both engines ponder: hits, and misses that are stopped."""
    board, hits, misses = chess.Board(), 0, 0
    clocks = {chess.WHITE: 4.0, chess.BLACK: 4.0}
    with opened(path) as white, opened(path) as black:
        guess = {chess.WHITE: None, chess.BLACK: None}
        for ply in range(60):
            if board.is_game_over(claim_draw=True):
                break
            limit = chess.engine.Limit(
                white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK], white_inc=0.05, black_inc=0.05
            )
            if ply % 5 == 4:  # an unexpected move, so that pondering is stopped
                move = list(board.legal_moves)[-1]
                guess[board.turn] = None
            else:
                began = time.monotonic()
                result = (white if board.turn == chess.WHITE else black).play(board, limit, ponder=True)
                clocks[board.turn] += 0.05 - (time.monotonic() - began)
                check(clocks[board.turn] > -PATIENCE_SECONDS, f"time ran out at ply {ply}")
                move = result.move
                guess[board.turn] = result.ponder
            expected = guess[not board.turn]
            hits += expected == move
            misses += expected is not None and expected != move
            board.push(move)
    check(hits > 0 and misses > 0, f"{hits} hits, {misses} misses of pondering")
    return f"{hits} hits, {misses} misses in {board.ply()} plies"


def several_lines(path):
    """As many lines as requested, each with a different first move, best first; all moves if there are fewer."""
    with opened(path) as engine:
        for fen, wanted in [(chess.STARTING_FEN, 5), ("7k/8/8/8/8/1r6/8/7K w - - 0 1", 8)]:
            board = chess.Board(fen)
            lines = engine.analyse(board, chess.engine.Limit(depth=8), multipv=wanted)
            expected = min(wanted, board.legal_moves.count())
            check(len(lines) == expected, f"{fen}: expected {expected} lines, got {len(lines)}")
            check(len({line["pv"][0] for line in lines}) == expected, f"{fen}: two lines with one move")
            scores = [line["score"].relative for line in lines]
            check(scores == sorted(scores, reverse=True), f"{fen}: not the best first: {scores}")
        board = chess.Board()
        roots = [board.parse_san("a4"), board.parse_san("h4")]
        lines = engine.analyse(board, chess.engine.Limit(depth=6), multipv=3, root_moves=roots)
        check({line["pv"][0] for line in lines} == set(roots), f"root moves: {lines}")


def chess960(path):
    """Games from starting positions in which castling looks like a king move outside Chess960."""
    plies = 0
    with opened(path) as engine:
        for number in (0, 518, 959):
            board = chess.Board.from_chess960_pos(number)
            while not board.is_game_over(claim_draw=True) and board.ply() < 80:
                board.push(engine.play(board, chess.engine.Limit(nodes=1000)).move)
                plies += 1
        # White can only castle or lose the rook, so king takes rook is the move.
        board = chess.Board("4k3/8/8/8/8/8/8/RK6 w Q - 0 1", chess960=True)
        castling = board.parse_san("O-O-O")
        played = engine.play(board, chess.engine.Limit(depth=1), root_moves=[castling]).move
        check(played == castling, f"expected {castling}, got {played}")
    return f"{plies} plies"


def stopping(path):
    """Infinite analyses are stopped, and each is followed by one of another position."""
    with opened(path) as engine:
        board = chess.Board()
        for _ in range(20):
            with engine.analysis(board, multipv=2) as analysis:
                for info in analysis:
                    if info.get("depth", 0) >= 4:
                        break
            began = time.monotonic()
            best = analysis.wait().move
            check(time.monotonic() - began < PATIENCE_SECONDS and best in board.legal_moves, f"stopped: {best}")
            board.push(best)
        engine.ping()


def starting_again(path):
    """The engine is started and ended repeatedly, also during a search."""
    for _ in range(10):
        engine = opened(path)
        engine.analysis(chess.Board())
        engine.quit()
    with opened(path) as engine:
        check(engine.play(chess.Board(), chess.engine.Limit(time=0.05), game=object()).move, "a first game")
        check(engine.play(chess.Board(), chess.engine.Limit(time=0.05), game=object()).move, "a second game")


async def impatience(path):
    """A command during a search ends it, and is answered."""
    transport, engine = await chess.engine.popen_uci(path)
    search = asyncio.create_task(engine.play(chess.Board(), chess.engine.Limit(depth=100)))
    await asyncio.sleep(0.2)
    found = await asyncio.wait_for(engine.play(chess.Board(), chess.engine.Limit(depth=4)), PATIENCE_SECONDS)
    check(found.move, "a move")
    search.cancel()
    await asyncio.wait_for(engine.quit(), PATIENCE_SECONDS)
    check(transport.get_returncode() == 0, f"exit code {transport.get_returncode()}")


class Messages(logging.Handler):
    """Collects the log messages of python-chess."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine")
    path = parser.parse_args().engine
    messages = Messages()
    logging.getLogger("chess.engine").addHandler(messages)
    for part in (options, pondering, several_lines, chess960, stopping, starting_again, impatience):
        try:
            said = asyncio.run(part(path)) if asyncio.iscoroutinefunction(part) else part(path)
        except (AssertionError, chess.engine.EngineError, asyncio.TimeoutError) as fault:
            sys.exit(f"{part.__name__}: {fault or type(fault).__name__}")
        if messages.lines:
            sys.exit(f"{part.__name__}: python-chess reports: {messages.lines[0]}")
        print(f"{part.__name__.replace('_', ' ')}: {said or 'as it should be'}", flush=True)


if __name__ == "__main__":
    main()
