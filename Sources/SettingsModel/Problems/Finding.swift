/// A problem in a store, or a remark about it.
package struct Finding: Sendable {
    package enum Kind: Hashable, Sendable {
        case problem
        /// A choice whose two lines name different labels: its meaning is clear, but its index is wrong.
        case disagreement
        /// A remark; nothing is wrong.
        case note
    }

    package var path: String
    package var fault: Fault
    /// The version that introduced it, unless it is in the files.
    package var version: Version?
    /// The values to choose from.
    package var candidates: [JSON]
    package var kind: Kind
    /// The affected item.
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

    /// A problem that stopped a check.
    package init(_ problem: Problem, at path: String) {
        self.init(path: path, .problem(problem))
    }

    package init(_ found: Disagreement, isInFiles: Bool, version: Version? = nil) {
        self.init(
            path: found.subject.path, .disagreement(found, isInLastVersion: !isInFiles && version == nil), version: version,
            kind: .disagreement, subject: found.subject)
    }

    /// Reported if git did not check its objects, because of a problem or because it is not installed.
    package static func uncheckedObjects(_ problem: Problem? = nil) -> Finding {
        Finding(path: ".git", .objectsAreUnchecked(problem), kind: .note)
    }
}

extension Finding {
    /// What is wrong.
    package indirect enum Fault: Sendable {
        case problem(Problem, Remedy? = nil)
        case stray(Stray.Kind)
        /// Files of other programs, so many besides the one that is named.
        case isNoOption(others: Int)
        case disagreement(Disagreement, isInLastVersion: Bool)
        /// The name of an option or group differs from another one's in its group only in case.
        case differsByCase(Subject, from: Subject, isRecorded: Bool)
        case isStranger(Stranger)
        /// The store's own file is gone, and its options are there.
        case storeFileIsRemoved(by: VersionID)
        /// A merge left a value that neither side chose. `chosen` and `candidates` are in words.
        case nobodysChoice(Key, byHost: Bool, chosen: String, candidates: [String])
        /// A value for an environment that the option doesn't have, or that can't be read. `place`: with line and column.
        case misfitForEnvironment(Key, place: String, reason: String)
        /// A value has the label that another one had: texts were merged, and the labels are one side's, the values the other's.
        /// All in words; `former`: the label that the value had.
        case nobodysLabel(Key, value: String, label: String, former: String)
        case host(HostFault)

        /// A lock of git's that keeps everyone from writing this, and how many seconds ago it was made. Whoever made it may
        /// still be at work.
        case isLocked(String, age: Int64)
        case historyIndexIsWrong(isRemoved: Bool)
        case historyIndexIsDamaged
        case conflictsAreWrong(isRemoved: Bool)
        case soundVersionIsWrong(isRemoved: Bool)
        case noteIsDamaged
        /// git's index marks a file as unchanged. `path` is relative to the repository's root.
        case isUnseen(path: String)
        case driverIsNotNamed, driverIsNotSetUp, driverIsOutdated, driverIsForeign
        /// The configured merge driver runs a program that isn't there any more.
        case driverIsLost(program: String)
        /// The attributes name no merge driver or another one for this file and so many others.
        case isMergedAsText(others: Int)

        /// Nil if git is not installed.
        case objectsAreUnchecked(Problem?)
        /// A partial clone lacks so many objects; these are some of them.
        case objectsArePromised(Int, [String])
        /// What `git fsck` printed, and its exit status.
        case fsck(status: Int32, lines: [String], FsckRemedy?)
    }

    /// A remedy for an unreadable file.
    package enum Remedy: Hashable, Sendable {
        /// The last version is readable.
        case discard(Key)
        /// It is as the last version has it.
        case repairRecorded
        /// A later version is readable, but nobody chose its value.
        case choose(Key)
        case mendByHand
        /// What git is in the middle of, in a word, is to be finished then.
        case mendAndFinish(operation: String)
        case repair(RepositoryRepair)
    }

    /// Things that a store never follows.
    package enum Stranger: Hashable, Sendable {
        case link, submodule
    }

    /// What to do about damage that `git fsck` reports, where that is known without reading its messages.
    package enum FsckRemedy: Hashable, Sendable {
        /// The commit-graph alone is damaged.
        case rebuildGraph(path: String)
        /// A pack, its index or the multi-pack-index is damaged.
        case rebuildIndex(path: String)
        case repair(RepositoryRepair)
    }

    /// What a hosting service would do wrong in a merge.
    package enum HostFault: Sendable {
        /// It would report a conflict although the settings merge cleanly.
        case asksNeedlessly
        /// It would report a conflict, and this is what both sides changed. `isInBoth`: neither removed it.
        case asks(Facet, isInBoth: Bool)
        /// It would report a conflict in a file that is not the store's.
        case asksAboutOtherFile
        case removesWhatWasEdited
        case removesWhatStays
        case bringsBack
        case doesNotAsk(Facet)
        case leavesUnreadable(Problem)
        case leavesDisagreement(Disagreement)
        /// A tracked file would have other values than these options.
        case leavesApart([Key])
    }
}

/// How to repair a repository that neither git nor libgit2 can open. `place` is git's folder.
package enum RepositoryRepair: Hashable, Sendable {
    case cloneAnew(place: String)
    case makeReferences(place: String)
    /// `isFolder`: something else is in the place of HEAD.
    case nameBranch(String, place: String, isFolder: Bool)
    /// `.git` is a file that names a folder which is not there.
    case relink(place: String)
    /// `.git` is a file that names none.
    case nameFolder
}

/// A file that doesn't belong in a store, though it looks like an option's file.
package struct Stray: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case folder, link, notRegular
        /// A symbolic link in the place of a group's folder.
        case linkedGroup
        /// The name is not valid for an option.
        case name(String)
    }

    package var path: String
    package var kind: Kind

    package init(path: String, _ kind: Kind) {
        self.path = path
        self.kind = kind
    }
}
