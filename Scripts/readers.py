"""The programs that key files are written for, asked what they read from one.

Each reader takes the bytes of a file and returns {names of a value: its text, or a list of texts}, or raises ValueError if
the program refuses the file. A program that is not installed makes the reader None (Scripts/setup oracles installs them)."""
import configparser, glob, json, os, re, shutil, subprocess, sys, tempfile

folder = tempfile.mkdtemp()

class Program:
    """A program that answers each line with a path by a line of JSON."""
    def __init__(self, *command):
        self.command, self.process = command, None

    def __call__(self, text):
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, text=True, encoding='utf-8')
        path = f'{folder}/{os.getpid()}.file'
        with open(path, 'wb') as out:
            out.write(text)
        self.process.stdin.write(path + '\n')
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if isinstance(answer, dict) and 'refused' in answer:
            raise ValueError(answer['refused'])
        return answer

def source(name, text):
    with open(f'{folder}/{name}', 'w') as out:
        out.write(text)
    return f'{folder}/{name}'

def last(pairs):
    return {tuple(pair[:-1]): pair[-1] for pair in pairs}

def ini(text):
    """Python's configparser, keys in their spelling."""
    parser = configparser.RawConfigParser(strict=True)
    parser.optionxform = str
    try:
        parser.read_string(text.decode())
    except (configparser.Error, UnicodeDecodeError) as error:
        raise ValueError(str(error))
    sections = {'DEFAULT': parser.defaults()} | {name: parser._sections[name] for name in parser.sections()}
    return {(section, key): value for section, keys in sections.items() for key, value in keys.items()}

def git(text):
    result = subprocess.run(['git', 'config', '--no-includes', '-z', '-l', '-f', '-'], input=text, capture_output=True)
    if result.returncode:
        raise ValueError(result.stderr.decode())
    found = {}
    for item in result.stdout.decode(errors='replace').split('\0')[:-1]:
        name, equals, value = item.partition('\n')
        section, key = name.split('.', 1)[0], name.rsplit('.', 1)[1]
        inner = name[len(section) + 1:-len(key) - 1]
        place = (section, f'"{inner}"', key) if name.count('.') > 1 else (section, key)
        found.setdefault(place, []).append(value if equals else 'true')
    return {name: values if len(values) > 1 else values[0] for name, values in found.items()}

java_source = '''
import java.io.*; import java.nio.charset.*; import java.util.*;
public class Read {
    static String quoted(Object text) {
        StringBuilder out = new StringBuilder("\\"");
        for (char c : text.toString().toCharArray()) out.append(String.format("\\\\u%04x", (int) c));
        return out.append('"').toString();
    }
    public static void main(String[] args) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String path; (path = lines.readLine()) != null;) {
            List<String> pairs = new ArrayList<>();
            Properties properties = new Properties() {
                public Object put(Object key, Object value) {
                    pairs.add("[" + quoted(key) + "," + quoted(value) + "]");
                    return null;
                }
            };
            byte[] bytes = new FileInputStream(path).readAllBytes();
            Charset charset = StandardCharsets.UTF_8;
            try { charset.newDecoder().decode(java.nio.ByteBuffer.wrap(bytes)); }
            catch (CharacterCodingException error) { charset = StandardCharsets.ISO_8859_1; }
            try {
                properties.load(new InputStreamReader(new ByteArrayInputStream(bytes), charset));
                System.out.println("[" + String.join(",", pairs) + "]");
            } catch (IllegalArgumentException error) { System.out.println("{\\"refused\\": \\"escape\\"}"); }
            System.out.flush();
        }
    }
}
'''

def made_java():
    if not shutil.which('javac'):
        return None
    subprocess.run(['javac', '-d', folder, source('Read.java', java_source)], check=True)
    program = Program('java', '-Xshare:auto', '-cp', folder, 'Read')
    return lambda text: last(program(text))

glib_source = '''
import json, sys
from gi.repository import GLib
for path in sys.stdin:
    file, pairs = GLib.KeyFile(), []
    try:
        file.load_from_file(path.strip(), GLib.KeyFileFlags.KEEP_TRANSLATIONS)
        for group in file.get_groups()[0]:
            for key in file.get_keys(group)[0]:
                raw = file.get_value(group, key)
                try: text = file.get_string(group, key)
                except GLib.Error: text = None
                try: items = list(file.get_string_list(group, key))
                except GLib.Error: items = None
                bare = raw.replace("\\\\\\\\", "")
                ends = bare.endswith(";") and not bare.endswith("\\\\;")
                isList = items is not None and (ends or text is None) and ";" in raw
                pairs.append([group, key, items if isList else raw if text is None else text])
        print(json.dumps(pairs), flush=True)
    except GLib.Error as error:
        print(json.dumps({"refused": error.message}), flush=True)
'''

