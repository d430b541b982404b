"""What Scripts/formats does with each file: import, export, compare, change, export again.

formats.py PROGRAM INPUTS FOLDER [FORMAT]..."""
import copy, decimal, difflib, glob, json, math, os, plistlib, re, shlex, shutil, subprocess, sys, tomllib
import xml.etree.ElementTree as ElementTree
import readers
try:
    import yaml
except ImportError:
    yaml = None
program, inputs, folder, wanted = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]

class Row:
    """The results for the files of one format."""
    def __init__(self, name):
        self.name, self.notes = name, []
        self.files = self.options = self.groups = self.labels = self.repaired = self.kept = 0
        self.refused = self.compared = self.equal = self.again = 0
        self.changes = self.spans = self.edited = self.wrong = self.updates = self.right = 0

    def note(self, what, why):
        what = what.removeprefix(inputs + '/')
        self.notes.append(f'{self.name}: {what}: {why.replace(what + ": ", "")}')

def run(store, *arguments):
    return subprocess.run([program, *arguments], cwd=store, capture_output=True, timeout=600)

def words(result):
    line = result.stderr.decode(errors='replace').strip().split('\n')[0]
    return line.removeprefix('settings: ').replace(inputs + '/', '')[-160:]

def imported(row, name, paths, command=None):
    """A store with these files, or None if they were rejected; counted in the row."""
    row.files += 1
    store = os.path.join(folder, f'{row.name}-{row.files}')
    os.mkdir(store)
    run(store, 'init')
    result = run(store, 'import', '--json', '--format', command or row.name, *paths)
    if result.returncode:
        row.refused += 1
        row.note(name, f'refused ({result.returncode}): {words(result)}')
        return None
    told = json.loads(result.stdout)
    row.options += told.get('options', 0)
    row.groups += told.get('groups', 0)
    row.labels += told.get('labels', 0)
    for repair in told.get('repairs', []):
        if repair.get('kind', 'repaired') == 'kept':
            row.kept += 1
        else:
            row.repaired += 1
    if run(store, 'verify').returncode:
        row.note(name, 'settings verify finds faults')
    before = tip(store)
    run(store, 'import', '--format', command or row.name, *paths)
    if tip(store) != before:
        row.again += 1
        row.note(name, 'importing it again made a second version')
    return store

def tip(store):
    return subprocess.run(['git', 'rev-parse', 'HEAD'], cwd=store, capture_output=True).stdout

def export(store, *arguments):
    """Also onto a copy of a file, which was not imported from there."""
    return run(store, 'export', *arguments, '--overwrite')

def exported(row, name, store, *arguments):
    """The export, or None if it was rejected."""
    result = export(store, *arguments)
    if result.returncode:
        row.note(name, f'not exported ({result.returncode}): {words(result)}')
        return None
    return result.stdout

def compare(row, name, before, after, ordered=True):
    """Whether two trees are equal in types and, if requested, in the order of their members."""
    row.compared += 1
    place = difference(before, after, '', ordered)
    if place is None:
        row.equal += 1
    else:
        row.note(name, f'differs at {place[:200]}')

def options_of(store):
    """For each option that fits on a line: its key, its names in the file, and its definition."""
    for place, folders, names in os.walk(store):
        folders[:] = sorted(folder for folder in folders if folder != '.git')
        parts = os.path.relpath(place, store).split(os.sep) if place != store else []
        path = []
        for depth in range(len(parts)):
            group = os.path.join(store, *parts[:depth + 1], '_group.json')
            known = json.load(open(group)) if os.path.exists(group) else {}
            path.append(known.get('key', parts[depth]))
        for name in sorted(names):
            if name.endswith('.json') and not name.startswith('_'):
                option = json.load(open(os.path.join(place, name)))
                yield '.'.join(parts + [name[:-5]]), path + [option.get('key', name[:-5])], option

def changed(option):
    """Another value, in the file's syntax and as a word; None if the option isn't changed."""
    value = option.get('value')
    if isinstance(value, bool):
        return not value, 'off' if value else 'on'
    if isinstance(value, int) and option['type'] == 'number' and abs(value) < 1 << 50:
        return value + 1, str(value + 1)
    if isinstance(value, str) and option['type'] == 'text' and 'pattern' not in option and '\n' not in value:
        return value + 'x', value + 'x'

def change_some(store, values):
    """Sets up to five options of which `values` has the values, there as well; returns how many."""
    count = 0
    for key, names, option in options_of(store):
        new = changed(option) if count < 5 else None
        inner = values
        for name in names[:-1]:
            inner = inner.get(name) if isinstance(inner, dict) else None
        if not new or not isinstance(inner, dict) or inner.get(names[-1]) != option['value']:
            continue
        if not run(store, 'set', '--', key, new[1]).returncode:
            inner[names[-1]] = new[0]
            count += 1
    return count

