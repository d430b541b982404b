"""The stores under test, and the checks afterwards."""

import os
import shutil
import subprocess

GIT = {
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_PAGER": "cat", "NO_COLOR": "1", "LC_ALL": "C.UTF-8",
    "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
}


# Syncing depends on the file system: the magic numbers of btrfs, which has no special handling, and XFS.
SYSTEMS = {"strict": "0x9123683E", "fast": "0x58465342"}


class Wrong(Exception):
    """A violated guarantee, in words."""


class Place:
    """The folder of the stores, and the program under test."""

    def __init__(self, program, folder, shim=None):
        self.program, self.folder, self.shim = program, folder, shim
        home = os.path.join(folder, "home")
        os.makedirs(home, exist_ok=True)
        keep = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
        self.environment = {**keep, **GIT, "HOME": home}

    def environment_of(self, system):
        """None: the actual file system."""
        return {**self.environment, **({"LD_PRELOAD": self.shim, "FAULT_SYSTEM": SYSTEMS[system]} if system else {})}

    def run(self, words, folder, faults=None, text=None, timeout=60, system=None, variables=None):
        """The program under test if the first word is `settings`, or else the program that the word names."""
        words = [self.program if word == "settings" else word for word in words[:1]] + words[1:]
        environment = self.environment_of(system)
        environment.update(variables or {})
        if faults:
            environment.update(faults, LD_PRELOAD=self.shim)
        return subprocess.run(
            words, cwd=folder, env=environment, input=text, stdin=None if text is not None else subprocess.DEVNULL,
            capture_output=True, text=True, errors="replace", timeout=timeout)

    def check(self, words, folder, **more):
        done = self.run(words, folder, **more)
        if done.returncode != 0:
            raise Wrong(f"{' '.join(words)}: exit {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def make(self, name):
        """A store with a few options and versions."""
        path = os.path.join(self.folder, name)
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
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
        path = os.path.join(self.folder, name)
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        return path

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
        """The files and the message of the last version, which don't depend on its time and folder."""
        text = self.check(["git", "log", "-1", "--format=%T%n%B"], path)
        text = text.replace(path, "{path}").replace(os.path.basename(path) + ".json", "{path}.json")
        return tuple(text.rstrip().split("\n"))

    def status(self, path):
        return self.check(["git", "--no-optional-locks", "status", "--porcelain"], path)

    def copy(self, template, name):
        path = os.path.join(self.folder, name)
        shutil.rmtree(path, ignore_errors=True)
        subprocess.run(["cp", "-a", template, path], check=True)
        return path

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
        fsck = self.run(["git", "fsck", "--full", "--strict", "--no-dangling", "--no-progress"], path)
        said = (fsck.stdout + fsck.stderr).strip()
        if fsck.returncode != 0 or said:
            raise Wrong(f"git fsck: {said}")
        self.expect_no_lock(path)
        verify = self.run(["settings", "verify"], path)
        if verify.returncode != 0:
            raise Wrong(f"settings verify: {verify.stdout.strip()} {verify.stderr.strip()}")
