import Git
package import SettingsModel

extension Store {
    /// The version that WHEN comes to: for a moment the newest one, along first parents, that is not after it.
    package func version(at when: When, written text: String) throws(StoreError) -> Version {
        guard let tip = try head.commit else { throw StoreError(.missing, "the store has no version yet") }
        switch when {
        case .revision(let name):
            do throws(StoreError) { return try version(named: name) } catch {
                guard When.looksLikeTime(name) else { throw error }
                throw StoreError(
                    .missing, "'\(name)' is not a valid time",
                    hint: "write it as 18:00, 2026-11-20, '2026-11-20 18:00' or 2026-11-20T18:00:00Z")
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
            let first = try oldest.map { commit throws(StoreError) in try version(commit.id) }
            throw StoreError(
                .missing, "there was no version yet at '\(text)'",
                hint: first.map { "the first one, \($0.id.short), is of \($0.time.rfc3339)" }
            )
        }
    }

    package func version(named name: String) throws(StoreError) -> Version {
        do {
            return Version(try repository.commit(try repository.resolve(name)))
        } catch {
            switch error.kind {
            case .ambiguous: throw StoreError(.missing, "'\(name)' is the beginning of several ids", hint: "write more of it")
            // Anything else is no answer about the name.
            case .corrupt, .other, .denied, .locked, .lost, .tooLarge, .promised: throw StoreError(error)
            default:
                throw StoreError(
                    .missing, "there is no version '\(name)'",
                    hint: "a version is an id, a tag, HEAD~2 or a time such as 'yesterday 18:00'; 'settings history' lists them"
                )
            }
        }
    }
}
