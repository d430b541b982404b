import Foundation
import Seeds
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Hand edits that are put aside while other versions come in.
struct AsideTests {
    /// Two options, both edited by hand, the second removed; puts the edits aside for `body`.
    private func putAside(_ s: TemporaryStore, _ body: (Aside) throws -> Void) throws {
        let subjects = Set([Subject.option(.of("n")), .option(.of("m"))])
        let aside = try #require(try s.store.drafts.putAside(whatIsEditedOf: subjects, s.done()))
        #expect(try s.store.workTree.draft().isEmpty)
        try body(aside)
    }

    /// A program that another test starts may have the lock, too, until it runs.
    private func reopen(_ s: TemporaryStore) throws {
        let isFinished = try eventually {
            try s.reopen()
            return !s.store.folder.hasUnfinishedDone
        }
        #expect(isFinished)
    }

    private func withEdits(_ body: (TemporaryStore, [String: [UInt8]]) throws -> Void) throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.put("m", .number("M", 1))
            try s.edit("n.json", "\"value\": 1", "\"value\": 2")
            try s.delete("m.json")
            try body(s, try s.allFiles())
        }
    }

    @Test func nextProcessLaysBackWhatADeadOneLeft() throws {
        try withEdits { s, edited in
            // The lock goes with it, as with a process that dies.
            try putAside(s) { _ in }
            #expect(s.store.folder.hasUnfinishedDone)
            try reopen(s)
            #expect(try s.allFiles() == edited)
            #expect(!s.store.folder.hasUnfinishedDone)
        }
    }

    /// Within one second, the same edits have the same name where they are kept.
    @Test func theSameEditsCanBePutAsideAtOnce() throws {
        try withEdits { s, edited in
            let (subjects, done) = (Set([Subject.option(.of("n"))]), s.done())
            for _ in 0..<2 {
                let aside = try #require(try s.store.drafts.putAside(whatIsEditedOf: subjects, done))
                try s.store.drafts.lay(aside)
            }
            #expect(try s.allFiles() == edited)
            #expect(try s.store.drafts.discarded().count == 1)
        }
    }

    @Test func newerVersionsStayBelowThem() throws {
        try withEdits { s, _ in
            try putAside(s) { _ in try s.put("n", .number("Number", 5)) }
            try reopen(s)
            let text = try #require(s.text("n.json"))
            #expect(text.contains("\"value\": 2") && text.contains("\"Number\""), "\(text)")
            #expect(s.file("m.json") == nil)
        }
    }

    @Test func whoeverLivesKeepsThemAside() throws {
        try withEdits { s, edited in
            try putAside(s) { aside in
                let other = try TemporaryStore.open(s.path, root: s.root)
                #expect(other.text("n.json")?.contains("\"value\": 1") == true && other.file("m.json") != nil)
                try s.store.drafts.lay(aside)
                #expect(try s.allFiles() == edited)
            }
            #expect(!s.store.folder.hasUnfinishedDone)
        }
    }

    /// It died while it wrote the files: one is replaced, one is not; or edited since.
    @Test func filesThatHoldSomethingElseStay() throws {
        try withEdits { s, _ in
            try putAside(s) { _ in }
            try s.edit("n.json", "\"value\": 1", "\"value\": 7")
            try reopen(s)
            #expect(s.text("n.json")?.contains("\"value\": 7") == true)
            #expect(s.file("m.json") == nil)
        }
    }

    @Test func notesThatSayNothingAreRemoved() throws {
        try withEdits { s, edited in
            for note in ["", "refs/heads/main\n", "refs/settings/discarded/none\n"] {
                try Data(note.utf8).write(to: URL(fileURLWithPath: s.store.versions.ownFiles.aside))
                try reopen(s)
                #expect(try s.allFiles() == edited)
                #expect(!s.store.folder.hasUnfinishedDone)
            }
        }
    }
}
