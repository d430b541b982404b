"""The rows of the table: what is measured, what it is compared with, and the aim."""

import os
import shutil
import time
from dataclasses import dataclass
from typing import Callable

from measure import Command, Unavailable, fixed, memory, printed, quietly, shell
from stores import YEAR, Place, file

KEY, FILE = "group0.option1", "group0/option1.json"
# The usual way with plain git: change the line and commit it.
EDIT = f"""sed -i 's/"value": [0-9]*/"value": '$1/ {FILE}"""
COMMIT = f"{EDIT}; git add {FILE}; git commit -qm why"


@dataclass
class Row:
    what: str
    against: str
    aim: str  # '≤ 0.6 ×' of the alternative, '≤ 0.5 s', '≤ 2 flushes', or empty
    make: Callable[[Place], tuple[Command, Command | None]]
    pairs: int | None = None  # the number of runs if each takes long
    unit: str = "ms"
    everywhere: bool = True  # false: it doesn't depend on the file system, so that once is enough


rows: list[Row] = []


def row(what: str, against: str, aim: str = "", pairs: int | None = None, unit: str = "ms", everywhere: bool = True):
    """Adds a row: the function returns our command and the alternative, for a file system."""

    def add(make: Callable[[Place], tuple[Command, Command | None]]):
        rows.append(Row(what, against, aim, make, pairs, unit, everywhere))
        return make

    return add


def set_one(place: Place, options: int) -> Command:
    return Command(
        lambda number: ["settings", "set", KEY, str(number), "-m", "why", "--quiet"], place.store(options, "set")
    )


@row("get KEY", "git config --get", "≤ 2.0 ×")
def get(place):
    store = place.store(100)

    def make(path):
        quietly(place.path, "git", "init", "-q", path)
        with open(f"{path}/.git/config", "a") as stream:
            for group, option in place.keys(100):
                stream.write((f"[group{group}]\n" if option == 0 else "") + f"\toption{option} = 50\n")

    return (
        Command(fixed("settings", "get", KEY), store),
        Command(fixed("git", "config", "--get", KEY), place.folder("config", make)),
    )


@row("get KEY", "gsettings get", "≤ 1.0 ×")
def get_gsettings(place):
    if not (shutil.which("gsettings") and shutil.which("glib-compile-schemas")):
        raise Unavailable("gsettings is not installed (Debian: libglib2.0-bin)")

    def make(path):
        os.mkdir(path)
        names = [f"group{group}-option{option}" for group, option in place.keys(100)]
        with open(f"{path}/benchmark.gschema.xml", "w") as stream:
            stream.write('<schemalist><schema id="org.benchmark" path="/org/benchmark/">')
            stream.writelines(f'<key name="{name}" type="i"><default>50</default></key>' for name in names)
            stream.write("</schema></schemalist>")
        quietly(path, "glib-compile-schemas", path)

    schemas = place.folder("schemas", make)
    return (
        Command(fixed("settings", "get", KEY), place.store(100)),
        Command(
            fixed("gsettings", "get", "org.benchmark", "group0-option1"), schemas,
            environment={"GSETTINGS_SCHEMA_DIR": schemas},
        ),
    )  # fmt: skip


@row("set KEY VALUE -m WHY, 100 options", "sed -i, git add, git commit", "≤ 0.6 ×")
def set_small(place):
    return set_one(place, 100), Command(shell(COMMIT), place.store(100, "set-git"))


@row("the same", "the same, git syncing too")
def set_synced(place):
    synced = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsync", "GIT_CONFIG_VALUE_0": "all"}
    return set_one(place, 100), Command(shell(COMMIT), place.store(100, "set-git"), environment=synced)


@row("the same", "sed -i, etckeeper commit", "≤ 0.1 ×", pairs=7)
def set_etckeeper(place):
    program, environment = "etckeeper", {}
    if not shutil.which(program):
        # Installing its package would put /etc under version control: it is only unpacked.
        def make(path):
            os.mkdir(path)
            try:
                quietly(path, "sh", "-ec", "apt-get -qq download etckeeper 2>/dev/null; dpkg-deb -x etckeeper*.deb .")
            except Exception as error:
                raise Unavailable("etckeeper is neither installed nor to be had") from error

        unpacked = place.folder("etckeeper", make)
        program, environment = f"{unpacked}/usr/bin/etckeeper", {"ETCKEEPER_CONF_DIR": f"{unpacked}/etc/etckeeper"}
    store = place.store(100, "set-etckeeper")
    quietly(store, program, "init", "-d", store, environment=environment)
    commit = f"{EDIT}; {program} commit -d {store} why"
    return set_one(place, 100), Command(shell(commit), store, environment=environment)


