import Foundation
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Versions of hundreds of options, which are written together.
struct ManyOptionsTests {
    static let count = 300

    private func key(_ number: Int) -> Key { .of("group\(number % 7).option\(number)") }

    private func put(_ s: TemporaryStore, _ value: Int) throws {
        try s.change(s.done()) { settings in
            for number in 0..<Self.count { settings.options[key(number)] = .number("Option \(number)", value + number) }
        }
    }

    private func packs(_ s: TemporaryStore) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: s.root + "/.git/objects/pack").filter { $0.hasSuffix(".pack") }.count
    }

    @Test(arguments: ["", "conf/"]) func addedChangedRemoved(prefix: String) throws {
        try withStore(prefix: prefix) { s in
            try put(s, 1)
            #expect(try packs(s) == 1)
            #expect(try s.value("group1.option8") == "9")
            try put(s, 2)
            #expect(s.text("group1/option8.json")?.contains("\"value\": 10") == true)
            #expect(try packs(s) == 2)
            #expect(try s.subjects().first?.hasSuffix(", and 299 more") == true)
            try s.change(s.done()) { $0.options = [:] }
            #expect(try s.store.folder.listing().subjects == [.store])
            #expect(try s.undo().version != nil)
            #expect(try s.value("group1.option8") == "10")
        }
    }

    @Test(arguments: [true, false]) func editedByHand(inFinalForm: Bool) throws {
        try withStore { s in
            for number in 0..<Self.count {
                var text = String(decoding: SettingsOption.number("Option \(number)", number).file, as: UTF8.self)
                if !inFinalForm { text = text.replacingOccurrences(of: "\n  ", with: "\n\t") }
                try s.write(text, to: Subject.option(key(number)).path)
            }
            let outcome = try s.store.drafts.record(s.done())
            #expect(outcome.version != nil)
            #expect(s.file("group1/option8.json") == SettingsOption.number("Option 8", 8).file)
            #expect(try packs(s) == 1)
            try s.git("read-tree", "HEAD")
            #expect(try s.git("diff", "--stat") == "")
        }
    }

    /// git takes a file for unchanged whose size and times are as the index says.
    @Test func anEditRightAfterIsSeen() throws {
        try withStore(draft: true) { s in
            try put(s, 1)
            try s.edit("group1/option8.json", "\"value\": 9", "\"value\": 8")
            #expect(try s.git("status", "--porcelain") == " M group1/option8.json")
        }
    }

    @Test func twoNewNamesThatDifferByCaseAlone() throws {
        try withStore { s in
            for (one, other) in [("g.a", "g.A"), ("g.a", "G.b"), ("g.h.a", "g.H.b")] {
                let error = failure {
                    _ = try s.change(s.done()) {
                        $0.options[.of(one)] = .number("N", 1)
                        $0.options[.of(other)] = .number("N", 1)
                    }
                }
                #expect(error?.kind == .usage, "\(one) \(other)")
            }
            let subjects = try s.subjects()
            #expect(subjects.count == 1)
        }
    }

    /// The branch moved, and the writer died before the files or the index.
    @Test func aDeadWriter() throws {
        try withStore { s in
            let old = try s.git("rev-parse", "HEAD")
            try FileManager.default.copyItem(atPath: s.root + "/.git/index", toPath: s.root + "/.git/index.old")
            try put(s, 1)
            let files = try s.allFiles()
            for number in 0..<7 { try s.delete("group\(number)") }
            try s.delete(".git/index")
            try FileManager.default.moveItem(atPath: s.root + "/.git/index.old", toPath: s.root + "/.git/index")
            try s.write("old \(old)\nnew \(try s.git("rev-parse", "HEAD"))\n", to: ".git/settings/pending")
            try s.reopen()
            #expect(try s.allFiles() == files)
        }
    }

    @Test func aDiskThatFails() throws {
        try withStore { s in
            try FileManager.default.removeItem(atPath: s.root + "/.git/objects/pack")
            try s.write("", to: ".git/objects/pack")
            let before = try s.allFiles()
            #expect(failure { try put(s, 1) }?.kind == .cannotWrite)
            #expect(try s.allFiles() == before)
            #expect(try s.subjects().count == 1)
            try s.delete(".git/objects/pack")
            try FileManager.default.createDirectory(atPath: s.root + "/.git/objects/pack", withIntermediateDirectories: false)
            try put(s, 1)
        }
    }
}
