package import Git
package import SettingsModel

/// A name for a version.
package typealias VersionTag = Tag

/// Names for versions.
package final class Tags {
    let versions: Versions
    let journal: Journal
    let recorder: Recorder

    init(_ versions: Versions, _ journal: Journal, _ recorder: Recorder) {
        self.versions = versions
        self.journal = journal
        self.recorder = recorder
    }

    /// Without those whose objects are missing, unless `all` are asked for.
    package func list(all: Bool = false) throws(Problem) -> [VersionTag] {
        try git(versions.repository.references.tags(leavingOutMissing: !all))
    }

    /// Names a version, nil for the last one, and returns it. `why` becomes the tag's message. `moving`: a tag of that name is
    /// moved.
    package func add(
        _ name: String, _ version: VersionID?, moving: Bool = false, _ done: Done
    ) throws(Problem) -> Version {
        func wanted() throws(Problem) -> Version {
            if let version { try versions.version(version) } else { try versions.version(named: "HEAD") }
        }
        try checkTagName(name, Clock(now: done.time.seconds, minutesEast: done.time.offset))
        if done.isDryRun {
            if !moving, try list().contains(where: { $0.name == name }) { throw .history(.tagIsThere(name)) }
            return try wanted()
        }
        let message = (done.why ?? name) + "\n"
        let tagger = Signature(done.committer, at: done.time)
        var signed: (version: Version, signature: [UInt8])?
        if let signing = done.signing {
            // Without the lock: a person may be typing a passphrase.
            let (signer, version) = (Signer(signing), try wanted())
            let object = try naming(
                name,
                versions.repository.references.tagObject(
                    name: name, target: version.id, message: message, tagger: tagger, moving: moving))
            try signer.sign(object)
            signed = (version, signer.signature(of: object) ?? [])
        }
        return try recorder.underLock { () throws(Problem) in
            let version = if let signed { signed.version } else { try wanted() }
            try journal.noted { own throws(Problem) in
                try naming(
                    name,
                    versions.repository.references.createTag(
                        name: name, target: version.id, message: message, tagger: tagger, signature: signed?.signature ?? [],
                        moving: moving, own: own))
            }
            return version
        }
    }

    private func naming<Result>(_ name: String, _ call: @autoclosure () throws(GitError) -> Result) throws(Problem) -> Result {
        do throws(GitError) { return try call() } catch {
            switch error.kind {
            case .exists: throw .history(.tagIsThere(name))
            case .invalid: throw .history(.invalidTag(name))
            default: throw Problem(error)
            }
        }
    }

    /// Takes a version's name away. Returns the tag as it was.
    package func remove(_ name: String, _ done: Done) throws(Problem) -> VersionTag {
        func find() throws(Problem) -> VersionTag {
            let tags = try list()
            if let tag = tags.first(where: { $0.name == name }) { return tag }
            throw .history(.noTag(name, near: Nearest.words(to: name, among: tags.map(\.name))))
        }
        if done.isDryRun { return try find() }
        return try recorder.underLock { () throws(Problem) in
            let tag = try find()
            try journal.noted { own throws(Problem) in
                try git(versions.repository.references.deleteReference("refs/tags/" + name, own: own))
            }
            return tag
        }
    }

    private func checkTagName(_ name: String, _ clock: Clock) throws(Problem) {
        if let meaning = try versions.meaning(of: name, clock, besides: try list().map(\.name)) {
            throw .history(.tagMeansOther(name, meaning))
        }
    }
}