@row("the same, with 3 tracked files", "without", "≤ 1.5 ×")
def set_tracked(place):
    tracked = set_one(place, 100)
    ours = place.store(100, "set-tracked")
    if not os.path.exists(f"{ours}/app0.yaml"):
        for group in range(3):
            file = f"app{group}.yaml"
            quietly(ours, "settings", "export", "yaml", f"group{group}", "-o", file)
            quietly(ours, "settings", "track", file, "--into", f"group{group}", "-m", "why", "-q")
    tracked.folder = ours
    return tracked, set_one(place, 100)


@row("set KEY VALUE -m WHY, 10,000 options", "sed -i, git add, git commit", "≤ 0.25 ×")
def set_large(place):
    return set_one(place, 10_000), Command(shell(COMMIT), place.store(10_000, "set-git"))


@row("set of 10,000 options in one version", "the same files, git add -A, git commit", "≤ 1.2 ×", pairs=5)
def set_all(place):
    keys = place.keys(10_000)
    new = f"{place.path}/new"

    def write(number):
        shutil.rmtree(new, ignore_errors=True)
        place.write(new, 10_000, number)

    return (
        Command(
            lambda number: [
                "settings", "set", *(f"group{group}.option{option}={number}" for group, option in keys), "-m", "why", "--quiet",
            ],
            place.store(10_000, "all"),
        ),
        Command(shell(f"cp -R {new}/. .; git add -A; git commit -qm why"), place.store(10_000, "all-git"), prepare=write),
    )  # fmt: skip


@row("status, 10,000 options, one edited", "git status", "≤ 1.5 ×")
def status(place):
    def edited(name):
        store = place.store(10_000, name)
        quietly(store, *shell(EDIT)(7))
        return store

    return (
        Command(fixed("settings", "status", "--quiet"), edited("status")),
        Command(fixed("git", "status", "--short"), edited("status-git")),
    )


@row("list, 10,000 options", "git grep of every value", "≤ 1.5 ×")
def list_all(place):
    store = place.store(10_000)
    return Command(fixed("settings", "list"), store), Command(fixed("git", "grep", "-h", '"value"'), store)


def at_terminal(measure: str, mark: str, store: str, *words: str) -> Command:
    """A command at a terminal, and what is measured there; see terminal.py."""
    script = os.path.join(os.path.dirname(__file__), "terminal.py")
    return Command(fixed("python3", script, measure, mark, *words), store, result=printed(0))


@row("first screen of edit, 1,000 options", "settings get at a terminal", "≤ 2.0 ×")
def first_screen(place):
    store = place.store(1_000)
    return (
        at_terminal("first", "▸", store, "settings", "edit"),
        at_terminal("first", "\n", store, "settings", "get", KEY),
    )


def long_page(place) -> str:
    """A store whose options are all on one page."""
    store = place.store(10_000, "page")
    if not os.path.exists(f"{store}/group0/_group.json"):
        for group in range(100):
            with open(f"{store}/group{group}/_group.json", "w") as stream:
                stream.write('{\n  "style": "section"\n}\n')
        quietly(store, "settings", "done", "-m", "One page.", "--quiet")
    return store


@row("slowest key of edit, a page of 10,000 rows", "", "≤ 0.016 s", everywhere=False)
def key_to_frame(place):
    return at_terminal("key", "▸", long_page(place), "settings", "edit"), None


@row("memory of edit, one page of 10,000 options", "", "≤ 64 MB", unit="MB", everywhere=False)
def edit_memory(place):
    return at_terminal("memory", "▸", long_page(place), "settings", "edit"), None


@row("memory of edit, 10,000 options, long", "", "≤ 64 MB", unit="MB", everywhere=False)
def edit_memory_long(place):
    return at_terminal("memory", "▸", indexed(place), "settings", "edit", LONG_KEY), None


@row("processor time of edit in 10 s without a key", "", "≤ 0.01 s", pairs=3, everywhere=False)
def edit_idle(place):
    return at_terminal("idle", "▸", long_page(place), "settings", "edit"), None


