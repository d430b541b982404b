import Files
import Foundation
import Surroundings
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsText
@testable import SettingsStore

extension Person {
    static let ada = Person(name: "Ada Lovelace", email: "ada@example.org")
    static let bob = Person(name: "Bob Bemer", email: "bob@example.org")
    static let carol = Person(name: "Carol Shaw", email: "carol@example.org")
}

/// A store in a folder of its own, with a clock that goes on by a minute at each Done.
final class TemporaryStore {
    /// The repository's folder.
    let root: String
    /// The store's, in it.
    let path: String
    var store: Store
    var clock: Int64 = 1_700_000_000

    /// The repository's folder, where it goes with this.
    private let own: TemporaryFolder?

    private init(root: String, path: String, store: Store, own: TemporaryFolder?) {
        self.root = root
        self.path = path
        self.store = store
        self.own = own
        store.journal.knownDurability = Self.durability
    }

    /// As on a disk, wherever the store is: in memory no commit would be synced.
    private static let durability = Files.Durability.fast

    /// A new store; `prefix` (with a slash at its end) puts it into a folder of an existing repository with a commit.
    static func make(prefix: String = "") throws -> TemporaryStore {
        let own = try TemporaryFolder()
        let root = own.path
        if !prefix.isEmpty {
            try runGit(["init", "-q", "-b", "main"], in: root)
            try Surroundings.write(Array("hello\n".utf8), to: root + "/README")
            try runGit(["add", "README"], in: root)
            try runGit(["commit", "-q", "-m", "Begin"], in: root, at: 1_600_000_000)
        }
        if prefix.isEmpty { _ = try Repository.create(at: root, branch: "main") }
        let path = prefix.isEmpty ? root : root + "/" + prefix.dropLast()
        let made = try Store.create(at: path, title: "Settings", done: done(.ada, at: 1_700_000_000))
        return TemporaryStore(root: root, path: path, store: made.store, own: own)
    }

    /// Another look at a store that is there.
    static func open(_ path: String, root: String) throws -> TemporaryStore {
        TemporaryStore(root: root, path: path, store: try Store.open(StoreFolder(path: path)), own: nil)
    }

    func reopen() throws {
        store = try Store.open(StoreFolder(path: path))
        store.journal.knownDurability = Self.durability
    }

    static func done(_ person: Person = .ada, at time: Int64, why: String? = nil) -> Done {
        let time = Time(seconds: time, offset: 60)
        var done = Done(author: person, authorTime: time, committer: person, time: time, via: "test")
        done.why = why
        return done
    }

    func done(_ person: Person = .ada, why: String? = nil, ticket: String? = nil) -> Done {
        clock += 60
        var done = Self.done(person, at: clock, why: why)
        if let ticket { done.tickets = [ticket] }
        return done
    }

    @discardableResult
    func git(_ arguments: String..., input: [UInt8]? = nil) throws -> String {
        clock += 60
        return try runGit(arguments, in: root, at: clock, input: input)
    }

    // MARK: files

    func file(_ name: String) -> [UInt8]? {
        (try? Data(contentsOf: URL(fileURLWithPath: path + "/" + name))).map(Array.init)
    }

    func text(_ name: String) -> String? { file(name).map { String(decoding: $0, as: UTF8.self) } }

    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    func write(_ bytes: [UInt8], to name: String) throws { try Surroundings.write(bytes, to: path + "/" + name) }

    /// Replaces text in a file, as an editor would.
    func edit(_ name: String, _ old: String, _ new: String) throws {
        let text = try #require(self.text(name))
        #expect(text.contains(old), "nothing to edit in \(name)")
        try write(text.replacingOccurrences(of: old, with: new), to: name)
    }

    func delete(_ name: String) throws { try FileManager.default.removeItem(atPath: path + "/" + name) }

    /// Every file of the store as it stands.
    func allFiles() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for subject in try store.folder.listing().subjects { files[subject.path] = file(subject.path) }
        return files
    }

    // MARK: soundness

    /// What plain git has to say of it: `git fsck` nothing, `git status` nothing unless there is a draft.
    func expectSound(draft: Bool = false, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try runGit(["fsck", "--strict", "--no-dangling"], in: root) == "", sourceLocation: sourceLocation)
        #expect(!store.folder.hasUnfinishedDone, sourceLocation: sourceLocation)
        guard !draft else { return }
        #expect(try runGit(["status", "--porcelain"], in: root) == "", sourceLocation: sourceLocation)
        let open = try store.workTree.draft()
        #expect(open.isEmpty, "a draft: \(open)", sourceLocation: sourceLocation)
    }
}

/// A new store for `body`, and afterwards a look at whether it is sound.
func withStore(
    prefix: String = "", draft: Bool = false, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (TemporaryStore) throws -> Void
) throws {
    let store = try TemporaryStore.make(prefix: prefix)
    try body(store)
    try store.expectSound(draft: draft, sourceLocation: sourceLocation)
}

/// What this fails with; nil where it doesn't.
func failure(_ body: () throws -> Void) -> Problem? {
    do {
        try body()
        return nil
    } catch {
        if !(error is Problem) { Issue.record(error) }
        return error as? Problem
    }
}

extension Problem {
    /// As the command line says it.
    var reason: String { CommandLineHints.explanation(of: self).reason }
    var hint: String? { CommandLineHints.explanation(of: self).hint }
}

extension Finding {
    var reason: String { CommandLineHints.explanation(of: self).reason }
    var hint: String? { CommandLineHints.explanation(of: self).hint }
}

extension VersionChanges.Unreadable {
    var reason: String { problem.reason }
}

extension TemporaryStore {
    /// With how many random cases a law is tried: as many as `SETTINGS_CASES` asks for, up to a limit, or `count`.
    static func cases(_ count: Int, atMost limit: Int) -> Int {
        ProcessInfo.processInfo.environment["SETTINGS_CASES"].flatMap { Int($0) }.map { min($0, limit) } ?? count
    }
}