dconf_source = '''
import json, sys
from gi.repository import GLib
for path in sys.stdin:
    file, pairs = GLib.KeyFile(), []
    try:
        file.load_from_file(path.strip(), GLib.KeyFileFlags.NONE)
        for group in file.get_groups()[0]:
            for key in file.get_keys(group)[0]:
                value = GLib.Variant.parse(None, file.get_value(group, key), None, None)
                isPlain = value.get_type_string() in ("b", "s", "i", "u", "x", "d", "as")
                pairs.append([*filter(None, group.split("/")), key, value.unpack() if isPlain else value.print_(True)])
        print(json.dumps(pairs), flush=True)
    except GLib.Error as error:
        print(json.dumps({"refused": error.message}), flush=True)
'''

def made_glib(name, text):
    python = next((python for python in ('/usr/bin/python3', 'python3')
                   if subprocess.run([python, '-c', 'import gi'], capture_output=True).returncode == 0), None)
    if not python:
        return None
    program = Program(python, source(name, text))
    return lambda text: last(program(text))

node_source = '''
const ini = require(process.argv[2]), fs = require('fs')
const flat = (value, names) => value && typeof value === 'object' && !Array.isArray(value)
  ? Object.entries(value).flatMap(([name, inner]) => flat(inner, [...names, name])) : [[...names, value]]
require('readline').createInterface({input: process.stdin}).on('line', path =>
  console.log(JSON.stringify(flat(ini.parse(fs.readFileSync(path, 'utf8')), []))))
'''

def made_npm():
    places = ['/usr/lib/node_modules/npm/node_modules/ini', '/usr/share/nodejs/ini', '/usr/local/lib/node_modules/npm/node_modules/ini']
    place = next(filter(os.path.exists, places), None)
    if not place or not shutil.which('node'):
        return None
    program = Program('node', source('npm.cjs', node_source), place)
    def word(value):
        return [word(one) for one in value] if isinstance(value, list) else value if isinstance(value, str) else json.dumps(value)
    def read(text):
        if b'\0' in text:
            raise ValueError('a zero byte')
        return {(*names[:-1], names[-1] + '[]' * isinstance(value, list)): word(value)
                for names, value in last(program(text)).items()}
    return read

php_source = '''<?php
error_reporting(0);
while (($path = fgets(STDIN)) !== false) {
    $read = parse_ini_file(trim($path), true, INI_SCANNER_NORMAL);
    if ($read === false) { echo '{"refused": "syntax"}', "\\n"; continue; }
    $pairs = [];
    foreach ($read as $name => $value) {
        if (is_array($value) && !array_is_list($value)) {
            foreach ($value as $key => $inner) $pairs[] = [(string) $name, (string) $key, $inner];
        } else $pairs[] = [(string) $name, $value];
    }
    echo json_encode($pairs), "\\n";
}
'''

def made_php():
    if not shutil.which('php'):
        return None
    program = Program('php', '-n', source('read.php', php_source))
    return lambda text: {(*names[:-1], names[-1] + '[]' * isinstance(value, list)): value
                         for names, value in last(program(text)).items()}

def made_mysql():
    if not shutil.which('my_print_defaults'):
        return None
    def read(text):
        path = source('my.cnf', '')
        with open(path, 'wb') as out:
            out.write(re.sub(rb'(?m)^[ \t]*!.*$', b'', text))
        groups = list(dict.fromkeys(re.findall(rb'(?m)^[ \t]*\[([^\]\n]*)\]', text)))
        found = {}
        for group in groups:
            result = subprocess.run(['my_print_defaults', f'--defaults-file={path}', group.decode()], capture_output=True)
            if result.returncode:
                raise ValueError(result.stderr.decode())
            # A value may have several lines.
            for option in re.split(r'\n(?=--)', result.stdout.decode().removesuffix('\n')) if result.stdout else []:
                name, equals, value = option[2:].partition('=')
                found[group.decode(), name] = value if equals else 'on'
        return found
    return read

