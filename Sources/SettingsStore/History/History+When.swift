import Git
package import SettingsModel

extension History {
    /// What a WHEN means here: the name of a tag or a branch is that, even if it could be read as a time.
    package func meaning(of text: String, _ clock: Clock, bareDate edge: When.Edge = .end) throws(Problem) -> When {
        let when = When(text, clock, bareDate: edge)
        guard when.seconds != nil, !text.contains(where: { " :@".contains($0) }) else { return when }
        for kind in ["refs/tags/", "refs/heads/"] {
            let found = try git(versions.repository.references.reference(named: kind + text))
            if found != nil { return .revision(text) }
        }
        return when
    }

    /// The version that WHEN comes to: for a moment the newest one, along first parents, that is not after it.
    package func version(at when: When, written text: String) throws(Problem) -> Version {
        guard let tip = try versions.head.commit else { throw .history(.hasNoVersion) }
        switch when {
        case .revision(let name): return try versions.version(named: name)
        case .malformed(let name):
            do throws(Problem) { return try versions.version(named: name) } catch { throw .history(.isNoTime(name)) }
        case .future(let seconds): throw .history(.isInFuture(text, seconds))
        case .moment(let seconds):
            var oldest: CommitHeader?
            var id: VersionID? = tip
            var isCutOff = false
            if let index = cache.index(), let found = index.newest(until: seconds) { id = found }
            while let next = id {
                try versions.countOne()
                let commit = try git(versions.repository.objects.header(next))
                if commit.time <= seconds { return try versions.version(next) }
                oldest = commit
                isCutOff = versions.isBoundary(commit.parents)
                id = isCutOff ? nil : commit.parents.first
            }
            if isCutOff, let oldest { throw .history(.isBeforeClone(text, try versions.version(oldest.id))) }
            throw .history(.isBeforeFirst(text, try oldest.map { commit throws(Problem) in try versions.version(commit.id) }))
        }
    }
}
