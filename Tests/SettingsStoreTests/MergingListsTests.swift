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

    @Test(arguments: [(Answer.ours, ["English", "Français", "Spanish"]), (.theirs, ["English", "Spanish"])])
    func aSide(_ answer: Answer, _ expected: [String]) throws {
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
}
