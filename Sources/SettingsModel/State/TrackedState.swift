/// How a tracked file and the store stand.
package struct TrackedState: Sendable {
    /// The path as people know it: from the repository's root, or absolute.
    package var path: String
    package var group: Key
    /// Nil where the entry names none that is known.
    package var format: FormatName?
    /// What the file in the work tree changes of options that no version has recorded.
    package var edits: [Change] = []
    /// Whether it has other edits as well.
    package var hasOtherEdits = false
    /// Options whose members were removed from the file; `edits` have them as well.
    package var gone: [Key] = []
    /// What the file has since commits that are not the store's.
    package var ahead: [Difference] = []
    /// What the store has and the file has not.
    package var behind: [Difference] = []
    /// What both changed.
    package var contested: [Key] = []
    package var absence: Absence?
    /// Why it isn't known how they stand.
    package var problem: Problem?

    package enum Absence: Hashable, Sendable {
        /// Removed from the work tree.
        case missing
        /// The last version has something else, which could not be written.
        case notWritten
        /// Named by `_store.json`, and not in the last version. `isThere`: in the work tree.
        case notInHistory(isThere: Bool)
        /// The group has no option, though the file has members.
        case withoutOptions
    }

    /// A value that one of the two has, and the version that gave it to it.
    package struct Difference: Hashable, Sendable {
        package var change: Change
        package var version: VersionID
        package var author: Person

        package init(_ change: Change, _ version: VersionID, by author: Person) {
            self.change = change
            self.version = version
            self.author = author
        }
    }

    package enum Standing: String, Sendable {
        case inStep = "in step"
        case edited, ahead, behind, missing
        case notWritten = "not written"
        case differs
        case notInHistory = "not in the history"
        case withoutOptions = "without options"
        case unreadable = "cannot be read"
    }

    package var standing: Standing {
        if problem != nil { return .unreadable }
        switch absence {
        case .missing: return .missing
        case .notWritten: return .notWritten
        case .notInHistory: return .notInHistory
        case .withoutOptions: return .withoutOptions
        case nil: break
        }
        if !contested.isEmpty { return .differs }
        if !ahead.isEmpty { return .ahead }
        if !behind.isEmpty { return .behind }
        return isEdited ? .edited : .inStep
    }

    package var isEdited: Bool { !edits.isEmpty || hasOtherEdits || !gone.isEmpty }

    /// Whether the file in the work tree is not there, or is nothing that can be recorded.
    package var isReplaced: Bool {
        switch problem {
        case .tracking(.isUnreadable)?, .tracking(.isUnfitting)?, .tracking(.isReplaced)?: true
        default: absence == .missing
        }
    }

    package init(_ file: TrackedFile, at path: String) {
        (group, format) = (file.group, file.format)
        self.path = path
    }

    /// An entry that can't be followed.
    package init(_ fault: TrackedFile.Fault) {
        (path, group) = (fault.name, fault.group ?? .root)
        problem = fault.problem
    }
}

/// What was written into a tracked file that no version has.
package struct TrackedWriting: Sendable {
    package var path: String
    package var changes: [Change]
    /// Whether it wasn't there before.
    package var isNew: Bool

    package init(path: String, changes: [Change], isNew: Bool) { (self.path, self.changes, self.isNew) = (path, changes, isNew) }
}

extension TrackedState {
    /// What 'verify' reports. An edit by hand is a draft, and no fault.
    package var findings: [Finding] {
        if case .tracking(.isNotFollowed)? = problem, let problem { return [Finding(problem, at: Subject.store.path)] }
        if let problem { return [Finding(problem, at: path)] }
        if case .notInHistory(let isThere)? = absence {
            return [Finding(path: path, .problem(.tracking(.isNotInHistory(path, isThere: isThere))), kind: .note)]
        }
        if case .withoutOptions? = absence {
            return [Finding(path: path, .problem(.tracking(.hasNoOptions(path, group))), kind: .note)]
        }
        var problems: [TrackingProblem] = []
        if !ahead.isEmpty { problems.append(.isAhead(ahead, path)) }
        if !behind.isEmpty { problems.append(.isBehind(behind, path)) }
        if !contested.isEmpty { problems.append(.bothChanged(path, contested)) }
        return problems.map { Finding(.tracking($0), at: path) }
    }
}
