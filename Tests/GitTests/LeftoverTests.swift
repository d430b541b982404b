import Foundation
import Surroundings
import Testing

@testable import Files
@testable import Git

/// Leftovers of a process that died or of a failed disk, found by Scripts/torture.
@Suite struct LeftoverTests {
    static let me = Scratch.somebody

    /// A folder for the second names of locks, like the one in a store.
    private func own(_ scratch: borrowing Scratch) throws -> String {
        let own = scratch.path + "/.git/own"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
        return own
    }

    @Test func incompleteRepository() throws {
        let path = try Surroundings.folder()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let left = path + "/.git.new/.git/objects"
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path + "/.git.new/link", withDestinationPath: Surroundings.root)
        _ = try Repository.create(at: path, branch: "main")
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [".git"])
        #expect(FileManager.default.fileExists(atPath: Surroundings.root))
        #expect(kind { _ = try Repository.create(at: path, branch: "main") } == .exists)
        try Repository.remove(newAt: path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
    }

    @Test func repositoryWithAVersionIsNotRemoved() throws {
        let scratch = try Scratch.make()
        try scratch.record(["a": "1"])
        try Repository.remove(newAt: scratch.path)
        try scratch.expectSound()
    }

    /// libgit2's locks of its working copies.
    @Test func locksOfWorkingCopies() throws {
        let scratch = try Scratch.make()
        let own = try own(scratch)
        for name in ["config", "index"] { try scratch.write("", to: ".git/own/\(name).work.lock") }
        try scratch.repository.configuration.setConfigured([("a.b", "1"), ("a.c", "2")], own: own)
        #expect(try scratch.git("config", "a.b") + scratch.git("config", "a.c") == "12")
        try scratch.write("1", to: "a")
        let id = try scratch.repository.objects.write(blob: Array("1".utf8))
        try scratch.repository.index.recordInIndex([TreeUpdate(path: "a", change: .put(id, .blob))], own: own)
        try scratch.git("update-index", "--index-version", "4")
        try scratch.write("", to: ".git/own/index.work.lock")
        try scratch.repository.index.recordInIndex([TreeUpdate(path: "b", change: .put(id, .blob))], own: own)
        #expect(try scratch.git("ls-files") == "a\nb")
    }

    @Test func locksOfReferences() throws {
        let scratch = try Scratch.make()
        let own = try own(scratch)
        for name in ["refs/tags/t", "config", "packed-refs"] {
            let second = try #require(GitDirectory.second(of: name, in: own))
            try scratch.write("", to: ".git/\(name).lock")
            try FileManager.default.linkItem(atPath: scratch.path + "/.git/\(name).lock", toPath: second)
        }
        try scratch.write("", to: ".git/refs/tags/other.lock")
        try scratch.repository.git.removeLeftLocks(own: own)
        let folder = scratch.path + "/.git/"
        let left = ["refs/tags/t.lock", "config.lock", "packed-refs.lock", "refs/tags/other.lock"].filter {
            FileManager.default.fileExists(atPath: folder + $0)
        }
        #expect(left == ["refs/tags/other.lock"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: own) == [])
    }

    @Test func packedReferenceIsDeletedAsWell() throws {
        let scratch = try Scratch.make()
        let first = try scratch.record(["a": "1"])
        let second = try scratch.record(["a": "2"])
        for name in ["refs/x/one", "refs/x/two", "refs/x/three"] {
            try scratch.repository.references.setReference(name, to: first, from: nil, by: Self.me, note: "x")
        }
        try scratch.git("tag", "-a", "-m", "m", "t")
        try scratch.git("pack-refs", "--all", "--prune")
        // One of them also exists as a file.
        try scratch.repository.references.setReference("refs/x/two", to: second, from: first, by: Self.me, note: "x")
        for name in ["refs/x/two", "refs/x/three", "refs/tags/t"] { try scratch.repository.references.deleteReference(name) }
        #expect(try scratch.git("for-each-ref", "--format=%(refname)") == "refs/heads/main\nrefs/x/one")
        #expect(try scratch.repository.references.references(matching: "refs/x/*").map(\.name) == ["refs/x/one"])
        try scratch.expectSound()
    }

    /// A reference whose name is also a folder of references, although neither is a file.
    @Test func namesThatCannotCoexist() throws {
        let scratch = try Scratch.make()
        let first = try scratch.record(["a": "1"])
        for name in ["refs/x/a", "refs/x/b/c"] {
            try scratch.repository.references.setReference(name, to: first, from: nil, by: Self.me, note: "x")
        }
        try scratch.git("pack-refs", "--all", "--prune")
        for name in ["refs/x/a/b", "refs/x/b"] {
            #expect(
                kind(scratch) { try $0.references.setReference(name, to: first, from: nil, by: Self.me, note: "x") } == .exists)
        }
        try scratch.expectSound()
    }

    /// The first commit of a branch whose folders don't exist yet.
    @Test(arguments: Durability.allCases) func branchWithoutACommit(durability: Durability) throws {
        let scratch = try Scratch.make()
        try scratch.git("symbolic-ref", "HEAD", "refs/heads/deep/er/branch")
        let commit = try scratch.commit(try scratch.tree(["a": "1"]), parents: [])
        try scratch.repository.references.moveHead(to: commit, from: nil, by: Self.me, note: "first", durability: durability)
        #expect(try scratch.git("rev-parse", "deep/er/branch") == commit.hex)
        #expect(try scratch.git("reflog", "--format=%H %gs") == "\(commit) first")
        let other = try scratch.commit(try scratch.tree(["a": "2"]), parents: [])
        #expect(kind(scratch) { try $0.references.moveHead(to: other, from: nil, by: Self.me, note: "x") } == .modified)
        try scratch.expectSound()
    }

    /// If the disk fails, libgit2 reports that something was not found, because no other object store accepts the object.
    @Test func objectThatCannotBeWritten() throws {
        let scratch = try Scratch.make()
        let objects = scratch.path + "/.git/objects"
        for name in try FileManager.default.contentsOfDirectory(atPath: objects) {
            try FileManager.default.removeItem(atPath: objects + "/" + name)
        }
        try FileManager.default.removeItem(atPath: objects)
        try scratch.write("", to: ".git/objects")
        #expect(kind(scratch) { _ = try $0.objects.write(blob: [1, 2, 3]) } != .notFound)
    }
}
