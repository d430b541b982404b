import Foundation
import Testing

@testable import Git

/// A repository in a folder of its own, gone with its scope; sees none of the user's configuration.
struct Scratch: ~Copyable {
    let path: String
    let repository: Repository

    static let somebody = Signature(name: "Marie Curie", email: "marie@example.org", time: 1_700_000_000, offset: 60)

    private init(_ path: String, _ repository: consuming Repository) {
        self.path = path
        self.repository = repository
    }

    static func make(bare: Bool = false) throws -> Scratch {
        let path = try Surroundings.folder()
        guard bare else { return Scratch(path, try Repository.create(at: path, branch: "main")) }
        try GitTests.git(["init", "-q", "--bare", "-b", "main", path], in: path)
        return Scratch(path, try Repository.open(at: path))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    func git(_ arguments: String..., input: [UInt8]? = nil) throws -> String {
        try GitTests.git(arguments, in: path, input: input)
    }

    func write(_ text: String, to name: String) throws {
        let file = URL(fileURLWithPath: path).appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// A commit of these files on HEAD, the work tree and index with it.
    @discardableResult
    func record(_ files: [String: String?], note: String = "a change") throws -> ObjectID {
        var updates: [TreeUpdate] = []
        for (name, text) in files.sorted(by: { $0.key < $1.key }) {
            if let text {
                try write(text, to: name)
                let id = try repository.write(blob: Array(text.utf8))
                updates.append(TreeUpdate(path: name, change: .put(id, .blob)))
            } else {
                try FileManager.default.removeItem(atPath: path + "/" + name)
                updates.append(TreeUpdate(path: name, change: .remove))
            }
        }
        let head = try repository.head().commit
        let base = try head.map { try repository.commit($0).tree }
        let tree = try repository.tree(updating: base, with: updates)
        let commit = try commit(tree, parents: head.map { [$0] } ?? [], message: note + "\n")
        try repository.moveHead(to: commit, from: head, by: Self.somebody, note: "commit: " + note)
        try repository.recordInIndex(updates)
        return commit
    }

    func commit(
        _ tree: ObjectID, parents: [ObjectID] = [], message: String = "a change\n", time: Int64 = 1_700_000_000
    ) throws -> ObjectID {
        var author = Self.somebody
        author.time = time
        return try repository.writeCommit(
            tree: tree, parents: parents, author: author, committer: author, message: message)
    }

    /// A tree of files with these texts.
    func tree(_ files: [String: String]) throws -> ObjectID {
        var updates: [TreeUpdate] = []
        for (path, text) in files {
            updates.append(TreeUpdate(path: path, change: .put(try repository.write(blob: Array(text.utf8)), .blob)))
        }
        return try repository.tree(updating: nil, with: updates)
    }

    /// The file of an object that is in no pack.
    func loose(_ id: ObjectID) -> String { path + "/.git/objects/\(id.hex.prefix(2))/\(id.hex.dropFirst(2))" }

    func expectSound(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let report = try git("fsck", "--strict", "--no-dangling")
        #expect(report == "", sourceLocation: sourceLocation)
    }
}

/// Starts libgit2 with a configuration of the tests' own.
enum Surroundings {
    static let root: String = {
        let root =
            FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
            + "/settings-git-tests-\(ProcessInfo.processInfo.processIdentifier)"
        do {
            try FileManager.default.createDirectory(atPath: root + "/safe", withIntermediateDirectories: true)
            let configuration = """
                [safe]
                    directory = /taken/back
                    directory =
                    directory = \(root)/safe/
                [init]
                    defaultBranch = trunk
                [test]
                    value = user
                """
            try Data(configuration.utf8).write(to: URL(fileURLWithPath: root + "/.gitconfig"))
            try Library.searchConfiguration(in: [root])
        } catch {
            Issue.record(error)
        }
        atexit { try? FileManager.default.removeItem(atPath: Surroundings.root) }
        return root
    }()

    static func folder() throws -> String {
        let path = root + "/" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}

struct GitFailed: Error {
    let status: Int32
    let words: String
}

/// Runs git; its standard output without the last line break.
@discardableResult
func git(_ arguments: [String], in folder: String, input: [UInt8]? = nil) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git"] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = [
        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC",
        "HOME": folder, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_AUTHOR_NAME": "Git", "GIT_AUTHOR_EMAIL": "git@example.org", "GIT_AUTHOR_DATE": "1700000000 +0000",
        "GIT_COMMITTER_NAME": "Git", "GIT_COMMITTER_EMAIL": "git@example.org", "GIT_COMMITTER_DATE": "1700000000 +0000",
    ]
    let (output, errors, standardInput) = (Pipe(), Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = standardInput
    try process.run()
    if let input { standardInput.fileHandleForWriting.write(Data(input)) }
    try standardInput.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let words = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw GitFailed(status: process.terminationStatus, words: words)
    }
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
}

/// The kind of error that this fails with; nil when it does not fail.
func kind(_ body: () throws -> Void) -> GitError.Kind? {
    do {
        try body()
        return nil
    } catch {
        return (error as? GitError)?.kind
    }
}

/// SplitMix64: the same numbers for the same seed.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
