import SettingsModel

extension Merging {
    /// A question of a merge, with what its subject is called later.
    struct Asked {
        var question: VersionMessage.Question
        /// What it is called once the version is made that is looked at, and before it.
        var subject: Subject
        private var earlier: Subject
        /// Of a list, the entries that it is about: an edit of others settles nothing, one of some of them not all of it.
        var contested: ContestedEntries?
        private var edited: [VersionID: Set<JSON>] = [:]
        /// The versions that settled it and are in force: true of those that changed something for that.
        private(set) var settlers: [VersionID: Bool] = [:]
        /// What may have settled it, the oldest first; merges that only brought that in come before.
        private var order: [VersionID] = []

        /// The version by which it is as it is now.
        var lastSettler: VersionID? { order.last { settlers[$0] != nil } }

        init(_ question: VersionMessage.Question) {
            self.question = question
            (subject, earlier) = (question.subject, question.subject)
        }

        mutating func rename(to subject: Subject, from earlier: Subject) { (self.subject, self.earlier) = (subject, earlier) }

        /// A version tells of what it decided by the names from before it, a merge by those that it gave.
        private func isNamed(_ other: Subject) -> Bool { other == subject || other == earlier }

        private func isAbout(_ other: VersionMessage.Question) -> Bool {
            isNamed(other.subject) && (other.facet == question.facet || other.facet == .existence)
        }

        /// A rename is about what had the old name.
        private func isAbout(_ change: Change) -> Bool {
            isAbout(VersionMessage.Question(change.renaming?.old ?? change.subject, change.facet))
        }

        /// What a version changed of it: as a whole, or some entries of its list. Nil if nothing.
        private func edit(by changes: [Change]) -> (isWhole: Bool, entries: Set<JSON>)? {
            var edit: (isWhole: Bool, entries: Set<JSON>) = (false, [])
            for change in changes where isAbout(change) {
                if let contested, change.facet == question.facet {
                    edit.entries.formUnion(change.settled(of: contested))
                } else {
                    edit.isWhole = true
                }
            }
            return edit.isWhole || !edit.entries.isEmpty ? edit : nil
        }

        /// Once all entries of a list have been edited, those who did so settled it.
        private mutating func noteEntries() {
            guard let contested, !edited.isEmpty else { return }
            let isSettled = edited.values.reduce(contested.all) { $0.subtracting($1) }.isEmpty
            for id in edited.keys { settlers[id] = isSettled ? true : nil }
        }

        /// Whether a version says something about it, or takes back what did.
        func mayBeSettled(by version: Version, changing changed: [Change]) -> Bool {
            version.message.reverts.contains { settlers[$0] != nil || edited[$0] != nil }
                || version.message.resolves.contains(where: isAbout)
                || changed.contains(where: isAbout)
        }

        mutating func pass(_ version: Version, changing changed: [Change]) {
            // A merge that asks the same again decides nothing by what is in force after it.
            let asksAgain = version.message.conflicts.contains { isNamed($0.subject) && $0.facet == question.facet }
            let edit = asksAgain ? nil : edit(by: changed)
            // A revert of what settled it opens it again: of one that changed something, where that is taken back.
            let reverted = version.message.reverts.filter { id in
                edited[id] != nil && edit != nil || settlers[id].map { !$0 || edit != nil } ?? false
            }
            if !reverted.isEmpty {
                for id in reverted { (settlers[id], edited[id]) = (nil, nil) }
            } else if version.message.resolves.contains(where: isAbout) {
                settlers[version.id] = edit != nil
                order.append(version.id)
            } else if let edit {
                if edit.isWhole { settlers[version.id] = true }
                if !edit.entries.isEmpty { edited[version.id] = edit.entries }
                order.insert(version.id, at: version.isMerge ? 0 : order.count)
            }
            noteEntries()
        }
    }

    /// A version that is not in the history of a merge.
    struct Later {
        var version: Version
        /// Whether it settles nothing, because it was undone or undid another one.
        var isIdle: Bool
        /// Whether the merge is in its history.
        var isBehind = false
    }

    /// What the subjects of a merge's questions are called in later versions: lines of them may have given different names.
    struct LaterNames {
        private let first: [Subject]
        /// By the versions behind the merge, and by the others.
        private var behind: [VersionID: [Subject]] = [:]
        private var beside: [VersionID: [Subject]] = [:]
        private let isFixed: Bool

        init(_ subjects: [Subject], of merge: Version, changing later: [Later]) {
            first = subjects
            behind[merge.id] = subjects
            isFixed = later.allSatisfy(\.version.message.renames.isEmpty)
        }

        /// The names before a version and after it. Its parents have been passed before.
        mutating func pass(_ version: Version, isBehind: Bool) -> (old: [Subject], new: [Subject]) {
            if isFixed { return (first, first) }
            let parent = version.parents.first { behind[$0] != nil } ?? version.parents.first
            let old = parent.flatMap { behind[$0] ?? beside[$0] } ?? first
            var new = old
            // A merge tells what it renamed of its first parent.
            if parent == version.parents.first {
                for rename in version.message.renames { new = new.map { $0.renamed(from: rename.old, to: rename.new) } }
            }
            if isBehind { behind[version.id] = new } else { beside[version.id] = new }
            return (old, new)
        }
    }
}
