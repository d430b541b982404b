import Foundation
import Seeds
import Testing

import Base
@testable import Git

@Suite struct ObjectTests {
    @Test(arguments: [0, 1, 4096, 100_000] + Array(48...66))
    func blobsRoundTrip(count: Int) throws {
        let scratch = try Scratch.make()
        var random = Seeded(UInt64(count))
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        let id = try scratch.repository.objects.write(blob: bytes)
        #expect(try scratch.repository.objects.blob(id, atMost: bytes.count) == bytes)
        #expect(try scratch.git("hash-object", "--stdin", input: bytes) == id.hex)
        #expect(try scratch.repository.objects.exists(id) == true)
        #expect(kind(scratch) { _ = try $0.objects.blob(id, atMost: count - 1) } == .tooLarge)
    }

    @Test func rejectsLargeMissingAndOtherObjects() throws {
        let scratch = try Scratch.make()
        let id = try scratch.repository.objects.write(blob: [1, 2, 3])
        let commit = try scratch.commit(try scratch.tree(["a": "1"]))
        let missing = try #require(ObjectID(hex: ObjectIDTests.hex))
        #expect(kind(scratch) { _ = try $0.objects.blob(id, atMost: 2) } == .tooLarge)
        #expect(kind(scratch) { _ = try $0.objects.blob(missing, atMost: 2) } == .notFound)
        #expect(kind(scratch) { _ = try $0.objects.blob(commit, atMost: 1000) } == .invalid)
        #expect(kind(scratch) { _ = try $0.objects.commit(id) } == .invalid)
        #expect(kind(scratch) { _ = try $0.objects.commit(missing) } == .notFound)
        #expect(try scratch.repository.objects.exists(missing) == false)
    }

