import Testing

@testable import SettingsModel

/// `for`, with values per environment, is reserved: it has its place in a file, and what it chose stays offered.
struct EnvironmentValueTests {
    private let key = Key(unchecked: ["language"])

    private func language(_ values: [String] = ["en", "de", "fr"], _ environments: JSON? = nil) -> SettingsOption {
        let production: JSON = .object(["prod": .object(["value": "de"])])
        return SettingsOption(
            title: "Language", type: .choice, value: "en", help: "Shown in every menu.",
            labels: Labels(values.map { ChoiceLabel(value: .string($0), text: ExactText($0.uppercased())) }, writesValues: true),
            other: ["for": environments ?? production, "zzz": .bool(true)])
    }

    @Test func itStandsBeforeTheLabels() throws {
        guard case .object(let members) = language().json else { return }
        #expect(members.map(\.name) == ["title", "type", "selected", "value", "help", "for", "labels", "values", "zzz"])
        // Files in which it stood last are read as before.
        var last = members
        let place = try #require(last.firstIndex { $0.name == "for" })
        last.append(last.remove(at: place))
        #expect(try SettingsOption(file: Array(JSON.object(last).pretty.utf8)) == language())
        for option in [SettingsOption(title: "T", type: .text, other: ["for": .null, "key": "k"])] {
            #expect(try SettingsOption(file: option.file) == option)
        }
    }

    @Test func whatCannotBeReadIsNoFault() {
        let forms: [JSON] = [
            .null, "de", .array(["de"]), .object(["prod": "xx"]), .object(["prod": .object(["value": .null])]),
            .object(["prod": .object(["values": "xx"])]),
        ]
        for form in forms { #expect(language(["en"], form).misfitEnvironmentValues.isEmpty, "\(form.compact)") }
        #expect(language(["en"]).misfitEnvironmentValues.map(\.environment) == ["prod"])
        // It doesn't keep a file from being read.
        #expect(language(["en"]).faults().isEmpty)
    }

    @Test func whatIsMalformedIsReportedWithItsPlace() throws {
        let forms: [(JSON, String)] = [
            (.null, "not null"), ("de", "not a string"), (.array(["de"]), "not an array"),
            (.object(["prod": "xx"]), "for prod, not a string"), (.object(["": .object(["value": "de"])]), "without a name"),
            (.object(["prod": .object([:])]), "no \"value\" for prod"),
        ]
        for (form, reason) in forms {
            let option = language(["en"], form)
            let fault = try #require(option.environmentFaults().first, "\(form.compact)")
            #expect(fault.reason.contains(reason), "\(fault.reason)")
            #expect(fault.position(in: option.file) != nil, "\(form.compact)")
            #expect(option.environmentFaults(comparedWith: [option]).isEmpty)
            #expect(try SettingsOption(file: option.file) == option)
        }
        #expect(language().environmentFaults().isEmpty)
    }

    @Test func membersOfAMaskedTextThatMayHoldItsValueAreMasked() {
        func secret(_ other: [ExactText: JSON]) -> SettingsContent {
            var option = SettingsOption(title: "Secret", type: .text, value: "s", other: other)
            option.other["masked"] = .bool(true)
            var settings = SettingsContent()
            settings.options[key] = option
            return settings
        }
        let hidden: [ExactText: JSON] = ["for": .object(["prod": .object(["value": "TOPSECRET"])]), "zzz": "TOPSECRET"]
        for (name, value) in hidden {
            let changes = secret([name: value]).changes(since: secret([:]))
            for change in [changes, changes.inverted].joined() {
                let line = Wording().sentence(change.lines[0]).plain
                #expect(change.lines[0].isMasked && !line.contains("TOPSECRET"), "\(line)")
                #expect(Wording(revealsMasked: true).sentence(change.lines[0]).plain.contains("TOPSECRET"))
            }
            #expect(!Wording().message(of: changes).subject.contains("TOPSECRET"))
        }
        for name in ["placeholder", "pattern", "key", "$schema"] as [ExactText] {
            let changes = secret([name: "clear"]).changes(since: secret([:]))
            #expect(Wording().message(of: changes).subject.contains("clear"), "\(name)")
        }
        // Whether it is masked changes nothing else.
        var open = secret(hidden)
        open.options[key]?.other["masked"] = nil
        #expect(open.changes(since: secret(hidden)).map(\.facet) == [.member("masked")])
    }

    @Test func aLabelThatAnEnvironmentChoseStays() throws {
        for edit in [LabelEdit.remove("DE", select: nil), .remove("de", select: "fr")] {
            var option = language()
            #expect(throws: Problem.self) { try edit.apply(to: &option, key) }
        }
        var other = language()
        try LabelEdit.remove("fr", select: nil).apply(to: &other, key)
        var definition = OptionDefinition()
        definition.labels = [.init(value: "en", text: "EN")]
        #expect(throws: Problem.self) { try definition.option(key, from: language()) }
        definition = OptionDefinition()
        definition.kind = .switch
        #expect(throws: Problem.self) { try definition.option(key, from: language()) }
    }

    /// A version that added a label is reverted after an environment chose it.
    @Test func addingALabelThatAnEnvironmentChoseIsNotReverted() throws {
        var (before, after) = (SettingsContent(), SettingsContent())
        before.options[key] = language(["en", "fr"], .object([]))
        after.options[key] = language(["en", "de", "fr"], .object([]))
        var present = after
        present.options[key] = language()
        let back = before.changes(since: after)
        let merge = present.merging(back)
        #expect(merge.conflicts.map(\.facet) == [.labels] && merge.settings == present)
        #expect(after.merging(back).conflicts.isEmpty)
    }

    /// One side removes the label that the other one chose for an environment.
    @Test func aRemovedLabelConflictsWithAnEnvironmentsChoice() {
        let (base, chosen) = (language(["en", "de", "fr"], .object([])), language())
        var removed = base
        removed.labels.remove("de")
        func content(_ option: SettingsOption) -> SettingsContent {
            var content = SettingsContent()
            content.options[key] = option
            return content
        }
        for (ours, theirs) in [(chosen, removed), (removed, chosen)] {
            let merge = SettingsContent.merge(base: content(base), ours: content(ours), theirs: content(theirs))
            #expect(!merge.conflicts.isEmpty)
            #expect(merge.settings.options[key]?.misfitEnvironmentValues.isEmpty == true)
        }
        // What was not offered before is no conflict.
        var retitled = language(["en"])
        retitled.title = "Tongue"
        let (before, added) = (content(language(["en"])), content(language(["en", "fr"])))
        #expect(SettingsContent.merge(base: before, ours: content(retitled), theirs: added).conflicts.isEmpty)
    }
}
