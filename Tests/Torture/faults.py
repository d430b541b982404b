"""Every call that changes a file system, made to fail: each once, from there on, half done, or the process killed there."""

import concurrent.futures
import errno
import os
import shutil

from stores import Wrong

KINDS = ("once", "from", "half", "before", "after")
CODES = ("EIO", "ENOSPC", "EDQUOT", "EMFILE", "EINTR")
STATUSES = {65, 66, 73, 74, 75}


def edit_by_hand(path):
    file = os.path.join(path, "a", "number.json")
    with open(file) as stream:
        text = stream.read()
    with open(file, "w") as stream:
        stream.write(text.replace('"value": 3', '"value": 12345'))


def nothing(path):
    pass


IMPORTED = '{"server": {"port": 8080, "name": "x"}, "debug": true}\n'


def write_import(path):
    with open(path + ".json", "w") as stream:
        stream.write(IMPORTED)


# What is done before, the command, whether it makes a version, and a file with what stands in it then.
SCENARIOS = {
    "set": (nothing, ["set", "a.number", "777", "-m", "why"], True, ("a/number.json", '"value": 777')),
    "set two": (nothing, ["set", "a.number", "777", "b.other", "yy"], True, ("b/other.json", '"value": "yy"')),
    "add": (nothing, ["add", "c.new", "--title", "New", "--switch"], True, ("c/new.json", '"title": "New"')),
    "remove": (nothing, ["remove", "b.other", "-m", "why"], True, ("b/other.json", None)),
    "rename": (nothing, ["rename", "b.other", "d.other"], True, ("d/other.json", '"title": "Other"')),
    "done": (edit_by_hand, ["done", "-m", "why"], True, ("a/number.json", '"value": 12345')),
    "revert": (nothing, ["revert", "HEAD", "-m", "why"], True, ("a/number.json", '"value": 2')),
    "restore": (nothing, ["restore", "--all", "--from", "HEAD~1", "-m", "why"], True, ("a/number.json", '"value": 2')),
    "undo": (nothing, ["undo"], True, ("a/number.json", '"value": 2')),
    "discard": (edit_by_hand, ["discard", "--quiet"], False, ("a/number.json", '"value": 3')),
    "import": (write_import, ["import", "{path}.json", "--into", "server"], True, ("server/debug.json", '"value": true')),
    "maintain": (nothing, ["maintain"], False, None),
}


def faults(number, kind, code, count_file=None):
    values = {"FAULT_AT": str(number), "FAULT_KIND": kind, "FAULT_ERRNO": str(getattr(errno, code))}
    if count_file:
        values["FAULT_COUNT"] = count_file
    return values


def holds(path, expectation):
    name, text = expectation
    try:
        with open(os.path.join(path, name)) as stream:
            return text is not None and text in stream.read()
    except FileNotFoundError:
        return text is None


def judge(place, path, template, scenario, done, kind):
    """Raises `Wrong` where a promise was broken."""
    _, _, makes_version, expectation = SCENARIOS[scenario]
    before, after = place.head(template), place.head(path)
    moved = after != before
    if done.returncode < 0 or done.returncode == 139:
        raise Wrong(f"crashed with {done.returncode}: {done.stderr.strip()}")
    was_killed = done.returncode == 137
    if not was_killed:
        said = [line for line in done.stderr.splitlines() if line.startswith("settings: ")]
        if done.returncode == 0:
            if makes_version and not moved:
                raise Wrong("reports success, and there is no version")
            if said:
                raise Wrong(f"reports success and an error: {said}")
        else:
            if done.returncode not in STATUSES:
                raise Wrong(f"exit status {done.returncode}: {done.stderr.strip()}")
            if len(said) != 1:
                raise Wrong(f"{len(said)} errors for one: {done.stderr.strip()}")
            if moved:
                raise Wrong(f"reports failure ({said[0]}), and there is a version")
    if moved:
        parents = place.check(["git", "rev-list", "--parents", "-n", "1", "HEAD"], path).split()[1:]
        if parents != [before]:
            raise Wrong(f"the version's parents are {parents}, not {before}")
    # The next command is all the help there is.
    place.check(["settings", "set", "a.choice", "--next", "-m", "next"], path)
    if place.check(["git", "rev-parse", "HEAD~1"], path).strip() != after:
        raise Wrong("the next version does not stand on what was there")
    done_now = expectation and holds(path, expectation)
    if expectation and makes_version and done_now != moved:
        # A draft that was not recorded is still a draft.
        if not (scenario == "done" and not moved):
            raise Wrong(f"{expectation[0]} {'is' if done_now else 'is not'} new, the version {'is' if moved else 'is not'}")
    if scenario == "done" and not moved:
        if not done_now:
            raise Wrong("the hand edit is gone, and was not recorded")
        place.check(["settings", "done", "-m", "again"], path)
    if scenario == "discard" and not done_now:
        place.check(["settings", "discard", "--quiet"], path)
    place.expect_sound(path)


def attempt(place, template, scenario, number, kind, code, slot):
    """Whether the call was reached, and what broke, if anything."""
    prepare, words, _, _ = SCENARIOS[scenario]
    path = place.copy(template, f"run{slot}")
    prepare(path)
    count_file = os.path.join(place.folder, f"count{slot}")
    if os.path.exists(count_file):
        os.unlink(count_file)
    words = [word.replace("{path}", path) for word in words]
    done = place.run(["settings", *words], path, faults=faults(number, kind, code, count_file))
    reached = True
    if os.path.exists(count_file):
        with open(count_file) as stream:
            reached = int(stream.read()) >= number
    try:
        judge(place, path, template, scenario, done, kind)
    except Wrong as wrong:
        kept = os.path.join(place.folder, f"wrong-{scenario.replace(' ', '-')}-{number}-{kind}-{code}")
        shutil.rmtree(kept, ignore_errors=True)
        os.rename(path, kept)
        return reached, f"{scenario}, call {number}, {kind} {code}: {wrong}"
    return reached, None


def sweep(place, scenarios, kinds, codes, workers):
    """Yields (scenario, runs, calls, what broke)."""
    template = place.make("template")
    for scenario in scenarios:
        pairs = []
        for kind in kinds:
            for code in codes if kind in ("once", "from", "half") else codes[:1]:
                # A program that tries again for ever after EINTR is right to.
                if not (code == "EINTR" and kind == "from"):
                    pairs.append((kind, code))
        broken, runs, most = [], 0, 0

        def all_calls(pair, slot):
            number, wrong = 0, []
            while True:
                number += 1
                reached, fault = attempt(place, template, scenario, number, *pair, slot)
                if not reached:
                    return number, wrong
                if fault:
                    wrong.append(fault)

        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            slots = [f"{scenario.replace(' ', '-')}-{index}" for index in range(len(pairs))]
            for number, wrong in pool.map(all_calls, pairs, slots):
                runs, most, broken = runs + number, max(most, number - 1), broken + wrong
        yield scenario, runs, most, broken
