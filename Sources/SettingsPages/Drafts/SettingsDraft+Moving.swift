package import SettingsModel

/// Somebody else recorded something: the draft moves on to what is recorded now, merged by meaning.
extension SettingsDraft {
    /// Moves the draft, with everything that can be undone and redone, on top of `new`. Where both changed the same, what is
    /// recorded counts until the person picks a side. Returns the number of new conflicts.
    @discardableResult
    package mutating func move(to new: SettingsContent) -> Int {
        var touched = Set((steps + undone).flatMap { $0.edits.map(\.subject) })
        touched.formUnion(conflicts.map(\.conflict.subject))
        touched.formUnion(forks.keys)
        let moved = touched.filter { base[$0] != new[$0] }
        let old = self
        var content = new
        for subject in touched.subtracting(moved) { content[subject] = self.content[subject] }
        var fresh: [Subject: [OpenConflict]] = [:]
        for subject in moved.sorted() {
            let fork = forks[subject] ?? Fork(before: base[subject], yours: old.content[subject])
            let merged = old.merged(subject, fork, onto: new)
            content[subject] = merged.item
            forks[subject] = fork.before == fork.yours ? nil : fork
            conflicts.removeAll { open in
                open.conflict.subject == subject
                    && (open.pick == nil || merged.conflicts.contains { open.isAbout(subject, $0.facet) })
            }
            let open = merged.conflicts.map { OpenConflict(conflict: $0) }
            conflicts += open
            fresh[subject] = open.filter { one in !old.openConflicts.contains { $0.isAbout(subject, one.conflict.facet) } }
        }
        func move(_ step: Step) -> Step {
            var step = step
            for index in step.edits.indices where moved.contains(step.edits[index].subject) {
                let (edit, before) = (step.edits[index], base[step.edits[index].subject])
                step.edits[index].before = old.merged(edit.subject, Fork(before: before, yours: edit.before), onto: new).item
                step.edits[index].after = old.merged(edit.subject, Fork(before: before, yours: edit.after), onto: new).item
            }
            for subject in Set(step.opened.map(\.conflict.subject)).sorted() { step.opened += fresh[subject] ?? [] }
            return step
        }
        steps = steps.map(move)
        undone = undone.map(move)
        conflicts.removeAll { open in
            open.pick == .yours && moved.contains(open.conflict.subject) && open.before == new.side(of: open.conflict)
        }
        take(content, on: new, touched: touched, moved: moved, sources: old)
        return fresh.values.reduce(0) { $0 + $1.count }
    }

    /// What the person wanted may count again, where somebody took back what was in its way: that is a step of its own.
    private mutating func take(
        _ content: SettingsContent, on new: SettingsContent, touched: Set<Subject>, moved: Set<Subject>,
        sources old: SettingsDraft
    ) {
        var stepped = content
        for subject in moved {
            let last = steps.lazy.reversed().compactMap { $0.edits.first { $0.subject == subject } }.first
            stepped[subject] = last.map(\.after) ?? new[subject]
        }
        replace(base: new, content: stepped, touched: touched)
        let kept = forks
        for subject in moved.sorted() where stepped[subject] != content[subject] {
            let facets = old.openConflicts.filter { $0.conflict.subject == subject }.map(\.conflict.facet)
            let source = facets.lazy.compactMap { old.source(opening: subject, $0) }.first
            apply([(subject, content[subject])], source: source)
        }
        forks = kept
    }

