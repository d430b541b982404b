"""Prints the table: each row in each place."""

import argparse

from measure import Times, Unavailable, compare, median
from rows import Row, rows
from stores import Place


def reached(aim: str, times: Times) -> bool:
    """Whether the median keeps to an aim, '≤ 0.6 ×' or '≤ 0.5 s'."""
    _, most, unit = aim.split()
    return median(times.ratios if unit == "×" else times.ours) <= float(most)


def described(row: Row, times: Times) -> str:
    ours = f"{median(times.ours) * 1000:9.2f}"
    theirs, ratio = " " * 9, " " * 19
    if times.theirs:
        theirs = f"{median(times.theirs) * 1000:9.2f}"
        ratio = f"{median(times.ratios):6.2f} {f'{min(times.ratios):.2f}–{max(times.ratios):.2f}':>12}"
    verdict = "" if not row.aim else "yes" if reached(row.aim, times) else "NO"
    return f"{ours} {theirs} {ratio}  {row.aim:9} {verdict}"


parser = argparse.ArgumentParser(prog="Scripts/benchmark")
parser.add_argument("--pairs", type=int, default=21)
parser.add_argument("--versions", type=int, default=1000)
parser.add_argument("--only", default="")
parser.add_argument("places", nargs="+")
arguments = parser.parse_args()

print(
    f"Medians of {arguments.pairs} pairs that take turns, in stores of {arguments.versions:,} versions. Times are a whole"
    " process's, in ms; below a ratio of 1 settings is faster; behind it the least and the most of a pair."
    " settings waits for the disk, git by itself does not."
)
for path in arguments.places:
    place = Place(path, arguments.versions)
    print(f"\n{place.kind}\n{'settings':40} {'against':40} {'settings':>9} {'other':>9} {'ratio':>6} {'':12}  aim")
    for row in rows:
        name = f"{row.what:40} {row.against:40}"
        if arguments.only not in name:
            continue
        try:
            ours, theirs = row.make(place)
        except Unavailable as reason:
            print(f"{name} {reason}", flush=True)
            continue
        pairs = min(arguments.pairs, row.pairs or arguments.pairs)
        print(name, described(row, compare(ours, theirs, pairs, warm_up=min(4, pairs // 2))), flush=True)
