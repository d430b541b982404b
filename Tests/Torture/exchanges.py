"""Faults in `settings sync` and its like, and in the git that they start: whatever fails, nothing is lost, and the same command
goes on from there."""

import dataclasses
import os
import re
import shutil

import faults
from stores import Wrong


@dataclasses.dataclass
class Exchange:
    words: list
    # What the store and the remote repository look like before; see `starts`.
    start: str
    # Whose calls fail: those of `settings` itself, or those of each git that it starts.
    program: str = "settings"
    # The exit status without a fault.
    status: int = 0
    makes: str = None

    def by_git(self):
        return dataclasses.replace(self, program="git")


SYNC = {
    "sync": Exchange(["sync"], "diverged"),
    "sync, question": Exchange(["sync"], "asked", status=2),
    "sync, nothing new": Exchange(["sync"], "same"),
    "sync --follow": Exchange(["sync", "--follow"], "rewound"),
    "sync --put-back": Exchange(["sync", "--put-back"], "rewound"),
    "pull": Exchange(["pull"], "behind"),
    "pull, untagged": Exchange(["pull"], "untagged"),
    "pull, edited": Exchange(["pull"], "edited"),
    "push": Exchange(["push"], "ahead"),
    "remote rename": Exchange(["remote", "rename", "origin", "other"], "same"),
    "remote remove": Exchange(["remote", "remove", "origin"], "same"),
    "clone": Exchange(["clone", "bare.git", "copy"], "behind", makes="copy"),
    "clone --bare": Exchange(["clone", "--bare", "bare.git", "copy.git"], "behind", makes="copy.git"),
    "bundle": Exchange(["bundle", "../copy.bundle"], "same", makes="copy.bundle"),
}
SCENARIOS = {**SYNC, **{f"{name}: git": SYNC[name].by_git() for name in ("sync", "push", "clone", "clone --bare", "bundle")}}
# A program that can't write says so; where git can't, what it says decides.
STATUSES = {"settings": (74,), "git": (65, 74, 75, 77)}


def starts(place):
    """Folders with a store and its remote repository, by what the two have in common."""
    folder = place.empty("exchange")
    store, other = os.path.join(folder, "store"), os.path.join(folder, "other")
    os.rename(place.make("exchange-first"), store)
    place.check(["git", "init", "-q", "--bare", "-b", "main", "bare.git"], folder)
    place.check(["settings", "remote", "add", "origin", "../bare.git"], store)
    place.check(["settings", "push", "-q"], store)
    place.check(["settings", "clone", "-q", "bare.git", "other"], folder)
    place.check(["git", "remote", "set-url", "origin", "../bare.git"], other)
    ours = ["set", "a.number", "777", "-m", "why"]
    theirs = ["set", "b.other", "theirs", "-m", "why"]
    made = {
        "same": ([], []), "ahead": ([ours], []), "behind": ([], [theirs, ["set", "a.number", "778"]]), "diverged": ([ours], [theirs]),
        "asked": ([["set", "b.other", "ours"]], [theirs]), "edited": ([], [["define", "hand", "--title", "Handed"], theirs]),
        "rewound": ([], []), "untagged": ([], [theirs]),
    }
    found = {}
    for name, (here, there) in made.items():
        found[name] = path = place.copy(folder, f"exchange-{name}")
        for words in here:
            place.check(["settings", *words], os.path.join(path, "store"))
        for words in there:
            place.check(["settings", *words], os.path.join(path, "other"))
        if there and name != "untagged":
            place.check(["settings", "tag", "theirs"], os.path.join(path, "other"))
        place.check(["settings", "push", "-q"], os.path.join(path, "other"))
        if name == "rewound":
            place.check(["git", "update-ref", "refs/heads/main", "main~1"], os.path.join(path, "bare.git"))
        place.run(["rm", "-rf", "other"], path)
    return found


