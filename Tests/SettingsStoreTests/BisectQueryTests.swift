import Foundation
import Testing

@testable import SettingsModel
@testable import SettingsStore

/// The changes that 'bisect' searches.
@Suite struct BisectQueryTests {
    private func ask(
        _ s: TemporaryStore, _ keys: [String] = [], from good: VersionID, to bad: VersionID
    ) throws -> BisectQuery.Answer {
        try Session(s.store, by: Caller(), at: Clock(now: 0)).ask(BisectQuery(keys, good: good, bad: bad))
    }

    /// Each change with its version, `volume value 1234567`.
    private func rows(_ answer: BisectQuery.Answer) -> [String] {
        answer.changes.map { "\($0.change.subject.key) \($0.change.facet.token) \($0.origin?.version.id.short ?? "-")" }
    }

    @Test func changesComeInTheOrderInWhichTheyWereMade() throws {
        try withStore { s in
            try s.put("volume", .number("Volume", 1))
            try s.put("language", .choice("Language", ["English", "French"]))
            let good = try s.put("dark", .onOff("Dark", false))
            try s.set("dark", true)
            let volume = try s.set("volume", 5)
            let labels = try s.labels("language") { $0.insert(ChoiceLabel(value: "de", text: "German"), at: 2) }
            let dark = try s.set("dark", nil)
            let language = try s.set("language", "de")
            let answer = try ask(s, from: good.id, to: language.id)
            #expect(
                rows(answer) == [
                    "volume value \(volume.id.short)", "language labels \(labels.id.short)", "dark value \(dark.id.short)",
                    "language value \(language.id.short)",
                ])
            #expect(answer.changes.map(\.isOfOneVersion) == [true, true, false, true])
            #expect(answer.selection.content(with: [0, 1, 2, 3]) == answer.bad)
            #expect(answer.selection.groups().requirements == [[], [], [], [1]])
            #expect(!answer.hasDraft)
        }
    }

    @Test func anAdditionIsApartFromLaterChanges() throws {
        try withStore { s in
            let good = try s.put("a", .number("A", 1))
            let added = try s.put("proxy", .text("Proxy", "none"))
            let set = try s.set("proxy", "host:80")
            let plain = try s.put("b", .number("B", 2))
            let answer = try ask(s, from: good.id, to: plain.id)
            #expect(
                rows(answer) == [
                    "proxy existence \(added.id.short)", "proxy value \(set.id.short)", "b existence \(plain.id.short)",
                ])
            #expect(answer.changes.map(\.since) == [good.id, added.id, good.id])
            #expect(answer.selection.content(with: [0])?.options[.of("proxy")]?.value == "none")
            #expect(answer.selection.content(with: [0, 1, 2]) == answer.bad)
        }
    }

    @Test func withKeysTheRestIsAsInTheBadVersion() throws {
        try withStore { s in
            try s.put("sound.volume", .number("Volume", 1))
            let good = try s.put("a", .number("A", 1))
            try s.set("a", 2)
            let bad = try s.set("sound.volume", 5)
            let answer = try ask(s, ["sound"], from: good.id, to: bad.id)
            #expect(rows(answer) == ["sound.volume value \(bad.id.short)"])
            let base = answer.selection.base
            #expect(base.options[.of("a")]?.value == .number(2) && base.options[.of("sound.volume")]?.value == .number(1))
            #expect(throws: Problem.self) {
                try ask(s, ["nix"], from: good.id, to: bad.id)
            }
        }
    }

    @Test func aRenamedOptionIsTracedByItsEarlierName() throws {
        try withStore { s in
            let good = try s.put("dark", .onOff("Dark", false))
            let set = try s.set("dark", true)
            let renamed = try s.rename("dark", "display.dark")
            try s.write("{", to: "other.json")
            let answer = try ask(s, from: good.id, to: renamed.id)
            #expect(rows(answer) == ["display.dark value \(set.id.short)", "display.dark key \(renamed.id.short)"])
            #expect(answer.selection.content(with: [0])?.options[.of("dark")]?.value == .bool(true))
            #expect(answer.hasDraft)
            try s.delete("other.json")
        }
    }

    @Test func aCopyHoldsTheFilesAndNothingElse() throws {
        try withStore { s in
            try s.put("sound.volume", .number("Volume", 1))
            let tip = try s.store.versions.tip()
            var copy = try ContentCopy(in: s.path)
            try copy.write(try tip.settings())
            #expect(try FileManager.default.attributesOfItem(atPath: copy.path)[.posixPermissions] as? Int == 0o700)
            for name in ["_store.json", "sound/volume.json"] {
                #expect(FileManager.default.contents(atPath: copy.path + "/" + name).map(Array.init) == s.file(name))
            }
            try Data("rubbish".utf8).write(to: URL(fileURLWithPath: copy.path + "/sound/rubbish"))
            try copy.write(SettingsContent(options: [.of("a"): .number("A", 1)]))
            #expect(try FileManager.default.subpathsOfDirectory(atPath: copy.path) == ["a.json"])
            // What a check did to the files is undone, and what it left alone is not written again.
            let four = SettingsContent(
                options: Dictionary(
                    uniqueKeysWithValues: ["a", "b", "c.d", "e.f.g"].map { (Key.of($0), SettingsOption.number("N", 1)) }))
            try copy.write(four)
            let before = try FileManager.default.attributesOfItem(atPath: copy.path + "/b.json")[.systemFileNumber] as? Int
            try SettingsOption.number("N", 2).file.withUnsafeBytes { bytes in
                let file = try FileHandle(forWritingTo: URL(fileURLWithPath: copy.path + "/a.json"))
                try file.write(contentsOf: Data(bytes))
            }
            try FileManager.default.removeItem(atPath: copy.path + "/e")
            try FileManager.default.createSymbolicLink(atPath: copy.path + "/e", withDestinationPath: copy.path + "/c")
            try FileManager.default.createDirectory(atPath: copy.path + "/c/x/y", withIntermediateDirectories: true)
            try copy.write(four)
            let after = try FileManager.default.attributesOfItem(atPath: copy.path + "/b.json")[.systemFileNumber] as? Int
            #expect(before == after)
            #expect(
                try FileManager.default.subpathsOfDirectory(atPath: copy.path).sorted() == [
                    "a.json", "b.json", "c", "c/d.json", "e", "e/f", "e/f/g.json",
                ])
            for name in ["a.json", "c/d.json", "e/f/g.json"] {
                let file = FileManager.default.contents(atPath: copy.path + "/" + name).map(Array.init)
                #expect(file == SettingsOption.number("N", 1).file)
            }
            try copy.remove()
            #expect(!FileManager.default.fileExists(atPath: copy.path))
        }
    }
}
