import Foundation
import Seeds
import Testing

@testable import SettingsModel
@testable import SettingsText

struct PhrasesTests {
    let phrases = Phrases(clock: .centralEurope(now: Examples.now))

    private func lines(_ changes: [Change]) -> [String] {
        phrases.sentences(changes).map { $0.rendered(coloured: false) }
    }

    private func lines(_ option: SettingsOption = Examples.language, _ edit: (inout SettingsOption) -> Void) -> [String] {
        lines(Examples.changes(option, edit))
    }

    @Test func everyFacetHasASentence() {
        #expect(lines { $0.value = .string("fr") } == ["Language (general.language): English → French"])
        #expect(lines { $0.value = nil } == ["Language (general.language): English → not set"])
        #expect(lines { $0.title = "Tongue" } == [#"Tongue (general.language): title "Language" → "Tongue""#])
        #expect(lines { $0.help = "In menus" } == [#"Language (general.language): help none → "In menus""#])
        #expect(lines { $0.defaultValue = .string("fr") } == ["Language (general.language): default none → French"])
        #expect(
            lines { $0.labels.insert(ChoiceLabel(value: .string("ar"), text: "Arabic"), at: 0) } == [
                "Language (general.language): label added: Arabic"
            ])
        #expect(lines { $0.labels.remove(.string("fr")) } == ["Language (general.language): label removed: French"])
        #expect(
            lines { $0.labels.rename(.string("fr"), to: "Français") } == [
                "Language (general.language): label renamed: French → Français"
            ])
        #expect(lines { $0.labels.move(.string("fr"), to: 0) }.count == 1)
        #expect(lines { $0.other["readOnly"] = .bool(true) } == ["Language (general.language): made read-only"])
        let token = SettingsOption(title: "Token", type: .text)
        var masked = token
        masked.other["masked"] = .bool(true)
        #expect(lines(token) { $0 = masked } == ["Token (general.language): made masked"])
        #expect(lines(masked) { $0 = token } == ["Token (general.language): no longer masked"])
        #expect(lines(Examples.between(nil, Examples.language)) == ["Language (general.language): added (English)"])
        #expect(lines(Examples.between(Examples.language, nil)) == ["Language (general.language): removed (was English)"])
        let number = SettingsOption(title: "Timer", type: .number, value: .number(5))
        #expect(lines(number) { $0.range.maximum = Number(10) } == ["Timer (general.language): maximum none → 10"])
        #expect(lines(number) { $0.type = .data } == ["Timer (general.language): type number → data"])
        #expect(
            lines(SettingsOption(title: "W", type: .switch, value: .bool(true))) { $0.value = .bool(false) } == [
                "W (general.language): On → Off"
            ])
        let rename = Change(
            .option(Examples.key("b")), title: "B", facet: .key, before: .key(Examples.key("a")),
            after: .key(Examples.key("b")))
        #expect(lines([rename]) == ["B (b): renamed a → b"])
    }

    @Test(arguments: [
        ("", "x", "order is now x"),
        ("x y", "", "order is no longer given"),
        ("a b c", "c a b", "c moved to the top"),
        ("a b c", "b c a", "a moved to the end"),
        ("a b c d", "a c b d", "b moved after c"),
        ("a b c d", "d c a b", "d moved to the top, c moved after d"),
        ("a b", "x a y b z", "x listed first, y listed after a, z listed last"),
        ("a b c", "c a", "a moved to the end, b no longer listed"),
        ("a b c d e", "e d c b a", "order is now e, d, c, b, a"),
        ("a a", "a", "order is now a"),
    ]) func anOrder(_ before: String, _ after: String, _ told: String) {
        func names(_ words: String) -> Change.Content? {
            words.isEmpty ? nil : .json(.array(words.split(separator: " ").map { .string(ExactText(String($0))) }))
        }
        let change = Change(.group(Examples.key("g")), title: "G", facet: .order, before: names(before), after: names(after))
        #expect(lines([change]) == ["G (group g): \(told)"])
    }

    @Test func optionsWithTheSameTitleAreShownWithTheirKeys() {
        let changes = Examples.between(nil, Examples.language, key: "a.x") + Examples.between(nil, Examples.language, key: "b.x")
        #expect(lines(changes) == ["Language (a.x): added (English)", "Language (b.x): added (English)"])
        #expect(lines(Examples.between(nil, Examples.language)) == ["Language (general.language): added (English)"])
    }

    @Test func maskedTextsAreDots() {
        let changes = Examples.between(Examples.secret("hidden"), Examples.secret("two"))
        #expect(lines(changes) == ["Password (general.language): changed (masked)"])
        let open = Phrases(wording: Wording(revealsMasked: true), clock: .centralEurope(now: Examples.now))
        #expect(
            open.sentences(changes).map { $0.rendered(coloured: false) } == [#"Password (general.language): "hidden" → "two""#])
        for changes in [Examples.between(nil, Examples.secret("hidden")), Examples.between(Examples.secret("hidden"), nil)] {
            #expect(!lines(changes).joined().contains("hidden"))
        }
        let unmasked = Examples.changes(Examples.secret("hidden")) {
            $0.other["masked"] = nil; $0.value = .string("two")
        }
        #expect(!lines(unmasked).joined().contains("hidden"))
    }

    @Test func controlCharactersFromFilesAreEscaped() throws {
        let evil = "\u{1B}[31mred\u{7}\r\n\u{202E}txt\u{9B}2J\u{200B}"
        let sentences = lines {
            $0.title = ExactText(evil); $0.help = ExactText(evil)
        }
        let version = try Examples.version("subject \(evil)\n\nwhy \(evil)\n\nTicket: T\u{1B}[0m\nVia: cli\n")
        let all =
            sentences + phrases.version(version, VersionChanges(changes: [])).map { $0.rendered(coloured: false) }
            + [phrases.origin(version).rendered(coloured: false)]
        for line in all {
            let isHarmful = line.unicodeScalars.contains {
                $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0 == "\u{202E}" || $0 == "\u{200B}"
            }
            #expect(!isHarmful, "\(line.debugDescription)")
        }
        // A title with line breaks is shown in quotation marks, as JSON has it.
        #expect(sentences[0].contains(#""\u001b[31mred\u0007"#))
    }

    @Test(arguments: [
        (Examples.now - 3600, "today 11:00"), (Examples.now - 86400, "yesterday 12:00"),
        (Examples.now - 13 * 3600, "yesterday 23:00"),
    ])
    func recentTimes(seconds: Int64, words: String) {
        #expect(phrases.time(Time(seconds: seconds, offset: -300)) == words)
    }

    @Test(arguments: [
        (2, "Wed 12:00"), (6, "Sat 12:00"), (7, "13 Nov 12:00"), (17, "3 Nov 12:00"), (363, "22 Nov 12:00"), (365, "20 Nov 2025"),
        (400, "16 Oct 2025"), (-1, "21 Nov 12:00"),
    ])
    func times(days: Int64, words: String) {
        #expect(phrases.time(Time(seconds: Examples.now - days * 86400, offset: -300)) == words)
    }

    @Test(arguments: [
        (0, "just now"), (59, "just now"), (60, "1 minute ago"), (3599, "60 minutes ago"), (7200, "2 hours ago"),
        (86400, "24 hours ago"), (259200, "3 days ago"), (1_814_400, "3 weeks ago"), (8_640_000, "3 months ago"),
        (36_720_000, "1 year, 2 months ago"), (63_072_000, "2 years ago"), (259_200_000, "8 years ago"),
        (-60, "in the future"),
    ])
    func distances(age: Int64, words: String) {
        var phrases = Phrases(clock: .centralEurope(now: Examples.now), times: .relative)
        let time = Time(seconds: Examples.now - age, offset: 60)
        #expect(phrases.time(time) == words)
        phrases.times = .clock
        #expect(phrases.timeWithDistance(time) == "\(phrases.time(time)) (\(words))")
    }

    @Test func aPipeIsReadLaterAndElsewhere() {
        let phrases = Phrases(clock: .centralEurope(now: Examples.now), times: .iso)
        let time = Time(seconds: Examples.now - 3600, offset: 0)
        #expect(phrases.time(time) == "2026-11-20 11:00:00 +0100")
        #expect(phrases.deadline(time) == phrases.time(time) && phrases.timeWithDistance(time) == phrases.time(time))
    }

    @Test func sentencesAreASCIIWhereTheLocaleIs() throws {
        let phrases = Phrases(wording: Wording(valueLimit: 10, glyphs: .ascii), clock: .centralEurope(now: Examples.now))
        let version = try Examples.version("x\n\nBecause.\n\nRequested-by: Marie <m@example.org>\nTicket: T-1\nVia: cli\n")
        let changes =
            Examples.changes(Examples.language) { $0.value = .string("fr") }
            + Examples.between(Examples.secret("one"), Examples.secret("two"), key: "b")
            + Examples.changes(SettingsOption(title: "Text", type: .text, value: .string("short"))) {
                $0.value = .string("much longer")
            }
        let lines = phrases.version(version, VersionChanges(changes: changes)).map { $0.rendered(coloured: false) }
        #expect(
            lines.dropFirst() == [
                "    Language (general.language): English -> French", "    Password (b): changed (masked)",
                "    Text (general.language): \"short\" -> \"much l...",
                "    Because.", "    requested by Marie <m@example.org> | T-1 | recorded by Bob Bemer",
            ])
        #expect(phrases.origin(version).rendered(coloured: false).contains("\"Because.\""))
    }

    @Test func yesterdayAfterAClockChange() {
        // 30 March 2026, 00:30; the day before had 23 hours.
        let after: Int64 = 1_774_823_400
        #expect(
            Phrases(clock: .centralEurope(now: after)).time(Time(seconds: after - 1800 - 3600, offset: 0)) == "yesterday 23:00")
        #expect(Phrases(clock: .centralEurope(now: after)).time(Time(seconds: after - 24 * 3600, offset: 0)) == "Sat 23:30")
        // 26 October 2026, 23:30; the day before had 25 hours.
        let late: Int64 = 1_793_053_800
        #expect(Phrases(clock: .centralEurope(now: late)).time(Time(seconds: late - 24 * 3600, offset: 0)) == "yesterday 23:30")
    }

    @Test func aVersionWithAllMetadata() throws {
        let version = try Examples.version(
            "general.language: English → French\n\nThe Paris office\nopens.\n\n"
                + "Requested-by: Marie <m@example.org>\nTicket: FEAT-12\nVia: cli\n")
        let changes = VersionChanges(changes: Examples.changes(Examples.language) { $0.value = .string("fr") })
        #expect(
            phrases.version(version, changes, tags: ["launch"]).map { $0.rendered(coloured: false) } == [
                "\(Examples.id.short)  today 12:00  Ada Lovelace  [launch]",
                "    Language (general.language): English → French",
                "    The Paris office",
                "    opens.",
                "    requested by Marie <m@example.org> · FEAT-12 · recorded by Bob Bemer",
            ])
    }

    @Test func conflictsNameEachSide() {
        let conflict = Conflict(
            .option(Examples.key("general.language")), title: "Language", facet: .value,
            base: .value(
                .string("en"),
                words: "English", isMasked: false),
            ours: .value(.string("fr"), words: "French", isMasked: false), theirs: nil, reason: "so it is")
        #expect(
            phrases.conflict(conflict).rendered(coloured: false)
                == "Language (general.language): base English, ours French, theirs not set (so it is)")
    }

    @Test func conflictsAboutLabelsNameThem() {
        func labels(_ texts: [String]) -> Change.Content {
            .labels(Labels(texts.map { ChoiceLabel(value: .string($0), text: ExactText($0)) }))
        }
        let conflict = Conflict(
            .option(Examples.key("general.language")), title: "Language", facet: .labels, base: labels(["en", "fr"]),
            ours: labels(["en", "de"]), theirs: labels(["en", "es"]), reason: nil)
        #expect(
            phrases.kept(conflict).rendered(coloured: false)
                == "Language (general.language): labels were en, fr; are en, de; the file has en, es")
    }

    @Test func whatAFormatKeepsIsNamedAndNotPrinted() {
        func line(_ before: JSON?, _ after: JSON?) -> String {
            let line = ChangeLine(
                .option(Examples.key("a.b")), title: "Server", .other, before: before, after: after, member: "settings-bundle")
            return Wording().sentence(line).plain
        }
        let old = JSON.object(["KeyboardType": "URL", "Order": .object(["a": .number(1)])])
        #expect(
            line(old, .object(["KeyboardType": "Default", "Order": .object(["a": .number(1)]), "New": .null]))
                == "Server: details for settings-bundle changed: KeyboardType, New")
        #expect(line(nil, old) == "Server: details for settings-bundle added: KeyboardType, Order")
        #expect(line(old, nil) == "Server: details for settings-bundle removed: KeyboardType, Order")
    }
}
