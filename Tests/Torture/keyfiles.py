"""Key files of random lines: each is tracked, and texts are set in it.

The judge is the program that such a file is for (Scripts/readers.py): it reads what the options have, or it refuses the file and
so does the program under test. After a set it reads the new value and all others as before, and no byte differs but in the
lines of that key. A text that the dialect can't spell is refused, and the file stays as it was.
"""

import collections
import importlib.util
import json
import os
import random
import re
import shlex

from stores import Wrong

PIECES = [
    "a", "word", "two words", "1", "007", "-5", "on", "true", "/usr/bin", "é", "😀", " ", "  ", "\t", "#", ";", " # c", " ; c", "#c",
    '"', "'", "\\", "\\\\", '"a b"', "\\n", "\\t", '\\"', "\\;", "\\s", "\\u00e9", "\\q", "=", ":", " = ", "%", "%(x)s", "%n", "$X", "${X}",
    "[", "]", "[x]", "{", "}", ",", "!", "&", "|", "~", "(", "\u00a0", "\u2028", "\u0085", "x" * 300,
]
# Only in values that are set.
BEYOND = ["\n", "\n\n", "\n  ", "\r", "\r\n", "\b", "\x01", "null", "yes", ""]


class Dialect:
    def __init__(
        self, name, file, sections=("[s]", "[t]"), signs=("=", " = "), comments="#;", continues=None, repeats=True, avoids=()
    ):
        # Pieces that would make the program refuse most files.
        self.pieces = [piece for piece in PIECES if piece not in avoids]
        self.name, self.file, self.sections, self.signs = name, file, sections, signs
        self.comments, self.continues, self.repeats = comments, continues, repeats


DIALECTS = [
    Dialect("ini", "setup.cfg", signs=("=", " = ", ": ", " : "), continues="\n    ", repeats=False),
    Dialect(
        "git-config", ".gitconfig", ("[s]", "[t]", '[s "u"]'), continues="\\\n  ",
        avoids=('"', "\\", "\\;", "\\s", "\\u00e9", "\\q")),
    Dialect("keyfile", "a.desktop", comments="#"),
    Dialect("properties", "a.properties", (), ("=", ":", " ", " = "), "#!", "\\\n  "),
    Dialect("systemd", "a.service", continues="\\\n  "),
    # MySQL takes the second byte of this blank for a blank, and leaves the first one.
    Dialect("my-cnf", "my.cnf", avoids=("\u00a0",)),
    Dialect("npmrc", ".npmrc", ()),
]


