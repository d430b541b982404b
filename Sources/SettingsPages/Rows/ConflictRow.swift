package import SettingsModel
import SettingsText

/// A conflict between the draft and what somebody recorded: opens a page of its sides.
package struct ConflictRow: Row {
    let open: SettingsDraft.OpenConflict

    package init(_ open: SettingsDraft.OpenConflict) { self.open = open }

    package var id: RowID { .conflict(open.conflict.subject, open.conflict.facet) }

    package func title(in scene: Scene) -> String {
        let facet = open.conflict.facet == .value ? "" : " \(scene.glyphs.dash) \(open.conflict.facet.name)"
        return open.conflict.title.string + facet
    }

    package func mark(in scene: Scene) -> String { open.pick == nil ? "" : scene.glyphs.check }

    package func accessory(in scene: Scene) -> Accessory {
        let words = open.pick.map { scene.wording.words($0, of: open) } ?? "choose"
        return Accessory(StyledText(words, open.pick == nil ? .warning : .after), opens: true)
    }

    package func open(in scene: Scene) -> Response {
        let page = Response.open(ConflictPage(open.conflict.subject, open.conflict.facet))
        guard case .option(let key) = open.conflict.subject, scene.facts.origins[key] == nil else { return page }
        return .all([page, .effect(.origins([key]))])
    }

    package func hint(in scene: Scene) -> String {
        if scene.draft.isOpenedByRevert(open) { return "This was changed after that version" }
        let subject = open.conflict.subject
        if let fault = scene.fault(inFileOf: subject) { return "You changed this, and its file is not valid: \(fault)" }
        return scene.facts.handEdited.contains(subject)
            ? "You changed this, and its file was edited by hand" : "Both you and somebody else changed this"
    }
}

/// A side of a conflict, with a checkmark if it was picked.
package struct SideRow: Row {
    let open: SettingsDraft.OpenConflict
    let pick: SettingsDraft.Pick

    package init(_ open: SettingsDraft.OpenConflict, _ pick: SettingsDraft.Pick) {
        (self.open, self.pick) = (open, pick)
    }

    package var id: RowID { .named("side \(pick.rawValue)") }

    package func title(in scene: Scene) -> String {
        switch pick {
        case .yours: "Yours"
        case .theirs: "Theirs"
        case .before: "Before"
        }
    }

    package func mark(in scene: Scene) -> String { open.pick == pick ? scene.glyphs.check : "" }
    package func accessory(in scene: Scene) -> Accessory {
        let isInvalid = pick == .theirs && scene.fault(inFileOf: open.conflict.subject) != nil
        return Accessory(StyledText(isInvalid ? "not valid" : scene.wording.words(pick, of: open), .after))
    }
    package func toggle(in scene: Scene) -> Response { .settle(open, pick) }
    package func open(in scene: Scene) -> Response { .all([.settle(open, pick), .back]) }
}

extension Wording {
    /// A side of a conflict between the draft and what is recorded.
    func words(_ pick: SettingsDraft.Pick, of open: SettingsDraft.OpenConflict) -> String {
        words(open.side(pick), of: open.conflict, isBase: pick == .before)
    }

    /// A side of a question of a merge.
    func words(_ pick: SettingsDraft.Pick, of question: OpenQuestion) -> String {
        words(question.side(pick), of: question.conflict, isBase: pick == .before)
    }

    package func words(_ side: Change.Content?, of conflict: Conflict, isBase: Bool) -> String {
        if conflict.facet == .labels, conflict.base != nil { return labels(side, of: conflict) }
        guard conflict.facet == .existence else { return words(side) }
        if case .item(.option(let option))? = side, conflict.base != nil {
            return option.value.map { words($0, of: option) } ?? "not set"
        }
        return switch (conflict.base, side) {
        case (nil, nil): "not there"
        case (nil, _?): "added"
        case (_?, nil): "removed"
        case (_?, _?): isBase ? "as it was" : "kept"
        }
    }
}
