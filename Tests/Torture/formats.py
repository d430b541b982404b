"""Tracked files of every format: random versions, edits by hand, undos, reverts, restores and merges.

After each, the file has the values of the options as its own program reads it (readers.py); and but for the places of the
values that changed, its text is the one before: comments, order, quotes. What is undone gives the first bytes again.
"""

import collections
import json
import os
import plistlib
import random
import re
import shlex

import readers
import texts
from stores import Wrong

TEXTS = [
    "", " ", " a", "a ", "#", "a # b", "a #b", "a;b", ";", "a = b", "=", "'", '"', "it's \"x\"", "'a'", '"a"', "\\", "a\\nb",
    "a\\", "a\nb", "\n", "a\n", "\na", "a\n\nb", "a\n  b\nc", "a\n#b", "a\tb", "\t", "a\r\nb", "é", "日本語", "😀", "007", "yes", "no",
    "On", "null", "~", "true", "1e3", "0x10", "1_000", "-5", "+5", "1.0", "1:30", ".inf", "- a", "-", "a: b", "a:", "? a", "{", "}",
    "[x]", "{{", "%s", "%(a)s", "${X}", "$X", "$(x)", "`x`", "&amp;", "<b>", "]]>", "-->", "*/", "//x", "/* x", "|", ">", "@a", "!a",
    "&a", "*a", "%", "a, b", "a\u2028b", "\u00a0a", "a\u0085b", "2001-01-01", "x" * 5000, "word", "two words", "/usr/bin", "a.b",
    "\u0007",
]
NUMBERS = [0, 1, -1, 7, 42, 1000, 2**31, 2**53 - 1]
SMALL = [0, 1, 7, 42, 99]
REALS = [0.0, 0.5, -2.25, 1e-7, 1e300, 3.0, 0.1, 123456789.125, -0.5, 17.0]


class Kind:
    """A format: its file, its reader, and how somebody writes a value into the file by hand."""

    def __init__(self, file, text, read, spelled=None, sets="value", refuses=False, words=()):
        self.file, self.text, self.read, self.spelled, self.sets, self.words = file, text, read, spelled, sets, words
        # Whether the format has no spelling for some texts.
        self.refuses = refuses
        self.group = re.sub(r"\W", "-", file)


def in_json(value):
    return json.dumps(value, ensure_ascii=False)


def in_xml(value):
    return str(value).replace("&", "&amp;").replace("<", "&lt;")


def in_strings(value):
    return json.dumps(value, ensure_ascii=False)[1:-1]


def bare(value):
    return value if isinstance(value, str) else in_json(value)


KINDS = [
    Kind("plain.json", texts.JSON, readers.json_with_comments, in_json),
    Kind("comments.jsonc", texts.JSONC, readers.json_with_comments, in_json),
    Kind("one.yaml", texts.YAML, readers.yaml_document, in_json),
    Kind("several.yaml", texts.DOCUMENTS, readers.yaml_documents, in_json),
    Kind("app.toml", texts.TOML, readers.toml, in_json),
    Kind("app.env", texts.ENV, readers.variables, in_json, refuses=True),
    Kind("app.plist", texts.XML, readers.property_list, in_xml),
    Kind("binary.plist", texts.XML, readers.property_list),
    Kind("table.strings", texts.STRINGS, readers.strings, in_strings),
    Kind("setup.cfg", texts.INI, readers.ini, bare, refuses=True),
    Kind("app.gitconfig", texts.GIT, readers.git, in_json),
    Kind("dump.dconf", texts.DCONF, readers.glib(texts.SCHEMA_OF_DCONF), in_json),
    Kind("settings.json", texts.VSCODE, readers.json_with_comments, in_json, words=("--format", "vscode")),
    Kind("flags.json", texts.FLAGS, readers.flags, sets="variant"),
    Kind("package.json", texts.EXTENSION, readers.extension, in_json, sets="default"),
    Kind("app.schema.json", texts.SCHEMA, readers.schema, in_json, sets="default", words=("--format", "json-schema")),
    Kind("own.gschema.xml", texts.GSCHEMA, readers.glib_schemas, sets="default"),
]