def in_place(row, path, store, read):
    """Changes some values and exports them onto a copy of the file: only the changed values may differ."""
    original = open(path, 'rb').read()
    expected = read(original)
    count = change_some(store, expected)
    if not count:
        return
    written_in_place(row, path, store, original, expected, read, count)

def written_in_place(row, path, store, original, expected, read, count, *options, most=0):
    """Exports onto a copy of the file, in which `count` values may differ, and `most` lines be added or gone."""
    copy = f'{store}-copy/{os.path.basename(path)}'
    os.makedirs(f'{store}-copy', exist_ok=True)
    with open(copy, 'wb') as out:
        out.write(original)
    row.changes += count
    if exported(row, path, store, row.name, *options, '-o', copy) is None:
        if open(copy, 'rb').read() != original:
            row.wrong += 1
            row.note(path, 'refused in place, and changed all the same')
        return
    after = open(copy, 'rb').read()
    before, now = original.splitlines(keepends=True), after.splitlines(keepends=True)
    lines = sum(len(other) if kind == 'insert' else len(one) for kind, one, other in
                ((kind, before[a:b], now[c:d]) for kind, a, b, c, d in
                 difflib.SequenceMatcher(None, before, now, False).get_opcodes()) if kind != 'equal')
    if not most and len(before) == len(now):
        # Two switches that change places are no lines that moved.
        lines = sum(one != other for one, other in zip(before, now))
    place = difference(expected, read(after), '', True)
    if place is None and abs(len(before) - len(now)) <= most and lines <= count + most:
        row.edited += 1
        row.spans += count
    else:
        row.wrong += 1
        row.note(path, f'edited in place: {place or f"{lines} of {len(before)} lines differ for {count} values"}')

def difference(before, after, place, ordered):
    if type(before) is not type(after):
        return f'{place or "the top"}: {before!r:.60} became {after!r:.60}'
    if isinstance(before, dict):
        names = list(before) if ordered else sorted(before, key=repr)
        others = list(after) if ordered else sorted(after, key=repr)
        if names != others:
            odd = [name for name in names + others if (name in before) != (name in after)]
            return f'{place or "the top"}: names {odd[:4]}' if odd else f'{place or "the top"}: the order of names'
        pairs = [(name, before[name], after[name]) for name in names]
    elif isinstance(before, list):
        if len(before) != len(after):
            return f'{place}: {len(before)} elements became {len(after)}'
        pairs = [(index, *pair) for index, pair in enumerate(zip(before, after))]
    elif isinstance(before, float) and math.isnan(before):
        return None if math.isnan(after) else place
    else:
        return None if before == after else f'{place}: {before!r:.60} became {after!r:.60}'
    for name, one, other in pairs:
        found = difference(one, other, f'{place}/{name}', ordered)
        if found:
            return found
    return None

def read_json(text):
    """Distinguishes reals from integers; comments and commas before a bracket are ignored."""
    text = text.decode('utf-8-sig') if isinstance(text, bytes) else text
    string = r'"(?:\\.|[^"\\])*"'
    bare = re.sub(rf'({string})|//[^\n]*|/\*.*?\*/', lambda match: match[1] or '', text, flags=re.S)
    bare = re.sub(rf'({string})|,(?=\s*[\]}}])', lambda match: match[1] or '', bare)
    return json.loads(bare, parse_float=decimal.Decimal)

def found(pattern):
    return sorted(glob.glob(f'{inputs}/{pattern}', recursive=True, include_hidden=True))

def is_flags(path):
    try:
        flags = read_json(open(path, 'rb').read()).get('flags')
        return any('variants' in flag for flag in flags.values())
    except Exception:
        return False

def scalars(tree, names=()):
    """The paths of the values that are not lists, if their names are valid keys and differ by more than case."""
    folded = [name.lower() for name in tree if isinstance(name, str)]
    for name, value in tree.items():
        if not isinstance(name, str) or not re.fullmatch(r'[A-Za-z][A-Za-z0-9_]*', name) or folded.count(name.lower()) > 1:
            continue
        if isinstance(value, dict):
            yield from scalars(value, names + (name,))
        elif isinstance(value, (bool, int, float, str)):
            yield names + (name,)

def at(tree, path):
    for name in path:
        tree = tree[name]
    return tree

def other(value, word):
    """A different value of the same type."""
    if isinstance(value, bool):
        return not value
    return value + word if isinstance(value, str) else value + len(word)

