"""The files that the campaign of every format begins with.

⟦name|spelling⟧ is a value: its names with / between, and how it is spelled. `:kind` before the | says what it is where the
option's type does not, and `@key` where the key is not made of the names. A value that is `fixed` is never changed.
"""

JSON = """{
  "server": {"port": ⟦server/port|8080⟧, "host": ⟦server/host|"a\\u0062c"⟧ },
  "ratio": ⟦ratio|1.50⟧,"on":⟦on|true⟧,

  "list": ⟦list:numbers|[1, 2,
     3]⟧
  , "empty": ⟦empty|""⟧
}"""
JSONC = """// top
{
  /* before */ "port": ⟦port|0⟧, // inline
  "name": ⟦name|"x"⟧ /* behind */,
  "deep": { "on": ⟦deep/on|false⟧, "list": ⟦deep/list:texts|["a", "b"]⟧, },
  // last
}
"""
YAML = """# top
server:
    port: ⟦server/port|8080⟧   # inline
    # above
    host: ⟦server/host|'single'⟧
    other: ⟦server/other|"dou\\x62le"⟧ # quoted
    plain: ⟦server/plain|some words⟧
ratio: ⟦ratio|1.50⟧
enabled: ⟦enabled|yes⟧  # a word of YAML 1.1
zero: ⟦zero|007x⟧

list: ⟦list:numbers|[1, 2]⟧   # flow
items:⟦items:texts|
- a
- b⟧
# before the block
block: ⟦block|>-
  folded
  text⟧
last: ⟦last|~x⟧
"""
DOCUMENTS = """# several
kind: Service   # never an option of its own
metadata: {name: ⟦Service-web/metadata/name:fixed|web⟧}
port: ⟦Service-web/port|80⟧ # http
---
# the second
kind: Job
metadata:
  name: ⟦Job-job/metadata/name:fixed|job⟧
label: ⟦Job-job/label|"a b"⟧
enabled: ⟦Job-job/enabled|true⟧
"""
TOML = """# top
title = ⟦title|"basic"⟧ # inline
raw = ⟦raw|'lit\\eral'⟧
long = ⟦long|\"\"\"
several
lines\"\"\"⟧
number = ⟦number|1_000⟧
hex = ⟦hex|0xFF⟧
ratio = ⟦ratio|1.0⟧

[server]   # a table
on = ⟦server/on|true⟧
when = ⟦server/when:fixed|1979-05-27T07:32:00Z⟧
ports = ⟦server/ports:numbers|[ 1, 2, # two
  3 ]⟧
dotted.name = ⟦server/dotted/name|"x"⟧
inline = { a = ⟦server/inline/a|1⟧, b = ⟦server/inline/b|'y'⟧ }
"""
ENV = """# top
PORT=⟦PORT|8080⟧
export NAME=⟦NAME|"two words"⟧ # inline
SINGLE=⟦SINGLE|'single'⟧
EMPTY=⟦EMPTY|⟧
# above
PLAIN=⟦PLAIN|plain⟧
"""
XML = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
\t<!-- top -->
\t<key>port</key>
\t<integer>⟦port|8080⟧</integer> <!-- inline -->
\t<key>hex</key><integer>⟦hex|0x1F⟧</integer>
\t<key>ratio</key>
\t<real>⟦ratio|1.0⟧</real>
\t<key>name</key>
\t<string>⟦name|say &quot;&#x41;&quot;⟧</string>
\t<key>cdata</key>
\t<string>⟦cdata|<![CDATA[a < b]]>⟧</string>
\t<key>on</key>
\t⟦on|<true/>⟧
\t<key>day</key>
\t<date>⟦day:date|2001-01-01T00:00:00Z⟧</date>
\t<key>bytes</key>
\t<data>⟦bytes:bytes|
\tYWJj
\t⟧</data>
\t<key>inner</key>
\t<dict>
\t\t<key>list</key>
\t\t<array>⟦inner/list:texts|
\t\t\t<string>a</string>
\t\t\t<string>b</string>
\t\t⟧</array>
\t</dict>
</dict>
</plist>
"""
STRINGS = """/* The greeting. */
"hello" = "⟦hello|Hello⟧";   // inline

/* A name without quotes */
bare = ⟦bare|value⟧;
'quoted' = '⟦quoted|it⟧';
"escaped" = "⟦escaped|a\\\\b\\n\\"c\\"⟧";
"""
INI = """# top
[metadata]
name = ⟦metadata/name|x⟧
; above
Count: ⟦metadata/Count|3⟧
on=⟦metadata/on|Yes⟧
plain = ⟦metadata/plain|some words # not a comment⟧