class Slot:
    """A value in a file: where it is, which option it is, and how it is spelled now."""

    def __init__(self, mark, group):
        head, self.spelling = mark.split("|", 1)
        head, _, key = head.partition("@")
        names, _, self.kind = head.partition(":")
        self.names = names.split("/")
        self.key = f"{group}.{key or names.replace('/', '.')}"
        self.option = {}
        # Spellings that an undo or another branch may give back.
        self.former = {self.spelling}

    def value_in(self, tree):
        for name in self.names:
            tree = tree.get(name) if isinstance(tree, dict) else None
        return tree


class File:
    """A tracked file, whose text is known up to the values that change."""

    def __init__(self, kind, folder):
        self.kind, self.path = kind, os.path.join(folder, kind.file)
        parts = re.split(r"⟦(.*?)⟧", kind.text, flags=re.S)
        self.between = parts[::2]
        self.slots = [Slot(mark, kind.group) for mark in parts[1::2]]
        self.trims = kind.file in ("setup.cfg", "app.gitconfig")
        self.is_binary = kind.file == "binary.plist"
        data = self.text().encode()
        if self.is_binary:
            data = plistlib.dumps(plistlib.loads(data), fmt=plistlib.FMT_BINARY, sort_keys=False)
        self.write(data)

    def text(self):
        """As it should be now. Key files have no blank behind the sign of an empty value."""
        text = ""
        for before, slot in zip(self.between, self.slots):
            text += (before if slot.spelling or not self.trims else before.rstrip(" ")) + slot.spelling
        return text + self.between[-1]

    def bytes(self):
        with open(self.path, "rb") as stream:
            return stream.read()

    def write(self, data):
        with open(self.path, "wb") as stream:
            stream.write(data)

    def expect_text(self, changed):
        """Nothing differs but the spellings of the slots in `changed`, which are read anew."""
        if self.is_binary:
            return
        pattern = ""
        for before, slot in zip(self.between, self.slots):
            blanks = before[len(before.rstrip(" ")):] if self.trims else ""
            pattern += re.escape(before[:len(before) - len(blanks)])
            pattern += f"(?:{blanks})?(.*?)" if slot in changed else f"(?:{blanks})?({re.escape(slot.spelling)})"
        pattern += re.escape(self.between[-1])
        text = self.bytes().decode()
        found = re.fullmatch(pattern, text, re.S)
        if not found:
            raise Wrong(f"{self.kind.file} differs in more than {[slot.key for slot in changed]}: {text!r} was {self.text()!r}")
        for slot, spelling in zip(self.slots, found.groups()):
            old, slot.spelling = slot.spelling, spelling
            # Python's configparser has no quotes: they are part of the value.
            if self.kind.file == "setup.cfg":
                continue
            is_simple = re.fullmatch(r"[\"']?[A-Za-z]\w*[\"']?", spelling)
            if spelling not in slot.former and old[:1] in ("'", '"') and old[:1] == old[-1:] and is_simple and spelling[:1] != old[:1]:
                raise Wrong(f"{slot.key} lost its quotes: {old} became {spelling}")
            slot.former.add(spelling)

    def expect_values(self, options):
        """The values are those of the options, as the file's own program reads it."""
        try:
            tree = self.kind.read(self.bytes())
        except Exception as error:
            raise Wrong(f"{self.kind.file} can't be read: {error}: {self.bytes()!r}") from error
        for slot in self.slots:
            option = options.get(slot.key)
            wanted = None
            if option:
                slot.option = option
                wanted = {"value": option["value"], "default": option.get("default"), "variant": option["label"]}[self.kind.sets]
            if not is_same(slot.value_in(tree), wanted):
                raise Wrong(f"{slot.key} is {wanted!r}, and {slot.value_in(tree)!r} in {self.kind.file}")


def is_same(found, wanted):
    """Where all values are texts, as those are written."""
    if isinstance(found, list) and isinstance(wanted, list):
        return len(found) == len(wanted) and all(is_same(*pair) for pair in zip(found, wanted))
    if isinstance(found, str) and isinstance(wanted, (bool, int, float)):
        return found == json.dumps(wanted)
    if isinstance(found, str) and isinstance(wanted, str) and found in ("on", "off"):
        return found == wanted.lower()
    return found == wanted and isinstance(found, bool) == isinstance(wanted, bool)


