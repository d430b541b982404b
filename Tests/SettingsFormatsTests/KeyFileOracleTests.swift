import Foundation
import Seeds
import SettingsModel
import Testing

@testable import SettingsFormats

/// Real files and small ones, compared with what the programs that they are for read from them.
@Suite(.enabled(if: Inputs.areThere, "needs ../shared/inputs"))
struct KeyFileOracleTests {
    /// One line of what a reference reader read.
    struct Reading {
        var name: String
        var bytes: [UInt8]
        /// Every key with its section, and its values; nil if the reader refused the file.
        var values: [String: [String]]?
    }

    /// The folders of real files with the format of each, and the name under which it is read.
    static let folders: [(folder: String, format: any Format.Type, name: String)] = [
        ("ini", INIFormat.self, "a.ini"), ("setupcfg", INIFormat.self, "setup.cfg"),
        ("gitconfig", GitConfigFormat.self, ".gitconfig"), ("properties", PropertiesFormat.self, "a.properties"),
        ("desktop", GLibKeyFileFormat.self, "a.desktop"), ("keyfile", GLibKeyFileFormat.self, "a.desktop"),
        ("mycnf", MySQLFormat.self, "my.cnf"), ("npmrc", NPMFormat.self, ".npmrc"), ("php", PHPFormat.self, "php.ini"),
    ]