    @Test func commitsMatchGits() throws {
        let scratch = try Scratch.make()
        let tree = try scratch.tree(["a/b": "1", "c": "2"])
        let first = try scratch.commit(tree)
        let author = Signature(name: "Zoë ʘ", email: "z@example.org", time: 1_234_567_890, offset: -210)
        let message = "Subject\n\nBody with \"quotes\" and é\n\nTicket: A-1"
        let id = try scratch.repository.objects.writeCommit(
            tree: tree, parents: [first], author: author, committer: Scratch.somebody, message: message)
        let commit = try scratch.repository.objects.commit(id)
        #expect(commit.tree == tree)
        #expect(commit.parents == [first])
        #expect(commit.author == author)
        #expect(commit.committer == Scratch.somebody)
        #expect(commit.message == message)
        #expect(
            try scratch.git("log", "-1", "--format=%T|%P|%an|%ae|%ad|%cn|%B", "--date=raw", id.hex)
                == "\(tree)|\(first)|Zoë ʘ|z@example.org|1234567890 -0330|Marie Curie|\(message)")
        try scratch.repository.references.moveHead(to: id, from: nil, by: author, note: "commit: x")
        try scratch.expectSound()
    }

    @Test func rejectsSignaturesThatBreakAHeader() throws {
        let scratch = try Scratch.make()
        let tree = try scratch.tree(["a": "1"])
        for (name, email) in [("a\nparent x", "e"), ("a", "e\n"), ("", "e"), ("a<b", "e"), ("a\0", "e")] {
            let broken = Signature(name: name, email: email, time: 0, offset: 0)
            #expect(
                kind(scratch) {
                    _ = try $0.objects.writeCommit(tree: tree, parents: [], author: broken, committer: broken, message: "m")
                } == .invalid, "\(name.debugDescription)")
        }
        #expect(
            kind(scratch) {
                _ = try $0.objects.writeCommit(
                    tree: tree, parents: [], author: Scratch.somebody, committer: Scratch.somebody, message: "a\0b")
            } == .invalid)
    }

    @Test func readsBrokenCommits() throws {
        let scratch = try Scratch.make()
        let tree = try scratch.tree(["a": "1"])
        func commit(_ header: String, _ more: [UInt8] = []) throws -> Commit {
            let bytes = Array("tree \(tree)\n\(header)".utf8) + more
            let hex = try scratch.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", input: bytes)
            return try scratch.repository.objects.commit(try #require(ObjectID(hex: hex)))
        }
        let nobody = Signature(name: "", email: "", time: 0, offset: 0)
        #expect(try commit("\nmessage").author == nobody)
        #expect(try commit("\nmessage").message == "message")
        #expect(try commit("").message == "")
        #expect(try commit("author \ncommitter <> x y\n\nm").committer == nobody)
        #expect(try commit("author <a@b> 12 +0100\n\nm").author == Signature(name: "", email: "a@b", time: 12, offset: 60))
        #expect(try commit("author A a@b\n\nm").author.name == "A a@b")
        #expect(try commit("author A <a@b> 99999999999999999999 +9999\n\nm").author.time == 0)
        #expect(try commit("author A <a@b> -5 -0030\n\nm").author == Signature(name: "A", email: "a@b", time: -5, offset: -30))
        #expect(try commit("author A <<x> y@z>> 5 +0000\n\nm").author.time == 5)
        let latin = try commit("author ", [0xe9, 0x20] + Array("<x> 1 +0000\ngpgsig a\n b\n tree c\n\n".utf8) + [0xff])
        #expect(latin.author.name == "\u{fffd}")
        #expect(latin.message == "\u{fffd}")
        #expect(latin.tree == tree)
    }

    /// libgit2's own reader hangs on a file that ends too early, wherever it ends.
    @Test(arguments: [1, 30, 60, 5000])
    func detectsATruncatedObject(count: Int) throws {
        let scratch = try Scratch.make()
        var random = Seeded(UInt64(count))
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        let id = try scratch.repository.objects.write(blob: bytes)
        let file = scratch.loose(id)
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(chmod(file, 0o644) == 0)
        let path = scratch.path
        for end in stride(from: 0, to: whole.count, by: max(1, whole.count / 30)) {
            try whole.prefix(end).write(to: URL(fileURLWithPath: file))
            #expect(kind { _ = try Repository.open(at: path).objects.blob(id, atMost: 10_000) } == .corrupt, "\(end)")
        }
        for damaged in [whole + [0], Data(whole.dropLast(1) + [whole.last.map { $0 ^ 1 } ?? 0])] {
            try damaged.write(to: URL(fileURLWithPath: file))
            #expect(kind { _ = try Repository.open(at: path).objects.blob(id, atMost: 10_000) } == .corrupt)
        }
        try whole.write(to: URL(fileURLWithPath: file))
        #expect(try Repository.open(at: path).objects.blob(id, atMost: 10_000) == bytes)
    }

    @Test func detectsDamagedCommitsAndTrees() throws {
        let scratch = try Scratch.make()
        let tree = try scratch.tree(["a/b": "1"])
        let first = try scratch.commit(tree)
        let second = try scratch.commit(tree, parents: [first])
        for id in [tree, first] {
            #expect(chmod(scratch.loose(id), 0o644) == 0)
            #expect(truncate(scratch.loose(id), 20) == 0)
        }
        let path = scratch.path
        #expect(kind { _ = try Repository.open(at: path).objects.entries(of: tree) } == .corrupt)
        #expect(kind { _ = try Repository.open(at: path).objects.commit(first) } == .corrupt)
        #expect(kind { _ = try Repository.open(at: path).references.resolve(first.short) } == .corrupt)
        #expect(
            kind {
                var walk = try Repository.open(at: path).objects.commits(from: [second])
                while try walk.next() != nil {}
            } != nil)
    }

    @Test func detectsAnObjectWithAnotherId() throws {
        let scratch = try Scratch.make()
        let one = try scratch.repository.objects.write(blob: [1])
        let other = try scratch.repository.objects.write(blob: [2])
        try FileManager.default.removeItem(atPath: scratch.loose(one))
        try FileManager.default.copyItem(atPath: scratch.loose(other), toPath: scratch.loose(one))
        let path = scratch.path
        #expect(kind { _ = try Repository.open(at: path).objects.blob(one, atMost: 10) } == .corrupt)
    }

    @Test func readsPacks() throws {
        let scratch = try Scratch.make()
        let commit = try scratch.record(["a/b": "1", "c": "2"])
        try scratch.git("gc", "-q", "--prune=now")
        let repository = try Repository.open(at: scratch.path)
        let tree = try repository.objects.commit(commit).tree
        #expect(try repository.objects.files(in: tree).map(\.path) == ["a/b", "c"])
        let file = try #require(try repository.objects.entry(at: "a/b", in: tree))
        #expect(try repository.objects.blob(file.id, atMost: 1) == Array("1".utf8))
    }
}

/// As `kind(_:)`, with a repository: a closure can't capture a noncopyable value.
func kind(_ scratch: borrowing Scratch, _ body: (borrowing Repository) throws -> Void) -> GitError.Kind? {
    do {
        try body(scratch.repository)
        return nil
    } catch {
        return (error as? GitError)?.kind
    }
}