def watching(measure: str, store: str, word: Callable[[int], str]) -> Command:
    """'settings watch', and what is measured of it; see watching.py."""
    script = os.path.join(os.path.dirname(__file__), "watching.py")
    return Command(lambda number: ["python3", script, measure, word(number)], store, result=printed(0))


@row("set until watch has reported it", "settings set", "≤ 1.5 ×")
def watch_latency(place):
    return watching("latency", place.store(1_000, "watched"), str), set_one(place, 1_000)


@row("processor time of watch in 10 s without a version", "", "≤ 0.01 s", pairs=3, everywhere=False)
def watch_idle(place):
    return watching("idle", place.store(1_000, "watched"), lambda _: "10"), None


@row("list --at a year ago, 10,000 options", "git archive of that commit", "≤ 1.5 ×")
def list_at(place):
    store = place.store(10_000)
    when = time.strftime("%Y-%m-%d", time.gmtime(time.time() - YEAR))
    commit = quietly(store, "git", "rev-list", "-1", f"--before={when} 23:59:59", "HEAD")
    return (
        Command(fixed("settings", "list", "--at", when, "--quiet"), store),
        Command(fixed("git", "archive", commit), store),
    )


@row("history -n 20, 10,000 options", "git log -n 20 -p")
def history(place):
    store = place.store(10_000)
    return (
        Command(fixed("settings", "history", "-n", "20"), store),
        Command(fixed("git", "log", "-n", "20", "-p", "--format=%h%x20%an%x20%ad%x20%s%n%b"), store),
    )


@row("blame of 10,000 options", "", "≤ 0.5 s", pairs=5)
def blame(place):
    return Command(fixed("settings", "blame"), place.store(10_000)), None


@row("flushes of the disk a set, 100 options", "", "≤ 2 flushes", pairs=9, unit="flushes")
def flushes(place):
    number = os.stat(place.path).st_dev
    counters = f"/sys/dev/block/{os.major(number)}:{os.minor(number)}/stat"
    if not os.path.exists(counters):
        raise Unavailable("no disk")
    count = f"awk '{{print $16}}' {counters}"
    script = f"before=$({count}); settings set {KEY} $1 -m why --quiet; echo $(($({count}) - before))"
    return Command(shell(script), place.store(100, "set"), result=printed(0)), None


# Long-running processes: Scripts/benchmarks/writer, and peer.c, which uses libgit2 alone.

@row("300 Dones in one process, 100 options", "libgit2: objects and branch, synced", "≤ 0.35 ×", pairs=5)
def dones(place):
    ours, theirs = place.store(100, "dones"), place.store(100, "dones-libgit2")
    return (
        Command(fixed("settings-writer", ours, KEY, "300"), ours, result=printed(0)),
        Command(fixed("libgit2-writer", theirs, FILE, "300"), theirs, result=printed(0)),
    )


def eight(place, worst: bool) -> tuple[Command, Command]:
    def all(program, store, what):
        # The longest time that any process took for a version.
        wait = "wait; sort -n -k 2 out.* | tail -n 1" if worst else "wait"
        script = f"for number in 0 1 2 3 4 5 6 7; do {program} {store} {what} 50 >out.$number & done; {wait}"
        result = printed(1) if worst else None
        return Command(shell(script), place.folder("eight", os.mkdir), result=result)

    return (
        all("settings-writer", place.store(100, "eight"), "group0.option$number"),
        all("libgit2-writer", place.store(100, "eight-libgit2"), "group0/option$number.json"),
    )


@row("8 processes that stay, 50 Dones each", "libgit2, by compare and swap, synced", "≤ 0.167 ×", pairs=5)
def eight_writers(place):
    return eight(place, worst=False)


@row("the longest that one of these Dones takes", "the same", "≤ 0.1 ×", pairs=5)
def eight_waits(place):
    return eight(place, worst=True)


