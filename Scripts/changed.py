"""Which tests to run for the files that changed since a commit, without what is slow.

changed.py ROOT [COMMIT] prints a regular expression for 'swift test --filter', or nothing where there is nothing to run, and says
on standard error what is run, why, and what is left out. The commit is HEAD if none is given."""
import json, os, re, subprocess, sys

root, commit = sys.argv[1], (sys.argv[2:] or ['HEAD'])[0]


def printed(*command):
    done = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return done.stdout


def say(*words):
    print(*words, file=sys.stderr)


# A file that was renamed counts at both places.
git = ['git', '-c', 'core.quotePath=off']
files = set(printed(*git, 'diff', '--name-only', '--no-renames', '-z', commit, '--').split('\0'))
files |= set(printed(*git, 'ls-files', '--others', '--exclude-standard', '-z').split('\0'))
files = sorted(files - {''})
targets = {target['name']: target for target in json.loads(printed('swift', 'package', 'describe', '--type', 'json'))['targets']}
tests = {name for name, target in targets.items() if target['type'] == 'test'}
uses = {name: set(target.get('target_dependencies', [])) for name, target in targets.items()}


def users(name):
    return {user for user in targets if name in uses[user]}


def all_users(name, known=frozenset()):
    found = users(name) - known
    return found.union(*(all_users(user, known | found) for user in found))


def tests_of(name):
    """The tests of a target: those named after it and those that use nothing else, or else those of what uses it."""
    if name in tests:
        return {name}
    own = {test for test in tests if test == name + 'Tests' or uses[test] == {name}}
    return own or set().union(*(tests_of(user) for user in users(name)))


def text_of(path):
    try:
        with open(os.path.join(root, path), encoding='utf-8') as stream:
            return stream.read()
    except FileNotFoundError:
        return None


TYPE = r'^(?:@Suite.* )?(?:final )?(struct|class|enum|extension) (\w+)'


def suites_of_file(test, path):
    """The suites that a file of tests has, extends or reads; None where any test of the target may use the file."""
    folder = targets[test]['path'] + '/'
    names = [name for name in sorted(os.listdir(os.path.join(root, folder))) if name.endswith('.swift')]
    texts = {name: text_of(folder + name) for name in names}
    found = {name: {type for _, type in re.findall(TYPE, text, re.M)} for name, text in texts.items() if '@Test' in text}

    def suites(isSo):
        return set().union(*(found[name] for name in found if isSo(name)))

    if '/' in path:
        quoted = f'"{path.split("/")[0]}"'
        readers = suites(lambda name: quoted in texts[name])
        return suites(lambda name: quoted in texts[name] or any(reader + '.' in texts[name] for reader in readers)) or None
    if path not in texts:
        # What it had is gone, or in a file that counts itself.
        return set() if '@Test' in printed(*git, 'show', f'{commit}:{folder}{path}') else None
    if path in found:
        return found[path]
    types = re.findall(TYPE, texts[path], re.M)
    isExtension = types and all(kind == 'extension' for kind, _ in types)
    return isExtension and suites(lambda name: found[name] & {type for _, type in types}) or None


def suites_of_command(path):
    """The suites of a command: those with its name, and those about every command."""
    command = re.fullmatch(r'Sources/SettingsCLI/Commands/(\w+?)Command(\+\w+)?\.swift', path)
    every = {'BadInputTests', 'CompletionTests', 'HelpTests', 'OptionWordsTests', 'RequestTests', 'TranscriptTests'}
    folder = os.path.join(root, targets['SettingsCLITests']['path'])
    return command and every | {name[:-6] for name in os.listdir(folder) if name.startswith(command[1]) and name.endswith('Tests.swift')}


run, reasons, nothing, left = {}, {}, [], set()
for path in files:
    name = max((name for name, target in targets.items() if path.startswith(target['path'] + '/')),
               key=lambda name: len(targets[name]['path']), default=None)
    if path == 'Package.swift':
        chosen = {test: None for test in tests}
    elif name is None or path.endswith('.md') and '.docc/' in path:
        nothing.append(path)
        continue
    elif name in tests:
        chosen = {name: suites_of_file(name, path[len(targets[name]['path']) + 1:])}
        if chosen[name] == set():
            nothing.append(path)
            continue
    else:
        chosen = {test: suites_of_command(path) if test == 'SettingsCLITests' else None for test in tests_of(name)}
        left |= all_users(name) & tests
    for test, names in chosen.items():
        reasons.setdefault(test, []).append(path)
        run[test] = None if names is None or run.get(test, ()) is None else sorted({*run.get(test, ()), *names})

for test in sorted(run):
    more = f' and {len(reasons[test]) - 3} more' if len(reasons[test]) > 3 else ''
    say(f'run: {test}{": " + " ".join(run[test]) if run[test] else ""}, for {", ".join(reasons[test][:3])}{more}')
if nothing:
    say(f'no tests: {", ".join(nothing)}; Scripts/check looks at files like {"these" if len(nothing) > 1 else "this"}')
if not files:
    say(f'nothing has changed since {commit}')
if run:
    partly = sorted(test for test, names in run.items() if names)
    say('left out: what is slow'
        + (f'; the other suites of {", ".join(partly)}' if partly else '')
        + (f'; {", ".join(sorted(left - set(run)))}, which use what has changed' if left - set(run) else ''))
    print('|'.join(rf'^{test}\.({"|".join(run[test])})(/|$)' if run[test] else rf'^{test}\.' for test in sorted(run)))
