package import SettingsModel

// What two sides of a merge disagree about, in words.

extension Phrases {
    /// What merges left open, and what git left in conflict in the files, as 'conflicts' shows it.
    package func conflicts(
        _ open: [(conflict: Conflict, inForce: Change.Content?, origin: ConflictOrigin)], _ texts: [Conflict], isComplete: Bool
    ) -> [PrintedLine] {
        var lines = open.flatMap { [conflict($0.conflict, inForce: $0.inForce)] + sides($0.origin).indented }
        lines += texts.map { conflict($0) }
        let next =
            lines.isEmpty ? PrintedLine.note("there are no open conflicts") : Phrases.resolves(open.map(\.conflict), texts: texts)
        let missing = CommandLineHints.cutOff("conflicts that earlier merges left open are not known")
        return lines.map { .answer($0) } + [next] + (isComplete ? [] : [.note(missing)])
    }

    /// How to resolve what is open. While git merges, its sides are always there.
    package static func resolves(_ open: [Conflict], texts: [Conflict] = []) -> PrintedLine {
        let value = "'settings resolve KEY VALUE' resolves a conflict"
        if !texts.isEmpty || open.contains(where: \.hasSides) { return .hint("\(value); --ours or --theirs takes one side") }
        let kept = "'settings resolve KEY:PART --ours' keeps what is in force"
        if !open.contains(where: \.takesValue) { return .hint(kept) }
        return .hint(open.allSatisfy(\.takesValue) ? value : "\(value); for anything but a value, \(kept)")
    }

    /// What 'resolve' did with a file that git left in conflict. `open`: the facets that still are; `side`: the one that was asked
    /// for although both fit together; `operation`: what git is in the middle of; `hasReason`: whether git's commit was given one.
    package func resolved(
        _ key: Key, _ facet: Facet?, _ changes: [Change], open: [Facet], side: String?, operation: String?, hasReason: Bool,
        isPlanned: Bool
    ) -> [PrintedLine] {
        let facet = facet ?? .value
        var lines: [PrintedLine] = sentences(changes).map { .done($0) }
        if changes.isEmpty { lines.append(.done("\(key)\(open.isEmpty ? "" : ":\(facet.token)") stays as on our side")) }
        guard open.isEmpty else {
            let places = open.map { "\(key):\($0.token)" }.joined(separator: ", ")
            let verb = open.count == 1 ? "is" : "are"
            let note =
                "note: \(places) \(verb) still in conflict; 'settings resolve' resolves \(open.count == 1 ? "it" : "them"), too"
            return isPlanned ? lines : lines + [.note(note)]
        }
        if let side {
            lines.append(
                .note("note: the sides of \(key) do not conflict; its \(facet.name) is taken from \(side) side, as requested"))
        }
        if isPlanned { return lines }
        // git does not count a stopped stash or squash as an operation.
        let isCommit = operation == nil || operation == "merge"
        let end = isCommit ? "commit" : "\(operation ?? "") --continue"
        let keeping = isCommit && hasReason ? " without -m, which keeps the reason" : ""
        return lines + [.hint("marked as resolved in git; finish with 'git \(end)'\(keeping)")]
    }

