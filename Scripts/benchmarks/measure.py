"""Runs two commands in turn and compares what they took."""

import os
import resource
import statistics
import time
from dataclasses import dataclass, field
from typing import Callable

from surroundings import check


class Unavailable(Exception):
    """Why a row can't be measured here."""


@dataclass
class Command:
    """One process: its words, which are made anew for each run from a number that no run had before."""

    words: Callable[[int], list[str]]
    folder: str
    prepare: Callable[[int], None] | None = None  # what is not timed
    environment: dict[str, str] = field(default_factory=dict)
    result: Callable[[float, resource.struct_rusage, str], float] | None = None  # from the time, the process's use, what it printed

    def run(self, number: int) -> float:
        """Seconds from start to end, or what `result` makes of the run."""
        if self.prepare:
            self.prepare(number)
        words = self.words(number)
        environment = {**os.environ, **self.environment}
        os.chdir(self.folder)
        output = os.memfd_create("output") if self.result else null
        start = time.perf_counter()
        # As a shell starts it; subprocess's own start takes longer than a short command.
        child = os.posix_spawnp(words[0], words, environment, file_actions=[(os.POSIX_SPAWN_DUP2, output, 1)])
        _, status, use = os.wait4(child, 0)
        took = time.perf_counter() - start
        if status != 0:
            raise SystemExit(f"failed ({os.waitstatus_to_exitcode(status)}): {' '.join(words)[:300]}")
        if not self.result:
            return took
        with os.fdopen(output, "r+b") as stream:
            stream.seek(0)
            return self.result(took, use, stream.read(1 << 16).decode(errors="replace"))


null = os.open(os.devnull, os.O_WRONLY)
last_number = 0


def number() -> int:
    global last_number
    last_number += 1
    return last_number


def memory(took: float, use: resource.struct_rusage, output: str) -> float:
    """The most memory that a process had, in MB."""
    return use.ru_maxrss / 1024


def printed(place: int) -> Callable[[float, resource.struct_rusage, str], float]:
    """A number that the command printed, counted from 0."""
    return lambda took, use, output: float(output.split()[place])


def fixed(*words: str) -> Callable[[int], list[str]]:
    return lambda _: list(words)


def shell(script: str) -> Callable[[int], list[str]]:
    """The number is $1."""
    return lambda number: ["sh", "-ec", script, "sh", str(number)]


def quietly(folder: str, *words: str, input: str | None = None, environment: dict[str, str] | None = None) -> str:
    """A command of the preparation; what it prints."""
    return check(words, folder, {**os.environ, **(environment or {})}, input).strip()


@dataclass
class Times:
    ours: list[float]
    theirs: list[float]

    @property
    def ratios(self) -> list[float]:
        return [ours / theirs for ours, theirs in zip(self.ours, self.theirs)]


def compare(ours: Command, theirs: Command | None, pairs: int, warm_up: int) -> Times:
    times = Times([], [])
    for turn in range(warm_up + pairs):
        # Whoever goes second finds the caches as the first left them: they take turns.
        both = [(times.ours, ours)] + ([(times.theirs, theirs)] if theirs else [])
        for list, command in both if turn // 2 % 2 else both[::-1]:
            took = command.run(number())
            if turn >= warm_up:
                list.append(took)
    return times


def median(times: list[float]) -> float:
    return statistics.median(times)
