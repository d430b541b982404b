import Foundation
import Surroundings
import Testing

import Base
@testable import Git

/// A repository in a temporary folder, removed with its scope; it sees none of the user's configuration.
struct Scratch: ~Copyable {
    private let own: TemporaryFolder
    let repository: Repository
    var path: String { own.path }

    static let somebody = Signature(name: "Marie Curie", email: "marie@example.org", time: 1_700_000_000, offset: 60)

    static func make(bare: Bool = false) throws -> Scratch {
        let own = try TemporaryFolder()
        guard bare else { return Scratch(own: own, repository: try Repository.create(at: own.path, branch: "main")) }
        try runGit(["init", "-q", "--bare", "-b", "main", own.path], in: own.path)
        return Scratch(own: own, repository: try Repository.open(at: own.path))
    }

    @discardableResult
    func git(_ arguments: String..., input: [UInt8]? = nil) throws -> String {
        try runGit(arguments, in: path, input: input)
    }

    func write(_ text: String, to name: String) throws { try Surroundings.write(Array(text.utf8), to: path + "/" + name) }

    /// Commits these files on HEAD and updates the work tree and the index.
    @discardableResult
    func record(_ files: [String: String?], note: String = "a change") throws -> ObjectID {
        var updates: [TreeUpdate] = []
        for (name, text) in files.sorted(by: { $0.key < $1.key }) {
            if let text {
                try write(text, to: name)
                let id = try repository.objects.write(blob: Array(text.utf8))
                updates.append(TreeUpdate(path: name, change: .put(id, .blob)))
            } else {
                try FileManager.default.removeItem(atPath: path + "/" + name)
                updates.append(TreeUpdate(path: name, change: .remove))
            }
        }
        let head = try repository.references.head().commit
        let base = try head.map { try repository.objects.commit($0).tree }
        let tree = try repository.objects.tree(updating: base, with: updates)
        let commit = try commit(tree, parents: head.map { [$0] } ?? [], message: note + "\n")
        try repository.references.moveHead(to: commit, from: head, by: Self.somebody, note: "commit: " + note)
        try repository.index.recordInIndex(updates)
        return commit
    }

    func commit(
        _ tree: ObjectID, parents: [ObjectID] = [], message: String = "a change\n", time: Int64 = 1_700_000_000
    ) throws -> ObjectID {
        var author = Self.somebody
        author.time = time
        return try repository.objects.writeCommit(
            tree: tree, parents: parents, author: author, committer: author, message: message)
    }

    /// A tree of files with these contents.
    func tree(_ files: [String: String]) throws -> ObjectID {
        var updates: [TreeUpdate] = []
        for (path, text) in files {
            updates.append(TreeUpdate(path: path, change: .put(try repository.objects.write(blob: Array(text.utf8)), .blob)))
        }
        return try repository.objects.tree(updating: nil, with: updates)
    }

    /// A tree that contains this one twice.
    func twice(_ tree: ObjectID) throws -> ObjectID {
        let lines = ["a", "b"].map { "040000 tree \(tree)\t\($0)\n" }.joined()
        return try #require(ObjectID(hex: try git("mktree", input: Array(lines.utf8))))
    }

    /// The path of a loose object.
    func loose(_ id: ObjectID) -> String { path + "/.git/objects/\(id.hex.prefix(2))/\(id.hex.dropFirst(2))" }

    func expectSound(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let report = try git("fsck", "--strict", "--no-dangling")
        #expect(report == "", sourceLocation: sourceLocation)
    }
}

/// The kind of error that the body throws; nil if it doesn't throw.
func kind(_ body: () throws -> Void) -> GitError.Kind? {
    do {
        try body()
        return nil
    } catch {
        return (error as? GitError)?.kind
    }
}
