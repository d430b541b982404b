import Files
package import SettingsModel

extension Snapshot {
    /// The edit that does what was asked of this version.
    package func edit(for request: EditRequest, by caller: Caller) throws(Problem) -> Edit {
        try EditPlanner(base: self, caller: caller).edit(for: request)
    }

    /// The edit that records changes which somebody made to an earlier state, and sets no option that is read-only by now.
    package func edit(recording changes: [Change]) throws(Problem) -> Edit {
        for change in changes where change.facet == .value {
            guard case .option(let key) = change.subject, let item = try readable(change.subject),
                item.option?.isReadOnly == true,
                !changes.contains(where: { $0.subject == change.subject && $0.facet == .member("readOnly") }),
                !Change.Content.isSame(item.facets[.value], change.after)
            else { continue }
            throw .value(.isReadOnly(key))
        }
        var edit = Edit(changes)
        edit.touched = Set(changes.map(\.subject))
        return edit
    }
}

/// Works out what a request changes in a version.
private struct EditPlanner {
    let base: Snapshot
    let caller: Caller

    func edit(for request: EditRequest) throws(Problem) -> Edit {
        switch request {
        case .set(let assignments, let conditions):
            var unmet: [Problem] = []
            for condition in conditions {
                do throws(Problem) { try check(condition) } catch { unmet += error.each }
            }
            if let problem = Problem.all(unmet) { throw problem }
            let planner = EditPlanner(base: try base.loaded(for: assignments.count), caller: caller)
            return try planner.setting(assignments)
        case .add(let word, let definition, let groups): return try adding(word, definition, groups)
        case .define(let word, let option, let group, let policy): return try defining(word, option, group, policy)
        case .label(let word, let edit): return try editingLabels(of: try key(word), edit)
        case .rename(let old, let new): return try renaming(old, to: new)
        case .remove(let words, let isRecursive): return try removing(words, recursive: isRecursive)
        }
    }

    /// The edit that leads to what `work` makes of these items. `recordsNew`: of an option that is in the files alone, it
    /// starts from the file, which is recorded with it.
    private func editing(
        _ subjects: [Subject], recordsNew: Bool = false, _ work: (inout SettingsContent) throws(Problem) -> Void
    ) throws(Problem) -> Edit {
        let before = try base.settings(of: subjects, acceptingAnyValue: true)
        var after = before
        var files: [Subject: Folder.Reading] = [:]
        for subject in recordsNew ? subjects : [] where try !base.has(subject) {
            guard let reading = try base.versions.folder.reading(of: subject) else { continue }
            files[subject] = reading
            after[subject] = try base.versions.folder.item(subject, file: reading.bytes)
        }
        try work(&after)
        try Drafts.checkEnvironments((before, after), files)
        var edit = Edit(after.changes(since: before))
        edit.sides = (before, after)
        edit.touched = Set(subjects)
        edit.recordsDraft = Set(files.keys)
        edit.draftFiles = files
        return edit
    }

    /// The option that a word names, in the version or in the files alone.
    private func key(_ word: String) throws(Problem) -> Key {
        do throws(Problem) { return try base.key(word, caller) } catch {
            // In a store that nobody recorded yet, there is more to record than an option.
            guard error.kind == .missing, try base.has(.store),
                let key = try? base.versions.folder.option(named: word, caller).key, try !base.has(.option(key))
            else { throw error }
            return key
        }
    }

    private func check(_ condition: EditRequest.Condition) throws(Problem) {
        let key = try key(condition.key)
        let option = if let option = try base.versions.folder.new(key, since: base) { option } else { try base.existing(key) }
        guard !option.isNow(condition.value) else { return }
        throw .value(.isNot(key, value: Wording().words(option.value, of: option), wanted: condition.words))
    }

    private func setting(_ assignments: [EditRequest.Assignment]) throws(Problem) -> Edit {
        var wishes: [(key: Key, wish: Wish)] = []
        var keys: Set<Key> = []
        var problems: [Problem] = []
        for assignment in assignments {
            let key: Key
            do throws(Problem) { key = try self.key(assignment.key) } catch {
                guard case .key = error else { throw error }
                problems.append(error)
                continue
            }
            guard keys.insert(key).inserted else {
                problems.append(.value(.isSetTwice(key)))
                continue
            }
            wishes.append((key, assignment.wish))
        }
        let edit: Edit
        do throws(Problem) { edit = try setting(wishes) } catch {
            // What else is wrong with it is known already.
            throw Problem.all(problems + error.each) ?? error
        }
        if let problem = Problem.all(problems) { throw problem }
        return edit
    }

    private func setting(_ wishes: [(key: Key, wish: Wish)]) throws(Problem) -> Edit {
        try editing(wishes.map { .option($0.key) }, recordsNew: true) { settings throws(Problem) in
            do throws(Problem) { try settings.set(wishes) } catch {
                // A default that does not fit any more is the version's fault.
                for problem in error.each {
                    if case .value(.refused(let key?, let refusal)) = problem, refusal.cause != .noDefault,
                        wishes.contains(where: { $0.key == key && $0.wish == .reset })
                    {
                        _ = try base.option(key)
                    }
                }
                throw error
            }
        }
    }

