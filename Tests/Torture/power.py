"""Loss of power: a file system in a file, stopped at random moments by the ioctl that exists for this test.

EXT4_IOC_SHUTDOWN and XFS_IOC_GOINGDOWN with NOLOGFLUSH drop what the kernel has not written and the open transaction of
the journal; what a drive keeps in a cache of its own is not covered.
"""

import array
import fcntl
import os
import random
import shutil
import subprocess
import threading
import time

from stores import Place, Wrong

SHUTDOWN = 0x8004587D  # _IOR('X', 125, __u32), the same for ext4 and XFS
NO_LOG_FLUSH = 2

SYSTEMS = {
    "ext4": ["mkfs.ext4", "-q", "-F"],
    "ext4 without a journal": ["mkfs.ext4", "-q", "-F", "-O", "^has_journal"],
    "xfs": ["mkfs.xfs", "-q", "-f"],
}


class NotHere(Exception):
    """Why it can't be done on this machine."""


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
        """The power is gone."""
        descriptor = os.open(self.mount_point, os.O_RDONLY)
        fcntl.ioctl(descriptor, SHUTDOWN, array.array("I", [NO_LOG_FLUSH]))
        os.close(descriptor)

    def unmount(self):
        for _ in range(50):
            if subprocess.run(["umount", self.mount_point], capture_output=True).returncode == 0:
                return
            time.sleep(0.1)
        raise Wrong("the disk can't be unmounted")


def lose(place, system, wanted, writers=4, seed=1):
    """Returns (acknowledged, times the power was lost, what broke)."""
    chance = random.Random(seed)
    disk = Disk(place.folder, system)
    acknowledged_in_all, losses, broken = 0, 0, []
    try:
        here = Place(place.program, disk.mount_point)
        path = here.make("store")
        for number in range(writers):
            here.check(["settings", "add", f"power.w{number}", "--title", "W", "--text", "-"], path, text="0")
        os.sync()
        while acknowledged_in_all < wanted:
            acknowledged, stop = [], threading.Event()

            def write(number):
                count = 0
                while not stop.is_set():
                    count += 1
                    mark = f"l{losses}-w{number}-{count}"
                    try:
                        done = here.run(["settings", "set", f"power.w{number}", mark, "-m", mark, "--quiet"], path)
                    except OSError:
                        return
                    if done.returncode == 0:
                        acknowledged.append(mark)

            threads = [threading.Thread(target=write, args=(number,)) for number in range(writers)]
            for thread in threads:
                thread.start()
            time.sleep(chance.uniform(0.5, 3))
            disk.stop()
            stop.set()
            for thread in threads:
                thread.join()
            losses += 1
            disk.unmount()
            if disk.system == "ext4 without a journal":
                subprocess.run(["e2fsck", "-p", disk.image], capture_output=True)
            disk.mount()
            broken += after(here, path, acknowledged, losses)
            acknowledged_in_all += len(acknowledged)
            if len(broken) > 20:
                break
    finally:
        subprocess.run(["umount", disk.mount_point], capture_output=True)
        os.unlink(disk.image)
    return acknowledged_in_all, losses, broken


def after(place, path, acknowledged, losses):
    broken = []
    try:
        place.check(["git", "--no-optional-locks", "status", "--porcelain"], path)
        place.check(["settings", "set", "a.number+=1", "-m", f"after {losses}"], path)
        bodies = place.check(["git", "log", "--format=%b%x00"], path).split("\0")
        there = {body.strip().split("\n")[0].strip() for body in bodies}
        for mark in acknowledged:
            if mark not in there:
                broken.append(f"{mark} was acknowledged and is lost")
        place.expect_sound(path)
    except Wrong as wrong:
        broken.append(f"after loss {losses}: {wrong}")
    return broken
