import SettingsModel
import Testing

@testable import SettingsPages

/// What becomes of a draft when somebody else records something.
struct DraftTests {
    private func changed(_ key: String, to value: JSON) throws -> SettingsContent {
        var settings = try Office.settings
        settings.options[try Key(key)]?.value = value
        return settings
    }

    private func draft(_ values: [(String, JSON)]) throws -> SettingsDraft {
        var draft = SettingsDraft(try Office.settings)
        for (key, value) in values {
            var option = try #require(draft.content.options[try Key(key)])
            option.value = value
            draft.apply([(.option(try Key(key)), .option(option))])
        }
        return draft
    }

    @Test func otherOptionsAreMerged() throws {
        var draft = try draft([("display.theme", "dark")])
        #expect(draft.move(to: try changed("display.larger", to: .bool(true))) == 0)
        #expect(draft.changes.map(\.subject) == [.option(try Key("display.theme"))])
        #expect(draft.content.options[try Key("display.larger")]?.value == .bool(true))
        _ = draft.undo()
        #expect(try draft.content == changed("display.larger", to: .bool(true)))
    }

    @Test func theSameChangeIsNone() throws {
        var draft = try draft([("display.theme", "dark")])
        #expect(draft.move(to: try changed("display.theme", to: "dark")) == 0)
        #expect(draft.isEmpty)
    }

    @Test func theSelectionFollowsItsLabel() throws {
        var draft = try draft([("display.theme", "dark")])
        var other = try Office.settings
        other.options[try Key("display.theme")]?.labels.insert(ChoiceLabel(value: "sepia", text: "Sepia"), at: 1)
        #expect(draft.move(to: other) == 0)
        #expect(draft.content.options[try Key("display.theme")]?.selected == 2)
        #expect(draft.changes.count == 1)
    }

    @Test func conflictsAreSettledAndUndone() throws {
        var draft = try draft([("display.larger", .bool(true)), ("display.theme", "dark")])
        let other = try changed("display.theme", to: "auto")
        #expect(draft.move(to: other) == 1)
        #expect(draft.openConflicts.count == 1 && draft.changes.count == 1)
        #expect(draft.content.options[try Key("display.theme")]?.value == "auto")
        let sides: [(SettingsDraft.Pick, JSON)] = [(.yours, "dark"), (.theirs, "auto"), (.before, "light")]
        for (pick, value) in sides {
            #expect(draft.settle(draft.conflicts[0], pick) == nil)
            #expect(draft.content.options[try Key("display.theme")]?.value == value)
            #expect(draft.openConflicts.isEmpty)
        }
        for _ in 0..<3 { _ = draft.undo() }
        #expect(draft.openConflicts.count == 1)
        while draft.undo() != nil {}
        #expect(draft.content == other)
    }

    @Test func conflictsAreKeptAcrossACrash() throws {
        for removes in [false, true] {
            var draft = try draft([("display.larger", .bool(true)), ("display.theme", "dark")])
            var other = try changed("display.theme", to: "auto")
            if removes { other.options[try Key("display.theme")] = nil }
            draft.move(to: other)
            var kept = try #require(KeptDraft(file: KeptDraft(draft, Sheet(why: "night")).file))
            #expect(kept.draft.move(to: other) == 1 && kept.sheet.why == "night")
            #expect(kept.draft.openConflicts.map(\.conflict) == draft.openConflicts.map(\.conflict))
            #expect(kept.draft.content == draft.content && kept.draft.changes == draft.changes)
            #expect(kept.draft.settle(kept.draft.conflicts[0], .yours) == nil)
            #expect(kept.draft.content.options[try Key("display.theme")]?.value == "dark")
        }
    }

