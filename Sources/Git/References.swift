import Files
package import Base
internal import CGit2

/// HEAD, branches, tags and other names, with their reflogs.
package struct References {
    let git: GitDirectory
    let objects: Objects
    let configuration: RepositoryConfiguration

    /// What a reference comes to, symbolic ones followed; nil where there is none.
    package func reference(named name: String) throws(GitError) -> ObjectID? {
        let operation = "read \(name)"
        try refuseZeroByte(in: name, operation)
        var raw = git_oid()
        guard try finds(operation, { git_reference_name_to_id(&raw, git.pointer, name) }) else { return nil }
        return ObjectID(raw)
    }

    /// References by a pattern as `refs/tags/*`, by name; those that lead nowhere are left out.
    package func references(matching glob: String) throws(GitError) -> [(name: String, target: ObjectID)] {
        let operation = "list \(glob)"
        try refuseZeroByte(in: glob, operation)
        let loose = try looseReferences(in: "refs").filter { $0.hasPrefix(glob.prefix { $0 != "*" }) && !$0.hasSuffix(".lock") }
        let iterator = try own(operation, git_reference_iterator_free) {
            git_reference_iterator_glob_new(&$0, git.pointer, glob)
        }
        var found: [(name: String, target: ObjectID)] = []
        while true {
            var name: UnsafePointer<CChar>?
            let code = git_reference_next_name(&name, iterator.pointer)
            if code == GIT_ITEROVER.rawValue { break }
            try check(operation) { code }
            guard let name = name.map({ String(cString: $0) }), let target = try reference(named: name) else { continue }
            found.append((name, target))
        }
        // libgit2 passes over those that it can't read.
        let known = Set(found.map(\.name))
        for name in loose where !known.contains(name) {
            do throws(GitError) {
                if let target = try reference(named: name) { found.append((name, target)) }
            } catch {
                if error.kind == .denied || error.kind == .other { throw error }
            }
        }
        return found.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Compare and swap by libgit2: of references that aren't plain files.
    func move(
        _ name: String, to new: ObjectID, from old: ObjectID?, by signature: Signature, note: String,
        if allowed: () throws(GitError) -> Bool
    ) throws(GitError) {
        let operation = "move \(name)"
        try refuseZeroByte(in: note, operation)
        let signature = try OwnedSignature.make(signature)
        try objects.writeObjects()
        // libgit2 syncs an object and its own folder, not the one that a new folder is made in (all versions; not reported).
        try git.sync(git.commonDirectory + "/objects")
        let transaction = try own(operation, git_transaction_free) { git_transaction_new(&$0, git.pointer) }
        try check(operation) { git_transaction_lock_ref(transaction.pointer, name) }
        try checkTarget(of: name, is: old, allowed, operation)
        do {
            var raw = new.raw
            try check(operation) {
                git_transaction_set_target(transaction.pointer, name, &raw, signature.pointer, note)
            }
            try check(operation) { git_transaction_commit(transaction.pointer) }
            Trace.note("moved \(name) to \(new)")
            try objects.confirmObjects()
        } catch {
            // The last thing that can fail is syncing the folder, when the file has been put in place already.
            if new != old, (try? reference(named: name)) == new { throw error.of(.durabilityUnknown) }
            throw error
        }
    }

    /// Refuses where another process has moved a reference, under its lock.
    func checkTarget(
        of name: String, is old: ObjectID?, _ allowed: () throws(GitError) -> Bool, _ operation: String
    ) throws(GitError) {
        let current = try reference(named: name)
        guard current == old, try allowed() else {
            throw GitError(
                .modified, "it is at \(current?.short ?? "nothing"), no longer at \(old?.short ?? "nothing")",
                operation: operation)
        }
    }

    /// The references that have a file of their own. Refuses those that are no files: reading a pipe would block.
    func looseReferences(in folder: String, depth: Int = 0) throws(GitError) -> [String] {
        guard depth < 32 else { return [] }
        var found: [String] = []
        let names = try system(
            FileSystem.entries(of: "\(git.commonDirectory)/\(folder)"), for: "read \(git.commonDirectory)/\(folder)")
        for (name, entry) in names {
            let path = "\(folder)/\(name)"
            if entry == .folder {
                found += try looseReferences(in: path, depth: depth + 1)
                continue
            }
            if entry != .file { try Repository.checkFile("\(git.commonDirectory)/\(path)", atMost: .max, orFolder: true) }
            found.append(path)
        }
        return found
    }
}
