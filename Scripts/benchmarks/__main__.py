"""Prints the table: each row on each file system."""

import argparse
import os

import growth
import serving
import surroundings
from measure import Times, Unavailable, compare, median
from rows import Row, rows
from stores import Place

import syncing  # adds its rows


def reached(aim: str, times: Times) -> bool:
    """Whether the median meets an aim, '≤ 0.6 ×' or '≤ 0.5 s'."""
    _, most, unit = aim.split(maxsplit=2)
    return median(times.ratios if unit == "×" else times.ours) <= float(most)


def described(row: Row, times: Times) -> str:
    factor = 1000 if row.unit == "ms" else 1
    ours = f"{median(times.ours) * factor:9.2f}"
    theirs, ratio = " " * 9, " " * 19
    if times.theirs:
        theirs = f"{median(times.theirs) * factor:9.2f}"
        ratio = f"{median(times.ratios):6.2f} {f'{min(times.ratios):.2f}–{max(times.ratios):.2f}':>12}"
    verdict = "" if not row.aim else "yes" if reached(row.aim, times) else "NO"
    return f"{ours} {theirs} {row.unit:7} {ratio}  {row.aim:11} {verdict}"


parser = argparse.ArgumentParser(prog="Scripts/benchmark")
parser.add_argument("--pairs", type=int, default=21)
parser.add_argument("--versions", type=int, default=1000)
parser.add_argument("--long", type=int, default=100_000, help="versions of the long histories")
parser.add_argument("--only", default="", help="rows with these words; 'growth' for the last table")
parser.add_argument("--server", action="store_true", help="the page alone: settings-serve beside nginx and settings set")
parser.add_argument("places", nargs="+")
arguments = parser.parse_args()

variables = surroundings.environment(os.environ["HOME"])
os.environ.clear()
os.environ.update(variables)

print(
    f"Medians of {arguments.pairs} pairs that take turns, in stores of {arguments.versions:,} versions, long histories"
    f" {arguments.long:,}. Times are a whole process's; below a ratio of 1 settings is faster; behind it the least and the"
    " most of a pair. settings waits for the disk, git by itself does not."
)
if arguments.server:
    for path in arguments.places:
        serving.table(Place(path, arguments.versions), arguments.pairs)
    raise SystemExit
for path in arguments.places:
    place = Place(path, arguments.versions, arguments.long)
    print(f"\n{place.kind}\n{'settings':44} {'against':40} {'settings':>9} {'other':>9} {'':7} {'ratio':>6} {'':12}  aim")
    for row in rows:
        name = f"{row.what:44} {row.against:40}"
        if arguments.only not in name or not (row.everywhere or path == arguments.places[0]):
            continue
        try:
            ours, theirs = row.make(place)
        except Unavailable as reason:
            print(f"{name} {reason}", flush=True)
            continue
        pairs = min(arguments.pairs, row.pairs or arguments.pairs)
        print(name, described(row, compare(ours, theirs, pairs, warm_up=min(4, pairs // 2))), flush=True)
if arguments.only in "growth":
    growth.table(arguments.places[0], arguments.long, min(arguments.pairs, 7))
