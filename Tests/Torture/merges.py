"""The law of merges: whatever plain git does to a store's files, they mean what a person chose last, or are rejected.

One store holds many options; each person's branch edits all of them. Git merges the branches in each of its ways,
and what each command reads from the result is compared with the files of the commits before it."""

import concurrent.futures
import json
import os
import subprocess

import teams
from stores import Wrong

# Conflicts are resolved with our side, as a person may, and recorded: nothing is expected of them.
SOLVE = """
solve() { git diff --name-only --diff-filter=U | tee -a "$(git rev-parse --git-common-dir)/asked" > .git/now
  test -s .git/now || return 1
  xargs git checkout -q --ours -- < .git/now && xargs git add -- < .git/now; }
"""


class Way:
    """A way to merge branches: a script that ends with the result as HEAD, and the commits that were applied in order: pairs of
    the states before and after each change."""

    def __init__(self, name, script, onto, changes, driver=False, authors=True, draft=False):
        self.name, self.script, self.onto, self.changes = name, script, onto, changes
        self.driver, self.authors, self.draft = driver, authors, draft


def continuing(command):
    """A command that may stop repeatedly at conflicts."""
    return (f"git {command} >/dev/null 2>&1; while git rev-parse -q --verify HEAD >/dev/null; do\n"
            "if [ -d .git/rebase-merge ] || [ -d .git/rebase-apply ]; then what=rebase; [ ! -e .git/rebase-apply/applying ] || what=am\n"
            "elif [ -e .git/CHERRY_PICK_HEAD ]; then what=cherry-pick; elif [ -e .git/REVERT_HEAD ]; then what=revert; else break; fi\n"
            "solve || true\n"
            "if git diff --cached --quiet; then git commit -q --allow-empty --no-verify -m stopped >/dev/null 2>&1\n"
            "  git -c core.editor=true $what --skip >/dev/null 2>&1 || git -c core.editor=true $what --continue >/dev/null 2>&1 || true\n"
            "else git -c core.editor=true $what --continue >/dev/null 2>&1 || true; fi; done")


BRANCH = [("base", "theirs~1"), ("theirs~1", "theirs")]
MERGE = "git merge -q --no-ff --no-edit {0} >/dev/null 2>&1 || {{ solve && git commit -q --no-edit; }}"
SQUASH = "git merge -q --squash {0} >/dev/null 2>&1 || solve; git commit -q --allow-empty -m squashed"

WAYS = [
    Way("merge", "git checkout -q ours^0; " + MERGE.format("theirs"), "ours", [("base", "theirs")]),
    Way("merge, driver", "git checkout -q ours^0; " + MERGE.format("theirs"), "ours", [("base", "theirs")], driver=True),
    Way("squash", "git checkout -q ours^0; " + SQUASH.format("theirs"), "ours", [("base", "theirs")], authors=False),
    Way("rebase", "git checkout -q theirs^0; " + continuing("rebase -q ours"), "ours", BRANCH),
    Way("rebase, driver", "git checkout -q theirs^0; " + continuing("rebase -q ours"), "ours", BRANCH, driver=True),
    Way("rebase --apply", "git checkout -q theirs^0; " + continuing("rebase -q --apply ours"), "ours", BRANCH),
    Way("cherry-pick", "git checkout -q ours^0; " + continuing("cherry-pick base..theirs"), "ours", BRANCH),
    Way("am", "git format-patch -q --stdout base..theirs > .git/patch; git checkout -q ours^0; " + continuing("am -q -3 .git/patch"),
        "ours", BRANCH),
    Way("stash pop", "git checkout -q base^0; git checkout -q theirs -- .; git stash -q; git checkout -q ours^0; "
        "git stash pop -q >/dev/null 2>&1 || solve; git reset -q", "ours", [("base", "theirs")], authors=False, draft=True),
    Way("revert", "git checkout -q theirs^0; " + continuing("revert --no-edit theirs~1"), "theirs", [("theirs~1", "base")],
        authors=False),
    Way("revert of a merge", "git checkout -q ours^0; " + MERGE.format("theirs") + "; git tag merged; " + SQUASH.format("third")
        + "; git tag later; " + continuing("revert --no-edit -m 1 merged"), "later", [("merged", "ours")], authors=False),
    Way("octopus", "git checkout -q ours^0; agree theirs third; git merge -q --no-edit theirs third >/dev/null 2>&1", "ours",
        [("base", "theirs"), ("base", "third")]),
    Way("host's merge-tree, pull", "git init -q --bare ../host.git; git checkout -q ours^0; agree theirs; "
        "git push -q ../host.git HEAD:refs/heads/main theirs; host=../host.git\n"
        "tree=$(git -C $host merge-tree --write-tree main theirs | head -n 1)\n"
        "git -C $host update-ref refs/heads/main $(git -C $host commit-tree -p main -p theirs -m merged $tree)\n"
        "git pull -q --ff-only $host main", "ours", [("base", "theirs")]),
    Way("merge, squash, cherry-pick", "git checkout -q ours^0; " + MERGE.format("theirs") + "; git tag merged; "
        + SQUASH.format("third") + "; git tag later; " + continuing("cherry-pick fourth"), "later", [("base", "fourth")],
        authors=False),
]

