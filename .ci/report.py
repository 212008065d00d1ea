#!/usr/bin/env python3
"""Tests the report of `ZUGWERK analyse --html` in a headless Chromium and fails at the first fault.

usage: report.py [--pictures FOLDER] ENGINE

With --pictures it saves screenshots of the page at three widths in both themes.
"""

import json
import pathlib
import random
import re
import shlex
import time

import chess

from browser import expect, expect_in_sight, expect_to_fit, main, open_file, page_of, photographs, run, without_name

EVIL = "<!--<script>alert(1)</script><img src=x onerror=alert(2)>' onclick=alert(3)"
# Morphy's game at the opera (Paris 1858), with clock readings and a variation of our own.
OPERA = """[Event "Opera"]
[Site "https://lichess.org/study"]
[Date "1858.11.02"]
[White "Morphy"]
[Black "Duke Karl, Count Isouard"]
[Result "1-0"]
[TimeControl "600+2"]

1. e4 {[%clk 0:09:58]} e5 {[%clk 0:09:59]} 2. Nf3 {[%clk 0:09:57]} d6 {[%clk 0:09:50]} 3. d4 {[%clk 0:09:55]}
Bg4 $6 {[%clk 0:09:20] It costs a bishop.} (3... exd4 4. Nxd4 (4. Qxd4 Nc6) Nf6) 4. dxe5 {[%clk 0:09:50]} Bxf3
{[%clk 0:09:10]} 5. Qxf3 {[%clk 0:09:48]} dxe5 {[%clk 0:09:08]} 6. Bc4 {[%clk 0:09:40]} Nf6 {[%clk 0:08:40]}
7. Qb3 {[%clk 0:09:20]} Qe7 {[%clk 0:08:00]} 8. Nc3 {[%clk 0:08:20]} c6 {[%clk 0:07:40]} 9. Bg5 {[%clk 0:08:00]}
b5 {[%clk 0:07:00]} 10. Nxb5 {[%clk 0:07:10]} cxb5 {[%clk 0:06:50]} 11. Bxb5+ {[%clk 0:07:08]} Nbd7
{[%clk 0:06:00]} 12. O-O-O {[%clk 0:07:00]} Rd8 {[%clk 0:05:00]} 13. Rxd7 {[%clk 0:06:40]} Rxd7 {[%clk 0:04:50]}
14. Rd1 {[%clk 0:06:30]} Qe6 {[%clk 0:03:00]} 15. Bxd7+ {[%clk 0:06:00]} Nxd7 {[%clk 0:02:50]} 16. Qb8+
{[%clk 0:05:50]} Nxb8 {[%clk 0:02:48]} 17. Rd8# {[%clk 0:05:49]} 1-0

"""

# Both sides miss captures and mates.
PATZERS = """[White "A"]
[WhiteElo "1234"]

{[%csl Gd4]} 1. e4 {[%cal Re4e5,Gd2d4][%csl Yc3]} e5 2. Qh5 Ke7 3. Qg5+ f6 4. Qg3 Nc6 5. Nf3 d6 6. Nxe5 Bh3 7. Nxc6+ bxc6 8. Qxh3 Qd7 9. Qxd7+ Kxd7 1-0

"""
# A game of a match of engines, and a game that cannot be read.
MATCH = """[White "First"]
[Black "Second"]

1. e4 {+0.30/9 1.5s} e5 {-0.25/8 0.5s} 2. Nf3 {+0.35/9 2.5s} Nc6 {-0.30/8 0.02s} 3. Bb5 {+0.40/9 1s} a6 {-0.20/8 1s} 1/2-1/2

[White "Nobody"]
[FEN "no position"]

1. e4 *

"""
# Black begins, and White promotes a pawn and takes a knight.
ENDGAME = """[SetUp "1"]
[FEN "8/4P3/8/8/8/6n1/k6K/8 b - - 3 40"]

40... Ne2 41. e8=Q Ka3 42. Qxe2 *

"""

# A game that Lichess has analysed, with another sign than ours. White sacrifices the queen rightly.
LICHESS = """[Event "?"]

1. e4 { [%eval 0.18] } 1... e5 { [%eval 0.21] } 2. Bc4 { [%eval 0.0] } 2... Nc6 { [%eval 0.1] }
3. Qh5 { [%eval -0.3] } 3... Nf6?! { (-0.30 → Mate in 1) Checkmate is now unavoidable. g6 was best. } { [%eval #1] }
(3... g6 4. Qf3) 4. Qxf7# 1-0

[FEN "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 16"]
[SetUp "1"]

16. Qb8+ Nxb8 17. Rd8# 1-0

"""

# Where Ann plays, how it ends, and how many seconds each ply takes.
CLUB = [("Ann", "Bob", "1-0", "Normal", 0, PATZERS), ("Cid", "ann", "1-0", "Normal", 1, OPERA), ("ANN", "Bob", "0-1", "Time forfeit", 4, PATZERS),
        ("Dan", "Ann", "1/2-1/2", "Normal", 2, PATZERS)]


def club():
    """Games of Ann with both colours and in several spellings, with clock readings."""
    games = []
    for number, (white, black, result, end, seconds, game) in enumerate(CLUB, 1):
        moves = re.sub(r"\{[^}]*\}|\([^)]*\([^)]*\)[^)]*\)|\$6|\d+\.+|1-0", " ", game.split("\n\n")[1]).split()
        timed = [f"{move} {{[%clk 0:00:{max(60 - seconds * ply, 2):02}]}}" for ply, move in enumerate(moves)]
        games.append(f'[Event "Club"]\n[Date "2024.05.{number:02}"]\n[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n[WhiteElo "1450"]\n'
                     f'[BlackElo "1650"]\n[Termination "{end}"]\n\n{" ".join(timed)} {result}\n\n')
    return "".join(games)


