#!/usr/bin/env python3
"""Compares the PGN that ZUGWERK writes with python-chess and fails at the first difference.

usage: pgn.py ENGINE [--games N] [--matches N] [--seed N]

First random games with tags, glyphs, comments, null moves and nested variations are analysed; the annotated games must
contain all of it. Accuracies must be those that Lichess would reckon from the values in the games. Then a match is played at a fixed number of nodes; python-chess must read every game without an error,
and the result must be that of the last position.
"""

import argparse
import math
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

import chess
import chess.pgn

WORDS = "a good plan was % ; $3 (or so) [%csl Ga1] 12. Nf3!? {not this } \"quoted\" über 1-0 * --".split(" ")


class Difference(Exception):
    """Something was lost, or is wrong."""


def random_comment(rng):
    words = rng.choices(WORDS, k=rng.randint(1, 20))
    return " ".join(words).replace("}", "").strip() or "x"


def annotate(node, rng):
    if rng.random() < 0.3:
        node.comment = random_comment(rng)
    while rng.random() < 0.2:
        node.nags.add(rng.choice([1, 2, 3, 4, 5, 6, 10, 14, 36, 140, 146, 220]))


def extend(node, board, plies, depth, rng):
    """Adds random moves after `node`, whose position is `board`, with variations while `depth` is positive."""
    for _ in range(plies):
        if board.is_game_over(claim_draw=True):
            return
        moves = list(board.legal_moves)
        rng.shuffle(moves)
        if rng.random() < 0.03 and not board.is_check():
            moves.insert(0, chess.Move.null())
        child = node.add_variation(moves[0])
        annotate(child, rng)
        if depth > 0:
            for alternative in moves[1 : 1 + rng.choice([0, 0, 0, 0, 0, 1, 2])]:
                starting_comment = random_comment(rng) if rng.random() < 0.3 else ""
                other = node.add_variation(alternative, starting_comment=starting_comment)
                annotate(other, rng)
                after = board.copy()
                after.push(alternative)
                extend(other, after, rng.randint(0, 6), depth - 1, rng)
        node = child
        board.push(child.move)


def random_game(number, rng):
    game = chess.pgn.Game()
    if rng.random() < 0.2:
        board = chess.Board.from_chess960_pos(rng.randrange(960))
        game.setup(board)
        game.headers["Variant"] = "Chess960"
    elif rng.random() < 0.2:
        board = chess.Board()
        for _ in range(rng.randint(1, 30)):
            if board.is_game_over():
                break
            board.push(rng.choice(list(board.legal_moves)))
        if board.is_game_over():
            board = chess.Board()
        # (python-chess also takes 0000 within a number for a null move.)
        board.fullmove_number = rng.choice([1, 40, 1_234_567_890])
        game.setup(board)
    game.headers["Event"] = f"game {number}"
    game.headers["White"] = 'backslashes \\\\ and \\"quotes\\"'
    game.headers["Own"] = "Ääß"
    game.headers["Result"] = rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
    if rng.random() < 0.3:
        game.comment = random_comment(rng)
    extend(game, game.board(), rng.randint(1, 50), 2, rng)
    return game


def plain(text):
    return " ".join(text.split())


def expect(holds, what, node):
    if not holds:
        raise Difference(f"{what} at ply {node.ply()} of \"{node.game().headers['Event']}\"")


def compare(before, after):
    """Fails unless `after` contains everything in `before`."""
    expect(plain(before.comment) in plain(after.comment), f"lost: {{{plain(before.comment)}}}", before)
    starting = plain(before.starting_comment), plain(after.starting_comment)
    expect(starting[0] == starting[1], f"lost: {{{starting[0]}}}", before)
    expect(before.nags <= after.nags, f"lost: {before.nags - after.nags}", before)
    moves = [child.move for child in before.variations], [child.move for child in after.variations]
    expect(moves[0] == moves[1][: len(moves[0])], f"expected the moves {moves[0]}, got {moves[1]}", before)
    for child, other in zip(before.variations, after.variations):
        compare(child, other)


def read(path):
    with open(path, encoding="utf-8") as file:
        while game := chess.pgn.read_game(file):
            if game.errors:
                raise Difference(f"python-chess cannot read \"{game.headers['Event']}\": {game.errors}")
            yield game


def run(*command):
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Difference(f"exit code {done.returncode}: {done.stderr[-500:]}")


