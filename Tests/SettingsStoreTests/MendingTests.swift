import Foundation
import Testing

@testable import Files
@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// A process that died in the middle of a Done, at every step of it.
struct MendingTests {
    /// How far it came: files written in this order, then the index.
    enum Death: CaseIterable {
        case beforeTheBranch, afterTheBranch, afterAFile, afterAllFiles, afterTheIndex
    }

    static let files = ["a.json", "g/b.json", "g/new.json", "old.json"]

    /// A store that stands as `death` leaves it: a is 1 → 2, g.b 1 → 2, g.new is new, old is gone.
    private func stage(_ s: TemporaryStore, _ death: Death) throws -> (old: [String: [UInt8]], new: [String: [UInt8]]) {
        for key in ["a", "g.b", "old"] { try s.put(key, .number("N", 1)) }
        let oldFiles = try s.allFiles()
        let oldID = try s.git("rev-parse", "HEAD")
        try FileManager.default.copyItem(atPath: s.root + "/.git/index", toPath: s.root + "/.git/index.old")
        try s.change(s.done()) {
            $0.options[.of("a")]?.value = .number(2)
            $0.options[.of("g.b")]?.value = .number(2)
            $0.options[.of("g.new")] = .number("New", 1)
            $0.options[.of("old")] = nil
        }
        let newFiles = try s.allFiles()
        let newID = try s.git("rev-parse", "HEAD")
        if death == .beforeTheBranch { try s.git("update-ref", "refs/heads/main", oldID) }
        let written = death == .beforeTheBranch || death == .afterTheBranch ? 0 : death == .afterAFile ? 1 : Self.files.count
        for name in Self.files[written...] {
            if let bytes = oldFiles[name] { try s.write(bytes, to: name) } else { try s.delete(name) }
        }
        if death != .afterTheIndex {
            try FileManager.default.removeItem(atPath: s.root + "/.git/index")
            try FileManager.default.moveItem(atPath: s.root + "/.git/index.old", toPath: s.root + "/.git/index")
        }
        try s.write("old \(oldID)\nnew \(newID)\n", to: ".git/settings/pending")
        return (oldFiles, newFiles)
    }

    @Test(arguments: Death.allCases) func openingPutsAllInStep(death: Death) throws {
        try withStore { s in
            let (old, new) = try stage(s, death)
            try s.reopen()
            #expect(try s.allFiles() == (death == .beforeTheBranch ? old : new))
        }
    }

    @Test(arguments: Death.allCases) func handEditsStay(death: Death) throws {
        try withStore(draft: true) { s in
            _ = try stage(s, death)
            try s.edit("a.json", "\"title\": \"N\"", "\"title\": \"By hand\"")
            try s.reopen()
            #expect(s.text("a.json")?.contains("By hand") == true)
            #expect(try s.store.workTree.draft().edited.map(\.path) == ["a.json"])
            #expect(try s.git("status", "--porcelain") == " M a.json")
        }
    }

    @Test(arguments: Death.allCases) func theNextDoneOfAStoreThatIsOpenMendsToo(death: Death) throws {
        try withStore { s in
            _ = try stage(s, death)
            try s.put("z", .number("Z", 1))
            #expect(try s.value("a") == (death == .beforeTheBranch ? "1" : "2"))
        }
    }

    @Test func inACheckoutForAnotherSystem() throws {
        try withStore { s in
            try s.git("config", "core.autocrlf", "true")
            _ = try stage(s, .afterTheBranch)
            let text = try #require(s.text("a.json"))
            try s.write(text.replacingOccurrences(of: "\n", with: "\r\n"), to: "a.json")
            try s.reopen()
            #expect(s.text("a.json")?.contains("\"value\": 2") == true)
        }
    }

    @Test func theFirstVersionOfAll() throws {
        try withStore { s in
            try s.delete("_store.json")
            try s.delete(".git/index")
            try s.write("old none\nnew \(try s.git("rev-parse", "HEAD"))\n", to: ".git/settings/pending")
            try s.reopen()
            #expect(s.text("_store.json") != nil)
        }
    }

