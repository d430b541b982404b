import Testing

@testable import SettingsModel
@testable import SettingsText

/// Lists of options and of blames, by the width of the terminal.
struct ListLayoutTests {
    private static func option(_ title: String, _ value: JSON?, default defaultValue: JSON? = nil) -> SettingsOption {
        let type: SettingsOption.Kind = if case .bool = value ?? defaultValue ?? .null { .switch } else { .text }
        return SettingsOption(title: ExactText(title), type: type, value: value, defaultValue: defaultValue)
    }

    private static func content(_ options: [String: SettingsOption], _ groups: [String: String] = [:]) -> SettingsContent {
        var settings = SettingsContent()
        for (key, option) in options { settings.options[Examples.key(key)] = option }
        for (key, title) in groups { settings.groups[Examples.key(key)] = SettingsGroup(title: ExactText(title)) }
        return settings
    }

    private static let desktop = content(
        [
            "org.gnome.desktop.interface.clock-format": option(
                "Whether the clock displays in 24h or 12h format", .string("12h"), default: .string("24h")),
            "org.gnome.desktop.interface.cursor-blink": option("Whether the cursor should blink", nil, default: .bool(true)),
            "org.gnome.desktop.sound.theme-name": option("Sound theme", .string("freedesktop"), default: .string("freedesktop")),
            "owner": option("Owner", nil),
        ], ["org.gnome.desktop": "Desktop", "org.gnome.desktop.sound": "Sounds"])

    private static let world = content(
        [
            "general.langue": option("言語を選択してください、これは長い題名です", .string("日本語")),
            "general.emoji": option("👩‍👩‍👧 Family 👍🏽 of five ❤️ flags 🇫🇷🇩🇪", .string("🎉🎉🎉")),
            "general.combined": option("Cafe\u{301} re\u{301}sume\u{301} nai\u{308}ve", .string("e\u{301}")),
            "general.hindi": option("हिन्दी में शीर्षक", .string("नमस्ते")),
        ], ["general": "一般設定"])

    private func fitted(_ settings: SettingsContent, _ width: Int, in place: String = "", _ glyphs: Glyphs = .unicode) -> [String]
    {
        let list = OptionList(settings, in: place.isEmpty ? .root : Examples.key(place))
        return list.fitted(Wording(glyphs: glyphs), into: width).map { $0.rendered(coloured: false) }
    }