def check_analysis(engine, folder, count, rng):
    source, annotated = folder / "random.pgn", folder / "annotated.pgn"
    games = [random_game(number, rng) for number in range(count)]
    source.write_text("".join(f"{game}\n\n" for game in games), encoding="utf-8")
    run(engine, "analyse", source, "-o", annotated, "--nodes", "1", "--hash", "1")
    # python-chess joins comments that were written separately.
    sides = list(read(source)), list(read(annotated))
    if [len(side) for side in sides] != [count, count]:
        raise Difference(f"expected {count} games, got {[len(side) for side in sides]}")
    nodes = 0
    for before, after in zip(*sides):
        for name, value in before.headers.items():
            expect(after.headers.get(name) == value, f"{name} was {value}, is {after.headers.get(name)}", before)
        compare(before, after)
        nodes += str(before).count(" ")
    print(f"{count} random games analysed: nothing is lost of {nodes} words")


def accuracies(game):
    """The accuracies of White and Black, reckoned as in the source of Lichess from the values in the comments."""
    nodes = [node for node in game.mainline() if not node.board().is_checkmate()]
    values = [15] + [node.eval().white().score(mate_score=10**6) if node.eval() else 0 for node in nodes]
    percents = [100 / (1 + math.exp(-0.00368208 * max(-1000, min(1000, value)))) for value in values]
    size = min(max(len(nodes) // 10, 2), 8)
    windows = [percents[:size]] * (min(size, len(percents)) - 2)
    windows += [percents[begin : begin + size] for begin in range(len(percents) - size + 1)]
    sides = {chess.WHITE: [], chess.BLACK: []}
    for node, before, after, window in zip(nodes, percents, percents[1:], windows):
        side = not node.turn()
        lost = before - after if side == chess.WHITE else after - before
        accuracy = 100 if lost <= 0 else min(max(103.1668 * math.exp(-0.04354 * lost) - 3.1669 + 1, 0), 100)
        if node.move != chess.Move.null():
            sides[side].append((accuracy, min(max(statistics.pstdev(window), 0.5), 12)))
    for moves in sides.values():
        weighted = sum(accuracy * weight for accuracy, weight in moves) / sum(weight for _, weight in moves)
        yield (weighted + len(moves) / sum(1 / max(accuracy, 1) for accuracy, _ in moves)) / 2


def check_accuracies(engine, folder, count, rng):
    source, annotated = folder / "plain.pgn", folder / "judged.pgn"
    games = [chess.pgn.Game() for _ in range(count)]
    for number, game in enumerate(games):
        game.headers["Event"] = f"game {number}"
        extend(game, game.board(), rng.randint(4, 200), 0, rng)
    source.write_text("".join(f"{game}\n\n" for game in games), encoding="utf-8")
    run(engine, "analyse", source, "-o", annotated, "--nodes", "500", "--hash", "1")
    for game in read(annotated):
        written = [game.headers[f"{side}Accuracy"] for side in ("White", "Black")]
        reckoned = list(accuracies(game))
        fits = all(abs(float(text) - accuracy) < 0.0501 for text, accuracy in zip(written, reckoned))
        expect(fits, f"accuracies {written}, expected {reckoned}", game)
    print(f"{count} games: accuracies as on Lichess")


def check_match(engine, folder, count):
    path = folder / "match.pgn"
    players = [word for name in "AB" for word in ("--engine", f"self,name={name}")]
    run(engine, "match", *players, "--each", "nodes=100,option.Hash=1", "--games", str(count), "--pgn", path)
    ends = {}
    for number, game in enumerate(read(path), 1):
        board = game.end().board()
        outcome = board.outcome(claim_draw=False) or board.outcome(claim_draw=True)
        if outcome is None or outcome.result() != game.headers["Result"]:
            raise Difference(f"game {number}: {game.headers['Result']}, but python-chess says {outcome}")
        name = outcome.termination.name.lower()
        ends[name] = ends.get(name, 0) + 1
    if sum(ends.values()) != count:
        raise Difference(f"expected {count} games, got {sum(ends.values())}")
    print(f"{count} games of a match: {', '.join(f'{n} {name}' for name, n in sorted(ends.items()))}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine")
    parser.add_argument("--games", type=int, default=1000, help="random games to analyse")
    parser.add_argument("--matches", type=int, default=400, help="games of the match")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    args = parser.parse_args()
    print(f"seed {args.seed}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        try:
            check_analysis(args.engine, folder, args.games, random.Random(args.seed))
            check_accuracies(args.engine, folder, 20, random.Random(args.seed))
            check_match(args.engine, folder, args.matches)
        except Difference as difference:
            sys.exit(f"{difference}")


if __name__ == "__main__":
    main()