    /// The real files, and the small ones with an answer each.
    private func readings(_ folder: String, small: Bool = true) throws -> [Reading] {
        let root = Inputs.path("keyfiles")
        return try [folder, "SNIPPETS"].prefix(small ? 2 : 1).flatMap { file in
            try String(contentsOfFile: "\(root)/ORACLE/\(file).jsonl", encoding: .utf8).split(separator: "\n").compactMap {
                line in
                guard let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else { return nil }
                guard json["file"] != nil || json["dialect"] as? String == folder else { return nil }
                var reading = Reading(name: "", bytes: [], values: json["reads"].map { Self.values($0, folder) })
                if let file = json["file"] as? String {
                    (reading.name, reading.bytes) = (file, [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(root)/\(file)"))))
                    return reading
                }
                guard let text = json["text"] as? String else { return nil }
                (reading.name, reading.bytes) = (text.debugDescription, Array(text.utf8))
                return reading
            }
        }
    }

    private static func text(_ value: Any) -> String {
        if value is NSNull { return "null" }
        if let number = value as? NSNumber { return number.boolValue ? "true" : "false" }
        return value as? String ?? "\(value)"
    }

    /// What a reference reader found, in one form for all of them.
    private static func values(_ reads: Any, _ folder: String) -> [String: [String]] {
        var found: [String: [String]] = [:]
        func add(_ object: [String: Any], in section: String) {
            for (name, value) in object {
                if let inner = value as? [String: Any] {
                    add(inner, in: section.isEmpty ? name : "\(section).\(name)")
                } else {
                    found["\(section)|\(name)"] = (value as? [Any])?.map(text) ?? [text(value)]
                }
            }
        }
        for pair in reads as? [[Any]] ?? [] {
            switch folder {
            case "gitconfig": found[text(pair[0]), default: []].append(text(pair[1]))
            case "properties": found[text(pair[0])] = [text(pair[1])]
            case "desktop", "keyfile":
                let isText = !(pair[3] is NSNull)
                let list = pair.count > 4 && (!isText || text(pair[2]).hasSuffix(";")) ? pair[4] as? [String] : nil
                found["\(pair[0])|\(pair[1])"] = list ?? [isText ? text(pair[3]) : text(pair[2])]
            default: found["\(pair[0])|\(pair[1])"] = [text(pair[2])]
            }
        }
        if folder == "mycnf" {
            for (group, options) in reads as? [String: [String]] ?? [:] {
                for option in options {
                    let parts = option.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    found["\(group)|\(parts[0])", default: []].append(parts.count > 1 ? String(parts[1]) : "null")
                }
            }
        } else if let object = reads as? [String: Any] {
            add(object, in: "")
        }
        return found
    }

    /// The same of what is read here.
    private func values(_ text: KeyFileText, _ folder: String) -> [String: [String]] {
        var found: [String: [String]] = [:]
        for entry in text.entries {
            // To this reader of PHP's a later section replaces one of the same name.
            if folder == "php", let own = entry.section,
                own != text.sections.lastIndex(where: { $0.path == text.sections[own].path })
            {
                continue
            }
            let path = text.path(of: entry).map(\.string)
            let name = entry.name.string
            let texts = entry.value.map { value in value.items?.map(\.text.string) ?? [value.text.string] }
            switch folder {
            case "gitconfig":
                let inner = path.dropFirst().map { String($0.dropFirst().dropLast()) }
                found[([path[0]] + inner + [name.lowercased()]).joined(separator: "."), default: []] += texts ?? ["null"]
            case "properties":
                // The reader takes every file for Latin-1.
                func latin(_ text: String) -> String {
                    let isPlain =
                        text.unicodeScalars.allSatisfy { $0.value < 256 }
                        && String(decoding: text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }, as: UTF8.self)
                            == text
                    return isPlain || !text.utf8.contains { $0 >= 0x80 }
                        ? text : String(String.UnicodeScalarView(text.utf8.map { Unicode.Scalar($0) }))
                }
                let isEscaped = text.bytes.contains { $0 >= 0x80 } == false
                found[isEscaped ? name : latin(name)] = (texts ?? [""]).map { isEscaped ? $0 : latin($0) }
            case "ini", "setupcfg":
                found["\(path[0])|\(name.lowercased())"] = [
                    entry.value?.items.map { "\n" + $0.map(\.text.string).joined(separator: "\n") } ?? texts?[0] ?? ""
                ]
                if let value = entry.value, value.items != nil { found["\(path[0])|\(name.lowercased())"] = [value.text.string] }
            case "mycnf": found["\(path[0])|\(name)", default: []] += texts ?? ["null"]
            case "npmrc", "php":
                let isList = name.hasSuffix("[]")
                let place = "\(path.joined(separator: "."))|\(isList ? String(name.dropLast(2)) : name)"
                var value = texts ?? ["true"]
                if folder == "php", let span = entry.value?.span { value = [computed(value[0], text.string(span))] }
                found[place] = (isList ? found[place] ?? [] : []) + value
            default: found["\(path[0])|\(name)"] = texts
            }
        }
        return found
    }

    /// What PHP makes of a value.
    private func computed(_ value: String, _ spelled: String) -> String {
        if spelled.contains("'") || spelled.contains("\"") { return value }
        switch value.lowercased() {
        case "on", "yes", "true": return "1"
        case "off", "no", "none", "false", "null": return ""
        case "e_all | e_notice | e_strict | e_deprecated": return "32767"
        case "a|b": return "0"
        case "~/x": return "-1"
        case "${home}": return "/home/user"
        case let word where word.hasPrefix("${"): return ""
        default: return value
        }
    }

    @Test(arguments: folders.map(\.folder)) func readingsAgree(_ folder: String) throws {
        let (_, format, name) = try #require(Self.folders.first { $0.folder == folder })
        let dialect = KeyFileNames.dialect(format.name, of: name)
        var count = 0
        for reading in try readings(folder) {
            let text = try? KeyFileScanner.read(reading.bytes, as: dialect, in: reading.name)
            guard let expected = reading.values else {
                #expect(text == nil, "\(reading.name) is refused by the reference reader")
                continue
            }
            guard let text else {
                // Templates, lone carriage returns and what is no text are refused, which the reference readers don't do.
                let isOdd =
                    String(decoding: reading.bytes, as: UTF8.self).contains("{") || reading.bytes.contains(0)
                    || reading.bytes.contains(13) || reading.bytes.starts(with: [0xEF, 0xBB, 0xBF]) || expected.isEmpty
                #expect(isOdd, "\(reading.name) is refused")
                continue
            }
            let found = values(text, folder)
            for (key, values) in expected {
                count += 1
                if found[key] == values { continue }
                Issue.record("\(reading.name): \(key) is \(found[key] ?? ["missing"]) instead of \(values)")
            }
            for key in found.keys where expected[key] == nil { Issue.record("\(reading.name): \(key) is no key") }
        }
        #expect(count > 10)
    }

    @Test(.slow, arguments: folders.map(\.folder) + ["systemd", "postgres", "editorconfig"])
    func lawsOfEditing(_ folder: String) throws {
        let others: [String: (any Format.Type, String)] = [
            "systemd": (SystemdFormat.self, "a.network"), "postgres": (PostgreSQLFormat.self, "postgresql.conf"),
            "editorconfig": (EditorConfigFormat.self, ".editorconfig"),
        ]
        let (format, name) = try #require(
            Self.folders.first { $0.folder == folder }.map { ($0.format, $0.name) } ?? others[folder])
        var (edited, refused) = (0, 0)
        for file in Inputs.files("keyfiles/\(folder)") {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
            guard var laws = try? EditedFileLaws(format, name, bytes) else {
                refused += 1
                continue
            }
            if laws.settings.options.isEmpty { continue }
            try laws.check(mayRespell: ["gitconfig", "mycnf", "postgres"].contains(folder))
            edited += laws.edited
            try twoEditsCommute(laws)
            let groups = laws.settings.options.keys.sorted().map(\.group)
            let depth = KeyFileNames.dialect(format.name, of: name).depth
            for group in (depth == 0 ? [] : [try Key("settings-new")]) + groups.prefix(1) {
                try laws.checkAddition(group.appending(depth == 0 ? "settings_new" : "settings-new"), "x")
            }
        }
        #expect(edited > 20 && refused <= 4)
    }