[options]
items =⟦options/items:texts|
    a
    # within
    b⟧
several = ⟦options/several|one
  two⟧
#commented = 1
last = ⟦options/last|007⟧
"""
GIT = """# top
[core]
\tname = ⟦core/name|plain⟧ ; inline
\tquoted = ⟦core/quoted|"a # b"⟧ # inline
\tpartly = ⟦core/partly|a "b;c" d⟧
\tlong = ⟦core/long|one \\
  two⟧
\tbare = ⟦core/bare|true⟧
\tcount=⟦core/count|8⟧
[branch "v1.2"]
\tremote = ⟦branch/v1.2/remote@branch.v1-2.remote|origin⟧
\tmerge = ⟦branch/v1.2/merge:texts@branch.v1-2.merge|a
\tmerge = b⟧
[user] email = ⟦user/email|a@example.org⟧ ; on one line
"""
DCONF = """# top
[org/example/app]
name=⟦org.example.app.name|'text'⟧
double=⟦org.example.app.double|"it's"⟧
count=⟦org.example.app.count|uint32 5⟧
# above
ratio=⟦org.example.app.ratio|1.0⟧

on=⟦org.example.app.on|true⟧
list=⟦org.example.app.list:texts|['a', 'b']⟧
none=⟦org.example.app.none:texts|@as []⟧
pair=⟦org.example.app.pair:pair|(1, 2)⟧
"""
DCONF_TYPES = {"name": ("s", "''"), "double": ("s", "''"), "count": ("u", "0"), "ratio": ("d", "0"), "on": ("b", "false"),
               "list": ("as", "[]"), "none": ("as", "[]"), "pair": ("(ii)", "(0,0)")}
SCHEMA_OF_DCONF = '<schemalist><schema id="org.example.app" path="/org/example/app/">' + "".join(
    f'<key name="{name}" type="{kind}"><default>{value}</default></key>' for name, (kind, value) in DCONF_TYPES.items()
) + "</schema></schemalist>"
VSCODE = """{
  // top
  "editor.tabSize": ⟦editor.tabSize|4⟧, // inline
  "files.eol": ⟦files.eol|"\\n"⟧,
  "[python]": { "editor.tabSize": 2 },
  "window.on": ⟦window.on|true⟧,
  "editor.rulers": ⟦editor.rulers:numbers|[80, 120]⟧
}
"""
# Files that define options: what changes in them is a default, or a flag's variant.
FLAGS = """{
  "$schema": "https://flagd.dev/schema/v0/flags.json",
  "flags": {
    "color": {"state": "ENABLED", "variants": {"red": "#f00", "blue": "#00f"},   "defaultVariant": "⟦color|red⟧"},

    "beta": {
      "state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "⟦beta|off⟧",
      "targeting": {}
    }
  }
}
"""
EXTENSION = """{
  "name": "x", "engines": {"vscode": "*"},
  "contributes": {
    "configuration": {
      "title": "X",
      "properties": {
        "x.name": {"type": "string", "default": ⟦x.name|"a\\u0062"⟧, "description": "The name."},
        "x.count": { "type": "integer", "minimum": 0, "default": ⟦x.count|3⟧ },
        "x.on":{"default":⟦x.on|true⟧,"type":"boolean"}
      }
    },
    "commands": [ {"command":"x.run"} ]
  }
}
"""
SCHEMA = """{ "$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
  "definitions": {"level": {"enum": ["low", "high"]}},
  "properties": {
    "name": {"type": "string", "default": ⟦name|"x"⟧},
    "level": {"$ref": "#/definitions/level", "default": "⟦level|low⟧"},
    "inner": {"type": "object", "properties": {
        "count": {"type": "integer",   "default": ⟦inner/count|3⟧}
    }}
  }
}
"""
GSCHEMA = """<?xml version="1.0"?>
<!-- top -->
<schemalist>
  <schema id="org.example.own" path="/org/example/own/">
    <key name="name" type="s">
      <default>⟦org.example.own.name|'text'⟧</default>  <!-- inline -->
      <summary>The name</summary>
    </key>
    <key type="i" name="count"><range min="0" max="100"/><default>⟦org.example.own.count|5⟧</default></key>
    <key name="on" type="b"><default>⟦org.example.own.on|true⟧</default></key>
  </schema>
</schemalist>
"""