# What was solved before is nothing to the next check.
FORGET = "if (location.protocol === 'file:') localStorage.clear()"
SIZES = [(390, 844), (820, 1180), (1280, 800)]
LAST = re.compile("^1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b")


class Game:
    """The parts of the game that the page shows."""

    def __init__(self, page):
        self.page = page
        self.shown = page.locator("section.game:not([hidden])")
        self.fen = self.shown.locator(".links input[readonly]")
        self.state = self.shown.locator(".state")
        self.slider = self.shown.locator(".chart input")

    def move(self, number):
        return self.shown.locator(f"[data-n='{number}']")

    def place(self):
        return int(self.slider.input_value())

    def data(self):
        return json.loads(self.shown.locator(".data").text_content())

    def answer(self, text):
        self.shown.locator(".try input").fill(text)
        self.shown.locator(".try button[type=submit]").click()

    def square(self, name):
        return self.shown.locator(f".board rect[data-square={name}]").last

    def tap(self, squares):
        """Moves a piece."""
        self.square(squares[:2]).click()
        self.square(squares[2:4]).click()

    def is_turned(self):
        return self.square("a1").bounding_box()["y"] < self.square("a8").bounding_box()["y"]

    def arrows(self, kind):
        return self.shown.locator(f".board .arrow.{kind}")


def san(written):
    """The SAN of a move as the page writes it."""
    return written[4:].replace("^", "")


def steps_through(page, game):
    expect(game.fen).to_have_value(re.compile("^rnbqkbnr/pppppppp/8/8/8/8/"))
    page.keyboard.press("End")
    expect(game.fen).to_have_value(LAST)
    for key, start in [("Home", "rnbqkbnr/pppppppp/8/8/8/8/"), ("ArrowRight", "rnbqkbnr/pppppppp/8/8/4P3"),
                       ("ArrowRight", "rnbqkbnr/pppp1ppp/8/4p3"), ("ArrowLeft", "rnbqkbnr/pppppppp/8/8/4P3"), ("End", "1n1Rkb1r")]:
        page.keyboard.press(key)
        expect(game.fen).to_have_value(re.compile("^" + start))
    page.keyboard.press("ArrowRight")
    expect(game.fen).to_have_value(LAST)
    expect(game.shown.locator(".board .check")).to_have_count(1)
    expect(game.shown.locator(".moves")).not_to_contain_text("#-0")
    game.move(24).click()
    expect(game.shown.locator("[aria-current]")).to_have_text(re.compile("^Rd8"))
    expect(game.slider).to_have_value("24")
    expect(game.state).to_contain_text("12... Rd8")
    square = game.shown.locator(".board rect[data-square]").first
    corner = lambda: (square.get_attribute("data-square"), square.get_attribute("y"))
    before = corner()
    page.keyboard.press("f")
    assert corner() != before, "f turns the board"
    page.keyboard.press("f")


def is_seen_at_once(page, game):
    """At 1,280 by 800 pixels board, players and chart are visible, on a phone the board beside the moves."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.evaluate("scrollTo(0, 0)")
    box = lambda place: game.shown.locator(place).bounding_box()
    assert box(".board")["width"] >= 520, box(".board")
    for place in [".player >> nth=0", ".player >> nth=1", ".chart", ".moves"]:
        one = box(place)
        assert one["y"] >= 0 and one["y"] + one["height"] <= 800, (place, one)
    expect(game.shown.locator(".player").first).to_contain_text("Duke Karl")
    page.set_viewport_size({"width": 390, "height": 844})
    for number in [2, 20, 33]:
        game.move(number).scroll_into_view_if_needed()
        game.move(number).click()
        board = box(".board")
        assert board["y"] >= 0 and board["y"] + board["height"] <= 844, (number, board)
    expect(game.shown.locator(".player").first).to_contain_text("2:48")
    page.set_viewport_size({"width": 1280, "height": 900})


def explains_mistakes(page, game):
    """The marks of the game of the patzers: sentence, badge, arrows, and lines that are played."""
    page.keyboard.press("n")
    marks = game.data()["marks"]
    assert game.place() == marks[0]["at"], "n leads to the next mark"
    mark = next(mark for mark in marks if "why" in mark and mark["fault"] != "praise")
    game.move(mark["at"]).click()
    expect(game.state).to_contain_text(mark["why"])
    expect(game.shown.locator(".verdict").first).to_contain_text("Better: ")
    expect(game.shown.locator(".board .badge")).to_have_count(1)
    expect(game.arrows(mark["fault"])).to_have_count(1)
    expect(game.arrows("best")).to_have_count(1)
    game.shown.locator(".refute").click()
    expect(game.state).to_contain_text(san(mark["refutation"].split()[0]))
    game.move(mark["at"]).click()
    game.shown.locator(".improve").click()
    expect(game.state).to_contain_text(san(game.data()["best"][mark["at"] - 1].split()[0]))
    page.keyboard.press("Home")
    expect(game.shown.locator(".board .circle.G")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(game.shown.locator(".board .circle.Y")).to_have_count(1)
    expect(game.arrows("R")).to_have_count(1)
    expect(game.shown.locator(".player").last).to_contain_text("1234")
    page.keyboard.press("End")
    expect(game.shown.locator(".player").last).to_contain_text("+")


def written(board, move):
    """The move as the page writes it."""
    rook = move.to_square if board.chess960 else {"g": chess.H1, "c": chess.A1}.get(chess.square_name(move.to_square)[0], 0) ^ (0 if board.turn else 56)
    to = rook if board.is_castling(move) else move.to_square
    text = chess.square_name(move.from_square) + chess.square_name(to) + board.san(move)
    after = board.copy(stack=False)
    after.push(move)
    return text + ("^" if after.has_legal_en_passant() else "")


def assert_moves(page, fens, chess960):
    """The script knows the legal moves of these positions."""
    for fen, shown in zip(fens, page.evaluate("fens => fens.map(legalMoves)", fens)):
        board = chess.Board(fen, chess960=chess960)
        legal = [written(board, move) for move in board.legal_moves]
        assert sorted(shown) == sorted(legal), (fen, set(shown) ^ set(legal))


def plays_by_the_rules(page):
    """The script's positions and moves are those of python-chess."""
    for chess960 in [False, True]:
        for seed in range(6):
            source = random.Random(seed)
            board = chess.Board.from_chess960_pos(source.randrange(960)) if chess960 else chess.Board()
            fens, moves, start = [board.fen()], [], board.fen()
            while not board.is_game_over() and len(moves) < 300:
                legal = list(board.legal_moves)
                if not board.is_check() and source.random() < 0.02:
                    board.push(chess.Move.null())
                    moves.append("0000--")
                    fens.append(board.fen())
                    continue
                rare = [m for m in legal if board.is_castling(m) or board.is_en_passant(m) or m.promotion]
                move = source.choice(rare or legal)
                moves.append(written(board, move))
                board.push(move)
                fens.append(board.fen())
            assert_positions(page, start, moves, fens)
            assert_moves(page, fens[seed % 3::3], chess960)
    # In Chess960 the right to castle has the letter of the file while another rook is farther outside.
    board, fens = chess.Board("3k4/8/8/8/8/8/8/RK3R2 w F - 0 1", chess960=True), []
    moves = ["a1a2Ra2", "d8c8Kc8", "a2h2Rh2", "c8d8Kd8", "h2h1Rhh1", "d8c8Kc8", "h1h3Rh3", "c8b8Kb8", "b1f1O-O"]
    for move in [None, *moves]:
        if move:
            board.push_san(san(move))
        fens.append(board.fen())
    assert_positions(page, fens[0], moves, fens)


