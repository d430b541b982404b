package import Git

/// A name for a version.
package typealias VersionTag = Tag

extension Store {
    package func tags() throws(StoreError) -> [VersionTag] {
        try git { () throws(GitError) in try repository.tags() }
    }

    /// Names a version, nil for the last one, and returns it. `why` becomes the tag's message.
    package func tag(_ name: String, _ version: VersionID?, _ done: Done) throws(StoreError) -> Version {
        let lock = try takeLock()
        defer { withExtendedLifetime(lock) {} }
        try mendUnderLock()
        let version = if let version { try self.version(version) } else { try self.version(named: "HEAD") }
        let message = (done.why ?? name) + "\n"
        let tagger = Signature(done.committer, at: done.time)
        try noted { own throws(StoreError) in
            do throws(GitError) {
                try repository.createTag(name: name, target: version.id, message: message, tagger: tagger, own: own)
            } catch {
                switch error.kind {
                case .exists:
                    throw StoreError(
                        .conflict, "there is a tag '\(name)' already",
                        hint: "tags stay where they are; choose another name")
                case .invalid: throw StoreError(.usage, "'\(name)' can't be the name of a tag")
                default: throw StoreError(error)
                }
            }
        }
        return version
    }
}
