#!/usr/bin/env python3
"""Checks docs/ledger.tsv, and that docs/ledger.md and the strength table of the README agree with it.

usage: ledger.py [--write] PROGRAM

`PROGRAM elo` computes each Elo number again from the games, and the error from the pairs where they are known. --write renews
docs/ledger.md.
"""

import argparse
import csv
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = "date commit bench change kept games wins draws losses pentanomial conditions openings seed elo error".split()
PATTERNS = {
    "date": r"20\d\d-\d\d-\d\d",
    "commit": r"[0-9a-f]{7}",
    "bench": r"\d*",
    "change": r"[^|]{1,120}",
    "kept": r"yes|no|measured",
    "games": r"\d*",
    "wins": r"\d*",
    "draws": r"\d*",
    "losses": r"\d*",
    "pentanomial": r"(\d+( \d+){4})?",
    "conditions": r"[^|]*",
    "openings": r"[^|]*",
    "seed": r"\d*",
    "elo": r"([+-]?\d+(\.\d)?)?",
    "error": r"(\d+(\.\d)?)?",
}
# The rows on the page.
SHOWN = 50
HEAD = """# Strength ledger

The newest fifty measurements of strength, the newest first. [ledger.tsv](ledger.tsv) has all of them, in the order in which they were
made; `.ci/ledger.py --write PROGRAM` makes this page from it. [search.md](search.md) and [network.md](network.md) say what they taught.
What each technique of the search is worth is measured in [course/README.md](course/README.md#what-each-technique-is-worth).

A row is made with `zugwerk match`: the new program plays the program before the change, each opening with both colours. A change
that was tried and dropped has a row, too.

| column | meaning |
|---|---|
| commit | the first commit with this bench. For a row without a bench, or if no commit has it: the commit that entered the row |
| bench | the node count of `zugwerk bench`, which names the version of the program |
| kept | whether the change went into the program; later changes may have replaced it. *measured*: there was nothing to decide |
| games | games won, drawn and lost by the new program, where they are known. Without games, only speed or the tree was measured |
| pairs | pairs of games on one opening, by points: 0, ½, 1, 1½, 2 |
| Elo | the difference in Elo with its 95 % interval. The interval comes from pairs, or from games in older rows |
| conditions | nodes or time (seconds + seconds a move), hash in MiB, threads. *adjudicated*: `--draw movenumber=40 movecount=8 score=10 --resign movecount=3 score=600`. *adjudicated late*: `--draw movenumber=50 movecount=10 score=8 --resign movecount=4 score=800`. Until 28 November 2026 `--draw` decided one move earlier, and counted on over captures and moves of pawns. *by least squares*: several ideas at once, each given to one side at random |
| openings | the file, or the length of its lines, where it is known. *may repeat*: at fixed nodes a repeated opening gives the same game. `zugwerk match` counted such copies before it recognised them, and its own openings suffice for 480 games; if they were used, the true interval of this row is wider |
"""


