"""The same for tracked files: files in the work tree, which carry a hand edit, and one outside of it. Whatever fails, and whoever is
killed: the last version's files have the values of its options, and no edit is lost or recorded."""

import dataclasses
import io
import json
import os
import subprocess
import tarfile
import tomllib

import yaml

import faults
from scenarios import edit, nothing
from stores import Wrong

FILES = {
    "config/app.yaml": "# top\nserver:\n  port: 1   # the port\n  host: 'h'\ndebug: false\n",
    "config/data.json": '{\n  // top\n  "x": 1,\n  "list": [1, 2]\n}\n',
    ".env": "# top\nNAME=one\nSIZE=2\n",
}
OUTSIDE = "outside.toml"
OUTSIDE_TEXT = "# top\nsize = 3 # of it\nname = 'x'\n"
GROUPS = {"config/app.yaml": "app", "config/data.json": "data", ".env": "env", OUTSIDE: "out"}
EDITED = " M conf/hand.json\n M config/app.yaml\n"


def make(place):
    """A repository with a store in `conf` that tracks files; the one outside is tracked for each copy, see `Attempt`."""
    folder = place.empty("tracking")
    path, store = os.path.join(folder, "repository"), os.path.join(folder, "repository", "conf")
    for name, text in (*((os.path.join("repository", name), text) for name, text in FILES.items()), (OUTSIDE, OUTSIDE_TEXT)):
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        with open(os.path.join(folder, name), "w", encoding="utf-8") as stream:
            stream.write(text)
    for words in (["git", "init", "-q", "-b", "main"], ["git", "add", "."], ["git", "commit", "-q", "-m", "App"],
                  ["settings", "init", "-q", "conf"]):
        place.check(words, path)
    for name in FILES:
        place.check(["settings", "track", f"../{name}", "--into", GROUPS[name], "-q"], store)
    for words in (
        ["add", "hand", "--title", "Hand", "--text", "x"], ["add", "a.choice", "--title", "Choice", "--choice", "One", "Two", "Three"],
        ["import", os.path.join(folder, OUTSIDE), "--into", "out"],
        ["set", "app.server.port", "2", "env.SIZE", "3", "data.x", "2", "out.size", "4"],
    ):
        place.check(["settings", *words, "-q"], store)
    return folder


def hand_edit(place, path):
    edit(path, "../config/app.yaml", "port: 2", "port: 12345")


def discarded(place, path):
    edit(path, "../config/app.yaml", "# top", "# mine")
    hand_edit(place, path)
    place.check(["settings", "discard", "app.server.port", "-q"], path)


def plain_commit(place, path):
    """Somebody commits the file, and not what else is edited in it."""
    edit(path, "../config/data.json", '"x": 2', '"x": 7')
    place.check(["git", "commit", "-q", "-m", "App", "../config/data.json"], path)


def plain_options(place, path):
    edit(path, "data/x.json", '"value": 2', '"value": 7')
    place.check(["git", "commit", "-q", "-m", "Hand", "data/x.json"], path)


def new_file(place, path):
    with open(os.path.join(path, "..", "config", "new.yaml"), "w", encoding="utf-8") as stream:
        stream.write("a: 1\n")
    place.check(["git", "add", "../config/new.yaml"], path)
    place.check(["git", "commit", "-q", "-m", "New"], path)


def branch_off(place, path):
    """A branch that sets an option whose line is next to one that was set here."""
    place.check(["git", "worktree", "add", "-q", "-b", "side", "../../side", "HEAD~1"], path)
    place.check(["settings", "set", "app.server.host", "theirs", "data.list", "[3]", "-q"], os.path.join(path, "../../side/conf"))
    place.check(["git", "worktree", "remove", "../../side"], path)


@dataclasses.dataclass
class Scenario:
    words: list
    # A file, and what is in it if the command succeeded.
    expected: tuple
    prepare: object = nothing
    makes_version: bool = True
    # Whether it is about the edit of the port.
    is_draft: bool = False
    is_answer: bool = False
    # Whether the last version's files and options differ until it has succeeded, so that it is repeated.
    brings_together: bool = False


