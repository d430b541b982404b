"""Runs the parts of Scripts/torture and prints their figures; exit status 1 if a guarantee was violated."""

import argparse
import os
import random
import re
import subprocess
import sys
import time

import beside
import edits
import elsewhere
import exchanges
import faults
import formats
import hostile
import keyfiles
import kills
import machines
import merges
import power
import scenarios
import stores
import tracked
import tracking
import upkeep
from stores import Place, Wrong


# Enough to detect a mistake in how a version is written.
QUICK_SCENARIOS = ("set", "done", "discard", "init")
QUICK_WAYS = [("once", "EIO", "strict", False), ("once", "EIO", "fast", False), ("before", "EIO", "fast", False)]
QUICK_EXCHANGES = ("sync", "sync: git", "pull, edited")
QUICK_EXCHANGE_WAYS = [("once", "ENOSPC", "fast", False), ("before", "EIO", "fast", False)]
QUICK_TRACKING = ("set in all", "done")
QUICK_READ_SCENARIOS = ("set", "done")
# Set by Scripts/test --full: --quick then tries every call and three times as many merges.
FULL = "SETTINGS_FULL" in os.environ


def run_faults(place, arguments):
    names = chosen(arguments.only, QUICK_SCENARIOS if arguments.quick else scenarios.SCENARIOS, ";")
    ways = QUICK_WAYS if arguments.quick else faults.ways(
        chosen(arguments.kinds, faults.KINDS), chosen(arguments.codes, faults.CODES), chosen(arguments.systems, stores.SYSTEMS))
    return sweep("fault injection", place, names, ways, arguments)


def run_reads(place, arguments):
    names = chosen(arguments.only, QUICK_READ_SCENARIOS if arguments.quick else scenarios.SCENARIOS, ";")
    codes = ("EIO",) if arguments.quick else chosen(arguments.codes, faults.CODES)
    ways = faults.read_ways(codes, ("fast",) if arguments.quick else chosen(arguments.systems, stores.SYSTEMS))
    if arguments.quick:
        ways = ways[:1]
    return sweep("faults, reads too", place, names, ways, arguments)


def run_exchanges(place, arguments):
    return sweep_part("faults, exchanges", place, QUICK_EXCHANGES, exchanges, arguments)


def run_tracking(place, arguments):
    return sweep_part("faults, tracked", place, QUICK_TRACKING, tracking, arguments)


def sweep_part(title, place, quick, part, arguments):
    """Faults in the scenarios of a module that prepares and judges them by itself."""
    names = chosen(arguments.only, quick if arguments.quick else part.SCENARIOS, ";")
    ways = QUICK_EXCHANGE_WAYS if arguments.quick else faults.ways(
        chosen(arguments.kinds, ("once", "before", "after", "from")), chosen(arguments.codes, ("EIO", "ENOSPC")),
        chosen(arguments.systems, stores.SYSTEMS))
    return sweep(title, place, names, ways, arguments, part.sweep)


def sweep(title, place, names, ways, arguments, attempts=faults.sweep):
    failed = 0
    print(f"{title:17} {'runs':>7} {'calls':>6} {'broken':>7}")
    for name, runs, calls, broken in attempts(place, names, ways, arguments.workers, 2 if arguments.quick and not FULL else 1):
        print(f"{name:17} {runs:7} {calls:6} {len(broken):7}", flush=True)
        for line in broken:
            print(f"    {line}", flush=True)
        failed += len(broken)
    return failed


def chosen(text, known, separator=","):
    """The requested names, or all known names if none are requested."""
    if text is None or known is None:
        return text.split(separator) if text else known
    return [name for name in known if name in text.split(separator)]


def run_kills(place, arguments):
    figures, broken = kills.storm(place, arguments.count or (100 if arguments.quick else 2000))
    print("kills: {kills} of 8 writers' processes in {took:.0f} s, beside {plain} plain commits and {packed} times git gc;"
          " {acknowledged} acknowledged, {busy} were told to try again".format(**figures) + f", {len(broken)} broken")
    return tell(broken)


def run_many(place, arguments):
    changes = arguments.count or (25 if arguments.quick else 500)
    turns = 5 if arguments.quick else 50
    acknowledged, readings, took, broken = kills.many(place, 8, changes, turns)
    print(f"many: 8 processes x {changes} changes in {took:.0f} s; {acknowledged} acknowledged, read {readings} times meanwhile,"
          f" {turns} times --if for 8 at once, {len(broken)} broken")
    return tell(broken)