    @Test func whatARevertOrRestoreComesFromIsKeptAcrossACrash() throws {
        let (dark, larger) = (try changed("display.theme", to: "dark"), try changed("display.larger", to: .bool(true)))
        let id = try #require(VersionID(hex: String(repeating: "ab", count: 20)))
        let other = try #require(VersionID(hex: String(repeating: "cd", count: 20)))
        let office = try Office.settings
        func reread(_ draft: SettingsDraft, on base: SettingsContent) throws -> SettingsDraft {
            var kept = try #require(KeptDraft(file: KeptDraft(draft, Sheet()).file)).draft
            kept.move(to: base)
            return kept
        }
        var draft = SettingsDraft(office)
        let isRestored = draft.restore(larger.changes(since: office), from: other)
        let isReverted = draft.revert(dark.changes(since: office), of: id)
        #expect(isRestored && isReverted)
        #expect(draft.reverts == [id] && draft.restoredFrom == other)
        let kept = try reread(draft, on: office)
        #expect(kept.reverts == [id] && kept.restoredFrom == other && kept.content == draft.content)

        // A conflict, open and settled.
        let auto = try changed("display.theme", to: "auto")
        var conflicting = SettingsDraft(auto)
        let opens = conflicting.revert(office.changes(since: dark), of: id)
        #expect(opens && conflicting.openConflicts.count == 1 && conflicting.reverts.isEmpty)
        var open = try reread(conflicting, on: auto)
        #expect(open.openConflicts.count == 1 && open.reverts.isEmpty)
        #expect(open.settle(open.conflicts[0], .yours) == nil)
        #expect(open.reverts == [id])
        #expect(conflicting.settle(conflicting.conflicts[0], .yours) == nil)
        let settled = try reread(conflicting, on: auto)
        #expect(settled.reverts == [id] && settled.openConflicts.isEmpty && settled.content == conflicting.content)
    }

    @Test func anEarlierDraftIsNotLostBeforeItIsDecidedOn() throws {
        let kept = KeptDraft(try draft([("display.theme", "dark")]), Sheet())
        for key in ["Esc", "Left", "/", "c", "u", "H", "Up Enter", "Del"] {
            var editor = try Office.editor()
            _ = editor.step(.offered(kept))
            #expect(editor.title == "Earlier Changes" && editor.focused == "Continue with the Changes")
            #expect(editor.press(key).isEmpty && editor.title == "Earlier Changes" && editor.status.isRefusal, "\(key)")
            let effects = editor.press("q")
            guard effects.count == 1, case .quit(.kept(1))? = effects.first else {
                Issue.record("it is forgotten")
                return
            }
        }
        var editor = try Office.editor()
        _ = editor.step(.offered(kept))
        // The help can be read.
        editor.press("?")
        #expect(editor.title == "Keys")
        editor.press("Esc v")
        #expect(editor.title == "Earlier Changes" && editor.status.text.hasPrefix("The changes are listed here"))
        editor.press("Enter")
        #expect(editor.changes == ["Theme: Light → Dark"] && editor.title == "Settings")
    }

    @Test func damagedFilesAreNoDrafts() {
        for text in [
            "", "{", "[]", "{\"format\":2,\"base\":[],\"steps\":[]}", "{\"format\":1,\"base\":[{}],\"steps\":[]}",
            "{\"format\":1,\"base\":[],\"steps\":[{\"reverts\":\"x\",\"edits\":[]}]}",
        ] {
            #expect(KeptDraft(file: Array(text.utf8)) == nil)
        }
    }

    @Test func removedOptionsAreAskedAbout() throws {
        var draft = try draft([("display.theme", "dark")])
        var other = try Office.settings
        other.options[try Key("display.theme")] = nil
        #expect(draft.move(to: other) == 1)
        #expect(draft.content == other)
        #expect(draft.settle(draft.conflicts[0], .yours) == nil)
        #expect(draft.content.options[try Key("display.theme")]?.value == "dark")
        while draft.undo() != nil {}
        #expect(draft.content == other)
    }

    @Test func aConflictIsAPage() throws {
        var editor = try Office.editor(at: "display.theme")
        editor.press("Enter Down Enter")
        _ = editor.step(.loaded(Loaded(try changed("display.theme", to: "auto"), author: "Bob")))
        #expect(editor.status.text.contains("Bob"))
        #expect(editor.draw().lines[0].hasSuffix("1 conflict  c Done"))
        editor.press("c")
        #expect(editor.title == "Conflicts" && editor.focused == "Theme")
        editor.press("Enter")
        #expect(editor.visit.rows.map { $0.sentence(in: editor.scene) } == ["Yours: Dark", "Theirs: Auto", "Before: Light"])
        editor.press("Space")
        #expect(editor.visit.rows[0].sentence(in: editor.scene) == "Yours: Dark (chosen)")
        editor.press("Esc c")
        #expect(editor.title == "Done" && editor.changes == ["Theme: Auto → Dark"])
    }

