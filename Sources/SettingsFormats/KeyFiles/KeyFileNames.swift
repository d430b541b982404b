import SettingsModel

/// Which dialect a file is in, by its name, its folder, and last by what is in it.
enum KeyFileNames {
    /// The names of each dialect's files, the distinctive ones first and those of any other file of the format last. `*` is
    /// any part of a name; a folder is any of those that the file is in.
    private static let rows: [(dialect: KeyFileDialect, patterns: [String])] = [
        (.supervisor, ["supervisor*.conf", "supervisor/*.conf"]),
        (.fail2ban, ["fail2ban/*.conf", "fail2ban/*.local"]),
        (.openStack, ["nova", "neutron", "keystone", "cinder", "glance", "heat", "ironic", "swift"].map { "\($0)/*.conf" }),
        (.caseSensitive, ["pytest.ini", ".pytest.ini", ".hgrc", "hgrc", "mercurial.ini"]),
        (
            .ini,
            [
                "setup.cfg", "tox.ini", ".flake8", ".coveragerc", "mypy.ini", ".mypy.ini", "alembic.ini", ".pypirc", "pip.conf",
                "pip.ini", ".isort.cfg", ".pylintrc", "pylintrc", "ansible.cfg", ".bandit", ".pydocstyle", "dnf.conf",
                "yum.conf", "*.repo",
            ]
        ),
        (.git, [".gitconfig", ".gitmodules", ".lfsconfig", "gitconfig", "*.gitconfig", "git/config", ".git/config"]),
        (.properties, ["*.properties"]),
        (.network, units(["network", "netdev", "link", "nspawn"])),
        (
            .systemd,
            units(["service", "socket", "timer", "mount", "automount", "swap", "path", "slice", "scope", "target"]) + [
                "journald.conf", "logind.conf", "resolved.conf", "timesyncd.conf", "networkd.conf", "coredump.conf",
                "systemd/*.conf",
            ]
        ),
        (
            .keyFile,
            [
                "mimeapps.list", "index.theme", "networkmanager.conf", "upower.conf", "fwupd.conf", "geoclue.conf", "*.desktop",
                "*.directory", "*.thumbnailer", "*.nmconnection", "gtk-3.0/settings.ini", "gtk-4.0/settings.ini",
                "networkmanager/*.conf",
            ]
        ),
        (.postgreSQL, ["postgresql.conf", "postgresql.conf.sample", "postgresql/*.conf"]),
        (
            .mySQL,
            [
                "my.cnf", ".my.cnf", "mysqld.cnf", "mariadb.cnf", "mysql/*.cnf", "mysql*.d/*.cnf", "mariadb*.d/*.cnf",
                "my.cnf.d/*.cnf",
            ]
        ),
        (.npm, [".npmrc", "npmrc"]),
        (.editorConfig, [".editorconfig"]),
        (.php, ["php.ini", "php.ini-development", "php.ini-production", "php/*.ini"]),
    ]

    /// Files of other kinds, which these readers would misread, and why they are not read.
    private static let others: [(patterns: [String], reason: String)] = [
        (
            ["sshd_config", "ssh_config"],
            "is a file of OpenSSH, where the first value of a keyword takes precedence and its meaning depends on the block"
        ),
        (["nginx.conf", "httpd.conf", "apache2.conf"], "is a file of a web server, which consists of blocks"),
        (["redis.conf", "haproxy.cfg"], "consists of words without '='"),
        (["*.reg", "*.inf"], "is a list of changes for Windows, not a file that a program reads"),
        (["postgresql.auto.conf"], "belongs to ALTER SYSTEM, which rewrites it"),
        (["pg_hba.conf", "pg_ident.conf"], "is a list of rules in columns, whose order matters"),
        (["smb.conf"], "is a file of Samba, where names ignore blanks and some of them mean the opposite of others"),
        (["pacman.conf"], "is a file of pacman, where a word alone is a switch and the order of the repositories matters"),
        (["kdeglobals", "k*rc", "plasma*rc", "*.colors"], "is a file of KDE, whose sections are nested and which KDE rewrites"),
    ]

