extension Settings {
    /// These settings with what an import brings; `before` is what earlier imports brought. Labels are recognised as in
    /// every merge: by value, then by text.
    ///
    /// What people changed since is kept, and named as a conflict where the import has something else. `overwrites`: the
    /// import wins. `givesValues`: the import says what is set; else no value changes.
    package func bringing(
        _ imported: Settings, since before: Settings, givesValues: Bool, overwrites: Bool = false
    ) -> Merge {
        var (base, theirs) = (before, imported)
        for subject in imported.subjects where before[subject] == nil {
            guard let ours = self[subject] else { continue }
            // Never imported before: what is there was made by people, and an import only adds to a group.
            if case .group = subject {
                base[subject] = .group(Group())
            } else {
                base[subject] = overwrites ? ours : imported[subject]
            }
        }
        if !givesValues {
            for (key, option) in imported.options {
                guard let earlier = base.options[key], earlier.type == option.type,
                    earlier.value.map({ option.fault(of: $0) == nil }) ?? true
                else { continue }
                theirs.options[key]?.value = earlier.value
            }
        }
        var merge = Settings.merge(base: base, ours: self, theirs: theirs)
        merge.decide(for: overwrites ? theirs : self)
        for subject in imported.subjects where before[subject] == nil && self[subject] != nil && !overwrites {
            guard case .option(let key) = subject, let ours = self[subject], let theirs = imported[subject], ours != theirs else {
                continue
            }
            merge.conflicts.append(
                Conflict(
                    subject, title: title(of: .option(key)), facet: .existence, base: nil, ours: .item(ours),
                    theirs: .item(theirs), reason: "it was there before and was never imported"))
        }
        return merge
    }
}

extension Settings.Merge {
    /// Takes every facet that conflicts as `side` has it; an option that doesn't hold together then, whole.
    fileprivate mutating func decide(for side: Settings) {
        // Labels before what is chosen from them.
        func rank(_ conflict: Conflict) -> Int { conflict.facet == .labels ? 0 : 1 }
        for conflict in conflicts.sorted(by: { rank($0) < rank($1) }) {
            let content =
                conflict.facet == .existence
                ? side[conflict.subject].map { Change.Content.item($0) } : side[conflict.subject]?.facets[conflict.facet]
            settings.take(content, for: conflict)
        }
        for subject in Set(conflicts.map(\.subject)) {
            guard case .option(let key) = subject, settings.options[key]?.problems().isEmpty == false else { continue }
            settings.options[key] = side.options[key]
        }
    }
}
