import Foundation
import SettingsModel
import Testing

@testable import SettingsFormats

/// Dumps of dconf that are there already.
struct DumpInPlaceTests {
    private let dump = """
        # mine
        [org/gnome/desktop]
        count=uint32 5
        name="a"\u{20}\u{20}\u{20}
        scale=1.0

        # of another program
        [org/other]
        x=[1, 2]

        """

    private func edited(_ text: String, prunes: Bool = false, _ change: (inout SettingsContent) throws -> Void) throws -> String {
        var settings = try GSettingsFormat.read(["a.ini": dump]).settings
        for key in settings.options.keys where key.parts.contains("other") { settings.options[key] = nil }
        try change(&settings)
        var request = WriteRequest()
        request.part = .values
        request.present = Array(text.utf8)
        request.prunes = prunes
        return try GSettingsFormat.text(settings, request)
    }

    @Test func onlyChangedValuesDiffer() throws {
        #expect(try edited(dump) { _ in } == dump)
        let changed = try edited(dump) { settings in
            settings.set("org.gnome.desktop.count", .number(6))
            settings.set("org.gnome.desktop.scale", .number(2))
            settings.set("org.gnome.desktop.name", "it's")
            settings.options[try Key("org.gnome.desktop.new")] = SettingsOption(title: "", type: .switch, value: .bool(true))
        }
        #expect(
            changed
                == dump.replacing("uint32 5", with: "uint32 6").replacing("\"a\"", with: "\"it's\"")
                .replacing("scale=1.0\n", with: "scale=2.0\nnew=true\n"))
        #expect(try edited(dump) { $0.set("org.gnome.desktop.count", nil) } == dump.replacing("count=uint32 5\n", with: ""))
        #expect(try edited(dump, prunes: true) { _ in }.contains("other]") == false)
    }

    /// A dump of a folder has names relative to it.
    @Test func relativeNames() throws {
        let part = "[desktop]\ncount=uint32 5\n"
        #expect(try edited(part) { $0.set("org.gnome.desktop.count", .number(6)) }.hasPrefix("[desktop]\ncount=uint32 6\n"))
    }

    @Test func otherFilesAreRefused() throws {
        for text in ["[x]\ny=1\n", "nonsense\n"] {
            let refusal = #expect(throws: Refusal.self) { try edited(text) { _ in } }
            #expect(refusal?.remedy == .rewriting)
        }
    }

    @Test func everyValueThatCannotBeWrittenIsNamed() throws {
        let refusal = #expect(throws: Refusal.self) {
            try edited(dump) { settings in
                settings.set("org.gnome.desktop.count", .number(-1))
                settings.set("org.gnome.desktop.name", .number(1))
            }
        }
        #expect(refusal?.all.count == 2)
    }
}

/// GSettings' types hold when a value is set.
struct GSettingsTypesTests {
    @Test func valuesOutsideOfTheTypeAreFaults() throws {
        func option(_ type: String, _ kind: SettingsOption.Kind) -> SettingsOption {
            SettingsOption(title: "", type: kind, other: ["gsettings": .object([.init("type", .string(ExactText(type)))])])
        }
        for (type, least, most) in [
            ("y", "0", "255"), ("n", "-32768", "32767"), ("u", "0", "4294967295"), ("t", "0", "18446744073709551615"),
        ] {
            for text in [least, most] {
                let number = try #require(Number(text))
                #expect(option(type, .number).fault(of: .number(number)) == nil, "\(type) \(text)")
                let beyond = number.adding(Number(text == least ? -1 : 1))
                #expect(try option(type, .number).fault(of: .number(#require(beyond))) != nil, "\(type) \(text)")
            }
            #expect(try option(type, .number).fault(of: .number(#require(Number("1.5")))) != nil)
        }
        #expect(option("as", .data).fault(of: .array(["a"])) == nil && option("as", .data).fault(of: .array([.number(1)])) != nil)
        #expect(option("as", .data).fault(of: "a") != nil && option("(ii)", .data).fault(of: "(1, 2)") == nil)
    }
}
