"""Other programs' files as their own programs read them: by parsers that are not ours. Each returns the values by names."""

import ast
import base64
import configparser
import datetime
import json
import os
import plistlib
import re
import shutil
import subprocess
import tempfile
import tomllib
import xml.etree.ElementTree

import yaml


def json_with_comments(text):
    """JSON, with comments and with commas before a bracket."""
    string = r'"(?:\\.|[^"\\])*"'
    bare = re.sub(rf"({string})|//[^\n]*|/\*.*?\*/", lambda match: match[1] or "", text.decode(), flags=re.S)
    return json.loads(re.sub(rf"({string})|,(?=\s*[\]}}])", lambda match: match[1] or "", bare))


def plain(tree):
    """Dates and bytes as options have them."""
    if isinstance(tree, dict):
        return {name: plain(value) for name, value in tree.items()}
    if isinstance(tree, list):
        return [plain(value) for value in tree]
    if isinstance(tree, datetime.datetime):
        return tree.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(tree, datetime.date):
        return tree.isoformat()
    return base64.b64encode(tree).decode() if isinstance(tree, bytes) else tree


class Loader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):
    pass


# PyYAML gives years to times; as options they stay the texts that they were.
Loader.yaml_implicit_resolvers = {
    sign: [pair for pair in pairs if pair[0] != "tag:yaml.org,2002:timestamp"]
    for sign, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def yaml_document(text):
    return yaml.load(text.decode(), Loader)


def yaml_documents(text):
    documents = yaml.load_all(text.decode(), Loader)
    return {f"{document['kind']}-{document['metadata']['name']}": document for document in documents}


def toml(text):
    return plain(tomllib.loads(text.decode()))


def property_list(text):
    return plain(plistlib.loads(text))


def strings(text):
    """A table of texts: plutil is Foundation, which reads it as Apple's programs do."""
    program = shutil.which("plutil") or os.path.join(os.path.dirname(shutil.which("swift")), "plutil")
    words = [program, "-convert", "json", "-o", "-", "--", "-"]
    return json.loads(subprocess.run(words, input=text, capture_output=True, check=True).stdout)


def variables(text):
    """What sh has for each name that the text assigns."""
    names = re.findall(rb"^(?:export )?([A-Za-z_]\w*)=", text, re.M)
    script = "set -a\n. \"$1\"\nshift\nfor name; do eval \"printf '%s\\\\0' \\\"\\${$name-}\\\"\"; done"
    words = ["sh", "-c", script, "sh", "/dev/stdin", *(name.decode() for name in names)]
    done = subprocess.run(words, input=text, capture_output=True, check=True, env={"PATH": os.environ["PATH"]})
    return dict(zip((name.decode() for name in names), done.stdout.decode().split("\0")))


def ini(text):
    parser = configparser.RawConfigParser()
    parser.optionxform = str
    parser.read_string(text.decode())
    return {name: {key: value.strip("\n").split("\n") if value.startswith("\n") else value
                   for key, value in parser._sections[name].items()} for name in parser.sections()}


def git(text):
    """Names of subsections stand between quotes, and a key that is repeated is a list."""
    words = ["git", "config", "--no-includes", "-z", "-l", "-f", "-"]
    done = subprocess.run(words, input=text, capture_output=True, check=True)
    tree = {}
    for item in done.stdout.decode().split("\0")[:-1]:
        name, sign, value = item.partition("\n")
        section, inner, key = re.fullmatch(r"([^.]*)\.(?:(.*)\.)?([^.]*)", name, re.S).groups()
        place = tree.setdefault(section, {})
        place = place.setdefault(inner, {}) if inner else place
        value = value if sign else True
        old = place.get(key)
        place[key] = value if old is None else [*old, value] if isinstance(old, list) else [old, value]
    return tree


def gvariant(text):
    """A value as GLib prints it: numbers, texts, booleans and lists. Everything else stays a text."""
    if text.startswith("("):
        return text
    bare = re.sub(r"""('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")|@\w+ |\b(?:byte|u?int(?:16|32|64)) |\b(true|false)\b""",
                  lambda match: match[1] or (match[2] or "").capitalize(), text)
    return ast.literal_eval(bare)


def glib(schema):
    """Reads key files by GLib itself, with the schema in this text."""
    def read(text):
        with tempfile.TemporaryDirectory() as folder:
            config = os.path.join(folder, "glib-2.0/settings")
            os.makedirs(config)
            with open(os.path.join(config, "keyfile"), "wb") as stream:
                stream.write(text)
            values = gsettings(schema.encode(), folder, {"XDG_CONFIG_HOME": folder, "GSETTINGS_BACKEND": "keyfile"})
            # Of what the file lacks there is the schema's default.
            return {name: value for name, value in values.items() if f"\n{name.split('.')[-1]}=".encode() in text}
    return read


def glib_schemas(text):
    """The defaults of a schema."""
    with tempfile.TemporaryDirectory() as folder:
        return gsettings(text, folder, {"GSETTINGS_BACKEND": "memory"})


def gsettings(schema, folder, variables):
    with open(os.path.join(folder, "own.gschema.xml"), "wb") as stream:
        stream.write(schema)
    subprocess.run(["glib-compile-schemas", "--strict", folder], check=True, capture_output=True)
    environment = {**os.environ, **variables, "GSETTINGS_SCHEMA_DIR": folder, "LC_ALL": "C.UTF-8"}
    tree = {}
    for element in xml.etree.ElementTree.fromstring(schema).iter("schema"):
        name = element.get("id")
        done = subprocess.run(["gsettings", "list-recursively", name], capture_output=True, check=True, env=environment)
        for line in done.stdout.decode().rstrip("\n").split("\n"):
            _, key, value = line.split(" ", 2)
            tree[name + "." + key] = gvariant(value)
    return tree


def flags(text):
    return {name: flag["defaultVariant"] for name, flag in json_with_comments(text)["flags"].items()}


def extension(text):
    members = json_with_comments(text)["contributes"]["configuration"]["properties"]
    return {name: member["default"] for name, member in members.items()}


def schema(text):
    def defaults(node):
        return {name: defaults(inner) if "properties" in inner else inner["default"] for name, inner in node["properties"].items()}
    return defaults(json_with_comments(text))
