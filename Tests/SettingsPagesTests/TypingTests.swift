import SettingsModel
import SettingsText
import Testing

@testable import SettingsPages

/// What happens to what is being typed, and to the sheet of Done, when something else happens.
struct TypingTests {
    private func loaded(_ author: String? = "Bob", _ change: (inout SettingsContent) throws -> Void) throws -> Loaded {
        var settings = try Office.settings
        try change(&settings)
        return Loaded(settings, head: VersionID(hex: String(repeating: "ab", count: 20)), author: author)
    }

    /// A reason that is half typed when somebody records a conflicting version is typed to its end.
    @Test(arguments: ["Bob", nil, "moved"])
    func theSheetStaysWhereSomebodyRecordsAConflict(_ author: String?) throws {
        var editor = try Office.editor(at: "display.name")
        editor.press("Enter Ctrl-u 'Bob' Enter c 'because'")
        var loaded = try loaded(author) { $0.options[try Key("display.name")]?.value = "Carol" }
        if author == "moved" { loaded.movedTo = "main" }
        if author == nil { loaded.handEdited = [.option(try Key("display.name"))] }
        _ = editor.step(.loaded(loaded))
        #expect(editor.title == "Done" && editor.typing?.field.text == "because")
        let words =
            switch author {
            case "moved": "The store is on main now, where Device Name is different"
            case "Bob": "Bob recorded another change to Device Name"
            default: "Device Name was also edited by hand"
            }
        #expect(editor.status.text == "\(words); Done asks which side to use")
        #expect(editor.draw().lines.contains { $0.contains("Device Name") && $0.hasSuffix("choose ›") })
        editor.press("' of yct' Ctrl-s")
        #expect(editor.title == "Conflicts" && editor.status.text == "Choose a side of each conflict first")
        #expect(editor.scene.draft.openConflicts.count == 1 && editor.scene.sheet.why == "because of yct")
        editor.press("Enter Enter")
        #expect(editor.scene.draft.openConflicts.isEmpty)
        editor.press("c")
        #expect(editor.title == "Done" && editor.scene.sheet.why == "because of yct")
    }

    /// What is typed stays text until Enter or Esc, and is not lost without a word.
    @Test func theFieldStaysWhereItsRowIsRemoved() throws {
        var editor = try Office.editor(at: "display.theme")
        editor.press("Enter a 'Sepia'")
        _ = editor.step(.loaded(try loaded { $0.options[try Key("display.theme")] = nil }))
        #expect(editor.status.text.hasSuffix("; Add a Label no longer accepts the text that you are typing"))
        #expect(editor.press("' uq'").isEmpty && editor.typing?.field.text == "Sepia uq" && editor.focused == "Add a Label")
        #expect(editor.draw().lines.contains { $0.contains("Sepia uq") })
        editor.press("Enter")
        #expect(editor.typing == nil && editor.focused == "" && editor.status.isRefusal)
        #expect(editor.status.text == "Add a Label no longer accepts text, so yours was not saved: “Sepia uq”")
        // A masked text is not shown.
        editor = try Office.editor(at: "display.secret")
        editor.press("Enter 'geheim'")
        _ = editor.step(.loaded(try loaded { $0.options[try Key("display.secret")] = nil }))
        editor.press("Enter")
        #expect(editor.typing == nil && editor.status.text == "Password no longer accepts text, so yours was not saved")
        #expect(editor.scene.draft.isEmpty)
    }

    @Test func aTextForAnotherKindOfOptionIsTold() throws {
        var editor = try Office.editor(at: "display.name")
        editor.press("Enter Ctrl-u 'Bob'")
        _ = editor.step(
            .loaded(
                try loaded {
                    $0.options[try Key("display.name")] = SettingsOption(title: "Device Name", type: .switch, value: .bool(false))
                }))
        #expect(editor.status.text.hasSuffix("; Device Name no longer accepts the text that you are typing"))
        editor.press("Enter")
        #expect(editor.typing == nil && editor.status.text.hasSuffix("so yours was not saved: “Bob”"))
        #expect(editor.focused == "Device Name" && editor.scene.draft.isEmpty)
    }