def assert_positions(page, start, moves, fens):
    data = {"fen": start, "check": False, "line": {"moves": moves}}
    shown = page.evaluate("data => new Positions(data).all.map(one => one.fen)", data)
    assert shown == fens, next((one, other) for one, other in zip(shown, fens) if one != other)


def counts_men(page, game):
    """From a position with few men: what is not there was not taken, and a promotion is no capture."""
    expect(game.shown.locator(".taken svg")).to_have_count(0)
    page.keyboard.press("End")
    expect(game.shown.locator(".player").last.locator(".taken svg")).to_have_count(1)
    expect(game.shown.locator(".player").first.locator(".taken svg")).to_have_count(0)


def keeps_the_list(page, game):
    """A move of the best line is not in the list: the list stays at the move of the game, which has the focus for Tab."""
    page.set_viewport_size({"width": 1280, "height": 560})
    data = game.data()
    # The list has the better line of a marked move.
    listed = {mark["at"] - 1 for mark in data["marks"]}
    game.slider.fill(str(max(number for number, line in enumerate(data["best"]) if line and number not in listed)))
    line = game.state.locator("[data-n]").first
    scrolled = game.shown.locator(".moves").evaluate("list => list.scrollTop")
    assert scrolled > 0, "the list is scrolled"
    line.click()
    expect(game.state).to_contain_text("in a variation of")
    assert game.shown.locator(".moves").evaluate("list => list.scrollTop") == scrolled, "the list does not move"
    page.keyboard.press("ArrowRight")
    expect(game.shown.locator(".moves [tabindex='0']")).to_have_count(1)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(game.shown.locator(".moves [tabindex='0']")).to_have_count(1)
    page.set_viewport_size({"width": 1280, "height": 900})


def shows_a_match(page, game):
    expect(game.shown.locator(".chart .curve")).to_have_count(3)
    expect(game.shown.locator(".legend")).to_contain_text("Second, own score")
    expect(page.locator(".unread")).to_contain_text("game 2: ")


def has_one_voice(page, game, file):
    """Our mark is a badge beside the file's sign; what another program has said is folded, and its values are a curve. Praise
    has no better line."""
    expect(game.move(6).first).to_have_text(re.compile(r"^Nf6\?! \?\?"))
    expect(game.move(6).first.locator(".ours")).to_have_css("background-color", "rgb(208, 28, 28)")
    expect(game.shown.locator(".moves")).not_to_contain_text("Checkmate is now unavoidable", use_inner_text=True)
    game.shown.locator(".computer summary").click()
    expect(game.shown.locator(".moves")).to_contain_text("Checkmate is now unavoidable", use_inner_text=True)
    expect(game.shown.locator(".computer")).to_contain_text("3... g6 4. Qf3")
    expect(game.shown.locator(".legend")).to_contain_text("in the file")
    expect(game.shown.locator(".chart .curve.filed")).to_have_count(1)
    open_file(page, file, "#game2")
    game.move(1).first.click()
    expect(game.state).to_contain_text("A sound sacrifice of the queen on b8: 16... Nxb8.")
    expect(game.shown.locator(".improve")).to_be_hidden()
    expect(game.shown.locator(".verdict.praise")).not_to_contain_text("Better")


def marks_the_book(game):
    """The moves up to the last position with a name."""
    opening, book = game.data()["opening"]
    expect(game.shown.locator(".move.book")).to_have_count(book)
    expect(game.shown.locator(".moves .opening")).to_have_text(opening + " ")