    /// What the draft changes has other names in `new`, in which it counts from now on.
    mutating func follow(_ renames: [VersionMessage.Rename], to new: SettingsContent) {
        for (index, rename) in renames.enumerated() {
            var (base, content) = (base, content)
            let touched = Set((steps + undone).flatMap { $0.edits.map(\.subject) } + conflicts.map(\.conflict.subject))
            let names = touched.reduce(into: [Subject: Subject]()) { names, subject in
                let name = subject.renamed(from: rename.old, to: rename.new)
                let last = renames[(index + 1)...].reduce(name) { $0.renamed(from: $1.old, to: $1.new) }
                // What has the old name now is another item, unless git alone took the rename back.
                guard name != subject, base[subject] != nil, new[subject] == nil || new[last] != nil,
                    !touched.contains(name) || base[name] == nil && content[name] == nil
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
            forks = Dictionary(forks.map { (names[$0] ?? $0, $1) }) { first, _ in first }
            replace(base: base, content: content, touched: touched.union(names.values))
        }
    }

    /// Everything in the draft is recorded now: a draft without steps begins on `new`.
    package mutating func begin(on new: SettingsContent) { self = SettingsDraft(new) }

    /// What becomes of one item of the draft; what conflicts is as it is recorded.
    private func merged(
        _ subject: Subject, _ fork: Fork, onto new: SettingsContent
    ) -> (item: SettingsContent.Item?, conflicts: [Conflict]) {
        let recorded = new[subject]
        if fork.yours == fork.before { return (recorded, []) }
        if recorded == fork.before { return (fork.yours, []) }
        if let barred = barred(subject, fork, by: recorded) {
            // Whatever else the person changed is merged as ever.
            var others = fork
            others.yours?.set(.value, to: barred.base)
            let rest = merged(subject, others, onto: new)
            return (rest.item, rest.conflicts + [barred])
        }
        let merge = SettingsContent.merge(
            base: .only(subject, fork.before), ours: .only(subject, recorded), theirs: .only(subject, fork.yours))
        guard !merge.conflicts.isEmpty else { return (merge.settings[subject], []) }
        guard let merged = merge.settings[subject], let recorded, merge.conflicts.allSatisfy({ $0.facet != .existence }) else {
            return (recorded, merge.conflicts)
        }
        var result = merged
        for conflict in merge.conflicts { result.set(conflict.facet, to: isMoot(conflict) ? conflict.theirs : conflict.ours) }
        let open = merge.conflicts.filter { !isMoot($0) }
        if result.option?.faults().isEmpty ?? true { return (result, open) }
        return separated(subject, fork, from: recorded, merge.conflicts)
    }

    /// The conflict about a value that the option as it is recorded was not chosen for: it is of another type now, or read-only.
    private func barred(_ subject: Subject, _ fork: Fork, by recorded: SettingsContent.Item?) -> Conflict? {
        guard let before = fork.before?.option, let yours = fork.yours?.option, let option = recorded?.option,
            before.value != yours.value, before.type == yours.type, option.value != yours.value || option.type != yours.type
        else { return nil }
        let bar: Bar
        if option.isReadOnly, !before.isReadOnly, !yours.isReadOnly {
            bar = .readOnly
        } else if option.type != before.type {
            bar = .type(option.type)
        } else {
            return nil
        }
        func value(_ item: SettingsContent.Item?) -> Change.Content? { item?.facets[.value] }
        return Conflict(
            subject, title: option.title, facet: .value, base: value(fork.before), ours: value(recorded),
            theirs: value(fork.yours), reason: bar.reason)
    }

    /// Why a value that the person chose does not suit the option any more.
    private enum Bar: Equatable {
        case readOnly
        case type(SettingsOption.Kind)

        var reason: String {
            switch self {
            case .readOnly: "the option is read-only now and your value cannot be recorded; choose Theirs"
            case .type(let type):
                "the type of the option is \(type.rawValue) now and your value was chosen for another type; choose Theirs, "
                    + "or set the option again"
            }
        }
    }

    /// What is recorded, with each facet of what the person wants that fits it; the others are in conflict as well.
    private func separated(
        _ subject: Subject, _ fork: Fork, from recorded: SettingsContent.Item, _ conflicts: [Conflict]
    ) -> (item: SettingsContent.Item?, conflicts: [Conflict]) {
        var (result, conflicts) = (recorded, conflicts)
        let wanted = SettingsContent.only(subject, fork.yours).changes(since: .only(subject, fork.before))
        for change in wanted where !conflicts.contains(where: { $0.facet == change.facet }) {
            var trial = result
            trial.set(change.facet, to: change.after)
            if trial.option?.faults().isEmpty ?? true {
                result = trial
            } else {
                conflicts.append(
                    Conflict(
                        subject, title: change.title, facet: change.facet, base: change.before,
                        ours: recorded.facets[change.facet], theirs: change.after))
            }
        }
        return (result, conflicts)
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
        if let option = item?.option {
            let bar = [Bar.readOnly, .type(option.type)].first { $0.reason == conflict.reason }
            let isOther = option.value != base[conflict.subject]?.option?.value
            if let bar, isOther, bar == .readOnly || !option.faults().isEmpty { return bar.reason }
            if let fault = option.faults().first { return fault.reason }
        }
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
    mutating func take(_ side: Change.Content?, for facet: Facet) {
        guard facet == .existence else {
            self?.set(facet, to: side)
            return
        }
        if case .item(let whole)? = side { self = whole } else { self = nil }
    }
}
