"""Makes every call that changes (or reads) a file system fail: once, from there on, half done, cut short, or with the
process killed there."""

import concurrent.futures
import errno
import os
import shutil

from scenarios import HAND_EDIT, SCENARIOS
from stores import Wrong

KINDS = ("once", "before", "after", "from", "half")
CODES = ("EIO", "ENOSPC", "EDQUOT", "EMFILE", "EINTR")
# Scenarios that are also tested with faults in reading calls.
READ_WAYS = (("once", "EIO"), ("once", "EMFILE"), ("short", "EIO"))
CANNOT_WRITE = 74
# An unreadable file may also be reported as damaged.
CANNOT_READ = (74, 65)


class Attempt:
    """One run with one fault, and the checks of what it left."""

    scenarios = SCENARIOS

    def __init__(self, place, name, start, number, kind, code, system, reads, slot):
        self.place, self.name, self.scenario, self.kind, self.reads = place, name, self.scenarios[name], kind, reads
        self.fault, self.failed = f"{kind} {code}, {system}", ""
        self.folder = self.path = place.copy(start, f"run{slot}") if start else place.empty(f"run{slot}")
        self.has_store = start is not None
        self.prepare(slot)
        self.count_file = os.path.join(place.folder, f"count{slot}")
        if os.path.exists(self.count_file):
            os.unlink(self.count_file)
        self.number = number
        self.faults = {
            "FAULT_AT": str(number), "FAULT_KIND": kind, "FAULT_ERRNO": str(getattr(errno, code)), "FAULT_UNDER": self.folder,
            "FAULT_COUNT": self.count_file, "FAULT_READS": str(int(reads))}
        self.system = system

    def prepare(self, slot):
        place, path = self.place, self.path
        self.scenario.prepare(place, path)
        self.before = place.head(path)
        if self.has_store:
            place.edit_by_hand(path)
            # A missing index may exist afterwards, with git's content.
            self.statuses = {place.status(path)}
            if not os.path.exists(os.path.join(path, ".git", "index")):
                index = {"GIT_INDEX_FILE": os.path.join(place.folder, f"index{slot}")}
                place.check(["git", "read-tree", "HEAD"], path, variables=index)
                self.statuses.add(place.check(["git", "--no-optional-locks", "status", "--porcelain"], path, variables=index))

    def run(self):
        words = [word.replace("{path}", self.path) for word in self.scenario.words]
        self.done = self.place.run(["settings", *words], self.path, faults=self.faults, system=self.system)
        with open(self.count_file) as stream:
            ends = [line.split() for line in stream]
        self.calls = max(int(end[0]) for end in ends)
        self.failed = " ".join(end[1] for end in ends if len(end) > 1)

    def __str__(self):
        return f"{self.name}, call {self.number} {self.failed}, {self.fault}"

    @property
    def was_killed(self):
        return self.done.returncode == 137

    def judge(self):
        """Raises `Wrong` if a guarantee was violated."""
        after = self.place.head(self.path)
        moved = after != self.before
        if self.done.returncode < 0 or self.done.returncode == 139:
            raise Wrong(f"crashed with {self.done.returncode}: {self.done.stderr.strip()}")
        if not self.was_killed:
            self.judge_words(moved)
        if self.kind == "short" and self.done.returncode != 0:
            raise Wrong(f"half of what was asked for is no failure, but exit status {self.done.returncode}: {self.done.stderr.strip()}")
        if moved and self.place.recorded.get(self.name, (None,))[0]:
            recorded = self.place.version(self.path)
            if recorded != self.place.recorded[self.name]:
                raise Wrong(f"recorded is {recorded}, not {self.place.recorded[self.name]}")
        if moved:
            parents = self.place.check(["git", "rev-list", "--parents", "-n", "1", "HEAD"], self.path).split()[1:]
            if parents[:1] != ([self.before] if self.before else []):
                raise Wrong(f"the version's parents are {parents}, not {self.before}")
        if self.kind == "once" and self.done.returncode != 0:
            self.expect_untouched()
        if self.kind == "once" and self.done.returncode == 0 and self.has_store and moved:
            self.expect_index()
        self.go_on(after, moved)

    def judge_words(self, moved):
        said = [line for line in self.done.stderr.splitlines() if line.startswith("settings: ")]
        status = self.done.returncode
        if status == 0:
            if self.scenario.makes_version and not moved:
                raise Wrong("reports success, and there is no version")
            if said:
                raise Wrong(f"reports success and an error: {said}")
            return
        if self.scenario.is_answer and not self.reads:
            raise Wrong(f"does without what it can't write, but exit status {status}: {said}")
        if status not in (CANNOT_READ if self.reads else (CANNOT_WRITE,)):
            raise Wrong(f"exit status {status}: {self.done.stderr.strip()}")
        if len(said) != 1:
            raise Wrong(f"{len(said)} errors for one: {self.done.stderr.strip()}")
        # If nothing can be written any more, the branch can't be moved back either: the error then says so.
        is_said = self.kind == "from" and moved and self.place.head(self.path)[:7] in said[0]
        if moved and not is_said:
            raise Wrong(f"reports failure ({said[0]}), and there is a version")

    def expect_untouched(self):
        """A failure left everything unchanged, before any repair."""
        if not self.has_store:
            left = sorted(name for name in os.listdir(self.path) if name != ".git" or not self.before)
            if left:
                raise Wrong(f"a failure left {left}")
            return
        status = self.place.status(self.path)
        if status not in self.statuses:
            raise Wrong(f"after a failure git status says: {status.strip()}")
        self.place.expect_no_lock(self.path)

    def expect_index(self):
        """Git's index is right; or status says that it isn't as long as nothing can be written, and completes it then."""
        place, path = self.place, self.path
        staged = ["git", "diff", "--cached", "--name-only"]
        if not place.check(staged, path):
            return
        always = self.faults | {"FAULT_AT": "1", "FAULT_KIND": "from", "FAULT_READS": "0"}
        told = place.run(["settings", "status", "--exit-code"], path, faults=always, system=self.system)
        if told.returncode != 1 or "not up to date here yet" not in told.stdout:
            raise Wrong(f"git's index is not up to date, and status exits with {told.returncode}: {told.stdout.strip()}")
        place.run(["settings", "status"], path)
        if left := place.check(staged, path).strip():
            raise Wrong(f"the next command left git's index behind: {left}")

    def go_on(self, after, moved):
        """The next command repairs everything."""
        place, path, scenario = self.place, self.path, self.scenario
        if self.was_killed and self.has_store:
            # Also one that only reads: git must not be kept waiting for a lock until somebody writes.
            place.run(["settings", "status"], path)
            place.expect_no_lock(path)
        if not self.has_store:
            place.check(["settings", "init", "--title", "T"], path)
            if not moved:
                after = place.head(path)
            place.check(["settings", "add", "x", "--title", "X", "--number", "1"], path)
        elif scenario.is_answer:
            again = place.check(["settings", *scenario.words], path)
            if again != place.answers[self.name] or self.done.returncode == 0 and self.done.stdout != again:
                raise Wrong("the answer is another one")
            place.check(["settings", "set", "a.choice", "--next", "-m", "next"], path)
        else:
            place.check(["settings", "set", "a.choice", "--next", "-m", "next"], path)
        if place.check(["git", "rev-parse", "HEAD~1"], path).strip() != after:
            raise Wrong("the next version does not stand on what was there")
        self.judge_files(moved)
        place.expect_sound(path, HAND_EDIT if self.has_store else "")
        if self.has_store:
            place.expect_edited_by_hand(path)

    def judge_files(self, moved):
        if not self.scenario.expected:
            return
        name, text = self.scenario.expected
        is_new = self.holds(name, text)
        if "--undo" in self.scenario.words:
            return self.judge_brought_back(is_new)
        if self.scenario.is_draft:
            if self.name == "done" and not moved:
                if not is_new:
                    raise Wrong("the hand edit is gone, and was not recorded")
                self.place.check(["settings", "done", "a.number", "-m", "again"], self.path)
            if self.name == "discard":
                if self.done.returncode == 0 and not is_new:
                    raise Wrong("reports success, and the edit is still there")
                if not is_new:
                    self.place.check(["settings", "discard", "a.number", "--quiet"], self.path)
                elif '"value": 12345' not in self.place.run(["git", "log", "-p", "--all"], self.path).stdout:
                    raise Wrong("what was discarded is not kept")
        elif not self.has_store:
            if not is_new:
                raise Wrong(f"{name} is missing")
        elif is_new != moved:
            raise Wrong(f"{name} {'is' if is_new else 'is not'} new, the version {'is' if moved else 'is not'}")

    def judge_brought_back(self, is_back):
        """The discarded edit is still there or can be restored; it is then discarded again."""
        if self.done.returncode == 0 and not is_back:
            raise Wrong("reports success, and the edit is not back")
        if not is_back:
            self.place.check(["settings", "discard", "--undo", "--quiet"], self.path)
        if not self.holds(*self.scenario.expected):
            raise Wrong("what was discarded is lost")
        self.place.check(["settings", "discard", "a.number", "--quiet"], self.path)

    def holds(self, name, text):
        try:
            with open(os.path.join(self.path, name)) as stream:
                return text is not None and text in stream.read()
        except FileNotFoundError:
            return text is None


