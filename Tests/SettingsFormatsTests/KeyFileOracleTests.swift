import Foundation
import SettingsModel
import Testing

@testable import SettingsFormats

/// Real files and small ones, compared with what Python's configparser and git read from them.
@Suite(.enabled(if: Inputs.areThere, "needs ../shared/inputs"))
struct KeyFileOracleTests {
    /// One line of what a reference reader read.
    struct Reading {
        var name: String
        var bytes: [UInt8]
        /// Nil if the reader refused the file.
        var pairs: [[String?]]?
    }

    private func readings(_ name: String, _ dialects: Set<String>) throws -> [Reading] {
        let folder = Inputs.path("keyfiles")
        let lines = try String(contentsOfFile: "\(folder)/ORACLE/\(name).jsonl", encoding: .utf8).split(separator: "\n")
        return try lines.compactMap { line in
            guard let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else { return nil }
            let pairs = (json["reads"] as? [[Any]])?.map { $0.map { $0 as? String } }
            if let file = json["file"] as? String {
                let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file)")))
                return Reading(name: file, bytes: bytes, pairs: pairs)
            }
            guard let dialect = json["dialect"] as? String, dialects.contains(dialect), let text = json["text"] as? String else {
                return nil
            }
            return Reading(name: text.debugDescription, bytes: Array(text.utf8), pairs: pairs)
        }
    }

    private func pairs(_ text: KeyFileText) -> [[String?]] {
        text.entries.map { entry in
            let path = text.path(of: entry).map(\.string)
            let name = entry.name.string.lowercased()
            guard text.dialect.sections == .git else { return [path[0], name, entry.value?.text.string] }
            return [
                ([path[0]] + path.dropFirst().map { String($0.dropFirst().dropLast()) } + [name]).joined(separator: "."),
                entry.value?.text.string,
            ]
        }
    }

    @Test(arguments: [
        ("ini", "ini"), ("setupcfg", "ini"), ("gitconfig", "git-config"), ("SNIPPETS", "ini"), ("SNIPPETS", "git-config"),
    ])
    func readingsAgree(_ name: String, _ format: String) throws {
        let dialect = format == "ini" ? KeyFileDialect.ini : .git
        var compared = 0
        for reading in try readings(name, format == "ini" ? ["ini", "setupcfg"] : ["gitconfig"]) {
            let text = try? KeyFileScanner.read(reading.bytes, as: dialect, in: reading.name)
            // Templates are refused, which the reference readers don't do.
            if text == nil, String(decoding: reading.bytes, as: UTF8.self).contains("{") { continue }
            compared += 1
            guard let expected = reading.pairs else {
                #expect(text == nil, "\(reading.name) is refused by the reference reader")
                continue
            }
            guard let text else {
                Issue.record("\(reading.name) is refused")
                continue
            }
            let found = pairs(text).sorted { "\($0)" < "\($1)" }
            let wanted = expected.sorted { "\($0)" < "\($1)" }
            if found != wanted, let place = zip(found, wanted).first(where: { $0 != $1 }) {
                Issue.record("\(reading.name): \(place.0) instead of \(place.1)")
            }
            #expect(found.count == wanted.count, "\(reading.name)")
        }
        #expect(compared > 10)
    }

    @Test(arguments: [("ini", "a.ini"), ("setupcfg", "setup.cfg"), ("gitconfig", ".gitconfig")])
    func lawsOfEditing(_ name: String, _ file: String) throws {
        let format: any Format.Type = name == "gitconfig" ? GitConfigFormat.self : INIFormat.self
        var edited = 0
        for reading in try readings(name, []) where reading.pairs != nil {
            guard var laws = try? EditedFileLaws(format, file, reading.bytes), !laws.settings.options.isEmpty else { continue }
            try laws.check(mayRespell: name == "gitconfig")
            edited += laws.edited
            let groups = laws.settings.options.keys.sorted().map(\.group)
            for group in [try Key("settings-new")] + groups.prefix(1) {
                try laws.checkAddition(group.appending("settings-new"), "x")
            }
        }
        #expect(edited > 100)
    }

    /// Truncated anywhere, or with any byte changed: no crash, and no long time.
    @Test func damagedFiles() throws {
        var random = SplitMix(39)
        for (name, dialect) in [("ini", KeyFileDialect.ini), ("gitconfig", .git), ("dconf", .dconf)] {
            for reading in try readings(name, []).prefix(8) where reading.bytes.count < 4000 {
                for place in stride(from: 0, to: reading.bytes.count, by: 7) {
                    _ = try? KeyFileScanner.read(Array(reading.bytes[..<place]), as: dialect, in: "a")
                    var bytes = reading.bytes
                    bytes[place] = UInt8(random.next(256))
                    _ = try? KeyFileScanner.read(bytes, as: dialect, in: "a")
                }
            }
        }
        let long = Array(("[a]\nk = " + String(repeating: "\\\n ", count: 200_000)).utf8)
        for dialect in [KeyFileDialect.ini, .git, .dconf] { _ = try? KeyFileScanner.read(long, as: dialect, in: "a") }
    }
}
