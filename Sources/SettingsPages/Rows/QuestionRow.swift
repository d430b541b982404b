package import SettingsModel
import SettingsText

/// A question that a merge left open: opens a page of its sides.
package struct QuestionRow: Row {
    let question: OpenQuestion

    package init(_ question: OpenQuestion) { self.question = question }

    package var id: RowID { .conflict(question.conflict.subject, question.conflict.facet) }

    package func title(in scene: Scene) -> String { scene.wording.title(of: question.conflict) }

    private func pick(in scene: Scene) -> SettingsDraft.Pick? {
        scene.draft.answers[question.id].flatMap { scene.draft.stands($0, for: question) ? $0 : nil }
    }

    package func mark(in scene: Scene) -> String { pick(in: scene) == nil ? "" : scene.glyphs.check }

    package func accessory(in scene: Scene) -> Accessory {
        if let pick = pick(in: scene) {
            return Accessory(StyledText(scene.wording.words(pick, of: question), .after), opens: true)
        }
        guard question.conflict.hasSides else { return Accessory(StyledText("choose", .warning), opens: true) }
        let sides = StyledText(scene.wording.words(.yours, of: question)).adding(" or ", .faint)
            .adding(scene.wording.words(.theirs, of: question))
        var accessory = Accessory(sides, opens: true)
        accessory.short = StyledText("choose", .warning)
        return accessory
    }

    package func open(in scene: Scene) -> Response { .open(QuestionPage(question.id)) }

    package func hint(in scene: Scene) -> String { question.conflict.subject.key.description }
}

/// A side of a question, with a checkmark if it was chosen.
package struct QuestionSideRow: Row {
    let question: OpenQuestion
    let pick: SettingsDraft.Pick

    package init(_ question: OpenQuestion, _ pick: SettingsDraft.Pick) { (self.question, self.pick) = (question, pick) }

    static func name(_ pick: SettingsDraft.Pick) -> String {
        switch pick {
        case .yours: "Ours"
        case .theirs: "Theirs"
        case .before: "Before"
        }
    }

    package var id: RowID { .named("side \(pick.rawValue)") }

    package func title(in scene: Scene) -> String { Self.name(pick) }

    package func mark(in scene: Scene) -> String {
        scene.draft.answers[question.id] == pick && scene.draft.stands(pick, for: question) ? scene.glyphs.check : ""
    }

    package func accessory(in scene: Scene) -> Accessory {
        Accessory(StyledText(scene.wording.words(pick, of: question), .after))
    }

    package func toggle(in scene: Scene) -> Response { .answer(question, pick) }
    package func open(in scene: Scene) -> Response { .all([.answer(question, pick), .back]) }

    package func who(in scene: Scene) -> String? { question.version(pick).map(scene.who) }

    package func hint(in scene: Scene) -> String {
        who(in: scene) ?? (pick == .before ? "The content before both sides changed it" : title(in: scene))
    }
}

extension Wording {
    /// What a conflict is about: the option, and what of it, if that isn't its value.
    package func title(of conflict: Conflict) -> String {
        conflict.title.string + ([.value, .existence].contains(conflict.facet) ? "" : " \(glyphs.dash) \(conflict.facet.name)")
    }
}
