import Testing

@testable import SettingsModel
@testable import SettingsText

/// The documented members of `--json`.
struct ReportsTests {
    private func names(_ json: JSON?) -> [String] {
        guard case .object(let members)? = json else { return [] }
        return members.map(\.name.string)
    }

    private var changes: VersionChanges {
        VersionChanges(changes: Examples.changes(Examples.language) { $0.value = .string("fr") })
    }

    @Test func aVersion() throws {
        let version = try Examples.version("s\n\nBecause.\n\nRequested-by: Marie <m@example.org>\nTicket: FEAT-12\nVia: cli\n")
        let json = Reports().version(version, changes)
        #expect(
            names(json) == [
                "id", "time", "author", "committer", "via", "subject", "why", "requestedBy", "tickets",
                "parents", "reverts", "restoredFrom", "changes",
            ])
        #expect(json["id"] == .string(Examples.id.hex))
        #expect(json["time"] == .string("2026-11-20T12:00:00+01:00"))
        #expect(json["author"]?.compact == #"{"name":"Ada Lovelace","email":"ada@example.org"}"#)
        #expect(json["via"] == .string("cli"))
        #expect(json["why"] == .string("Because."))
        #expect(json["tickets"]?.compact == #"["FEAT-12"]"#)
        #expect(json["parents"]?.compact == #"["3f2a91c000000000000000000000000000000001"]"#)
        #expect(json["reverts"]?.compact == "[]")
        #expect(json["restoredFrom"] == .null)
    }

    @Test func missingValuesAreNull() throws {
        let json = Reports().version(try Examples.version("Plain"), changes)
        #expect(json["via"] == .null)
        #expect(json["why"] == .null)
        #expect(json["requestedBy"] == .null)
        #expect(json["tickets"]?.compact == "[]")
    }

    @Test func aChange() {
        let json = Reports().changes(changes.changes)
        let values = #""before":"en","after":"fr","beforeLabel":"English","afterLabel":"French""#
        #expect(json.compact == ##"[{"key":"general.language","title":"Language","facet":"value",\##(values)}]"##)
    }

    @Test func documentedFacets() {
        func facets(_ changes: [Change]) -> [String] { changes.flatMap(\.lines).map(\.facet.rawValue) }
        func facets(_ edit: (inout SettingsOption) -> Void) -> [String] { facets(Examples.changes(Examples.language, edit)) }
        #expect(facets { $0.title = "x" } == ["title"])
        #expect(facets { $0.defaultValue = .string("en") } == ["default"])
        #expect(facets { $0.help = "x" } == ["help"])
        #expect(facets { $0.labels.insert(ChoiceLabel(value: .string("x"), text: "X"), at: 0) } == ["label.added"])
        #expect(facets { $0.labels.remove(.string("fr")) } == ["label.removed"])
        #expect(facets { $0.labels.rename(.string("fr"), to: "x") } == ["label.renamed"])
        #expect(facets { $0.labels.move(.string("fr"), to: 0) } == ["label.moved"])
        #expect(facets { $0.other["exports"] = .null } == ["other"])
        #expect(facets(Examples.between(nil, Examples.language)) == ["added"])
        #expect(facets(Examples.between(Examples.language, nil)) == ["removed"])
        let number = SettingsOption(title: "N", type: .number)
        #expect(facets(Examples.changes(number) { $0.range.minimum = Number(1) }) == ["range"])
        #expect(facets(Examples.changes(number) { $0.type = .data }) == ["type"])
    }

    @Test func maskedTextsAreDotsUnlessRevealed() {
        let changes = Examples.between(Examples.secret("hidden"), Examples.secret("two"))
        #expect(!Reports().changes(changes).compact.contains("hidden"))
        #expect(Reports(revealsMasked: true).changes(changes).compact.contains("hidden"))
        for changes in [Examples.between(nil, Examples.secret("hidden")), Examples.between(Examples.secret("hidden"), nil)] {
            #expect(!Reports().changes(changes).compact.contains("hidden"))
        }
        #expect(Reports().option(Examples.key("p"), Examples.secret("hidden"))["value"] == .string(Wording.dots))
        let conflict = Conflict(
            .option(Examples.key("p")), title: "Password", facet: .existence, base: nil,
            ours: .item(.option(Examples.secret("hidden"))), theirs: nil)
        #expect(!Reports().conflict(conflict).compact.contains("hidden"))
    }

    @Test func aDocumentBeginsWithFormatVersion() {
        let json = Reports.document(["versions": .array([]), "complete": .bool(true), "left": nil])
        #expect(json.compact == #"{"format_version":"1.0","versions":[],"complete":true}"#)
    }

    @Test func anOption() {
        let json = Reports().option(Examples.key("general.language"), Examples.language)
        #expect(names(json) == ["key", "title", "type", "value", "label", "selected", "effective", "labels"])
        #expect(json["selected"]?.compact == "0")
        #expect(json["label"] == .string("English"))
    }
}