    @Test func doneSaysThatAnotherBranchIsCheckedOut() throws {
        var editor = try Office.editor(at: "display.theme")
        let note = "You began these changes on main; Done records them on night."
        func notes() -> Bool { editor.visit.rows.contains { $0.title(in: editor.scene) == note } }
        func checkOut(_ branch: String) throws {
            var loaded = Loaded(try Office.settings, branch: branch)
            loaded.movedTo = branch
            _ = editor.step(.loaded(loaded))
        }
        try checkOut("main")
        editor.press("Enter Down Enter")
        try checkOut("night")
        #expect(editor.status.text == "The store is on night now")
        // The same branch somewhere else.
        var reset = Loaded(editor.scene.draft.base, head: nil, branch: "night")
        (reset.movedTo, reset.resetTo) = ("night", VersionID(repeating: 7))
        _ = editor.step(.loaded(reset))
        #expect(editor.status.text == "night is now at \(VersionID(repeating: 7).short)")
        editor.press("c")
        #expect(editor.title == "Done" && notes())
        try checkOut("main")
        #expect(!notes())
        // What is begun after the checkout belongs where it is.
        try checkOut("night")
        editor.press("Esc u")
        try checkOut("main")
        editor.press("Down Enter c")
        #expect(editor.title == "Done" && !notes())
    }

    @Test func typingIsNotDisturbed() throws {
        var editor = try Office.editor(at: "display.name")
        editor.press("Enter 'x'")
        _ = editor.step(.loaded(Loaded(try changed("display.larger", to: .bool(true)), author: "Bob")))
        #expect(editor.typing?.field.text == "Küche 山田x" && editor.focused == "Device Name")
        #expect(editor.status.text == "Bob recorded: Larger Text: Off → On")
    }

    @Test func fieldsAreEditedByCharacters() {
        var field = Field("Küche 👩‍👩‍👧")
        _ = field.edit(.backspace)
        #expect(field.text == "Küche ")
        _ = field.edit(.control("w"))
        #expect(field.text == "")
        field.insert("e")
        field.insert("\u{301}")
        #expect(field.characters.count == 1 && field.cursor == 1)
    }

    /// The type of a side fits what was decided, unlike the maximum that the other side has.
    @Test func aTypeKeepsADecidedValue() throws {
        let subject = Subject.option(try Key("display.brightness"))
        func item(_ type: SettingsOption.Kind, _ value: Int, maximum: Int? = nil) -> SettingsContent.Item {
            let range = SettingsOption.Range(maximum: maximum.map { Number($0) })
            return .option(SettingsOption(title: "Brightness", type: type, value: .number(Number(value)), range: range))
        }
        let (base, ours, theirs) = (item(.number, 1), item(.data, 2), item(.number, 3, maximum: 50))
        let conflict = Conflict(
            subject, title: "Brightness", facet: .type, base: base.facets[.type], ours: ours.facets[.type],
            theirs: theirs.facets[.type])
        let time = Time(seconds: 1_795_000_000, offset: 0)
        let person = Person(name: "Ann", email: "ann@example.org")
        let merge = Version(
            id: VersionID(high: 1, middle: 0, low: 0), parents: [], author: person, committer: person, time: time,
            message: VersionMessage(subject: "s"))
        for decided in [[], [Facet.value]] as [Set<Facet>] {
            var settings = try Office.settings
            settings[subject] = item(.number, 7, maximum: 50)
            var draft = SettingsDraft(settings)
            let question = OpenQuestion(
                conflict, origin: ConflictOrigin(ours: nil, theirs: nil), merge: merge, inForce: theirs.facets[.type],
                sides: [.yours: ours, .theirs: theirs, .before: base], merged: theirs, decided: decided)
            #expect(draft.answer(question, .yours) == nil)
            let option = try #require(draft.content[subject]?.option)
            #expect(option.type == .data && option.range.isEmpty)
            #expect(option.value == .number(decided.isEmpty ? 2 : 7))
        }
    }
}
