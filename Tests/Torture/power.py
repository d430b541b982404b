"""Loss of power: a file system in a file, stopped at random moments by an ioctl for such tests.

EXT4_IOC_SHUTDOWN and XFS_IOC_GOINGDOWN with NOLOGFLUSH drop what the kernel has not written and the open transaction of
the journal; a drive's own write cache is not covered. Each loss of power looks like a restart of the system, because the
program sees another boot id.
"""

import array
import ctypes
import fcntl
import json
import os
import random
import re
import shutil
import subprocess
import threading
import time
import uuid

import yaml

from stores import Place, Wrong

SHUTDOWN = 0x8004587D  # _IOR('X', 125, __u32), the same for ext4 and XFS
NO_LOG_FLUSH = 2
BOOT = "/proc/sys/kernel/random/boot_id"
NEW_NAMESPACE = 0x00020000  # CLONE_NEWNS

SYSTEMS = {
    "ext4": ["mkfs.ext4", "-q", "-F"],
    "ext4 without a journal": ["mkfs.ext4", "-q", "-F", "-O", "^has_journal"],
    "xfs": ["mkfs.xfs", "-q", "-f"],
}


class NotHere(Exception):
    """Why this test can't run on this machine."""


class Disk:
    def __init__(self, folder, system):
        self.image, self.mount_point = os.path.join(folder, "disk"), os.path.join(folder, "mounted")
        self.system = system
        maker = SYSTEMS[system]
        if os.geteuid() != 0:
            raise NotHere("needs root")
        if not shutil.which(maker[0]):
            raise NotHere(f"{maker[0]} isn't installed")
        os.makedirs(self.mount_point, exist_ok=True)
        with open(self.image, "wb") as stream:
            stream.truncate(400 << 20)
        subprocess.run([*maker, self.image], check=True, capture_output=True)
        self.mount()

    def mount(self):
        done = subprocess.run(["mount", "-o", "loop", self.image, self.mount_point], capture_output=True, text=True)
        if done.returncode != 0:
            raise NotHere(f"can't mount: {done.stderr.strip()}")

    def stop(self):
        """Cuts the power."""
        descriptor = os.open(self.mount_point, os.O_RDONLY)
        fcntl.ioctl(descriptor, SHUTDOWN, array.array("I", [NO_LOG_FLUSH]))
        os.close(descriptor)

    def unmount(self):
        for _ in range(50):
            if subprocess.run(["umount", self.mount_point], capture_output=True).returncode == 0:
                return
            time.sleep(0.1)
        raise Wrong("the disk can't be unmounted")

    def start_again(self):
        self.unmount()
        if self.system == "ext4 without a journal":
            subprocess.run(["e2fsck", "-p", self.image], capture_output=True)
        self.mount()


class Boot:
    """Changes the boot id that this process and its children see."""

    def __init__(self, folder):
        self.file = os.path.join(folder, "boot")
        self.renew()
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.unshare(NEW_NAMESPACE) != 0:
            raise NotHere("can't have mounts of its own")
        subprocess.run(["mount", "--make-rprivate", "/"], check=True)
        subprocess.run(["mount", "--bind", self.file, BOOT], check=True)

    def renew(self):
        with open(self.file, "w") as stream:
            stream.write(f"{uuid.uuid4()}\n")

    def remove(self):
        subprocess.run(["umount", BOOT], capture_output=True)


class Writer:
    """Records version after version in various ways, until the disk fails."""

    KEYS = 80

    def __init__(self, place, path, number, seed):
        self.place, self.path, self.number = place, path, number
        self.chance = random.Random(seed * 1000 + number)
        self.count = 0
        self.in_flight = None
        self.acknowledged, self.tags = [], []

    @property
    def hand(self):
        return os.path.join(self.path, "power", f"h{self.number}.json")

    def prepare(self):
        n = self.number
        for key in (f"power.w{n}", f"power.v{n}", f"power.h{n}"):
            self.place.check(["settings", "add", key, "--title", "W", "--text", "-"], self.path, text="0")

    def go_on(self, stop, loss):
        while not stop.is_set():
            self.count += 1
            self.mark = f"l{loss}-w{self.number}-{self.count}"
            try:
                self.step()
            except OSError:
                return

    def step(self):
        way, n, mark = self.chance.random(), self.number, self.mark
        if way < 0.60:
            self.record(["set", f"power.w{n}", mark])
        elif way < 0.70:
            self.record(["set", f"power.w{n}", mark, f"power.v{n}", mark, "--durability", "strict"])
        elif way < 0.82:
            self.edit_by_hand()
            self.record(["done", f"power.h{n}"])
        elif way < 0.87:
            self.record(["add", f"added.{mark}", "--title", mark, "--switch"])
        elif way < 0.90:
            self.import_many()
        elif way < 0.94:
            if self.run(["tag", mark]):
                self.tags.append(mark)
        elif way < 0.96 and n == 0:
            self.run(["maintain"])
        else:
            self.record(["set", f"power.v{n}", mark])

    def run(self, words):
        return self.place.run(["settings", *words, "--quiet"], self.path).returncode == 0

    def record(self, words):
        if self.run([*words, "-m", self.mark]):
            self.acknowledged.append(self.mark)

    def edit_by_hand(self):
        """Writes a file like a careful editor."""
        with open(self.hand) as stream:
            text = stream.read()
        self.in_flight = self.mark
        with open(self.hand + "~", "w") as stream:
            stream.write(re.sub('"value": ".*"', f'"value": "{self.mark}"', text))
            stream.flush()
            os.fsync(stream.fileno())
        os.rename(self.hand + "~", self.hand)

    def import_many(self):
        file = os.path.join(self.place.folder, f"many{self.number}.json")
        with open(file, "w") as stream:
            json.dump({f"k{key}": f"{self.mark}-{key}" for key in range(self.KEYS)}, stream)
        self.record(["import", file, "--into", f"many{self.number}", "--overwrite"])

    def after(self):
        """The file that was edited by hand has the last version's content, or the unrecorded edit."""
        if os.path.exists(self.hand + "~"):
            os.unlink(self.hand + "~")
        with open(self.hand) as stream:
            here = json.load(stream)["value"]
        recorded = json.loads(self.place.check(["git", "show", f"HEAD:power/h{self.number}.json"], self.path))["value"]
        if here != recorded:
            if here != self.in_flight or here in self.acknowledged:
                raise Wrong(f"power.h{self.number} is {here} in its file and {recorded} in the last version")
            self.place.check(["settings", "discard", f"power.h{self.number}"], self.path)


