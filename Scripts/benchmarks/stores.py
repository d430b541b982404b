"""Stores for the benchmarks, and the same files under plain git."""

import os
import shutil
import time

from measure import quietly

GROUPS = {100: 4, 1_000: 40, 10_000: 100}  # the number of groups for each number of options
YEAR = 365 * 86_400


def file(option: int, value: int) -> str:
    return (
        f'{{\n  "title": "Option {option}",\n  "type": "number",\n  "value": {value},\n  "default": 50,\n'
        f'  "help": "What option {option} is for.",\n  "minimum": 0\n}}\n'
    )


class Place:
    """A folder on one file system, where stores are created when a row first needs them."""

    def __init__(self, path: str, versions: int, long: int = 0):
        self.path = path
        self.versions = versions
        self.long = long
        self.kind = quietly(path, "df", "--output=fstype", path).split()[-1]

    def folder(self, name: str, make) -> str:
        """The folder of this name, created by `make(path)` the first time."""
        path = os.path.join(self.path, name)
        if not os.path.exists(path):
            make(path)
        return path

    def keys(self, options: int) -> list[tuple[int, int]]:
        """Every option, as the number of its group and its own."""
        groups = GROUPS[options]
        return [(group, option) for group in range(groups) for option in range(options // groups)]

    def write(self, path: str, options: int, value: int) -> None:
        for group, option in self.keys(options):
            folder = f"{path}/group{group}"
            if option == 0:
                os.makedirs(folder, exist_ok=True)
            with open(f"{folder}/option{option}.json", "w") as stream:
                stream.write(file(option, value))

    def store(self, options: int, name: str = "ours") -> str:
        """A store with a history of two years; `name` is a copy for one row."""
        original = self.folder(f"{options}-store", lambda path: self.make_store(path, options))
        return self.copy(original, f"{options}-{name}")

    def copy(self, original: str, name: str) -> str:
        """A copy whose index is up to date, as after a checkout."""

        def make(path):
            shutil.copytree(original, path, symlinks=True)
            quietly(path, "git", "update-index", "-q", "--refresh")

        return self.folder(name, make)

    def long_store(self, name: str = "ours") -> str:
        """A store with a long history, packed, and with a commit-graph with Bloom filters, as git's maintenance leaves it."""

        def make(path):
            script = os.path.join(os.path.dirname(__file__), "history.py")
            quietly(self.path, "python3", script, path, "--versions", str(self.long))
            quietly(path, "git", "repack", "-adq")
            quietly(path, "git", "commit-graph", "write", "--reachable", "--changed-paths", "--no-progress")

        return self.copy(self.folder("long-store", make), f"long-{name}")

    def make_store(self, path: str, options: int) -> None:
        start = f"@{int(time.time()) - 2 * YEAR} +0000"
        dates = {"GIT_AUTHOR_DATE": start, "GIT_COMMITTER_DATE": start}
        quietly(self.path, "settings", "init", path, "--title", "Benchmark", "--quiet", environment=dates)
        self.write(path, options, 50)
        quietly(path, "settings", "done", "-m", "All options.", "--quiet", environment=dates)
        self.add_versions(path, options)

    def add_versions(self, path: str, options: int) -> None:
        """Versions over two years that each set one option, the last one today."""
        branch = quietly(path, "git", "symbolic-ref", "HEAD")
        keys = self.keys(options)
        now = int(time.time())
        stream = []
        for number in range(self.versions):
            # Spread over all groups, in the same way each time.
            group, option = keys[number * 7919 % options]
            when = now - 2 * YEAR * (self.versions - number) // (self.versions + 1)
            text = file(option, number + 51)
            subject = f"group{group}.option{option}: 50 → {number + 51}\n\nThe office asked for it.\n\nVia: cli\n"
            stream += [
                f"commit {branch}", f"committer Ada <ada@example.org> {when} +0000", f"data {len(subject.encode())}", subject,
                *([f"from {branch}^0"] if number == 0 else []),
                f"M 100644 inline group{group}/option{option}.json", f"data {len(text)}", text,
            ]  # fmt: skip
        quietly(path, "git", "fast-import", "--quiet", "--force", input="\n".join(stream))
        quietly(path, "git", "reset", "-q", "--hard")
