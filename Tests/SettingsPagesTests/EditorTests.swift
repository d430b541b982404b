import SettingsModel
import Testing

@testable import SettingsPages

/// What the keys do, page by page.
struct EditorTests {
    @Test func drillsDownAndComesBackToTheSameRow() throws {
        var editor = try Office.editor()
        #expect(editor.title == "Settings" && editor.focused == "Display")
        editor.press("Enter Down Down")
        #expect(editor.title == "Display" && editor.focused == "Brightness")
        editor.press("Up Up Enter")
        #expect(editor.title == "Theme" && editor.focused == "Light")
        editor.press("Down Enter")
        #expect(editor.title == "Display" && editor.focused == "Theme")
        #expect(editor.changes == ["Theme: Light → Dark"])
        #expect(editor.status.text == "Theme: Light → Dark")
        editor.press("Esc")
        #expect(editor.title == "Settings" && editor.focused == "Display")
        #expect(editor.draw().lines[0].hasSuffix("1 change  c Done"))
    }

    @Test func aChoiceOpensOnTheChosenLabelAndSpaceStays() throws {
        var editor = try Office.editor(at: "display.theme")
        editor.press("Enter Down Space")
        #expect(editor.title == "Theme" && editor.focused == "Dark")
        editor.press("Esc Enter")
        #expect(editor.focused == "Dark")
    }

    @Test func switchesAreToggledInTheRow() throws {
        var editor = try Office.editor(at: "display.larger")
        editor.press("Enter")
        #expect(try editor.value("display.larger") == .bool(true))
        editor.press("Space")
        #expect(try editor.value("display.larger") == .bool(false))
        #expect(editor.scene.draft.isEmpty)
    }

    @Test func aSliderIsMovedAndTakenBackAtOnce() throws {
        var editor = try Office.editor(at: "display.brightness")
        editor.press("Right Right PgUp")
        #expect(try editor.value("display.brightness") == .number(100))
        editor.press("Right")
        #expect(editor.status.text == "Brightness is at its maximum, 100" && editor.status.isRefusal)
        editor.press("u")
        #expect(try editor.value("display.brightness") == .number(50))
        editor.press("'35' Enter")
        #expect(try editor.value("display.brightness") == .number(35))
        editor.press("'36' Enter")
        #expect(editor.status.isRefusal && editor.typing?.field.text == "36")
        editor.press("Esc Del")
        #expect(try editor.value("display.brightness") == .number(40))
    }

    @Test func textIsTypedInPlaceAndAPasteIsText() throws {
        var editor = try Office.editor(at: "display.name")
        editor.press("Enter Ctrl-u 'qcu d'")
        _ = editor.step(.paste("c\nq"))
        editor.press("Enter")
        #expect(try editor.value("display.name") == "qcu dc\nq")
        #expect(editor.title == "Display" && editor.draw().lines.contains { $0.contains("qcu dc\\nq") })
        _ = editor.step(.paste("q"))
        #expect(editor.status.isRefusal && editor.title == "Display")
    }

    @Test func aMaskedTextIsNeverShown() throws {
        var editor = try Office.editor(at: "display.secret")
        editor.press("Enter 'geheim'")
        #expect(editor.draw().lines.contains { $0.contains("••••••") } && !editor.draw().lines.joined().contains("geheim"))
        editor.press("Enter v")
        #expect(!editor.draw().lines.joined().contains("geheim"))
        editor.press("Esc i")
        #expect(!editor.draw().lines.joined().contains("geheim"))
    }

    @Test func dataGoesToAnEditor() throws {
        var editor = try Office.editor(at: "display.fonts")
        guard case .edit(let row, let text, _)? = editor.press("Enter").first else {
            Issue.record("no editor")
            return
        }
        #expect(text == "[\n  1\n]\n")
        _ = editor.step(.edited(row, "[1, 2]"))
        #expect(try editor.value("display.fonts") == .array([.number(1), .number(2)]))
        _ = editor.step(.edited(row, "[1, 2"))
        #expect(editor.status.isRefusal)
    }

    @Test func whatCannotBeChangedSaysWhy() throws {
        var editor = try Office.editor(at: "display.fixed")
        editor.press("Space")
        #expect(editor.status.text == "Fixed is read-only" && editor.status.isRefusal)
        editor.press("d")
        #expect(editor.status.text.contains("Del resets a value"))
        editor.press("F7")
        #expect(editor.status.text == "F7 does nothing here; ? lists the keys")
        editor.press("q")
        #expect(editor.scene.draft.isEmpty)
    }