def second_version(tree):
    """A second version of a file: one value changed, one added, one removed (with its group, if any), a name in another
    case. Also the path of a value that can be edited meanwhile, and that of the value whose case changed."""
    paths = [path for path in scalars(tree) if len(path) < 12]
    if len(paths) < 8:
        return None
    chosen, changed, cased, gone = (paths[len(paths) * place // 4] for place in range(4))
    tree = copy.deepcopy(tree)
    at(tree, changed[:-1])[changed[-1]] = other(at(tree, changed), '2')
    group = at(tree, cased[:-1])
    members = [(name.swapcase() if name == cased[-1] else name, value) for name, value in group.items()]
    group.clear()
    group.update(members)
    if any(path[:len(gone) - 1] == gone[:-1] for path in (chosen, changed, cased)):
        del at(tree, gone[:-1])[gone[-1]]
    else:
        del at(tree, gone[:-2])[gone[-2]]
    tree['brandNew'] = 'x'
    return tree, chosen

def updated(row, path, tree, write, read, most=4):
    """Imports a file, changes a value in the store, and imports the second version."""
    made = second_version(tree) if row.updates < most and isinstance(tree, dict) else None
    if not made:
        return
    after, chosen = made
    row.updates += 1
    store = os.path.join(folder, f'{row.name}-update-{row.updates}')
    os.mkdir(store)
    run(store, 'init')
    file = f'{store}.file'
    def bring(tree, *options):
        with open(file, 'wb') as out:
            out.write(write(tree))
        result = run(store, 'import', '--format', row.name, file, *options)
        return words(result) if result.returncode else None
    fault = bring(tree)
    value = other(at(tree, chosen), '33')
    word = {True: 'on', False: 'off'}[value] if isinstance(value, bool) else str(value)
    key = '.'.join(chosen)
    fault = fault or words(run(store, 'set', key, word)) or bring(after, '--prune')
    if fault:
        return row.note(path, f'update: {fault}')
    before = tip(store)
    bring(after, '--prune')
    text = exported(row, path, store, row.name)
    at(after, chosen[:-1])[chosen[-1]] = value
    place = text is None or difference(after, read(text), '', True)
    if not place and tip(store) == before:
        row.right += 1
    else:
        row.note(path, f'update: {"differs at " + place if place else "importing it again made a second version"}')

def plain_json(row):
    for path in found('**/*.json'):
        store = imported(row, path, [path])
        text = store and exported(row, path, store, 'json')
        if text:
            compare(row, path, read_json(open(path, 'rb').read()), read_json(text))
        if store:
            in_place(row, path, store, read_json)
            tree = json.loads(json.dumps(read_json(open(path, 'rb').read()), default=float))
            updated(row, path, tree, lambda tree: json.dumps(tree).encode(), json.loads, most=10)

def plain_yaml(row):
    if not yaml:
        return row.note('all', 'skipped, Python has no yaml')
    for path in found('**/*.yaml') + found('**/*.yml'):
        store = imported(row, path, [path])
        text = store and exported(row, path, store, 'yaml')
        if text:
            compare(row, path, yaml.safe_load(open(path)), yaml.safe_load(text))
        if store:
            in_place(row, path, store, yaml.safe_load)
            write = lambda tree: yaml.safe_dump(tree, sort_keys=False, allow_unicode=True).encode()
            updated(row, path, yaml.safe_load(open(path)), write, yaml.safe_load)
    several(row, found('**/*.yaml') + found('**/*.yml'))

def several(row, paths):
    """All files as the documents of one."""
    texts = [open(path).read().removeprefix('---\n').rstrip() + '\n' for path in paths]
    if len(texts) > 1:
        path = f'{folder}/several.yaml'
        with open(path, 'w') as out:
            out.write('---\n'.join(texts))
        store = imported(row, path, [path])
        if store:
            in_place(row, path, store, lambda text: {
                f'document-{index}': document for index, document in enumerate(yaml.safe_load_all(text), 1)})

def without_null(tree):
    if isinstance(tree, list):
        return [without_null(value) for value in tree]
    if isinstance(tree, dict):
        return {name: without_null(value) for name, value in tree.items() if value is not None}
    return tree

def as_toml(tree):
    """One line per value, in the order of the tree."""
    def word(value):
        if isinstance(value, list):
            return '[' + ', '.join(map(word, value)) + ']'
        if isinstance(value, dict):
            return '{' + ', '.join(f'{json.dumps(name)} = {word(inner)}' for name, inner in value.items()) + '}'
        return json.dumps(value)
    return ''.join(f'{json.dumps(name)} = {word(value)}\n' for name, value in tree.items()).encode()

def plain_toml(row):
    """There are no TOML inputs: they are made from the JSON files, which have everything but times."""
    made = Row('toml-of-json')
    for path in found('**/*.json'):
        store = imported(made, path, [path], command='json')
        result = store and export(store, 'toml', '-o', f'{folder}/made.toml', '--rewrite')
        if not store or result.returncode:
            continue
        original = json.loads(json.dumps(read_json(open(path, 'rb').read()), default=float))
        before = tomllib.load(open(f'{folder}/made.toml', 'rb'))
        place = difference(without_null(original), before, '', True)
        if place:
            row.note(path, f'the TOML made of it differs at {place}')
        store = imported(row, path, [f'{folder}/made.toml'])
        text = store and exported(row, path, store, 'toml')
        if text:
            compare(row, path, before, tomllib.loads(text.decode()))
        if store:
            in_place(row, f'{folder}/made.toml', store, lambda text: tomllib.loads(text.decode()))
            updated(row, path, before, as_toml, lambda text: tomllib.loads(text.decode()))

def read_env(text):
    values = {}
    for line in text.decode().split('\n'):
        match = re.match(r'\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*?)\s*$', line)
        if match:
            value = match[2]
            if value[:1] == '"':
                value = re.sub(r'\\(.)', lambda found: {'n': '\n', 't': '\t'}.get(found[1], found[1]), value[1:-1])
            elif value[:1] == "'":
                value = value[1:-1]
            values[match[1]] = value
    return values

def plain_env(row):
    """Kernel configurations have this format: NAME=value, NAME="text", and comments."""
    for path in sorted(set(found('kconfig/**/*.config') + found('kconfig/**/*defconfig*'))):
        if os.path.isfile(path) and re.search(rb'^\w+=', open(path, 'rb').read(), re.M):
            store = imported(row, path, [path])
            text = store and exported(row, path, store, 'env')
            if text is not None and store:
                before = read_env(open(path, 'rb').read())
                compare(row, path, before, read_env(text))
                def write(tree):
                    return ''.join(f'{name}={shlex.quote(value)}\n' for name, value in tree.items()).encode()
                updated(row, path, before, write, read_env)
            if store:
                in_place(row, path, store, read_env)

def plain_plist(row):
    for path in found('**/*.plist'):
        store = imported(row, path, [path])
        if not store:
            continue
        text = exported(row, path, store, 'plist')
        try:
            original = plistlib.loads(open(path, 'rb').read())
        except Exception:
            row.note(path, 'not compared: Python reads no property lists of this kind')
            continue
        if text:
            compare(row, path, original, plistlib.loads(text), ordered=False)
            updated(row, path, original, lambda tree: plistlib.dumps(tree, sort_keys=False), plistlib.loads)

def flagd(row):
    for path in filter(is_flags, found('**/*.json')):
        store = imported(row, path, [path])
        original = read_json(open(path, 'rb').read())
        text = store and exported(row, path, store, 'flagd')
        if text:
            after = read_json(text)
            orders = [[list(flag.get('variants', {})) for flag in tree['flags'].values()] for tree in (original, after)]
            compare(row, path, [original, orders[0]], [after, orders[1]], ordered=False)
        if store and yaml and not export(store, 'flagd', '-o', f'{folder}/flags.yaml').returncode:
            after = yaml.safe_load(open(f'{folder}/flags.yaml'))
            plain = json.loads(json.dumps(original, default=float))
            if difference(plain, after, '', False):
                row.note(path, 'as YAML it differs at ' + difference(plain, after, '', False))
        if store:
            flags_in_place(row, path, store)

def with_another(path):
    """The file with a boolean that the store lacks, before the first property and named like it."""
    text = open(path, 'rb').read()
    other = lambda match: match[1] + match[2] + b'OfADeveloper": {"type": "boolean", "default": true}, ' + match[2] + b'"'
    return re.sub(rb'("properties"\s*:\s*\{\s*)("[^"]+)"', other, text, count=1)

def flags_in_place(row, path, store):
    """Changes flags of a file to which a colleague has added another and a comment."""
    other = b' // mine\n "of-a-colleague": {"state": "ENABLED", "variants": {"x": 1, "y": 2}, "defaultVariant": "y"},'
    original = re.sub(rb'"flags"\s*:\s*\{', lambda match: match[0] + other, open(path, 'rb').read(), count=1)
    expected, count = read_json(original), 0
    for key, names, option in options_of(store):
        flag = expected['flags'].get(names[-1])
        if option.get('value') is None or count == 5 or not flag:
            continue
        if option['type'] == 'switch':
            result = run(store, 'set', '--', key, 'off' if option['value'] else 'on')
            name = next((name for name, value in flag['variants'].items() if value is not option['value']), None)
        else:
            name = next((name for name in flag['variants'] if name != flag.get('defaultVariant')), None)
            result = run(store, 'set', key, '--label', name) if name else None
        if result and not result.returncode:
            flag['defaultVariant'] = name
            count += 1
    if count:
        written_in_place(row, path, store, original, expected, read_json, count)

def defaults_in_place(row, path, store, original, properties_of):
    """Changes the defaults of switches in a file of definitions to which a developer has added one."""
    written_in_place(row, path, store, original, read_json(original), read_json, 0, '--definitions')
    expected, count = read_json(original), 0
    known = properties_of(expected)
    for key, names, option in options_of(store):
        schema = known.get('.'.join(names)) or known.get(names[-1])
        if option['type'] != 'switch' or not isinstance(option.get('default'), bool) or count == 5:
            continue
        if not schema or schema.get('type') != 'boolean' or schema.get('default') is not option['default']:
            continue
        if not run(store, 'define', key, '--default', 'off' if option['default'] else 'on').returncode:
            schema['default'] = not option['default']
            count += 1
    if count:
        written_in_place(row, path, store, original, expected, read_json, count, '--definitions')

def settings_bundle(row):
    for path in found('settings-bundle/**/*.bundle'):
        store = imported(row, path, [path])
        if not store:
            continue
        written = f'{store}.bundle'
        if exported(row, path, store, 'settings-bundle', '-o', written) is None:
            continue
        before, after = {}, {}
        for name in sorted(os.listdir(path)):
            if name.endswith('.plist'):
                try:
                    before[name] = plistlib.loads(open(f'{path}/{name}', 'rb').read())
                except Exception:
                    row.note(f'{path}/{name}', 'not compared: Python reads no property lists of this kind')
                    continue
                if os.path.exists(f'{written}/{name}'):
                    after[name] = plistlib.loads(open(f'{written}/{name}', 'rb').read())
                else:
                    row.note(f'{path}/{name}', 'a page that no other opens: not written')
                    del before[name]
        compare(row, path, before, after, ordered=False)

def glib_answers(schemas, ranges=False):
    """GLib's own default and range of each key of the schemas in a folder."""
    environment = dict(os.environ, GSETTINGS_SCHEMA_DIR=schemas, GSETTINGS_BACKEND='memory', XDG_DATA_DIRS=folder,
                       XDG_DATA_HOME=folder, XDG_CURRENT_DESKTOP='')
    compiled = subprocess.run(['glib-compile-schemas', schemas], capture_output=True, env=environment)
    if compiled.returncode or not os.path.exists(f'{schemas}/gschemas.compiled'):
        return None, compiled.stderr.decode().strip().split('\n')[0]
    def ask(*arguments):
        return subprocess.run(['gsettings', *arguments], capture_output=True, env=environment).stdout.decode()
    answers = sorted(set(ask('list-recursively').splitlines()))
    if ranges:
        for line in list(answers):
            schema, key = line.split(' ')[:2]
            answers.append('\t'.join([schema, key, *ask('range', schema, key).splitlines(), '']))
    return answers, None

def gsettings(row):
    if not shutil.which('glib-compile-schemas') or not shutil.which('gsettings'):
        row.note('all', 'not compared: this machine lacks glib-compile-schemas or gsettings')
    for path in found('gschema/debian__*') + [f'{inputs}/gschema']:
        store = imported(row, path, [path])
        if not store or not shutil.which('glib-compile-schemas') or not shutil.which('gsettings'):
            continue
        after = f'{store}.schemas'
        os.mkdir(after)
        if exported(row, path, store, 'gsettings', '--definitions', '-o', f'{after}/all.gschema.xml') is None:
            continue
        is_all = path == f'{inputs}/gschema'
        answers, fault = glib_answers(after, ranges=is_all)
        if answers is None:
            row.note(path, f'not compared: {fault}')
            continue
        if is_all:
            oracle = sorted(set(open(f'{path}/ORACLE/open.list-recursively.with-overrides.txt').read().splitlines()))
            oracle += open(f'{path}/ORACLE/open.range.tsv').read().splitlines()
            different = sorted(set(oracle) ^ set(answers))
            row.oracle = f'{len(oracle)} of GLib\'s answers compared, {len(different)} differ'
            for line in different[:6]:
                row.note('ORACLE', f'{"only there" if line in set(oracle) else "only here"}: {line[:120]}')
            compare(row, path, sorted(oracle), sorted(answers))
            continue
        before = f'{store}.originals'
        shutil.copytree(path, before)
        expected, fault = glib_answers(before)
        if expected is None:
            row.note(path, f'not compared: {fault}')
        else:
            compare(row, path, expected, answers)

def resolved(tree, texts):
    """The texts with the %names% of a package.nls.json replaced."""
    if isinstance(tree, dict):
        return {name: resolved(value, texts) for name, value in tree.items()}
    if isinstance(tree, list):
        return [resolved(value, texts) for value in tree]
    match = re.fullmatch(r'%([^%]+)%', tree) if isinstance(tree, str) else None
    return texts.get(match[1], tree) if match else tree

def properties(sections):
    """The properties of all sections."""
    sections = sections if isinstance(sections, list) else [sections]
    return {name: value for section in sections for name, value in section.get('properties', {}).items()}

def vscode(row):
    for path in found('vscode/**/package*.json'):
        if path.endswith('.nls.json'):
            continue
        store = imported(row, path, [path])
        text = store and exported(row, path, store, 'vscode', '--definitions')
        if text:
            beside = os.path.join(os.path.dirname(path), 'package.nls.json')
            texts = read_json(open(beside, 'rb').read()) if os.path.exists(beside) else {}
            original = read_json(open(path, 'rb').read())['contributes'].get('configuration', {})
            after = read_json(text)['contributes']['configuration']
            before, after = (properties(resolved(tree, texts)) for tree in (original, after))
            compare(row, path, [list(before), before], [list(after), after], ordered=False)
        if store:
            original = with_another(path)
            defaults_in_place(row, path, store, original, lambda tree: properties(tree['contributes']['configuration']))
    for path in found('vscode/**/settings.json'):
        store = imported(row, path, [path])
        if store:
            copy = f'{store}.settings.json'
            shutil.copyfile(path, copy)
            if exported(row, path, store, 'vscode', '--values', '-o', copy) is not None:
                compare(row, path, open(path, 'rb').read(), open(copy, 'rb').read())

def json_schema(row):
    for path in found('vscode/jsonschema/**/*.json'):
        store = imported(row, path, [path])
        text = store and exported(row, path, store, 'json-schema', '--definitions')
        if text:
            root = read_json(open(path, 'rb').read())
            after = read_json(text)
            compare(row, path, settable(root, root), settable(after, after), ordered=False)
        if store:
            original = with_another(path)
            defaults_in_place(row, path, store, original, named)

def named(schema, path=()):
    """The schemas of all properties by their names."""
    found = {}
    for name, value in schema.get('properties', {}).items():
        if isinstance(value, dict):
            found['.'.join((*path, name))] = value
            found |= named(value, (*path, name))
    return found

def settable(schema, root, place='', depth=0, default=None):
    """The definitions by path: type, values, bounds and default, with each $ref resolved."""
    while root is not None and '$ref' in schema and schema['$ref'].startswith('#/'):
        target = root
        for part in schema['$ref'][2:].split('/'):
            target = target[part.replace('~1', '/').replace('~0', '~')]
        schema = {**target, **{name: value for name, value in schema.items() if name != '$ref'}}
    leaves = {}
    if 'default' not in schema and default is not None:
        schema = {**schema, 'default': default}
    if schema.get('properties') and depth < 16:
        inner = schema['default'] if isinstance(schema.get('default'), dict) else {}
        for name, value in schema['properties'].items():
            if isinstance(value, dict):
                leaves |= settable(value, root, f'{place}/{name}', depth + 1, inner.get(name))
    elif place:
        # For integers, more than 0 means at least 1.
        if schema.get('type') == 'integer' and 'exclusiveMinimum' in schema:
            schema = {**schema, 'minimum': schema['exclusiveMinimum'] + 1}
        leaves[place] = {name: schema[name] for name in ('type', 'enum', 'minimum', 'maximum', 'default') if name in schema}
    return leaves

def key_files(row, *folders):
    """What is read from each file is compared with what the program that the file is for reads. Then the file is edited on a copy,
    one value at a time: that program must find the value, and all others as they were; no other line may differ, and the old
    value must give the old bytes."""
    read = readers.readers[row.name]
    if not read:
        return row.note('all', 'skipped: its reader is not installed here; Scripts/setup oracles')
    for path in [path for folder in folders for path in found(f'keyfiles/{folder}/**/*') if os.path.isfile(path)]:
        original = open(path, 'rb').read()
        try:
            before = read(original, path)
        except ValueError:
            before = None
        store = imported(row, path, [path])
        if store is None or before is None:
            if store is not None:
                row.wrong += 1
                row.note(path, 'imported, and its own reader refuses it')
            continue
        options = list(options_of(store))
        for key, names, option in options:
            names = place_of(row, names, before)
            if names is None:
                continue
            row.compared += 1
            if means(row, names, option.get('value'), before[names]):
                row.equal += 1
            else:
                row.wrong += 1
                row.note(path, f'{key} is {option.get("value")!r:.80} instead of {before[names]!r:.80}')
        copied = f'{store}-copy/{os.path.basename(path)}'
        os.mkdir(f'{store}-copy')
        shutil.copyfile(path, copied)
        if exported(row, path, store, row.name, '-o', copied) is None or open(copied, 'rb').read() != original:
            row.wrong += 1
            row.note(path, 'an export without a change writes other bytes')
            continue
        for key, names, option in options[:200:max(1, min(20, len(options) // 10))]:
            edited_key(row, path, store, copied, read, before, key, names, option)

def edited_key(row, path, store, copied, read, before, key, names, option):
    new, old = changed_word(option), option.get('value')
    old = {True: 'on', False: 'off'}[old] if isinstance(old, bool) else old
    names = place_of(row, names, before)
    present = open(copied, 'rb').read()
    if new is None or names is None or isinstance(before[names], list) or run(store, 'set', '--', key, new).returncode:
        return
    row.changes += 1
    if exported(row, path, store, row.name, '-o', copied) is None:
        row.note(path, f'{key} is not written as {new!r}')
        run(store, 'set', '--', key, str(old))
        return
    after = open(copied, 'rb').read()
    try:
        found = read(after, path)
    except ValueError as error:
        # The server refuses values that it does not know.
        found = str(error)
        if row.name == 'postgresql' and readers.readers[row.name].meaning(names[-1], new) is None:
            found = before
    fault = None
    if found is not before:
        if isinstance(found, str):
            fault = f'refused: {found}'
        elif not means(row, names, new, found.get(names)):
            fault = f'{found.get(names)!r} instead of {new!r}'
        else:
            # The program derives the one from the other of these.
            derived = ('indent_style', 'indent_size', 'tab_width') if row.name == 'editorconfig' else ()
            rest = [{place: value for place, value in values.items() if place != names and (
                place[:-1] != names[:-1] or names[-1] not in derived or place[-1] not in derived)} for values in (before, found)]
            fault = difference(*rest, '', False)
    lines = lines_between(present, after)
    if fault or lines > 1:
        row.wrong += 1
        row.note(path, f'{key}: {fault or "other lines differ"}')
    else:
        row.edited += 1
        row.spans += lines
    run(store, 'set', '--', key, str(old))
    exported(row, path, store, row.name, '-o', copied)
    if open(copied, 'rb').read() != original_bytes(row, present, copied):
        row.note(path, f'{key}: set back, other bytes')

def original_bytes(row, present, copied):
    """A value that needed quotes for a while keeps them, and so does a key that needed a value."""
    after = open(copied, 'rb').read()
    bare = lambda text: re.sub(rb'[\'"]|[ \t]*=[ \t]*on$', b'', text, flags=re.M)
    return after if row.name in ('postgresql', 'git-config', 'my-cnf') and bare(after) == bare(present) else present

def place_of(row, names, values):
    """The names under which the reader has a value; None if it doesn't have it."""
    names = tuple(names)
    if row.name == 'git-config':
        names = (names[0].lower(), *names[1:-1], names[-1].lower())
    if row.name == 'editorconfig':
        names = (*names[:-1], names[-1].lower())
    if names in values:
        return names
    folded = [place for place in values if tuple(map(str.lower, place)) == tuple(map(str.lower, names))]
    return folded[0] if len(folded) == 1 else None

def means(row, names, value, read):
    """Whether a value means to its reader what it read."""
    if isinstance(value, list) and isinstance(read, str):
        # Lines below a key.
        return [line for line in read.split('\n') if line.strip()] == value
    if isinstance(value, list) or isinstance(read, list):
        return value == read or read == [value]
    text = value if isinstance(value, str) else json.dumps(value)
    if row.name == 'dconf':
        if isinstance(read, bool):
            return {'on': True, 'off': False}.get(value, value) == read
        return float(text) == read if isinstance(read, (int, float)) else text == read
    if row.name == 'postgresql':
        return readers.readers[row.name].meaning(names[-1], text) == read
    if row.name == 'editorconfig':
        return text.lower() == read.lower()
    if row.name == 'php-ini' and text != read:
        # Words and expressions that PHP computes.
        words = {'on': '1', 'yes': '1', 'true': '1', 'off': '', 'no': '', 'false': '', 'none': '', 'null': ''}
        return words.get(text.lower()) == read or bool(re.search(r'[|&^~!$]', text))
    return text == read

def lines_between(before, after):
    """How many lines the second text has where the two differ."""
    one, other = before.splitlines(), after.splitlines()
    while one and other and one[0] == other[0]:
        del one[0], other[0]
    while one and other and one[-1] == other[-1]:
        del one[-1], other[-1]
    return len(other)

def changed_word(option):
    value = option.get('value')
    if isinstance(value, bool):
        return 'off' if value else 'on'
    if option['type'] == 'switch' and 'values' in option:
        return next(word for word in option['values'] if word != value)
    if option['type'] == 'number' and isinstance(value, int):
        return str(value + 1)
    if option['type'] != 'text' or not isinstance(value, str) or '\n' in value:
        return None
    # 128MB stays a size.
    unit = re.fullmatch(r'([0-9]+)([A-Za-z]+)', value)
    return f'{int(unit[1]) + 1}{unit[2]}' if unit else value + 'x'

# Each is written and read back equal by the reference reader, or refused without a change.
hard_texts = [
    ' a', 'a ', '\ta', 'a\tb', 'a\n', '\na', 'a\nb', 'a\n\nb', 'a\n#b', 'a\n;b', '#a', ';a', 'a # b', 'a;b', 'a = b', '= a',
    ': a', '[a]', '"a"', '"a', "it's", 'a\\', '\\n', 'C:\\temp', '%', '%(a)s', '$HOME', '${a}', '{', 'é', '😀', '', 'true', 'null',
    '\u00a0a', 'a\rb', 'a\u2028b', '\b',
]

def hard(row, name, text, key, names):
    read = readers.readers[row.name]
    if not read:
        return
    store = os.path.join(folder, f'{row.name}-hard')
    os.mkdir(store)
    run(store, 'init')
    file = f'{store}.d/{name}'
    os.mkdir(f'{store}.d')
    open(file, 'w').write(text)
    run(store, 'import', '--format', row.name, file)
    for word in hard_texts:
        before = open(file, 'rb').read()
        if run(store, 'set', '--', key, word).returncode and '\n' not in word:
            row.note(name, f'{word!r} can\'t be set')
        refused = export(store, row.name, '-o', file).returncode
        after = open(file, 'rb').read()
        try:
            values = read(after, file)
            found = values.get(names)
        except ValueError as error:
            values, found = {}, error
        isSame = found == word or row.name == 'npmrc' and word == 'null' and found == 'null'
        others = [value for place, value in values.items() if place != names]
        if after != before if refused else not isSame or others != ['other']:
            row.wrong += 1
            row.note(name, f'{word!r} was written, and is read as {found!r} beside {others!r:.60}')
        elif not refused:
            row.edited += 1

# Of each dialect: the folders with real files, and a small file in which `k` gets hard texts.
dialects = {
    'ini': (['ini', 'setupcfg'], 'setup.cfg', '[a]\nk = text\nl = other\n'),
    'git-config': (['gitconfig'], '.gitconfig', '[a]\n\tk = text\n\tl = other\n'),
    'properties': (['properties'], 'a.properties', 'k=text\nl=other\n'),
    'systemd': (['systemd'], 'a.service', '[a]\nk=text\nl=other\n'),
    'keyfile': (['keyfile', 'desktop'], 'a.desktop', '[a]\nk=text\nl=other\n'),
    'dconf': (['dconf'], None, None),
    'postgresql': (['postgres'], 'postgresql.conf', "my.k = 'text'\nmy.l = 'other'\n"),
    'my-cnf': (['mycnf'], 'my.cnf', '[a]\nk=text\nl=other\n'),
    'npmrc': (['npmrc'], '.npmrc', 'k=text\nl=other\n'),
    'editorconfig': (['editorconfig'], '.editorconfig', 'root = true\n\n[a]\nk = text\nl = other\n'),
    'php-ini': (['php'], 'php.ini', 'k = text\nl = other\n'),
}

def dialect(row):
    folders, name, text = dialects[row.name]
    key_files(row, *folders)
    if text:
        names = ('a', 'k') if '[a]' in text else ('my.k',) if 'my.k' in text else ('k',)
        hard(row, name, text, '.'.join(names).replace('my.', 'my-'), names)

def plists(row):
    """Besides what every plain format is tried with: values are changed in copies of real files, which Python reads."""
    plain_plist(row)
    for path in found('keyfiles/xml-plist/**/*') + found('keyfiles/binary-plist/**/*'):
        if not os.path.isfile(path):
            continue
        try:
            before = plistlib.loads(open(path, 'rb').read())
        except Exception:
            continue
        store = isinstance(before, dict) and imported(row, path, [path])
        if store and open(path, 'rb').read(6) != b'bplist':
            in_place(row, path, store, plistlib.loads)
        elif store:
            binary_in_place(row, path, store, before)

def binary_in_place(row, path, store, expected):
    copied = f'{store}.plist'
    shutil.copyfile(path, copied)
    exported(row, path, store, 'plist', '-o', copied)
    if open(path, 'rb').read() != open(copied, 'rb').read():
        row.wrong += 1
        return row.note(path, 'an export without a change writes other bytes')
    change_some(store, expected)
    if exported(row, path, store, 'plist', '-o', copied) is None:
        return
    after = open(copied, 'rb').read()
    place = difference(expected, plistlib.loads(after), '', True) if after.startswith(b'bplist') else 'it is no longer binary'
    if place:
        row.wrong += 1
        row.note(path, f'edited in place: {place}')
    else:
        row.edited += 1

formats = {
    'settings-bundle': settings_bundle, 'gsettings': gsettings, 'vscode': vscode, 'flagd': flagd,
    'json-schema': json_schema, 'plist': plists, 'toml': plain_toml, 'yaml': plain_yaml, 'env': plain_env,
    'json': plain_json, **{name: dialect for name in dialects},
}
for name in wanted:
    if name not in formats:
        sys.exit(f'Scripts/formats: {name} is none of {", ".join(formats)}')
columns = ['files', 'options', 'groups', 'labels', 'repaired', 'kept', 'refused', 'again', 'compared', 'equal',
           'changes', 'spans', 'edited', 'wrong', 'updates', 'right']
print(f'{"format":16}' + ''.join(f'{column:>9}' for column in columns), flush=True)
rows = []
for name, reads in formats.items():
    if not wanted or name in wanted:
        rows.append(Row(name))
        reads(rows[-1])
        print(f'{name:16}' + ''.join(f'{getattr(rows[-1], column):>9}' for column in columns), flush=True)
for row in rows:
    if hasattr(row, 'oracle'):
        print(f'\ngsettings: {row.oracle}')
notes = [note for row in rows for note in row.notes]
if notes:
    print('\n' + '\n'.join(notes))
sys.exit(any(row.again or row.wrong or row.right < row.updates for row in rows))
