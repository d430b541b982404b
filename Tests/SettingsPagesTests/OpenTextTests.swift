import SettingsModel
import Testing

@testable import SettingsPages

/// A text that is being typed while somebody else changes its option: it is a change of what was there when typing began.
struct OpenTextTests {
    private func loaded(
        _ key: String, renamedTo name: String? = nil, _ change: (inout SettingsOption) throws -> Void = { _ in }
    ) throws -> Event {
        var settings = try Office.settings
        let key = try Key(key)
        try settings.options[key].map { option in
            var option = option
            try change(&option)
            settings.options[key] = option
        }
        var loaded = Loaded(settings, head: VersionID(hex: String(repeating: "ab", count: 20)), author: "Bob")
        if let name {
            let new = try Key(name)
            (loaded.content.options[new], loaded.content.options[key]) = (settings.options[key], nil)
            loaded.renames = [VersionMessage.Rename(old: .option(key), new: .option(new))]
        }
        return .loaded(loaded)
    }

    /// Opened, the other's change, and what was wanted.
    @Test(arguments: [
        ("display.name", "Enter 'XY'", JSON.string("remote"), JSON.string("Küche 山田XY")),
        ("display.name", "Enter Ctrl-u 'A' Enter Enter Ctrl-u 'C'", "remote", "C"),
        ("display.brightness", "'60'", .number(80), .number(60)),
        ("general.inner.count", "Enter Ctrl-u '7'", .number(5), .number(7)),
        ("display.secret", "Enter 'geheim'", "remote", "geheim"),
    ]) func theSameValueIsAConflict(_ place: String, _ typing: String, _ theirs: JSON, _ yours: JSON) throws {
        for side in ["Yours", "Theirs"] {
            var editor = try Office.editor(at: place)
            editor.press(typing)
            _ = editor.step(try loaded(place) { $0.value = theirs })
            editor.press("Enter")
            let open = editor.scene.draft.openConflicts
            #expect(editor.typing == nil && editor.changes.isEmpty && open.count == 1)
            #expect(try editor.value(place) == theirs)
            #expect(editor.status.text.hasSuffix(" was changed while you typed; c resolves it"))
            // Done doesn't record before a side is chosen.
            editor.press("c")
            #expect(editor.title == "Conflicts")
            editor.press(side == "Yours" ? "Enter Enter" : "Enter Down Enter")
            #expect(editor.scene.draft.openConflicts.isEmpty)
            #expect(try editor.value(place) == (side == "Yours" ? yours : theirs), "\(side)")
        }
    }

    @Test func whatWasNotChangedStaysTheirs() throws {
        var editor = try Office.editor(at: "display.name")
        editor.press("Enter")
        _ = editor.step(try loaded("display.name") { $0.value = "remote" })
        editor.press("Enter")
        #expect(editor.scene.draft.isEmpty && editor.status.text == "Nothing was changed")
        #expect(try editor.value("display.name") == "remote")
    }

    @Test func otherFacetsAreMerged() throws {
        var editor = try Office.editor(at: "display.name")
        editor.press("Enter 'XY'")
        _ = editor.step(try loaded("display.name") { $0.title = "Name" })
        editor.press("Enter")
        #expect(editor.changes == ["Name: \"Küche 山田\" → \"Küche 山田XY\""])
        #expect(editor.scene.draft.openConflicts.isEmpty)
        editor.press("u")
        #expect(editor.scene.draft.isEmpty)
        // The same text is no conflict, and nothing to record.
        editor = try Office.editor(at: "display.name")
        editor.press("Enter 'XY'")
        _ = editor.step(try loaded("display.name") { $0.value = "Küche 山田XY" })
        editor.press("Enter")
        #expect(editor.scene.draft.isEmpty && editor.status.text == "Your change is already recorded")
    }

    @Test func labelsAreMerged() throws {
        let key = try Key("display.theme")
        var editor = try Office.editor(at: "display.theme")
        editor.press("Enter a 'Sepia'")
        _ = editor.step(
            try loaded("display.theme") { try LabelEdit.add("Blue", value: nil, long: nil, at: nil).apply(to: &$0, key) })
        editor.press("Enter")
        let labels = editor.scene.content.options[key]?.labels.map(\.text.string) ?? []
        #expect(Set(labels) == ["Light", "Dark", "Auto", "Sepia", "Blue"] && editor.scene.draft.openConflicts.isEmpty)
        editor = try Office.editor(at: "display.theme")
        editor.press("Enter Down e Ctrl-u 'Night'")
        _ = editor.step(try loaded("display.theme") { try LabelEdit.rename("dark", to: "Black").apply(to: &$0, key) })
        editor.press("Enter")
        #expect(editor.scene.draft.openConflicts.count == 1)
        #expect(editor.scene.content.options[key]?.labels.map(\.text.string) == ["Light", "Black", "Auto"])
    }

    /// What the person's editor left is edited again on what was there when it was opened.
    @Test func dataThatWasNotAcceptedIsAConflict() throws {
        var editor = try Office.editor(at: "display.fonts")
        let row = RowID.option(try Key("display.fonts"))
        editor.press("Enter")
        _ = editor.step(.edited(row, "[2"))
        _ = editor.step(try loaded("display.fonts") { $0.value = .array([.number(9)]) })
        editor.press("Enter")
        _ = editor.step(.edited(row, "[2]"))
        #expect(editor.scene.draft.openConflicts.count == 1 && editor.scene.invalidTexts.isEmpty)
        #expect(try editor.value("display.fonts") == .array([.number(9)]))
    }

    @Test func aRenamedOptionTakesTheText() throws {
        var editor = try Office.editor(at: "display.name")
        editor.press("Enter 'XY'")
        _ = editor.step(try loaded("display.name", renamedTo: "display.called") { $0.value = "remote" })
        #expect(editor.typing?.field.text == "Küche 山田XY" && editor.focused == "Device Name")
        editor.press("Enter")
        #expect(editor.scene.draft.openConflicts.map(\.conflict.subject) == [.option(try Key("display.called"))])
    }

    /// A page follows its group, and shows what was removed under a change of the draft.
    @Test func thePageShowsWhatIsInConflict() throws {
        let (old, new) = (try Key("display"), try Key("screen"))
        var settings = try Office.settings
        for (key, option) in settings.options where key.isWithin(old) {
            (settings.options[key], settings.options[key.moved(from: old, to: new)]) = (nil, option)
        }
        (settings.groups[old], settings.groups[new]) = (nil, settings.groups[old])
        for isKnown in [true, false] {
            var editor = try Office.editor(at: "display.larger")
            editor.press("Space")
            var loaded = Loaded(settings, author: "Bob")
            if isKnown { loaded.renames = [VersionMessage.Rename(old: .group(old), new: .group(new))] }
            _ = editor.step(.loaded(loaded))
            let lines = editor.draw().lines
            if isKnown {
                #expect(editor.scene.draft.openConflicts.isEmpty && editor.focused == "Larger Text")
                #expect(lines.contains { $0.contains("Off → On") })
            } else {
                #expect(lines.contains { $0.contains("Larger Text") && $0.hasSuffix("choose ›") })
                editor.press("Enter")
                #expect(editor.title == "Larger Text")
                editor.press("Down Enter")
                #expect(editor.scene.draft.openConflicts.isEmpty && editor.scene.draft.isEmpty)
            }
        }
    }
}