    @Test func labelsAreEditedOnTheirPage() throws {
        var editor = try Office.editor(at: "display.theme")
        editor.press("Enter a 'Sepia' Enter")
        #expect(editor.changes == ["Theme: label added: Sepia"])
        editor.press("g e Ctrl-u 'Day' Enter")
        #expect(editor.focused == "Day")
        editor.press("J Down Del")
        #expect(editor.scene.content.options[try Key("display.theme")]?.labels.map(\.text.string) == ["Dark", "Day", "Sepia"])
        #expect(try editor.value("display.theme") == "light")
        editor.press("g Down Del")
        #expect(editor.status.text == "Day is chosen; choose another label before you remove it")
        editor.press("u u u u")
        #expect(editor.scene.draft.isEmpty)
    }

    @Test func changesAreDismissedAlone() throws {
        var editor = try Office.editor(at: "display.theme")
        editor.press("Enter Down Enter Down Space v")
        #expect(editor.title == "Changes" && editor.changes.count == 2)
        editor.press("g Del")
        #expect(editor.changes == ["Theme: Light → Dark"])
        editor.press("u")
        #expect(editor.changes.count == 2)
    }

    /// A reason that is typed at once, whatever letters are in it, is a reason.
    @Test func lettersOnTheSheetAreText() throws {
        var editor = try Office.editor()
        editor.press("Enter Down Space c")
        #expect(editor.title == "Done" && editor.focused == "Done" && editor.typing == nil)
        let reason = "cquick, because UUID: j/k"
        let effects = editor.press("'\(reason)'")
        #expect(effects.allSatisfy { if case .keep = $0 { true } else { false } })
        #expect(editor.typing?.field.text == reason && editor.typedSheet.why == reason && editor.scene.sheet.why.isEmpty)
        // Down goes to the next field, and an earlier reason doesn't replace the one that is typed.
        editor.press("Down 'Marie C' Tab 'OPS-1' Enter")
        #expect(editor.scene.sheet.requestedBy == "Marie C" && editor.scene.sheet.ticket == "OPS-1")
        _ = editor.step(.reasons(["rotated"]))
        _ = editor.step(.focus(.named("reason rotated")))
        editor.press("Enter")
        #expect(editor.status.isRefusal && editor.scene.sheet.why == reason)
    }

    /// Among earlier reasons keys move as in every list.
    @Test func lettersOnAnEarlierReasonAreKeys() throws {
        var editor = try Office.editor()
        editor.press("Enter Down Space c")
        _ = editor.step(.reasons(["rotated", "too small"]))
        _ = editor.step(.focus(.named("reason rotated")))
        // Another person's version comes in.
        _ = editor.step(.reasons(["louder", "rotated", "too small"]))
        #expect(editor.focused == "“rotated”")
        editor.press("j")
        #expect(editor.typing == nil && editor.focused == "“too small”")
        editor.press("k x")
        #expect(editor.typing == nil && editor.status.isRefusal && editor.focused == "“rotated”")
        editor.press("Enter 'f'")
        #expect(editor.scene.sheet.why == "rotated" && editor.typing?.field.text == "rotatedf")
    }

    /// What is taken back after Done names the version that it undoes, and can be redone before and after that is recorded.
    @Test func whatIsTakenBackAfterDoneUndoesTheVersion() throws {
        var editor = try Office.editor()
        editor.press("Enter Down Space")
        let id = try #require(VersionID(hex: String(repeating: "ab", count: 20)))
        _ = editor.step(.recorded(words: "Recorded", editor.scene.draft.changes, by: id))
        editor.press("u")
        #expect(editor.changes == ["Larger Text: On → Off"] && editor.scene.draft.undoes == id)
        let kept = try #require(KeptDraft(file: KeptDraft(editor.scene.draft, editor.scene.sheet).file))
        #expect(kept.draft.undoes == id)
        editor.press("u")
        #expect(editor.status.isRefusal && editor.changes == ["Larger Text: On → Off"])
        editor.press("U")
        #expect(editor.changes == [])
        editor.press("u")
        let other = try #require(VersionID(hex: String(repeating: "cd", count: 20)))
        _ = editor.step(.recorded(words: "Recorded", editor.scene.draft.changes, by: other))
        editor.press("U")
        #expect(editor.changes == ["Larger Text: Off → On"] && editor.scene.draft.undoes == other)
    }

    @Test func doneAsksForWhatThePolicyWants() throws {
        var settings = try Office.settings
        settings.definition?.policy.why = .required
        var editor = Editor(
            Loaded(settings), at: try Key("display.larger"), phrases: Office.phrases(), size: Grid.Size(columns: 80, rows: 24))
        editor.press("Space c")
        #expect(editor.title == "Done" && editor.typing != nil)
        editor.press("Esc")
        #expect(editor.title == "Done")
        editor.press("End")
        #expect(editor.press("Enter").isEmpty && editor.status.isRefusal)
        #expect(editor.focused == "Why")
        editor.press("Enter 'too small'")
        // What was typed of a reason stays when Esc closes it.
        editor.press("Esc")
        #expect(editor.scene.sheet.why == "too small")
        editor.press("Enter Enter")
        #expect(editor.focused == "Done")
        guard case .record(let changes, let sheet)? = editor.press("Enter").last else {
            Issue.record("nothing is recorded")
            return
        }
        #expect(changes.count == 1 && sheet.reason == "too small")
    }

