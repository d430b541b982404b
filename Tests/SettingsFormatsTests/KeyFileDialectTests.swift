import SettingsModel
import Testing

@testable import SettingsFormats

/// What sets the dialects apart: small files with what the programs they are for read from them, and edits that would go
/// wrong by another dialect's rules.
struct KeyFileDialectTests {
    /// A file, and what its own program reads as JSON; nil if that refuses the file.
    struct Trap: CustomTestStringConvertible {
        var format: any Format.Type
        var name: String
        var text: String
        var reading: String?

        init(_ format: any Format.Type, _ text: String, _ reading: String?, named name: String = "a") {
            (self.format, self.name, self.text, self.reading) = (format, name, text, reading)
        }

        var testDescription: String { "\(format.name.rawValue): \(text.debugDescription)" }
        var dialect: KeyFileDialect { KeyFileNames.dialect(format.name, of: name) }
    }

    static let traps: [Trap] = [
        // java.util.Properties
        Trap(PropertiesFormat.self, " a = 1 \nb:2\nc 3\nd\n", #"{"a":"1 ","b":"2","c":"3","d":""}"#),
        Trap(PropertiesFormat.self, "g==1\nh = = 1\nf = x # y\n", #"{"g":"=1","h":"= 1","f":"x # y"}"#),
        Trap(PropertiesFormat.self, "e=x\\\n  # no\na=1\\\n   \nb=2\n", ##"{"e":"x# no","a":"1","b":"2"}"##),
        Trap(
            PropertiesFormat.self, "a=C:\\temp\\q\nu=\\U00e9\nb=x\\\\\nc=1\n",
            ##"{"a":"C:\tempq","u":"U00e9","b":"x\\","c":"1"}"##),
        Trap(PropertiesFormat.self, "i\\ j = v\nk\\=l=v\n", #"{"i j":"v","k=l":"v"}"#),
        Trap(PropertiesFormat.self, "a=\\u00e9\\ud83d\\ude00\n! c\n# c\\\nb=\\ x\n", #"{"a":"é😀","b":" x"}"#),
        Trap(PropertiesFormat.self, "[s]\na.b=1\na.b.c=2\na.b=3\n", #"{"[s]":"","a.b":"3","a.b.c":"2"}"#),
        Trap(PropertiesFormat.self, "a=\\u00z1\n", nil),
        Trap(PropertiesFormat.self, "\u{FEFF}a=1\n", nil),
        // systemd
        Trap(SystemdFormat.self, "[S]\nD=Two  ; x\nE=\"a b\" 'c'\n", #"{"S":{"D":"Two  ; x","E":"\"a b\" 'c'"}}"#),
        Trap(SystemdFormat.self, "[S]\nA=x \\\n# c\n   y\nB=1\n", #"{"S":{"A":"x     y","B":"1"}}"#),
        Trap(SystemdFormat.self, "[S]\nA=x\\\\\nB=1\\\n\n  C = 2  \n", #"{"S":{"A":"x\\\\","B":"1","C":"2"}}"#),
        Trap(SystemdFormat.self, "[S]\nE=a\nE=\nE=b\n[T]\nx=1\n[S]\nF=1\n", #"{"S":{"E":["a","","b"],"F":"1"},"T":{"x":"1"}}"#),
        Trap(SystemdFormat.self, "[A]\nx=1\n[A]\nx=2\n", #"{"A":{"x":"1"},"A-2":{"x":"2"}}"#, named: "a.network"),
        Trap(SystemdFormat.self, "[S]\nno\n# c \\\nA=1\n", #"{"S":{"A":"1"}}"#),
        Trap(SystemdFormat.self, "[S]\nE= \\\n  /bin/a\nF=\\\n  A=1\n", #"{"S":{"E":"/bin/a","F":"A=1"}}"#),
        Trap(SystemdFormat.self, "[S] # c\nA=1\n", nil),
        Trap(SystemdFormat.self, "[S]\nA=\\\n  x\nB=\\ \n", #"{"S":{"A":"x","B":"\\"}}"#),
        // GLib
        Trap(GLibKeyFileFormat.self, "[G]\na=\\sx\\n\\\\z\nb = 1  \n", #"{"G":{"a":" x\n\\z","b":"1  "}}"#),
        Trap(GLibKeyFileFormat.self, "[G]\nc=a;b\\;c;d;\ne=a;b\n", #"{"G":{"c":["a","b;c","d"],"e":"a;b"}}"#),
        Trap(GLibKeyFileFormat.self, "[G]\nd=\\q\nf=x\\\nName[de]=D\n", #"{"G":{"d":"\\q","f":"x\\","Name[de]":"D"}}"#),
        Trap(GLibKeyFileFormat.self, "[G]\na=1\nA=2\na=3\n[H]\n[G]\nb=4\n", #"{"G":{"a":"3","A":"2","b":"4"}}"#),
        Trap(GLibKeyFileFormat.self, "[G]\n; c\na=1\n", nil),
        Trap(GLibKeyFileFormat.self, "[G]\na: 1\n", nil),
        Trap(GLibKeyFileFormat.self, "[G] # c\na=1\n", nil),
        Trap(GLibKeyFileFormat.self, "a=1\n[G]\n", nil),
        Trap(GLibKeyFileFormat.self, "[G]\na=x\\;y\nb=\rz\n", #"{"G":{"a":["x;y"],"b":"z"}}"#),
        // PostgreSQL
        Trap(
            PostgreSQLFormat.self, "a 128MB\nb=1#c\nC = 'it''s # \\\\ \\101' # d\n", ##"{"a":"128MB","b":"1","C":"it's # \\ A"}"##
        ),
        Trap(
            PostgreSQLFormat.self, "a = 1\nA = -1\nmy.x = Europe/Berlin\ne = ''\n", #"{"a":"-1","my.x":"Europe/Berlin","e":""}"#),
        Trap(PostgreSQLFormat.self, "a = /var/x\n", nil),
        Trap(PostgreSQLFormat.self, "a = a.b\n", nil),
        Trap(PostgreSQLFormat.self, "a = 4 MB\n", nil),
        Trap(PostgreSQLFormat.self, "a = \"x\"\n", nil),
        Trap(PostgreSQLFormat.self, "a = 'x\n", nil),
        Trap(PostgreSQLFormat.self, "a = ''null'\n", nil),
        Trap(PostgreSQLFormat.self, "a = 'a' 'b'\n", nil),
        Trap(PostgreSQLFormat.self, "[s]\na = 1\n", nil),
        // MySQL
        Trap(MySQLFormat.self, "[m]\na=\\\" # x\nb=\"  \nc=\\\"\"\n", ##"{"m":{"a":"\" # x","b":"\"","c":"\"\""}}"##),
        Trap(MySQLFormat.self, "[m]\nskip\na = 1 # c\nb=1 ; x\nc=a#b\n", #"{"m":{"skip":"on","a":"1","b":"1 ; x","c":"a"}}"#),
        Trap(MySQLFormat.self, "[m] # x\nz = \"a # b\" # c\nx=it's # c\n", #"{"m":{"z":"a # b","x":"it's # c"}}"#),
        Trap(
            MySQLFormat.self, "[m]\nw=C:\\temp\\x\ny=\"a\" b\nq=\"a\\\"b\"\n",
            #"{"m":{"w":"C:\temp\\x","y":"\"a\" b","q":"a\"b"}}"#),
        Trap(MySQLFormat.self, "!include x\n[m]\na-b=1\na_b=2\n", #"{"m":{"a-b":"2"}}"#),
        Trap(MySQLFormat.self, "[m]\nplugin-load-add=a\nplugin_load_add=b\n", #"{"m":{"plugin-load-add":["a","b"]}}"#),
        Trap(MySQLFormat.self, "[m]\na=voilà # c\n", nil),
        Trap(MySQLFormat.self, "[m]\na='voilà'\n", #"{"m":{"a":"voilà"}}"#),
        Trap(MySQLFormat.self, "[m]\na=\"x\" b  \nb=it's  \n", #"{"m":{"a":"\"x\" b","b":"it's"}}"#),
        Trap(MySQLFormat.self, "[Mysqld]\na=1\n[mysqld]\na=2\n", #"{"mysqld":{"a":"2"}}"#),
        Trap(MySQLFormat.self, "a=1\n[m]\n", nil),
        Trap(MySQLFormat.self, "\u{FEFF}[m]\na=1\n", nil),
        // npm
        Trap(
            NPMFormat.self, "h=a;b\ni=a#b\nj=a\\;b\nk=\"x;y\"\nb=\"x\" ; c\n",
            ##"{"h":"a","i":"a","j":"a;b","k":"x;y","b":"\"x\""}"##),
        Trap(NPMFormat.self, "a='\nb=\"\nc=x\u{A0}\n", ##"{"a":"","b":"\"","c":"x"}"##),
        Trap(NPMFormat.self, "a[]=1\na[]=2\no[]=1\nb=1\nb=2\nf\n", #"{"a[]":["1","2"],"o[]":["1"],"b":"2","f":"true"}"#),
        Trap(
            NPMFormat.self, "//h/:_authToken=abc==\nc=C:\\x\n[s]\nu='1'\n",
            #"{"//h/:_authToken":"abc==","c":"C:\\x","s":{"u":"1"}}"#),
        Trap(NPMFormat.self, "\u{FEFF}[s]\n a=1\n  [t]\n[u]\nb=2\n", #"{"[s]":"true","a":"1","[t]":"true","u":{"b":"2"}}"#),
        Trap(NPMFormat.self, "\u{FEFF}a=1\r\n[a] ; c\nx=${HOME}\n", #"{"a":"1","[a]":"true","x":"${HOME}"}"#),
        // editorconfig
        Trap(
            EditorConfigFormat.self, "root = true\n[*.{js,py}] # c\nA = Tab ; c\nb=a;b\nc: 1\n",
            #"{"root":"true","*.{js,py}":{"A":"Tab","b":"a;b","c":"1"}}"#),
        Trap(EditorConfigFormat.self, "[[!a]]\n  a = 1\n", #"{"[!a]":{"a":"1"}}"#),
        // PHP
        Trap(
            PHPFormat.self, "a = On ; c\nb = x # y\nc = \"x;y\" ; d\nd='${H}'\n", #"{"a":"On","b":"x # y","c":"x;y","d":"${H}"}"#),
        Trap(PHPFormat.self, "a=\"x\"y\nb=\"q\\\"r\"\nc=\"m\nl\"\nno\n", #"{"a":"xy","b":"q\"r","c":"m\nl"}"#),
        Trap(
            PHPFormat.self, "e = E_ALL & ~E_NOTICE\nextension=a\nextension=b\n[s]\nx = ''\n",
            #"{"e":"E_ALL & ~E_NOTICE","extension":["a","b"],"s":{"x":""}}"#),
        Trap(
            PHPFormat.self, "a=\"true\" #\nb=\"x\" y\nc=\"x\" \"y\"\nd=x \"y\" z\ne='x' y\nf=a  b\ng=none ; c\n",
            ##"{"a":"true#","b":"xy","c":"xy","d":"xyz","e":"x y","f":"a  b","g":"none"}"##),
        Trap(PHPFormat.self, "# a = 1\n# b\nc ; d(e)\nf=yes-no\n", ##"{"# a":"1","f":"yes-no"}"##),
        Trap(PHPFormat.self, "a = On\t# c\n", nil),
        Trap(PHPFormat.self, "a = x none\n", nil),
        Trap(PHPFormat.self, "a = none 'x'\n", nil),
        Trap(PHPFormat.self, "# a (b)\n", nil),
        Trap(PHPFormat.self, "a=x(y)\n", nil),
        Trap(PHPFormat.self, "a=x=y\n", nil),
        Trap(PHPFormat.self, "yes=1\n", nil),
        // INI by program
        Trap(INIFormat.self, "[a]\nk = v ; c # d\n", #"{"a":{"k":"v"}}"#, named: "fail2ban/jail.local"),
        Trap(INIFormat.self, "[a]\nk = v # c\n", ##"{"a":{"k":"v # c"}}"##, named: "fail2ban/jail.local"),
        Trap(INIFormat.self, "[a]\nk = \" v \"\nl = 'w\n", #"{"a":{"k":" v ","l":"'w"}}"#, named: "etc/nova/nova.conf"),
        Trap(INIFormat.self, "[a]\nk = v\nK = w\nk = x\n", #"{"a":{"k":["v","x"],"K":"w"}}"#, named: "etc/nova/nova.conf"),
    ]

    @Test(arguments: traps) func readings(_ trap: Trap) throws {
        let read = try? KeyFileScanner.read(Array(trap.text.utf8), as: trap.dialect, in: trap.name).tree.root
        #expect(read?.compact == (try trap.reading.map { try JSON(parsing: $0).compact }))
    }

    /// A file, an option, its new value, and the file with it; nil if it can't be written.
    static let edits: [(Trap, String, JSON, String?)] = [
        (Trap(INIFormat.self, "[a]\nk = \"v\"\n", nil, named: "etc/nova/nova.conf"), "a.k", " w", "[a]\nk = \" w\"\n"),
        (Trap(PropertiesFormat.self, "a = 1\n", nil), "a", " x ", "a = \\ x \n"),
        (Trap(PropertiesFormat.self, "a = 1\n", nil), "a", "é😀\n", "a = \\u00e9\\ud83d\\ude00\\n\n"),
        (Trap(PropertiesFormat.self, "a = 1\nb = ö\n", nil), "a", "é", "a = é\nb = ö\n"),
        (Trap(PropertiesFormat.self, "u=https\\://a/\n", nil), "u", "https://b:1/", "u=https\\://b\\:1/\n"),
        (Trap(PropertiesFormat.self, "a=x,\\\n  y,\\\n  z\n", nil), "a", "x,w,z", "a=x,\\\n  w,\\\n  z\n"),
        (Trap(PropertiesFormat.self, "d\n", nil), "d", "1", "d=1\n"),
        (
            Trap(SystemdFormat.self, "[S]\nE=/a \\\n# why\n  --b \\\n  --c\n", nil), "S.E", "/a    --b    --d",
            "[S]\nE=/a \\\n# why\n  --b \\\n  --d\n"
        ),
        (
            Trap(SystemdFormat.self, "[S]\nE=/a \\\n# why\n  --b\n", nil), "S.E", "x", "[S]\n# why\nE=x\n"
        ),
        (Trap(SystemdFormat.self, "[S]\nE=\nE=a\n", nil), "S.E", .array(["", "a", "b"]), "[S]\nE=\nE=a\nE=b\n"),
        (Trap(SystemdFormat.self, "[S]\nD=a\n", nil), "S.D", "a\\", nil),
        (Trap(SystemdFormat.self, "[S]\nD=a\n", nil), "S.D", " a", nil),
        (Trap(SystemdFormat.self, "[S]\nD=a\n", nil), "S.D", "a\nb", nil),
        (Trap(SystemdFormat.self, "[A]\nx=1\n[A]\nx=2\n", nil, named: "a.network"), "A-2.x", "3", "[A]\nx=1\n[A]\nx=3\n"),
        (Trap(GLibKeyFileFormat.self, "[G]\nc=a;b\\;c;\n", nil), "G.c", .array(["b;c", "d"]), "[G]\nc=b\\;c;d;\n"),
        (Trap(GLibKeyFileFormat.self, "[G]\na=1\n", nil), "G.a", " x\n\\", "[G]\na=\\sx\\n\\\\\n"),
        (Trap(GLibKeyFileFormat.self, "[G]\na=1\n", nil), "G.a", "C:\\dir\\u00e9\\", "[G]\na=C:\\\\dir\\\\u00e9\\\\\n"),
        (Trap(PostgreSQLFormat.self, "a = 128MB\t# c\n", nil), "a", "256MB", "a = 256MB\t# c\n"),
        (Trap(PostgreSQLFormat.self, "a = 128MB\t# c\n", nil), "a", "it's 1.5", "a = 'it''s 1.5'\t# c\n"),
        (Trap(PostgreSQLFormat.self, "#b = 1 # c\na = 1\n", nil), "b", "2", "#b = 1 # c\nb = 2\na = 1\n"),
        (Trap(MySQLFormat.self, "[m]\nskip\n", nil), "m.skip", "off", "[m]\nskip=off\n"),
        (Trap(MySQLFormat.self, "[m]\na = x # c\n", nil), "m.a", "y # z\\", "[m]\na = \"y # z\\\\\" # c\n"),
        (Trap(MySQLFormat.self, "[m]\na = x\n", nil), "m.a", "voilà", "[m]\na = \"voilà\"\n"),
        (Trap(NPMFormat.self, "a=1 ; c\n", nil), "a", "x;y", "a=x\\;y ; c\n"),
        (Trap(NPMFormat.self, "o[]=a\n", nil), "o", .array(["a", "b"]), "o[]=a\no[]=b\n"),
        (Trap(NPMFormat.self, "a=1\n", nil), "a", "\"q\"", "a=\"\\\"q\\\"\"\n"),
        (Trap(EditorConfigFormat.self, "[*]\na = 1 ; c\n", nil), "key-2f0c9f3d.a", "2", "[*]\na = 2 ; c\n"),
        (Trap(EditorConfigFormat.self, "[*]\na = x ; c\n", nil), "key-2f0c9f3d.a", "", "[*]\na = ; c\n"),
        (Trap(EditorConfigFormat.self, "[*]\na = ; c\n", nil), "key-2f0c9f3d.a", "x", "[*]\na = x ; c\n"),
        (
            Trap(INIFormat.self, "[a]\nk = # c\n", nil, named: "supervisord.conf"), "a.k", "v", "[a]\nk = v # c\n"
        ),
        (Trap(GitConfigFormat.self, "[a]\n\tk =# c\n", nil), "a.k", "v", "[a]\n\tk =v # c\n"),
        (Trap(EditorConfigFormat.self, "[*]\na = 1\n", nil), "key-2f0c9f3d.a", "2 # x", nil),
        (Trap(PHPFormat.self, "d = On ; c\n", nil), "d", "Off", "d = Off ; c\n"),
        (Trap(PHPFormat.self, "d = On\n", nil), "d", "On call", "d = \"On call\"\n"),
        (Trap(PHPFormat.self, "d = a b\n", nil), "d", "a yes b", "d = \"a yes b\"\n"),
        (Trap(PHPFormat.self, "d = a\n", nil), "d", "E_ALL x", "d = \"E_ALL x\"\n"),
        (Trap(PHPFormat.self, "d = E_ALL\n", nil), "d", "E_STRICT", "d = E_STRICT\n"),
        (Trap(PHPFormat.self, "d = a\n", nil), "d", "it's ${x}", "d = \"it's \\${x}\"\n"),
        (Trap(PHPFormat.self, "d = \"$X\"\n", nil), "d", "${x}:", "d = '${x}:'\n"),
        (Trap(PHPFormat.self, "d = \"${x}/$a\"\n", nil), "d", "${x}/$b", "d = \"${x}/$b\"\n"),
        (Trap(PHPFormat.self, "d = a\n", nil), "d", "on", "d = \"on\"\n"),
        (Trap(PHPFormat.self, "e = E_ALL & ~E_NOTICE\n", nil), "e", "E_ALL | E_STRICT", "e = E_ALL | E_STRICT\n"),
        (Trap(PHPFormat.self, "d = a\n", nil), "d", "a|b \"${x}\"", "d = 'a|b \"${x}\"'\n"),
    ]

    @Test(arguments: edits.indices) func writing(_ index: Int) throws {
        let (trap, key, value, expected) = Self.edits[index]
        let laws = try EditedFileLaws(trap.format, trap.name, Array(trap.text.utf8))
        var settings = laws.settings
        let kind: SettingsOption.Kind = if case .array = value { .data } else { .text }
        if settings.options[try Key(key)] == nil { settings.options[try Key(key)] = SettingsOption(title: "", type: kind) }
        settings.options[try Key(key)]?.value = value
        settings.options[try Key(key)]?.type = kind
        guard let expected else {
            let refusal = #expect(throws: Refusal.self) { try laws.written(settings, into: laws.bytes) }
            #expect(refusal?.reason.contains("'\(laws.settings.options[try Key(key)]?.importedKey?.string ?? "")") == true)
            return
        }
        let written = String(decoding: try laws.written(settings, into: laws.bytes), as: UTF8.self)
        #expect(written == expected)
    }

    @Test func latinFiles() throws {
        let bytes: [UInt8] = Array("a = caf".utf8) + [0xE9] + Array("\nb = 1\n".utf8)
        let laws = try EditedFileLaws(PropertiesFormat.self, "a.properties", bytes)
        #expect(laws.settings["a"]?.value == "café")
        var settings = laws.settings
        settings.set("b", "ü")
        #expect(try laws.written(settings, into: bytes) == Array("a = caf".utf8) + [0xE9] + Array("\nb = \\u00fc\n".utf8))
    }

    /// Names, endings and folders say whose a file is; where they don't, two readings must agree.
    @Test(arguments: [
        ("gradle.properties", FormatName.properties), ("etc/systemd/system.conf", .systemd), ("a@.service", .systemd),
        ("etc/systemd/system/a.service.d/override.conf", .systemd), ("x.desktop", .keyFile),
        (".config/gtk-3.0/settings.ini", .keyFile),
        ("postgresql.conf", .postgreSQL), ("etc/postgresql/15/main/conf.d/x.conf", .postgreSQL), (".my.cnf", .mySQL),
        ("etc/mysql/mariadb.conf.d/50-server.cnf", .mySQL), (".npmrc", .npm), (".editorconfig", .editorConfig),
        ("etc/php/8.2/fpm/php.ini", .php), ("etc/php/8.2/mods-available/x.ini", .php), (".config/git/config", .gitConfig),
        ("etc/fail2ban/jail.local", .ini), ("unit.conf", .systemd), ("etc/yum.repos.d/a.repo", .ini), ("dnf.conf", .ini),
        ("etc/systemd/network/a.network.d/b.conf", .systemd),
    ]) func recognition(_ path: String, _ format: FormatName) throws {
        let text = format == .properties || format == .postgreSQL || format == .npm ? "a = 1\n" : "[Unit]\nA = 1\n"
        #expect(try Formats.recognised(Source(files: [(path: path, bytes: Array(text.utf8))])).name == format)
    }

    /// Files that look alike and are something else are refused with the reason.
    @Test(arguments: [
        "etc/ssh/sshd_config", "nginx.conf", "redis.conf", "x.reg", "postgresql.auto.conf", "etc/samba/smb.conf", "pacman.conf",
        "kdeglobals", ".config/plasma-org.kde.plasma.desktop-appletsrc",
    ])
    func others(_ path: String) throws {
        let refusal = #expect(throws: Refusal.self) {
            try Formats.recognised(Source(files: [(path: path, bytes: Array("[a]\nb = 1\n".utf8))]))
        }
        #expect(refusal?.file == path && refusal?.hint != nil)
    }

    /// What no reader takes is refused with its line, though the name alone doesn't tell the format.
    @Test(arguments: [
        ("[a]\nb = caf\u{E9}\n", "not UTF-8", 2), ("[a]\nb = 1\rc = 2\n", "carriage return", 2),
        ("[a\n]b\n", "before the first section", 1),
    ]) func unreadable(_ text: String, _ reason: String, _ line: Int) throws {
        let bytes = text.unicodeScalars.map { UInt8($0.value) }
        let refusal = #expect(throws: Refusal.self) {
            let source = Source(files: [(path: "a.cfg", bytes: bytes)])
            _ = try Formats.recognised(source).read(source, ReadRequest())
        }
        #expect(refusal?.reason.contains(reason) == true && refusal?.position?.line == line)
    }

    /// Drop-ins of networks are read as networks are, and a value with '%' is pointed out once.
    @Test func dropIns() throws {
        let text = "[Address]\nAddress=a\n[Address]\nAddress=%n\n[Network]\nDescription=50%\n"
        let imported = try SystemdFormat.read(["x.network.d/a.conf": text])
        #expect(imported.settings["Address-2.Address"]?.value == "%n")
        #expect(imported.repairs.map(\.line) == [4])
    }
}