def attempt(attempts, *arguments):
    """The number of calls, and what failed, if anything."""
    one = attempts(*arguments)
    one.run()
    try:
        one.judge()
    except Wrong as wrong:
        kept = os.path.join(one.place.folder, "wrong-" + "-".join(str(one).replace(",", "").split()))
        shutil.rmtree(kept, ignore_errors=True)
        os.rename(one.folder, kept)
        return one.calls, f"{one}: {wrong}"
    return one.calls, None


def ways(kinds, codes, systems):
    """(kind, code, system, reads) for each fault of a call that changes something."""
    # A program may retry forever after EINTR.
    return [
        (kind, code, system, False) for system in systems for kind in kinds
        for code in (codes if kind in ("once", "from", "half") else codes[:1]) if not (code == "EINTR" and kind == "from")]


def read_ways(codes, systems):
    """The same for all calls, including those that only read."""
    return [(kind, code, system, True) for system in systems for kind, code in READ_WAYS if code in codes]


def sweep(place, scenarios, ways, workers, share=1):
    """Yields (scenario, runs, calls, what broke). Each way tries every `share`-th call, and starts at a different one."""
    starts = {"usual": place.make("usual"), "empty": None}
    place.answers, place.recorded = {}, {}
    for name in scenarios:
        scenario = SCENARIOS[name]
        if scenario.start == "long" and "long" not in starts:
            starts["long"] = place.make_long("long")
        start = starts[scenario.start]
        if scenario.is_answer:
            place.answers[name] = place.check(["settings", *scenario.words], place.copy(start, "answer"))
        if start and scenario.makes_version:
            # A run without a fault.
            path = place.copy(start, "recorded")
            scenario.prepare(place, path)
            place.check(["settings", *[word.replace("{path}", path) for word in scenario.words]], path)
            place.recorded[name] = place.version(path)
        yield name, *sweep_one(Attempt, place, name, start, ways, workers, share)


def sweep_one(attempts, place, name, start, ways, workers, share):
    def all_calls(which, slot):
        number, runs, wrong, most = 1 + ways.index(which) % share, 0, [], 0
        while True:
            calls, fault = attempt(attempts, place, name, start, number, *which, slot)
            runs += 1
            if fault:
                wrong.append(fault)
            if calls < number:
                return runs, most, wrong
            most = max(most, number)
            number += share

    broken, runs, most = [], 0, 0
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        slots = [f"{name.replace(' ', '').replace(',', '-')}{index}" for index in range(len(ways))]
        for count, calls, wrong in pool.map(all_calls, ways, slots):
            runs, most, broken = runs + count, max(most, calls), broken + wrong
    return runs, most, broken
