"""The scenarios: a prepared store, a command, and the expected content of the files if it succeeds."""

import dataclasses
import json
import os

HAND_EDIT = " M hand.json\n"


def edit(path, name, old, new):
    file = os.path.join(path, name)
    with open(file) as stream:
        text = stream.read()
    with open(file, "w") as stream:
        stream.write(text.replace(old, new))


def edit_by_hand(place, path):
    edit(path, "a/number.json", '"value": 3', '"value": 12345')


def nothing(place, path):
    pass


def write_import(place, path):
    with open(path + ".json", "w") as stream:
        stream.write('{"server": {"port": 8080, "name": "x"}, "debug": true}\n')


def write_large_import(place, path):
    """More files than are synced one by one, and more objects than are written loose."""
    with open(path + ".json", "w") as stream:
        json.dump({f"g{number % 7}": {f"o{number}-{other}": other for other in range(12)} for number in range(9)}, stream)


def pack(place, path):
    place.check(["git", "gc", "-q"], path)


def old_index(place, path):
    """An index in a format that is left to libgit2."""
    place.check(["git", "update-index", "--index-version", "4"], path)


def no_index(place, path):
    os.unlink(os.path.join(path, ".git", "index"))


def discard(place, path):
    edit_by_hand(place, path)
    place.check(["settings", "discard", "a.number", "--quiet"], path)


def discard_and_pack(place, path):
    discard(place, path)
    pack(place, path)


def forget_driver(place, path):
    place.check(["git", "config", "--remove-section", "merge.settings"], path)


def branch_off(place, path):
    """A branch that diverges from this one, made by plain git."""
    blob = place.check(["git", "show", "HEAD~1:b/other.json"], path).replace('"value": "x"', '"value": "theirs"')
    place.check(["git", "worktree", "add", "-q", "-b", "side", path + ".side", "HEAD~1"], path)
    with open(path + ".side/b/other.json", "w") as stream:
        stream.write(blob)
    place.check(["git", "commit", "-q", "-a", "-m", "theirs"], path + ".side")
    place.check(["git", "worktree", "remove", path + ".side"], path)


def branch_ahead(place, path):
    """A branch that is ahead of this one."""
    place.check(["git", "branch", "-q", "side"], path)
    place.check(["git", "reset", "-q", "--hard", "HEAD~1"], path)


def undo(place, path):
    place.check(["settings", "undo", "--quiet"], path)


def keep_question(place, path):
    """A merge that leaves a conflict about b.other open."""
    branch_off(place, path)
    place.check(["settings", "set", "b.other", "ours", "--quiet"], path)
    place.check(["settings", "merge", "side", "--keep", "--quiet"], path)


def make_folder(place, path):
    """A repository with a commit and no store."""
    for words in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        place.check(["git", *words], path)


@dataclasses.dataclass
class Scenario:
    words: list
    # A file, and a text that it contains if the command succeeded; None: the file is removed.
    expected: tuple = None
    prepare: object = nothing
    makes_version: bool = True
    # Whether it concerns a hand edit.
    is_draft: bool = False
    # The name of the initial store: `usual`, `long` (many versions), `empty` (no store).
    start: str = "usual"
    # Whether it only reads: its output must be the same as without a fault.
    is_answer: bool = False


NUMBER = ("a/number.json", '"value": 777')
BEFORE = ("a/number.json", '"value": 2')

SCENARIOS = {
    "set": Scenario(["set", "a.number", "777", "-m", "why"], NUMBER),
    "set two": Scenario(["set", "a.number", "777", "b.other", "yy"], ("b/other.json", '"value": "yy"')),
    "set, packed": Scenario(["set", "a.number", "777"], NUMBER, pack),
    "set, index 4": Scenario(["set", "a.number", "777"], NUMBER, old_index),
    "set, no index": Scenario(["set", "a.number", "777"], NUMBER, no_index),
    "add": Scenario(["add", "c.new", "--title", "New", "--switch"], ("c/new.json", '"title": "New"')),
    "remove": Scenario(["remove", "b.other", "-m", "why"], ("b/other.json", None)),
    "rename": Scenario(["rename", "b.other", "d.other"], ("d/other.json", '"title": "Other"')),
    "done": Scenario(
        ["done", "a.number", "-m", "why"], ("a/number.json", '"value": 12345'), edit_by_hand, is_draft=True),
    "revert": Scenario(["revert", "HEAD", "-m", "why"], BEFORE),
    "restore": Scenario(["restore", "a", "--from", "HEAD~1", "-m", "why"], BEFORE),
    "undo": Scenario(["undo"], BEFORE),
    "redo": Scenario(["redo"], ("a/number.json", '"value": 3'), undo),
    "label": Scenario(["label", "add", "a.choice", "Four", "--at", "0"], ("a/choice.json", '"Four"')),
    "define": Scenario(["define", "b.other", "--title", "Another", "-m", "why"], ("b/other.json", '"title": "Another"')),
    "unset": Scenario(["unset", "a.number", "-m", "why"], ("a/number.json", '"value": null')),
    "resolve": Scenario(
        ["resolve", "b.other", "--theirs", "-m", "why"], ("b/other.json", '"value": "theirs"'), keep_question),
    "discard": Scenario(
        ["discard", "a.number", "--quiet"], ("a/number.json", '"value": 3'), edit_by_hand, makes_version=False,
        is_draft=True),
    "discard --undo": Scenario(
        ["discard", "--undo", "--quiet"], ("a/number.json", '"value": 12345'), discard, makes_version=False),
    "bring back": Scenario(
        ["discard", "--undo", "--quiet"], ("a/number.json", '"value": 12345'), discard_and_pack, makes_version=False),
    "tag": Scenario(["tag", "first"], makes_version=False),
    "setup": Scenario(["setup"], makes_version=False, prepare=forget_driver),
    "import": Scenario(["import", "{path}.json", "--into", "server"], ("server/debug.json", '"value": true'), write_import),
    "import, large": Scenario(
        ["import", "{path}.json", "--into", "many"], ("many/g3/o3-0.json", '"value": 0'), write_large_import),
    "merge": Scenario(["merge", "side", "-m", "why"], ("b/other.json", '"value": "theirs"'), branch_off),
    "merge, forward": Scenario(["merge", "side"], ("a/number.json", '"value": 3'), branch_ahead),
    "switch": Scenario(["switch", "side"], ("a/number.json", '"value": 3'), branch_ahead),
    "branch": Scenario(["branch", "first"], makes_version=False),
    "maintain": Scenario(["maintain"], makes_version=False),
    "init": Scenario(["init", "--title", "T"], ("_store.json", '"title": "T"'), start="empty"),
    "init, inside": Scenario(["init", "--title", "T"], ("_store.json", '"title": "T"'), make_folder, start="empty"),
    "tags": Scenario(["tag"], makes_version=False, is_answer=True),
    "show": Scenario(["show", "a.number"], makes_version=False, is_answer=True),
    "index": Scenario(
        ["history", "a.number", "--json"], makes_version=False, start="long", is_answer=True),
}