    /// Leaving keeps what is being typed, as it keeps what was.
    @Test func leavingAcceptsAText() throws {
        var editor = try Office.editor(at: "display.name")
        var effects = editor.press("Enter Ctrl-u 'Bob' Ctrl-c")
        #expect(editor.changes == ["Device Name: \"Küche 山田\" → \"Bob\""])
        #expect(effects.contains { if case .quit(.kept(1)) = $0 { true } else { false } })
        // What cannot be kept is told first.
        editor = try Office.editor(at: "display.brightness")
        effects = editor.press("'57' Ctrl-c")
        #expect(effects.isEmpty && editor.typing == nil && editor.status.text.hasSuffix("; the text was not saved: “57”"))
        effects = editor.press("Ctrl-c")
        #expect(effects.contains { if case .quit(.empty) = $0 { true } else { false } })
    }

    @Test func doneSaysWhyATextIsNotAccepted() throws {
        for key in ["Ctrl-s", "F10"] {
            var editor = try Office.editor(at: "display.brightness")
            editor.press("'57' \(key)")
            #expect(editor.status.text.hasPrefix("57 is not a step of 5 from 0; expected a number from 0 to 100"))
            #expect(editor.typing?.field.text == "57" && editor.title == "Display")
        }
    }

    /// A text from the person's editor that is not JSON is edited again.
    @Test func aTextThatTheOptionCannotHaveIsKept() throws {
        var editor = try Office.editor(at: "display.fonts")
        let row = RowID.option(try Key("display.fonts"))
        editor.press("Enter")
        _ = editor.step(.edited(row, "{\"long\": 1,}"))
        #expect(editor.title == "Fonts" && editor.focused == "Edit Again")
        #expect(editor.draw().lines.contains { $0.contains("Invalid JSON") })
        #expect(!editor.draw().lines.contains { $0.contains("a string is written") })
        guard case .edit(_, "{\"long\": 1,}", "fonts.json")? = editor.press("Enter").first else {
            Issue.record("the text is not edited again")
            return
        }
        _ = editor.step(.edited(row, "{\"long\": 1,}"))
        // It is neither left nor closed without a word.
        editor.press("Esc")
        #expect(editor.title == "Display")
        #expect(editor.press("q").isEmpty && editor.title == "Fonts" && editor.status.isRefusal)
        editor.press("Esc Esc")
        #expect(editor.press("Esc").isEmpty && editor.title == "Fonts")
        editor.press("Enter")
        _ = editor.step(.edited(row, "[2]"))
        #expect(try editor.value("display.fonts") == .array([.number(2)]))
        #expect(!editor.press("q").isEmpty)
        _ = editor.step(.edited(row, "[\n  2,\n]"))
        #expect(editor.draw().lines.contains { $0.contains("Invalid JSON: line 3: ") })
        editor.press("Esc")
        // It can be discarded.
        _ = editor.step(.edited(row, "["))
        editor.press("Down Enter")
        #expect(editor.status.text == "The text was discarded" && editor.scene.invalidTexts.isEmpty)
        _ = editor.step(.edited(row, "[ 2 ]"))
        #expect(editor.status.text == "Nothing was changed" && editor.changes == ["Fonts: [1] → [2]"])
    }

    @Test func aSliderThatComesBackLeavesNothingToUndo() throws {
        var editor = try Office.editor(at: "display.brightness")
        editor.press("Right Left")
        #expect(editor.scene.draft.steps.isEmpty)
        editor.press("u")
        #expect(editor.status.text == "There is nothing to undo")
        editor.press("Right Right Left Left Right u")
        #expect(try editor.value("display.brightness") == .number(50))
    }

    /// What somebody else recorded as well is no step of one's own any more.
    @Test func whatIsRecordedAlreadyIsNotUndone() throws {
        var editor = try Office.editor(at: "display.larger")
        editor.press("Space")
        _ = editor.step(.loaded(try loaded { $0.options[try Key("display.larger")]?.value = .bool(true) }))
        #expect(editor.status.text.hasSuffix("; your change to Larger Text is already recorded"))
        editor.press("u")
        #expect(editor.status.text == "There is nothing to undo")
        editor.press("U")
        #expect(editor.status.text == "There is nothing to redo")
        #expect(try editor.value("display.larger") == .bool(true))
    }