def follows_the_chart(page, game):
    game.slider.scroll_into_view_if_needed()
    box = game.slider.bounding_box()
    places = []
    for share in [0.25, 0.5, 0.75]:
        page.mouse.move(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
        page.mouse.down()
        places.append(game.place())
    page.mouse.up()
    first, middle, last = places
    assert 6 <= first <= 10 and 15 <= middle <= 18 and 23 <= last <= 27, f"dragging leads along the game: {places}"
    expect(game.move(last)).to_have_attribute("aria-current", "true")
    expect(game.slider).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(game.slider).to_have_value(str(last - 1))
    expect(game.slider).to_have_attribute("aria-valuetext", re.compile(r"^\d+\.+ \S+ [+-]\d"))
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 5)
    expect(game.shown.locator(".bubble")).to_have_text(re.compile(r"^(8|9)\.+ \S+ [+-]\d\.\d\d, \d"))
    expect(game.shown.locator(".phase-name").first).to_have_text("middlegame")


def plays_variations(page, game):
    game.shown.locator(".variation [data-n]", has_text="4. Qxd4").click()
    expect(game.fen).to_have_value(re.compile("3QP"))
    expect(game.state).to_contain_text("in a variation of")
    for key, move in [("ArrowRight", "4... Nc6"), ("ArrowLeft", "4. Qxd4"), ("ArrowLeft", "3... exd4"), ("ArrowLeft", "3. d4")]:
        page.keyboard.press(key)
        expect(game.state).to_contain_text(move)
    expect(game.slider).to_have_value("5")
    better = game.shown.locator(".verdict [data-n]")
    assert better.count() > 4, "better lines are there"
    better.first.click()
    expect(game.state).to_contain_text("in a variation of")
    game.state.locator(".move").first.click()
    expect(game.state).not_to_contain_text("in a variation of")


def sets_exercises(page, game):
    """All exercises of the page, with keys: the first is missed and then solved, the others are shown."""
    exercises = game.data()["exercises"]
    exercise = exercises[0]
    moves = exercise["moves"]
    best, played = (san(move["line"].split()[0]) for move in moves[:2])
    squares = moves[0]["line"][:4]
    page.keyboard.press("e")
    expect(game.state).to_contain_text(f"Exercise 1 of {len(exercises)}")
    expect(game.state).not_to_contain_text(best)
    expect(game.shown.locator(".arrow")).to_have_count(0)
    for hidden in [".said", ".moves .ours", ".evaluation div", ".chart", ".moves small", f".moves > [data-n='{exercise['ply'] + 1}']", ".moves .result"]:
        expect(game.shown.locator(hidden).first).to_be_hidden()
    expect(game.move(exercise["ply"]).first).to_be_visible()
    assert not game.shown.locator(".evaluation").get_attribute("title"), "the bar says nothing"
    assert game.is_turned() == (exercise["ply"] % 2 == 1), "an exercise is seen by the player to move"
    game.answer("Zz9")
    expect(game.state).to_contain_text("no legal move")
    game.answer(played.lower())
    expect(game.state).to_contain_text("was played: it is not good enough")
    reply = san(moves[1]["line"].split()[1])
    expect(game.state).to_contain_text(f"{reply} answers it")
    expect(game.fen).not_to_have_value(re.compile("^" + re.escape(game.fen.input_value())))
    game.shown.locator(".board rect").nth(9).click()
    expect(game.state).to_contain_text("Try another move.")
    game.shown.locator(f".board rect[data-square={squares[:2]}]").first.click()
    expect(game.shown.locator(".board .target")).not_to_have_count(0)
    game.shown.locator(f".board rect[data-square={squares[2:]}]").first.click()
    expect(game.state).to_contain_text("Right!")
    expect(game.arrows("best")).to_have_count(1)
    expect(game.shown.locator(".moves .ours").first).to_be_visible()
    expect(game.state).to_contain_text("0 of 1 solved at the first try, 1 later, 0 shown.")
    for _ in exercises[1:]:
        page.keyboard.press("e")
        page.keyboard.press("a")
    expect(game.state).to_contain_text(f"All exercises done: 0 of {len(exercises)} solved at the first try, 1 later")
    expect(game.shown.locator(".exercises li").first).to_contain_text("✓ later")
    page.keyboard.press("Escape")
    expect(game.state).to_contain_text(re.compile("Best|Better"))
    assert not game.is_turned(), "the game is seen as before"


def chooses_a_player(page, game):
    sides = game.shown.locator(".sides button")
    colours = re.sub("[^wb]", "", game.shown.get_attribute("data-exercises"))
    assert set(colours) == {"w", "b"}, f"exercises of both sides: {colours}"
    expect(sides).to_have_text([f"All {len(colours)}", f"White’s {colours.count('w')}", f"Black’s {colours.count('b')}"])
    for side, name in [(1, "White"), (2, "Black")]:
        sides.nth(side).click()
        expect(sides.nth(side)).to_be_focused()
        count = colours.count(name[0].lower())
        expect(game.shown.locator(".exercises li:visible")).to_have_count(count)
        expect(game.shown.locator(".exercises li:visible", has_text=name + " to move")).to_have_count(count)
        page.keyboard.press("e")
        expect(game.state).to_contain_text(f"Exercise 1 of {count}. {name} to move.")
        assert game.is_turned() == (name == "Black"), f"{name} plays"
        page.keyboard.press("a")
        expect(game.state).to_contain_text(f"{count - 1} to go" if count > 1 else "All exercises done")
    page.keyboard.press("Escape")


