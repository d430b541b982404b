package import SettingsModel
internal import CGit2
internal import CGitObjects

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Repository {
    /// Moves the branch that HEAD is on (or a detached HEAD) to a new commit, if it is still at `old`; a nil `old` means
    /// that the branch has no commit yet. Both reflogs say who and why. `own` is a folder for second names of locks.
    ///
    /// `.modified`: somebody else moved it first. `.locked`: somebody else is about to. `.durabilityUnknown`: it has moved,
    /// and the disk let it neither be made sure of nor taken back. After any other error it stands where it stood.
    ///
    /// Where `durability` is `fast` and the caller is the one to wait for the disk, it gets what there is to wait for.
    ///
    /// libgit2 would sync both reflogs, the reference and the folder of each, one after the other, and no call of its own
    /// comes between writing a reference and renaming it, where its content must be on its way. A branch that isn't a
    /// plain file is left to libgit2.
    @discardableResult
    package func moveHead(
        to new: ObjectID, from old: ObjectID?, by signature: Signature, note: String, own: String? = nil,
        durability: Durability = .strict, callerWaits: Bool = false
    ) throws(GitError) -> BranchMove? {
        let head = try unresolvedHead()
        func isUnmoved() throws(GitError) -> Bool {
            // HEAD is not under the branch's lock: somebody may have checked out another branch.
            try unresolvedHead().branch == head.branch
        }
        let path = head.branch.map { commonDirectory + "/" + $0 } ?? gitDirectory + "/HEAD"
        guard old != new, head.branch?.hasPrefix("refs/heads/") ?? (old != nil), try isPlainReference(path) else {
            try move(try final(head.reference), to: new, from: old, by: signature, note: note, if: isUnmoved)
            return nil
        }
        let logs = [head.branch.map { commonDirectory + "/logs/" + $0 }, gitDirectory + "/logs/HEAD"].compactMap { $0 }
        let move = try place(
            head.reference, at: path, new, old, logs: logs, making: try makesLogs, by: signature, note: note, own: own,
            durability, if: isUnmoved)
        if callerWaits, durability == .fast { return move }
        try settle(move)
        return nil
    }

    /// Points a reference at an object, if it is still at `old`; a nil `old` means that there is none yet. Fails as
    /// `moveHead` does.
    package func setReference(
        _ name: String, to new: ObjectID, from old: ObjectID?, by signature: Signature, note: String, own: String? = nil,
        durability: Durability = .strict
    ) throws(GitError) {
        let operation = "move \(name)"
        try refuseZeroByte(in: name, operation)
        var valid: Int32 = 0
        try check(operation) { git_reference_name_is_valid(&valid, name) }
        guard valid == 1, name.hasPrefix("refs/") else {
            throw GitError(.invalid, "git allows no such name", operation: operation)
        }
        let path = commonDirectory + "/" + name
        guard old != new, try isPlainReference(path) else {
            return try move(name, to: new, from: old, by: signature, note: note) { () throws(GitError) in true }
        }
        if old == nil { try checkPlace(of: name) }
        let move = try place(
            name, at: path, new, old, logs: [commonDirectory + "/logs/" + name], making: false, by: signature, note: note,
            own: own, durability
        ) { () throws(GitError) in true }
        try settle(move)
    }

    /// A name can't be a reference and a folder of others at once, be they packed or not.
    private func checkPlace(of name: String) throws(GitError) {
        func taken(_ other: String) -> GitError { GitError(.exists, "there is \(other)", operation: "make \(name)") }
        var above = FileSystem.folder(of: name)
        while above != ".", above != "refs" {
            if try reference(named: above) != nil { throw taken(above) }
            above = FileSystem.folder(of: above)
        }
        if let below = try references(matching: name + "/*").first { throw taken(below.name) }
    }

    private func place(
        _ name: String, at path: String, _ new: ObjectID, _ old: ObjectID?, logs: [String], making: Bool,
        by signature: Signature, note: String, own: String?, _ durability: Durability, if allowed: () throws(GitError) -> Bool
    ) throws(GitError) -> BranchMove {
        let operation = "move \(name)"
        try refuseZeroByte(in: note, operation)
        let signature = try OwnedSignature.make(signature)
        try writeObjects(durability)
        // Opened before anything moves: that can fail too.
        let folder = try OpenFolder.make(of: path, durable: durability == .strict, sharedMode)
        let second = Self.second(of: name, in: own)
        var lock = try LockFile.take(path, second: second, sharedMode)
        let current = try reference(named: name)
        guard current == old, try allowed() else {
            throw GitError(
                .modified, "it is at \(current?.short ?? "nothing"), no longer at \(old?.short ?? "nothing")",
                operation: operation)
        }
        let none = String(repeating: "0", count: 40)
        let words = note.map { $0.isNewline ? " " : String($0) }.joined()
        let entry = "\(old?.hex ?? none) \(new) \(signature.line)\t\(words)\n"
        var entries: [ReferenceLog] = []
        do {
            for log in logs {
                if let entry = try ReferenceLog.append(entry, to: log, making: making, sharedMode) { entries.append(entry) }
            }
            for entry in entries { try entry.sync(durability) }
            try lock.write(Array("\(new)\n".utf8))
            try lock.sync(durability.sync)
            try lock.place()
        } catch {
            for entry in entries { entry.takeBack() }
            throw error
        }
        return BranchMove(
            name: name, path: path, new: new, old: old, second: second, durability: durability, file: lock, folder: folder,
            logs: entries)
    }

    /// Waits for a move, and takes it back where the disk fails.
    private func settle(_ move: borrowing BranchMove) throws(GitError) {
        do {
            if move.durability == .fast { try move.file.sync(SETTINGS_SYNC_FULL) }
            if move.durability != .none { try move.folder.sync() }
        } catch {
            guard let () = try? takeBack(move) else { throw error.of(.durabilityUnknown) }
            throw error
        }
    }

    /// After a failed sync of a branch that has moved.
    ///
    /// It can't be synced again: Linux tells of a page that couldn't be written once and takes it for written then. Nor may
    /// the move count: what is reported as recorded must outlast a loss of power. So the branch goes back, in a new file.
    /// A disk that doesn't take that either leaves it open, as it does for a database, and the caller says so.
    package func takeBack(_ move: borrowing BranchMove) throws(GitError) {
        var lock = try LockFile.take(move.path, second: move.second, sharedMode)
        // Somebody may have built on it in the meantime.
        guard try reference(named: move.name) == move.new else {
            throw GitError(.durabilityUnknown, "it has moved on", operation: move.name)
        }
        if let old = move.old {
            try lock.write(Array("\(old)\n".utf8))
            try lock.sync(move.durability.sync)
            try lock.place()
        } else {
            guard unlink(move.path) == 0 else { throw .system(operation: "remove \(move.name)") }
        }
        // Where this fails too, the branch may stand at either after a loss of power.
        try? FileSystem.sync(FileSystem.folder(of: move.path))
        for log in move.logs { log.takeBack() }
    }

    /// Removes a reference and its reflog.
    package func deleteReference(_ name: String, own: String? = nil) throws(GitError) {
        let operation = "delete \(name)"
        try refuseZeroByte(in: name, operation)
        guard try reference(named: name) != nil else { throw GitError(.notFound, "it does not exist", operation: operation) }
        let path = commonDirectory + "/" + name
        try FileSystem.makeFolders(of: path, shared: sharedMode)
        let lock = try LockFile.take(path, second: Self.second(of: name, in: own), sharedMode)
        defer { withExtendedLifetime(lock) {} }
        // Packed first, or what was packed before would come to light again.
        try unpack(name, own: own)
        if unlink(path) != 0 {
            let failure = GitError.system(operation: operation)
            if try reference(named: name) != nil { throw failure }
        }
        unlink(commonDirectory + "/logs/" + name)
    }

    /// Takes a reference out of `packed-refs`: a line each, an id and a name, and one that begins with ^ for what the tag
    /// before points at.
    private func unpack(_ name: String, own: String?) throws(GitError) {
        let path = commonDirectory + "/packed-refs"
        guard try FileSystem.read(path, atMost: .max)?.bytes.holds(name) == true else { return }
        var lock = try LockFile.take(path, second: Self.second(of: "packed-refs", in: own), sharedMode)
        guard let (bytes, _) = try FileSystem.read(path, atMost: .max) else { return }
        var kept: [UInt8] = []
        var isDropped = false
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            if line.first != UInt8(ascii: "^") { isDropped = line.dropFirst(41).elementsEqual(name.utf8) }
            if !isDropped { kept += line + [UInt8(ascii: "\n")] }
        }
        try lock.write(kept)
        try lock.sync(SETTINGS_SYNC_FULL)
        try lock.place()
        // It is gone, though a loss of power may bring it back.
        try? FileSystem.sync(commonDirectory)
    }

    /// Removes the locks that a dead process left, of those it made with second names in `own`.
    package func removeLeftLocks(own: String) throws(GitError) {
        for name in try FileSystem.listed(own) {
            guard name.hasPrefix(Self.secondPrefix) else { continue }
            let locked = name.dropFirst(Self.secondPrefix.count).split(separator: ":").joined(separator: "/")
            let isOfAll = locked.hasPrefix("refs/") || ["packed-refs", "config"].contains(locked)
            try LockFile.removeLeft((isOfAll ? commonDirectory : gitDirectory) + "/" + locked, second: own + "/" + name)
        }
    }

    private static let secondPrefix = "lock-"

    /// No name of a reference has a colon.
    static func second(of name: String, in own: String?) -> String? {
        own.map { $0 + "/" + secondPrefix + name.split(separator: "/").joined(separator: ":") }
    }

    /// The reference that a name comes to: a branch may stand for another one.
    private func final(_ name: String) throws(GitError) -> String {
        var name = name
        for _ in 0..<Self.symbolicLimit {
            let operation = "read \(name)"
            // Only a file of its own can say so.
            let file = name == "HEAD" ? nil : try FileSystem.read(commonDirectory + "/" + name, atMost: 4096)
            guard file?.bytes.starts(with: "ref:".utf8) ?? false else { return name }
            let reference = try own(operation, git_reference_free) { git_reference_lookup(&$0, pointer, name) }
            guard let target = git_reference_symbolic_target(reference.pointer) else { return name }
            name = String(cString: target)
        }
        throw GitError(.invalid, "it stands for another too many times over", operation: "read \(name)")
    }

    /// As git has it.
    private static let symbolicLimit = 5

    /// A file that holds an id, or none where the id is packed.
    private func isPlainReference(_ path: String) throws(GitError) -> Bool {
        if let (bytes, _) = try FileSystem.read(path, atMost: 4096) { return ObjectID(hex: bytes.prefix(40)) != nil }
        guard let status = try FileSystem.status(of: path) else { return true }
        return status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether reflogs are made where there are none, by git's rule.
    private var makesLogs: Bool {
        get throws(GitError) {
            try isOff("core.logAllRefUpdates").map { !$0 } ?? !isBare
        }
    }
}

extension [UInt8] {
    fileprivate func holds(_ name: String) -> Bool {
        split(separator: UInt8(ascii: "\n")).contains { $0.dropFirst(41).elementsEqual(name.utf8) }
    }
}
