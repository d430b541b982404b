"""Eight processes that write, killed at random moments, while git packs and commits beside them."""

import json
import os
import random
import signal
import subprocess
import threading
import time

from stores import Wrong


def writer(place, path, stop, random_seconds, log, number):
    """Sets a new text again and again; each process is killed at a random moment or let go on."""
    chance = random.Random(number)
    count = 0
    while not stop.is_set():
        count += 1
        mark = f"w{number}-{count}"
        child = subprocess.Popen(
            [place.program, "set", f"kill.w{number}", mark, "-m", mark, "--quiet"], cwd=path, env=place.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        killed = False
        try:
            child.wait(chance.uniform(0, random_seconds))
        except subprocess.TimeoutExpired:
            if chance.random() < 0.5:
                child.send_signal(signal.SIGKILL)
                killed = True
        said = child.communicate()[1]
        log.append((mark, child.returncode, killed and child.returncode == -signal.SIGKILL, said.strip()))


def git_beside(place, path, stop, log):
    """What plain git does in the same repository: packing, and commits of a file that isn't the store's."""
    chance = random.Random(99)
    count = 0
    while not stop.is_set():
        if chance.random() < 0.5:
            place.run(["git", "gc", "-q"], path)
        else:
            count += 1
            # By plumbing, as a hosting service does it: a new commit on whatever the branch is, if nobody was faster.
            name = f"plain-{count}"
            blob = place.run(["git", "hash-object", "-w", "--stdin"], path, text=name).stdout.strip()
            head = place.head(path)
            index = os.path.join(path, ".git", "torture-index")
            place.run(["git", "read-tree", head], path, GIT_INDEX_FILE=index)
            place.run(["git", "update-index", "--add", "--cacheinfo", f"100644,{blob},beside/{count % 7}.txt"], path,
                      GIT_INDEX_FILE=index)
            tree = place.run(["git", "write-tree"], path, GIT_INDEX_FILE=index).stdout.strip()
            commit = place.run(["git", "commit-tree", tree, "-p", head, "-m", name], path).stdout.strip()
            if commit and place.run(["git", "update-ref", "refs/heads/main", commit, head], path).returncode == 0:
                log.append(name)
        time.sleep(chance.uniform(0, 0.05))


def storm(place, kills, writers=8, beside=True):
    """Returns (kills, acknowledged, seconds, what broke)."""
    path = place.make("storm")
    for number in range(writers):
        place.check(["settings", "add", f"kill.w{number}", "--title", f"W{number}", "--text", "-"], path, text="0")
    stop, log, plain = threading.Event(), [], []
    threads = [threading.Thread(target=writer, args=(place, path, stop, 0.08, log, number)) for number in range(writers)]
    if beside:
        threads.append(threading.Thread(target=git_beside, args=(place, path, stop, plain)))
    begun = time.monotonic()
    for thread in threads:
        thread.start()
    while sum(1 for entry in log if entry[2]) < kills:
        time.sleep(0.1)
    stop.set()
    for thread in threads:
        thread.join()
    took = time.monotonic() - begun
    broken = []
    # The next command is all the help there is.
    place.check(["settings", "set", "a.number", "999", "-m", "last"], path)
    subjects = place.check(["git", "log", "--first-parent", "--format=%b%x00"], path).split("\0")
    seen = {}
    for body in subjects:
        mark = body.strip().split("\n")[0].strip()
        seen[mark] = seen.get(mark, 0) + 1
    for mark, status, was_killed, said in log:
        times = seen.get(mark, 0)
        if status == 0 and times != 1:
            broken.append(f"{mark} was acknowledged and is {times} times in the history")
        elif was_killed and times > 1:
            broken.append(f"{mark} was killed and is {times} times in the history")
        elif not was_killed and status != 0:
            if times:
                broken.append(f"{mark} failed with {status} and is in the history: {said}")
            if status != 75:
                broken.append(f"{mark} failed with {status}: {said}")
    names = place.check(["git", "log", "--format=%s"], path).split("\n")
    for name in plain:
        if name not in names:
            broken.append(f"the plain commit {name} is gone")
    if beside:
        # What the plumbing committed is nobody's work to check out.
        place.run(["git", "checkout", "-q", "--", "beside"], path)
        place.run(["git", "reset", "-q"], path)
        place.run(["git", "checkout", "-q", "--", "."], path)
    try:
        place.expect_sound(path)
    except Wrong as wrong:
        broken.append(str(wrong))
    busy = sum(1 for entry in log if entry[1] == 75)
    acknowledged = sum(1 for entry in log if entry[1] == 0)
    return sum(1 for entry in log if entry[2]), acknowledged, busy, len(plain), took, broken


def many(place, processes=8, changes=500):
    """Several processes that add one, to one option and to different ones; `--if` lets exactly one through."""
    path = place.make("many")
    place.check(["settings", "add", "sum.all", "--title", "All", "--number", "0"], path)
    for number in range(processes):
        place.check(["settings", "add", f"sum.p{number}", "--title", "P", "--number", "0"], path)
    before = int(place.check(["git", "rev-list", "--count", "HEAD"], path))
    acknowledged, broken, torn = [0] * processes, [], []
    stop = threading.Event()

    def add(number):
        for _ in range(changes):
            done = place.run(["settings", "set", "sum.all+=1", f"sum.p{number}+=1", "-m", "one"], path)
            if done.returncode == 0:
                acknowledged[number] += 1
            elif done.returncode != 75:
                broken.append(f"exit {done.returncode}: {done.stderr.strip()}")

    def read():
        """All sums of one moment belong together."""
        keys = ["sum.all"] + [f"sum.p{number}" for number in range(processes)]
        while not stop.is_set():
            done = place.run(["settings", "get", *keys], path)
            values = [int(line.split()[-1]) for line in done.stdout.split("\n") if line]
            if done.returncode != 0 or len(values) != len(keys):
                torn.append(f"get: exit {done.returncode}: {done.stderr.strip()}")
            elif values[0] != sum(values[1:]):
                torn.append(f"get saw half a Done: {values}")
            time.sleep(0.02)

    threads = [threading.Thread(target=add, args=(number,)) for number in range(processes)]
    reader = threading.Thread(target=read)
    begun = time.monotonic()
    reader.start()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stop.set()
    reader.join()
    took = time.monotonic() - begun
    total = int(place.check(["settings", "get", "sum.all"], path))
    commits = int(place.check(["git", "rev-list", "--count", "HEAD"], path)) - before
    if not total == commits == sum(acknowledged):
        broken.append(f"{sum(acknowledged)} acknowledged, the sum is {total}, there are {commits} versions")
    broken += torn[:5]
    broken += one_of_many(place, path, processes)
    try:
        place.expect_sound(path)
    except Wrong as wrong:
        broken.append(str(wrong))
    return sum(acknowledged), took, broken


def one_of_many(place, path, processes):
    """Each tries to be the one that moves the value on."""
    broken = []
    for turn in range(20):
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