def run_beside(place, arguments):
    acknowledged, broken = beside.crowd(place, arguments.count or (5 if arguments.quick else 40))
    words = ", ".join(f"{count} {kind}" for kind, count in acknowledged.items())
    print(f"beside: {words} acknowledged, {len(broken)} broken")
    return tell(broken)


def run_upkeep(place, arguments):
    seconds = arguments.count or (4 if arguments.quick else 30)
    wanted = chosen(arguments.only, ["repack -ad", "gc"] if arguments.quick else list(upkeep.UPKEEP), ";")
    failed = 0
    for name in wanted:
        failed += beside_upkeep(place, name, upkeep.UPKEEP[name], seconds, name in upkeep.UNSAFE)
        if name in upkeep.UNSAFE:
            beside_upkeep(place, name, upkeep.UPKEEP[name], seconds, True, is_plain=True)
    if not upkeep.can_be_apart():
        print("upkeep, all writers are process 1: not tried: this user can't make process namespaces")
    else:
        failed += beside_upkeep(place, "all writers are process 1", [], seconds, False, is_apart=True)
    return failed


def beside_upkeep(place, name, words, seconds, is_unsafe, **how):
    campaign = upkeep.Campaign(place, "upkeep", words, **how)
    broken = campaign.run(seconds)
    refused = ", ".join(f"{count} times exit {code}" for code, count in sorted(campaign.refused.items()))
    print(f"upkeep, {name}{', plain git' if campaign.is_plain else ''}: {campaign.rounds} times in {seconds} s beside {len(campaign.trees)}"
          f" writers; {campaign.failures} times it failed;"
          f" {len(campaign.acknowledged)} acknowledged, {refused or 'none refused'}, {len(broken)} broken"
          + (", which is git's own danger" if broken and is_unsafe else ""), flush=True)
    tell(campaign.refusals[:3])
    tell(broken)
    return 0 if is_unsafe else len(broken) + len(campaign.refusals)


def run_edits(place, arguments):
    count = arguments.count or (40 if arguments.quick else 1000)
    versions, broken = edits.edit_against(place, count)
    print(f"edits: {count} by hand of an option that 3 processes set {versions} times meanwhile, {len(broken)} broken")
    return tell(broken)


def run_merges(place, arguments):
    failed = 0
    print(f"{'merges by plain git':28} {'options':>7} {'right':>6} {'asked':>6} {'refused':>7} {'wrong':>6}"
          "   an index alone: clean, wrong")
    for tally in merges.law(
            place, arguments.count or (300 if FULL else 100 if arguments.quick else 2000), chosen(arguments.only, None, ";"),
            arguments.workers):
        print(f"{tally.name:28} {tally.cases:7} {tally.right:6} {tally.asked:6} {tally.refused:7} {len(tally.broken):6}"
              f"   {tally.alone:21}, {tally.alone_wrong:5}", flush=True)
        failed += tell(tally.broken)
    return failed


def run_machines(place, arguments):
    rounds = arguments.count or (4 if arguments.quick else 50)
    seed, failed = arguments.seed or random.randrange(1 << 32), 0
    for name in chosen(arguments.only, list(machines.CREWS), ";"):
        figures, broken = machines.crew(place, name, rounds, seed)
        words = ", ".join(f"{count} {what}" for what, count in sorted(figures.items()))
        print(f"machines, {name}: 4 x {rounds} rounds; {words}; {len(broken)} broken", flush=True)
        failed += tell(broken)
    return failed


def run_tracked(place, arguments):
    rounds = arguments.count or (4 if arguments.quick else 500)
    seed, failed = arguments.seed or random.randrange(1 << 32), 0
    for by_git in (False, True):
        broken = []
        try:
            tracked.two_clones(place, rounds, seed, by_git)
        except Wrong as wrong:
            broken.append(f"seed {seed}: {wrong}")
        way = "pull, rebase, merge and push by plain git" if by_git else "sync"
        print(f"tracked: 2 clones, {rounds} rounds of changes and {way}; {len(broken)} broken", flush=True)
        failed += tell(broken)
    return failed