    @Test func keysStandBelowTheirGroup() {
        #expect(
            fitted(Self.desktop, 80) == [
                "  owner  Owner  not set",
                "",
                "Desktop  org.gnome.desktop.interface",
                "  clock-format  Whether the clock displays in 24h or 12h format  \"12h\"",
                "  cursor-blink  Whether the cursor should blink                  On (default)",
                "",
                "Desktop › Sounds  org.gnome.desktop.sound",
                "  theme-name  Sound theme  \"freedesktop\"",
            ])
    }

    @Test func titlesAreCutFirst() {
        #expect(
            fitted(Self.desktop, 60, in: "org.gnome.desktop.interface") == [
                "org.gnome.desktop.interface",
                "  clock-format  Whether the clock displays in…  \"12h\"",
                "  cursor-blink  Whether the cursor should bli…  On (default)",
            ])
        #expect(
            fitted(Self.desktop, 40, in: "org.gnome.desktop.interface") == [
                "org.gnome.desktop.interface",
                "  clock-format  Whether t…  \"12h\"",
                "  cursor-blink  Whether t…  On (default)",
            ])
        #expect(
            fitted(Self.desktop, 30, in: "org.gnome.desktop.interface") == [
                "org.gnome.desktop.interface",
                "  clock-format  \"12h\"",
                "  cursor-blink  On (default)",
            ])
    }

    @Test func signsAreASCIIWhereTheLocaleIs() {
        let lines = fitted(Self.desktop, 40, .ascii)
        #expect(lines.contains("Desktop > So...  org.gnome.desktop.sound"), "\(lines)")
        #expect(lines.contains("  clock-format  Whether...  \"12h\""), "\(lines)")
        #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }, "\(lines)")
    }

    @Test(arguments: [8, 12, 20, 27, 40, 60, 80, 200])
    func noLineIsWiderThanTheTerminal(width: Int) {
        for settings in [Self.desktop, Self.world] {
            for glyphs in [Glyphs.unicode, .ascii] {
                for line in fitted(settings, width, glyphs) {
                    #expect(line.displayWidth <= width, "\(line)")
                    #expect(!line.hasSuffix(" "), "\(line)")
                }
            }
        }
    }

    @Test func wideAndCombinedCharactersLineUp() {
        let lines = fitted(Self.world, 60)
        let columns = lines.dropFirst().map { line in
            // Where the last column begins.
            line.prefix(upTo: line.firstIndex(of: "\"") ?? line.endIndex).description.displayWidth
        }
        #expect(lines.first == "一般設定  general")
        #expect(Set(columns).count == 1, "\(lines)")
    }

    @Test func pipedListsAreWhole() {
        let lines = OptionList(Self.desktop, in: .root).whole(Wording()).map { $0.rendered(coloured: false) }
        #expect(
            lines.contains(
                "  org.gnome.desktop.interface.clock-format  Whether the clock displays in 24h or 12h format  \"12h\""),
            "\(lines)")
        #expect(lines.contains("org › gnome › Desktop › Sounds"), "\(lines)")
    }

    @Test func changedValuesStandOut() {
        let lines = OptionList(Self.desktop, in: .root).fitted(Wording(), into: 80)
        let values = lines.compactMap(\.spans.last).map { ($0.text, $0.style) }
        #expect(values.contains { $0 == ("\"12h\"", .after) })
        #expect(values.contains { $0 == ("On (default)", .faint) })
        #expect(values.contains { $0 == ("\"freedesktop\"", .plain) })
    }

    @Test func blameFits() throws {
        let version = try Examples.version(
            "general.language: English → French\n\nThe Paris office opens on Monday.\n\n"
                + "Requested-by: Marie <m@example.org>\nTicket: FEAT-12\nVia: cli\n")
        let blames = [
            Blame(key: Examples.key("general.language"), option: Examples.language, facet: .value, version: version),
            Blame(key: Examples.key("general.region"), option: Examples.language, facet: .labels, version: nil),
            Blame(key: Examples.key("sound.theme"), option: Examples.language, facet: .title, version: version),
        ]
        func fitted(_ width: Int) -> [String] {
            BlameList(blames).fitted(
                Phrases(clock: .centralEurope(now: Examples.now + 3 * 3600), times: .relative), into: width
            )
            .map { $0.rendered(coloured: false) }
        }
        #expect(
            fitted(80) == [
                "general",
                "  language  English   \(Examples.id.short)  3 hours ago  Ada Lovelace",
                "    “The Paris office opens on Monday.”  requested by Marie <m@example.org>", "    FEAT-12",
                "  region    2 labels", "    before this shallow clone",
                "",
                "sound",
                "  theme  title Language  \(Examples.id.short)  3 hours ago  Ada Lovelace",
                "    “The Paris office opens on Monday.”  requested by Marie <m@example.org>", "    FEAT-12",
            ])
        #expect(
            fitted(24).prefix(4) == [
                "general", "  language  English", "    \(Examples.id.short)  3 hours ago", "    Ada Lovelace  “The",
            ])
        // Nothing is left out on any terminal.
        for width in [24, 30, 40, 50, 60, 70, 80, 100, 300] {
            let lines = fitted(width)
            for line in lines { #expect(line.displayWidth <= width, "\(line)") }
            let words = Set(lines.flatMap { $0.split(separator: " ") })
            #expect(words.isSuperset(of: ["Monday.”", "Marie", "<m@example.org>", "FEAT-12", "before", "clone"]), "\(lines)")
        }
        let whole = BlameList(blames).whole(Phrases(clock: .centralEurope(now: Examples.now))).map {
            $0.rendered(coloured: false)
        }
        #expect(
            whole[0] == "general.language  English         \(Examples.id.short)  today 12:00  Ada Lovelace  "
                + "“The Paris office opens on Monday.”  requested by Marie <m@example.org>  FEAT-12")
    }
}