def lose(place, system, wanted, writers=4, seed=1):
    """Returns (acknowledged versions, losses of power, leftover locks, what failed)."""
    chance = random.Random(seed)
    boot = Boot(place.folder)
    disk = Disk(place.folder, system)
    acknowledged_in_all, losses, locks, broken = 0, 0, 0, []
    try:
        home = os.path.join(place.folder, "inputs")
        os.makedirs(home, exist_ok=True)
        here = Place(place.program, home)
        path = os.path.join(disk.mount_point, "store")
        here.make(path)
        team = [Writer(here, path, number, seed) for number in range(writers)]
        for writer in team:
            writer.prepare()
        track(here, path)
        os.sync()
        while acknowledged_in_all < wanted:
            stop = threading.Event()
            before = sum(len(writer.acknowledged) for writer in team)
            threads = [threading.Thread(target=writer.go_on, args=(stop, losses)) for writer in team]
            for thread in threads:
                thread.start()
            time.sleep(chance.uniform(0.1, 1.5))
            disk.stop()
            stop.set()
            for thread in threads:
                thread.join()
            losses += 1
            disk.start_again()
            boot.renew()
            locks += len(locks_in(path))
            broken += after(here, path, team, losses)
            acknowledged_in_all += sum(len(writer.acknowledged) for writer in team) - before
            if len(broken) > 20:
                break
    finally:
        subprocess.run(["umount", disk.mount_point], capture_output=True)
        boot.remove()
        os.unlink(disk.image)
    return acknowledged_in_all, losses, locks, broken


TRACKED, EDIT = "power.yaml", "# by hand\n"


def track(place, path):
    """All options of the writers are members of one file, which carries an edit that nobody records."""
    for words in (["settings", "export", "yaml", "power", "-o", TRACKED], ["git", "add", TRACKED],
                  ["git", "commit", "-q", "-m", "file"], ["settings", "track", TRACKED, "--into", "power", "-q"]):
        place.check(words, path)
    with open(os.path.join(path, TRACKED), "a") as stream:
        stream.write(EDIT)
        stream.flush()
        os.fsync(stream.fileno())


def judge_tracked(place, path):
    """The file has the values of the options, in the last version and here, where the edit is still unrecorded."""
    recorded = place.check(["git", "show", f"HEAD:{TRACKED}"], path)
    names = place.check(["git", "ls-tree", "--name-only", "HEAD", "power/"], path).split()
    options = {os.path.basename(name)[:-5]: json.loads(place.check(["git", "show", f"HEAD:{name}"], path)).get("value")
               for name in names if not name.endswith("_group.json")}
    if yaml.safe_load(recorded) != options:
        raise Wrong(f"{TRACKED} has {yaml.safe_load(recorded)}, the options are {options}")
    with open(os.path.join(path, TRACKED)) as stream:
        here = stream.read()
    if here != recorded + EDIT:
        raise Wrong(f"{TRACKED} is {here!r}, recorded is {recorded!r}")


def locks_in(path):
    found = []
    for folder, _, names in os.walk(os.path.join(path, ".git")):
        # The maintenance's own folder, which is cleared before the next use.
        if not folder.endswith("objects/info/settings/info"):
            found += [os.path.join(folder, name) for name in names if name.endswith(".lock")]
    return found


def after(place, path, team, losses):
    broken = []
    try:
        place.check(["settings", "history", "-n", "1"], path)
        place.check(["git", "--no-optional-locks", "status", "--porcelain"], path)
        for writer in team:
            writer.after()
        place.check(["settings", "set", "a.number+=1", "-m", f"after {losses}"], path)
        judge_tracked(place, path)
        bodies = place.check(["git", "log", "--format=%b%x00"], path).split("\0")
        there = {body.strip().split("\n")[0].strip() for body in bodies}
        tags = set(place.check(["git", "tag"], path).split())
        for writer in team:
            broken += [f"{mark} was acknowledged and is lost" for mark in writer.acknowledged if mark not in there]
            broken += [f"the tag {tag} was acknowledged and is lost" for tag in writer.tags if tag not in tags]
        place.expect_sound(path, f" M {TRACKED}\n")
    except Wrong as wrong:
        broken.append(f"after loss {losses}: {wrong}")
    return broken