PORT = ("config/app.yaml", "port: 777 ")
SCENARIOS = {
    "set": Scenario(["set", "app.server.port", "777"], PORT),
    "set in all": Scenario(["set", "app.server.port", "777", "data.x", "9", "env.NAME", "two", "out.size", "9"], PORT),
    "set outside": Scenario(["set", "out.size", "9"], ("conf/out/size.json", '"value": 9')),
    "add": Scenario(["add", "app.server.new", "--title", "New", "--number", "5"], ("config/app.yaml", "new: 5")),
    "remove": Scenario(["remove", "app.server.host", "data.list"], ("config/data.json", "2\n}")),
    "rename": Scenario(["rename", "app.server", "app.backend"], ("config/app.yaml", "backend:")),
    "undo": Scenario(["undo"], ("config/app.yaml", "port: 1 ")),
    "merge": Scenario(["merge", "side"], ("config/app.yaml", "host: 'theirs'"), branch_off),
    "done": Scenario(["done", "app.server.port"], ("config/app.yaml", "port: 12345 "), hand_edit, is_draft=True),
    "discard": Scenario(
        ["discard", "app.server.port", "-q"], ("config/app.yaml", "port: 2 "), hand_edit, makes_version=False, is_draft=True),
    "discard --undo": Scenario(
        ["discard", "--undo", "-q"], ("config/app.yaml", "port: 12345 "), discarded, makes_version=False, is_draft=True),
    "take in": Scenario(["done", "data.x"], ("conf/data/x.json", '"value": 7'), plain_commit, brings_together=True),
    "export": Scenario(["export"], ("config/data.json", '"x": 7'), plain_options, brings_together=True),
    "track": Scenario(["track", "../config/new.yaml", "--into", "new"], ("conf/new/a.json", '"value": 1'), new_file),
    "untrack": Scenario(["untrack", "../.env"], ("conf/_store.json", "app.yaml")),
}


