package import Files
package import Base
internal import CGit2

extension References {
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
        let path = head.branch.map { git.commonDirectory + "/" + $0 } ?? git.gitDirectory + "/HEAD"
        guard old != new, head.branch?.hasPrefix("refs/heads/") ?? (old != nil), try isPlainReference(path) else {
            try move(try final(head.reference), to: new, from: old, by: signature, note: note, if: isUnmoved)
            return nil
        }
        let logs = [head.branch.map { git.commonDirectory + "/logs/" + $0 }, git.gitDirectory + "/logs/HEAD"].compactMap { $0 }
        let makesLogs = try makesLogs
        let move = try remakingFolders { () throws(GitError) in
            try place(
                head.reference, at: path, new, old, logs: logs, making: makesLogs, by: signature, note: note, own: own,
                durability, if: isUnmoved)
        }
        if callerWaits, durability == .fast { return move }
        try settle(move)
        return nil
    }

    /// Points a reference at an object, if it is still at `old`; a nil `old` means that there is none yet. Fails as
    /// `moveHead` does. `making`: with a reflog, where git makes them.
    package func setReference(
        _ name: String, to new: ObjectID, from old: ObjectID?, by signature: Signature, note: String, own: String? = nil,
        durability: Durability = .strict, making: Bool = false
    ) throws(GitError) {
        let makesLog = making ? try makesLogs : false
        let operation = "move \(name)"
        // Nothing leads to what was written where this fails.
        defer { objects.dropObjects() }
        try refuseZeroByte(in: name, operation)
        var valid: Int32 = 0
        try check(operation) { git_reference_name_is_valid(&valid, name) }
        guard valid == 1, name.hasPrefix("refs/") else {
            throw GitError(.invalid, "git allows no such name", operation: operation)
        }
        let path = git.commonDirectory + "/" + name
        guard old != new, try isPlainReference(path) else {
            return try move(name, to: new, from: old, by: signature, note: note) { () throws(GitError) in true }
        }
        if old == nil { try checkPlace(of: name) }
        let move = try remakingFolders { () throws(GitError) in
            try place(
                name, at: path, new, old, logs: [git.commonDirectory + "/logs/" + name], making: makesLog,
                by: signature, note: note, own: own, durability
            ) { () throws(GitError) in true }
        }
        try settle(move)
    }

    /// Points HEAD at a branch, and says so in HEAD's reflog in git's words. `.modified`: HEAD's commit is no longer `old`, or the
    /// branch no longer at `new`. `.locked`: somebody else is about to move HEAD. After any error it stands where it stood.
    package func checkOut(
        _ branch: String, at new: ObjectID, from old: ObjectID?, by signature: Signature, own: String? = nil,
        durability: Durability = .strict
    ) throws(GitError) {
        func short(_ name: String) -> String { name.hasPrefix("refs/heads/") ? String(name.dropFirst(11)) : name }
        let operation = "check out \(short(branch))"
        let path = git.gitDirectory + "/HEAD"
        let signature = try OwnedSignature.make(signature)
        let folder = try system(
            FileSystem.open(folder: git.gitDirectory, durable: durability == .strict, git.sharedMode))
        var lock = try git.takeLock(of: path, "HEAD", own)
        let head = try self.head()
        guard head.commit == old, try reference(named: branch) == new else {
            throw GitError(.modified, "it was moved meanwhile", operation: operation)
        }
        let former = head.branch.map { short($0) } ?? old?.hex ?? "HEAD"
        let none = String(repeating: "0", count: 40)
        let entry = "\(old?.hex ?? none) \(new) \(signature.line)\tcheckout: moving from \(former) to \(short(branch))\n"
        let log = try append(entry, to: git.gitDirectory + "/logs/HEAD", making: makesLogs)
        do throws(GitError) {
            if let log { try system(log.sync(durability)) }
            try system(lock.write(Array("ref: \(branch)\n".utf8)))
            try system(lock.sync(durability))
            try system(lock.place())
        } catch {
            log?.takeBack()
            throw error
        }
        if durability != .none { try? folder.sync(.strict, git.gitDirectory) }
        Trace.note("HEAD is on \(branch)")
    }

    /// `git pack-refs` and `git gc` remove folders that are empty, also one that has just been made: as git does, it is made once
    /// more. `work` left everything as it was where it fails.
    private func remakingFolders<Result: ~Copyable>(_ work: () throws(GitError) -> Result) throws(GitError) -> Result {
        for attempt in 1...Self.folderAttempts {
            do throws(GitError) { return try work() } catch {
                guard error.kind == .notFound else { throw error }
                ThisProcess.pause(UInt32.random(in: 100...1000 * UInt32(attempt)))
            }
        }
        return try work()
    }

    private static let folderAttempts = 10

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
        let trace = Trace.begin()
        let operation = "move \(name)"
        try refuseZeroByte(in: note, operation)
        let signature = try OwnedSignature.make(signature)
        try objects.writeObjects(durability)
        // Opened before anything moves: that can fail too.
        let folder = try system(
            FileSystem.open(folder: FileSystem.folder(of: path), durable: durability == .strict, git.sharedMode))
        var lock = try git.takeLock(of: path, name, own)
        try checkTarget(of: name, is: old, allowed, operation)
        let none = String(repeating: "0", count: 40)
        let words = note.map { $0.isNewline ? " " : String($0) }.joined()
        let entry = "\(old?.hex ?? none) \(new) \(signature.line)\t\(words)\n"
        var entries: [LogFile] = []
        do throws(GitError) {
            for log in logs { if let entry = try append(entry, to: log, making: making) { entries.append(entry) } }
            for entry in entries { try system(entry.sync(durability)) }
            try system(lock.write(Array("\(new)\n".utf8)))
            try system(lock.sync(durability))
            try system(lock.place())
        } catch {
            for entry in entries { entry.takeBack() }
            throw error
        }
        let move = BranchMove(
            name: name, path: path, new: new, old: old, own: own, durability: durability, file: lock, folder: folder,
            logs: entries)
        do { try objects.confirmObjects(durability) } catch {
            guard let () = try? takeBack(move) else { throw error.of(.durabilityUnknown) }
            throw error
        }
        trace?.end("moved \(name) to \(new)")
        return move
    }

    private func append(_ entry: String, to path: String, making: Bool) throws(GitError) -> LogFile? {
        guard let log = try system(LogFile.open(path, making: making, git.sharedMode)) else { return nil }
        guard log.isRegular else { throw GitError(.invalid, "it is not a regular file", operation: "write \(path)") }
        try system(log.append(entry))
        return log
    }

    /// Waits for a move, and takes it back where the disk fails.
    private func settle(_ move: borrowing BranchMove) throws(GitError) {
        do {
            if move.durability == .fast { try system(move.file.sync(.strict)) }
            if move.durability != .none { try system(move.folder.sync(.strict, FileSystem.folder(of: move.path))) }
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
        var lock = try git.takeLock(of: move.path, move.name, move.own)
        // Somebody may have built on it in the meantime.
        guard try reference(named: move.name) == move.new else {
            throw GitError(.durabilityUnknown, "it has moved on", operation: move.name)
        }
        if let old = move.old {
            try system(lock.write(Array("\(old)\n".utf8)))
            try system(lock.sync(move.durability))
            try system(lock.place())
        } else {
            try system(FileSystem.remove(move.path), for: "remove \(move.name)")
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
        let path = git.commonDirectory + "/" + name
        let lock = try remakingFolders { () throws(GitError) in
            try system(Folder.make(FileSystem.folder(of: path), shared: git.sharedMode))
            return try git.takeLock(of: path, name, own)
        }
        defer { withExtendedLifetime(lock) {} }
        // Packed first, or what was packed before would come to light again.
        try unpack(name, own: own)
        do { try system(FileSystem.remove(path), for: operation) } catch {
            if try reference(named: name) != nil { throw error }
        }
        Trace.note("removed \(name)")
        try? FileSystem.remove(git.commonDirectory + "/logs/" + name)
    }

    /// Takes a reference out of `packed-refs`: a line each, an id and a name, and one that begins with ^ for what the tag
    /// before points at.
    private func unpack(_ name: String, own: String?) throws(GitError) {
        let path = git.commonDirectory + "/packed-refs"
        guard try system(FileSystem.bytes(of: path, atMost: .max))?.holds(name) == true else { return }
        var lock = try git.takeLock(of: path, "packed-refs", own)
        guard let bytes = try system(FileSystem.bytes(of: path, atMost: .max)) else { return }
        var kept: [UInt8] = []
        var isDropped = false
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            if line.first != UInt8(ascii: "^") { isDropped = line.dropFirst(41).elementsEqual(name.utf8) }
            if !isDropped { kept += line + [UInt8(ascii: "\n")] }
        }
        try system(lock.write(kept))
        try system(lock.sync(.strict))
        try system(lock.place())
        // It is gone, though a loss of power may bring it back.
        try? FileSystem.sync(git.commonDirectory)
    }

    /// The reference that a name comes to: a branch may stand for another one.
    private func final(_ name: String) throws(GitError) -> String {
        var name = name
        for _ in 0..<Self.symbolicLimit {
            let operation = "read \(name)"
            // Only a file of its own can say so.
            let file = name == "HEAD" ? nil : try system(FileSystem.bytes(of: git.commonDirectory + "/" + name, atMost: 4096))
            guard file?.starts(with: "ref:".utf8) ?? false else { return name }
            let reference = try own(operation, git_reference_free) { git_reference_lookup(&$0, git.pointer, name) }
            guard let target = git_reference_symbolic_target(reference.pointer) else { return name }
            name = String(cString: target)
        }
        throw GitError(.invalid, "it stands for another too many times over", operation: "read \(name)")
    }

    /// As git has it.
    private static let symbolicLimit = 5

    /// A file that holds an id, or none where the id is packed.
    private func isPlainReference(_ path: String) throws(GitError) -> Bool {
        if let bytes = try system(FileSystem.bytes(of: path, atMost: 4096)) { return ObjectID(hex: bytes.prefix(40)) != nil }
        return try system(FileSystem.attributes(of: path)).map { $0.kind == .folder } ?? true
    }

    /// Whether reflogs are made where there are none, by git's rule.
    private var makesLogs: Bool {
        get throws(GitError) {
            try configuration.isOff("core.logAllRefUpdates").map { !$0 } ?? !git.isBare
        }
    }
}

extension [UInt8] {
    fileprivate func holds(_ name: String) -> Bool {
        split(separator: UInt8(ascii: "\n")).contains { $0.dropFirst(41).elementsEqual(name.utf8) }
    }
}
