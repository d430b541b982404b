"""Untrusted stores that are too large for the tests: the time and memory that each command takes.

Small ones are in Tests/SettingsCLITests/HostileStores, and are tested here with every command.
"""

import os
import re
import resource
import shutil
import signal
import subprocess

from stores import Wrong

SCRIPTS = os.path.join(os.path.dirname(__file__), "..", "SettingsCLITests", "HostileStores")
# The documented exit statuses.
STATUSES = {0, 1, 2, 64, 65, 66, 73, 74, 75, 77}
# Processor time, which doesn't depend on the machine's load; the wall-clock limit is five times as long.
SECONDS, MEMORY = 60, 2 << 30

COMMANDS = (
    ["get", "a.number"], ["list"], ["history", "-n", "5"], ["history", "a.number"], ["show", "a.number"], ["show", "theirs"],
    ["diff", "--from", "theirs"], ["blame", "a"], ["status"], ["verify"], ["tag"], ["merge", "theirs", "-m", "x"],
    ["set", "a.number", "7", "-m", "x"], ["undo"],
)


def feed(place, path, write, ref="refs/heads/theirs"):
    """A version made by git fast-import from what `write` writes to a stream, which may begin with other objects."""
    def keep(kind, data):
        done = subprocess.run(
            ["git", "hash-object", "-t", kind, "-w", "--stdin"], cwd=path, env=place.environment, input=data, check=True,
            stdout=subprocess.PIPE)
        return done.stdout.strip()

    child = subprocess.Popen(["git", "fast-import", "--quiet", "--force"], cwd=path, env=place.environment, stdin=subprocess.PIPE)
    write(child.stdin, ref, keep)
    child.stdin.close()
    if child.wait() != 0:
        raise Wrong("git fast-import")


def header(stream, ref, parent=b"from refs/heads/main^0\n"):
    stream.write(b"commit %s\ncommitter Ada <ada@example.org> 1795161600 +0000\ndata 1\nx\n%s" % (ref.encode(), parent))


