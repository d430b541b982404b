import Foundation
import Surroundings
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// A link in a store leads nowhere: nothing is read or written through it.
struct SymbolicLinkTests {
    private func withSecret(_ body: (TemporaryStore, _ outside: String) throws -> Void) throws {
        let outside = try Surroundings.folder()
        defer { try? FileManager.default.removeItem(atPath: outside) }
        try Data(SettingsOption.number("Secret", 42).file).write(to: URL(fileURLWithPath: outside + "/n.json"))
        try withStore(draft: true) { s in
            try s.put("g.n", .number("N", 1))
            try body(s, outside)
            let secret = try Data(contentsOf: URL(fileURLWithPath: outside + "/n.json"))
            #expect(Array(secret) == SettingsOption.number("Secret", 42).file)
            #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["n.json"])
        }
    }

    @Test func inPlaceOfAnOption() throws {
        try withSecret { s, outside in
            try s.delete("g/n.json")
            try FileManager.default.createSymbolicLink(atPath: s.path + "/g/n.json", withDestinationPath: outside + "/n.json")
            #expect(failure { _ = try s.store.folder.item(.option(.of("g.n"))) }?.kind == .badData)
            #expect(failure { _ = try s.set("g.n", 2) }?.kind == .badData)
            #expect(try s.store.workTree.draft().strays == [Stray(path: "g/n.json", .link)])
            #expect(failure { _ = try s.store.drafts.record(s.done()) }?.kind == .badData)
            let files = [Subject.option(.of("g.n"))]
            #expect(failure { _ = try s.store.drafts.discard(s.done()) }?.kind == .badData)
            #expect(failure { try s.store.drafts.discard([], files: files, s.done()) }?.kind == .badData)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: s.path + "/g/n.json") == outside + "/n.json")
            #expect(try s.store.drafts.discarded().isEmpty)
            try s.delete("g/n.json")
            _ = try s.store.drafts.discard(s.done())
            #expect(try s.store.workTree.draft().isEmpty)
            #expect(s.text("g/n.json")?.contains("\"value\": 1") == true)
            try s.set("g.n", 2)
        }
    }

    @Test func inPlaceOfAGroup() throws {
        try withSecret { s, outside in
            try FileManager.default.removeItem(atPath: s.path + "/g")
            try FileManager.default.createSymbolicLink(atPath: s.path + "/g", withDestinationPath: outside)
            #expect(failure { _ = try s.set("g.n", 2) }?.kind == .badData)
            #expect(failure { _ = try s.put("g.new", .number("New", 2)) } != nil)
            #expect(failure { _ = try s.store.drafts.record(s.done()) }?.kind == .badData)
            #expect(try s.store.folder.listing().subjects == [.store])
            #expect(failure { _ = try s.store.drafts.discard(s.done()) } != nil)
        }
    }

    @Test func inPlaceOfTheStoreItself() throws {
        try withSecret { s, outside in
            try s.delete("_store.json")
            try FileManager.default.createSymbolicLink(atPath: s.path + "/_store.json", withDestinationPath: outside + "/n.json")
            #expect(failure { _ = try s.store.folder.definition() }?.kind == .badData)
        }
    }

    @Test func committedByPlainGit() throws {
        try withSecret { s, outside in
            try FileManager.default.createSymbolicLink(atPath: s.path + "/link.json", withDestinationPath: outside + "/n.json")
            try s.commitPlainly()
            #expect(try s.store.workTree.draft().isEmpty)
            try s.set("g.n", 2)
            #expect(failure { _ = try s.store.versions.tip().option(.of("link")) }?.kind == .badData)
            #expect(failure { _ = try s.change(s.done()) { $0.options[.of("link")] = .number("Mine", 1) } } != nil)
            try s.delete("link.json")
            #expect(try s.store.workTree.draft().removedUnread.map(\.path) == ["link.json"])
            #expect(failure { _ = try s.store.drafts.discard(s.done()) }?.kind == .badData)
            #expect(s.file("link.json") == nil)
            try s.write(SettingsOption.number("Mine", 1).file, to: "link.json")
            #expect(try s.store.drafts.record(s.done()).version != nil)
            #expect(try s.value("link") == "1")
        }
    }

    @Test func aFolderOrAPipeInPlaceOfAnOption() throws {
        try withSecret { s, _ in
            try s.delete("g/n.json")
            try FileManager.default.createDirectory(atPath: s.path + "/g/n.json", withIntermediateDirectories: true)
            #expect(failure { _ = try s.store.folder.item(.option(.of("g.n"))) }?.kind == .badData)
            #expect(failure { _ = try s.store.drafts.discard(s.done()) }?.kind == .badData)
            try s.delete("g/n.json")
            #expect(mkfifo(s.path + "/g/n.json", 0o600) == 0)
            #expect(failure { _ = try s.store.folder.item(.option(.of("g.n"))) }?.kind == .badData)
            #expect(failure { _ = try s.store.drafts.discard(s.done()) }?.kind == .badData)
            try s.delete("g/n.json")
            _ = try s.store.drafts.discard(s.done())
            #expect(try s.store.workTree.draft().isEmpty)
        }
    }

    @Test func aFileThatCanBeDiscardedIsDiscardedBesideALink() throws {
        try withSecret { s, outside in
            try s.put("m", .number("M", 1))
            try s.edit("m.json", "\"value\": 1", "\"value\": 2")
            try s.delete("g/n.json")
            try FileManager.default.createSymbolicLink(atPath: s.path + "/g/n.json", withDestinationPath: outside + "/n.json")
            #expect(try s.store.drafts.discard(s.done()).edited.map(\.path) == ["m.json"])
            #expect(try s.store.workTree.draft().strays.map(\.path) == ["g/n.json"])
            _ = try s.store.drafts.bringBack(s.done())
            #expect(try s.store.workTree.draft().changes.sentences == ["M: 1 → 2"])
            // Where the link itself is named, nothing is discarded.
            let named = failure { _ = try s.store.drafts.discard(in: [.of("g.n"), .of("m")], s.done()) }
            #expect(named == .file(.cannotDiscard(Stray(path: "g/n.json", .link))))
            #expect(try s.store.workTree.draft().changes.sentences == ["M: 1 → 2"])
            #expect(try s.store.drafts.discard(in: [.of("g"), .of("m")], s.done()).edited.map(\.path) == ["m.json"])
        }
    }
}
