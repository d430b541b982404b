"""Choices, and edits of their labels, by two or three people from a common base."""

import json
import random

LANGUAGES = ["English", "French", "German", "Spanish", "Italian", "Dutch", "Danish", "Polish"]
SIDES = {"ours": 2, "theirs": 2, "third": 1, "fourth": 1}
AUTHORS = {"base": "Ada", "ours": "Olga", "theirs": "Theo", "third": "Tim", "fourth": "Fay"}


class Choice:
    """An option with the two lines that name the chosen label."""

    def __init__(self, title, labels, value, selected=None):
        self.title, self.labels, self.value = title, labels, value
        self.selected = self.index if selected is None else selected

    @property
    def index(self):
        return [value for value, _ in self.labels].index(self.value)

    def copy(self):
        return Choice(self.title, list(self.labels), self.value, self.selected)

    @property
    def file(self):
        members = {
            "title": self.title, "type": "choice", "selected": self.selected, "value": self.value,
            "labels": [text for _, text in self.labels], "values": [value for value, _ in self.labels],
        }
        return json.dumps(members, indent=2, ensure_ascii=False) + "\n"

    @property
    def alone(self):
        """The file of a program that stores only an index."""
        members = {"title": self.title, "selected": self.index, "labels": [text for _, text in self.labels]}
        return json.dumps(members, indent=2, ensure_ascii=False) + "\n"


class Case:
    """The states of one option, one for each commit of each person."""

    def __init__(self, number):
        chance = random.Random(number)
        names = chance.sample(LANGUAGES, chance.randint(2, 6))
        labels = [(name[:2].lower(), name) for name in names]
        self.base = Choice(f"Option {number}", labels, chance.choice(labels)[0])
        self.states = {}
        for side, commits in SIDES.items():
            states, option, chosen = [], self.base, {self.base.value}
            for _ in range(commits):
                option = edited(option, chance, chosen, side)
                states.append(option)
            self.states[side] = states


def edited(option, chance, chosen, side):
    """A person's next version: unchanged, another choice, edited labels, or both; by the program or by hand."""
    option, kind = option.copy(), chance.random()
    if kind < 0.45:
        return option
    if kind < 0.7 or kind > 0.95:
        fresh = [value for value, _ in option.labels if value not in chosen]
        if fresh:
            option.value = chance.choice(fresh)
            chosen.add(option.value)
    if kind > 0.68:
        for number in range(chance.randint(1, 2)):
            edit_labels(option, chance, f"{side} {number}")
    # By hand, only `value` or the labels are edited, and `selected` is unchanged.
    if chance.random() < 0.7:
        option.selected = option.index
    return option


def edit_labels(option, chance, name):
    labels, what = option.labels, chance.randrange(4)
    place = chance.randrange(len(labels))
    if what == 0:
        value = f"{name} {chance.randrange(1000)}".replace(" ", "-")
        labels.insert(chance.randint(0, len(labels)), (value, value.title()))
    elif what == 1:
        if labels[place][0] != option.value:
            del labels[place]
    elif what == 2:
        labels[place] = (labels[place][0], f"{labels[place][1]} ({name})")
    else:
        labels.insert(chance.randrange(len(labels)), labels.pop(place))


def stream(cases):
    """Input for `git fast-import`: the branch base and, from there, one branch for each person."""
    lines, mark = [], 0

    def commit(branch, author, parent, files):
        nonlocal mark
        mark += 1
        stamp = f"{author} <{author.lower()}@example.org> {1795161600 + mark} +0000"
        lines.append(f"commit refs/heads/{branch}\nmark :{mark}\nauthor {stamp}\ncommitter {stamp}\ndata 5\nedits\nfrom {parent}")
        for number, choice in files:
            for path, text in ((f"o{number}.json", choice.file), (f"alone/o{number}.txt", choice.alone)):
                lines.append(f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}")
        return f":{mark}"

    base = commit("base", AUTHORS["base"], "refs/heads/main^0", [(n, case.base) for n, case in cases.items()])
    for side, commits in SIDES.items():
        parent = base
        for place in range(commits):
            parent = commit(side, AUTHORS[side], parent, [(n, case.states[side][place]) for n, case in cases.items()])
    return "\n".join(lines) + "\n"