class Attempt(faults.Attempt):
    """One run with one fault."""

    scenarios = SCENARIOS
    # The state that each scenario ends with if nothing fails.
    expected = {}

    def prepare(self, slot):
        self.path = os.path.join(self.folder, "store")
        self.place.edit_by_hand(self.path)
        self.before = self.place.head(self.path)
        self.bare = os.path.join(self.folder, "bare.git")
        self.bare_before = self.place.head(self.bare)
        self.there = set(os.listdir(self.folder))

    @property
    def where(self):
        return self.folder if self.scenario.words[0] == "clone" else self.path

    def run(self):
        self.faults["FAULT_PROGRAM"] = self.scenario.program
        self.done = self.place.run(["settings", *self.scenario.words], self.where, faults=self.faults, system=self.system)
        self.calls = 0
        if os.path.exists(self.count_file):
            with open(self.count_file) as stream:
                ends = [line.split() for line in stream]
            self.calls = max(int(end[0]) for end in ends)
            self.failed = " ".join(end[1] for end in ends if len(end) > 1)

    def judge(self):
        if self.done.returncode < 0 or self.done.returncode == 139:
            raise Wrong(f"crashed with {self.done.returncode}: {self.done.stderr.strip()}")
        if not self.was_killed:
            self.judge_words()
        self.go_on()

    def judge_words(self):
        said = [line for line in self.done.stderr.splitlines() if line.startswith("settings: ")]
        status = self.done.returncode
        if status == self.scenario.status:
            if said:
                raise Wrong(f"reports success and an error: {said}")
            self.expect_end()
            return self.expect_tidy()
        allowed = STATUSES[self.scenario.program] + (faults.CANNOT_READ if self.reads else ())
        if status not in allowed or len(said) != 1:
            raise Wrong(f"exit status {status}: {self.done.stderr.strip()}")
        if self.kind == "once" and not self.waits_for_the_next:
            self.expect_tidy()
            self.place.expect_edited_by_hand(self.path)
            self.place.expect_no_lock(self.path)

    @property
    def waits_for_the_next(self):
        """Whether hand edits could not be laid on the files: the next command does that."""
        return os.path.exists(os.path.join(self.path, ".git", "settings", "aside"))

    def go_on(self):
        """The same command again ends as if nothing had failed."""
        if self.was_killed:
            self.place.run(["settings", "status"], self.path)
            self.place.expect_no_lock(self.path)
        made = self.scenario.makes and os.path.join(self.folder, self.scenario.makes)
        if made and os.path.isdir(made):
            # Killed behind the last step: what is there is whole.
            is_bare = "--bare" in self.scenario.words
            self.place.check(["git", "fsck", "--strict"] if is_bare else ["settings", "verify"], made)
            if is_bare and self.place.head(made) != self.bare_before:
                raise Wrong("the bare copy has another last version")
            if self.scenario.words[0] == "clone":
                # What was left beside it goes with the next one.
                self.place.check(["settings", "clone", "-q", self.bare, "next"], self.folder)
                shutil.rmtree(os.path.join(self.folder, "next"))
        elif not self.is_done:
            done = self.place.run(["settings", *self.scenario.words], self.where)
            while done.returncode == 75 and (lock := re.search(r"'([^']*/bare\.git/[^']*\.lock)': File exists", done.stderr)):
                # git could not remove its own on the server: a person has to.
                os.remove(lock.group(1))
                done = self.place.run(["settings", *self.scenario.words], self.where)
            # A question is told by the run that brought it; afterwards it is open.
            asked = self.scenario.status == 2 and done.returncode == 0
            if asked and self.place.run(["settings", "conflicts"], self.path).returncode != 2:
                raise Wrong("the question is lost")
            if done.returncode != self.scenario.status and not asked:
                raise Wrong(f"the next one exits with {done.returncode}: {done.stderr.strip()}")
        self.expect_end()
        self.expect_tidy(is_next=True)
        self.place.check(["settings", "set", "a.choice", "--next", "-m", "next"], self.path)
        self.place.expect_sound(self.path, faults.HAND_EDIT)
        self.place.expect_edited_by_hand(self.path)
        self.place.check(["git", "fsck", "--strict", "--no-dangling", "--no-progress"], self.bare)

    @property
    def is_done(self):
        """Whether a command that can't be repeated has done its work."""
        if self.scenario.words[0] != "remote":
            return False
        return "origin" not in self.place.check(["git", "remote"], self.path).split() and not self.expect_end(only_telling=True)

    def expect_end(self, only_telling=False):
        state, expected = self.state(), self.expected.get(self.name)
        if expected is None:
            self.expected[self.name] = state
            return None
        wrong = [f"{name}: {difference(state[name], expected[name])}" for name in expected if state[name] != expected[name]]
        if only_telling:
            return wrong
        if wrong:
            raise Wrong("; ".join(wrong))
        return None

    def state(self):
        """What does not depend on times."""
        place, path = self.place, self.path
        log = ["git", "log", "--format=%T %s", "main"]
        conflicts = place.run(["settings", "conflicts"], path)
        end = {
            "the history": place.check(log, path).splitlines(),
            "the remote's history": place.check(log, self.bare).splitlines(),
            "the tags": place.check(["git", "tag"], path), "the remote's tags": place.check(["git", "tag"], self.bare),
            "status": place.status(path), "conflicts": conflicts.returncode,
            "the configuration": sorted(place.check(["git", "config", "--local", "--list"], path).splitlines()),
            "references": sorted(
                line.split()[1].split("/dropped/")[0] for line in place.check(["git", "show-ref"], path).splitlines()
                if "/discarded/" not in line),
            "the folder": sorted(os.listdir(self.folder)),
        }
        return end

    def expect_tidy(self, is_next=False):
        """Nothing is left that nobody removes."""
        own = os.path.join(self.path, ".git", "settings")
        # What could not be removed is still there; the next one takes it away.
        passing = ["courier."] if is_next or "remove" not in self.failed else []
        passing += ["new-"] if "unlink" not in self.failed else []
        left = [name for name in os.listdir(own) if name.startswith(tuple(passing))]
        if "unlink" not in self.failed:
            left += [name for name in os.listdir(own) if name.endswith(".work")]
        for folder in (os.path.join(self.path, ".git", "objects"), os.path.join(self.path, ".git", "objects", "pack")):
            left += [name for name in os.listdir(folder) if name.startswith("tmp")]
        allowed = self.there | {self.scenario.makes}
        left += [name for name in os.listdir(self.folder) if name not in allowed]
        if left:
            raise Wrong(f"{left} was left")


def difference(found, expected):
    if not isinstance(found, list):
        return f"{found!r}, not {expected!r}"
    return f"{[one for one in found if one not in expected]}, not {[one for one in expected if one not in found]}"


def sweep(place, names, ways, workers, share=1):
    """As `faults.sweep`."""
    made = starts(place)
    for name in names:
        start = made[SCENARIOS[name].start]
        first = Attempt(place, name, start, 0, "once", "EIO", None, False, "first")
        first.run()
        if first.done.returncode != SCENARIOS[name].status:
            raise Wrong(f"{name}: exit {first.done.returncode}: {first.done.stderr.strip()}")
        first.expect_end()
        yield name, *faults.sweep_one(Attempt, place, name, start, ways, workers, share)
