import Foundation
import Testing

@testable import SettingsPages

struct KeyTableTests {
    @Test func noKeyHasTwoActs() {
        let keys = KeyTable.bindings.flatMap { $0.bindings.flatMap(\.keys) }
        #expect(Set(keys).count == keys.count)
    }

    /// The screen and the manual page have what the table has, in its order. The manual page is made of the transcript.
    @Test func helpAndManualAreTheTable() throws {
        var editor = try Office.editor(rows: 100)
        editor.press("?")
        let shown = editor.draw().lines.map { $0.split(separator: " ").joined(separator: " ") }
        for binding in KeyTable.bindings.flatMap(\.bindings) {
            guard let words = binding.words else { continue }
            let line = binding.keys.map(\.name).joined(separator: " ") + " " + words
            #expect(shown.contains { $0.hasSuffix(line) }, "\(line)")
        }
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let transcript = try String(
            contentsOf: folder.appendingPathComponent("SettingsCLITests/Transcripts/edit.md"), encoding: .utf8)
        let table = KeyTable.lines.joined(separator: "\n")
        #expect(transcript.contains("$ settings edit --keys\n\(table)\n"), "\(table)")
    }

    /// Whatever can be done has a key, except what plain mode alone has.
    @Test func everyActHasAKey() {
        let bound = Set(KeyTable.all.flatMap { $0.bindings.map(\.act) })
        #expect(Act.allCases.filter { !bound.contains($0) } == [.unset, .stage, .unstage])
    }

    @Test func keysAreReadByTheirNames() {
        for key in KeyTable.all.flatMap({ $0.bindings.flatMap(\.keys) }) { #expect(Keystroke(name: key.name) == key) }
    }
}
