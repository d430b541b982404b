"""The rows of the table: what is measured, against what, and how far it should go."""

import os
import shutil
import time
from dataclasses import dataclass
from typing import Callable

from measure import Command, Unavailable, fixed, quietly, shell
from stores import YEAR, Place

KEY, FILE = "group0.option1", "group0/option1.json"
# What people write: change the line, commit it.
EDIT = f"""sed -i 's/"value": [0-9]*/"value": '$1/ {FILE}"""
COMMIT = f"{EDIT}; git add {FILE}; git commit -qm why"


@dataclass
class Row:
    what: str
    against: str
    aim: str  # '≤ 0.6 ×' of the other's time, '≤ 0.5 s', or nothing
    make: Callable[[Place], tuple[Command, Command | None]]
    pairs: int | None = None  # where each run takes long: how many are enough


rows: list[Row] = []


def row(what: str, against: str, aim: str = "", pairs: int | None = None):
    """Adds a row: the function makes our command and the other's, in a place."""

    def add(make: Callable[[Place], tuple[Command, Command | None]]):
        rows.append(Row(what, against, aim, make, pairs))
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
        # Its package would put /etc under version control: it is only unpacked.
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


@row("set KEY VALUE -m WHY, 10,000 options", "sed -i, git add, git commit", "≤ 0.25 ×")
def set_large(place):
    return set_one(place, 10_000), Command(shell(COMMIT), place.store(10_000, "set-git"))


@row("set of 10,000 options in one version", "the same files, git add -A, git commit", "≤ 0.5 ×", pairs=5)
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


@row("status, 10,000 options, one edited", "git status", "≤ 1.0 ×")
def status(place):
    def edited(name):
        store = place.store(10_000, name)
        quietly(store, *shell(EDIT)(7))
        return store

    return (
        Command(fixed("settings", "status", "--quiet"), edited("status")),
        Command(fixed("git", "status", "--short"), edited("status-git")),
    )


@row("list, 10,000 options", "git grep of every value")
def list_all(place):
    store = place.store(10_000)
    return Command(fixed("settings", "list"), store), Command(fixed("git", "grep", "-h", '"value"'), store)


@row("list --at a year ago, 10,000 options", "git archive of that commit", "≤ 1.0 ×")
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