def made_editorconfig():
    if not shutil.which('editorconfig'):
        return None
    def read(text):
        """Each section gets a name of its own, so that the program is asked for a file of that name."""
        place = tempfile.mkdtemp(dir=folder)
        names = {}
        def renamed(match):
            return b'[s%d]' % names.setdefault(match[1], len(names))
        lines = re.sub(rb'(?m)^[ \t]*\[(.*)\]', renamed, text)
        with open(f'{place}/.editorconfig', 'wb') as out:
            out.write(lines if re.search(rb'(?mi)^\s*root', text) else b'root = true\n' + lines)
        found = {}
        for glob, index in names.items():
            result = subprocess.run(['editorconfig', f'{place}/s{index}'], capture_output=True)
            if result.returncode:
                raise ValueError(result.stderr.decode())
            for line in result.stdout.decode().removesuffix('\n').split('\n') if result.stdout else []:
                name, _, value = line.partition('=')
                found[glob.decode(), name] = value
        return found
    return read

systemd_source = '''
import ctypes, glob, json, sys
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_uint, c_void_p
library = ctypes.CDLL(sys.argv[1])
pairs = []
@CFUNCTYPE(c_int, c_char_p, c_char_p, c_uint, c_char_p, c_uint, c_char_p, c_int, c_char_p, c_void_p, c_void_p)
def parse(unit, file, line, section, section_line, name, kind, value, data, userdata):
    pairs.append([section.decode(), section_line, name.decode(), value.decode(errors="replace")])
    return 0
@CFUNCTYPE(c_int, c_void_p, c_char_p, c_char_p, POINTER(c_void_p), POINTER(c_int), POINTER(c_void_p), c_void_p)
def lookup(table, section, name, function, kind, data, userdata):
    function[0], kind[0], data[0] = ctypes.cast(parse, c_void_p).value, 0, None
    return 1
for path in sys.stdin:
    pairs.clear()
    status = library.config_parse(None, path.strip().encode(), None, None, lookup, None, 0, None, ctypes.create_string_buffer(1024))
    print(json.dumps(pairs if status >= 0 else {"refused": str(status)}), flush=True)
'''

def made_systemd():
    """systemd's own parser, called in its library with a function that takes every key."""
    folders = ['/usr/lib/*/systemd', '/usr/lib/systemd']
    library = next((path for place in folders for path in glob.glob(f'{place}/libsystemd-shared-*.so')), None)
    if not library:
        return None
    program = Program(sys.executable, source('systemd.py', systemd_source), library)
    def read(text, path):
        lines, found = {}, {}
        for section, line, name, value in program(text):
            lines.setdefault(section, [])
            if line not in lines[section]:
                lines[section].append(line)
            count = lines[section].index(line) + 1
            isApart = path.endswith(('.network', '.netdev', '.link', '.nspawn')) and count > 1
            found.setdefault((f'{section}-{count}' if isApart else section, name), []).append(value)
        return {names: values if len(values) > 1 else values[0] for names, values in found.items()}
    return read

def made_postgres():
    """What the server makes of each value, in units of its own; names that this version lacks are left out."""
    program = shutil.which('postgres') or next(iter(sorted(glob.glob('/usr/lib/postgresql/*/bin/postgres'))), None)
    if not program:
        return None
    place = tempfile.mkdtemp(dir=folder)
    def ask(name, *options):
        result = subprocess.run([program, '-C', name, '-D', place, *options], capture_output=True)
        return result.stdout.decode().removesuffix('\n') if result.returncode == 0 else None
    def meaning(name, value):
        """Of a value that is given by itself."""
        with open(f'{place}/postgresql.conf', 'w'):
            pass
        return ask(name, '-c', f'{name}={value}')
    def read(text, path):
        names = re.findall(rb'(?m)^[ \t]*([A-Za-z_][\w.]*)', text)
        # The locales of another machine may be missing here.
        known = [name.decode() for name in dict.fromkeys(names) if not name.startswith(b'lc_') and (
            meaning(name.decode(), '') is not None or ask(name.decode()) is not None)]
        kept = re.sub(rb'(?m)^[ \t]*([A-Za-z_][\w.]*).*$', lambda match: match[0] if match[1].decode() in known else b'', text)
        with open(f'{place}/postgresql.conf', 'wb') as out:
            out.write(kept)
        found = {(name,): ask(name) for name in known}
        if None in found.values():
            raise ValueError('syntax')
        return found
    read.meaning = meaning
    return read

def taking(read):
    """Readers to which the name of a file means nothing."""
    return read and (lambda text, path: read(text))

readers = {
    'ini': taking(ini), 'git-config': taking(git), 'properties': taking(made_java()), 'systemd': made_systemd(),
    'keyfile': taking(made_glib('glib.py', glib_source)),
    'dconf': taking(made_glib('dconf.py', dconf_source)), 'postgresql': made_postgres(),
    'my-cnf': taking(made_mysql()), 'npmrc': taking(made_npm()),
    'editorconfig': taking(made_editorconfig()), 'php-ini': taking(made_php()),
}
