"""The rows about exchanging versions with other repositories. Servers run on this machine, as long as the benchmark does."""

import atexit
import os
import shutil
import subprocess
import time

from measure import Command, Unavailable, fixed, quietly, shell
from rows import row
from stores import Place

SERVERS = os.path.join(os.path.dirname(__file__), "..", "..", "Tests", "SettingsCLITests", "Servers")
PASSWORD = {
    "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "credential.helper",
    "GIT_CONFIG_VALUE_0": "!f() { echo username=ada; echo password=secret; }; f",
}


def shared(place: Place) -> str:
    """A folder with a bare repository of 100 options and the clones `ours` and `theirs`."""

    def make(path):
        os.mkdir(path)
        quietly(path, "git", "clone", "-q", "--bare", place.store(100, "shared"), "bare.git")
        quietly(path, "git", "-C", "bare.git", "config", "http.receivepack", "true")
        for name in ("ours", "theirs"):
            quietly(path, "settings", "clone", "-q", "bare.git", name)

    return place.folder("exchange", make)


def http(folder: str) -> str:
    server = subprocess.Popen(
        ["python3", "-B", os.path.join(SERVERS, "smart_http.py"), folder], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    atexit.register(server.kill)
    return f"http://127.0.0.1:{int(server.stdout.readline())}/bare.git"


def ssh(folder: str) -> str:
    """An ssh server with a key of its own, and git's configuration to reach it."""
    if not shutil.which("sshd", path=os.environ["PATH"] + ":/usr/sbin"):
        raise Unavailable("there is no ssh server (Debian: openssh-server)")
    import socket
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = os.path.join(folder, "sshd")
    os.makedirs(own, exist_ok=True)
    for name in ("host", "key"):
        if not os.path.exists(f"{own}/{name}"):
            quietly(own, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", name)
    shutil.copy(f"{own}/key.pub", f"{own}/keys")
    with open(f"{own}/config", "w") as stream:
        stream.write(f"Port {port}\nListenAddress 127.0.0.1\nHostKey {own}/host\nUsePAM no\nStrictModes no\n"
                     f"AuthorizedKeysFile {own}/keys\nPidFile none\nSetEnv PATH={os.environ['PATH']}\n")
    os.makedirs("/run/sshd", exist_ok=True)
    program = shutil.which("sshd", path=os.environ["PATH"] + ":/usr/sbin")
    server = subprocess.Popen([program, "-D", "-f", f"{own}/config"], stderr=subprocess.DEVNULL)
    atexit.register(server.kill)
    time.sleep(0.5)
    os.environ["GIT_SSH_COMMAND"] = f"ssh -p {port} -i {own}/key -o UserKnownHostsFile={own}/known -o StrictHostKeyChecking=no"
    return f"127.0.0.1:{folder}/bare.git"


def nothing_new(place: Place, address, environment=None):
    folder = shared(place)
    url = address(folder)
    for name in ("ours", "theirs"):
        quietly(f"{folder}/{name}", "git", "remote", "set-url", "origin", url)
    environment = environment or {}
    return (
        Command(fixed("settings", "sync", "-q"), f"{folder}/ours", environment=environment),
        Command(fixed("git", "fetch", "-q"), f"{folder}/theirs", environment=environment),
    )


@row("sync with nothing to do, a path", "git fetch", "≤ 1.3 ×")
def sync_path(place):
    return nothing_new(place, lambda folder: f"{folder}/bare.git")


@row("sync with nothing to do, http", "git fetch", "≤ 1.3 ×", everywhere=False)
def sync_http(place):
    return nothing_new(place, http, PASSWORD)


@row("sync with nothing to do, ssh", "git fetch", "≤ 1.3 ×", pairs=9, everywhere=False)
def sync_ssh(place):
    return nothing_new(place, ssh)


def processor(took, use, output) -> float:
    return use.ru_utime + use.ru_stime


@row("pull of 1,000 versions, processor time", "", "≤ 1.0 s", pairs=5, everywhere=False)
def pull_thousand(place):
    """All of the command's processes, git's included."""
    folder = place.folder("incoming", os.mkdir)
    behind, bare = f"{folder}/behind", f"{folder}/bare.git"
    quietly(folder, "git", "clone", "-q", "--bare", place.store(100, "shared"), bare)
    quietly(folder, "git", "clone", "-q", bare, behind)
    quietly(behind, "git", "reset", "-q", "--hard", "HEAD~1000")
    quietly(behind, "git", "update-ref", "refs/remotes/origin/main", "HEAD")
    quietly(behind, "sh", "-ec", "git reflog expire --expire=now --all; git gc -q --prune=now")

    def prepare(number):
        shutil.rmtree(f"{folder}/ours", ignore_errors=True)
        shutil.copytree(behind, f"{folder}/ours", symlinks=True)
        quietly(f"{folder}/ours", "git", "update-index", "-q", "--refresh")

    return Command(shell("cd ours; settings pull -q"), folder, prepare=prepare, result=processor), None


@row("clone of a long history", "git clone --no-local", "≤ 1.3 ×", pairs=3, everywhere=False)
def clone_long(place):
    folder = place.folder("clones", os.mkdir)
    store = place.long_store("cloned")
    bare = f"{folder}/bare.git"
    if not os.path.exists(bare):
        quietly(folder, "git", "clone", "-q", "--bare", store, bare)

    def prepare(number):
        for name in ("ours", "theirs"):
            shutil.rmtree(f"{folder}/{name}", ignore_errors=True)

    return (
        Command(fixed("settings", "clone", "-q", bare, "ours"), folder, prepare=prepare),
        Command(fixed("git", "clone", "-q", "--no-local", bare, "theirs"), folder, prepare=prepare),
    )