    /// Two values that are changed one after the other give the same file in either order.
    private func twoEditsCommute(_ laws: EditedFileLaws) throws {
        let changes = laws.settings.options.keys.sorted().compactMap { key in
            laws.settings.options[key].flatMap(EditedFileLaws.other).map { (key: key, value: $0) }
        }
        guard let first = changes.first, let last = changes.last, first.key != last.key else { return }
        var texts: [[UInt8]] = []
        for order in [[first, last], [last, first]] {
            var (settings, bytes) = (laws.settings, laws.bytes)
            for change in order {
                settings.options[change.key]?.value = change.value
                guard let edited = try? laws.written(settings, into: bytes) else { return }
                bytes = edited
            }
            texts.append(bytes)
        }
        #expect(texts[0] == texts[1], "\(laws.name): \(first.key), \(last.key)")
    }

    /// Truncated anywhere, or with any byte changed: no crash, and no long time.
    @Test func damagedFiles() throws {
        var random = SplitMix(39)
        for (folder, format, name) in Self.folders {
            let dialect = KeyFileNames.dialect(format.name, of: name)
            for reading in try readings(folder, small: false).prefix(8) where reading.bytes.count < 4000 {
                for place in stride(from: 0, to: reading.bytes.count, by: 7) {
                    _ = try? KeyFileScanner.read(Array(reading.bytes[..<place]), as: dialect, in: "a")
                    var bytes = reading.bytes
                    bytes[place] = UInt8(random.next(256))
                    _ = try? KeyFileScanner.read(bytes, as: dialect, in: "a")
                }
            }
        }
        let long = Array(("[a]\nk = " + String(repeating: "\\\n ", count: 200_000)).utf8)
        for dialect in [KeyFileDialect.ini, .git, .dconf, .properties, .systemd] {
            _ = try? KeyFileScanner.read(long, as: dialect, in: "a")
        }
    }
}
