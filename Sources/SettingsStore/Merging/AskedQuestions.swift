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
        /// What says something about it: that it is settled, or what one of the two sides is.
        private var words = StandingWords()
        /// What those changed or decided that came behind the merge: all of it, or some entries.
        private var decisions: [VersionID: (isWhole: Bool, entries: Set<JSON>)] = [:]
        /// What may have settled it, the oldest first; merges that only brought that in come before.
        private var order: [VersionID] = []
        /// By what a side is as it is, where that may have been taken back.
        private var sides: [Set<VersionID>] = []
        /// What took words back, or made them count again, the oldest first.
        private var turns: [VersionID] = []
        /// Whether what is left is in force where a side was taken back.
        var isWithdrawn = false

        /// The versions that settled it and are in force.
        private var settled: [VersionID: VersionID] {
            let standing = words.standing.filter { decisions[$0.key] != nil }
            let entries = standing.keys.reduce(into: Set<JSON>()) { $0.formUnion(decisions[$1]?.entries ?? []) }
            let isCovered = contested.map { $0.all.isSubset(of: entries) } ?? false
            return standing.filter { id, _ in
                decisions[id].map { $0.isWhole || isCovered && !$0.entries.isEmpty } ?? false
            }
        }

        var isOpen: Bool { !isWithdrawn && settled.isEmpty }

        /// The versions by which it is not open: those that settled it, or repeated that, or took a side back.
        var settlers: Set<VersionID> {
            let settled = settled
            if !settled.isEmpty || !isWithdrawn { return Set(settled.values) }
            return Set(withdrawals)
        }

        /// The version by which it is as it is now.
        var lastSettler: VersionID? {
            let settled = settled
            if settled.isEmpty, isWithdrawn { return withdrawals.last }
            return order.last { settled[$0] != nil }.flatMap { settled[$0] }
        }

        /// Whether all that was chosen on our side, and on theirs, was taken back.
        var withdrawnSides: (ours: Bool, theirs: Bool) {
            let withdrawn = sides.map { side in !side.isEmpty && !side.contains(where: words.isStanding) }
            return (withdrawn.first ?? false, withdrawn.last ?? false)
        }

        /// What took sides back, the oldest first.
        private var withdrawals: [VersionID] {
            let ids = Set(sides.filter { !$0.contains(where: words.isStanding) }.joined().compactMap(words.by))
            return turns.filter(ids.contains)
        }

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

        /// Whether a version says something about it, or takes back what did.
        func mayBeSettled(by version: Version, changing changed: [Change]) -> Bool {
            words.isNamed(by: version)
                || version.message.resolves.contains(where: isAbout)
                || changed.contains(where: isAbout)
        }

        /// What our side, or theirs, says about it, and what is taken back of that by the versions of that side.
        mutating func take(_ side: [SideVersion]) {
            var ids: Set<VersionID> = []
            for one in side {
                let turned = words.take(one.version, one.edit)
                guard one.isWord, turned.isEmpty else { continue }
                words.say(one.version.id, isEdit: one.edit == .question, asks: true)
                ids.insert(one.version.id)
            }
            sides.append(ids.filter(words.isStanding))
        }

        /// `isLater`: whether it knows both sides. Nil where it is not known what it changed.
        mutating func pass(_ later: Later, of merge: VersionID, changing changed: [Change]?, isLater: Bool) {
            let version = later.version
            // A merge that asks the same again decides nothing by what is in force after it.
            let asksAgain = version.message.conflicts.contains { isNamed($0.subject) && $0.facet == question.facet }
            let edit = asksAgain ? nil : changed.flatMap(edit)
            let kind: StandingWords.Edit =
                changed == nil ? .unknown : edit != nil ? .question : later.isEmpty ? .nothing : .other
            let turned = words.take(version, kind)
            if !turned.isEmpty {
                turns.append(version.id)
                order = order.filter { !turned.contains($0) } + order.filter(turned.contains)
            }
            // What is taken back, or repeated, is nobody's new choice; neither is what was there before the merge.
            guard isLater, turned.isEmpty, !version.named.isUndoing, !version.named.reverts.contains(merge) else { return }
            if version.message.resolves.contains(where: isAbout) {
                words.say(version.id, isEdit: edit != nil, asks: false)
                decisions[version.id] = (true, [])
                order.append(version.id)
            } else if let edit {
                words.say(version.id, isEdit: true, asks: false)
                decisions[version.id] = edit
                order.insert(version.id, at: version.isMerge ? 0 : order.count)
            }
        }
    }

    /// A version of one side of a merge, by what it says about a question.
    struct SideVersion {
        var version: Version
        /// Whether it chose something.
        var isWord: Bool
        var edit: StandingWords.Edit
    }

    /// A version that is not in the history of a merge.
    struct Later {
        var version: Version
        /// Whether it is a revert that changed nothing.
        var isEmpty: Bool
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
            isFixed = later.allSatisfy(\.version.renames.isEmpty)
        }

        /// The names before a version and after it. Its parents have been passed before.
        mutating func pass(_ version: Version, isBehind: Bool) -> (old: [Subject], new: [Subject]) {
            if isFixed { return (first, first) }
            let parent = version.parents.first { behind[$0] != nil } ?? version.parents.first
            let old = parent.flatMap { behind[$0] ?? beside[$0] } ?? first
            var new = old
            // A merge tells what it renamed of its first parent.
            if parent == version.parents.first {
                for rename in version.renames { new = new.map { $0.renamed(from: rename.old, to: rename.new) } }
            }
            if isBehind { behind[version.id] = new } else { beside[version.id] = new }
            return (old, new)
        }
    }
}
