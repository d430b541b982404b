// Until when the versions that were recorded here with --confirm can be confirmed:
//
//     settings/confirm/<id>.<seconds>.<minutes>     in git's folder, the one that all work trees share
//
// An empty file for each, whose name says the version, its deadline and the zone in which that is shown. It is on the disk
// before the branch moves to the version, and it is gone from there before a confirmation is recorded: whatever a process dies
// of, a confirmed version doesn't revert itself. A file for a version that no branch has does nothing; it is removed once git
// has dropped that commit.

import Files
import SettingsModel

/// The versions that revert themselves in this repository unless they are confirmed.
struct Deadlines {
    private let folder: Folder

    /// `commonDirectory`: git's folder that all work trees share.
    init(in commonDirectory: String) { folder = Folder(path: OwnFiles(in: commonDirectory).path("confirm")) }

    /// Costs one look at a folder, which isn't there where nothing was ever to be confirmed.
    func all() throws(Problem) -> [VersionID: Time] {
        let found = try (onDisk(folder.names()) ?? []).compactMap { Self.read($0.name) }
        return Dictionary(found.map { ($0.id, $0.deadline) }) { $0.seconds > $1.seconds ? $0 : $1 }
    }

    /// Nil for a version that no longer has to be confirmed here.
    func set(_ id: VersionID, _ deadline: Time?, _ durability: Durability, _ shared: SharedMode) throws(SystemFailure) {
        let new = deadline.map { "\(id.hex).\($0.seconds).\($0.offset)" }
        if let new {
            try Folder.make(folder.path, durable: durability != .none, shared: shared)
            try Folder.create(folder.full(new), [], .none)
            shared.apply(to: folder.full(new))
        }
        let old = try (folder.names() ?? []).map(\.name).filter { $0 != new && Self.read($0)?.id == id }
        for name in old { try FileSystem.remove(folder.full(name)) }
        if durability != .none, new != nil || !old.isEmpty { try FileSystem.sync(folder.path) }
    }

    private static func read(_ name: String) -> (id: VersionID, deadline: Time)? {
        let words = name.split(separator: ".")
        guard words.count == 3, let id = VersionID(hex: String(words[0])), let seconds = Int64(words[1]),
            let offset = Int(words[2])
        else { return nil }
        return (id, Time(seconds: seconds, offset: offset))
    }
}

extension Journal {
    /// On the disk when this returns. Nil for a version that no longer has to be confirmed here.
    func setDeadline(of id: VersionID, _ deadline: Time?) throws(Problem) {
        let shared = versions.repository.git.sharedMode
        try onDisk(versions.deadlines.set(id, deadline, durability, shared))
    }
}

extension Versions {
    var deadlines: Deadlines { Deadlines(in: repository.git.commonDirectory) }

    /// What HEAD says in each work tree of this repository, with its file: `ref: refs/heads/main`, or an id.
    var heads: [(path: String, target: String)] {
        let common = Folder(path: repository.git.commonDirectory)
        let trees = (try? Folder(path: common.full("worktrees")).names()).flatMap { $0 } ?? []
        return (["HEAD"] + trees.map { "worktrees/\($0.name)/HEAD" }).compactMap { name in
            guard let bytes = (try? common.read(name, limit: 4096)).flatMap({ $0 }) else { return nil }
            return (common.full(name), String(decoding: bytes, as: UTF8.self).trimmingSpaces)
        }
    }

    /// The versions that are checked out in a work tree of this repository without a branch.
    var detachedHeads: [VersionID] { heads.compactMap { VersionID(hex: $0.target) } }
}
