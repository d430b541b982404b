import SettingsModel

/// Which dialect a file is in, by its name, its ending, its folder, and last by what is in it.
enum KeyFileNames {
    /// The names and the endings that belong to one format, and the folders in which an ending does.
    private struct Row {
        var format: FormatName
        var names: Set<String> = []
        var endings: [String] = []
        var folders: [(folder: String, ending: String)] = []
    }

    private static let rows = [
        Row(
            format: .ini,
            names: [
                "setup.cfg", "tox.ini", "pytest.ini", ".pytest.ini", ".flake8", ".coveragerc", "mypy.ini", ".mypy.ini",
                "alembic.ini", ".pypirc", "pip.conf", "pip.ini", ".hgrc", "hgrc", "mercurial.ini", ".isort.cfg", ".pylintrc",
                "pylintrc", "ansible.cfg", ".bandit", ".pydocstyle", "supervisord.conf", "dnf.conf",
            ], endings: [".repo"],
            folders: [("supervisor", ".conf"), ("fail2ban", ".conf"), ("fail2ban", ".local")] + openStack.map { ($0, ".conf") }),
        Row(
            format: .gitConfig, names: [".gitconfig", ".gitmodules", ".lfsconfig", "gitconfig"], endings: [".gitconfig"],
            folders: [("git", "config"), (".git", "config")]),
        Row(format: .properties, endings: [".properties"]),
        Row(
            format: .systemd,
            names: ["journald.conf", "logind.conf", "resolved.conf", "timesyncd.conf", "networkd.conf", "coredump.conf"],
            endings: units + networks, folders: [("systemd", ".conf")] + (units + networks).map { ("*\($0).d", ".conf") }),
        Row(
            format: .keyFile,
            names: ["mimeapps.list", "index.theme", "networkmanager.conf", "upower.conf", "fwupd.conf", "geoclue.conf"],
            endings: [".desktop", ".directory", ".thumbnailer", ".nmconnection"],
            folders: [("gtk-3.0", "settings.ini"), ("gtk-4.0", "settings.ini"), ("networkmanager", ".conf")]),
        Row(format: .postgreSQL, names: ["postgresql.conf", "postgresql.conf.sample"], folders: [("postgresql", ".conf")]),
        Row(
            format: .mySQL, names: ["my.cnf", ".my.cnf", "mysqld.cnf", "mariadb.cnf"],
            folders: [("mysql", ".cnf"), ("mysql*.d", ".cnf"), ("mariadb*.d", ".cnf"), ("my.cnf.d", ".cnf")]),
        Row(format: .npm, names: [".npmrc", "npmrc"]),
        Row(format: .editorConfig, names: [".editorconfig"]),
        Row(format: .php, names: ["php.ini", "php.ini-development", "php.ini-production"], folders: [("php", ".ini")]),
    ]

    /// The endings that tell a file's format.
    static let endings = rows.flatMap(\.endings)

    private static let units = [
        ".service", ".socket", ".timer", ".mount", ".automount", ".swap", ".path", ".slice", ".scope", ".target",
    ]
    private static let networks = [".network", ".netdev", ".link", ".nspawn"]

    /// The services of OpenStack, which repeat keys.
    private static let openStack = ["nova", "neutron", "keystone", "cinder", "glance", "heat", "ironic", "swift"]

    /// The names of those of the readers that tell names apart by case.
    private static let caseSensitive: Set<String> = ["pytest.ini", ".pytest.ini", ".hgrc", "hgrc", "mercurial.ini"]

    /// Files of other kinds, which these readers would misread, and why they are not read.
    private static let others: [(names: [String], reason: String)] = [
        (
            ["sshd_config", "ssh_config"],
            "is a file of OpenSSH, where the first value of a keyword counts and blocks give it its meaning"
        ),
        (["nginx.conf", "httpd.conf", "apache2.conf"], "is a file of a web server, which consists of blocks"),
        (["redis.conf", "haproxy.cfg"], "consists of words without '='"),
        ([".reg", ".inf"], "is a list of changes for Windows, not a file that a program reads"),
        (["postgresql.auto.conf"], "belongs to ALTER SYSTEM, which rewrites it"),
        (["pg_hba.conf", "pg_ident.conf"], "is a list of rules in columns, whose order counts"),
    ]

