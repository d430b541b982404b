/// A three-way merge of one option. The selection follows its label.
struct OptionMerge {
    private(set) var option: SettingsOption
    private(set) var conflicts: [Conflict] = []

    private let subject: Subject
    private let title: ExactText
    private let base: SettingsOption
    private let ours: SettingsOption
    private let theirs: SettingsOption

    init(_ subject: Subject, title: ExactText, base: SettingsOption, ours: SettingsOption, theirs: SettingsOption) {
        self.subject = subject
        self.title = title
        self.base = base
        self.ours = ours
        self.theirs = theirs
        option = ours
        let areChoices = [base, ours, theirs].allSatisfy { $0.type == .choice }
        let merged = SettingsContent.Item.mergeFacets(
            subject, title: title, base: .option(base), ours: .option(ours), theirs: .option(theirs),
            leaving: areChoices ? [.labels, .value, .default] : []
        )
        option = merged.item.option ?? ours
        conflicts = merged.conflicts
        if areChoices { mergeChoice() }
        addProblems()
        holdBack()
        conflicts.sort { $0.facet < $1.facet }
    }

    private mutating func mergeChoice() {
        let merge = LabelsMerge(base: base.labels, ours: ours.labels, theirs: theirs.labels)
        switch merge.result {
        case .merged(let labels): option.labels = labels
        case .conflict(let reason):
            let lists = ContestedLabels(base: base.labels, ours: ours.labels, theirs: theirs.labels)
            option.labels = lists?.base ?? base.labels
            add(
                .labels, .labels(option.labels), .labels(lists?.ours ?? ours.labels), .labels(lists?.theirs ?? theirs.labels),
                reason)
        }
        option.value = follow(.value, \.value, merge)
        option.defaultValue = follow(.default, \.defaultValue, merge)
        for (facet, value) in [(Facet.value, option.value), (.default, option.defaultValue)] {
            if let value { keepLabel(of: value, for: facet) }
        }
        noteRemovedLabels(.value, \.value, merge)
        noteRemovedLabels(.default, \.defaultValue, merge)
    }

    /// A choice in conflict can be decided for a label that the other side removed.
    private mutating func noteRemovedLabels(_ facet: Facet, _ part: KeyPath<SettingsOption, JSON?>, _ merge: LabelsMerge) {
        // If the lists conflict, so do the labels: they belong to that conflict.
        if case .conflict = merge.result { return }
        guard let place = place(of: facet) else { return }
        for (side, thread) in [(ours, merge.thread(ofOurs:)), (theirs, merge.thread(ofTheirs:))] {
            guard let value = side[keyPath: part], option.labels.index(of: value) == nil,
                let removed = thread(value), merge.label(ofThread: removed) == nil, let index = side.labels.index(of: value),
                !conflicts[place].removedLabels.contains(where: { $0.label.value == value })
            else { continue }
            conflicts[place].removedLabels.append(
                Conflict.RemovedLabel(label: side.labels[index], preceding: side.labels[..<index].map(\.value)))
        }
        conflicts[place].removedLabels.sort { ExactText($0.label.value.compact) < ExactText($1.label.value.compact) }
    }

    /// If both sides chose different values, the value of the base stays in force. If a side removed its label, the label is kept,
    /// and the other edits of the option are still merged.
    private mutating func keepLabel(of value: JSON, for facet: Facet) {
        guard let place = place(of: facet), let kept = base.labels.index(of: value) else {
            return
        }
        if option.labels.index(of: value) == nil {
            let removed = Conflict.RemovedLabel(label: base.labels[kept], preceding: base.labels[..<kept].map(\.value))
            option.labels.insert(removed.label, at: removed.position(in: option.labels))
        } else if !conflicts.contains(where: { $0.keptLabel == value }) {
            return
        }
        conflicts[place].keptLabel = value
    }

    /// The choice of a side: a label that is followed through all lists, nothing, or a value that the side doesn't offer.
    private enum Choice: Equatable {
        case nothing
        case thread(Int)
        case unknown(JSON)
    }