# If git rejects conflicts as a whole, the conflicting options are reset to the other side's content.
AGREE = """
agree() { for side in "$@"; do
  git merge-tree --write-tree --name-only --no-messages "$(git rev-parse HEAD)" $side | sed 1d > .git/parted
  for other in "$@"; do
    [ $other = $side ] || git merge-tree --write-tree --name-only --no-messages $other $side | sed 1d >> .git/parted; done
  sort -u .git/parted >> .git/asked; at=$(git rev-parse HEAD); git checkout -q $side
  sort -u .git/parted | xargs -r git checkout -q base -- && git commit -q --allow-empty -m agreed; git checkout -q $at; done; }
"""


def is_whole(file):
    """Whether a choice is readable: a merge by git may have removed its chosen label, or added a label twice."""
    values = file["values"]
    return file["value"] in values and len(set(values)) == len(values) == len(file["labels"])


class Tally:
    def __init__(self, name):
        self.name, self.cases, self.asked, self.refused, self.right, self.broken = name, 0, 0, 0, 0, []
        # Of the right ones: the number that git merged without a conflict from files with only an index, and in how many of these
        # another label is selected than the chosen one.
        self.alone = self.alone_wrong = 0


class Law:
    """Tests one way to merge on many options at once."""

    def __init__(self, place, path, way, numbers):
        self.place, self.path, self.way, self.numbers = place, path, way, numbers
        self.tally = Tally(way.name)
        self.keys = [f"o{number}" for number in numbers]

    def broken(self, key, words):
        self.tally.broken.append(f"{self.way.name}: {key}: {words}")

    def run(self):
        script = SOLVE + AGREE + ": > .git/asked\n" + self.way.script
        driver = "settings setup -q" if self.way.driver else ":"
        done = self.place.run(["sh", "-c", f"PATH={os.path.dirname(self.place.program)}:$PATH\n{driver}\n{script}"], self.path,
                              timeout=1200)
        with open(os.path.join(self.path, ".git", "asked")) as lines:
            self.asked = {line.strip().removesuffix(".json") for line in lines}
        unfinished = self.place.run(["git", "status", "--porcelain"], self.path).stdout
        if unfinished and not self.way.draft:
            raise Wrong(f"{self.way.name}: git did not finish: {unfinished[:300]} {done.stderr[-300:]}")
        self.read_before()
        self.look()
        return self.tally

    def values_at(self, commit):
        """The value and the labels in each file of a commit, read without the program."""
        listing = "".join(f"{commit}:{key}.json\n" for key in self.keys)
        done = subprocess.run(["git", "cat-file", "--batch=%(objectsize)"], cwd=self.path, input=listing.encode(),
                              capture_output=True, env=self.place.environment, check=True).stdout
        return self.values(done)

    def values(self, data):
        found, position = {}, 0
        for key in self.keys:
            end = data.index(b"\n", position)
            size = int(data[position:end])
            found[key] = json.loads(data[end + 1:end + 1 + size])
            position = end + size + 2
        return found

    def read_before(self):
        """What a person chose last: each change is applied to the state before it."""
        state = {key: file["value"] for key, file in self.values_at(self.way.onto).items()}
        for old, new in self.way.changes:
            before, after = self.values_at(old), self.values_at(new)
            for key in self.keys:
                was, becomes = before[key]["value"], after[key]["value"]
                if was == becomes or state[key] == becomes:
                    continue
                # Both chose, and git reported no conflict.
                state[key] = becomes if state[key] == was else None
        self.expected = state

    def files(self):
        found = {}
        for key in self.keys:
            with open(os.path.join(self.path, key + ".json"), encoding="utf-8") as file:
                found[key] = json.load(file)
        return found

    def settings(self, *words, status=(0,), folder=None):
        done = self.place.run(["settings", *words], folder or self.path, timeout=600)
        if done.returncode not in status:
            raise Wrong(f"{self.way.name}: settings {' '.join(words)[:200]}: exit {done.returncode}: {done.stderr.strip()[-400:]}")
        return done.stdout

    def look(self):
        files = self.files()
        self.tally.cases = len(self.keys)
        refused = {key for key in self.keys if not is_whole(files[key])}
        for key in self.keys:
            if key in refused:
                self.tally.refused += 1
            elif key in self.asked:
                self.tally.asked += 1
            elif files[key]["value"] != self.expected[key]:
                self.broken(key, f"\"value\" is {files[key]['value']}, chosen was {self.expected[key]}")
            else:
                self.tally.right += 1
                self.look_alone(key, files[key]["labels"][files[key]["values"].index(self.expected[key])])
        readable = [key for key in self.keys if key not in refused]
        means = {key: files[key]["value"] for key in readable}
        self.expect_refused(sorted(refused)[:10])
        self.expect_named(files, refused)
        self.expect_readers(means, readable)
        self.expect_unchanged(means, readable, sorted(refused))

    def look_alone(self, key, label):
        """The same case with only an index, by the same command."""
        if f"alone/{key}.txt" in self.asked:
            return
        with open(os.path.join(self.path, "alone", key + ".txt"), encoding="utf-8") as file:
            alone = json.load(file)
        self.tally.alone += 1
        if alone["labels"][alone["selected"]:][:1] != [label]:
            self.tally.alone_wrong += 1

    def expect_refused(self, keys):
        for key in keys:
            for words in (["get", key], ["show", key], ["is", key], ["export", "json"]):
                status = self.place.run(["settings", *words], self.path).returncode
                if status != 65:
                    self.broken(key, f"its value isn't offered, and 'settings {words[0]}' exits with {status}")

    def expect_named(self, files, refused):
        """`verify` reports every unreadable file, and every file whose lines disagree."""
        report = json.loads(self.settings("verify", "--json", status=(0, 65)))["findings"]
        named = {one["path"].removesuffix(".json") for one in report if not one.get("note")}
        disagreeing = {one["path"].removesuffix(".json") for one in report if one.get("disagreement")}
        if named != refused:
            self.broken(sorted(named ^ refused)[0], "verify and the file disagree on whether it can be read")
        versions = [files, self.values_at("HEAD")] if self.way.draft else [files]
        stale = {key for version in versions for key, file in version.items()
                 if is_whole(file) and file["selected"] != file["values"].index(file["value"])}
        if disagreeing != stale:
            self.broken(sorted(disagreeing ^ stale)[0], "verify and the file disagree on whether its lines do")
        status = json.loads(self.settings("status", "--json"))["disagreements"]
        if {one["key"] for one in status} != stale:
            self.broken(sorted({one["key"] for one in status} ^ stale)[0], "status and the file disagree on whether its lines do")

    def expect_readers(self, means, readable):
        clone = self.path + "-clone"
        if not self.way.draft:
            self.place.check(["git", "clone", "-q", self.path, clone], self.path)
        readings = {"get": self.settings("get", *readable).split("\n")[:-1]}
        labels = self.settings("get", "--label", *readable).split("\n")[:-1]
        indexes = self.settings("get", "--index", *readable).split("\n")[:-1]
        if not self.way.draft:
            readings["get --at"] = self.settings("get", "--at", "HEAD", *readable).split("\n")[:-1]
            readings["a fresh checkout"] = self.settings("get", *readable, folder=clone).split("\n")[:-1]
            blame = json.loads(self.settings("blame", "--json", *readable))["blame"]
            self.expect_blame(blame, means)
        listed = {one["key"]: one for one in json.loads(self.settings("list", "--json", status=(0, 65)))["options"]}
        readings["list"] = [listed[key]["value"] for key in readable]
        for name, values in readings.items():
            for key, value in zip(readable, values):
                if value != means[key]:
                    self.broken(key, f"{name} says {value}, the file {means[key]}")
        files = self.files()
        for key, label, index in zip(readable, labels, indexes):
            place = files[key]["values"].index(means[key])
            if label != files[key]["labels"][place] or index != str(place):
                self.broken(key, f"get says {label} at {index}, the file {files[key]['labels'][place]} at {place}")
        if len(readable) == len(self.keys):
            exported = json.loads(self.settings("export", "json"))
            for key in readable:
                if exported[key] != means[key]:
                    self.broken(key, f"export says {exported[key]}, the file {means[key]}")
        if not self.way.draft:
            self.expect_history(means)

    def expect_blame(self, blame, means):
        for one in blame:
            key = one["key"]
            if one["value"] != means[key]:
                self.broken(key, f"blame says {one['value']}, the file {means[key]}")
            if not self.way.authors or key in self.asked:
                continue
            # The author of the choice, if only one person chose.
            number = int(key[1:])
            choosers = {side for side in ("ours", "theirs", "third")
                        if side in self.authors_of() and self.cases[number].states[side][-1].value != self.cases[number].base.value}
            who = (one["version"] or {"author": {"name": None}})["author"]["name"]
            if len(choosers) < 2 and who != teams.AUTHORS[(list(choosers) or ["base"])[0]]:
                self.broken(key, f"blame names {who}, not one of {sorted(choosers)}")

    def authors_of(self):
        return {"ours", *(new.split("~")[0] for _, new in self.way.changes)}

    def expect_history(self, means):
        """The newest change of an option ends with its current value."""
        versions = json.loads(self.settings("history", "--json"))["versions"]
        seen = set()
        for version in versions:
            for change in version["changes"]:
                key = change["key"]
                if key in seen or change["facet"] not in ("value", "added") or key not in means:
                    continue
                seen.add(key)
                if change["after"] != means[key] and key not in self.asked:
                    self.broken(key, f"history says {change['after']}, the file {means[key]}")

    def expect_unchanged(self, means, readable, refused):
        """Commands about other options, and `done`, keep every value, and `done` corrects both lines."""
        self.place.run(["git", "checkout", "-q", "--", *[f"{key}.json" for key in refused]], self.path)
        if self.way.draft:
            self.drop_refused_edits()
            files = self.files()
            means = {key: files[key]["value"] for key in readable if is_whole(files[key])}
        else:
            self.settings("add", "other", "--title", "Other", "--number", "1", "-q")
            self.settings("set", "other", "2", "-q")
            self.settings("undo", "-q")
            self.settings("restore", "other", "--from", "HEAD~1", "-q")
            self.expect(means, "after unrelated commands")
        if refused and not self.way.draft:
            self.settings("done", *sorted(means), "-q", "-m", "put right")
        else:
            self.settings("done", "-q", "-m", "put right")
        self.expect(means, "after done")
        files = self.files()
        for key in means:
            if files[key]["selected"] != files[key]["values"].index(files[key]["value"]):
                self.broken(key, "done left its two lines apart")
        left = self.place.check(["git", "status", "--porcelain", "--", ".", ":!alone"], self.path)
        if left:
            self.broken(left.split()[1], "done left the work tree with changes")
        unsound = self.place.run(["git", "fsck", "--strict", "--no-dangling", "--no-progress"], self.path)
        if unsound.returncode != 0:
            raise Wrong(f"{self.way.name}: git fsck: {unsound.stderr}")

    def drop_refused_edits(self):
        """A stash may contain an edit of `selected` alone, or an unreadable file; `done` reports it."""
        status = json.loads(self.settings("status", "--json"))
        drop = [one["path"] for one in status["unreadable"]] + [one["path"] for one in status["disagreements"] if one.get("edited")]
        if drop:
            self.tally.refused += len(drop)
            self.place.check(["git", "checkout", "-q", "--", *drop], self.path)

    def expect(self, means, when):
        files = self.files()
        for key, value in means.items():
            if files[key]["value"] != value:
                self.broken(key, f"{when} it is {files[key]['value']}, before it was {value}")


def law(place, count, names, workers):
    """Tries each way on `count` options, several ways in parallel; yields their figures."""
    cases = {number: teams.Case(number) for number in range(1, count + 1)}
    origin = place.empty("merges")
    place.check(["settings", "init", "-q"], origin)
    place.check(["git", "fast-import", "--quiet"], origin, text=teams.stream(cases))
    ways = [way for way in WAYS if not names or way.name in names]

    def attempt(number, way):
        # Each way has its own folder, which also holds its clones and the host.
        path = os.path.join(place.empty(f"way{number}"), "store")
        place.check(["git", "clone", "-q", origin, path], place.folder)
        for branch in ["base", *teams.SIDES]:
            place.check(["git", "branch", "-q", branch, f"origin/{branch}"], path)
        one = Law(place, path, way, list(cases))
        one.cases = cases
        try:
            one.run()
        except Wrong as wrong:
            one.tally.broken.append(str(wrong))
        return one.tally

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        yield from pool.map(attempt, range(len(ways)), ways)
