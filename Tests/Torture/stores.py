"""The stores under test, and the checks afterwards."""

import glob
import os
import re
import time

import surroundings
from surroundings import Wrong

# Syncing depends on the file system: the magic numbers of btrfs, which has no special handling, and XFS.
SYSTEMS = {"strict": "0x9123683E", "fast": "0x58465342"}


class Place:
    """The folder of the stores, and the program under test."""

    def __init__(self, program, folder, shim=None):
        self.program, self.folder, self.shim = program, folder, shim
        self.environment = surroundings.environment(os.path.join(folder, "home"))

    def environment_of(self, system):
        """None: the actual file system."""
        return {**self.environment, **({"LD_PRELOAD": self.shim, "FAULT_SYSTEM": SYSTEMS[system]} if system else {})}

    def run(self, words, folder, text=None, timeout=60, **more):
        """The program itself where the first word is `settings`, else what the word says."""
        return surroundings.run(self.words(words), folder, self.variables(**more), text, timeout)

    def check(self, words, folder, text=None, timeout=60, **more):
        return surroundings.check(self.words(words), folder, self.variables(**more), text, timeout)

    def words(self, words):
        return [self.program if word == "settings" else word for word in words[:1]] + words[1:]

    def variables(self, faults=None, system=None, variables=None):
        preloaded = {**faults, "LD_PRELOAD": self.shim} if faults else {}
        return {**self.environment_of(system), **(variables or {}), **preloaded}

    def make(self, name):
        """A store with a few options and versions."""
        path = self.empty(name)
        for command in (
            ["init", "--quiet", "--title", "Torture"],
            ["add", "a.number", "--title", "Number", "--number", "1"],
            ["add", "a.choice", "--title", "Choice", "--choice", "One", "Two", "Three"],
            ["add", "b.other", "--title", "Other", "--text", "x"],
            ["add", "hand", "--title", "Hand", "--text", "x"],
            ["set", "a.number", "2", "-m", "why"],
            ["set", "a.number", "3", "a.choice", "Two", "-m", "why"],
            ["tag", "start"],
        ):
            self.check(["settings", *command], path)
        return path

    def make_long(self, name):
        """As `make`, with so many versions that queries write an index."""
        path = self.make(name)
        for number in range(70):
            self.check(["settings", "set", "a.number", str(number + 10), "--quiet"], path)
        return path

    def empty(self, name):
        return surroundings.empty(os.path.join(self.folder, name))

    def edit_by_hand(self, path):
        """Edits a file by hand, without recording the edit."""
        with open(os.path.join(path, "hand.json")) as stream:
            text = stream.read().replace('"value": "x"', '"value": "by hand"')
        with open(os.path.join(path, "hand.json"), "w") as stream:
            stream.write(text)

    def expect_edited_by_hand(self, path):
        with open(os.path.join(path, "hand.json")) as stream:
            if '"value": "by hand"' not in stream.read():
                raise Wrong("the hand edit is gone")
        if '"value": "x"' not in self.check(["git", "show", "HEAD:./hand.json"], path):
            raise Wrong("the hand edit was recorded")

    def head(self, path):
        done = self.run(["git", "rev-parse", "--verify", "-q", "HEAD"], path)
        return done.stdout.strip() or None

    def version(self, path):
        """The files and the message of the last version, but for what depends on its time, and its folder."""
        text = self.check(["git", "log", "-1", "--format=%T%n%B"], path)
        text = re.sub(r"\nChange-Id: I[0-9a-f]{40}", "", text)
        text = text.replace(path, "{path}").replace(os.path.basename(path) + ".json", "{path}.json")
        return tuple(text.rstrip().split("\n"))

    def status(self, path):
        return self.check(["git", "--no-optional-locks", "status", "--porcelain"], path)

    def copy(self, template, name):
        return surroundings.copy(template, os.path.join(self.folder, name))

    def expect_no_lock(self, path):
        for folder, _, names in os.walk(os.path.join(path, ".git")):
            for name in names:
                if name.endswith(".lock"):
                    raise Wrong(f"a lock was left: {os.path.relpath(os.path.join(folder, name), path)}")

    def expect_sound(self, path, expected=""):
        """Checks any store after the next command, whatever happened before. `expected`: hand edits."""
        status = self.status(path)
        if status != expected:
            raise Wrong(f"git status: {status.strip()}")
        words = ["git", "fsck", "--full", "--strict", "--no-dangling", "--no-progress"]
        fsck = self.run(words, path)
        if fsck.returncode != 0:
            # Upkeep in the background packs objects while git reads them one by one.
            for _ in range(600):
                if not glob.glob(os.path.join(path, "**", ".git", "gc.pid"), recursive=True):
                    break
                time.sleep(0.1)
            fsck = self.run(words, path)
        said = (fsck.stdout + fsck.stderr).strip()
        if fsck.returncode != 0 or said:
            raise Wrong(f"git fsck: {said}")
        self.expect_no_lock(path)
        verify = self.run(["settings", "verify"], path)
        if verify.returncode != 0:
            raise Wrong(f"settings verify: {verify.stdout.strip()} {verify.stderr.strip()}")