    static func dialect(_ format: FormatName, of path: String) -> KeyFileDialect {
        let (name, folders) = parts(of: path)
        switch format {
        case .gitConfig: return .git
        case .properties: return .properties
        case .systemd: return networks.contains { name.hasSuffix($0) } ? .network : .systemd
        case .keyFile: return .keyFile
        case .postgreSQL: return .postgreSQL
        case .mySQL: return .mySQL
        case .npm: return .npm
        case .editorConfig: return .editorConfig
        case .php: return .php
        default:
            if name.hasPrefix("supervisor") || folders.contains("supervisor") { return .supervisor }
            if folders.contains("fail2ban") { return .fail2ban }
            if folders.contains(where: openStack.contains) { return .openStack }
            return caseSensitive.contains(name) ? .caseSensitive : .ini
        }
    }

    /// The format of a file; nil if it is none of these.
    static func format(of file: Source.File) throws(Refusal) -> FormatName? {
        let (name, folders) = parts(of: file.path)
        func fits(_ row: (folder: String, ending: String)) -> Bool {
            let ends = row.ending.hasPrefix(".") ? name.hasSuffix(row.ending) : name == row.ending
            let words = row.folder.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
            return ends
                && folders.contains { $0 == row.folder || words.count > 1 && $0.hasPrefix(words[0]) && $0.hasSuffix(words[1]) }
        }
        if let other = others.first(where: { $0.names.contains { $0.hasPrefix(".") ? name.hasSuffix($0) : name == $0 } }) {
            throw Refusal(other.reason, in: file.path, hint: "commit it with git as it is")
        }
        if let row = rows.first(where: { row in
            row.names.contains(name) || row.endings.contains { name.hasSuffix($0) && name != $0 }
                || row.folders.contains(where: fits)
        }) {
            return row.format
        }
        guard [".ini", ".cfg", ".conf", ".cnf"].contains(where: { name.hasSuffix($0) && name != $0 }) else { return nil }
        return try formatByContent(of: file, named: name)
    }

    /// The name and the folders of a path, in lower case.
    private static func parts(of path: String) -> (name: String, folders: ArraySlice<String>) {
        let parts = path.split(separator: "/").map { $0.lowercased() }
        return (parts.last ?? "", parts.dropLast())
    }

    /// The format of a file whose name tells nothing: the one whose reader takes it. If several do, they must read the same.
    private static func formatByContent(of file: Source.File, named name: String) throws(Refusal) -> FormatName? {
        let bytes = try file.bytes()
        let readings = [KeyFileDialect.ini, .git, .keyFile, .mySQL].compactMap { dialect in
            (try? KeyFileScanner.read(bytes, as: dialect, in: file.path)).map { (name: dialect.name, text: $0) }
        }.filter { $0.name != .mySQL || name.hasSuffix(".cnf") }
        guard let first = readings.first else { return nil }
        let sections = Set(readings.flatMap { $0.text.sections.map { $0.path[0].string } })
        if !sections.isDisjoint(with: ["Unit", "Service", "Timer", "Socket", "Install", "Match", "Network"]) { return .systemd }
        if sections.contains("Desktop Entry") { return .keyFile }
        guard let other = readings.first(where: { $0.text.pairs != first.text.pairs }) else { return first.name }
        throw Refusal(
            "can be read as \(first.name.rawValue) and as \(other.name.rawValue), which differ", in: file.path,
            remedy: .namingFormat)
    }
}

extension KeyFileText {
    /// Every section, key and value in order, with the names in lower case.
    fileprivate var pairs: [[String]] {
        entries.map { entry in
            path(of: entry).map { $0.string.lowercased() }
                + [
                    entry.name.string.lowercased(),
                    entry.value?.items == nil ? entry.value?.text.string ?? "" : "\(json(of: entry))",
                ]
        }
    }
}