    private func adding(
        _ word: String, _ definition: OptionDefinition, _ groups: EditRequest.NewGroups
    ) throws(Problem) -> Edit {
        let key = try caller.key(word)
        if try base.holdsOption(key) { throw .editing(.optionIsThere(key)) }
        let option = try definition.option(key, from: nil)
        let groups = try groups.groups(of: key)
        let orders = try orders(appending: .option(key))
        return try editing([.option(key)] + groups.map { .group($0.key) } + orders.keys.map { .group($0) }) { settings in
            settings.options[key] = option
            for (place, group) in groups where settings.groups[place] == nil { settings.groups[place] = group }
            for (place, order) in orders { settings.groups[place, default: SettingsGroup()].order = order }
        }
    }

    /// The orders of groups that show a new option or group, and the groups that are new with it, after what is there.
    private func orders(appending subject: Subject) throws(Problem) -> [Key: [ExactText]] {
        var orders: [Key: [ExactText]] = [:]
        var added = subject
        while !added.key.isRoot {
            let place = added.key.group
            let inside = try base.subjects(in: place).filter { $0 != .option(place) && $0 != .store }
            var (options, groups) = (Set<ExactText>(), Set<ExactText>())
            for subject in inside where subject.key != place {
                let name = ExactText(subject.key.parts[place.parts.count])
                if subject == .option(subject.key), subject.key.group == place {
                    options.insert(name)
                } else {
                    groups.insert(name)
                }
            }
            let item = try base.readable(.group(place))
            let hasFile = try base.has(.group(place))
            // A file that cannot be read keeps its order.
            if item != nil || !hasFile {
                let group = if case .group(let group)? = item { group } else { SettingsGroup() }
                orders[place] = group.order(
                    appending: ExactText(added.key.name), to: options.union(groups), peers: added.isGroup ? groups : options)
            }
            if !inside.isEmpty { break }
            added = .group(place)
        }
        return orders
    }

    private func defining(
        _ word: String, _ definition: OptionDefinition, _ group: GroupDefinition, _ policy: PolicyDefinition
    ) throws(Problem) -> Edit {
        let typed = caller.word(word)
        let key = try typed.written()
        if key.isRoot {
            if definition.isOfOptions { throw .editing(.isNoOption(key)) }
            return try definingStore(group, policy)
        }
        if typed.isGroup, definition.kind != nil { throw .key(.namesGroup(word)) }
        let inStore = try base.has(.store)
        let new = typed.isGroup || !inStore ? nil : try base.versions.folder.new(key, since: base)
        let option =
            if let new { new } else if typed.isGroup { nil as SettingsOption? } else {
                try base.mendable(.option(key))?.option
            }
        let holdsSomething = try base.holdsGroup(key)
        let isGroup = definition.kind == nil && option == nil && (group.isOfGroups || holdsSomething)
        if group.isOfGroups && !isGroup { throw .editing(.isNoGroup(key)) }
        guard isGroup else {
            if !policy.isEmpty { throw .editing(.isNotStore) }
            if option == nil, definition.kind == nil { try refuseNearby(typed, key) }
            if option == nil, definition.isEmpty { throw .editing(.isNothingYet(key)) }
            let defined: SettingsOption
            do throws(Problem) { defined = try definition.option(key, from: option) } catch {
                // What did not fit already is the version's fault.
                if option != nil, case .editing(.isInconsistent) = error { _ = try base.option(key) }
                throw error
            }
            let orders = option == nil ? try orders(appending: .option(key)) : [:]
            let subjects = [.option(key)] + orders.keys.map { Subject.group($0) }
            return try editing(subjects, recordsNew: new != nil) { settings in
                settings.options[key] = defined
                for (place, order) in orders { settings.groups[place, default: SettingsGroup()].order = order }
            }
        }
        if definition.isOfOptions { throw .editing(.isNoOption(key)) }
        return try editing([.group(key)]) { settings throws(Problem) in
            try group.apply(to: &settings.groups[key, default: SettingsGroup()])
        }
    }

    /// What is in the current folder is meant only where that is written.
    private func refuseNearby(_ word: KeyWord, _ key: Key) throws(Problem) {
        let nearby = try word.written(nearby: true)
        guard nearby != key, try base.holds(nearby) else { return }
        throw .key(.noPlace(word.text, near: ["./\(word.text)"]))
    }

    private func definingStore(_ group: GroupDefinition, _ policy: PolicyDefinition) throws(Problem) -> Edit {
        try editing([.store, .group(.root)]) { settings throws(Problem) in
            var definition = settings.definition ?? StoreDefinition()
            if let title = group.title { definition.title = ExactText(title) }
            policy.apply(to: &definition)
            settings.definition = definition
            guard group.isOfGroups else { return }
            // The root is called as the store.
            var group = group
            group.title = nil
            try group.apply(to: &settings.groups[.root, default: SettingsGroup()])
        }
    }