class Campaign:
    def __init__(self, place, seed):
        self.place, self.seed, self.chance = place, seed, random.Random(seed)
        self.folder = place.empty(f"formats-{seed}")
        self.log = []
        self.refused = collections.Counter()
        self.done = collections.Counter()
        # Versions that set values: the id, the file and the slots.
        self.versions = []
        self.files = [File(kind, self.folder) for kind in KINDS]
        self.must("git", "init", "-q", "-b", "main")
        self.must("git", "add", ".")
        self.must("git", "commit", "-q", "-m", "Files of others")
        self.must("settings", "init", "-q", "conf")
        for file in self.files:
            self.must("settings", "track", "-q", file.kind.file, "--into", file.kind.group, *file.kind.words)
        for file in self.files:
            file.expect_values(self.options(file))

    def run(self, *words):
        self.log.append(shlex.join(words))
        return self.place.run(list(words), self.folder, timeout=600)

    def must(self, *words):
        done = self.run(*words)
        if done.returncode:
            raise Wrong(f"exit {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def options(self, file):
        done = self.place.check(["settings", "list", file.kind.group, "--json"], self.folder)
        return {option["key"]: option for option in json.loads(done)["options"]}

    def work(self, rounds):
        acts = [
            (self.set, 8), (self.set_in_two, 2), (self.set_again, 1), (self.unset, 2), (self.undo, 3), (self.revert, 2),
            (self.restore, 2), (self.edit, 4), (self.edit_and_discard, 2), (self.edit_comment, 2), (self.edit_and_set, 2),
            (self.merge, 3), (self.rename, 2), (self.remove, 1),
        ]
        for _ in range(rounds):
            act = self.chance.choices([act for act, _ in acts], [weight for _, weight in acts])[0]
            self.log.append(f"# {act.__name__}")
            before = {file: file.bytes() for file in self.files}
            touched = act(self.chance.choice(self.files)) or {}
            for file in self.files:
                if file in touched:
                    file.expect_text(touched[file])
                    file.expect_values(self.options(file))
                elif file.bytes() != before[file]:
                    raise Wrong(f"{file.kind.file} changed: {file.bytes()!r} was {before[file]!r}")
            status = self.place.check(["git", "status", "--porcelain"], self.folder)
            if status:
                raise Wrong(f"git status: {status}")
            self.done[act.__name__] += 1
        for words in (["settings", "verify"], ["git", "fsck", "--strict"], ["settings", "export", "--check"]):
            self.must(*words)

    # Words

    def slot(self, file, but=()):
        return self.chance.choice([slot for slot in file.slots if slot.kind != "fixed" and slot not in but])

    def word(self, slot):
        """A random value that the option may have, as a word."""
        option, chance = slot.option, self.chance
        if slot.kind == "date":
            return f'"20{chance.randrange(10, 99)}-0{chance.randrange(1, 9)}-1{chance.randrange(9)}T0{chance.randrange(9)}:00:59Z"'
        if slot.kind == "bytes":
            return chance.choice(['""', '"YWJj"', '"AAEC"', '"eHl6enk="'])
        if slot.kind == "pair":
            return f'"({chance.choice(SMALL)}, {chance.choice(SMALL)})"'
        if slot.kind == "numbers":
            # What fills an empty list of YAML is written as lines.
            least = 1 if ".yaml" in slot.key.replace("-", ".") else 0
            return json.dumps([chance.choice(SMALL) for _ in range(chance.randrange(least, 5))])
        if slot.kind == "texts":
            return json.dumps([f"t{chance.randrange(20)}" for _ in range(chance.randrange(2, 5))])
        if option["type"] == "switch":
            return chance.choice(["on", "off"])
        if option["type"] == "choice":
            return chance.choice([label["label"] for label in option["labels"]])
        if option["type"] == "number":
            if option.get("step") != 1 and ("ratio" in slot.key):
                return json.dumps(chance.choice(REALS))
            return str(chance.choice(SMALL if "count" in slot.key.lower() else NUMBERS))
        return chance.choice(TEXTS) if chance.random() < 0.8 else f"w{chance.randrange(1000)}"

    def assignment(self, file, slot, word):
        if file.kind.sets == "default":
            return ["settings", "define", slot.key, "--default", word]
        return ["settings", "set", "--", slot.key, word]

    def try_to_set(self, file, slot):
        """Whether the value was recorded; what can't be written is refused, and nothing changes."""
        before, word = file.bytes(), self.word(slot)
        done = self.run(*self.assignment(file, slot, word))
        if done.returncode == 0:
            if done.stdout and not done.stdout.startswith("nothing"):
                self.versions.append((self.place.check(["git", "rev-parse", "HEAD"], self.folder).strip(), file, slot))
            return True
        is_odd = any(ord(char) < 32 and char not in "\n\t" for char in word)
        if done.returncode != 65 or not (file.kind.refuses or is_odd) or not done.stderr.strip():
            raise Wrong(f"{slot.key} can't be set to {word!r}: exit {done.returncode}: {done.stderr.strip()}")
        if file.bytes() != before:
            raise Wrong(f"refused, and {file.kind.file} changed")
        self.refused[file.kind.file] += 1
        return False

    # Acts: each returns the slots that may have changed, by file.

    def set(self, file):
        slot = self.slot(file)
        self.try_to_set(file, slot)
        return {file: {slot}}

    def set_in_two(self, file):
        other = self.chance.choice([other for other in self.files if other is not file])
        touched = {}
        for one in (file, other):
            touched[one] = {self.slot(one)}
            self.try_to_set(one, *touched[one])
        return touched

    def set_again(self, file):
        """What is set already changes no byte."""
        slot = self.slot(file)
        if file.kind.sets == "value":
            value = slot.option["value"]
            kind = slot.option["type"]
            word = slot.option["label"] if kind == "switch" else value if kind == "text" else json.dumps(value)
            self.must(*self.assignment(file, slot, word))
        return {file: set()}

    def undo(self, file):
        count, before = self.chance.randrange(1, 4), file.bytes()
        for _ in range(count):
            head = self.place.head(self.folder)
            self.try_to_set(file, self.slot(file))
            if self.place.head(self.folder) != head:
                self.must("settings", "undo", "-q")
        return self.back(file, before)

    def back(self, file, before):
        if file.bytes() != before:
            raise Wrong(f"{file.kind.file} is not what it was: {file.bytes()!r} was {before!r}")
        return {file: set()}

    def unset(self, file):
        if file.kind.sets != "value":
            return {}
        slot, other, before = self.slot(file), self.slot(file), file.bytes()
        self.must("settings", "unset", "-q", slot.key)
        file.expect_values(self.options(file))
        if other is not slot and self.chance.random() < 0.5:
            head = self.place.head(self.folder)
            self.try_to_set(file, other)
            file.expect_values(self.options(file))
            if self.place.head(self.folder) != head:
                self.versions.pop()
                self.must("settings", "undo", "-q")
        self.must("settings", "undo", "-q")
        return self.back(file, before)

    def remove(self, file):
        slot, before = self.slot(file), file.bytes()
        self.must("settings", "remove", "-q", slot.key)
        file.expect_values(self.options(file))
        self.must("settings", "undo", "-q")
        return self.back(file, before)

    def rename(self, file):
        slot, before = self.slot(file), file.bytes()
        if file.kind.sets != "value":
            return {}
        name = slot.names[-1].split(".")[-1]
        new = slot.key[:-len(name)] + "renamed" if slot.key.endswith(name) else None
        if not new:
            return {}
        self.must("settings", "rename", "-q", slot.key, new)
        text, after = before, file.bytes()
        if not file.is_binary and after != before.replace(name.encode(), b"renamed") and after.count(b"renamed") != 1:
            raise Wrong(f"renamed {name}: {after!r} was {text!r}")
        if self.chance.random() < 0.5:
            self.must("settings", "undo", "-q")
        else:
            self.must("settings", "rename", "-q", new, slot.key)
        return self.back(file, before)

    def revert(self, file):
        if not self.versions:
            return {}
        version, file, slot = self.chance.choice(self.versions)
        done = self.run("settings", "revert", version)
        if done.returncode not in (0, 2, 66):
            raise Wrong(f"exit {done.returncode}: {done.stderr.strip()}")
        return {file: {slot} if done.returncode == 0 else set()}

    def restore(self, file):
        if not self.versions:
            return {}
        version, slot = self.chance.choice(self.versions)[0], self.slot(file)
        self.must("settings", "restore", "-q", slot.key, "--from", version)
        return {file: {slot}}

    # Edits by hand

    def spell(self, file, slot):
        """Changes a value in the file; whether it could."""
        option = slot.option
        if file.is_binary or not file.kind.spelled or slot.kind or option["type"] not in ("text", "number"):
            return False
        value = self.chance.choice(SMALL) if option["type"] == "number" else f"by hand {self.chance.randrange(1000)}"
        if "hex" in slot.key or "bare" in slot.key or file.kind.file == "dump.dconf" and option["type"] == "number":
            return False
        if value == option["value" if file.kind.sets == "value" else "default"]:
            return False
        slot.spelling = file.kind.spelled(value)
        old = file.bytes()
        file.write(file.text().encode())
        self.log.append(f"# by hand in {file.kind.file}: {slot.key} = {slot.spelling}")
        return old != file.bytes()

    def edit(self, file):
        slot = self.slot(file)
        if not self.spell(file, slot):
            return {file: set()}
        if file.kind.sets == "value" and self.chance.random() < 0.5:
            self.must("settings", "done", "-q", slot.key)
        else:
            self.must("settings", "done", "-q")
        return {file: set()}

    def edit_and_discard(self, file):
        slot, before = self.slot(file), file.bytes()
        spelling = slot.spelling
        if not self.spell(file, slot):
            return {file: set()}
        self.must("settings", "discard", "-q", slot.key)
        slot.spelling = spelling
        return self.back(file, before)

    def edit_comment(self, file):
        """A comment or a blank line changes between two values."""
        places = [(place, match) for place, text in enumerate(file.between)
                  for match in re.finditer(r"(?<=[#/*;-] )(?:top|inline|above)|\n\n", text)]
        if file.is_binary or not places:
            return {file: set()}
        place, match = self.chance.choice(places)
        text = file.between[place]
        word = "\n\n\n" if match[0] == "\n\n" else f"{match[0]}{self.chance.randrange(10)}"
        file.between[place] = text[:match.start()] + word + text[match.end():]
        file.write(file.text().encode())
        self.log.append(f"# by hand in {file.kind.file}: {match[0]!r} → {word!r}")
        slot = self.slot(file)
        self.try_to_set(file, slot)
        file.expect_text({slot})
        self.must("settings", "done", "-q")
        return {file: set()}

    def edit_and_set(self, file):
        """A version leaves another edit of the file where it is."""
        slot = self.slot(file)
        other = self.slot(file, [slot])
        if file.kind.sets != "value" or not self.spell(file, slot):
            return {file: set()}
        self.try_to_set(file, other)
        file.expect_text({other})
        self.must("settings", "done", "-q", slot.key)
        return {file: set()}

    # Merges

    def merge(self, file):
        touched = {file: set()}
        ours = {self.slot(file) for _ in range(2)}
        theirs = {self.slot(file, ours) for _ in range(2)} if len(file.slots) > len(ours) + 1 else set()
        self.must("git", "switch", "-q", "-c", "side")
        for slot in theirs:
            self.try_to_set(file, slot)
        file.expect_text(theirs)
        kept = {slot: slot.spelling for slot in file.slots}
        self.must("git", "switch", "-q", "main")
        file.expect_text(theirs)
        for slot in ours:
            self.try_to_set(file, slot)
        file.expect_text(ours)
        self.must("settings", "merge", "-q", "side")
        self.must("git", "branch", "-q", "-D", "side")
        file.expect_text(theirs)
        for slot in theirs:
            if slot.spelling != kept[slot]:
                raise Wrong(f"{slot.key} was merged as {slot.spelling}, and was {kept[slot]}")
        return touched


def campaign(place, rounds, seed):
    """Returns figures, and throws what is wrong with the commands that led to it."""
    one = Campaign(place, seed)
    try:
        one.work(rounds)
    except Wrong as wrong:
        last = max((index for index, line in enumerate(one.log) if line.startswith("# ") and line[2:].isidentifier()), default=0)
        raise Wrong(f"{wrong}\n        after: " + "\n        ".join(one.log[last:])) from wrong
    return one.done, one.refused
