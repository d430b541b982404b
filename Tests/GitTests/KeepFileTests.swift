import Foundation
import Surroundings
import Synchronization
import Testing

import Base
@testable import Files
@testable import Git

/// Objects that are written and to which no reference leads yet, beside git's upkeep.
@Suite struct KeepFileTests {
    /// A version of so many files, written but not yet the branch's.
    private func written(_ count: Int, in repository: borrowing Repository, _ name: String = "file") throws -> ObjectID {
        let objects = repository.objects
        objects.collectObjects()
        var updates: [TreeUpdate] = []
        for number in 0..<count {
            let id = try objects.write(blob: Array("\(name) \(number)".utf8))
            updates.append(TreeUpdate(path: "\(name)\(number)", change: .put(id, .blob)))
        }
        let tree = try objects.tree(updating: nil, with: updates)
        let (me, message) = (Scratch.somebody, "\(name)\n")
        let commit = try objects.writeCommit(tree: tree, parents: [], author: me, committer: me, message: message)
        try objects.writeObjects()
        return commit
    }

    private func move(to commit: ObjectID, _ scratch: borrowing Scratch) throws {
        try scratch.repository.references.moveHead(to: commit, from: nil, by: Scratch.somebody, note: "x")
    }

    private func packs(_ scratch: borrowing Scratch, _ ending: String) throws -> [String] {
        let folder = scratch.path + "/.git/objects/pack"
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(ending) }
    }

    private func unpacked(_ scratch: borrowing Scratch) throws -> [String] {
        try scratch.git("count-objects", "-v").split(separator: "\n").filter { $0.hasPrefix("count") }.map(String.init)
    }

    static let upkeep = [
        ["repack", "-a", "-d", "-q"], ["repack", "-A", "-d", "-q"], ["gc", "-q"], ["prune-packed", "-q"],
        ["multi-pack-index", "write"], ["multi-pack-index", "expire"], ["multi-pack-index", "repack"],
        ["maintenance", "run", "--quiet", "--task=gc", "--task=loose-objects", "--task=incremental-repack"],
    ]

    private func maintain(_ scratch: borrowing Scratch) throws {
        for words in Self.upkeep { try runGit(words, in: scratch.path) }
    }

    @Test(arguments: [3, 100]) func upkeepTakesNothingAway(count: Int) throws {
        let scratch = try Scratch.make()
        try scratch.git("commit", "-q", "--allow-empty", "-m", "another branch")
        try scratch.git("checkout", "-q", "--orphan", "new")
        let commit = try written(count, in: scratch.repository)
        #expect(try packs(scratch, ".keep").count == (count > 60 ? 1 : 0))
        try maintain(scratch)
        try move(to: commit, scratch)
        #expect(try packs(scratch, ".keep") == [])
        try scratch.expectSound()
        #expect(try scratch.git("ls-tree", "new").split(separator: "\n").count == count)
    }

    /// As a `git repack` finds it that lists the packs between the two renamings.
    @Test func packWithoutItsIndexIsKept() throws {
        let scratch = try Scratch.make()
        try scratch.git("commit", "-q", "--allow-empty", "-m", "another branch")
        try scratch.git("checkout", "-q", "--orphan", "new")
        let commit = try written(100, in: scratch.repository)
        let index = scratch.path + "/.git/objects/pack/" + (try #require(try packs(scratch, ".idx").first))
        try FileManager.default.moveItem(atPath: index, toPath: index + ".away")
        try maintain(scratch)
        try FileManager.default.moveItem(atPath: index + ".away", toPath: index)
        try move(to: commit, scratch)
        try scratch.expectSound()
    }

    @Test(arguments: [3, 100]) func whatWasTakenAwayIsWrittenAgain(count: Int) throws {
        let scratch = try Scratch.make()
        let commit = try written(count, in: scratch.repository)
        try runSystem("rm -rf .git/objects/?? .git/objects/pack/*", scratch)
        try move(to: commit, scratch)
        #expect(try packs(scratch, ".keep") == [])
        try scratch.expectSound()
    }

    /// A pack that somebody else has made of them may be about to be removed.
    @Test func whatWasPackedMeanwhileIsWrittenAgain() throws {
        let scratch = try Scratch.make()
        let commit = try written(3, in: scratch.repository)
        let list = "cd .git/objects; ls -d ??/* | tr -d / | git pack-objects -q pack/pack && git prune-packed -q"
        try runSystem(list, scratch)
        #expect(try unpacked(scratch) == ["count: 0"])
        try move(to: commit, scratch)
        #expect(try unpacked(scratch) == ["count: 5"])
        try scratch.expectSound()
    }

    @Test func whatIsUsedAgainIsFreshened() throws {
        let scratch = try Scratch.make()
        let blob = try #require(ObjectID.hash(ofBlob: Array("file 0".utf8)))
        let old = try scratch.git("hash-object", "-w", "--stdin", input: Array("file 0".utf8))
        #expect(old == blob.hex)
        try runSystem("touch -d '2020-01-01' .git/objects/??/*", scratch)
        let commit = try written(1, in: scratch.repository)
        try scratch.git("prune", "--expire=1.day.ago")
        #expect(FileManager.default.fileExists(atPath: scratch.loose(blob)))
        try move(to: commit, scratch)
        try scratch.expectSound()
    }

    /// Also where the thread of another store is writing the same objects in the same moment.
    @Test func twoThreadsWritePacksAndObjects() throws {
        let scratch = try Scratch.make()
        let (path, left) = (scratch.path, DispatchGroup())
        let failures = Mutex<[String]>([])
        for number in 0..<2 {
            left.enter()
            let thread = Thread {
                defer { left.leave() }
                do {
                    let repository = try Repository.open(at: path)
                    for turn in 0..<60 {
                        let commit = try written(turn % 2 == 0 ? 70 : 5, in: repository, "turn \(turn)")
                        try repository.references.setReference(
                            "refs/heads/\(number)-\(turn)", to: commit, from: nil, by: Scratch.somebody, note: "x")
                    }
                } catch { failures.withLock { $0.append("\(error)") } }
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
        left.wait()
        #expect(failures.withLock { $0 } == [])
        #expect(try scratch.git("for-each-ref").split(separator: "\n").count == 120)
        try scratch.expectSound()
        let objects = try runSystem("find .git/objects -name '*.keep' -o -name '*tmp*'", scratch)
        #expect(objects == "")
    }

    @discardableResult
    private func runSystem(_ command: String, _ scratch: borrowing Scratch) throws -> String {
        try Surroundings.run(["/bin/sh", "-c", command], in: scratch.path, ["PATH": Surroundings.searchPath]).output
    }

    // MARK: What dead processes left

    @Test func onlyWhatDeadProcessesLeftIsRemoved() throws {
        let scratch = try Scratch.make()
        let folder = scratch.path + "/.git/objects/pack"
        let live = try KeepFile.make(in: folder, .none)
        let record = try String(contentsOfFile: live.pack + ".keep", encoding: .utf8)
        let boot = try #require(ThisProcess.boot)
        #expect(record == "settings \(ThisProcess.id) on \(ThisProcess.host)\nboot \(boot)\n")
        let files = [
            "dead": record, "restarted": record.replacing(boot, with: "0"), "long-ago": record.replacing(boot, with: "0"),
            "git": "fetch-pack 1 on \(ThisProcess.host)\n", "person": "",
        ]
        for (name, text) in files { try scratch.write(text, to: ".git/objects/pack/pack-\(name).keep") }
        try runSystem("touch -d '2 days ago' .git/objects/pack/pack-long-ago.keep .git/objects/pack/pack-git.keep", scratch)
        scratch.repository.packs.removeUnfinishedPacks()
        let left = try packs(scratch, ".keep").sorted()
        #expect(left == ["\(live.name).keep", "pack-git.keep", "pack-person.keep", "pack-restarted.keep"].sorted())
    }

    @Test func namesOfPacksAreNeverUsedAgain() throws {
        let scratch = try Scratch.make()
        let folder = scratch.path + "/.git/objects/pack"
        let names = try (0..<20).map { _ in try KeepFile.make(in: folder, .none).name }
        #expect(Set(names).count == 20)
        #expect(names.allSatisfy { $0.wholeMatch(of: /pack-[0-9a-f]{40}/) != nil })
        #expect(try packs(scratch, "") == [])
    }
}