    private func editingLabels(of key: Key, _ edit: LabelEdit) throws(Problem) -> Edit {
        try editing([.option(key)], recordsNew: true) { settings throws(Problem) in
            guard var option = settings.options[key] else { return }
            try edit.apply(to: &option, key)
            settings.options[key] = option
        }
    }

    private func renaming(_ old: String, to new: String) throws(Problem) -> Edit {
        let source = try self.place(old)
        let isGroup = source.isGroup
        let key = source.key
        // Where the old key counts from the current folder, the new one does as well.
        let isNearby = caller.word(old).readings.first != key && caller.word(old).readings.contains(key)
        let target =
            isGroup
            ? try caller.word(new).written(nearby: isNearby) : try optionTarget(new, of: key, isNearby: isNearby)
        if target.isRoot { throw .key(.isRoot(new)) }
        let (from, to) = (Subject(key, isGroup: isGroup), Subject(target, isGroup: isGroup))
        if key == target { return Edit([]) }
        let isTaken = isGroup ? try base.holdsGroup(target) : try base.item(to) != nil
        if isTaken { throw .editing(.keyIsTaken(target)) }
        if target.isWithin(key), isGroup { throw .editing(.isIntoItself(key)) }
        let touched = try base.held(in: key).filter { isGroup || $0 == from }
        for subject in touched { _ = try base.item(subject) }
        let title = try base.item(from)?.title ?? ExactText(target.name)
        var edit = Edit([
            Change(to, title: title.isEmpty ? ExactText(target.name) : title, facet: .key, before: .key(key), after: .key(target))
        ])
        edit.touched = Set(touched)
        let orders = try orders(renaming: from, to: to)
        edit.changes += try editing(orders.keys.map { .group($0) }) { settings in
            for (place, order) in orders { settings.groups[place, default: SettingsGroup()].order = order }
        }.changes
        return edit
    }

    /// The new key of an option. As mv does, it goes into a group that is there; `./group.json` names the option beside the group.
    private func optionTarget(_ new: String, of key: Key, isNearby: Bool) throws(Problem) -> Key {
        let target = try caller.word(new).written(nearby: isNearby)
        guard !target.isRoot, target != key, !new.hasSuffix(".json"), try base.holdsGroup(target) else {
            return try caller.key(new, nearby: isNearby)
        }
        do { return try target.appending(key.name) } catch { throw .key(.malformed(new, error)) }
    }

    /// The orders of groups that show a renamed item where it was, and one that went into another group after what is there.
    private func orders(renaming old: Subject, to new: Subject) throws(Problem) -> [Key: [ExactText]] {
        let place = old.key.group
        guard place == new.key.group else { return try orders(appending: new) }
        let (name, newName) = (ExactText(old.key.name), ExactText(new.key.name))
        guard case .group(let group)? = try base.readable(.group(place)), let order = group.order, order.contains(name),
            !order.contains(newName)
        else { return [:] }
        return [place: order.map { $0 == name ? newName : $0 }]
    }

    /// What a word names: the option rather than the group of the same key, unless a slash says otherwise.
    private func place(_ text: String) throws(Problem) -> (key: Key, isGroup: Bool) {
        let word = caller.word(text)
        for key in word.readings {
            if !word.isGroup, try base.holdsOption(key) { return (key, false) }
            if key.isRoot { throw .key(.isRoot(text)) }
            if try base.holdsGroup(key) { return (key, true) }
        }
        do { return (try base.key(text, caller), false) } catch {
            guard error.kind == .missing else { throw error }
            // A group could have been meant as well.
            let key = try base.place(text, caller)
            return (key, try !base.holdsOption(key))
        }
    }

    private func removing(_ words: [String], recursive isRecursive: Bool) throws(Problem) -> Edit {
        var subjects: Set<Subject> = []
        var problems: [Problem] = []
        for word in words {
            let (key, isGroup): (Key, Bool)
            do throws(Problem) { (key, isGroup) = try place(word) } catch {
                problems += error.each
                continue
            }
            if isGroup {
                guard isRecursive else {
                    problems.append(.editing(.groupHoldsOptions(key, count: try base.options(in: key).count)))
                    continue
                }
                subjects.formUnion(try base.held(in: key).filter { $0 != .option(key) })
            } else {
                subjects.insert(.option(key))
            }
        }
        if let problem = Problem.all(problems) { throw problem }
        var unreadable: Set<Subject> = []
        for subject in subjects where try base.isUnreadable(subject) { unreadable.insert(subject) }
        var edit = try editing(subjects.subtracting(unreadable).sorted()) { settings in
            for subject in subjects { settings[subject] = nil }
        }
        edit.replaces = unreadable
        return edit
    }
}

extension StoreFolder {
    /// An option that somebody made by hand, and that `base` does not have yet; nil for everything else.
    func new(_ key: Key, since base: Snapshot) throws(Problem) -> SettingsOption? {
        let subject = Subject.option(key)
        let isRecorded = try base.has(subject)
        if isRecorded { return nil }
        if try ignoreRule(for: subject) != nil { return nil }
        guard case .option(let option)? = try? item(subject) else { return nil }
        return option
    }
}
