package import SettingsModel

/// Somebody else recorded something: the draft moves on to what is recorded now, merged by meaning.
extension SettingsDraft {
    /// Moves the draft, with everything that can be undone and redone, on top of `new`. Where both changed the same, what is
    /// recorded counts until the person picks a side. Returns the number of new conflicts.
    @discardableResult
    package mutating func move(to new: SettingsContent) -> Int {
        var touched = Set((steps + undone).flatMap { $0.edits.map(\.subject) })
        touched.formUnion(conflicts.map(\.conflict.subject))
        let moved = touched.filter { base[$0] != new[$0] }
        var content = new
        for subject in touched { content[subject] = self.content[subject] }
        refresh(new)
        var found = 0
        for subject in moved.sorted() {
            let merged = merged(subject, self.content[subject], onto: new)
            content[subject] = merged.item
            for conflict in merged.conflicts {
                conflicts.removeAll { $0.isAbout(subject, conflict.facet) }
                conflicts.append(OpenConflict(conflict: conflict))
                found += 1
            }
        }
        let old = self
        func move(_ step: Step) -> Step {
            var step = step
            for index in step.edits.indices where moved.contains(step.edits[index].subject) {
                let edit = step.edits[index]
                step.edits[index].before = old.merged(edit.subject, edit.before, onto: new).item
                step.edits[index].after = old.merged(edit.subject, edit.after, onto: new).item
            }
            return step
        }
        steps = steps.map(move)
        undone = undone.map(move)
        replace(base: new, content: content, touched: touched)
        return found
    }

    /// Everything in the draft is recorded now: a draft without steps begins on `new`.
    package mutating func begin(on new: SettingsContent) { self = SettingsDraft(new) }

    /// What is recorded on the other side of conflicts that nobody has settled.
    private mutating func refresh(_ new: SettingsContent) {
        for index in conflicts.indices where conflicts[index].pick == nil {
            let conflict = conflicts[index].conflict
            guard conflict.facet != .existence else { continue }
            conflicts[index].conflict.ours = new[conflict.subject]?.facets[conflict.facet]
        }
        conflicts.removeAll { $0.pick == nil && $0.conflict.facet != .existence && $0.recorded == $0.yours }
    }

    /// What becomes of one item of the draft; what conflicts is as it is recorded.
    private func merged(
        _ subject: Subject, _ item: SettingsContent.Item?, onto new: SettingsContent
    ) -> (item: SettingsContent.Item?, conflicts: [Conflict]) {
        let (old, recorded) = (base[subject], new[subject])
        if item == old { return (recorded, []) }
        if recorded == old { return (item, []) }
        let merge = SettingsContent.merge(
            base: .only(subject, old), ours: .only(subject, recorded), theirs: .only(subject, item))
        guard !merge.conflicts.isEmpty else { return (merge.settings[subject], []) }
        guard var result = merge.settings[subject], let recorded,
            merge.conflicts.allSatisfy({ $0.facet != .existence })
        else { return (recorded, merge.conflicts) }
        for conflict in merge.conflicts { result.set(conflict.facet, to: conflict.ours) }
        if let option = result.option, !option.faults().isEmpty { return (recorded, merge.conflicts) }
        return (result, merge.conflicts)
    }

    /// Settles a conflict. The reason why that side can't be had; nil if it can.
    package mutating func settle(_ open: OpenConflict, _ pick: Pick) -> String? {
        let conflict = open.conflict
        let edit = PickEdit(subject: conflict.subject, facet: conflict.facet, before: open.pick, after: pick)
        var item = content[conflict.subject]
        if conflict.facet == .existence {
            if case .item(let whole)? = open.side(pick) { item = whole } else { item = nil }
        } else {
            item?.set(conflict.facet, to: open.side(pick))
        }
        if let option = item?.option, let fault = option.faults().first { return fault.reason }
        apply([(conflict.subject, item)], picks: [edit])
        return nil
    }
}
