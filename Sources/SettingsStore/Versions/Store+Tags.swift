package import Git
package import SettingsModel

/// A name for a version.
package typealias VersionTag = Tag

extension Store {
    package func tags() throws(StoreError) -> [VersionTag] {
        try git { () throws(GitError) in try repository.tags() }
    }

    /// Names a version, nil for the last one, and returns it. `why` becomes the tag's message. `moving`: a tag of that name is
    /// moved.
    package func tag(
        _ name: String, _ version: VersionID?, moving: Bool = false, _ done: Done
    ) throws(StoreError) -> Version {
        func wanted() throws(StoreError) -> Version {
            if let version { try self.version(version) } else { try self.version(named: "HEAD") }
        }
        try checkTagName(name, now: done.time.seconds)
        if done.isDryRun {
            if !moving, try tags().contains(where: { $0.name == name }) { throw taken(name) }
            return try wanted()
        }
        let lock = try takeLock()
        defer { withExtendedLifetime(lock) {} }
        try mendUnderLock()
        let version = try wanted()
        let message = (done.why ?? name) + "\n"
        let tagger = Signature(done.committer, at: done.time)
        try noted { own throws(StoreError) in
            do throws(GitError) {
                try repository.createTag(
                    name: name, target: version.id, message: message, tagger: tagger, moving: moving, own: own)
            } catch {
                switch error.kind {
                case .exists: throw taken(name)
                case .invalid: throw StoreError(.usage, "'\(name)' can't be the name of a tag")
                default: throw StoreError(error)
                }
            }
        }
        return version
    }

    private func taken(_ name: String) -> StoreError {
        StoreError(
            .conflict, "there is a tag '\(name)' already",
            hint: "choose another name, or move it with 'settings tag --force \(name)'")
    }

    /// Takes a version's name away. Returns the tag as it was.
    package func removeTag(_ name: String, _ done: Done) throws(StoreError) -> VersionTag {
        func find() throws(StoreError) -> VersionTag {
            let tags = try tags()
            if let tag = tags.first(where: { $0.name == name }) { return tag }
            let near = Nearest.words(to: name, among: tags.map(\.name))
            throw StoreError(
                .missing, "there is no tag '\(name)'",
                hint: near.first.map { "did you mean \($0)?" } ?? "'settings tag' lists the tags")
        }
        if done.isDryRun { return try find() }
        let lock = try takeLock()
        defer { withExtendedLifetime(lock) {} }
        try mendUnderLock()
        let tag = try find()
        try noted { own throws(StoreError) in
            try git { () throws(GitError) in try repository.deleteReference("refs/tags/" + name, own: own) }
        }
        return tag
    }

    /// Refuses a name that means something else where a version is named: as a tag it would never be found, or hide that.
    private func checkTagName(_ name: String, now: Int64) throws(StoreError) {
        let reason: String? =
            if case .moment = When(name, now: now) {
                "is a time"
            } else if name == "@" || name == "HEAD" || name.hasSuffix("_HEAD") && name == name.uppercased() {
                "is a name of git's own"
            } else if ["refs/", "heads/", "tags/", "remotes/"].contains(where: name.hasPrefix) || name == "stash" {
                "means a reference to git"
            } else if name.utf8.count >= Self.shownIDLength, name.utf8.allSatisfy(Self.isHexadecimal) {
                "may be the beginning of a version's id"
            } else if (try? repository.reference(named: "refs/heads/" + name)) != nil {
                "is a branch"
            } else if try tags().contains(where: { $0.name == name }) {
                nil
            } else {
                (try? repository.resolve(name)).map { "means the version \($0.short) already" }
            }
        guard let reason else { return }
        let plain = name.filter { $0.isLetter || $0.isNumber }
        throw StoreError(
            .usage, "'\(name)' \(reason), so it can't be the name of a tag",
            hint: "choose a name that means nothing else, such as 'release-\(plain.isEmpty ? "1" : plain)'")
    }

    /// As ids are printed.
    private static let shownIDLength = 7

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }
}