def solves_in_sight(page, game):
    """Task, field, board and verdict are visible after each tap, also where the page was scrolled."""
    task, answer, board = game.state.locator("p").first, game.shown.locator(".try input"), game.shown.locator(".board")
    exercises = game.data()["exercises"]
    game.shown.locator(".exercise").last.click()
    expect_in_sight(page, task, answer, board)
    moves = exercises[-1]["moves"]
    game.square(moves[1]["line"][:2]).click()
    expect(game.shown.locator(".board .target")).not_to_have_count(0)
    expect_in_sight(page, task, answer, board)
    game.square(moves[1]["line"][2:4]).click()
    expect(game.state).to_contain_text("is not good enough")
    expect_in_sight(page, task, answer, board)
    if page.viewport_size["width"] < 960:
        page.evaluate("scrollBy(0, 60)")
        expect_in_sight(page, task, answer)
    game.square("a1").click()
    game.tap(moves[0]["line"])
    expect(game.state).to_contain_text("Right!")
    expect_in_sight(page, task, game.state.locator("button").first, board)


def asks_what_if(page, game, engine):
    """Moves on the board: played, better, refuting, in a line, unknown."""
    data = game.data()
    mark = next(mark for mark in data["marks"] if mark["refutation"])
    before = mark["at"] - 1
    elsewhere = game.state.locator("a", has_text="Lichess")
    for number, line in [(before, data["best"][before]), (mark["at"], mark["refutation"])]:
        game.slider.fill(str(number))
        first = line.split()[0]
        game.tap(first)
        expect(game.state.locator("b").first).to_contain_text(san(first))
        expect(game.state.locator("p").first).to_contain_text(data["values"][number])
        expect(elsewhere).to_have_count(0)
    game.slider.fill("2")
    game.square("d1").click()
    expect(game.shown.locator(".board .target")).to_have_count(4)
    game.square("h5").click()
    expect(game.slider).to_have_value("3")
    expect(game.state).not_to_contain_text("variation")
    game.slider.fill("2")
    for move, name in [("a2a3", "2. a3"), ("b8c6", "2... Nc6")]:
        game.tap(move)
        expect(game.state.locator("b").first).to_have_text(name)
        expect_in_sight(page, game.shown.locator(".board"), elsewhere)
        expect(game.shown.locator(".evaluation div")).to_be_hidden()
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/P7/1PPP1PPP/RNBQKBNR w KQkq - 1 3"
    expect(elsewhere).to_have_attribute("href", f"https://lichess.org/analysis/standard/{fen.replace(' ', '_')}")
    command = shlex.split(game.state.locator("code").text_content())
    assert command == ["zugwerk", "analyse", "--fen", fen], command
    if engine:
        run(engine, *command[1:])
    page.keyboard.press("ArrowLeft")
    expect(game.state.locator("b").first).to_have_text("2. a3")


def promotes(page, game):
    page.keyboard.press("ArrowRight")
    game.tap("e7e8")
    expect(game.slider).to_have_value("2")
    game.state.locator("button", has_text="e8=N").click()
    expect(game.fen).to_have_value(re.compile("^4N3/"))
    expect(game.state).to_contain_text("Not analysed here.")


def lies_on_its_side(page, game):
    """On a phone that lies the board is beside the moves."""
    page.set_viewport_size({"width": 844, "height": 390})
    game.move(33).click()
    game.shown.locator(".columns").evaluate("one => one.scrollIntoView()")
    board, moves = (game.shown.locator(place).bounding_box() for place in [".board", ".moves"])
    assert board["x"] + board["width"] <= moves["x"] and board["height"] > 250, (board, moves)
    assert board["y"] + board["height"] <= 390 and moves["y"] < 200, (board, moves)
    man = game.shown.locator(".taken use").first.bounding_box()
    assert man["height"] > 14, f"a man is too small to be recognised: {man}"
    page.set_viewport_size({"width": 1280, "height": 900})


def prints(page, game):
    """A sheet of the game shown: its diagrams, its exercises and, last, the solutions. Nothing of it stays on the page."""
    data, parts = game.data(), page.locator("section.game:visible :is(.said figure, .sheet figure, .sheet li)")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    bad = sum(mark["fault"] in {"mistake", "blunder"} for mark in data["marks"])
    expect(game.shown.locator(".said figure .board")).to_have_count(bad)
    wanted = game.shown.locator(".exercises li:not([hidden])").count()
    assert 0 < wanted < len(data["exercises"]), "those of one side"
    expect(game.shown.locator(".diagrams .board")).to_have_count(wanted)
    expect(game.shown.locator(".sheet-page").last.locator("li")).to_have_count(wanted)
    expect(game.shown.locator(".stage")).to_be_hidden()
    expect(game.shown.locator(".chart")).to_be_visible()
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(parts).to_have_count(0)


def takes_typed_moves(page, game):
    """After a wrong move the field keeps the focus, so that letters are no keys of the page; Escape leaves it."""
    exercises = game.data()["exercises"]
    wrong = next(san(move["line"].split()[0]) for move in exercises[0]["moves"][2:] if move["value"] and not move["is_good"])
    page.keyboard.press("e")
    answer = game.shown.locator(".try input")
    answer.press_sequentially(wrong)
    answer.press("Enter")
    expect(game.state).to_contain_text("is not good enough")
    page.keyboard.type("e9")
    expect(answer).to_have_value("e9")
    expect(game.state).to_contain_text("is not good enough")
    page.keyboard.press("Escape")
    expect(game.state).to_contain_text(re.compile("Best|Better"))


def judges_only_what_was_searched(page, game):
    """What a click means, and what is said of a move without a value: as data, because searches seldom leave such moves."""
    shown = page.evaluate("""() => {
      const moves = ["e7e8e8=N", "e7e8e8=Q", "f1h1O-O", "f1g1Kg1"], exercise = Object.create(Exercise.prototype);
      return [...["e7e8", "f1g1", "f1h1"].map(squares => readMove(moveBetween(moves, squares)).san), exercise.judge({ san: "Kg1", value: "" })];
    }""")
    assert shown == ["e8=Q", "Kg1", "O-O", "Kg1 was not searched."], shown


