import Git
package import SettingsModel

extension Store {
    /// The version that WHEN comes to: for a moment the newest one, along first parents, that is not after it.
    package func version(at when: When, written text: String) throws(Problem) -> Version {
        guard let tip = try head.commit else { throw .history(.hasNoVersion) }
        switch when {
        case .revision(let name):
            do throws(Problem) { return try version(named: name) } catch {
                guard When.looksLikeTime(name) else { throw error }
                throw .history(.isNoTime(name))
            }
        case .moment(let seconds):
            var oldest: CommitHeader?
            var id: VersionID? = tip
            if let index = index(), let found = index.newest(until: seconds) { id = found }
            while let next = id {
                countOne()
                let commit = try git { () throws(GitError) in try repository.header(next) }
                if commit.time <= seconds { return try version(next) }
                oldest = commit
                id = isBoundary(commit.parents) ? nil : commit.parents.first
            }
            throw .history(.isBeforeFirst(text, try oldest.map { commit throws(Problem) in try version(commit.id) }))
        }
    }

    package func version(named name: String) throws(Problem) -> Version {
        do {
            return Version(try repository.commit(try repository.resolve(name)))
        } catch {
            switch error.kind {
            // libgit2 looks none up that is so short.
            case .ambiguous where name.utf8.count < 4: throw .history(.noVersion(name))
            case .ambiguous: throw .history(.isSeveral(name))
            // Anything else is no answer about the name.
            case .corrupt, .other, .denied, .locked, .lost, .tooLarge, .promised: throw Problem(error)
            default: throw .history(.noVersion(name))
            }
        }
    }
}