    private mutating func follow(_ facet: Facet, _ part: KeyPath<SettingsOption, JSON?>, _ merge: LabelsMerge) -> JSON? {
        func choice(_ value: JSON?, _ thread: (JSON) -> Int?) -> Choice {
            guard let value else { return .nothing }
            return thread(value).map { .thread($0) } ?? .unknown(value)
        }
        let old = choice(base[keyPath: part], merge.thread(ofBase:))
        let our = choice(ours[keyPath: part], merge.thread(ofOurs:))
        let their = choice(theirs[keyPath: part], merge.thread(ofTheirs:))
        let merged: Choice
        if our == their || old == their {
            merged = our
        } else if old == our {
            merged = their
        } else {
            addSides(facet, part, nil)
            merged = old
        }
        switch merged {
        case .nothing: return nil
        case .thread(let thread):
            if let value = self.value(ofThread: thread, merge) { return value }
            let isContested = place(of: .labels) != nil
            addSides(facet, part, isContested ? "the chosen label is in conflict" : "the chosen label was removed")
        case .unknown(let value):
            if option.labels.label(of: value) != nil { return value }
            // If the lists conflict, the label belongs to that conflict.
            if place(of: .labels) != nil { break }
            addSides(facet, part, "\(value.compact) is no longer offered")
        }
        return base[keyPath: part]
    }

    /// The value that a label has in the merged list; nil where it is not there.
    private func value(ofThread thread: Int, _ merge: LabelsMerge) -> JSON? {
        guard case .conflict = merge.result else { return merge.label(ofThread: thread)?.value }
        return merge.values(ofThread: thread).first { option.labels.index(of: $0) != nil }
    }

    private var faults: [SettingsOption.Fault] { option.faults(comparedWith: [base, ours, theirs]) }

    /// Facets that are valid alone but not together.
    private mutating func addProblems() {
        for problem in faults where place(of: problem.facet) == nil {
            switch problem.facet {
            case .value: addSides(.value, \.value, problem.reason)
            case .default: addSides(.default, \.defaultValue, problem.reason)
            default:
                func side(_ option: SettingsOption) -> Change.Content? {
                    SettingsContent.Item.option(option).facets[problem.facet]
                }
                add(problem.facet, side(base), side(ours), side(theirs), problem.reason)
            }
            if problem.facet == .value { option.value = base.value }
            if problem.facet == .default { option.defaultValue = base.defaultValue }
        }
    }

    /// Where the sides don't hold together, what depends on each other stays as it was, and all of it that a side changed is in
    /// conflict.
    private mutating func holdBack() {
        guard !conflicts.isEmpty, !faults.isEmpty else { return }
        let kept = SettingsContent.Item.option(base.faults().isEmpty ? base : ours).facets
        for facets in [SettingsOption.dependentFacets, nil] where !faults.isEmpty {
            var item = SettingsContent.Item.option(option)
            for facet in Set(item.facets.keys).union(kept.keys) where facets?.contains(facet) ?? true {
                item.set(facet, to: kept[facet])
                addSides(facet)
            }
            option = item.option ?? option
        }
        // Nothing is kept for one conflict alone.
        for place in conflicts.indices { conflicts[place].keptLabel = nil }
    }

    private func place(of facet: Facet) -> Int? { conflicts.firstIndex { $0.facet == facet } }

    private mutating func addSides(_ facet: Facet) {
        let (base, ours, theirs) = (
            SettingsContent.Item.option(base).facets[facet], SettingsContent.Item.option(ours).facets[facet],
            SettingsContent.Item.option(theirs).facets[facet]
        )
        if let place = place(of: facet) {
            return conflicts[place].widen(base: base, ours: ours, theirs: theirs)
        }
        if Change.Content.isSame(ours, theirs) { return }
        add(facet, base, ours, theirs, nil)
        conflicts[conflicts.count - 1].isHeldBack = true
    }

    private mutating func addSides(_ facet: Facet, _ part: KeyPath<SettingsOption, JSON?>, _ reason: String?) {
        guard place(of: facet) == nil else { return }
        func side(_ option: SettingsOption) -> Change.Content? { option[keyPath: part].map { option.content($0) } }
        add(facet, side(base), side(ours), side(theirs), reason)
    }

    private mutating func add(
        _ facet: Facet, _ base: Change.Content?, _ ours: Change.Content?, _ theirs: Change.Content?, _ reason: String?
    ) {
        conflicts.append(Conflict(subject, title: title, facet: facet, base: base, ours: ours, theirs: theirs, reason: reason))
    }
}
