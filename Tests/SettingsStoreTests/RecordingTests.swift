import Foundation
import Surroundings
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

struct RecordingTests {
    @Test func aNewStoreIsOneVersion() throws {
        try withStore { s in
            #expect(try s.subjects() == ["new store: Settings"])
            #expect(s.text("_store.json")?.hasPrefix("{\n  \"format\": 1,") == true)
            let again = try Store.create(at: s.path, title: "Other", done: s.done())
            #expect(again.outcome.isUnchanged)
        }
    }

    @Test func aStoreInAFolderThatIsNotThereYet() throws {
        let root = try Surroundings.folder()
        let made = try Store.create(at: root + "/a/b/c", title: "Deep", done: TemporaryStore.done(at: 1_700_000_000))
        #expect(made.outcome.version != nil)
        try TemporaryStore.open(root + "/a/b/c", root: root + "/a/b/c").expectSound()
        try FileManager.default.removeItem(atPath: root)
    }

    @Test func aStoreDeepInsideARepository() throws {
        try withStore(prefix: "conf/for/all/") { s in
            try s.put("general.language", .language)
            #expect(
                try s.git("ls-files").split(separator: "\n").sorted() == [
                    "README", "conf/for/all/.gitattributes", "conf/for/all/_store.json", "conf/for/all/general/language.json",
                ])
        }
    }

    @Test func aFolderWithANameBeyondAscii() throws {
        try withStore(prefix: "Größe/설정/") { s in
            try s.put("general.language", .language)
            try s.set("general.language", "fr")
            #expect(try s.subjects().count == 3)
            #expect(try s.value("general.language") == "fr")
        }
    }

    @Test func onlyTheStoresOwnPathsAreCommitted() throws {
        try withStore(prefix: "conf/", draft: true) { s in
            try s.write("changed\n", to: "../README")
            try s.write("staged\n", to: "../staged.txt")
            try s.write("untracked\n", to: "../untracked.txt")
            try s.git("add", "staged.txt")
            let version = try s.put("general.language", .language)
            #expect(try s.git("status", "--porcelain") == " M README\nA  staged.txt\n?? untracked.txt")
            #expect(try s.git("show", "--name-only", "--format=", version.id.hex) == "conf/general/language.json")
        }
    }

    @Test func aRepositoryWithoutCommits() throws {
        let root = try Surroundings.folder()
        try runGit(["init", "-q", "-b", "trunk"], in: root)
        let made = try Store.create(at: root, title: "S", done: TemporaryStore.done(at: 1_700_000_000))
        #expect(try made.store.versions.branch == "trunk")
        #expect(made.outcome.version?.parents == [])
        try TemporaryStore.open(root, root: root).expectSound()
    }

    @Test func aDetachedHead() throws {
        try withStore { s in
            let main = try s.git("rev-parse", "main")
            try s.git("checkout", "-q", "--detach")
            try s.put("a", .number("A", 1))
            #expect(try s.store.versions.branch == nil)
            #expect(try s.git("rev-parse", "main") == main)
            #expect(try s.git("rev-parse", "HEAD~1") == main)
        }
    }

    @Test func aMergeInProgressIsNotRecordedOver() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.git("checkout", "-q", "-b", "side")
            try s.set("a", 2)
            try s.git("checkout", "-q", "main")
            try s.put("b", .number("B", 1))
            try s.git("merge", "-q", "--no-commit", "side")
            #expect(failure { _ = try s.set("b", 3) }?.kind == .conflict)
            #expect(try s.store.versions.operation == "merge")
            try s.git("commit", "-q", "-m", "merged")
            try s.set("b", 3)
        }
    }

    @Test func aLinkedWorkTree() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            let place = s.root + "-linked"
            defer { try? FileManager.default.removeItem(atPath: place) }
            try s.git("worktree", "add", "-q", "-b", "side", place)
            let linked = try TemporaryStore.open(place, root: place)
            linked.clock = s.clock
            try linked.set("a", 2)
            #expect(try s.value("a") == "1")
            #expect(try linked.store.versions.branch == "side")
            #expect(linked.store.folder.gitDirectory?.contains("worktrees") == true)
            try linked.expectSound()
            try s.git("worktree", "remove", place)
        }
    }

    @Test func aSubmodulesGitFile() throws {
        let root = try Surroundings.folder()
        try runGit(["init", "-q", "-b", "main", "--separate-git-dir", root + "/elsewhere", root + "/work"], in: root)
        let made = try Store.create(at: root + "/work", title: "S", done: TemporaryStore.done(at: 1_700_000_000))
        let s = try TemporaryStore.open(root + "/work", root: root + "/work")
        try s.put("a", .number("A", 1))
        #expect(made.outcome.version != nil)
        try s.expectSound()
        try FileManager.default.removeItem(atPath: root)
    }

    @Test func aPathThroughASymbolicLink() throws {
        try withStore(prefix: "conf/") { s in
            let link = s.root + "-link"
            defer { try? FileManager.default.removeItem(atPath: link) }
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: s.path)
            let store = try Store.open(StoreFolder(path: link))
            _ = try store.recorder.record(s.done()) { _ in
                Edit([
                    Change(.option(.of("a")), title: "A", facet: .existence, before: nil, after: .item(.option(.number("A", 1))))
                ])
            }
            #expect(s.text("a.json") != nil)
            #expect(StoreFolder(path: link).gitDirectory != nil)
        }
    }

    @Test func whatIsSoAlreadyMakesNoVersion() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            let outcome = try s.change(s.done()) { $0.options[.of("a")]?.value = .number(1) }
            #expect(outcome.isUnchanged)
            #expect(try s.subjects().count == 2)
        }
    }

    @Test func aStoreThatMovedOnRefusesWhatExpectsTheOldOne() throws {
        try withStore { s in
            let old = try s.put("a", .number("A", 1)).id
            let new = try s.set("a", 2).id
            var done = s.done()
            done.expected = old
            let error = failure { _ = try s.change(done) { $0.options[.of("a")]?.value = .number(3) } }
            #expect(error?.kind == .conflict)
            #expect(try s.value("a") == "2")
            done.expected = new
            #expect(try s.change(done) { $0.options[.of("a")]?.value = .number(3) }.version != nil)
        }
    }

    @Test func aPolicyIsAskedBeforeAnythingIsWritten() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            var done = s.done(why: "rules")
            done.tickets = ["T-1"]
            try s.change(done) {
                $0.definition?.policy.why = .required; $0.definition?.policy.ticket = .required
            }
            #expect(failure { _ = try s.set("a", 2) }?.kind == .policy)
            #expect(
                failure { _ = try s.change(s.done(why: "because")) { $0.options[.of("a")]?.value = .number(2) } }?.kind == .policy
            )
            done = s.done(why: "because", ticket: "T-2")
            #expect(try s.change(done) { $0.options[.of("a")]?.value = .number(2) }.version != nil)
            #expect(try s.undo().version != nil)
        }
    }

    @Test func aDryRunWritesNothing() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            let before = try s.git("count-objects")
            let head = try s.git("rev-parse", "HEAD")
            var done = s.done()
            done.isDryRun = true
            let outcome = try s.change(done) { $0.options[.of("a")]?.value = .number(2) }
            guard case .planned(let subject, let changes) = outcome else { throw Problem.history(.nothingToUndo) }
            #expect(subject == "a: 1 → 2")
            #expect(changes.count == 1)
            #expect(try s.git("rev-parse", "HEAD") == head)
            #expect(try s.git("count-objects") == before)
            #expect(s.text("a.json")?.contains("\"value\": 1") == true)
        }
    }

    @Test func namesThatDifferByCaseAloneAreRefused() throws {
        try withStore { s in
            try s.put("general.language", .language)
            #expect(failure { _ = try s.put("general.Language", .language) }?.kind == .usage)
            #expect(failure { _ = try s.put("General.other", .language) }?.kind == .usage)
            try s.put("general", .number("Beside the group", 1))
            try s.rename("general.language", "general.Language")
        }
    }

    @Test func theStoreItselfIsNeverRemoved() throws {
        try withStore(prefix: "conf/") { s in
            #expect(failure { _ = try s.change(s.done()) { $0.definition = nil } } != nil)
            #expect(failure { _ = try s.undo() }?.kind == .no)
            let first = try #require(try s.versions().last?.version.id)
            #expect(failure { _ = try s.store.reverting.revert([first], s.done()) } != nil)
            #expect(s.text("_store.json") != nil)
        }
    }

    @Test func aRepositoryThatIsGoneIsNotMadeAgain() throws {
        let s = try TemporaryStore.make(prefix: "")
        try s.put("a", .number("A", 1))
        try FileManager.default.moveItem(atPath: s.root + "/.git", toPath: s.root + "/gone")
        #expect(failure { try s.set("a", 2) }?.kind == .cannotWrite)
        #expect(!FileManager.default.fileExists(atPath: s.root + "/.git"))
    }

    /// What would keep the index from being written is found out before the branch moves.
    @Test(arguments: ["2", "4"], [false, true]) func anIndexThatOnlyGitReads(version: String, isLocked: Bool) throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.git("update-index", "--index-version", version)
            try s.git("update-index", "--split-index")
            let head = try s.git("rev-parse", "HEAD")
            if isLocked { try s.write([], to: ".git/index.lock") }
            s.store.journal.patience = 0.2
            #expect(failure { _ = try s.set("n", 2) }?.kind == (isLocked ? .busy : .cannotWrite))
            #expect(try s.git("rev-parse", "HEAD") == head)
            #expect(s.text("n.json")?.contains("\"value\": 1") == true)
            if isLocked { try s.delete(".git/index.lock") }
            #expect(try s.git("status", "--porcelain") == "")
        }
    }

    @Test func aStoreOfALaterFormatUnderAnEarlierFile() throws {
        try withStore(draft: true) { s in
            try s.put("n", .number("N", 1))
            try s.edit("_store.json", "\"format\": 1", "\"format\": 2")
            try s.commitPlainly()
            try s.edit("_store.json", "\"format\": 2", "\"format\": 1")
            #expect(failure { _ = try s.set("n", 2) }?.kind == .badData)
            #expect(failure { _ = try s.store.drafts.discard(s.done()) }?.kind == .badData)
        }
    }
}
