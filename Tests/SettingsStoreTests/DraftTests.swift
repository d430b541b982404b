import Foundation
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

struct DraftTests {
    @Test func filesEditedAddedAndRemoved() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.put("n", .number("N", 1))
            try s.edit("n.json", "\"value\": 1", "\"value\": 2")
            try s.write(SettingsOption.text("T", "hi").file, to: "g/t.json")
            try s.delete("l.json")
            let draft = try s.store.workTree.draft()
            #expect(draft.edited.map(\.path) == ["g/t.json", "l.json", "n.json"])
            #expect(draft.changes.sentences == ["T: added (\"hi\")", "Language: removed (was English)", "N: 1 → 2"])
            let version = try #require(try s.store.drafts.record(s.done(.bob, why: "by hand")).version)
            #expect(version.message.subject == #"g.t: added ("hi"), and 2 more"#)
            #expect(try s.value("n") == "2")
        }
    }

    @Test func onlyAPartOfIt() throws {
        try withStore(draft: true) { s in
            try s.put("g.n", .number("N", 1))
            try s.put("m", .number("M", 1))
            try s.edit("g/n.json", "\"value\": 1", "\"value\": 2")
            try s.edit("m.json", "\"value\": 1", "\"value\": 2")
            #expect(try s.store.workTree.draft(in: [.of("g")]).changes.sentences == ["N: 1 → 2"])
            _ = try s.store.drafts.record(in: [.of("g")], s.done())
            #expect(try s.value("g.n") == "2")
            #expect(try s.value("m") == "1")
            #expect(try s.store.workTree.draft().changes.sentences == ["M: 1 → 2"])
            #expect(try s.git("status", "--porcelain") == " M m.json")
        }
    }

    @Test func writtenInAnotherWay() throws {
        try withStore { s in
            try s.put("l", .language)
            let file = try #require(s.file("l.json"))
            let labels = "\"labels\":[\"English\",\"French\",\"Spanish\"],\"values\":[\"en\",\"fr\",\"es\"]"
            try s.write("{\"type\":\"choice\",\"title\":\"Language\",\"value\":\"en\",\(labels)}", to: "l.json")
            let draft = try s.store.workTree.draft()
            #expect(draft.rewritten.map(\.path) == ["l.json"])
            #expect(draft.changes.isEmpty)
            #expect(try s.store.drafts.record(s.done()).isUnchanged)
            #expect(s.file("l.json") == file)
        }
    }

    @Test func aBrokenFileIsNotRecorded() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.put("n", .number("N", 1))
            try s.edit("n.json", "\"value\": 1", "\"value\": 2")
            try s.write("{\n  \"title\": \"Language\",\n", to: "l.json")
            let draft = try s.store.workTree.draft()
            #expect(draft.broken.map(\.path) == ["l.json"])
            #expect(draft.unreadable.first?.reason.hasPrefix("l.json:3:1: ") == true)
            #expect(failure { _ = try s.store.drafts.record(s.done()) }?.kind == .badData)
            #expect(try s.value("n") == "1")
            _ = try s.store.drafts.record(in: [.of("n")], s.done())
            _ = try s.store.drafts.discard(in: [.of("l")], s.done())
            #expect(try s.value("n") == "2")
        }
    }

    @Test func aBrokenVersionIsMendedByHand() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.write("{ broken", to: "l.json")
            try s.commitPlainly()
            #expect(try s.store.workTree.draft().isEmpty)
            try s.write(SettingsOption.language.file, to: "l.json")
            let draft = try s.store.workTree.draft()
            #expect(draft.edited.map(\.path) == ["l.json"])
            #expect(try s.store.drafts.record(s.done()).version != nil)
            #expect(try s.value("l") == "en")
            #expect(try s.blamed("l") != nil)
        }
    }

    @Test func aBrokenVersionIsRemovedByHand() throws {
        try withStore { s in
            try s.write("{ broken", to: "l.json")
            try s.commitPlainly()
            try s.delete("l.json")
            #expect(try s.store.drafts.record(s.done()).version != nil)
            #expect(try s.git("ls-files") == ".gitattributes\n_store.json")
        }
    }

    @Test func nothingIsWrittenOverHandEdits() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.put("m", .number("M", 1))
            try s.edit("n.json", "\"title\": \"N\"", "\"title\": \"By hand\"")
            let error = failure { _ = try s.set("n", 2) }
            #expect(error?.kind == .conflict)
            #expect(error?.hint?.contains("settings done n") == true)
            try s.set("m", 2)
            try s.delete("m.json")
            #expect(failure { _ = try s.set("m", 3) }?.kind == .conflict)
            try s.write(SettingsOption.number("New", 1).file, to: "new.json")
            #expect(failure { _ = try s.put("new", .number("Other", 1)) }?.kind == .conflict)
            #expect(s.text("n.json")?.contains("By hand") == true)
        }
    }

    @Test func aCheckoutForAnotherSystem() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.git("config", "core.autocrlf", "true")
            try s.git("rm", "-q", "--cached", "-r", ".")
            try s.git("reset", "-q", "--hard")
            #expect(s.text("l.json")?.utf8.contains(13) == true)
            #expect(try s.store.workTree.draft().isEmpty)
            try s.set("l", "fr")
            try s.edit("_store.json", "Settings", "All")
            #expect(try s.store.workTree.draft().changes.sentences == ["All: title \"Settings\" → \"All\""])
            _ = try s.store.drafts.record(s.done())
        }
    }

    @Test func aByteOrderMark() throws {
        try withStore { s in
            try s.put("l", .language)
            let file = try #require(s.file("l.json"))
            try s.write([0xEF, 0xBB, 0xBF] + file, to: "l.json")
            #expect(try s.store.workTree.draft().rewritten.map(\.path) == ["l.json"])
            _ = try s.store.drafts.record(s.done())
            #expect(s.file("l.json") == file)
            try s.write([0xEF, 0xBB, 0xBF] + file, to: "l.json")
            try s.set("l", "fr")
        }
    }

    @Test func aNameThatNoStoreHas() throws {
        try withStore(draft: true) { s in
            try s.write("{}", to: "bad name.json")
            #expect(try s.store.workTree.draft().unreadable.map(\.path) == ["bad name.json"])
            #expect(failure { _ = try s.store.drafts.record(s.done()) }?.kind == .badData)
            try s.put("n", .number("N", 1))
        }
    }

    @Test func groupsAndTheStoreItself() throws {
        try withStore { s in
            try s.put("g.n", .number("N", 1))
            try s.write("{\"title\": \"G\", \"style\": \"page\"}", to: "g/_group.json")
            try s.edit("_store.json", "\"why\": \"optional\"", "\"why\": \"asked\"")
            #expect(
                try s.store.workTree.draft().changes.sentences == [
                    "Settings: policy.why \"optional\" → \"asked\"", "G (group): added",
                ])
            _ = try s.store.drafts.record(s.done())
            #expect(s.text("g/_group.json") == "{\n  \"title\": \"G\",\n  \"style\": \"page\"\n}\n")
        }
    }

    @Test func aDryRunLeavesTheFiles() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.write("{\"title\":\"N\",\"type\":\"number\",\"value\":3}", to: "n.json")
            var done = s.done()
            done.isDryRun = true
            _ = try s.store.drafts.record(done)
            _ = try s.store.drafts.discard(done)
            #expect(s.text("n.json") == "{\"title\":\"N\",\"type\":\"number\",\"value\":3}")
        }
    }

    /// Files that the index knows by their times are not read; what is done to them is seen all the same.
    @Test(arguments: ["", "conf/"]) func whatTheIndexNotesOfFiles(prefix: String) throws {
        try withStore(prefix: prefix) { s in
            try s.put("n", .number("N", 1))
            try s.put("g.m", .number("M", 1))
            let before = Date(timeIntervalSince1970: 1_600_000_000)
            let names: Set = ["n.json", "g/m.json", "_store.json"]
            for name in names {
                try FileManager.default.setAttributes([.modificationDate: before], ofItemAtPath: s.path + "/" + name)
            }
            try s.git("update-index", "--refresh")
            try s.reopen()
            let folder = s.store.versions.folderInRepository
            let noted = s.store.versions.repository.index.notedFiles(under: folder)
            #expect(names.allSatisfy { noted[$0] != nil })
            #expect(try s.store.workTree.draft().isEmpty)
            // The same size, and the old time again.
            try s.edit("n.json", "\"value\": 1", "\"value\": 2")
            try FileManager.default.setAttributes([.modificationDate: before], ofItemAtPath: s.path + "/n.json")
            #expect(try s.store.workTree.draft().changes.sentences == ["N: 1 → 2"])
            try s.delete("g/m.json")
            #expect(try s.store.workTree.draft().changes.sentences == ["M: removed (was 1)", "N: 1 → 2"])
            // What is staged is no version yet. Git itself looks at whole seconds.
            try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: s.path + "/n.json")
            try s.git("add", "-A")
            #expect(try s.store.workTree.draft().changes.sentences == ["M: removed (was 1)", "N: 1 → 2"])
            try s.git("commit", "-q", "-m", "by hand")
            try s.reopen()
            #expect(try s.store.workTree.draft().isEmpty)
            // A version that the files don't know of.
            try s.git("reset", "-q", "--soft", "HEAD~1")
            try s.reopen()
            #expect(try s.store.workTree.draft().changes.sentences == ["M: removed (was 1)", "N: 1 → 2"])
            try s.git("reset", "-q", "--hard")
        }
    }
}
