"""Other file systems: some cannot wait for a folder, on some a file that is removed while it is open keeps another name."""

import errno
import os
import re

# What a person does from the first version on, each in a folder of its own name.
COMMANDS = (
    ("new", ["init", "--quiet", "."]),
    ("new", ["add", "a.number", "--title", "Number", "--number", "1"]),
    ("new", ["set", "a.number", "2", "-m", "why"]),
    ("new", ["set", "a.number", "3", "--edit"]),
    ("new", ["define", "a.number", "--title", "Count"]),
    ("new", ["undo"]),
    ("new", ["tag", "start"]),
    ("new", ["maintain"]),
    ("hub", ["clone", "--bare", "{new}", "."]),
    ("new", ["remote", "add", "origin", "{hub}"]),
    ("new", ["sync"]),
    ("copy", ["clone", "{hub}", "."]),
    ("copy", ["set", "a.number", "9"]),
    ("copy", ["sync"]),
    ("new", ["sync"]),
    ("new", ["verify", "--deep"]),
)
# Folders and files of a command that has ended.
LEFT = re.compile(r"^(courier|editor)\.|^lock-|\.lock$|^\.fuse_hidden|^\.settings-clone-")


def work(place):
    """How many commands were run, and what was wrong with them."""
    count, broken = 0, []
    for number in (errno.EINVAL, errno.EOPNOTSUPP):
        for durability in (None, "strict", "fast", "none"):
            name = f"{errno.errorcode[number]}, {durability or 'default'}"
            folders = {folder: place.empty(f"elsewhere-{folder}") for folder in ("new", "hub", "copy")}
            faults = {
                "FAULT_FOLDERS": str(number), "FAULT_HIDES": "1", "FAULT_UNDER": place.folder,
                "FAULT_PROGRAM": os.path.basename(place.program)}
            for folder, words in COMMANDS:
                words = [word.format(**folders) for word in words]
                if durability and words[0] in ("init", "add", "set", "define", "undo", "tag"):
                    words[1:1] = ["--durability", durability]
                done = place.run(
                    ["settings", *words], folders[folder], faults=faults, variables={"EDITOR": "sed -i 1s/^/why/"})
                count += 1
                if done.returncode != 0:
                    broken.append(f"{name}: {' '.join(words)}: exit {done.returncode}: {done.stderr.strip()}")
            for folder in folders.values():
                broken += [f"{name}: {os.path.join(path, left)} was left" for path, *names in os.walk(folder)
                           for left in sum(names, []) if LEFT.search(left)]
    return count, broken
