import Git
package import SettingsModel

extension History {
    /// The version that WHEN comes to: for a moment the newest one, along first parents, that is not after it.
    package func version(at when: When, written text: String) throws(Problem) -> Version {
        guard let tip = try versions.head.commit else { throw .history(.hasNoVersion) }
        switch when {
        case .revision(let name):
            do throws(Problem) { return try versions.version(named: name) } catch {
                guard When.looksLikeTime(name) else { throw error }
                throw .history(.isNoTime(name))
            }
        case .moment(let seconds):
            var oldest: CommitHeader?
            var id: VersionID? = tip
            if let index = cache.index(), let found = index.newest(until: seconds) { id = found }
            while let next = id {
                versions.countOne()
                let commit = try git { () throws(GitError) in try versions.repository.objects.header(next) }
                if commit.time <= seconds { return try versions.version(next) }
                oldest = commit
                id = versions.isBoundary(commit.parents) ? nil : commit.parents.first
            }
            throw .history(.isBeforeFirst(text, try oldest.map { commit throws(Problem) in try versions.version(commit.id) }))
        }
    }

}
