"""Machines that share a bare repository: each records versions and exchanges them without a pause, some with plain git."""

import collections
import json
import os
import random
import re
import subprocess
import threading

from stores import Wrong

CHOICES = ("a.choice", "general.language", "general.town")
# How each of the four machines exchanges versions: by 'settings sync', or by plain git in a clone that merges settings by
# meaning, or in one that knows nothing of them, as a colleague may.
CREWS = {
    "sync": ("sync", "sync", "sync", "sync"),
    "sync and rebase": ("sync", "sync", "sync", "rebase"),
    "sync and merge": ("sync", "sync", "sync", "merge"),
    "sync and plain text": ("sync", "sync", "rebase", "text"),
}


class Machine:
    """A clone, and the person who works in it."""

    def __init__(self, place, folder, name, way, seed):
        self.place, self.folder, self.name, self.way = place, folder, name, way
        self.path = os.path.join(folder, name)
        self.chance = random.Random(f"{seed} {name}")
        self.variables = {
            f"GIT_{who}_{what}": text for who in ("AUTHOR", "COMMITTER")
            for what, text in (("NAME", name.title()), ("EMAIL", f"{name}@example.org"))}
        self.dones, self.given_up, self.broken, self.count = [], set(), [], 0
        self.figures = collections.Counter()
        remote = os.path.join(folder, "bare.git")
        if way == "text":
            place.check(["git", "clone", "-q", remote, self.path], folder)
        else:
            place.check(["settings", "clone", "-q", remote, self.path], folder)

    def run(self, *words):
        return self.place.run(list(words), self.path, variables=self.variables, timeout=600)

    def git(self, *words):
        return self.run("git", "-c", "core.editor=true", *words)

    def option(self, key):
        with open(os.path.join(self.path, key.replace(".", "/") + ".json"), encoding="utf-8") as stream:
            return json.load(stream)

    def record(self, *words, allowed=(0,)):
        """Runs a command that records a version, whose reason is a text that no other has."""
        self.count += 1
        mark = f"{self.name}-{self.count}"
        done = self.run("settings", *words, "-m", mark, "--json")
        if done.returncode not in allowed:
            self.broken.append(f"{' '.join(words)}: exit {done.returncode}: {done.stderr.strip()}")
        elif done.returncode == 0 and json.loads(done.stdout)["status"] == "recorded":
            self.dones.append(mark)
            self.figures[words[0]] += 1

    def act(self):
        """One thing that a person may do."""
        key, what = self.chance.choice(CHOICES), self.chance.random()
        option = self.option(key)
        labels, chosen = option["labels"], option["selected"]
        others = [label for place, label in enumerate(labels) if place != chosen]
        if what < 0.25:
            return self.record("set", f"own.{self.name}+=1")
        if what < 0.5:
            return self.record("set", f"{key}={self.chance.choice(others)}")
        if what < 0.6:
            # 1: nothing is left to undo, or the latest version is a merge that decided something; 2: it was changed since.
            return self.record("undo", allowed=(0, 1, 2))
        if what < 0.7:
            return self.resolve()
        if what < 0.8 or len(labels) < 4:
            return self.record("label", "add", key, f"{self.name} {self.count}", "--at", str(self.chance.randint(0, len(labels))))
        if what < 0.87:
            return self.record("label", "rename", key, self.chance.choice(labels), f"{self.name} says {self.count}")
        if what < 0.94:
            return self.record("label", "move", key, self.chance.choice(labels), str(self.chance.randrange(len(labels))))
        return self.record("label", "remove", key, self.chance.choice(others))

    def conflicts(self):
        done = self.run("settings", "conflicts", "--json")
        # 2: there are some.
        if done.returncode not in (0, 2):
            raise Wrong(f"conflicts: exit {done.returncode}: {done.stderr.strip()}")
        return json.loads(done.stdout)["conflicts"]

    def resolve(self):
        conflicts = self.conflicts()
        if conflicts:
            one = self.chance.choice(conflicts)
            # 2: that side would not fit what was recorded since.
            self.record("resolve", f"{one['key']}:{one['facet']}", self.chance.choice(("--ours", "--theirs")), allowed=(0, 2))

    def work(self, rounds):
        try:
            for _ in range(rounds):
                for _ in range(self.chance.randint(0, 3)):
                    self.act()
                self.exchange()
        except Exception as error:  # In a thread of its own nobody else would report it.
            self.broken.append(f"{type(error).__name__}: {error}")

    # How versions are exchanged.

    def exchange(self):
        """Whether anything moved."""
        return self.sync() if self.way == "sync" else self.pull_and_push()

    def sync(self):
        if self.chance.random() < 0.15:
            self.be_killed()
        done = self.run("settings", "sync", "--json")
        if done.returncode == 75 and "try again" in done.stderr + done.stdout:
            self.figures["beaten for good"] += 1
            return True
        if done.returncode not in (0, 2):
            self.broken.append(f"sync: exit {done.returncode}: {done.stderr.strip()} {done.stdout[:300]}")
            return False
        report = json.loads(done.stdout)
        if "error" in report:
            self.broken.append(f"sync: exit {done.returncode}: {report['error']}")
            return False
        self.figures["beaten"] += report["tries"] - 1
        return report["inCount"] + report["outCount"] > 0

    def be_killed(self):
        """A sync that is killed at a random moment; what git does for it may go on."""
        child = subprocess.Popen(
            [self.place.program, "sync"], cwd=self.path, env=self.place.variables(variables=self.variables),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            child.wait(self.chance.uniform(0, 0.3))
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            self.figures["killed"] += 1

    def pull_and_push(self):
        before = self.place.head(self.path)
        for _ in range(20):
            if self.way == "rebase":
                self.pull_by_rebase()
            else:
                self.pull_by_merge()
            pushed = self.git("push", "-q", "origin", "main")
            if pushed.returncode == 0:
                break
            self.figures["beaten, plain git"] += 1
        return self.place.head(self.path) != before

    def pull_by_rebase(self):
        done = self.git("pull", "--rebase")
        while True:
            # Somebody else made the same change, so that git leaves it out.
            for one in re.findall(r"(?:dropping|skipped previously applied commit) ([0-9a-f]+)", done.stderr + done.stdout):
                self.give_up("-1", one)
            if done.returncode == 0:
                return
            if not self.git("rev-parse", "-q", "--verify", "REBASE_HEAD").stdout:
                raise Wrong(f"git pull --rebase: {done.stderr.strip()}")
            # A person takes what is published.
            self.take("--ours")
            if self.git("diff", "--cached", "--quiet").returncode == 0:
                self.give_up("-1", "REBASE_HEAD")
                done = self.git("rebase", "--skip")
            else:
                done = self.git("rebase", "--continue")

    def pull_by_merge(self):
        done = self.git("pull", "-q", "--no-rebase", "--no-edit")
        if done.returncode != 0:
            if not self.git("rev-parse", "-q", "--verify", "MERGE_HEAD").stdout:
                raise Wrong(f"git pull: {done.stderr.strip()}")
            self.take("--theirs")
            self.place.check(["git", "commit", "-q", "--no-edit"], self.path, variables=self.variables)
        if self.way == "text" and self.run("settings", "verify").returncode != 0:
            # What `settings setup --ci` would refuse on a host.
            self.figures["texts merged badly"] += 1
            self.give_up("origin/main..HEAD")
            self.place.check(["git", "reset", "-q", "--hard", "origin/main"], self.path)

    def take(self, side):
        self.figures["conflicts of plain git"] += 1
        for line in self.git("status", "--porcelain").stdout.splitlines():
            if line[:2] in ("UU", "AA"):
                self.place.check(["git", "checkout", "-q", side, "--", line[3:]], self.path)
                self.place.check(["git", "add", "--", line[3:]], self.path)

    def give_up(self, *versions):
        self.given_up.update(marks(self.place.check(["git", "log", "--format=%B", *versions], self.path)))


def marks(messages):
    """The reasons, each in a line of its own."""
    return re.findall(r"^[a-z]+-\d+$", messages, re.MULTILINE)


def crew(place, name, rounds, seed):
    """Returns figures of four machines, and what failed."""
    machines = prepare(place, CREWS[name], seed)
    hands = [machine.path for machine in machines if machine.way == "sync"]
    for path in hands:
        place.edit_by_hand(path)
    threads = [threading.Thread(target=machine.work, args=(rounds,)) for machine in machines]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for _ in range(30):
        if not any([machine.exchange() for machine in machines]):
            break
    figures = collections.Counter()
    for machine in machines:
        figures.update(machine.figures)
    broken = [f"{machine.name}: {words}" for machine in machines for words in machine.broken]
    for check in (expect_same, expect_dones, lambda all: Story(place, all[0].path).judge(all)):
        try:
            broken += check(machines) or []
        except Wrong as wrong:
            broken.append(str(wrong))
    return figures, [f"{name}, seed {seed}: {words}" for words in broken]


def prepare(place, ways, seed):
    first = place.make("machines")
    # Of nobody's who undoes.
    author = ["--author", "Eva <eva@example.org>"]
    for key in CHOICES[1:]:
        place.check(["settings", "add", key, "--title", key, "--choice", "One", "Two", "Three", "Four", *author], first)
    names = ("ada", "bob", "cem", "dora")
    for name in names:
        place.check(["settings", "add", f"own.{name}", "--title", name, "--number", "0", *author], first)
    folder = place.empty("crew")
    place.check(["git", "init", "-q", "--bare", "-b", "main", "bare.git"], folder)
    place.check(["git", "remote", "add", "origin", os.path.join(folder, "bare.git")], first)
    place.check(["settings", "push", "-q"], first)
    return [Machine(place, folder, name, way, seed) for name, way in zip(names, ways)]


def expect_same(machines):
    """The same tip everywhere, and nothing is left of the exchange."""
    place = machines[0].place
    paths = [machine.path for machine in machines]
    tips = {place.check(["git", "rev-parse", "main"], path) for path in paths + [os.path.join(machines[0].folder, "bare.git")]}
    broken = [] if len(tips) == 1 else [f"{len(tips)} different tips"]
    for machine in machines:
        if machine.way == "sync":
            place.expect_edited_by_hand(machine.path)
        place.expect_sound(machine.path, " M hand.json\n" if machine.way == "sync" else "")
        own = os.path.join(machine.path, ".git", "settings")
        left = [name for name in os.listdir(own) if name.startswith("courier.")] if os.path.isdir(own) else []
        if left:
            broken.append(f"{machine.name}: {left} was left")
    place.check(["git", "fsck", "--strict", "--no-dangling"], os.path.join(machines[0].folder, "bare.git"))
    return broken


def expect_dones(machines):
    """Every version that a command reported is in the history exactly once, unless its person gave it up."""
    place = machines[0].place
    seen = collections.Counter(marks(place.check(["git", "log", "--format=%B", "main"], machines[0].path)))
    return [
        f"{mark} was reported as recorded and is {seen[mark]} times in the history" for machine in machines
        for mark in machine.dones if seen[mark] != 1 and not (mark in machine.given_up and seen[mark] == 0)]


class Story:
    """The whole history of the choices, read without the program."""

    def __init__(self, place, path):
        self.place, self.path = place, path
        log = place.check(["git", "log", "--reverse", "--topo-order", "--format=%H %P%x01%B%x00", "main"], path)
        self.parents, self.messages = {}, {}
        for entry in log.split("\0"):
            head, _, message = entry.strip().partition("\1")
            if head:
                one, *parents = head.split()
                self.parents[one], self.messages[one] = parents, message
        self.values = {key: self.read(key) for key in CHOICES}

    def read(self, key):
        """The value of an option in each version; None where it has none."""
        path = key.replace(".", "/") + ".json"
        done = subprocess.run(
            ["git", "cat-file", "--batch=%(objectsize)"], cwd=self.path, env=self.place.environment, capture_output=True,
            input="".join(f"{one}:{path}\n" for one in self.parents).encode(), check=True).stdout
        found, position = {}, 0
        for one in self.parents:
            end = done.index(b"\n", position)
            first = done[position:end].split()
            position = end + 1
            found[one] = None
            if first[-1] != b"missing":
                size = int(first[0])
                found[one] = json.loads(done[position:position + size])["value"]
                position += size + 1
        return found

    def judge(self, machines):
        broken, asked = [], []
        for one, parents in self.parents.items():
            if len(parents) > 1:
                for key in CHOICES:
                    broken += self.judge_merge(one, parents, key)
                asked += [(one, *words) for words in re.findall(r"^Conflict: (\S+) (.+)$", self.messages[one], re.MULTILINE)]
        return broken + self.judge_questions(asked, machines) + self.judge_values(machines)

    def judge_merge(self, one, parents, key):
        values = self.values[key]
        base = self.place.check(["git", "merge-base", *parents], self.path).strip()
        was, ours, theirs, merged = values[base], *(values[parent] for parent in parents), values[one]
        where = f"{key} in the merge {one[:7]}"
        if ours == theirs or was in (ours, theirs):
            expected = theirs if was == ours else ours
            # Ours was chosen from a label that is gone from theirs: a question. And who merges by hand may take a whole file.
            is_theirs = not self.by_settings(one) or f"Conflict: {key} value" in self.messages[one]
            if merged != expected and not (is_theirs and merged == theirs):
                return [f"{where} is {merged}, not {expected}"]
        elif merged not in (ours, theirs):
            return [f"{where} is {merged}, which neither side chose"]
        elif self.by_settings(one) and merged != theirs:
            return [f"{where} is {merged}, not {theirs}, which was published"]
        elif self.by_settings(one) and f"Conflict: {key} value" not in self.messages[one]:
            return [f"{where}: both sides chose, and there is no question"]
        return []

    def by_settings(self, one):
        return "\nVia: " in self.messages[one]

    def judge_questions(self, asked, machines):
        """A question is open until somebody changed what it is about."""
        open_ones = {(one["merge"]["id"], one["key"], one["facet"]) for one in machines[0].conflicts()}
        broken = []
        for machine in machines[1:]:
            if {(one["merge"]["id"], one["key"], one["facet"]) for one in machine.conflicts()} != open_ones:
                broken.append(f"{machine.name} and {machines[0].name} differ on the open questions")
        for merge, key, facet in asked:
            if (merge, key, facet) not in open_ones and not self.was_changed(merge, key, facet):
                broken.append(f"the question about {key} {facet} of {merge[:7]} is lost")
        return broken

    def was_changed(self, merge, key, facet):
        """Whether a version that the merge did not know changed the option, or decided for what was in force."""
        path = key.replace(".", "/") + ".json"
        if f"\nResolves: {key} {facet}\n" in self.place.check(["git", "log", "--format=%B%n", f"{merge}..main"], self.path):
            return True
        # There and back on one side is a change, too.
        later = self.place.check(
            ["git", "log", "--format=%H", "--no-merges", "--full-history", f"{merge}..main", "--", path], self.path).split()
        return bool(later) if facet != "value" or key not in CHOICES else any(
            self.values[key][one] != self.values[key][self.parents[one][0]] for one in later)

    def judge_values(self, machines):
        broken = []
        for machine in machines:
            for key in CHOICES:
                option = machine.option(key)
                said = self.place.check(["settings", "get", key], machine.path).strip()
                label = self.place.check(["settings", "get", "--label", key], machine.path).strip()
                if said != option["value"] or label != option["labels"][option["values"].index(said)]:
                    broken.append(f"{machine.name}: get says {said} and {label}, the file {option}")
        return broken