def accepts_good_moves(game):
    """An answer other than the best move, equally good."""
    number, exercise = next((number, exercise) for number, exercise in enumerate(game.data()["exercises"])
                            if any(move["is_good"] for move in exercise["moves"][1:]))
    game.shown.locator(".exercise").nth(number).click()
    good = next(move for move in exercise["moves"][1:] if move["is_good"])
    name = san(good["line"].split()[0])
    game.answer(name)
    expect(game.state).to_contain_text(f"Right! {name} ({good['value']}) will do.")


def opens_elsewhere(page, game):
    page.keyboard.press("Home")
    links = game.shown.locator(".links a")
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    expect(links.nth(0)).to_have_attribute("href", f"https://lichess.org/analysis/standard/{start}_w_KQkq_-_0_1")
    expect(links.nth(1)).to_have_attribute("href", re.compile("rnbqkbnr%2Fpppppppp"))


def fits(page, game, files):
    small = """all => all.map(one => one.getBoundingClientRect()).filter(box => box.height < 32 || box.width < 32).length"""
    for file in files:
        for width in [360, 390, 820, 1280]:
            page.set_viewport_size({"width": width, "height": 900})
            open_file(page, file)
            expect_to_fit(page, width)
            assert game.shown.locator(".steps button").evaluate_all(small) == 0, f"a button is too small for a finger at {width}"


def reads_aloud(game):
    assert without_name(game.shown.locator("button, input, select, a")) == 0, "controls without a name"
    expect(game.shown.locator(".board")).to_have_attribute("aria-label", re.compile("White: .*king"))
    expect(game.shown.locator(".moves [tabindex='0']")).to_have_count(1)


def many_games(page, game, file):
    """A hundred games: the page is there soon, because each is made when it is opened."""
    started = time.monotonic()
    open_file(page, file)
    expect(page.locator("#overview tbody tr")).to_have_count(100)
    expect(game.shown).to_have_count(0)
    seconds = time.monotonic() - started
    nodes = page.evaluate("document.querySelectorAll('*').length")
    assert seconds < 2 and nodes < 10_000, f"a hundred games: {seconds:.1f} seconds, {nodes} nodes"
    expect(page.locator("section.game")).to_have_count(100)
    expect(page.locator("#overview h2")).to_have_text("Games")
    page.locator("#overview tr[data-game='4'] td").nth(3).click()
    expect(game.shown).to_have_id("game4")
    expect(game.shown).to_have_count(1)
    page.locator("#games select").select_option(index=99)
    expect(game.shown).to_have_id("game100")
    assert page.url.endswith("#game100"), page.url
    page.locator("#games select").blur()
    page.keyboard.press("ArrowRight")
    expect(game.slider).to_have_value("1")
    page.keyboard.press("e")
    expect(game.state).to_contain_text("Exercise 1 of ")
    expect(game.shown).to_have_id("game1")
    open_file(page, file, "#game7")
    expect(game.shown).to_have_id("game7")


def evil_games(page, game):
    expect(page.locator("section.game")).to_have_count(2)
    expect(page.locator("#overview h2").last).to_have_text(EVIL)
    page.locator("#overview td a").first.click()
    expect(game.shown.locator("h2")).to_contain_text(EVIL)
    expect(page.locator("img")).to_have_count(0)
    game.shown.locator(".said .move").first.click()
    expect(page.locator("script")).to_have_count(4)


def sums_a_game_up(page, game):
    """The end, the opening, the time trouble and the key moments, which open their position."""
    summary = game.shown.locator(".summary")
    expect(summary).to_contain_text(re.compile(r"^White mates\. C41 Philidor Defense, left with \d+\.+ \S+\. .*Key moments: "))
    links = summary.locator("a")
    for number in range(links.count()):
        links.nth(number).click()
        place = int(links.nth(number).get_attribute("href").split(".")[1])
        expect(game.slider).to_have_value(str(place))
        assert links.nth(number).text_content().split("?")[0] == game.state.locator("b").first.text_content()
    page.keyboard.press("Home")


def shows_the_games(page, game):
    """The table: seen by the player, sorted, and a row opens its game, with the board turned to the player."""
    table = page.locator("#overview .sortable")
    expect(table.locator("tbody tr")).to_have_text([re.compile(words) for words in
                                                    ["1.*Bob.*White.*won 1-0", "2.*Cid.*Black.*lost 1-0", "3.*Bob.*White.*lost 0-1", "4.*Dan.*Black.*drawn"]])
    expect(game.shown).to_have_count(0)
    column = lambda number: [float(text) for text in table.locator(f"tbody td:nth-child({number})").all_text_contents()]
    accuracy = table.locator("th button", has_text="Accuracy")
    accuracy.click()
    assert column(7) == sorted(column(7)), column(7)
    accuracy.click()
    assert column(7) == sorted(column(7), reverse=True), column(7)
    expect(table.locator("th[aria-sort=descending]")).to_have_count(1)
    for number, is_black in [(2, True), (3, False)]:
        table.locator(f"tr[data-game='{number}'] td").nth(4).click()
        expect(game.shown).to_have_id(f"game{number}")
        assert game.is_turned() == is_black, f"game {number} is seen by Ann"
        page.locator("#games a", has_text="All games").click()
        expect(table).to_be_visible()
    table.locator("tr[data-game='3'] a").click()
    expect(game.shown.locator(".summary")).to_contain_text(re.compile(r"^White lost on time in a (won|better) position\. .*had less than 6\.0s from move \d on: \d mistakes?\."))