def a_million_files(stream, ref, keep):
    stream.write(b"blob\nmark :1\ndata 48\n" + b'{"title": "X", "type": "text", "value": "xxxxx"}' + b"\n")
    header(stream, ref)
    for number in range(1_000_000):
        stream.write(b"M 100644 :1 m%d/n%d/o%d.json\n" % (number // 10_000, number // 100 % 100, number % 100))


def a_million_files_in_a_folder(stream, ref, keep):
    # git fast-import searches a folder for each name.
    blob = bytes.fromhex(keep("blob", b'{"title": "X", "type": "text", "value": "xxxxx"}').decode())
    names = sorted(b"o%d.json" % number for number in range(1_000_000))
    tree = keep("tree", b"".join(b"100644 %s\0%s" % (name, blob) for name in names))
    header(stream, ref)
    stream.write(b"M 040000 %s m\n" % tree)


def a_blob_of_2_gb(stream, ref, keep, name=b"a/number.json"):
    size = 2 << 30
    stream.write(b"blob\nmark :1\ndata %d\n" % size)
    block = b"x" * (1 << 20)
    for _ in range(size >> 20):
        stream.write(block)
    stream.write(b"\n")
    header(stream, ref)
    stream.write(b"M 100644 :1 %s\n" % name)


def a_file_of_2_gb_beside(stream, ref, keep):
    a_blob_of_2_gb(stream, ref, keep, b"beside/large.bin")


def a_million_labels(stream, ref, keep):
    labels = ",".join(f'"l{number}"' for number in range(1_000_000))
    data = b'{"title": "L", "type": "choice", "selected": 0, "labels": [' + labels.encode() + b"]}"
    stream.write(b"blob\nmark :1\ndata %d\n%s\n" % (len(data), data))
    header(stream, ref)
    stream.write(b"M 100644 :1 a/choice.json\n")


def a_hundred_thousand_versions(stream, ref, keep):
    stream.write(b"blob\nmark :1\ndata 46\n" + b'{"title": "X", "type": "number", "value": 11}\n' + b"\n")
    stream.write(b"blob\nmark :2\ndata 46\n" + b'{"title": "X", "type": "number", "value": 22}\n' + b"\n")
    for number in range(100_000):
        header(stream, ref, b"from refs/heads/main^0\n" if number == 0 else b"")
        stream.write(b"M 100644 :%d a/number.json\n" % (number % 2 + 1))


def ten_milliard_files_in_ten_folders(stream, ref, keep):
    inside = bytes.fromhex(keep("blob", b'{"title": "X", "type": "text", "value": "xxxxx"}').decode())
    entry = b"100644 o%d.json\0%s"
    for _ in range(10):
        inside = bytes.fromhex(keep("tree", b"".join(entry % (number, inside) for number in range(10))).decode())
        entry = b"40000 d%d\0%s"
    header(stream, ref)
    stream.write(b"M 040000 %s m\n" % inside.hex().encode())


def folders_without_end(stream, ref, keep):
    inside = bytes.fromhex(keep("tree", b"").decode())
    for _ in range(40):
        inside = bytes.fromhex(keep("tree", b"40000 a\0%s40000 b\0%s" % (inside, inside)).decode())
    header(stream, ref)
    stream.write(b"M 040000 %s m\n" % inside.hex().encode())


BIG = (a_million_files, a_million_files_in_a_folder, a_blob_of_2_gb, a_file_of_2_gb_beside, a_million_labels,
       a_hundred_thousand_versions, ten_milliard_files_in_ten_folders, folders_without_end)


def measured(place, words, path):
    """(exit status, processor seconds, peak memory in bytes) of a command with the limits SECONDS and MEMORY."""

    def bounded():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    child = subprocess.Popen(
        [place.program, *words], cwd=path, env=place.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, preexec_fn=bounded)
    signal.signal(signal.SIGALRM, lambda *_: child.kill())
    signal.alarm(5 * SECONDS)
    _, status, usage = os.wait4(child.pid, 0)
    signal.alarm(0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10


def big(place, make):
    """The largest figures of the commands on such a branch, then on a clone without a checkout: (rows, failures)."""
    path = place.make("large")
    place.check(["git", "branch", "theirs"], path)
    feed(place, path, make)
    rows, broken = [], []
    for on in ("theirs", "main"):
        if on == "main":
            place.check(["git", "update-ref", "refs/heads/main", "refs/heads/theirs"], path, timeout=600)
        for words in COMMANDS:
            status, seconds, memory = measured(place, words, path)
            rows.append((seconds, memory, f"{' '.join(words)} ({'as a branch' if on == 'theirs' else 'as the last version'})"))
            if status not in STATUSES:
                broken.append(f"{make.__name__}: settings {' '.join(words)}: exit {status} after {seconds:.1f} s")
    shutil.rmtree(path)
    return rows, broken


def small(place):
    """Every store of the tests with every command: (stores, commands, slowest in ms, failures)."""
    stores, commands, slowest, broken = 0, 0, (0, ""), []
    case = os.path.join(place.folder, "case")
    for script in ("trees", "history", "git-folder", "files"):
        with open(os.path.join(SCRIPTS, script + ".sh")) as stream:
            names = re.findall(r"^store_(\w+)\(\)", stream.read(), re.MULTILINE)
        for name in names:
            shutil.rmtree(case, ignore_errors=True)
            os.makedirs(os.path.join(case, "home"))
            path = os.path.join(case, "store")
            os.makedirs(path)
            for words in (
                ["init", "--quiet"],
                ["add", "general.language", "--title", "Language", "--choice", "en=English", "fr=French", "es=Spanish"],
                ["add", "sound.volume", "--title", "Volume", "--number", "50", "--range", "0..100:5"],
                ["tag", "first"], ["set", "general.language", "fr", "-m", "why"],
            ):
                place.check(["settings", *words], path)
            done = place.run(
                ["bash", os.path.join(SCRIPTS, "try.sh"), name], case, timeout=900, variables={
                    "SETTINGS_HOSTILE": "all", "HOME": os.path.join(case, "home"),
                    "PATH": os.path.dirname(place.program) + ":" + place.environment["PATH"],
                })  # fmt: skip
            stores += 1
            for line in done.stdout.split("\n"):
                if line.startswith("!!"):
                    broken.append(f"{name}: {line[3:]}")
                elif line:
                    commands += 1
                    slowest = max(slowest, (int(line.split()[0]), f"{name}: {line.split(' ', 2)[2]}"))
            if done.returncode != 0:
                broken.append(f"{name}: exit {done.returncode}: {done.stderr[-200:]}")
    shutil.rmtree(case, ignore_errors=True)
    return stores, commands, slowest, broken
