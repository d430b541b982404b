"""Edits a file by hand while others set its option: the edit stays until it is discarded on request."""

import os
import random
import threading
import time

from stores import Wrong


def comes_to_hold(file, mark):
    """A writer changes places with what it finds, to look at it, and an edit goes back at once."""
    for _ in range(100):
        with open(file) as stream:
            if mark in stream.read():
                return True
        time.sleep(0.02)
    return False


def edit_against(place, edits, writers=3, seed=1):
    """Returns the number of edits and versions, and what failed."""
    path = place.make("edits")
    file = os.path.join(path, "b", "other.json")
    with open(file) as stream:
        option = stream.read().replace('"value": "x"', '"value": "{mark}"')
    stop, recorded, broken = threading.Event(), [], []

    def write(number):
        count = 0
        while not stop.is_set():
            count += 1
            done = place.run(
                ["settings", "set", "b.other", f"w{number}-{count}", "-m", "why"], path,
                system="fast" if number % 2 else "strict")
            if done.returncode == 0:
                recorded.append(count)
            elif done.returncode not in (2, 75):
                broken.append(f"set: exit {done.returncode}: {done.stderr.strip()}")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(writers)]
    for thread in threads:
        thread.start()
    chance = random.Random(seed)
    for number in range(edits):
        time.sleep(chance.uniform(0, 0.02))
        mark = f"by hand {number}"
        # As editors write: a new file in its place, or in place.
        beside = file + "~" if number % 2 else file
        with open(beside, "w") as stream:
            stream.write(option.replace("{mark}", mark))
        if beside != file:
            os.rename(beside, file)
        time.sleep(chance.uniform(0, 0.03))
        if not comes_to_hold(file, mark):
            broken.append(f"the edit '{mark}' was overwritten")
            continue
        done = place.run(["settings", "discard", "b.other", "--quiet"], path)
        if done.returncode != 0:
            broken.append(f"discard: exit {done.returncode}: {done.stderr.strip()}")
    stop.set()
    for thread in threads:
        thread.join()
    if "by hand" in place.check(["git", "log", "-p", "HEAD"], path):
        broken.append("an edit was recorded without being asked")
    try:
        place.check(["settings", "set", "b.other", "last", "-m", "last"], path)
        place.expect_sound(path)
    except Wrong as wrong:
        broken.append(str(wrong))
    return len(recorded), broken