def shows_the_player(page, game):
    """Every number lists as many positions, which open; exercises are those of the player, whichever the colour."""
    overview = page.locator("#overview")
    things = overview.locator(".things > li").count()
    for title in [["One thing", "Two things", "Three things"][things - 1] + " to work on", "Points by colour", "Points by opening",
                  "Points by the opponent’s rating", "Mistakes by kind", "Mistakes by phase", "Mistakes by the time left"]:
        expect(overview.locator("h3", has_text=title)).to_have_count(1)
    expect(overview.locator(".figures svg")).to_have_count(2)
    numbers = overview.locator(".places")
    assert numbers.count() > 20, numbers.count()
    for index in range(numbers.count()):
        numbers.nth(index).click()
        expect(overview.locator(".list li")).to_have_count(int(numbers.nth(index).text_content()))
    numbers.nth(numbers.count() - 1).click()
    expect(overview.locator(".list")).to_have_count(0)
    mistakes = overview.locator(".figures tr", has_text="middlegame").locator(".places").first
    count, places = int(mistakes.text_content()), mistakes.get_attribute("data-at").split()
    mistakes.click()
    expect(overview.locator(".list h4")).to_be_focused()
    expect(overview.locator(".list li").first).to_contain_text(re.compile(r"^\d\. \w+ \(1[46]50\), 2024\.05\.0\d, \d+\.+ \S+\?"))
    overview.locator(".list a").first.click()
    for number, place in enumerate(places[:3], 1):
        section, position = place.split(".")
        expect(game.shown).to_have_id(f"game{section}")
        expect(game.slider).to_have_value(position)
        expect(page.locator(".way")).to_contain_text(f"{number} of {count}")
        page.locator(".way a").last.click()
    page.locator("#games a", has_text="All games").click()
    expect(overview.locator(".list")).to_be_in_viewport()
    solve = overview.locator(".solve").first
    count = len(solve.get_attribute("data-at").split())
    solve.click()
    expect(game.state).to_contain_text(f"Exercise 1 of {count}.")
    page.keyboard.press("Escape")
    own = [int(page.locator(f"#overview tr[data-game='{number}']").get_attribute("data-side") == exercise[0])
           for number in range(1, 5) for exercise in page.locator(f"#game{number}").get_attribute("data-exercises").split()]
    sides = game.shown.locator(".sides button", has_text="Ann’s")
    expect(sides).to_have_text(f"Ann’s {sum(own)}")
    sides.click()
    page.keyboard.press("e")
    expect(game.state).to_contain_text(f"Exercise 1 of {sum(own)}.")


def lists_in_small_boxes(page, game, file):
    """On every screen no move is printed over the next line, the two judges have a legend, and the list has no noise."""
    over = """list => [...list.querySelectorAll(":scope > .move")].filter(move => {
        const text = document.createRange(), box = move.getBoundingClientRect();
        text.selectNodeContents(move);
        const inner = text.getBoundingClientRect();
        return inner.bottom > box.bottom + 1 || inner.right > box.right + 1;
    }).map(move => move.textContent)"""
    for width in [360, 390, 820, 1280]:
        page.set_viewport_size({"width": width, "height": 844})
        for mark in ["", "#game2"]:
            open_file(page, file, mark or "#game1")
            assert not game.shown.locator(".moves").evaluate(over), f"printed over each other at {width}"
            expect(game.shown.locator(".moves")).not_to_contain_text(re.compile("0ms|at depth"))
    open_file(page, file, "#game1")
    expect(game.shown.locator(".moves .key")).to_contain_text("that of the file")


def is_worked_with_keys(page, game):
    """Variations are reached by the arrows; arrows, Home and End act only inside the game; letters can be switched off."""
    page.keyboard.press("Home")
    first = game.shown.locator(".moves [tabindex='0']")
    expect(first).to_have_attribute("aria-label", re.compile("^1, White: pawn to e4; (plus|minus) "))
    expect(game.move(33).first).to_have_attribute("aria-label", re.compile("^17, White: rook to d8, mate"))
    expect(game.move(21).first).to_have_attribute("aria-label", re.compile("^11, White: bishop takes b5, check; plus [0-9.]+"))
    expect(game.shown.locator(".moves .blunder.move").first).to_have_attribute("aria-label", re.compile("; blunder$"))
    first.focus()
    inner = game.shown.locator(".variation .move").first
    for _ in range(60):
        if inner.evaluate("one => one === document.activeElement"):
            break
        page.keyboard.press("ArrowDown")
    expect(inner).to_be_focused()
    expect(game.shown.locator(".moves [tabindex='0']")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(game.state).to_contain_text("in a variation of")
    page.keyboard.press("ArrowLeft")
    expect(game.shown.locator(".moves :focus")).to_have_count(1)
    place = game.place()
    page.locator("summary").first.focus()
    for key in ["End", "ArrowRight", "Home"]:
        page.keyboard.press(key)
        assert game.place() == place, f"{key} outside the game"
    letters = page.locator(".letters input")
    letters.uncheck()
    page.keyboard.press("f")
    assert not game.is_turned(), "letters are off"
    letters.check()
    page.keyboard.press("f")
    assert game.is_turned(), "letters are on"
    page.keyboard.press("f")


def types_a_move(page, game):
    """Outside exercises, too: a legal move is played, another one named; letters in the field are no keys."""
    game.slider.fill("2")
    field = game.shown.locator(".typed input")
    field.press_sequentially("nf6")
    field.press("Enter")
    expect(game.state).to_contain_text("“nf6” is no legal move here.")
    field.fill("nf3")
    field.press("Enter")
    expect(game.slider).to_have_value("3")
    expect(field).to_have_value("")
    field.fill("a6")
    field.press("Enter")
    expect(game.state.locator("b").first).to_have_text("2... a6")


def keeps_progress(browser, file):
    """What was solved is there after a reload; where the browser keeps nothing, the page works without."""
    for is_kept in [True, False]:
        with page_of(browser, viewport={"width": 1280, "height": 900}) as page:
            if not is_kept:
                page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } })")
            game = Game(page)
            open_file(page, file)
            page.keyboard.press("e")
            game.answer(san(game.data()["exercises"][0]["moves"][0]["line"].split()[0]))
            expect(game.state).to_contain_text("1 of 1 solved at the first try")
            page.reload()
            expect(game.shown.locator(".exercises li", has_text="✓ at the first try")).to_have_count(int(is_kept))
            if is_kept:
                game.shown.locator("button", has_text="Begin again").click()
                expect(game.shown.locator(".exercises li", has_text="✓")).to_have_count(0)