    @Test func leavingAsksWhereTheDraftCannotBeKept() throws {
        var editor = try Office.editor(at: "display.larger")
        editor.press("Space")
        _ = editor.step(.unkept("Changes cannot be kept here", isLeaving: false))
        #expect(editor.status.isRefusal && editor.title == "Display")
        _ = editor.step(.unkept("Changes cannot be kept here", isLeaving: true))
        #expect(
            editor.title == "Leave" && editor.visit.rows.map { $0.title(in: editor.scene) }.contains("Leave and Lose the Changes")
        )
        editor.press("Esc")
        #expect(editor.changes.count == 1)
    }

    @Test func existenceIsSettledInWords() throws {
        var editor = try Office.editor(at: "display.larger")
        editor.press("Space")
        _ = editor.step(.loaded(try loaded { $0.options[try Key("display.larger")] = nil }))
        editor.press("c Enter")
        let lines = editor.draw().lines
        #expect(lines.contains { $0.contains("Yours") && $0.hasSuffix("On") })
        #expect(lines.contains { $0.contains("Theirs") && $0.hasSuffix("removed") })
        #expect(lines.contains { $0.contains("Before") && $0.hasSuffix("Off") })
    }

    /// A conflict is over where the other side is again what it was, and what the person wanted counts.
    @Test(arguments: ["", "c Enter Enter"])
    func aConflictEndsWhereTheOtherSideIsTakenBack(_ settling: String) throws {
        let (key, first) = (try Key("display.name"), try Office.settings)
        var editor = try Office.editor(at: "display.name")
        editor.press("Enter Ctrl-u 'Bob' Enter")
        var edited = try loaded(nil) { $0.options[key]?.value = "Hand" }
        edited.handEdited = [.option(key)]
        _ = editor.step(.loaded(edited))
        #expect(editor.status.text == "Device Name was also edited by hand; c resolves it")
        editor.press(settling)
        if !settling.isEmpty {
            #expect(editor.changes == ["Device Name: \"Hand\" → \"Bob\""])
            #expect(
                editor.scene.waysOut(of: editor.scene.draft.changes)
                    == "display/name.json has an edit that is not recorded; record or discard it first; 2 lists the edits of the files"
            )
        }
        _ = editor.step(.loaded(try loaded(nil) { _ in }))
        #expect(editor.status.text == "No longer edited by hand: Device Name: \"Hand\" → \"Küche 山田\"")
        #expect(editor.scene.draft.openConflicts.isEmpty && editor.changes == ["Device Name: \"Küche 山田\" → \"Bob\""])
        #expect(editor.scene.waysOut(of: editor.scene.draft.changes) == nil)
        while !editor.scene.draft.steps.isEmpty { editor.press("u") }
        #expect(editor.scene.content == first)
    }

    /// A file that is not valid is not one that somebody removed.
    @Test func theOtherSideIsNotValid() throws {
        var editor = try Office.editor(at: "display.name")
        let key = try Key("display.name")
        editor.press("Enter Ctrl-u 'Bob' Enter")
        var broken = try loaded(nil) { $0.options[key] = nil }
        broken.unreadable = [.file(.unreadable(BadFile("no"), path: "display/name.json"))]
        _ = editor.step(.loaded(broken))
        #expect(editor.status.text.hasPrefix("The file of Device Name is not valid (display/name.json: no)"))
        editor.press("c Enter")
        let lines = editor.draw().lines
        #expect(lines.contains { $0.contains("Theirs") && $0.hasSuffix("not valid") })
        #expect(lines.contains { $0.contains("Theirs: the file is not valid: display/name.json: no") })
        #expect(!lines.contains { $0.contains("Removed on one side") })
    }

    /// What the draft changes is followed where somebody renames it.
    @Test func aRenamedOptionKeepsTheDraft() throws {
        let (old, new) = (try Key("display.name"), try Key("display.called"))
        var editor = try Office.editor(at: "display.name")
        editor.press("Enter Ctrl-u 'Bob' Enter")
        var renamed = try loaded {
            $0.options[new] = $0.options[old]
            $0.options[old] = nil
        }
        renamed.renames = [VersionMessage.Rename(old: .option(old), new: .option(new))]
        _ = editor.step(.loaded(renamed))
        #expect(editor.scene.draft.openConflicts.isEmpty && editor.scene.draft.changes.map(\.subject) == [.option(new)])
        #expect(editor.changes == ["Device Name: \"Küche 山田\" → \"Bob\""])
        #expect(editor.status.text.contains("renamed") && !editor.status.text.contains("already"), "\(editor.status.text)")
        editor.press("u")
        #expect(editor.scene.draft.isEmpty && editor.scene.content == renamed.content)
        editor.press("U")
        #expect(try editor.value("display.called") == "Bob")
    }

    /// Esc keeps what was typed of a reason, and says so.
    @Test func aReasonThatIsKeptIsTold() throws {
        var editor = try Office.editor(at: "display.larger")
        editor.press("Space c Up Up Up Up 'because' Enter")
        #expect(editor.scene.sheet.why == "because")
        _ = editor.step(.focus(.named("why")))
        editor.press("Enter 'zzz'")
        #expect(editor.draw().lines.last?.contains("Tab: Requested by, Ticket · Enter accepts · Esc keeps the text") == true)
        editor.press("Esc")
        #expect(editor.scene.sheet.why == "becausezzz" && editor.status.text.hasPrefix("The text is kept"))
        editor.press("Enter Esc")
        #expect(editor.status.text == "Nothing was changed")
    }

    /// The other side of a conflict is a version's, or an edit of the file that no version has.
    @Test func theOtherSideIsSomebodys() throws {
        var editor = try Office.editor(at: "display.theme")
        let key = try Key("display.theme")
        editor.press("Enter Down Enter")
        var other = try loaded(nil) { $0.options[key]?.value = "auto" }
        other.handEdited = [.option(key)]
        _ = editor.step(.loaded(other))
        editor.press("c Enter")
        #expect(editor.title == "Theme")
        #expect(editor.draw().lines.contains { $0.contains("Theirs: an edit of the file that no version records") })
        // Whoever made it is asked for again when it is another one.
        other = try loaded { $0.options[key] = nil }
        let effects = editor.step(.loaded(other))
        #expect(effects.contains { if case .origins([key]) = $0 { true } else { false } })
    }

    @Test func theSheetIsShownWholeAgainOnALargerScreen() throws {
        var editor = try Office.editor(at: "display.larger", columns: 20, rows: 5)
        editor.press("Space c")
        #expect(editor.visit.top > 0)
        _ = editor.step(.resize(Grid.Size(columns: 80, rows: 24)))
        #expect(editor.visit.top == 0)
    }

    /// A line break is a key, and what stands for it looks as no text can.
    @Test func aLineBreakIsTypedAndShown() throws {
        for key in ["Ctrl-J", "Alt-Enter"] {
            var editor = try Office.editor(at: "display.name")
            editor.press("Enter Ctrl-U 'a\\nb' \(key) 'c'")
            #expect(editor.typing?.field.text == "a\\nb\nc")
            func signs(_ editor: Editor) -> String {
                let grid = editor.draw()
                return grid.cells.filter(\.look.isSign).map(\.text).joined()
            }
            #expect(signs(editor) == "\\n")
            editor.press("Enter")
            #expect(try editor.value("display.name") == "a\\nb\nc")
            #expect(signs(editor) == "\\n")
            #expect(editor.draw().lines.contains { $0.hasSuffix("a\\nb\\nc") })
            // Several lines open the editor, whose own newline at the end is none of the text's.
            let effects = editor.press("Enter")
            guard case .edit(let id, "a\\nb\nc\n", "name.txt")? = effects.first else {
                Issue.record("\(effects)")
                return
            }
            _ = editor.step(.edited(id, "a\nb\n\n"))
            #expect(try editor.value("display.name") == "a\nb\n")
            editor.becomePlain(true)
            #expect(editor.plainLines.contains { $0.contains(#""a\nb\n""#) })
        }
        #expect(KeyTable.lines.contains { $0.contains("Ctrl-J, Alt-Enter") && $0.contains("line break") })
    }

    @Test func aReasonMayHaveSeveralLinesAndATicketNone() throws {
        var editor = try Office.editor(at: "display.larger")
        editor.press("Space c 'too dark' Ctrl-J 'at night' Enter")
        #expect(editor.scene.sheet.why == "too dark\nat night")
        _ = editor.step(.focus(.named("why")))
        guard case .edit(let id, "too dark\nat night\n", _)? = editor.press("Enter").first else {
            Issue.record("no editor")
            return
        }
        _ = editor.step(.edited(id, "one\ntwo\n\n"))
        #expect(editor.scene.sheet.why == "one\ntwo")
        _ = editor.step(.focus(.named("ticket")))
        editor.press("Enter 'A' Ctrl-J")
        #expect(editor.status.text.hasPrefix("Only one line is allowed here"))
        _ = editor.step(.paste("-1\nB-2"))
        editor.press("Enter")
        #expect(editor.scene.sheet.ticket == "A-1 B-2")
        // Where nothing is typed it is no Enter.
        editor.press("Ctrl-J")
        #expect(editor.status.isRefusal && editor.title == "Done")
    }
}
