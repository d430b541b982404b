"""How long commands take as histories of 10,000 options get longer."""

import os

from measure import Command, compare, fixed, median
from rows import LONG_KEY, indexed
from stores import Place

COMMANDS: list[tuple[str, Command]] = [
    (" ".join(words), Command(fixed("settings", *words, "--quiet"), ""))
    for words in (
        ("get", LONG_KEY),
        ("status",),
        ("list", "--at", "2025-12-01"),
        ("history", "-n", "20"),
        ("history", LONG_KEY),
        ("blame", LONG_KEY),
        ("blame",),
        ("diff", "--from", "2025-12-01"),
    )
] + [("set KEY VALUE", Command(lambda number: ["settings", "set", "group001.option000", str(number), "-m", "why", "--quiet"], ""))]


def lengths(longest: int) -> list[int]:
    """1,000, 10,000, and so on."""
    return [1000 * 10**power for power in range(7) if 1000 * 10**power <= longest]


def table(path: str, longest: int, runs: int) -> None:
    counts = lengths(longest)
    print(f"\nMilliseconds, of {runs} runs the median, in histories of so many versions, with the index")
    print(f"{'settings':44}" + "".join(f"{count:>12,}" for count in counts) + "      growth", flush=True)
    stores = []
    for count in counts:
        folder = path if count == longest else os.path.join(path, str(count))
        os.makedirs(folder, exist_ok=True)
        stores.append(indexed(Place(folder, 0, count)))
    for name, command in COMMANDS:
        took = []
        for store in stores:
            command.folder = store
            took.append(median(compare(command, None, runs, warm_up=2).ours) * 1000)
        print(f"{name:44}" + "".join(f"{one:12.1f}" for one in took) + f"{took[-1] / took[0]:10.1f} ×", flush=True)
