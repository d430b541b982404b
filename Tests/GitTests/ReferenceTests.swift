import Foundation
import Testing

@testable import Git

@Suite struct ReferenceTests {
    private static let me = Scratch.somebody

    @Test func movesAnUnbornBranch() throws {
        let scratch = try Scratch.make()
        #expect(try scratch.repository.references.head() == Head(branch: "refs/heads/main", commit: nil))
        let commit = try scratch.commit(try scratch.tree(["a": "1"]))
        #expect(kind(scratch) { try $0.references.moveHead(to: commit, from: commit, by: Self.me, note: "x") } == .modified)
        #expect(try scratch.repository.references.head().commit == nil)
        try scratch.repository.references.moveHead(to: commit, from: nil, by: Self.me, note: "commit (initial): x")
        #expect(try scratch.repository.references.head() == Head(branch: "refs/heads/main", commit: commit))
        #expect(kind(scratch) { try $0.references.moveHead(to: commit, from: nil, by: Self.me, note: "x") } == .modified)
        for name in ["HEAD", "refs/heads/main"] {
            #expect(try scratch.git("reflog", "show", "--format=%H %gn %gs", name) == "\(commit) Marie Curie commit (initial): x")
        }
        try scratch.expectSound()
    }

    @Test func movesOnlyFromTheExpectedCommit() throws {
        let scratch = try Scratch.make()
        let first = try scratch.record(["a": "1"])
        let second = try scratch.record(["a": "2"])
        #expect(kind(scratch) { try $0.references.moveHead(to: first, from: first, by: Self.me, note: "x") } == .modified)
        #expect(try scratch.repository.references.head().commit == second)
        try scratch.git("pack-refs", "--all")
        #expect(kind(scratch) { try $0.references.moveHead(to: first, from: first, by: Self.me, note: "x") } == .modified)
        try scratch.repository.references.moveHead(to: first, from: second, by: Self.me, note: "back")
        #expect(try scratch.git("rev-parse", "HEAD") == first.hex)
        #expect(try scratch.git("reflog", "--format=%gs", "HEAD").split(separator: "\n").count == 3)
    }

    @Test func movesADetachedHead() throws {
        let scratch = try Scratch.make()
        let first = try scratch.record(["a": "1"])
        let second = try scratch.record(["a": "2"])
        try scratch.git("checkout", "-q", "--detach", first.hex)
        #expect(try scratch.repository.references.head() == Head(branch: nil, commit: first))
        let before = try scratch.git("reflog", "--format=%gs", "HEAD").split(separator: "\n").count
        #expect(kind(scratch) { try $0.references.moveHead(to: second, from: second, by: Self.me, note: "x") } == .modified)
        let other = try scratch.commit(try scratch.tree(["a": "3"]), parents: [first])
        try scratch.repository.references.moveHead(to: other, from: first, by: Self.me, note: "commit: aside")
        #expect(try scratch.repository.references.head() == Head(branch: nil, commit: other))
        #expect(try scratch.repository.references.reference(named: "refs/heads/main") == second)
        #expect(try scratch.git("reflog", "--format=%gs", "HEAD").split(separator: "\n").count == before + 1)
    }

    @Test func reportsALockedReference() throws {
        let scratch = try Scratch.make()
        let first = try scratch.record(["a": "1"])
        try scratch.write("", to: ".git/refs/heads/main.lock")
        let next = try scratch.commit(try scratch.tree(["a": "3"]), parents: [first])
        #expect(kind(scratch) { try $0.references.moveHead(to: next, from: first, by: Self.me, note: "x") } == .locked)
        #expect(try scratch.repository.references.head().commit == first)
        try FileManager.default.removeItem(atPath: scratch.path + "/.git/refs/heads/main.lock")
        try scratch.repository.references.moveHead(to: next, from: first, by: Self.me, note: "x")
        #expect(try scratch.repository.references.head().commit == next)
    }

    @Test func setsListsAndDeletesReferences() throws {
        let scratch = try Scratch.make()
        let first = try scratch.record(["a": "1"])
        let second = try scratch.record(["a": "2"])
        try scratch.repository.references.setReference("refs/settings/b", to: first, from: nil, by: Self.me, note: "x")
        try scratch.repository.references.setReference("refs/settings/a/c", to: second, from: nil, by: Self.me, note: "x")
        #expect(
            try scratch.repository.references.references(matching: "refs/settings/*").map(\.name) == [
                "refs/settings/a/c", "refs/settings/b",
            ])
        #expect(try scratch.repository.references.references(matching: "refs/settings/*").map(\.target) == [second, first])
        #expect(
            kind(scratch) { try $0.references.setReference("refs/settings/b", to: second, from: nil, by: Self.me, note: "x") }
                == .modified)
        #expect(
            kind(scratch) { try $0.references.setReference("not a name", to: first, from: nil, by: Self.me, note: "x") }
                == .invalid)
        #expect(
            kind(scratch) { try $0.references.setReference("refs/settings/b/x", to: first, from: nil, by: Self.me, note: "x") }
                != nil)
        try scratch.repository.references.deleteReference("refs/settings/b")
        #expect(try scratch.repository.references.reference(named: "refs/settings/b") == nil)
        #expect(kind(scratch) { try $0.references.deleteReference("refs/settings/b") } == .notFound)
    }

    @Test func concurrentMovesLoseNothing() async throws {
        let scratch = try Scratch.make()
        let tree = try scratch.tree(["a": "1"])
        let first = try scratch.commit(tree)
        try scratch.repository.references.moveHead(to: first, from: nil, by: Self.me, note: "x")
        let path = scratch.path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let repository = try Repository.open(at: path)
                    var moved = 0
                    while moved < 10 {
                        let head = try #require(try repository.references.head().commit)
                        let next = try repository.objects.writeCommit(
                            tree: tree, parents: [head], author: Self.me, committer: Self.me, message: "\(writer) \(moved)")
                        do {
                            try repository.references.moveHead(to: next, from: head, by: Self.me, note: "x")
                            moved += 1
                        } catch let error as GitError where error.kind == .modified || error.kind == .locked {}
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try scratch.git("rev-list", "--count", "HEAD") == "41")
        try scratch.expectSound()
    }

    @Test func tags() throws {
        let scratch = try Scratch.make()
        let first = try scratch.record(["a": "1"])
        try scratch.repository.references.createTag(name: "v1", target: first, message: "The first\n", tagger: Self.me)
        try scratch.git("tag", "light")
        try scratch.git("tag", "a-tree", "HEAD^{tree}")
        try scratch.git("tag", "-a", "-m", "nested", "nested", "v1")
        #expect(
            try scratch.repository.references.tags() == [
                Tag(name: "light", commit: first, message: nil, tagger: nil),
                Tag(
                    name: "nested", commit: first, message: "nested\n",
                    tagger: Signature(name: "Git", email: "git@example.org", time: 1_700_000_000, offset: 0)),
                Tag(name: "v1", commit: first, message: "The first\n", tagger: Self.me),
            ])
        #expect(try scratch.git("cat-file", "-t", "v1") == "tag")
        func make(_ name: String) -> GitError.Kind? {
            kind(scratch) { try $0.references.createTag(name: name, target: first, message: "m", tagger: Self.me) }
        }
        #expect(make("v1") == .exists)
        #expect(make("light") == .exists)
        for name in ["", "-x", "a b", "a..b", "a\0", "x.lock"] { #expect(make(name) == .invalid, "\(name)") }
        try scratch.expectSound()
    }
}