    /// Units of these kinds, and their drop-ins.
    private static func units(_ kinds: [String]) -> [String] { kinds.flatMap { ["*.\($0)", "*.\($0).d/*.conf"] } }

    /// The endings that tell a file's format.
    static let endings = rows.flatMap(\.patterns).filter { $0.hasPrefix("*") && !$0.contains("/") }.map { String($0.dropFirst()) }

    /// The dialect of a file of this format: its folder alone decides among those of one format.
    static func dialect(_ format: FormatName, of path: String) -> KeyFileDialect {
        let own = rows.filter { $0.dialect.name == format }
        return (own.first { $0.patterns.contains { fits($0, path, anyName: true) } } ?? own.last)?.dialect ?? .ini
    }

    /// The format of a file; nil if it is none of these.
    static func format(of file: Source.File) throws(Refusal) -> FormatName? {
        if let other = others.first(where: { $0.patterns.contains { fits($0, file.location) } }) {
            throw Refusal(other.reason, in: file.path, hint: "commit it with git as it is")
        }
        if let row = rows.first(where: { $0.patterns.contains { fits($0, file.location) } }) { return row.dialect.name }
        guard ["*.ini", "*.cfg", "*.conf", "*.cnf"].contains(where: { fits($0, file.location) }) else { return nil }
        return try formatByContent(of: file)
    }

    /// Whether a path fits a pattern; of one with a folder, `anyName` asks for the folder alone.
    private static func fits(_ pattern: String, _ path: String, anyName: Bool = false) -> Bool {
        var names: [Substring] = []
        for name in path.lowercased().split(separator: "/") {
            if name == ".." { _ = names.popLast() } else { names.append(name) }
        }
        let parts = pattern.split(separator: "/")
        func fits(_ part: Substring, _ name: Substring) -> Bool {
            let ends = part.split(separator: "*", omittingEmptySubsequences: false)
            return ends.count == 1
                ? part == name : name.count >= part.count && name.hasPrefix(ends[0]) && name.hasSuffix(ends[1])
        }
        guard let name = names.last, let last = parts.last else { return false }
        if parts.count == 1 { return fits(last, name) }
        return (anyName || fits(last, name)) && names.dropLast().contains { fits(parts[0], $0) }
    }

    /// The format of a file whose name tells nothing: the one whose reader takes it. If several do, they must read the same.
    private static func formatByContent(of file: Source.File) throws(Refusal) -> FormatName? {
        let bytes = try file.bytes()
        let isINI = ["*.ini", "*.cfg"].contains { fits($0, file.location) }
        let readings = [KeyFileDialect.ini, .mySQL, .keyFile, .git].compactMap { dialect in
            (try? KeyFileScanner.read(bytes, as: dialect, in: file.path)).map { (name: dialect.name, text: $0) }
        }.filter { $0.name != .mySQL || file.location.lowercased().hasSuffix(".cnf") }
        // What no reader takes is refused with the reason that the usual one has.
        _ = try PlainFile.text(of: bytes, in: file.path)
        if KeyFileText(bytes: bytes, dialect: .ini).loneReturn != nil { return .ini }
        guard let first = readings.first else { return isINI ? .ini : nil }
        if first.text.entries.isEmpty, !isINI {
            throw Refusal("has no settings from which its format could be detected", in: file.path, remedy: .namingFormat)
        }
        let sections = Set(readings.flatMap { $0.text.sections.map { $0.path[0].string } })
        if !sections.isDisjoint(with: ["Unit", "Service", "Timer", "Socket", "Install", "Match", "Network"]) { return .systemd }
        if sections.contains("Desktop Entry") { return .keyFile }
        // These readers also take files of other kinds; git's and GLib's have distinctive names or sections.
        guard [.ini, .mySQL].contains(first.name) else { return isINI ? .ini : nil }
        guard let other = readings.first(where: { $0.text.pairs != first.text.pairs }) else { return first.name }
        throw Refusal(
            "can be read as \(first.name.rawValue) and as \(other.name.rawValue), which differ", in: file.path,
            remedy: .choosingFormat(first.name, other.name))
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
