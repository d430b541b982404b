"""Versions of 1, 60, 70 and 1,000 options beside git's upkeep in a loop, and writers that all have the process ID 1: every version
that a command acknowledged can be read at the end."""

import json
import os
import subprocess
import threading
import time

import surroundings

SIZES = (1, 60, 70, 1000)
KEYS = max(SIZES)
# Success, busy.
ANSWERS = (0, 75)
TASKS = [f"--task={name}" for name in ("loose-objects", "incremental-repack", "gc", "pack-refs", "commit-graph")]
UPKEEP = {
    "repack -ad": [["git", "repack", "-a", "-d", "-q"]],
    "gc": [["git", "gc", "-q"]],
    "prune-packed": [["git", "repack", "-d", "-q"], ["git", "prune-packed", "-q"]],
    "multi-pack-index": [
        ["git", "repack", "-d", "-q"], ["git", "multi-pack-index", "write"],
        ["git", "multi-pack-index", "repack", "--batch-size=1m"], ["git", "multi-pack-index", "expire"]],
    "maintenance run": [["git", "maintenance", "run", "--quiet", *TASKS]],
    "maintain, repack": [["settings", "maintain", "--quiet"], ["git", "repack", "-a", "-d", "-q"]],
    "gc --prune=now": [["git", "gc", "-q", "--prune=now"]],
}
# It removes what no reference leads to yet, also of plain git's own versions.
UNSAFE = ("gc --prune=now",)
APART = ["unshare", "-p", "-f", "--mount-proc"]


def can_be_apart():
    """Whether this user can make process namespaces, as containers have them."""
    try:
        return subprocess.run([*APART, "true"], capture_output=True).returncode == 0
    except OSError:
        return False


class Campaign:
    """A store with several work trees on branches of their own, a writer in each, and a process that does the upkeep."""

    def __init__(self, place, name, upkeep, is_plain=False, is_apart=False):
        self.place, self.upkeep, self.is_plain, self.is_apart = place, upkeep, is_plain, is_apart
        self.path = place.make(name)
        self.acknowledged, self.refused, self.rounds, self.ended = [], {}, 0, threading.Event()
        self.refusals, self.failures = [], 0
        self.lock = threading.Lock()
        self.holds = not is_plain and not is_apart
        options = {f"k{number}": "start" for number in range(KEYS)}
        with open(self.path + ".json", "w") as stream:
            json.dump(options, stream)
        place.check(["settings", "import", self.path + ".json", "--into", "many", "-m", "start", "-q"], self.path)
        place.check(["git", "repack", "-a", "-d", "-q"], self.path)
        # Two processes must meet by chance where nothing holds them up.
        self.sizes = SIZES[2:] if is_apart else SIZES
        self.trees = [self.path]
        for number in range(3 if is_apart else 1):
            self.trees.append(surroundings.empty(f"{self.path}.side{number}"))
            place.check(["git", "worktree", "add", "-q", "-b", f"side{number}", self.trees[-1]], self.path)

    def run(self, seconds):
        threads = [threading.Thread(target=self.write, args=(number,)) for number in range(len(self.trees))]
        if self.upkeep:
            threads.append(threading.Thread(target=self.maintain))
        threads += [threading.Thread(target=self.hold, args=(number,)) for number in range(len(self.trees)) if self.holds]
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        self.ended.set()
        for thread in threads:
            thread.join()
        return self.lost()

    def maintain(self):
        while not self.ended.is_set():
            for words in self.upkeep:
                self.failures += self.place.run(words, self.path, timeout=300).returncode != 0
            self.rounds += 1

    def hold(self, number):
        """Holds git's lock of an index again and again, as `git commit` does with an editor: a version waits for it with its
        objects written and its branch not moved."""
        folder = self.place.check(["git", "rev-parse", "--absolute-git-dir"], self.trees[number]).strip()
        while not self.ended.wait(0.05):
            try:
                os.close(os.open(folder + "/index.lock", os.O_CREAT | os.O_EXCL))
            except OSError:
                continue
            self.ended.wait(0.2)
            os.remove(folder + "/index.lock")

    def write(self, number):
        turn = 0
        while not self.ended.is_set():
            turn += 1
            size, text = self.sizes[turn % len(self.sizes)], f"{number} {turn}"
            made = (self.commit if self.is_plain else self.set)(self.trees[number], size, text)
            if made:
                with self.lock:
                    self.acknowledged.append((made, size, text))

    def set(self, tree, size, text):
        pairs = [word for number in range(size) for word in (f"many.k{number}", text)]
        program = [*APART, self.place.program] if self.is_apart else ["settings"]
        done = self.place.run([*program, "set", *pairs, "-m", text, "--json"], tree, timeout=300)
        if done.returncode != 0:
            return self.refuse(done)
        answer = json.loads(done.stdout)
        return answer["version"]["id"] if answer["status"] == "recorded" else None

    def commit(self, tree, size, text):
        """The same by plain git."""
        for number in range(size):
            path = os.path.join(tree, "many", f"k{number}.json")
            with open(path) as stream:
                option = json.load(stream)
            with open(path, "w") as stream:
                json.dump({**option, "value": text}, stream, indent=2)
        for words in (["git", "add", "many"], ["git", "commit", "-q", "-m", text]):
            done = self.place.run(words, tree, timeout=300)
            if done.returncode != 0:
                return self.refuse(done)
        return self.place.head(tree)

    def refuse(self, done):
        with self.lock:
            self.refused[done.returncode] = self.refused.get(done.returncode, 0) + 1
            if done.returncode not in ANSWERS:
                self.refusals.append(f"exit {done.returncode}: {done.stderr.strip()[:300]}")

    def lost(self):
        """What cannot be read any more of what was acknowledged."""
        broken = []
        for made, size, text in self.acknowledged:
            keys = [f"many.k{number}" for number in sorted({0, size - 1})]
            done = self.place.run(["settings", "get", *keys, "--at", made], self.path)
            if done.returncode != 0 or set(done.stdout.split("\n")) - {""} != {text}:
                broken.append(f"{made[:12]} of {size} cannot be read: {(done.stdout + done.stderr).strip()[:200]}")
        history = set(self.place.run(["git", "rev-list", "--all"], self.path).stdout.split())
        broken += [f"{made[:12]} is in no history" for made, _, _ in self.acknowledged if made not in history]
        fsck = self.place.run(["git", "fsck", "--full", "--strict", "--no-dangling", "--no-progress"], self.path, timeout=300)
        if fsck.returncode != 0 or fsck.stdout + fsck.stderr:
            broken.append(f"git fsck: {(fsck.stdout + fsck.stderr).strip()[:300]}")
        left = [name for name in os.listdir(self.path + "/.git/objects/pack") if name.endswith(".keep")]
        if left and not self.is_plain:
            broken.append(f"left in the folder of packs: {left}")
        return broken
