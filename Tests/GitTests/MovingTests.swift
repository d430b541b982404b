import Foundation
import Testing

import Base
@testable import Files
@testable import Git

/// Moves HEAD's branch like git.
@Suite struct MovingTests {
    static let me = Signature(name: "Zoë ʘ", email: "z@example.org", time: 1_700_000_000, offset: -210)

    /// A commit after `parent` that no reference points to.
    private func next(_ scratch: borrowing Scratch, _ parent: ObjectID, _ message: String = "next\n") throws -> ObjectID {
        try scratch.commit(try scratch.repository.objects.commit(parent).tree, parents: [parent], message: message)
    }

    @Test(arguments: Durability.allCases) func reflogMatchesGits(durability: Durability) throws {
        let scratch = try Scratch.make()
        let first = try scratch.record(["a": "1"])
        let second = try next(scratch, first)
        try scratch.repository.references.moveHead(
            to: second, from: first, by: Self.me, note: "settings: a\nb", durability: durability)
        #expect(
            try scratch.git("reflog", "-1", "--format=%H %gn %ge %gs", "--date=raw")
                == "\(second) Zoë ʘ z@example.org settings: a b")
        let logs = ["HEAD", "refs/heads/main"].map { scratch.path + "/.git/logs/" + $0 }
            .map { try? String(contentsOfFile: $0, encoding: .utf8).split(separator: "\n").last }
        #expect(logs[0] == "\(first) \(second) Zoë ʘ <z@example.org> 1700000000 -0330\tsettings: a b")
        #expect(logs[0] == logs[1])
        try scratch.expectSound()
    }

    @Test func packedBranch() throws {
        let scratch = try Scratch.make()
        let first = try scratch.record(["a": "1"])
        try scratch.git("checkout", "-q", "-b", "deep/er/branch")
        try scratch.git("pack-refs", "--all", "--prune")
        #expect(FileManager.default.fileExists(atPath: scratch.path + "/.git/refs/heads/deep") == false)
        let second = try next(scratch, first)
        try scratch.repository.references.moveHead(to: second, from: first, by: Self.me, note: "x")
        #expect(try scratch.git("rev-parse", "deep/er/branch") == second.hex)
        #expect(try scratch.git("rev-parse", "main") == first.hex)
        try scratch.git("pack-refs", "--all", "--prune")
        // An empty folder with the branch's name.
        try FileManager.default.createDirectory(
            atPath: scratch.path + "/.git/refs/heads/deep/er/branch", withIntermediateDirectories: true)
        let third = try next(scratch, second)
        try scratch.repository.references.moveHead(to: third, from: second, by: Self.me, note: "x")
        #expect(try scratch.git("rev-parse", "HEAD") == third.hex)
    }

    @Test func detachedHead() throws {
        let scratch = try Scratch.make()
        let first = try scratch.record(["a": "1"])
        try scratch.git("checkout", "-q", "--detach")
        let second = try next(scratch, first)
        try scratch.repository.references.moveHead(to: second, from: first, by: Self.me, note: "x")
        #expect(try scratch.git("rev-parse", "HEAD") == second.hex)
        #expect(try scratch.git("rev-parse", "main") == first.hex)
        #expect(try scratch.repository.references.head().branch == nil)
    }

    @Test func firstOfTwoConcurrentMovesWins() throws {
        let scratch = try Scratch.make()
        let first = try scratch.record(["a": "1"])
        let (second, third) = (try next(scratch, first), try next(scratch, first, "other\n"))
        try scratch.git("update-ref", "HEAD", third.hex)
        let logs = try scratch.git("reflog")
        #expect(kind(scratch) { try $0.references.moveHead(to: second, from: first, by: Self.me, note: "x") } == .modified)
        try scratch.write("", to: ".git/refs/heads/main.lock")
        #expect(kind(scratch) { try $0.references.moveHead(to: second, from: third, by: Self.me, note: "x") } == .locked)
        try FileManager.default.removeItem(atPath: scratch.path + "/.git/refs/heads/main.lock")
        #expect(try scratch.git("reflog") == logs)
        #expect(try scratch.git("rev-parse", "HEAD") == third.hex)
        #expect(FileManager.default.fileExists(atPath: scratch.path + "/.git/refs/heads/main.lock") == false)
    }

    /// A reflog that a full disk truncated.
    @Test func truncatedReflog() throws {
        let scratch = try Scratch.make()
        let first = try scratch.record(["a": "1"])
        let log = scratch.path + "/.git/logs/refs/heads/main"
        let text = try String(contentsOfFile: log, encoding: .utf8)
        try Data(text.dropLast(9).utf8).write(to: URL(fileURLWithPath: log))
        let second = try next(scratch, first)
        try scratch.repository.references.moveHead(to: second, from: first, by: Self.me, note: "whole")
        #expect(try scratch.git("reflog", "show", "main", "--format=%gs").split(separator: "\n").first == "whole")
    }

    @Test func disabledReflogs() throws {
        let scratch = try Scratch.make()
        let first = try scratch.record(["a": "1"])
        try FileManager.default.removeItem(atPath: scratch.path + "/.git/logs")
        try scratch.git("config", "core.logAllRefUpdates", "false")
        let second = try next(scratch, first)
        try scratch.repository.references.moveHead(to: second, from: first, by: Self.me, note: "x")
        #expect(FileManager.default.fileExists(atPath: scratch.path + "/.git/logs/HEAD") == false)
        try scratch.git("config", "core.logAllRefUpdates", "true")
        let third = try next(scratch, second)
        try scratch.repository.references.moveHead(to: third, from: second, by: Self.me, note: "x")
        #expect(try scratch.git("reflog", "--format=%H") == third.hex)
    }

    /// A failed move leaves no reflog entry.
    @Test func referenceThatCannotBeWritten() throws {
        let scratch = try Scratch.make()
        let first = try scratch.record(["a": "1"])
        let second = try next(scratch, first)
        let logs = try scratch.git("reflog")
        try scratch.git("pack-refs", "--all", "--prune")
        // A folder that is not empty, in the place of the file.
        try scratch.write("", to: ".git/refs/heads/main/in-the-way")
        #expect(kind(scratch) { try $0.references.moveHead(to: second, from: first, by: Self.me, note: "x") } != nil)
        try FileManager.default.removeItem(atPath: scratch.path + "/.git/refs/heads/main")
        #expect(try scratch.git("reflog") == logs)
        #expect(try scratch.git("rev-parse", "HEAD") == first.hex)
    }
}
