import Testing

@testable import SettingsModel
@testable import SettingsStore

/// Conflicts about lists of labels: what resolves them, and what resolving them leaves as it is.
struct MergingListsTests {
    private func withQuestion(
        _ inForce: MergeWish.InForce = .theirs, ours: (inout Labels) -> Void = { $0.rename(.string("fr"), to: "Français") },
        theirs: (inout Labels) -> Void = { $0.remove("fr") }, _ body: (TemporaryStore) throws -> Void
    ) throws {
        try withStore { s in
            try s.put("l", .language)
            try s.part(ours: { try s.labels("l", ours) }, theirs: { try s.labels("l", by: .bob, theirs) })
            try s.merge { $0.kept = inForce }
            #expect(try s.open() == ["l labels"])
            try body(s)
        }
    }

    private func texts(_ s: TemporaryStore) throws -> [String] { try s.option("l")?.labels.map(\.text.string) ?? [] }

    @Test func anEditOfOtherLabelsResolvesNothing() throws {
        try withQuestion { s in
            try s.labels("l") { $0.insert(ChoiceLabel(value: .string("it"), text: "Italian"), at: 0) }
            try s.labels("l") { $0.rename(.string("es"), to: "Español") }
            try s.set("l", "it")
            #expect(try s.open() == ["l labels"])
            try s.resolve("l", .ours)
            #expect(try texts(s) == ["Italian", "English", "Français", "Español"])
            #expect(try s.open() == [])
        }
    }

    @Test func anEditOfTheLabelsInQuestionResolvesIt() throws {
        try withQuestion { s in
            try s.labels("l") { $0.insert(ChoiceLabel(value: .string("fr"), text: "Français"), at: 1) }
            #expect(try s.open() == [])
        }
    }

    /// Which labels it is about is found as the conflict is.
    @Test func costsNoMoreThanAnother() throws {
        func walked(_ edit: @escaping (inout SettingsOption, Int) -> Void) throws -> Int {
            var walked = 0
            try withStore { s in
                try s.put("l", .language)
                func edits(_ side: Int, by person: Person) throws {
                    for round in 0..<4 {
                        try s.change(s.done(person)) { settings in
                            if var option = settings.options[.of("l")] {
                                edit(&option, 2 * round + side)
                                settings.options[.of("l")] = option
                            }
                        }
                    }
                }
                try s.part(ours: { try edits(0, by: .ada) }, theirs: { try edits(1, by: .bob) })
                try s.merge { $0.kept = .theirs }
                let before = s.store.versions.walked
                #expect(try s.open().count == 1)
                walked = s.store.versions.walked - before
            }
            return walked
        }
        let titles = try walked { option, number in option.title = ExactText("Title \(number)") }
        let labels = try walked { option, number in option.labels.rename(.string("fr"), to: ExactText("Label \(number)")) }
        #expect(labels == titles)
    }

    @Test(arguments: [(ConflictAnswer.ours, ["English", "Français", "Spanish"]), (.theirs, ["English", "Spanish"])])
    func aSide(_ answer: ConflictAnswer, _ expected: [String]) throws {
        for inForce in MergeWish.InForce.allCases {
            try withQuestion(inForce) { s in
                try s.resolve("l", answer)
                #expect(try texts(s) == expected)
                #expect(try s.open() == [])
            }
        }
    }