def reference():
    """The readers of those dialects that are installed here. Those of git and Python always are."""
    path = os.path.join(os.path.dirname(__file__), "../../Scripts/readers.py")
    spec = importlib.util.spec_from_file_location("reference", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.readers


def random_text(chance, pieces, most=4):
    return "".join(chance.choice(pieces) for _ in range(chance.randrange(most + 1)))


def is_made(name):
    return re.fullmatch(r"k[0-9]", name) is not None


class Lines:
    """A file as a list of parts: the lines of each key, and what stands between them."""

    def __init__(self, dialect, chance):
        self.parts = []
        sections = list(dialect.sections)
        chance.shuffle(sections)
        if dialect.repeats and sections and chance.random() < 0.3:
            sections.append(sections[0])
        mark = 0
        for section in sections or [None]:
            if section:
                self.parts.append((None, section + "\n"))
            names = [f"k{number}" for number in range(8)]
            for _ in range(chance.randrange(1, 7)):
                mark += 1
                if chance.random() < 0.3:
                    self.parts.append((None, chance.choice(["\n", f"{chance.choice(dialect.comments)} mark{mark}\n"])))
                if chance.random() < 0.02:
                    self.parts.append((None, chance.choice(["word\n", "[x\n"] if section else ["word\n"])))
                name = chance.choice(names)
                if not dialect.repeats or chance.random() < 0.9:
                    names.remove(name)
                text = name + chance.choice(dialect.signs) + random_text(chance, dialect.pieces)
                while dialect.continues and chance.random() < 0.15:
                    text += dialect.continues + random_text(chance, dialect.pieces)
                if chance.random() < 0.15:
                    text += f" {chance.choice('#;')} mark{mark}"
                self.parts.append((name, text + "\n"))
        if chance.random() < 0.15:
            self.parts = [(name, text.replace("\n", "\r\n")) for name, text in self.parts]
        if chance.random() < 0.15:
            self.parts[-1] = (self.parts[-1][0], self.parts[-1][1].rstrip("\r\n"))
        self.text = "".join(text for _, text in self.parts).encode()

    def starts(self, name):
        """Where the lines of keys of this name begin."""
        offset = 0
        for other, text in self.parts:
            if other == name:
                yield offset
            offset += len(text.encode())


def means(value, read):
    """Whether the value of an option is what the reader has."""
    if isinstance(value, list) and isinstance(read, str):
        return [line for line in read.split("\n") if line.strip()] == value
    if isinstance(value, list) or isinstance(read, list):
        return value == read or read == [value]
    return read == (value if isinstance(value, str) else json.dumps(value))


class Case:
    """One file in a store."""

    def __init__(self, place, folder, dialect, read, name, chance, done):
        self.place, self.folder, self.dialect, self.chance, self.done = place, folder, dialect, chance, done
        self.read, self.group, self.log = read, name, []
        self.file = f"{name}/{dialect.file}"
        os.mkdir(os.path.join(folder, name))
        self.lines = Lines(dialect, chance)
        with open(self.path, "wb") as stream:
            stream.write(self.lines.text)

    @property
    def path(self):
        return os.path.join(self.folder, self.file)

    def bytes(self):
        with open(self.path, "rb") as stream:
            return stream.read()

    def run(self, *words):
        self.log.append(shlex.join(words))
        return self.place.run(["settings", *words], self.folder, timeout=600)

    def values(self, data):
        """By keys; None where the file's own program refuses it."""
        try:
            found = self.read(data, self.path)
        except ValueError:
            return None
        # Other names come from lines that were made as parts of a value.
        return {".".join((self.group, *(name.strip('"') for name in names))): value
                for names, value in found.items() if is_made(names[-1])}

    def options(self):
        done = self.place.check(["settings", "list", self.group, "--json"], self.folder)
        return {option["key"]: option for option in json.loads(done)["options"] if is_made(option["key"].split(".")[-1])}

    def expect(self, values, data):
        options = self.options()
        for key in options.keys() | values.keys():
            if key not in options or key not in values or not means(options[key]["value"], values[key]):
                value = options.get(key, {}).get("value")
                raise Wrong(f"{key} is {value!r}, and its program reads {values.get(key)!r} from {data!r}")
        return options

    def work(self):
        before = self.bytes()
        values = self.values(before)
        tracked = self.run("track", self.file, "--into", self.group, "--format", self.dialect.name, "--quiet")
        if self.bytes() != before:
            raise Wrong(f"tracking changed {before!r}")
        if tracked.returncode not in (0, 65):
            raise Wrong(f"exit {tracked.returncode}: {tracked.stderr.strip()}: {before!r}")
        if tracked.returncode:
            self.done["refused" if values is not None else "refused by both"] += 1
            if self.file not in tracked.stderr:
                raise Wrong(f"the refusal doesn't name {self.file}: {tracked.stderr.strip()}")
            return
        if values is None:
            raise Wrong(f"tracked, and its program refuses {before!r}")
        self.done["read"] += 1
        self.done["values"] += len(values)
        options = self.expect(values, before)
        for _ in range(4):
            texts = [key for key, option in options.items() if option["type"] == "text" and not isinstance(values[key], list)]
            if not texts:
                break
            values = self.set(self.chance.choice(sorted(texts)), values)
        self.expect(values, self.bytes())
        if (left := self.run("untrack", self.file, "--quiet")).returncode:
            raise Wrong(f"exit {left.returncode}: {left.stderr.strip()}")

    def set(self, key, values):
        """Returns the values afterwards."""
        word = random_text(self.chance, PIECES + BEYOND)
        before = self.bytes()
        done = self.run("set", "--quiet", "--", key, word)
        after = self.bytes()
        if done.returncode:
            self.done["without a spelling"] += 1
            if after != before or not done.stderr.strip():
                raise Wrong(f"{key} was refused as {word!r}, and {before!r} is {after!r}: {done.stderr.strip()}")
            return values
        self.done["set"] += 1
        found = self.values(after)
        if found is None:
            raise Wrong(f"{key} was set to {word!r}, and its program refuses {after!r}, which was {before!r}")
        if not means(word, found.get(key)) or {**found, key: None} != {**values, key: None}:
            raise Wrong(f"{key} was set to {word!r}, and {before!r} became {after!r}, read as {found!r}")
        self.check_span(key.split(".")[-1], before, after)
        return found

    def check_span(self, name, before, after):
        """All that differs begins in the lines of the key, and no comment of another one is gone."""
        start = len(os.path.commonprefix([before, after]))
        end = len(os.path.commonprefix([before[start:][::-1], after[start:][::-1]]))
        if before == after or not self.lines.parts:
            return
        starts = [place for place in self.lines.starts(name) if place <= start]
        if not starts:
            raise Wrong(f"{name} was set, and {before!r} became {after!r}")
        # The same part, with what took the place of its bytes.
        offset, parts = 0, []
        last = len(before) - end
        for other, text in self.lines.parts:
            size = len(text.encode())
            if offset == starts[-1]:
                inner = before[offset:offset + size]
                # What continues on the next line has more lines than were made for it.
                if last > offset + size and not any(sign in inner for sign in b"\\\"'"):
                    raise Wrong(f"{name} was set, and {before!r} became {after!r}, which is more than its lines")
                if last > offset + size:
                    self.lines.parts = []
                    return
                text = after[offset:offset + size + len(after) - len(before)].decode()
            parts.append((other, text))
            offset += size
        self.lines.parts = parts


def campaign(place, count, seed):
    """Returns figures by dialect, and what is wrong."""
    figures, broken = {}, []
    readers = reference()
    for dialect in DIALECTS:
        read = readers[dialect.name]
        if not read:
            continue
        done = figures[dialect.name] = collections.Counter()
        for number in range(count):
            if number % 25 == 0:
                folder = place.empty(f"keyfiles-{dialect.name}-{number}")
                place.check(["settings", "init", "-q"], folder)
            case = Case(place, folder, dialect, read, f"f{number}", random.Random(f"{seed} {dialect.name} {number}"), done)
            try:
                case.work()
            except Wrong as wrong:
                broken.append(f"seed {seed}, {dialect.name} {number}: {wrong}\n        after: " + "\n        ".join(case.log))
    return figures, broken
