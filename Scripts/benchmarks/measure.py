"""Runs two commands in turn and compares their times."""

import os
import resource
import statistics
import time
from dataclasses import dataclass, field
from typing import Callable

from surroundings import check


class Unavailable(Exception):
    """Why a row can't be measured on this machine."""


@dataclass
class Command:
    """One process: its arguments, which are derived for each run from a new number."""

    words: Callable[[int], list[str]]
    folder: str
    prepare: Callable[[int], None] | None = None  # untimed preparation
    environment: dict[str, str] = field(default_factory=dict)
    result: Callable[[float, resource.struct_rusage, str], float] | None = None  # from the time, the resource usage and the output

    def run(self, number: int) -> float:
        """The seconds from start to end, or what `result` returns for the run."""
        if self.prepare:
            self.prepare(number)
        words = self.words(number)
        environment = {**os.environ, **self.environment}
        os.chdir(self.folder)
        output = os.memfd_create("output") if self.result else null
        start = time.perf_counter()
        # As a shell starts it; subprocess takes longer to start than a short command runs.
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
    """The peak memory of a process, in MB."""
    return use.ru_maxrss / 1024


def printed(place: int) -> Callable[[float, resource.struct_rusage, str], float]:
    """The number at an index, from 0, of the command's output."""
    return lambda took, use, output: float(output.split()[place])


def fixed(*words: str) -> Callable[[int], list[str]]:
    return lambda _: list(words)


def shell(script: str) -> Callable[[int], list[str]]:
    """A shell command; the run's number is $1."""
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
        # The second command finds the caches as the first one left them, so they take turns.
        both = [(times.ours, ours)] + ([(times.theirs, theirs)] if theirs else [])
        for list, command in both if turn // 2 % 2 else both[::-1]:
            took = command.run(number())
            if turn >= warm_up:
                list.append(took)
    return times


def median(times: list[float]) -> float:
    return statistics.median(times)