    /// An open conflict in words. `inForce`: what is in force until it is resolved.
    package func conflict(_ conflict: Conflict, inForce: Change.Content?) -> StyledText {
        let line = name(of: conflict)
        switch conflict.facet {
        case .existence: return line.adding(existence(conflict, inForce))
        case .key where (conflict.ours == nil) != (conflict.theirs == nil):
            return line.adding(": ours \(renamed(conflict.ours)), theirs \(renamed(conflict.theirs)), and ")
                .adding(inForce == nil ? "it does not exist now" : "\(wording.words(inForce)) is in force")
        case .labels where conflict.ours != nil || conflict.theirs != nil:
            return line.adding(": ours is ").adding(wording.labels(conflict.ours, of: conflict), .after)
                .adding(", theirs is ").adding(wording.labels(conflict.theirs, of: conflict), .after)
                .adding(whose(inForce, conflict))
        default: break
        }
        let facet =
            switch conflict.facet {
            case .value, .key: ""
            case .bound(let name): "\(name): "
            default: "\(conflict.facet.name): "
            }
        if !conflict.hasSides {
            let gone =
                conflict.facet == .labels ? "its labels were not agreed on" : "\(facet)\(wording.words(inForce)) is in force"
            return line.adding(": \(gone); the two sides are not in this history")
        }
        let sides = line.adding(": \(facet)ours is ").adding(wording.words(conflict.ours), .after)
            .adding(", theirs is ").adding(wording.words(conflict.theirs), .after)
            .adding(", and ").adding(wording.words(inForce), .before).adding(" is in force")
        guard let reason = conflict.reason, conflict.facet != .key else { return sides }
        return sides.adding(" (\(reason))")
    }

    /// What is in force since a conflict was resolved.
    func resolution(of conflict: Conflict, inForce: Change.Content?) -> StyledText {
        let line = name(of: conflict)
        switch conflict.facet {
        case .existence: return line.adding(inForce == nil ? ": removed" : ": kept")
        case .labels: return line.adding(": labels")
        case .key where inForce == nil: return line.adding(": removed")
        case .value, .key: return line.adding(": ").adding(wording.words(inForce), .after)
        default: return line.adding(": \(conflict.facet.name) ").adding(wording.words(inForce), .after)
        }
    }

    /// What a side did to the name of something.
    private func renamed(_ side: Change.Content?) -> String {
        side == nil ? "removed it" : "renamed it to \(wording.words(side))"
    }

    private func existence(_ conflict: Conflict, _ inForce: Change.Content?) -> String {
        let isThere = inForce == nil ? "it does not exist now" : "it exists now"
        let did = conflict.isKept ? "kept" : "changed"
        switch (conflict.ours, conflict.theirs) {
        case (nil, nil): return ": \(isThere); the two sides are not in this history"
        case (nil, _?): return ": ours removed it, theirs \(did) it, and \(isThere)"
        case (_?, nil): return ": ours \(did) it, theirs removed it, and \(isThere)"
        case (let ours?, let theirs?):
            return ": added on both sides, differently (ours \(wording.glyphs.arrow) theirs: "
                + "\(differences(conflict.subject, ours, theirs)))\(whose(inForce, conflict))"
        }
    }

    private func differences(_ subject: Subject, _ ours: Change.Content, _ theirs: Change.Content) -> String {
        func alone(_ content: Change.Content) -> SettingsContent {
            var settings = SettingsContent()
            if case .item(let item) = content { settings[subject] = item }
            return settings
        }
        return alone(theirs).changes(since: alone(ours)).map(wording.step).joined(separator: "; ")
    }

    /// Which side is in force, where it is not shown whole.
    private func whose(_ inForce: Change.Content?, _ conflict: Conflict) -> String {
        if inForce == nil { return "" }
        if inForce == conflict.theirs { return ", and theirs is in force" }
        if inForce == conflict.ours { return ", and ours is in force" }
        if inForce == conflict.base { return ", and the base is in force" }
        // A list may have been edited elsewhere since.
        return conflict.facet.isList ? "" : ", and neither is in force"
    }

    /// A change that does not fit what is there now, in words.
    package func refusal(_ conflict: Conflict) -> StyledText { step(conflict, "would become", conflict.base != conflict.ours) }