    @Test(arguments: ["", "\n", "old none\nnew 0000000000000000000000000000000000000001\n", "rubbish", "old\nnew\n"])
    func aNoteThatSaysNothing(note: String) throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.write(note, to: ".git/settings/pending")
            try s.reopen()
            try s.set("a", 2)
        }
    }

    @Test func anIndexThatIsLockedDoesNotKeepReadersOut() throws {
        try withStore { s in
            _ = try stage(s, .afterTheBranch)
            try s.write("", to: ".git/index.lock")
            try s.reopen()
            #expect(try s.value("a") == "2")
            s.store.journal.patience = 0.2
            #expect(failure { try s.set("a", 3) }?.kind == .busy)
            try s.delete(".git/index.lock")
            try s.set("a", 3)
        }
    }

    @Test func whileSomebodyElseHasTheIndexLockedNothingIsRecorded() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            let (head, objects) = (try s.git("rev-parse", "HEAD"), try s.git("count-objects"))
            try s.write("", to: ".git/index.lock")
            s.store.journal.patience = 0.2
            #expect(failure { try s.set("a", 2) }?.kind == .busy)
            #expect(try s.git("rev-parse", "HEAD") == head)
            #expect(try s.git("count-objects") == objects)
            #expect(s.text("a.json")?.contains("\"value\": 1") == true)
            #expect(!s.store.journal.pending.isThere)
            try s.delete(".git/index.lock")
            try s.set("a", 2)
        }
    }

    @Test func aBranchLockOfSomebodyElseIsWaitedFor() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.write("", to: ".git/refs/heads/main.lock")
            s.store.journal.patience = 0.3
            #expect(failure { try s.set("a", 2) }?.kind == .busy)
            #expect(try s.value("a") == "1")
            #expect(s.text("a.json")?.contains("\"value\": 1") == true)
            s.store.journal.patience = 300
            let path = s.root + "/.git/refs/heads/main.lock"
            let thread = Thread {
                usleep(200_000)
                unlink(path)
            }
            thread.start()
            try s.set("a", 2)
        }
    }

    @Test func theStoresLockIsWaitedFor() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            let lock = try Lock.take(s.root + "/.git/settings/lock", .exclusive)
            s.store.journal.patience = 0.2
            #expect(failure { try s.set("a", 2) }?.kind == .busy)
            _ = consume lock
            try s.set("a", 2)
        }
    }

    /// A lock file as `LockFile` makes it, left behind.
    private func leaveLock(_ s: TemporaryStore, _ name: String, second: String, _ text: String) throws {
        try s.write(text, to: ".git/settings/" + second)
        try FileManager.default.linkItem(atPath: s.root + "/.git/settings/" + second, toPath: s.root + "/.git/" + name + ".lock")
    }

    /// Killed between making git's lock files and renaming them.
    @Test func locksThatTheDeadWriterLeft() throws {
        try withStore { s in
            _ = try stage(s, .beforeTheBranch)
            let new = try #require(s.text(".git/settings/pending")?.split(separator: "\n").last?.dropFirst(4))
            try leaveLock(s, "refs/heads/main", second: "lock-refs:heads:main", "\(new)\n")
            try leaveLock(s, "index", second: "lock-index", "DIRC")
            try s.write("half", to: ".git/settings/new-1-0")
            try s.reopen()
            #expect(
                try s.store.folder.gitDirectory.map { try FileManager.default.contentsOfDirectory(atPath: $0 + "/settings") }
                    .map { $0.filter { $0.contains("-") && !$0.hasPrefix("conflicts-") } } == [])
            try s.set("a", 5)
        }
    }

    /// As old as ours, and as empty: but it is not provably ours.
    @Test func aLockOfSomebodyElseStays() throws {
        try withStore { s in
            _ = try stage(s, .afterTheBranch)
            try s.write("DIRC", to: ".git/settings/lock-index")
            try s.write("DIRC", to: ".git/index.lock")
            try s.reopen()
            #expect(s.file(".git/index.lock") != nil)
            #expect(s.file(".git/settings/lock-index") == nil)
            try s.delete(".git/index.lock")
            try s.reopen()
        }
    }

    /// The lock became the index, and the writer died before it removed the second name.
    @Test func theSecondNameOfWhatIsInPlace() throws {
        try withStore { s in
            _ = try stage(s, .afterTheIndex)
            try FileManager.default.linkItem(
                atPath: s.root + "/.git/index", toPath: s.root + "/.git/settings/lock-index")
            try s.reopen()
            #expect(s.file(".git/index") != nil)
            #expect(s.file(".git/settings/lock-index") == nil)
            try s.set("a", 5)
        }
    }

    // MARK: a loss of power

    /// What a Done with `fast` leaves to the system may be lost with the power, the branch may not.
    @Test(arguments: Death.allCases) func theSystemWasStartedAnew(death: Death) throws {
        guard death != .beforeTheBranch else { return }
        try withStore { s in
            let (_, new) = try stage(s, death)
            let note = try #require(s.text(".git/settings/pending"))
            // As long as the system runs on, all is there.
            let boot = try #require(PendingNote.boot)
            try s.write(note.replacingOccurrences(of: "old ", with: "was ") + "boot \(boot)\n", to: ".git/settings/pending")
            #expect(!s.store.folder.hasUnfinishedDone)
            try s.write(note.replacingOccurrences(of: "old ", with: "was ") + "boot another\n", to: ".git/settings/pending")
            #expect(s.store.folder.hasUnfinishedDone)
            try s.reopen()
            #expect(try s.allFiles() == new)
        }
    }

    /// The files of the Done before may be lost too, while the next one notes what it is about to do.
    @Test(arguments: [(true, true), (true, false), (false, true)])
    func theFilesOfTheDoneBefore(isNewBoot: Bool, objectsAreThere: Bool) throws {
        try withStore(draft: !isNewBoot) { s in
            try s.put("a", .number("A", 1))
            try s.put("b", .number("B", 1))
            let (first, file) = (try s.git("rev-parse", "HEAD"), try #require(s.file("a.json")))
            try s.set("a", 2)
            let second = try s.git("rev-parse", "HEAD")
            var third = String(repeating: "1", count: 40)
            if objectsAreThere {
                try s.set("b", 2)
                third = try s.git("rev-parse", "HEAD")
            }
            try s.write(file, to: "a.json")
            let boot = isNewBoot ? "another" : try #require(PendingNote.boot)
            try s.write("old \(second)\nnew \(third)\nboot \(boot)\nsince \(first)\n", to: ".git/settings/pending")
            try s.reopen()
            // While the system runs on, a file that says what it said before is an edit.
            #expect(s.text("a.json")?.contains("\"value\": 2") == isNewBoot)
        }
    }

    @Test(arguments: Files.Durability.allCases) func whatIsNoted(durability: Files.Durability) throws {
        try withStore { s in
            s.store.journal.knownDurability = durability
            try s.put("a", .number("A", 1))
            try s.put("b", .number("B", 1))
            try s.set("a", 2)
            let ids = try s.git("rev-list", "-2", "HEAD").split(separator: "\n")
            let note = try PendingNote(path: s.root + "/.git/settings/pending").read()
            #expect(note?.new?.hex == (durability == .strict ? nil : String(ids[0])))
            #expect(note?.old?.hex == (durability == .strict ? nil : String(ids[1])))
            #expect(note?.isFinished ?? true)
            // What comes to nothing leaves the note of what came before.
            try s.write("", to: ".git/refs/heads/main.lock")
            s.store.journal.patience = 0.1
            #expect(failure { try s.set("a", 3) }?.kind == .busy)
            #expect(try PendingNote(path: s.root + "/.git/settings/pending").read() == note)
            try s.delete(".git/refs/heads/main.lock")
            try s.set("a", 3)
        }
    }

    /// Files are compared with what they held before all Dones that may not be on the disk yet.
    @Test func whatIsNotedOfDonesThatNobodyWaitedFor() throws {
        try withStore { s in
            let note = PendingNote(path: s.root + "/.git/settings/pending")
            // The store may be in memory, where its first version was not synced; this one is.
            try s.put("b", .number("B", 0))
            s.store.journal.knownDurability = Files.Durability.none
            try s.put("a", .number("A", 1))
            #expect(try note.read()?.since == nil)
            let first = try s.git("rev-parse", "HEAD~1")
            for value in 2...4 {
                try s.set("a", Int(value))
                #expect(try note.read()?.since??.hex == first)
                #expect(try note.read()?.unsettled == Int(value) - 1)
                #expect(try note.read()?.isSettled == false)
            }
            s.store.journal.knownDurability = .fast
            try s.set("a", 5)
            #expect(try note.read()?.since??.hex == first)
            #expect(try note.read()?.isSettled == true)
            try s.set("a", 6)
            #expect(try note.read()?.since == nil)
            // What one process says of its own doesn't count for what another has done since.
            note.settle(try #require(VersionID(hex: first)))
            try s.set("a", 7)
            #expect(try note.read()?.since??.hex == (s.git("rev-parse", "HEAD~2")))
            #expect(!s.store.folder.hasUnfinishedDone)
            #expect(!note.isDamaged)
        }
    }

    @Test func notTooManyDonesAreLeftToTheSystem() throws {
        try withStore { s in
            let note = PendingNote(path: s.root + "/.git/settings/pending")
            // The store may be in memory, where its first version was not synced; this one is.
            try s.put("b", .number("B", 0))
            s.store.journal.knownDurability = Files.Durability.none
            try s.put("a", .number("A", 0))
            for value in 1...40 { try s.set("a", value) }
            #expect(try note.read()?.unsettled == 40)
            s.store.journal.knownDurability = .fast
            try s.set("a", 41)
            #expect(try note.read()?.since == nil)
            #expect(try note.read()?.unsettled == 0)
        }
    }
}