def read():
    with open(ROOT / "docs" / "ledger.tsv", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return rows[0], [dict(zip(COLUMNS, row)) for row in rows[1:]], {len(row) for row in rows}


def estimate(program, *numbers):
    """The Elo difference and its error."""
    done = subprocess.run([program, "elo", *numbers, "--json"], capture_output=True, text=True, check=True)
    elo = json.loads(done.stdout)["estimate"]["elo"]
    return elo["value"], (elo["high"] - elo["low"]) / 2


def differs(written, computed):
    """Whether a number differs from the written one in a digit that is written."""
    return abs(float(written) - computed) > (0.051 if "." in written else 0.51)


def faults(row, program):
    """What is wrong with a row."""
    for column, pattern in PATTERNS.items():
        if not re.fullmatch(pattern, row[column]):
            yield f"{column}: got {row[column]!r}"
    result = [row["wins"], row["draws"], row["losses"]]
    if any(result) and not all([*result, row["games"]]):
        yield f"expected games, wins, draws and losses, or none of the last three, got {result} of {row['games']!r}"
        return
    if any(result) and sum(map(int, result)) != int(row["games"]):
        yield f"{row['games']} games, but {' + '.join(result)}"
    elo, error = None, None
    if row["pentanomial"]:
        pairs = row["pentanomial"].split()
        elo, error = estimate(program, "--pentanomial", *pairs)
        points = sum(half * int(count) for half, count in enumerate(pairs))
        if any(result) and points != 2 * int(result[0]) + int(result[1]):
            yield "the pairs have other points than the games"
    elif any(result):
        elo, _ = estimate(program, *result)
    if row["elo"] and elo is not None and differs(row["elo"], elo):
        yield f"Elo {row['elo']}, but computed {elo:+.1f}"
    if row["error"] and error is not None and differs(row["error"], error):
        yield f"error {row['error']}, but computed {error:.1f}"


def unknown_commits(rows):
    """The commits that the repository lacks; none without a complete repository."""
    git = ["git", "-C", str(ROOT)]
    shallow = subprocess.run([*git, "rev-parse", "--is-shallow-repository"], capture_output=True, text=True)
    if shallow.stdout.strip() != "false":
        return []
    names = "".join(f"{row['commit']}^{{commit}}\n" for row in rows)
    found = subprocess.run([*git, "cat-file", "--batch-check"], input=names, capture_output=True, text=True).stdout
    return [line for line in found.splitlines() if " commit " not in line]


def result_of(row):
    return f"+{row['wins']} ={row['draws']} −{row['losses']}" if row["wins"] else ""


def elo_of(row):
    elo = row["elo"].replace("-", "−")
    return f"{elo} ± {row['error']}" if row["error"] else elo


def openings_of(row):
    """The openings; they may have been repeated where more games are entered than the 240 own openings give."""
    fixed_nodes = "nodes" in row["conditions"] and "least squares" not in row["conditions"]
    may_repeat = fixed_nodes and row["error"] and int(row["games"]) > 480 and row["openings"] in ("", "built-in")
    return (row["openings"] + " may repeat").strip() if may_repeat else row["openings"]


def table(rows, first):
    yield f"\n| date | commit | bench | {first} | kept | games | result | pairs | Elo | conditions | openings | seed |"
    yield "|---|---|---|---|---|---|---|---|---|---|---|---|"
    for row in rows:
        games = f"{int(row['games']):,}" if row["games"] else ""
        cells = [row["date"], row["commit"], row["bench"], row["change"], row["kept"], games, result_of(row), row["pentanomial"],
                 elo_of(row), row["conditions"], openings_of(row), row["seed"]]
        yield "| " + " | ".join(cells) + " |"


def page(rows):
    newest = rows[: -SHOWN - 1 : -1]
    others = [row for row in newest if row["change"].startswith("against ")]
    changes = [row for row in newest if row not in others]
    lines = [HEAD, "## Changes", *table(changes, "change"), "", "## Against others", *table(others, "opponent")]
    return "\n".join(lines) + "\n"


def strength_faults(rows):
    """The rows of the README's strength table that are not in the ledger."""

    def known(opponent, games, result, elo, conditions, bench, commit):
        wanted = {"games": games, "conditions": conditions, "bench": bench, "commit": commit}
        return any(wanted.items() <= row.items() and opponent in row["change"] and result_of(row) == result and elo_of(row) == elo
                   for row in rows)

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"^\| opponent \|.*\n\|[-|]*\n((\|.*\n)+)", text, re.MULTILINE)
    if not shown:
        return ["README.md: expected a table that begins with `| opponent |`"]
    return [f"README.md: not in the ledger: {line}" for line in shown[1].splitlines()
            if not known(*(cell.strip() for cell in line.strip("|").split("|")))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="renew docs/ledger.md")
    parser.add_argument("program", type=pathlib.Path)
    args = parser.parse_args()
    program = args.program.resolve()
    head, rows, widths = read()
    if head != COLUMNS or widths != {len(COLUMNS)}:
        sys.exit(f"docs/ledger.tsv: expected the columns {' '.join(COLUMNS)} in every row")
    wrong = [f"docs/ledger.tsv:{number}: {fault}" for number, row in enumerate(rows, 2) for fault in faults(row, program)]
    wrong += [f"docs/ledger.tsv: no such commit: {line}" for line in unknown_commits(rows)]
    if [row["date"] for row in rows] != sorted(row["date"] for row in rows):
        wrong.append("docs/ledger.tsv: the rows are not in the order of their dates")
    wrong += strength_faults(rows)
    path = ROOT / "docs" / "ledger.md"
    if args.write:
        path.write_text(page(rows), encoding="utf-8")
    elif path.read_text(encoding="utf-8") != page(rows):
        wrong.append("docs/ledger.md: not made from docs/ledger.tsv; `.ci/ledger.py --write PROGRAM` makes it")
    computed = sum(bool(row["wins"] or row["pentanomial"]) for row in rows)
    print("\n".join(wrong) or f"{len(rows)} rows; the Elo of {computed} is that of their games")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