    /// A conflict of a merge in words: the content before both sides changed it, and that of each side.
    package func conflict(_ conflict: Conflict) -> StyledText {
        var line = name(of: conflict)
        if conflict.facet != .value { line = line.adding(": \(conflict.facet.name)") }
        if conflict.facet != .existence {
            let isLabels = conflict.facet == .labels
            let words = { isLabels ? labelTexts($0) : wording.words($0) }
            let comma = isLabels ? "; " : ", "
            line = line.adding(": base ").adding(words(conflict.base), .before)
                .adding("\(comma)ours ").adding(words(conflict.ours), .after)
                .adding("\(comma)theirs ").adding(words(conflict.theirs), .after)
        }
        return reasoned(line, conflict)
    }

    /// What a content was and is, and what a change or a file has instead.
    private func step(_ conflict: Conflict, _ wants: String, _ showsBase: Bool = true) -> StyledText {
        var line = name(of: conflict).adding(": \(conflict.facet.name)")
        if conflict.facet == .labels {
            // Their number may be the same on both sides.
            if showsBase { line = line.adding(" were ").adding(labelTexts(conflict.base), .before).adding(";") }
            line = line.adding(" are ").adding(labelTexts(conflict.ours), .after)
                .adding("; \(wants) ").adding(labelTexts(conflict.theirs), .after)
        } else if conflict.facet != .existence {
            if showsBase { line = line.adding(" was ").adding(wording.words(conflict.base), .before).adding(",") }
            line = line.adding(" is ").adding(wording.words(conflict.ours), .after)
                .adding(", \(wants) ").adding(wording.words(conflict.theirs), .after)
        }
        return reasoned(line, conflict)
    }

    private func reasoned(_ line: StyledText, _ conflict: Conflict) -> StyledText {
        guard let reason = conflict.reason else { return line }
        return line.adding(conflict.facet == .existence ? " \(wording.glyphs.dash) \(reason)" : " (\(reason))")
    }

    private func labelTexts(_ content: Change.Content?) -> String {
        guard case .labels(let labels)? = content, !labels.isEmpty else { return "none" }
        return wording.cut(labels.map(\.text.string.inWords).joined(separator: ", "))
    }

    /// What an import kept, and why.
    package func kept(_ conflict: Conflict) -> StyledText {
        guard conflict.facet == .existence, let reason = conflict.reason else {
            return step(conflict, "the file has")
        }
        return name(of: conflict).adding(": \(reason)")
    }

    private func name(of conflict: Conflict) -> StyledText {
        let isRoot = conflict.subject.key.isRoot
        let title = conflict.title.string.inWords
        return StyledText(isRoot ? title : "\(title) (\(conflict.subject.key))", .name)
    }
}

extension Reports {
    /// What merges left open, and what git left in conflict in the files.
    package func conflicts(
        _ open: [(conflict: Conflict, merge: Version, origin: ConflictOrigin)], _ texts: [Conflict], isComplete: Bool
    ) -> JSON {
        let rows = open.map { question in
            conflict(
                question.conflict,
                [
                    "merge": reference(question.merge), "oursBy": reference(question.origin.ours),
                    "theirsBy": reference(question.origin.theirs),
                ])
        }
        return Reports.document(["conflicts": .array(rows + texts.map { conflict($0) }), "complete": .bool(isComplete)])
    }

    /// What 'resolve' did with a file that git left in conflict, and what of it still is.
    package func resolved(_ changes: [Change], open: [Facet], isPlanned: Bool) -> JSON {
        Reports.document([
            "status": .string(isPlanned ? "planned" : "mended"), "changes": self.changes(changes),
            "open": open.isEmpty ? nil : strings(open.map(\.token)),
        ])
    }
}

extension Wording {
    /// What a side of a conflict did to the labels.
    package func labels(_ side: Change.Content?, of conflict: Conflict) -> String {
        let change = Change(conflict.subject, title: conflict.title, facet: .labels, before: conflict.base, after: side)
        if case .labels(let labels)? = side, labels.isEmpty { return "no labels" }
        let words = change.lines.filter { $0.facet != .other }.map { step($0) }
        return words.isEmpty ? "as before" : words.joined(separator: "; ")
    }
}