def looks_at_a_player(browser, file):
    for width, height in SIZES:
        for theme in ["light", "dark"]:
            with page_of(browser, viewport={"width": width, "height": height}, color_scheme=theme) as page:
                game = Game(page)
                open_file(page, file)
                expect_to_fit(page, width)
                page.locator("#overview .places").first.click()
                expect_to_fit(page, width)
                assert without_name(page.locator("#overview").locator("button, a")) == 0, "controls without a name"
                if theme == "dark":
                    continue
                shows_the_games(page, game)
                open_file(page, file, "#overview")
                shows_the_player(page, game)


def pictures(browser, _, file, folder):
    def at_a_mark(page):
        for key in 22 * ["ArrowRight"]:
            page.keyboard.press(key)
        page.evaluate("scrollTo(0, 0)")

    photographs(browser, file, folder, "report", [844, 1180, 800], at_a_mark)


def report(engine, folder, name, pgn, nodes):
    games, file = folder / f"{name}.pgn", folder / f"{name}.html"
    games.write_text(pgn, encoding="utf-8")
    run(engine, "analyse", games, "--html", file, "--nodes", str(nodes), "--hash", "4")
    return file


def test(browser, engine, folder):
    evil = EVIL.replace("\\", "\\\\").replace('"', '\\"')
    hostile = f'[White "{evil}"]\n[Event "{evil}"]\n\n1. f3 {{{EVIL}}} e5 2. g4 ({{{EVIL}}} 2. e4) Qh4# 0-1\n\n'
    opera = report(engine, folder, "opera", OPERA, 30000)
    hundred = report(engine, folder, "hundred", OPERA * 100, 500)
    patzers = report(engine, folder, "patzers", PATZERS, 10000)
    evil_file = report(engine, folder, "evil", hostile * 2, 100)
    match = report(engine, folder, "match", MATCH, 1000)
    endgame = report(engine, folder, "endgame", ENDGAME, 100)
    lichess = report(engine, folder, "lichess", LICHESS, 20000)
    player = report(engine, folder, "player", club(), 5000)
    looks_at_a_player(browser, player)
    keeps_progress(browser, patzers)
    for width, height in SIZES:
        with page_of(browser, viewport={"width": width, "height": height}) as page:
            page.add_init_script(FORGET)
            game = Game(page)
            open_file(page, patzers)
            solves_in_sight(page, game)
            open_file(page, patzers)
            asks_what_if(page, game, engine if width == 390 else None)
    with page_of(browser, viewport={"width": 1280, "height": 900}) as page:
        page.add_init_script(FORGET)
        game = Game(page)
        open_file(page, opera)
        expect(game.shown.locator(".facts a")).to_have_attribute("href", "https://lichess.org/study")
        marks_the_book(game)
        sums_a_game_up(page, game)
        steps_through(page, game)
        is_seen_at_once(page, game)
        follows_the_chart(page, game)
        plays_variations(page, game)
        opens_elsewhere(page, game)
        plays_by_the_rules(page)
        keeps_the_list(page, game)
        judges_only_what_was_searched(page, game)
        game.slider.fill("22")
        game.tap("e1c1")
        expect(game.slider).to_have_value("23")
        lies_on_its_side(page, game)
        open_file(page, endgame)
        counts_men(page, game)
        open_file(page, endgame)
        promotes(page, game)
        open_file(page, patzers)
        chooses_a_player(page, game)
        prints(page, game)
        open_file(page, patzers)
        takes_typed_moves(page, game)
        open_file(page, patzers)
        explains_mistakes(page, game)
        sets_exercises(page, game)
        open_file(page, patzers)
        accepts_good_moves(game)
        open_file(page, match)
        shows_a_match(page, game)
        open_file(page, lichess, "#game1")
        has_one_voice(page, game, lichess)
        lists_in_small_boxes(page, game, lichess)
        page.set_viewport_size({"width": 1280, "height": 900})
        open_file(page, opera)
        reads_aloud(game)
        is_worked_with_keys(page, game)
        types_a_move(page, game)
        many_games(page, game, hundred)
        open_file(page, evil_file)
        evil_games(page, game)
        fits(page, game, [opera, hundred, evil_file])
    with page_of(browser, java_script_enabled=False) as page:
        open_file(page, opera)
        expect(page.locator("noscript code")).to_contain_text("zugwerk analyse GAMES.pgn --html game-%.html")
        expect(page.locator("section.game pre")).to_contain_text("12. O-O-O")
        expect(page.locator("section.game svg.board")).to_be_visible()
    return opera


if __name__ == "__main__":
    main(__doc__, test, pictures, "the report can be stepped through, dragged, played in, read aloud, and fits screens of 360, 390, 820 and 1280 pixels")
