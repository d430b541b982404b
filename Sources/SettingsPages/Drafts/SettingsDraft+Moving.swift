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
        let returned = conflicts.filter { $0.pick == nil && $0.before == new.side(of: $0.conflict) && $0.yours != $0.before }
        conflicts.removeAll { returned.contains($0) }
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
        conflicts.removeAll { $0.pick == .yours && moved.contains($0.conflict.subject) && $0.before == new.side(of: $0.conflict) }
        replace(base: new, content: content, touched: touched)
        takeBackUp(returned)
        return found
    }

    /// What somebody else did is undone: what the person wanted counts again.
    private mutating func takeBackUp(_ returned: [OpenConflict]) {
        var items: [Subject: SettingsContent.Item?] = [:]
        for open in returned {
            let subject = open.conflict.subject
            var item = items[subject] ?? content[subject]
            item.take(open.yours, for: open.conflict.facet)
            if item?.option?.faults().isEmpty ?? true { items[subject] = item }
        }
        if !items.isEmpty { apply(items.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }) }
    }

    /// What the draft changes has other names in `new`, in which it counts from now on.
    mutating func follow(_ renames: [VersionMessage.Rename], to new: SettingsContent) {
        for rename in renames {
            var (base, content) = (base, content)
            let touched = Set((steps + undone).flatMap { $0.edits.map(\.subject) } + conflicts.map(\.conflict.subject))
            let names = touched.reduce(into: [Subject: Subject]()) { names, subject in
                let name = subject.renamed(from: rename.old, to: rename.new)
                guard name != subject, base[subject] != nil, base[name] == nil, content[name] == nil, new[subject] == nil,
                    new[name] != nil
                else { return }
                names[subject] = name
            }
            if names.isEmpty { continue }
            for (old, name) in names {
                (base[name], base[old]) = (base[old], nil)
                (content[name], content[old]) = (content[old], nil)
            }
            func renamed(_ step: Step) -> Step {
                var step = step
                for index in step.edits.indices {
                    step.edits[index].subject = names[step.edits[index].subject] ?? step.edits[index].subject
                }
                for index in step.picks.indices {
                    step.picks[index].subject = names[step.picks[index].subject] ?? step.picks[index].subject
                }
                return step
            }
            steps = steps.map(renamed)
            undone = undone.map(renamed)
            for index in conflicts.indices {
                let subject = conflicts[index].conflict.subject
                conflicts[index].conflict.subject = names[subject] ?? subject
            }
            replace(base: base, content: content, touched: touched.union(names.values))
        }
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
        for conflict in merge.conflicts { result.set(conflict.facet, to: isMoot(conflict) ? conflict.theirs : conflict.ours) }
        if let option = result.option, !option.faults().isEmpty { return (recorded, merge.conflicts) }
        return (result, merge.conflicts.filter { !isMoot($0) })
    }

    /// Whether it was settled as the person wants it, and the other side is again what it was before.
    private func isMoot(_ conflict: Conflict) -> Bool {
        conflicts.contains {
            $0.pick == .yours && $0.isAbout(conflict.subject, conflict.facet) && $0.before == conflict.ours
        }
    }

    /// Settles a conflict. The reason why that side can't be had; nil if it can.
    package mutating func settle(_ open: OpenConflict, _ pick: Pick) -> String? {
        let conflict = open.conflict
        let edit = PickEdit(subject: conflict.subject, facet: conflict.facet, before: open.pick, after: pick)
        var item = content[conflict.subject]
        item.take(open.side(pick), for: conflict.facet)
        if let option = item?.option, let fault = option.faults().first { return fault.reason }
        apply([(conflict.subject, item)], picks: [edit])
        return nil
    }
}

extension SettingsContent {
    /// What it has of what a conflict is about.
    fileprivate func side(of conflict: Conflict) -> Change.Content? {
        let item = self[conflict.subject]
        return conflict.facet == .existence ? item.map { .item($0) } : item?.facets[conflict.facet]
    }
}

extension SettingsContent.Item? {
    /// Becomes a side of a conflict about a facet, which may be the whole item.
    fileprivate mutating func take(_ side: Change.Content?, for facet: Facet) {
        guard facet == .existence else {
            self?.set(facet, to: side)
            return
        }
        if case .item(let whole)? = side { self = whole } else { self = nil }
    }
}