def run_formats(place, arguments):
    rounds = arguments.count or (40 if arguments.quick else 1000)
    seed, broken = arguments.seed or random.randrange(1 << 32), []
    done, refused = {}, {}
    try:
        done, refused = formats.campaign(place, rounds, seed)
    except Wrong as wrong:
        broken.append(f"seed {seed}: {wrong}")
    words = ", ".join(f"{count} {act.replace('_', ' ')}" for act, count in sorted(done.items()))
    print(f"formats: {len(formats.KINDS)} tracked files; {words}; {sum(refused.values())} values without a spelling there;"
          f" {len(broken)} broken", flush=True)
    count = arguments.count or (20 if arguments.quick else 300)
    figures, wrong = keyfiles.campaign(place, count, seed)
    for name, done in figures.items():
        words = ", ".join(f"{number} {what}" for what, number in sorted(done.items()))
        print(f"formats: {count} random files of {name}: {words}", flush=True)
    print(f"formats: {len(wrong)} random key files broken", flush=True)
    return tell(broken + wrong)


def run_elsewhere(place, arguments):
    commands, broken = elsewhere.work(place)
    print(f"elsewhere: {commands} commands where folders are not waited for and open files stay, {len(broken)} broken")
    return tell(broken)


def run_power(place, arguments):
    wanted, failed = arguments.count or (50 if arguments.quick else 3500), 0
    for system in power.SYSTEMS:
        try:
            acknowledged, losses, locks, broken = power.lose(place, system, wanted)
        except power.NotHere as reason:
            print(f"power, {system}: not tried: {reason}")
            continue
        print(f"power, {system}: lost {losses} times, {acknowledged} acknowledged, {locks} locks left for the next command,"
              f" {len(broken)} broken", flush=True)
        failed += tell(broken)
    return failed


def run_hostile(place, arguments):
    stores, commands, slowest, broken = hostile.small(place)
    print(f"hostile: {stores} stores, {commands} commands, the slowest {slowest[0]} ms ({slowest[1]}), {len(broken)} broken",
          flush=True)
    failed = tell(broken)
    for make in hostile.BIG[:0 if arguments.quick else None]:
        rows, broken = hostile.big(place, make)
        seconds, memory = max(rows), max(rows, key=lambda row: row[1])
        print(f"hostile, {make.__name__.replace('_', ' ')}: at most {seconds[0]:.1f} s ({seconds[2]}) and"
              f" {memory[1] >> 20} MB ({memory[2]}), {len(broken)} broken", flush=True)
        failed += tell(broken)
    return failed


def run_soak(_, arguments):
    """A process of the tests, because what lives for hours is the library: no command does."""
    if arguments.quick:
        print("soak: not tried: it takes a minute, and the build of the tests")
        return 0
    seconds = arguments.count or 60
    script = os.path.join(os.path.dirname(__file__), "..", "..", "Scripts", "test")
    done = subprocess.run([script, "LongLivedTests"], env={**os.environ, "SETTINGS_SOAK": str(seconds)}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    words = re.search(r"^\d+ requests; .*", done.stdout, re.MULTILINE)
    broken = [] if done.returncode == 0 and words else done.stdout.splitlines()[-20:]
    print(f"soak: 4 threads and git gc for {seconds} s; {words[0] if words else 'no figures'}; {'broken' if broken else '0 broken'}")
    return tell(broken)


def tell(broken):
    for line in broken[:20]:
        print(f"    {line}")
    return len(broken)


PARTS = {
    "faults": run_faults, "tracking": run_tracking, "exchanges": run_exchanges, "reads": run_reads, "kills": run_kills,
    "many": run_many, "beside": run_beside, "upkeep": run_upkeep, "edits": run_edits, "merges": run_merges,
    "machines": run_machines, "tracked": run_tracked, "formats": run_formats, "hostile": run_hostile,
    "power": run_power, "elsewhere": run_elsewhere, "soak": run_soak,
}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(prog="Scripts/torture", description=__doc__)
    # Arguments from Scripts/torture.
    for name in ("--program", "--shim", "--folder"):
        parser.add_argument(name, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="a little of everything")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--only", help="scenarios, with semicolons between")
    parser.add_argument("--kinds", help="kinds of faults, with commas between")
    parser.add_argument("--codes", help="EIO and the like, with commas between")
    parser.add_argument("--systems", help="fast, strict")
    parser.add_argument("--count", type=int, help="kills, changes a process, rounds, seconds of upkeep or soak, or Dones a file system")
    parser.add_argument("--seed", type=int, help="of what the machines do")
    parser.add_argument("parts", nargs="*", default=list(PARTS))
    arguments = parser.parse_args()
    place = Place(arguments.program, arguments.folder, arguments.shim)
    begun, failed = time.monotonic(), 0
    for part in arguments.parts:
        failed += PARTS[part](place, arguments)
    print(f"{failed} broken promises in {time.monotonic() - begun:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