    /// Resolving what was chosen brings back the label that it needs, and no other.
    @Test func aChoiceWhoseLabelOthersRemovedSince() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.part(ours: { try s.set("l", "fr") }, theirs: { try s.set("l", "es", by: .bob) })
            try s.merge { $0.kept = .theirs }
            try s.labels("l", by: .bob) {
                $0.remove("fr")
                $0.rename(.string("es"), to: "Español")
                $0.insert(ChoiceLabel(value: .string("it"), text: "Italian"), at: 0)
            }
            try s.resolve("l", .ours)
            #expect(try s.value("l") == "fr")
            #expect(try texts(s) == ["Italian", "English", "French", "Español"])
        }
    }

    /// Labels that both sides added with one value and two texts belong to that conflict, whatever is chosen.
    @Test func oneValueForTwoLabels() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.part(
                ours: {
                    try s.labels("l") { $0.insert(ChoiceLabel(value: .string("ar"), text: "Arab"), at: 1) }
                    try s.set("l", "ar")
                },
                theirs: { try s.labels("l", by: .bob) { $0.insert(ChoiceLabel(value: .string("ar"), text: "Arabic"), at: 1) } })
            try s.merge { $0.kept = .theirs }
            #expect(try texts(s) == ["English", "Arabic", "French", "Spanish"])
            #expect(try s.value("l") == "en")
            #expect(try s.open() == ["l value", "l labels"])
            try s.resolve("l", .ours, .labels)
            #expect(try texts(s) == ["English", "Arab", "French", "Spanish"])
            try s.resolve("l", .ours)
            #expect(try s.value("l") == "ar")
            #expect(try s.open() == [])
        }
    }

    /// Only the labels that both sides edited are in question; what else the sides did is in force.
    @Test(arguments: MergeWish.InForce.allCases)
    func otherLabelsAreMerged(_ inForce: MergeWish.InForce) throws {
        try withStore { s in
            try s.put("l", .language)
            try s.part(
                ours: {
                    try s.labels("l") {
                        $0.rename(.string("fr"), to: "Français")
                        $0.rename(.string("es"), to: "Español")
                        $0.insert(ChoiceLabel(value: .string("it"), text: "Italian"), at: 0)
                    }
                    try s.set("l", "it")
                },
                theirs: {
                    try s.labels("l", by: .bob) {
                        $0.rename(.string("fr"), to: "Francais")
                        $0.insert(ChoiceLabel(value: .string("el"), text: "Greek"), at: 3)
                    }
                })
            try s.merge { $0.kept = inForce }
            let french = [MergeWish.InForce.ours: "Français", .theirs: "Francais", .agreed: "French"]
            #expect(try texts(s) == ["Italian", "English", french[inForce], "Español", "Greek"])
            #expect(try s.value("l") == "it")
            #expect(try s.open() == ["l labels"])
            try s.resolve("l", .theirs)
            #expect(try texts(s) == ["Italian", "English", "Francais", "Español", "Greek"])
            #expect(try s.value("l") == "it")
            #expect(try s.open() == [])
        }
    }

    /// Of several labels in question each has to be edited, or the conflict to be resolved.
    @Test func oneOfTwoLabels() throws {
        func edit(_ language: String) -> (inout Labels) -> Void {
            { labels in
                labels.rename(.string("fr"), to: ExactText("French \(language)"))
                labels.rename(.string("es"), to: ExactText("Spanish \(language)"))
            }
        }
        try withQuestion(ours: edit("1"), theirs: edit("2")) { s in
            let first = try s.labels("l") { $0.rename(.string("fr"), to: "French 3") }
            #expect(try s.open() == ["l labels"])
            try s.labels("l") { $0.move(.string("es"), to: 0) }
            #expect(try s.open() == ["l labels"])
            try s.labels("l") { $0.rename(.string("es"), to: "Spanish 3") }
            #expect(try s.open() == [])
            // The last one has resolved it; what only was on the way there did not.
            _ = try s.store.reverting.revert([first.id], s.done(.ada))
            #expect(try s.open() == [])
            try s.undo()
            try s.undo()
            #expect(try s.open() == ["l labels"])
            try s.resolve("l", .ours)
            #expect(try s.open() == [])
        }
    }

    /// A decision for the labels that were in force changes no file; an edit of them elsewhere is a conflict with it, one of other
    /// labels is not.
    @Test(arguments: [("fr", ["l labels"]), ("es", [])])
    func aDecisionAndAnEdit(_ value: String, _ expected: [String]) throws {
        try withQuestion(theirs: { $0.rename(.string("fr"), to: "Francais") }) { s in
            try s.part(
                ours: { try s.resolve("l", .theirs) },
                theirs: { try s.labels("l", by: .bob) { $0.rename(.string(value), to: "Other") } }, named: "later")
            try s.merge("later") { $0.kept = .ours }
            #expect(try s.open() == expected)
            #expect(try texts(s) == (expected.isEmpty ? ["English", "Francais", "Other"] : ["English", "Francais", "Spanish"]))
        }
    }
}
