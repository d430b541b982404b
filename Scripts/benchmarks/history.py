#!/usr/bin/env python3
"""Creates a store with a long history by git fast-import; the same arguments give the same history.

python3 Scripts/benchmarks/history.py FOLDER [--versions 100000] [--options 10000] [--groups 100] [--merges 1] [--no-files]

The first version adds every option; then each sets one (one in ten: up to five), hot options more often than others;
--merges is the number of versions per hundred that merge a branch. Messages and trailers are those of this program.
The versions are spread over three years, to the end of 2025.
"""
import argparse, os, random, subprocess

arguments = argparse.ArgumentParser(usage=__doc__)
arguments.add_argument("folder")
arguments.add_argument("--versions", type=int, default=100_000)
arguments.add_argument("--options", type=int, default=10_000)
arguments.add_argument("--groups", type=int, default=100)
arguments.add_argument("--merges", type=float, default=1, help="in a hundred")
arguments.add_argument("--no-files", action="store_true", help="leave the work tree empty")
arguments = arguments.parse_args()

chance = random.Random(1)
people = [(name, name.split()[0].lower() + "@example.org") for name in (
    "Ada Lovelace", "Bob Hopper", "Carol Shaw", "Dora Maar", "Emil Post", "Frida Kahlo", "Grace Jones", "Hans Arp")]
reasons = ["The Paris office opens on Monday.", "Asked for by the night shift.", "As agreed on Tuesday.",
           "Customers found the old one too slow.", "Back to what the manual says.", "Tried out for a week."]
languages = ["English", "French", "German", "Spanish", "Italian"]
values = [language[:2].lower() for language in languages]
step = max(1, 3 * 365 * 86400 // arguments.versions)
begin = 1767225600 - step * arguments.versions


def place(option):
    return option % arguments.groups, option // arguments.groups


def path(option):
    group, number = place(option)
    return f"group{group:03}/option{number:03}.json"


def key(option):
    group, number = place(option)
    return f"group{group:03}.option{number:03}"


def file(option, value):
    title = f'"title": "Option {option}"'
    if option % 3 == 0:
        labels = ",\n    ".join(f'"{language}"' for language in languages)
        codes = ",\n    ".join(f'"{code}"' for code in values)
        return (f'{{\n  {title},\n  "type": "choice",\n  "selected": {value % 5},\n  "value": "{values[value % 5]}",\n'
                f'  "labels": [\n    {labels}\n  ],\n  "values": [\n    {codes}\n  ]\n}}\n')
    if option % 3 == 1:
        return f'{{\n  {title},\n  "type": "number",\n  "value": {value},\n  "minimum": 0\n}}\n'
    return f'{{\n  {title},\n  "type": "text",\n  "value": "text {value}"\n}}\n'


def words(option, value):
    if option % 3 == 0:
        return languages[value % 5]
    return str(value) if option % 3 == 1 else f"text {value}"


subprocess.run(["git", "init", "-q", "-b", "main", arguments.folder], check=True)
git = subprocess.Popen(["git", "-C", arguments.folder, "fast-import", "--quiet", "--depth=50"], stdin=subprocess.PIPE)
now = {option: 0 for option in range(arguments.options)}


def send(text):
    git.stdin.write(text.encode())


def data(text):
    send(f"data {len(text.encode())}\n{text}\n")


def write(options):
    for option in options:
        send(f"M 100644 inline {path(option)}\n")
        data(file(option, now[option]))


def commit(branch, time, subject, why, trailers, parents):
    name, address = chance.choice(people)
    who = f"{name} <{address}> {time} +0100"
    send(f"commit refs/heads/{branch}\nmark :{time}\nauthor {who}\ncommitter {who}\n")
    data(f"{subject}\n\n{why}\n\n{trailers}\n")
    for word, parent in zip(("from", "merge"), parents):
        send(f"{word} :{parent}\n")


def change(branch, time, parent, without=()):
    """Writes one version; returns what it set."""
    count = chance.randint(2, 5) if chance.random() < 0.1 else 1
    options = sorted({int(arguments.options * chance.random() ** 2) for _ in range(count)}.difference(without))
    if not options:
        return change(branch, time, parent, without)
    said = []
    for option in options:
        before = words(option, now[option])
        now[option] += 1
        said.append(f"{before} → {words(option, now[option])}")
    subject = f"{key(options[0])}: {said[0]}"
    if len(options) > 1:
        subject = f"{len(options)} settings: {', '.join(key(option) for option in options[:3])}"
    trailers = "Via: cli"
    if chance.random() < 0.3:
        name, address = chance.choice(people)
        trailers = f"Requested-by: {name} <{address}>\nTicket: FEAT-{chance.randrange(2000)}\n" + trailers
    commit(branch, time, subject, chance.choice(reasons), trailers, [parent])
    write(options)
    return options


commit("main", begin, "new store: Settings", "What we have today.", "Via: cli", [])
send("M 100644 inline _store.json\n")
data('{\n  "format": 1,\n  "title": "Settings"\n}\n')
write(now)
number, last = 1, begin
while number < arguments.versions:
    time = begin + step * number
    if chance.random() * 100 < arguments.merges and number + 3 <= arguments.versions:
        ours = change("main", time, last)
        theirs = change("side", time + step, last, without=ours)
        commit("main", time + 2 * step, "merge side", "Both agreed.", "Via: cli", [time, time + step])
        write(theirs)
        number, last = number + 3, time + 2 * step
    else:
        change("main", time, last)
        number, last = number + 1, time
send("reset refs/heads/side\nfrom 0000000000000000000000000000000000000000\n\ndone\n")
git.stdin.close()
if git.wait() != 0:
    raise SystemExit("Scripts/history.py: git fast-import failed")
if not arguments.no_files:
    subprocess.run(["git", "-C", arguments.folder, "reset", "-q", "--hard", "main"], check=True)
