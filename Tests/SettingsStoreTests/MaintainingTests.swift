import Foundation
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

struct MaintainingTests {
    private func files(_ s: TemporaryStore, in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: s.root + "/.git/objects/" + folder)
    }

    private func loose(_ s: TemporaryStore) throws -> Int {
        try files(s, in: "").count { $0.split(separator: "/").first?.count == 2 && $0.utf8.count == 41 }
    }

    @Test func everythingGoesIntoOnePack() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            for value in 1...20 { try s.set("a", value) }
            // What nothing refers to is kept as well: a discarded draft may still be wanted.
            let orphan = try s.git("hash-object", "-w", "--stdin", input: Array("orphan".utf8))
            let subjects = try s.subjects()
            let count = try loose(s)
            #expect(count > 60)
            #expect(try s.store.upkeep.pack(progress: { _, _ in }) == count)
            #expect(try loose(s) == 0)
            #expect(s.store.upkeep.storage.packs == 1 && s.store.upkeep.storage.hasCommitGraph && !s.store.upkeep.storage.isDue)
            #expect(try s.git("commit-graph", "verify") == "")
            #expect(try s.git("cat-file", "-p", orphan) == "orphan")
            try s.reopen()
            #expect(try s.subjects() == subjects)
            try s.set("a", 99)
            #expect(try s.store.upkeep.pack(progress: { _, _ in }) == 3)
            #expect(try s.value("a") == "99")
        }
    }

    /// Git, killed while it wrote a commit-graph, leaves its lock and keeps every later one from being written.
    @Test func aLockThatWasLeftStopsNoUpkeep() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            let info = URL(fileURLWithPath: s.root + "/.git/objects/info")
            try FileManager.default.createDirectory(at: info, withIntermediateDirectories: true)
            try Data().write(to: info.appendingPathComponent("commit-graph.lock"))
            let left = info.appendingPathComponent("settings/info")
            try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
            try Data().write(to: left.appendingPathComponent("commit-graph.lock"))
            _ = try s.store.upkeep.pack(progress: { _, _ in })
            #expect(s.store.upkeep.storage.hasCommitGraph)
            #expect(try s.git("commit-graph", "verify") == "")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: info.path).sorted() == ["commit-graph", "commit-graph.lock"])
        }
    }

    /// Whoever opened the store before still reads and writes it.
    @Test func nobodyIsStopped() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            let maintainer = try Store.open(StoreFolder(path: s.path))
            _ = try maintainer.upkeep.pack(progress: { _, _ in })
            try s.set("a", 7)
            #expect(try s.value("a") == "7")
            _ = try maintainer.upkeep.pack(progress: { _, _ in })
            #expect(try s.value("a") == "7")
            #expect(try s.subjects().count == 3)
        }
    }

    /// What only an alternate has packed is not removed here: it may go away with it.
    @Test func anAlternateIsNoPackOfOurs() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            let other = try TemporaryStore.make()
            try other.git("fetch", "-q", s.root, "main")
            try other.git("gc", "-q")
            let alternates = URL(fileURLWithPath: s.root + "/.git/objects/info/alternates")
            try FileManager.default.createDirectory(at: alternates.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data((other.root + "/.git/objects\n").utf8).write(to: alternates)
            try s.reopen()
            _ = try s.store.upkeep.pack(progress: { _, _ in })
            try FileManager.default.removeItem(at: alternates)
            try s.reopen()
            #expect(try s.value("a") == "1")
        }
    }

    @Test func oneAtATime() throws {
        try withStore { s in
            let second = try Store.open(StoreFolder(path: s.path))
            let isDone = try s.store.upkeep.underLock { () throws(Problem) in
                #expect(try second.upkeep.underLock { true } == nil, "two have the lock")
                // Writers don't wait for it.
                do { try s.put("a", .number("A", 1)) } catch { Issue.record(error) }
                return true
            }
            #expect(isDone == true)
            let session = Session(second, by: Caller(), at: Clock(now: 0))
            #expect(try session.maintain(Maintenance(isAutomatic: true, runGit: nil) { _ in })?.work == .nothingIsDue)
            #expect(try session.maintain(Maintenance(isAutomatic: false, runGit: nil) { _ in })?.after.packs == 1)
        }
    }

    @Test func dueByNumbers() {
        var storage = ObjectStorage()
        storage.loose = 1792
        #expect(!Storage(storage).isDue)
        storage.loose = 2048
        #expect(Storage(storage).isDue)
        storage = ObjectStorage(loose: 0, packs: 50)
        #expect(Storage(storage).isDue)
    }
}
