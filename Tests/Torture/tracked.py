"""Two clones whose people set disjoint options of the same tracked files, by every way there is, and sync, or pull and push with
plain git: nobody is asked anything, and after each step the files, read by parsers that are not ours, have the values of the
options."""

import json
import os
import random
import tomllib

import yaml

from stores import Wrong

COUNT = 8
YAML = "# top\nserver:\n" + "".join(f"  o{n}: {n}   # nr {n}\n" for n in range(COUNT)) + "other:\n" + "".join(
    f"  p{n}: 'x{n}'\n" for n in range(COUNT))
TOML = "# top\n[toml]\n" + "".join(f"t{n} = {n} # nr {n}\n" for n in range(COUNT))
JSON = '{\n  // top\n  "json": {\n' + ",\n".join(f'    "j{n}": {n} /* nr {n} */' for n in range(COUNT)) + "\n  }\n}\n"
FILES = {"config/app.yaml": YAML, "config/app.toml": TOML, "config/app.json": JSON}


class Clone:
    def __init__(self, place, path, name, chance, parity):
        self.place, self.path, self.name, self.chance = place, path, name, chance
        keys = [f"{group}{n}" for n in range(COUNT) for group in ("server.o", "other.p", "toml.t", "json.j")]
        self.keys = [key for key in keys if (int(key[-1]) + len(key)) % 2 == parity]
        self.added = 0

    def settings(self, *words):
        return self.place.check(["settings", *words], self.path, timeout=600)

    def exchange(self, by_git):
        if not by_git:
            return self.settings("sync", "-q")
        way = ["--rebase"] if self.chance.random() < 0.5 else ["--no-rebase", "--no-edit"]
        self.place.check(["git", "pull", "-q", *way, "origin", "main"], self.path)
        self.place.check(["git", "push", "-q", "origin", "HEAD:main"], self.path)

    def value(self, key):
        return f"w{self.chance.randrange(1000)}" if ".p" in key else str(self.chance.randrange(10_000))

    def step(self):
        act = self.chance.random()
        key = self.chance.choice(self.keys)
        if act < 0.08:
            key = f"server.{self.name}{self.added}"
            self.added += 1
            self.settings("add", key, "--title", key, "--number", str(self.added), "-q")
            self.keys.append(key)
        elif act < 0.12 and f".{self.name}" in key:
            self.keys.remove(key)
            self.settings("remove", key, "-q")
        elif act < 0.3:
            self.settings("set", key, self.value(key), "-q")
            self.settings("undo", "-q")
        elif act < 0.4:
            self.edit(key)
        else:
            self.settings("set", key, self.value(key), "-q")

    def edit(self, key):
        """Somebody edits the file by hand, and records that."""
        group, name = key.split(".")
        path = {"toml": "config/app.toml", "json": "config/app.json"}.get(group, "config/app.yaml")
        with open(os.path.join(self.path, path), encoding="utf-8") as stream:
            lines = stream.read().split("\n")
        place = next(n for n, line in enumerate(lines) if line.strip().strip('"').startswith(name + ('"' if group == "json" else "")))
        old = str(json.loads(self.settings("get", key, "--json"))["options"][0]["value"])
        mark = "=" if group == "toml" else ":"
        before, after = lines[place].split(mark, 1)
        lines[place] = before + mark + after.replace(old, self.value(key), 1)
        with open(os.path.join(self.path, path), "w", encoding="utf-8") as stream:
            stream.write("\n".join(lines))
        self.settings("done", "-q", "-m", "by hand")

    def check(self):
        read = {}
        for path in FILES:
            with open(os.path.join(self.path, path), encoding="utf-8") as stream:
                text = stream.read()
            if path.endswith(".yaml"):
                read |= yaml.safe_load(text)
            elif path.endswith(".toml"):
                read |= tomllib.loads(text)
            else:
                read |= json.loads("\n".join(line.split("/*")[0] + ("," if line.rstrip().endswith(",") and "/*" in line else "")
                                             for line in text.split("\n") if "//" not in line))
            if text.count("# nr") + text.count("/* nr") != COUNT or text.count("top") != 1:
                raise Wrong(f"{self.path}/{path} lost a comment")
        flat = {f"{group}.{name}": value for group, members in read.items() for name, value in members.items()}
        options = json.loads(self.settings("list", "--json"))["options"]
        known = {option["key"]: option["value"] for option in options}
        differing = [key for key in known.keys() | flat.keys() if known.get(key) != flat.get(key)]
        if differing:
            raise Wrong(f"{self.path}: {({key: (known.get(key), flat.get(key)) for key in differing})}")
        if self.place.check(["git", "status", "--porcelain"], self.path):
            raise Wrong(f"{self.path} is not clean")
        self.settings("verify", "-q")


def two_clones(place, rounds, seed, by_git=False):
    """Returns how many rounds went well; throws what did not. `by_git`: nobody syncs, plain git merges and rebases."""
    chance = random.Random(seed)
    folder = place.empty(f"tracked-{seed}")
    first = os.path.join(folder, "a")
    os.makedirs(os.path.join(first, "config"))
    place.check(["git", "init", "-q", "--bare", "-b", "main", "bare.git"], folder)
    place.check(["git", "init", "-q", "-b", "main"], first)
    for path, text in FILES.items():
        with open(os.path.join(first, path), "w", encoding="utf-8") as stream:
            stream.write(text)
    for words in (
        ["git", "add", "."], ["git", "commit", "-q", "-m", "App"], ["settings", "init", "-q", "conf"],
        ["settings", "track", *FILES, "-q", "-m", "Track"], ["git", "remote", "add", "origin", "../bare.git"],
        ["settings", "push", "-q"],
    ):
        place.check(words, first)
    place.check(["git", "clone", "-q", "bare.git", "b"], folder)
    place.check(["settings", "setup", "-q", "--store", "conf"], os.path.join(folder, "b"))
    clones = [Clone(place, os.path.join(folder, name), name, chance, parity) for parity, name in enumerate("ab")]
    for _ in range(rounds):
        for clone in chance.sample(clones, 2):
            for _ in range(chance.randint(1, 3)):
                clone.step()
            if chance.random() < 0.7:
                clone.exchange(by_git)
            clone.check()
    for clone in (*clones, clones[0]):
        clone.exchange(by_git)
    for clone in clones:
        clone.check()
    for path in FILES:
        texts = {open(os.path.join(clone.path, path), encoding="utf-8").read() for clone in clones}
        if len(texts) != 1:
            raise Wrong(f"{path} differs between the clones")
    return rounds
