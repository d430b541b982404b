/// Something that is wrong in a store, or worth knowing.
package struct Finding: Sendable {
    package enum Kind: Hashable, Sendable {
        case problem
        /// A choice whose two lines name different labels: its meaning is clear, its index isn't right.
        case disagreement
        /// Worth knowing, though nothing is wrong.
        case note
    }

    package var path: String
    package var fault: Fault
    /// Where it came in, if not in the files as they stand.
    package var version: Version?
    /// The values that it could be.
    package var candidates: [JSON]
    package var kind: Kind
    /// What it is about.
    package var subject: Subject?

    package init(
        path: String, _ fault: Fault, version: Version? = nil, candidates: [JSON] = [], kind: Kind = .problem,
        subject: Subject? = nil
    ) {
        self.path = path
        self.fault = fault
        self.version = version
        self.candidates = candidates
        self.kind = kind
        self.subject = subject
    }

    /// What stopped a check.
    package init(_ problem: Problem, at path: String) {
        self.init(path: path, .problem(problem))
    }

    package init(_ found: Disagreement, isInFiles: Bool, version: Version? = nil) {
        self.init(
            path: found.subject.path, .disagreement(found, isInLastVersion: !isInFiles && version == nil), version: version,
            kind: .disagreement, subject: found.subject)
    }

    /// Said where there is no git to check what is git's.
    package static let uncheckedObjects = Finding(path: ".git", .objectsAreUnchecked, kind: .note)
}

extension Finding {
    /// What is wrong.
    package indirect enum Fault: Sendable {
        case problem(Problem, Remedy? = nil)
        case stray(Stray.Kind)
        case disagreement(Disagreement, isInLastVersion: Bool)
        case differsByCase
        case isStranger(Stranger)
        /// A merge left a value chosen that neither side chose there. `chosen` and `candidates` as people read them.
        case nobodysChoice(Key, byHost: Bool, chosen: String, candidates: [String])
        case host(HostFault)

        /// A lock that was left: it keeps everybody from writing this.
        case isLocked(String)
        case historyIndexIsWrong(isRemoved: Bool)
        case historyIndexIsDamaged
        case noteIsDamaged
        /// git's index takes a file for unchanged. `path`: from the repository's root.
        case isUnseen(path: String)
        case driverIsNotNamed, driverIsNotSetUp, driverIsOutdated, driverIsForeign

        case objectsAreUnchecked
        /// What `git fsck` says.
        case git(GitFault, GitRemedy? = nil)
    }

    /// What can be done about a file that can't be read.
    package enum Remedy: Hashable, Sendable {
        /// The last version can be read.
        case discard(Key)
        case restoreOrSet(Key)
        case mendByHand
        case repair(RepositoryRepair)
    }

    /// What a store never follows.
    package enum Stranger: Hashable, Sendable {
        case link, submodule
    }

    /// What a hosting service would make of a merge.
    package enum HostFault: Sendable {
        /// By meaning the sides fit together.
        case asksNeedlessly
        case removesWhatWasEdited
        case removesWhatStays
        case bringsBack
        case doesNotAsk(Facet)
        case leavesUnreadable(Problem)
        case leavesDisagreement(Disagreement)
    }

    package enum GitFault: Hashable, Sendable {
        case words(String)
        case objectIsMissing
        case commitGraphIsDamaged
        case branchIsMissing
        case failed(status: Int32?)
    }

    /// What can be done about it with git. Paths are from the repository's root.
    package indirect enum GitRemedy: Hashable, Sendable {
        case askGit
        case removeCommitGraph
        /// Out of the history.
        case filterTree, filterObject
        case putBack(log: String, id: VersionID, file: String)
        case writeReference
        case repair(RepositoryRepair)
        /// Nothing refers to it.
        case remove(String)
        case writeFromFile(String)
        case fetch
        case inTurn(GitRemedy, GitRemedy)
        case makeIndex(String)
        case takeLineOut(logs: String)
        case bringFolderBack
        case makePackIndex(pack: String, index: String)
        case unpack
        case checkAgain(GitRemedy?)
    }
}

/// What brings a repository back that neither git nor libgit2 can open. `place`: git's folder.
package enum RepositoryRepair: Hashable, Sendable {
    case cloneAnew(place: String)
    case makeReferences(place: String)
    case nameBranch(String, place: String)
}

/// A file that no store has, though it looks like one of an option.
package struct Stray: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case folder, link, notRegular
        /// No option can be called so.
        case name(String)
    }

    package var path: String
    package var kind: Kind

    package init(path: String, _ kind: Kind) {
        self.path = path
        self.kind = kind
    }
}
