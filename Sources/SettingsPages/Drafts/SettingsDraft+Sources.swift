package import SettingsModel

/// What is taken or brought back from earlier versions, as part of the draft.
extension SettingsDraft {
    /// The versions that the draft takes back, as far as it still does.
    package var reverts: [VersionID] {
        var found: [VersionID] = []
        for step in steps where isInForce(step) {
            if case .revert(let id)? = step.source, !found.contains(id) { found.append(id) }
        }
        return found
    }

    /// The version that was recorded last and that the draft takes back.
    package var undoes: VersionID? {
        steps.lazy.filter { isInForce($0) }.compactMap { step in
            if case .undo(let id)? = step.source { id } else { nil }
        }.first
    }

    /// The only version that the draft restores something from; nil where there are several, or none.
    package var restoredFrom: VersionID? {
        var found: Set<VersionID> = []
        for step in steps where isInForce(step) { if case .restore(let id)? = step.source { found.insert(id) } }
        return found.count == 1 ? found.first : nil
    }

    /// Whether a conflict is one with what was recorded since a version that is reverted.
    func isOpenedByRevert(_ open: OpenConflict) -> Bool {
        steps.contains { $0.opened.contains { $0.isAbout(open.conflict.subject, open.conflict.facet) } }
    }

    /// What a step that opened a conflict comes from.
    func source(opening subject: Subject, _ facet: Facet) -> Source? {
        steps.first { $0.opened.contains { $0.isAbout(subject, facet) } }?.source
    }

    /// What a step comes from; one that settles a conflict as a version wants it comes from there.
    func source(of step: Step) -> Source? {
        if let source = step.source { return source }
        for pick in step.picks where !pick.isAnswer && pick.after == .yours {
            if let source = source(opening: pick.subject, pick.facet) { return source }
        }
        return nil
    }

    private func isInForce(_ step: Step) -> Bool {
        step.edits.contains { content[$0.subject] == $0.after && base[$0.subject] != $0.after }
            || conflicts.contains { settled in
                guard settled.pick == .yours else { return false }
                // What somebody recorded since conflicts with the step, or what was recorded since the version it reverts.
                return step.edits.contains { $0.subject == settled.conflict.subject }
                    || step.opened.contains { $0.isAbout(settled.conflict.subject, settled.conflict.facet) }
            }
    }

    /// Makes the changes on top of the draft, whatever it has of the same facets. False where nothing changes.
    package mutating func restore(_ changes: [Change], from version: VersionID) -> Bool {
        var items: [(subject: Subject, item: SettingsContent.Item?)] = []
        for (subject, changes) in Dictionary(grouping: changes, by: \.subject).sorted(by: { $0.key < $1.key }) {
            var item = content[subject]
            for change in changes {
                if change.facet == .existence {
                    if case .item(let whole)? = change.after { item = whole } else { item = nil }
                } else {
                    item?.set(change.facet, to: change.after)
                }
            }
            // A value that fits what is recorded, but not what the draft made of it.
            if let option = item?.option, !option.faults().isEmpty { continue }
            items.append((subject, item))
        }
        return apply(items, source: .restore(version))
    }

    /// Merges the changes that take a version back into the draft. What no longer fits is a conflict, which is as it is
    /// recorded until a side is picked. False where nothing changes.
    package mutating func revert(_ changes: [Change], of version: VersionID) -> Bool {
        let merge = content.merging(changes)
        var items: [(subject: Subject, item: SettingsContent.Item?)] = []
        for subject in Set(changes.map(\.subject)).sorted() {
            let conflicts = merge.conflicts.filter { $0.subject == subject }
            var item = merge.settings[subject]
            if conflicts.contains(where: { $0.facet == .existence }) || item == nil && !conflicts.isEmpty {
                item = content[subject]
            } else {
                for conflict in conflicts { item?.set(conflict.facet, to: conflict.ours) }
            }
            if let option = item?.option, !option.faults().isEmpty { item = content[subject] }
            items.append((subject, item))
        }
        return apply(items, source: .revert(version), opening: merge.conflicts.map { OpenConflict(conflict: $0) })
    }
}
