package import Git
package import SettingsModel

/// Why something couldn't be done, in words, with what to do about it. Nothing was changed.
package struct StoreError: Error, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Wrong words: a malformed key, a value that contradicts another.
        case usage
        /// A file that can't be read, a value that an option doesn't have.
        case badData
        /// No such key, store or version.
        case missing
        /// A person must decide.
        case conflict
        /// The answer is no: nothing to undo.
        case no
        case cannotWrite
        case busy
        /// The store's policy refuses.
        case policy
    }

    package var kind: Kind
    package var reason: String
    package var hint: String?
    package var conflicts: [Conflict]
    /// The repository is somebody else's; its files can be read all the same.
    var isForeign = false
    /// Who made the sides of each conflict, where that was looked up.
    package var origins: [ConflictOrigin] = []

    package init(_ kind: Kind, _ reason: String, hint: String? = nil, conflicts: [Conflict] = []) {
        self.kind = kind
        self.reason = reason
        self.hint = hint
        self.conflicts = conflicts
    }

    init(notAt expected: VersionID, but tip: VersionID?) {
        self.init(
            .conflict, "the store is no longer at \(expected.short) but at \(tip?.short ?? "no version")",
            hint: "look at what came since with 'settings diff --from \(expected.short)', then try again")
    }

    package init(_ error: Key.Malformed, key: String) {
        self.init(.usage, "'\(key)' is no key: \(error.reason)", hint: "a key looks like general.language")
    }

    /// `path` is shown before the line and column.
    package init(_ error: BadFile, in path: String) {
        let place = error.position.map { ":\($0.line):\($0.column)" } ?? ""
        self.init(.badData, "\(path)\(place): \(error.reason)", hint: error.hint)
    }

    package init(_ error: Conflicts) {
        self.init(
            .conflict, "it conflicts with what was changed since", hint: "nothing was changed; decide with 'settings set'",
            conflicts: error.conflicts
        )
    }

    package init(_ error: GitError) {
        switch error.kind {
        case .locked, .modified:
            self.init(
                .busy, "the repository is in use: \(error.message)",
                hint: "try again; a lock left by a dead program must be removed by hand")
        // Something refers to it: names that a person wrote are looked up elsewhere.
        case .notFound where error.message.contains("object not found"):
            self.init(.badData, error.description, hint: "'git fsck' tells what is missing")
        case .tooLarge:
            self.init(.badData, error.description, hint: "that is too large for a store; plain git can look at it")
        case .promised:
            self.init(.badData, error.description, hint: "'git fetch --refetch --no-filter' brings everything here")
        case .notFound, .ambiguous: self.init(.missing, error.description)
        case .lost(let branch, let last):
            self.init(
                .badData, "the branch \(branch.deletingBranchFolder) is gone, though its log has it at \(last.short)",
                hint: "'git update-ref \(branch) \(last)' puts it back; 'settings verify --deep' tells whether more is missing")
        case .unknownIndex(extension: "link"):
            self.init(
                .cannotWrite, "git's index is split into two files, which only git can read",
                hint: "'git config core.splitIndex false' and 'git update-index --no-split-index' make it one")
        case .unknownIndex(extension: "sdir"):
            self.init(
                .cannotWrite, "git's index is sparse, which only git can read",
                hint: "'git sparse-checkout reapply --no-sparse-index' makes it list every file")
        case .unknownIndex(extension: let name):
            self.init(
                .cannotWrite, "git's index has the extension '\(name)', which only git can read",
                hint: "'rm -f .git/index' and 'git reset' make it anew; what was staged has to be staged again")
        case .corrupt: self.init(.badData, error.description, hint: "'git fsck' tells what is damaged")
        default: self.init(.cannotWrite, error.description)
        }
    }
}

extension String {
    /// A branch's short name.
    fileprivate var deletingBranchFolder: String { hasPrefix("refs/heads/") ? String(dropFirst(11)) : self }
}

/// Runs git's part of the work, its errors as the store's.
func git<Result: ~Copyable>(_ work: () throws(GitError) -> Result) throws(StoreError) -> Result {
    do { return try work() } catch { throw StoreError(error) }
}