@row("2,000 versions in one process", "git fast-import of the same", "≤ 1.0 ×", pairs=3)
def versions(place):
    store = place.store(100, "versions")
    imported = place.store(100, "versions-git")
    stream = f"{place.path}/stream"

    def write(number):
        with open(stream, "w") as out:
            for version in range(2000):
                text, why = file(1, number * 10_000 + version), "group0.option1: 1 → 2\n\nwhy\n\nVia: cli\n"
                out.write(f"commit refs/heads/fast{number}\ncommitter Ada <ada@example.org> {1_800_000_000 + version} +0000\n")
                out.write(f"data {len(why.encode())}\n{why}\n" + ("" if version else "from HEAD^0\n"))
                out.write(f"M 100644 inline {FILE}\ndata {len(text)}\n{text}\n")

    return (
        Command(fixed("settings-writer", store, KEY, "2000"), store),
        Command(shell(f"git fast-import --quiet <{stream}"), imported, prepare=write),
    )


# Long histories, which are the same on every file system.

LONG_KEY, LONG_FILE = "group007.option003", "group007/option003.json"


def indexed(place) -> str:
    """A long history with its index."""
    store = place.long_store("indexed")
    quietly(store, "settings", "maintain", "--auto")
    quietly(store, "git", "config", "gc.auto", "0")
    return store


def unindexed(place) -> str:
    store = place.long_store("unindexed")
    quietly(store, "git", "config", "gc.auto", "0")  # no maintenance in the background
    return store


def git_log(place, filters: bool = True) -> Command:
    words = ["git", *([] if filters else ["-c", "commitGraph.readChangedPaths=false"]), "log", "--", LONG_FILE]
    return Command(fixed(*words), unindexed(place))


@row("history of one option, long", "git log -- file, Bloom filters", "≤ 0.067 ×", pairs=9, everywhere=False)
def long_history(place):
    return Command(fixed("settings", "history", LONG_KEY), indexed(place)), git_log(place)


@row("the same without the index", "git log -- file, no Bloom filters", "≤ 1.5 ×", pairs=3, everywhere=False)
def long_unindexed(place):
    return Command(fixed("settings", "history", LONG_KEY), unindexed(place)), git_log(place, filters=False)


@row("first screen of browse, long", "", "≤ 0.05 s", everywhere=False)
def browse_first(place):
    return at_terminal("first", "○", unindexed(place), "settings", "browse"), None


@row("slowest key of browse, long", "", "≤ 0.016 s", everywhere=False)
def browse_key(place):
    return at_terminal("key", "○", unindexed(place), "settings", "browse"), None


@row("memory of browse, long", "", "≤ 64 MB", unit="MB", everywhere=False)
def browse_memory(place):
    return at_terminal("memory", "○", unindexed(place), "settings", "browse"), None


@row("index made from nothing, long", "git log --name-only of all", "≤ 2.0 ×", pairs=3, everywhere=False)
def long_index(place):
    store = place.long_store("index")

    def forget(_):
        for name in os.listdir(f"{store}/.git/settings") if os.path.exists(f"{store}/.git/settings") else []:
            if name.startswith("history"):
                os.unlink(f"{store}/.git/settings/{name}")

    return (
        Command(fixed("settings", "maintain", "--auto"), store, prepare=forget),
        Command(fixed("git", "log", "--name-only"), unindexed(place)),
    )


@row("blame of 10,000 options, long", "", "≤ 0.5 s", pairs=5, everywhere=False)
def long_blame(place):
    return Command(fixed("settings", "blame"), indexed(place)), None


@row("history of everything, long", "git log", "≤ 5 ×", pairs=3, everywhere=False)
def long_all(place):
    return Command(fixed("settings", "history"), indexed(place)), Command(fixed("git", "log"), unindexed(place))


@row("memory of the history of one option, long", "git log -- file", "≤ 0.25 ×", pairs=3, unit="MB", everywhere=False)
def long_memory(place):
    ours, theirs = long_history(place)
    ours.result = theirs.result = memory
    return ours, theirs


@row("memory of the history of everything, long", "git log", pairs=3, unit="MB", everywhere=False)
def long_memory_all(place):
    ours, theirs = long_all(place)
    ours.result = theirs.result = memory
    return ours, theirs


@row("disk after settings maintain, long", "git repack -ad", "≤ 1.1 ×", pairs=1, unit="KB", everywhere=False)
def long_disk(place):
    ours = place.long_store("disk")
    quietly(ours, "settings", "maintain")
    size = fixed("du", "-sk", ".git/objects/pack")
    return Command(size, ours, result=printed(0)), Command(size, place.long_store("disk-git"), result=printed(0))