    @Test func whatWasRecordedCanBeTakenBack() throws {
        var editor = try Office.editor(at: "display.larger")
        editor.press("Space c")
        guard case .record(let changes, _)? = editor.press("Enter").last else {
            Issue.record("nothing is recorded")
            return
        }
        _ = editor.step(.recorded(words: "Recorded", changes, by: nil))
        #expect(editor.scene.draft.isEmpty && editor.title == "Display")
        #expect(try editor.value("display.larger") == .bool(true))
        editor.press("u")
        #expect(editor.changes == ["Larger Text: On → Off"])
    }

    @Test func escOnTheFirstPageAsksAndLeftDoesNot() throws {
        var editor = try Office.editor()
        #expect(editor.press("Left").isEmpty && editor.title == "Settings")
        guard case .quit(.empty)? = editor.press("Esc").last else {
            Issue.record("it goes on")
            return
        }
        editor.press("Enter Down Space Esc Esc")
        #expect(editor.title == "Leave")
        editor.press("Esc")
        #expect(editor.title == "Settings" && editor.changes.count == 1)
        guard case .quit(.kept(1))? = editor.press("q").last else {
            Issue.record("it goes on")
            return
        }
    }

    @Test func resizesKeepWhatIsTyped() throws {
        var editor = try Office.editor(at: "display.name")
        editor.press("Enter 'abc'")
        _ = editor.step(.resize(Grid.Size(columns: 20, rows: 5)))
        #expect(editor.typing?.field.text == "Küche 山田abc" && editor.focused == "Device Name")
        #expect(editor.draw().showsCursor)
    }

    @Test func searchFindsWordsAndFilters() throws {
        func found(_ words: String) throws -> [String] {
            var editor = try Office.editor()
            _ = editor.step(.search(words))
            return editor.scene.matches.map(\.description)
        }
        #expect(try found("theme") == ["display.theme"])
        #expect(try found("display dark") == ["display.theme"])
        #expect(try found("thme") == ["display.theme"])
        #expect(try found("@kind:switch") == ["display.fixed", "display.larger"])
        #expect(try found("@changed") == ["display.brightness"])
        #expect(try found("nothing at all") == [])
        // A word before the beginning of one.
        #expect(try found("fi") == ["display.fixed"])
    }

    @Test func filtersAskWhoWhenAndWhy() throws {
        var editor = try Office.editor()
        guard case .origins(let keys)? = editor.step(.search("@who:ada @since:2d @why:night")).last else {
            Issue.record("nobody is asked")
            return
        }
        #expect(keys.isEmpty)
        func version(_ name: String, hoursAgo: Int64, _ why: String) throws -> Version {
            let person = Person(name: name, email: "\(name)@example.org")
            let id = try #require(VersionID(hex: String(repeating: "1", count: 40)))
            return Version(
                id: id, parents: [], author: person, committer: person,
                time: Time(seconds: 1_795_161_600 - hoursAgo * 3600, offset: 0), message: VersionMessage(subject: "x", why: why))
        }
        _ = editor.step(
            .origins(
                [
                    try Key("display.theme"): try version("Ada", hoursAgo: 3, "easier at night"),
                    try Key("display.larger"): try version("Bob", hoursAgo: 3, "easier at night"),
                    try Key("display.name"): try version("Ada", hoursAgo: 90, "easier at night"),
                    try Key("display.fonts"): try version("Ada", hoursAgo: 3, "nicer"),
                ], areAll: true))
        _ = editor.step(.search("@who:ada @since:2d @why:night"))
        #expect(editor.scene.matches.map(\.description) == ["display.theme"])
        editor.press("i")
        #expect(editor.draw().lines.contains { $0.contains("Chosen by") && $0.hasSuffix("Ada") })
    }

    /// The hint at the foot of the screen has both; other front ends show the first alone.
    @Test func whoChoseAValueAndTheCommandAreApart() throws {
        var editor = try Office.editor(at: "display.theme")
        let person = Person(name: "Ada", email: "ada@example.org")
        let id = try #require(VersionID(hex: String(repeating: "1", count: 40)))
        let version = Version(
            id: id, parents: [], author: person, committer: person, time: Time(seconds: 1_795_000_000, offset: 0),
            message: VersionMessage(subject: "x", why: "easier at night\nand more"))
        _ = editor.step(.origins([try Key("display.theme"): version], areAll: false))
        let (row, scene) = (try #require(editor.row), editor.scene)
        let who = try #require(row.who(in: scene))
        #expect(who == "Ada, \(scene.phrases.time(version.time)), “easier at night”")
        #expect(row.command(in: scene) == "settings set display.theme light")
        #expect(
            row.hint(in: scene).hasPrefix("Theme: \(who) · ")
                && row.hint(in: scene).hasSuffix(" · settings set display.theme light"))
    }
}
