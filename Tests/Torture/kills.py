"""Eight writing processes that are killed at random moments, while git packs and commits concurrently."""

import collections
import json
import os
import random
import signal
import subprocess
import threading
import time

import yaml

from stores import Wrong


def writer(place, store, stop, log, number):
    """Sets a new text repeatedly; each process is killed at a random moment or left running."""
    chance = random.Random(number)
    count = 0
    # Both ways of syncing, at the same time.
    environment = place.environment_of("fast" if number % 2 else "strict")
    while not stop.is_set():
        count += 1
        mark = f"w{number}-{count}"
        child = subprocess.Popen(
            [place.program, "set", f"kill.w{number}", mark, "-m", mark, "--quiet"], cwd=store, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        was_killed = False
        try:
            child.wait(chance.uniform(0, 0.12))
        except subprocess.TimeoutExpired:
            if chance.random() < 0.6:
                child.send_signal(signal.SIGKILL)
                was_killed = True
        said = child.communicate()[1]
        log.append((mark, child.returncode, was_killed and child.returncode == -signal.SIGKILL, said.strip()))


def pack_beside(place, path, stop, log):
    """Git's automatic maintenance."""
    while not stop.is_set():
        if place.run(["git", "gc", "-q"], path).returncode == 0:
            log.append("gc")
        time.sleep(0.3)


def commit_beside(place, path, stop, log, name, text):
    """Edits one file and commits it with plain git, and retries if another process was faster."""
    chance = random.Random(name)
    count = 0
    while not stop.is_set():
        count += 1
        mark = f"{name} {count}"
        with open(os.path.join(path, name), "w") as stream:
            stream.write(text.replace("{mark}", mark))
        while not stop.is_set():
            # A `git commit` that comes too late leaves everything unchanged.
            if place.run(["git", "commit", "-q", "-m", mark, "--", name], path).returncode == 0:
                log.append(mark)
                break
            time.sleep(chance.uniform(0, 0.01))


def storm(place, kills, writers=8):
    """Returns its figures and what failed."""
    path = place.empty("storm")
    store = os.path.join(path, "store")
    place.check(["git", "init", "-q", "-b", "main"], path)
    os.makedirs(os.path.join(path, "beside"))
    place.check(["settings", "init", "--quiet", store], path)
    for name in ("git", "hand"):
        place.check(["settings", "add", name, "--title", name, "--text", "x"], store)
    with open(os.path.join(store, "git.json")) as stream:
        option = stream.read().replace('"value": "x"', '"value": "{mark}"')
    with open(os.path.join(path, "beside", "file"), "w") as stream:
        stream.write("\n")
    place.check(["git", "add", "beside/file"], path)
    place.check(["git", "commit", "-q", "-m", "beside"], path)
    # All of the writers' options are members of one tracked file, which carries an edit that nobody records.
    tracked = os.path.join(path, "beside", "kill.yaml")
    with open(tracked, "w") as stream:
        stream.write("# top\n" + "".join(f"w{number}: '0' # {number}\n" for number in range(writers)))
    place.check(["git", "add", "beside/kill.yaml"], path)
    place.check(["git", "commit", "-q", "-m", "tracked"], path)
    place.check(["settings", "track", "../beside/kill.yaml", "--into", "kill", "-q"], store)
    with open(tracked, "a") as stream:
        stream.write("# by hand\n")
    place.edit_by_hand(store)
    stop, log, plain, packed = threading.Event(), [], [], []
    threads = [threading.Thread(target=writer, args=(place, store, stop, log, number)) for number in range(writers)]
    threads.append(threading.Thread(target=pack_beside, args=(place, path, stop, packed)))
    for name, text in (("beside/file", "{mark}\n"), ("store/git.json", option)):
        threads.append(threading.Thread(target=commit_beside, args=(place, path, stop, plain, name, text)))
    begun = time.monotonic()
    for thread in threads:
        thread.start()
    while sum(1 for entry in log if entry[2]) < kills:
        time.sleep(0.1)
    stop.set()
    for thread in threads:
        thread.join()
    took = time.monotonic() - begun
    broken = judge_storm(place, path, store, log, plain)
    return {
        "kills": sum(1 for entry in log if entry[2]), "acknowledged": sum(1 for entry in log if entry[1] == 0),
        "busy": sum(1 for entry in log if entry[1] == 75), "plain": len(plain), "packed": len(packed), "took": took,
    }, broken


def judge_storm(place, path, store, log, plain):
    broken = []
    # The next command repairs everything.
    place.check(["settings", "set", "kill.w0", "last", "-m", "last"], store)
    messages = place.check(["git", "log", "--format=%s%n%b%x00"], path).split("\0")
    seen = collections.Counter()
    for message in messages:
        lines = [line.strip() for line in message.strip().split("\n") if line.strip()]
        # The reason of a version of settings, or the subject of a plain commit.
        seen.update(lines[:2])
    for mark, status, was_killed, said in log:
        times = seen[mark]
        if status == 0 and times != 1:
            broken.append(f"{mark} was acknowledged and is {times} times in the history")
        elif was_killed and times > 1:
            broken.append(f"{mark} was killed and is {times} times in the history")
        elif not was_killed and status != 0:
            if times:
                broken.append(f"{mark} failed with {status} and is in the history: {said}")
            if status != 75:
                broken.append(f"{mark} failed with {status}: {said}")
    broken += judge_tracked(place, path, len({mark.split("-")[0] for mark, *_ in log}))
    broken += [f"the plain commit {mark} is {seen[mark]} times in the history" for mark in plain if seen[mark] != 1]
    try:
        # What was being committed at the end is an ordinary edit.
        place.run(["git", "checkout", "-q", "--", "beside/file", "store/git.json"], path)
        place.expect_sound(store, " M beside/kill.yaml\n M store/hand.json\n")
        place.expect_edited_by_hand(store)
    except Wrong as wrong:
        broken.append(str(wrong))
    return broken


def judge_tracked(place, path, writers):
    """Every version has the same values in the tracked file and in its options, and the edit of the file is there, unrecorded."""
    versions = place.check(["git", "rev-list", "HEAD", "--", "beside/kill.yaml"], path).split()
    names = ["beside/kill.yaml"] + [f"store/kill/w{number}.json" for number in range(writers)]
    asked = "".join(f"{version}:{name}\n" for version in versions for name in names)
    batch = place.check(["git", "cat-file", "--batch=%(objectsize)"], path, text=asked)
    broken, start = [], 0
    blobs = []
    for _ in range(len(versions) * len(names)):
        end = batch.index("\n", start)
        if batch[start:end].endswith(" missing"):
            blobs.append(None)
            start = end + 1
            continue
        size = int(batch[start:end])
        blobs.append(batch[end + 1:end + 1 + size])
        start = end + 1 + size + 1
    for number, version in enumerate(versions[:-2]):
        text, *options = blobs[number * len(names):(number + 1) * len(names)]
        if None in (text, *options):
            broken.append(f"{version} lacks {[name for name, blob in zip(names, (text, *options)) if blob is None]}")
            continue
        values = {f"w{number}": json.loads(option)["value"] for number, option in enumerate(options)}
        if yaml.safe_load(text) != values or text.count("#") != writers + 1:
            broken.append(f"{version} has {text!r} and {values}")
    with open(os.path.join(path, "beside", "kill.yaml")) as stream:
        here = stream.read()
    if here != blobs[0] + "# by hand\n":
        broken.append(f"kill.yaml is {here!r}, recorded is {blobs[0]!r}")
    return broken


def many(place, processes=8, changes=500, turns=50):
    """Several processes that add one, to the same option and to different ones; with `--if`, exactly one succeeds.

    Returns how many were acknowledged, how often all sums were read, the seconds, and what failed."""
    path = place.make("many")
    place.check(["settings", "add", "sum.all", "--title", "All", "--number", "0"], path)
    for number in range(processes):
        place.check(["settings", "add", f"sum.p{number}", "--title", "P", "--number", "0"], path)
    before = int(place.check(["git", "rev-list", "--count", "HEAD"], path))
    acknowledged, broken, torn, readings = [0] * processes, [], [], [0]
    stop = threading.Event()

    def add(number):
        for _ in range(changes):
            done = place.run(
                ["settings", "set", "sum.all+=1", f"sum.p{number}+=1", "-m", "one"], path,
                system="fast" if number % 2 else "strict")
            if done.returncode == 0:
                acknowledged[number] += 1
            elif done.returncode != 75:
                broken.append(f"exit {done.returncode}: {done.stderr.strip()}")

    def read():
        """All sums that are read at once are consistent."""
        keys = ["sum.all"] + [f"sum.p{number}" for number in range(processes)]
        while not stop.is_set():
            done = place.run(["settings", "get", *keys], path)
            readings[0] += 1
            values = [int(line.split()[-1]) for line in done.stdout.split("\n") if line]
            if done.returncode != 0 or len(values) != len(keys):
                torn.append(f"get: exit {done.returncode}: {done.stderr.strip()}")
            elif values[0] != sum(values[1:]):
                torn.append(f"get saw half a Done: {values}")
            time.sleep(0.02)

    threads = [threading.Thread(target=add, args=(number,)) for number in range(processes)]
    readers = [threading.Thread(target=read) for _ in range(2)]
    begun = time.monotonic()
    for thread in readers + threads:
        thread.start()
    for thread in threads:
        thread.join()
    stop.set()
    for thread in readers:
        thread.join()
    took = time.monotonic() - begun
    total = int(place.check(["settings", "get", "sum.all"], path))
    commits = int(place.check(["git", "rev-list", "--count", "HEAD"], path)) - before
    if not total == commits == sum(acknowledged):
        broken.append(f"{sum(acknowledged)} acknowledged, the sum is {total}, there are {commits} versions")
    broken += torn[:5]
    broken += one_of_many(place, path, processes, turns)
    try:
        place.expect_sound(path)
    except Wrong as wrong:
        broken.append(str(wrong))
    return sum(acknowledged), readings[0], took, broken


def one_of_many(place, path, processes, turns):
    """All processes try to make the same step of the value."""
    broken = []
    for turn in range(turns):
        place.check(["settings", "set", "b.other", f"turn-{turn}", "-m", "next"], path)
        winners = []

        def take(number):
            done = place.run(
                ["settings", "set", "b.other", f"mine-{turn}-{number}", "--if", f"b.other=turn-{turn}", "-m", "mine", "--json"],
                path)
            if done.returncode == 0:
                winners.append(json.loads(done.stdout)["status"])
            elif done.returncode not in (2, 75):
                broken.append(f"--if: exit {done.returncode}: {done.stderr.strip()}")

        threads = [threading.Thread(target=take, args=(number,)) for number in range(processes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if winners != ["recorded"]:
            broken.append(f"--if let {len(winners)} through: {winners}")
    return broken
