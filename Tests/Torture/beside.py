"""Merges, reverts, undos and restores with concurrent writers: every version that a command reported is in the history."""

import json
import random
import threading

from stores import Wrong

# Success, nothing to undo, a conflict, nothing to revert, busy.
ANSWERS = (0, 1, 2, 66, 75)


def crowd(place, turns=20, writers=6):
    """Returns what each kind of command acknowledged, and what failed."""
    path = place.make("beside")
    for number in range(writers):
        place.check(["settings", "add", f"own.w{number}", "--title", f"W{number}", "--number", "0"], path)
    acknowledged, broken, lock = {}, [], threading.Lock()

    def run(*words):
        done = place.run(["settings", *words, "--json"], path)
        with lock:
            if done.returncode not in ANSWERS:
                broken.append(f"{' '.join(words)}: exit {done.returncode}: {done.stderr.strip()}")
            if done.returncode != 0:
                return None
            answer = json.loads(done.stdout)
            if answer["status"] not in ("recorded", "forwarded"):
                return None
            acknowledged.setdefault(words[0], []).append(answer["version"]["id"])
            return acknowledged[words[0]][-1]

    def write(number):
        chance = random.Random(number)
        for turn in range(turns):
            made = run("set", f"own.w{number}+=1", "-m", f"{number} {turn}")
            what = chance.choice(("revert", "undo", "restore", "set"))
            if what == "revert" and made:
                run("revert", made, "-m", "back")
            elif what == "undo":
                run("undo")
            elif what == "restore":
                run("restore", f"own.w{number}", "--from", "HEAD~3", "-m", "as it was")

    def merge(number):
        """From the current branch, so that some merges are fast-forwards unless another process is faster."""
        for turn in range(turns):
            name = f"side{number}-{turn}"
            beside = f"{path}.{name}"
            place.check(["git", "worktree", "add", "-q", "-b", name, beside, "HEAD"], path)
            place.check(["settings", "set", "b.other", name, "-q", "-m", name], beside)
            run("merge", name, "--theirs")
            place.check(["git", "worktree", "remove", "--force", beside], path)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(writers)]
    threads += [threading.Thread(target=merge, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    history = set(place.check(["git", "rev-list", "HEAD"], path).split())
    for kind, versions in acknowledged.items():
        broken += [f"{kind} {version} was acknowledged and is not in the history" for version in versions if version not in history]
    try:
        place.expect_sound(path)
    except Wrong as wrong:
        broken.append(str(wrong))
    return {kind: len(versions) for kind, versions in sorted(acknowledged.items())}, broken