class Attempt(faults.Attempt):
    scenarios = SCENARIOS

    def prepare(self, slot):
        self.folder, self.repository = self.path, os.path.join(self.path, "repository")
        self.path = os.path.join(self.repository, "conf")
        self.outside = os.path.join(self.folder, OUTSIDE)
        self.variables = {"XDG_CONFIG_HOME": os.path.join(self.folder, "configuration")}
        # A copy of a store knows of no files outside, and asks about one that differs.
        edit(self.folder, OUTSIDE, "size = 3", "size = 4")
        self.settings("track", self.outside, "--into", "out", "-q")
        self.scenario.prepare(self.place, self.path)
        self.place.edit_by_hand(self.path)
        for file in (os.path.join(self.repository, "config", "app.yaml"), self.outside):
            edit(os.path.dirname(file), os.path.basename(file), "# top", "# mine")
        self.before = self.place.head(self.path)
        self.statuses = {self.place.status(self.path)}

    def settings(self, *words):
        return self.place.check(["settings", *words], self.path, variables=self.variables)

    def run(self):
        self.done = self.place.run(
            ["settings", *self.scenario.words], self.path, faults=self.faults, system=self.system, variables=self.variables)
        with open(self.count_file, encoding="utf-8") as stream:
            ends = [line.split() for line in stream]
        self.calls = max(int(end[0]) for end in ends)
        self.failed = " ".join(end[1] for end in ends if len(end) > 1)

    def expect_untouched(self):
        status = self.place.status(self.path)
        if status not in self.statuses:
            raise Wrong(f"after a failure git status says: {status.strip()}")
        self.place.expect_no_lock(self.repository)

    def go_on(self, after, moved):
        place, path = self.place, self.path
        told = place.run(["settings", "status"], path, variables=self.variables)
        place.expect_no_lock(self.repository)
        self.judge_outside_meanwhile(told.stdout)
        is_new = self.holds(os.path.join("..", self.scenario.expected[0]), self.scenario.expected[1])
        if not self.scenario.is_draft and self.scenario.makes_version and self.name != "untrack" and is_new != moved:
            raise Wrong(f"{self.scenario.expected[0]} {'is' if is_new else 'is not'} new, the version {'is' if moved else 'is not'}")
        if self.scenario.is_draft:
            self.judge_draft(is_new, moved)
        elif not moved and self.scenario.brings_together:
            self.settings(*self.scenario.words, "-q")
        self.settings("set", "a.choice", "--next", "-q")
        if not moved and not self.scenario.is_draft and not self.scenario.brings_together:
            if place.check(["git", "rev-parse", "HEAD~1"], path).strip() != after:
                raise Wrong("the next version does not stand on what was there")
        self.judge_files()
        place.expect_edited_by_hand(path)
        place.expect_no_lock(self.repository)
        if (status := place.status(path)) != EDITED:
            raise Wrong(f"git status: {status.strip()}")
        fsck = place.run(["git", "fsck", "--full", "--strict", "--no-dangling", "--no-progress"], path)
        if fsck.returncode != 0 or (fsck.stdout + fsck.stderr).strip():
            raise Wrong(f"git fsck: {(fsck.stdout + fsck.stderr).strip()}")
        if (verify := place.run(["settings", "verify"], path, variables=self.variables)).returncode != 0:
            raise Wrong(f"settings verify: {verify.stdout.strip()} {verify.stderr.strip()}")
        drafts = place.run(["settings", "status"], path, variables=self.variables).stdout
        # Other lines of a file outside are the file's own affair.
        if "config/app.yaml: other lines" not in drafts or OUTSIDE in drafts:
            raise Wrong(f"status does not tell the edits: {drafts}")

    def judge_draft(self, is_new, moved):
        """Done is repeated, and what was discarded is brought back or discarded again, so that all end with the same files."""
        if self.name == "done":
            if not is_new:
                raise Wrong("the hand edit is gone")
            if not moved:
                self.settings(*self.scenario.words, "-q")
            return
        if self.done.returncode == 0 and not is_new:
            raise Wrong("reports success, and the file is as before")
        if self.name == "discard" and is_new:
            if "port: 12345" not in self.place.run(["git", "log", "-p", "--all"], self.path).stdout:
                raise Wrong("what was discarded is not kept")
        if self.name == "discard --undo":
            if not is_new:
                self.settings(*self.scenario.words)
            if not self.holds(os.path.join("..", self.scenario.expected[0]), self.scenario.expected[1]):
                raise Wrong("what was discarded is lost")
        if self.name == "discard --undo" or not is_new:
            self.settings("discard", "app.server.port", "-q")

    def judge_outside_meanwhile(self, told):
        """The file outside is the old or the new one; `status` reports it until it is written."""
        with open(self.outside, encoding="utf-8") as stream:
            text = stream.read()
        if text not in {OUTSIDE_TEXT.replace("3", size).replace("# top", "# mine") for size in "3479"}:
            raise Wrong(f"{OUTSIDE} is {text!r}")
        options = self.options("out")
        if tomllib.loads(text) != options and f"{OUTSIDE}" not in told:
            raise Wrong(f"{OUTSIDE} has {tomllib.loads(text)}, the options are {options}, and status says: {told}")

    def options(self, group):
        """The options of a group as the last version has them, with their groups as mappings."""
        archive = subprocess.run(
            ["git", "archive", "HEAD", group], cwd=self.path, env=self.place.environment, capture_output=True, check=True).stdout
        found = {}
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            for member in files:
                name = os.path.relpath(member.name, group)
                if not member.isfile() or os.path.basename(name).startswith("_"):
                    continue
                inside = found
                *groups, last = name.removesuffix(".json").split("/")
                for part in groups:
                    inside = inside.setdefault(part, {})
                inside[last] = json.load(files.extractfile(member))["value"]
        return found

    def judge_files(self):
        for name, read in (
            ("config/app.yaml", yaml.safe_load),
            ("config/data.json", lambda text: json.loads(text.replace("  // top\n", ""))),
            (".env", lambda text: dict(line.split("=") for line in text.split("\n") if "=" in line)), (OUTSIDE, tomllib.loads),
        ):
            if name == OUTSIDE:
                with open(self.outside, encoding="utf-8") as stream:
                    recorded = here = stream.read()
            else:
                recorded = self.place.check(["git", "show", f"HEAD:{name}"], self.path)
                with open(os.path.join(self.repository, name), encoding="utf-8") as stream:
                    here = stream.read()
            # What is edited stays edited, and nothing else does.
            is_edited = name in ("config/app.yaml", OUTSIDE)
            if here.replace("# mine", "# top") != recorded.replace("# mine", "# top") or ("# mine" in here) != is_edited:
                raise Wrong(f"{name} is {here!r}, recorded is {recorded!r}")
            if name != OUTSIDE and "# mine" in recorded:
                raise Wrong(f"an edit of {name} was recorded")
            values = {key: str(value) for key, value in self.options(GROUPS[name]).items()} if name == ".env" else None
            if read(recorded) != (values or self.options(GROUPS[name])):
                raise Wrong(f"{name} has {read(recorded)}, the options are {self.options(GROUPS[name])}")


def sweep(place, names, ways, workers, share=1):
    """As `faults.sweep`."""
    start = make(place)
    place.recorded = {}
    for name in names:
        first = Attempt(place, name, start, 0, "once", "EIO", None, False, "first")
        first.run()
        if first.done.returncode != 0:
            raise Wrong(f"{name}: exit {first.done.returncode}: {first.done.stderr.strip()}")
        first.judge()
        yield name, *faults.sweep_one(Attempt, place, name, start, ways, workers, share)
