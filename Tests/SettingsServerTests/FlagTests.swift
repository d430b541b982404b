import Foundation
import NIOCore
import Seeds
import SettingsModel
import Testing

@testable import SettingsKit
@testable import SettingsServer

/// What an option is to OpenFeature's clients.
struct FlagTests {
    private func key(_ text: String) throws -> Key { try Key(text) }

    private func flag(_ file: String) throws -> (kind: Flag.Kind, json: JSON) {
        let flag = Flag(try key("a.b"), try SettingsOption(file: Array(file.utf8)), origin: nil)
        return (flag.kind, try JSON(parsing: Array(flag.bytes.readableBytesView)))
    }

    /// Python's client takes 1 for no floating-point number, and 1.0 for no integer.
    @Test(arguments: [
        (#""value": 1"#, "1"), (#""value": 1.0"#, "1.0"), (#""value": 1, "step": 0.5"#, "1.0"),
        (#""value": 1, "maximum": 2.5"#, "1.0"), (#""value": 1, "default": 0.25"#, "1.0"),
        (#""value": 0, "minimum": 0.0"#, "0.0"), (#""value": -3, "step": 1e-1"#, "-3.0"),
        (#""value": 1e2"#, "100"), (#""value": 1e2, "step": 0.5"#, "1e2"),
        (#""value": 12345678901234567890"#, "12345678901234567890"),
        (#""default": 5"#, "5"), (#""value": 0.1"#, "0.1"),
    ])
    func numbersKeepTheirType(_ members: String, _ written: String) throws {
        let flag = try flag(#"{"title": "A", "type": "number", \#(members)}"#)
        #expect(flag.json["value"] == Number(written).map { .number($0) } && flag.json["reason"] == "STATIC")
    }

    @Test func whatIsUnsetIsLeftToTheProgram() throws {
        for file in [
            #"{"title": "A", "type": "text"}"#, #"{"title": "A", "type": "number"}"#, #"{"title": "A", "type": "data"}"#,
            #"{"title": "A", "type": "choice", "labels": ["B"], "values": ["b"]}"#,
            #"{"title": "A", "type": "choice", "selected": 0, "value": null, "labels": ["None"], "values": [null]}"#,
        ] {
            let flag = try flag(file)
            #expect(flag.kind == .value && flag.json["value"] == nil && flag.json["reason"] == "UNKNOWN", "\(file)")
            #expect(flag.json["variant"]?.text?.isEmpty == false, "\(file)")
        }
    }

    /// As flagd answers since disabled flags are no errors there.
    @Test func whatIsDisabledIsLeftToTheProgram() throws {
        let start = #"{"title": "A", "type": "choice", "value": "b", "labels": ["B"], "values": ["b"], "flagd": {"state": "#
        let disabled = try flag(start + #""DISABLED"}}"#)
        #expect(disabled.kind == .value && disabled.json["value"] == nil && disabled.json["reason"] == "DISABLED")
        #expect(disabled.json["variant"]?.text?.isEmpty == false && disabled.json["metadata"]?["label"] == nil)
        for state in [#""ENABLED""#, #""disabled""#, "null"] {
            #expect(try flag(start + state + "}}").json["value"] == "b", "\(state)")
        }
    }

    @Test func variantsAndLabels() throws {
        let choice = try flag(
            #"{"title": "A", "type": "choice", "value": "fr", "labels": ["English", "French"], "values": ["en", "fr"]}"#)
        #expect(choice.json["variant"] == "fr" && choice.json["metadata"]?["label"] == "French")
        let byDefault = try flag(#"{"title": "A", "type": "switch", "default": true}"#)
        #expect(byDefault.json["value"] == .bool(true) && byDefault.json["variant"] == "on")
        let words = try flag(#"{"title": "A", "type": "switch", "value": "no", "values": ["no", "yes"]}"#)
        #expect(words.json["value"] == "no" && words.json["variant"] == "off")
    }

    @Test func whatIsMaskedIsNotServed() throws {
        let flag = try flag(#"{"title": "A", "type": "text", "value": "S3CRET", "masked": true}"#)
        #expect(flag.kind == .forbidden && flag.json["value"] == nil && !flag.json.compact.contains("S3CRET"))
    }

    /// Nothing empty, and nothing in the place of what the store says itself.
    @Test func metadataOfAnImportedFlag() throws {
        let flag = try flag(
            #"{"title": "A", "type": "text", "value": "x", "flagd": {"metadata": {"team": "a", "title": "B", "list": [], "no": null}}}"#
        )
        #expect(flag.json["metadata"]?["team"] == "a" && flag.json["metadata"]?["title"] == "A")
        #expect(flag.json["metadata"]?["no"] == nil)
    }

    /// What is made anew of some flags is what all of them would be made of, in every order.
    @Test func aSetIsWhatItsVersionHas() throws {
        var generator = Seeded(11)
        let keys = try (0..<12).map { try key("g\($0 % 3).k\($0)") }
        var snapshot = SettingsSnapshot()
        var set = FlagSet(snapshot, stream: "/s")
        set.take(snapshot, nil, [:], isComplete: true, at: 0)
        var tags: [EntityTag: [UInt8]] = [:]
        for step in 0..<300 {
            let changed = Set(
                (0..<Int.random(in: 0...3, using: &generator)).compactMap { _ in keys.randomElement(using: &generator) })
            for key in changed {
                var option = SettingsOption(
                    title: "A", type: .text, value: .string("\(Int.random(in: 0...2, using: &generator))"))
                if Int.random(in: 0...5, using: &generator) == 0 { option.other["masked"] = .bool(true) }
                snapshot.content.options[key] = Int.random(in: 0...4, using: &generator) == 0 ? nil : option
            }
            set.take(snapshot, changed, [:], isComplete: true, at: 0)
            var other = FlagSet(snapshot, stream: "/s")
            other.take(snapshot, nil, [:], isComplete: true, at: 0)
            let bytes = Array(set.bulk.readableBytesView)
            #expect(set.tag == other.tag && bytes == Array(other.bulk.readableBytesView), "step \(step)")
            #expect(tags.updateValue(bytes, forKey: set.tag) ?? bytes == bytes, "step \(step)")
            #expect((try? JSON(parsing: bytes)) != nil)
        }
        #expect(tags.count > 50)
    }
}

struct EntityTagTests {
    @Test func headersNameTags() {
        let tag = EntityTag("abc")
        for field in ["\"abc\"", "W/\"abc\"", " \"x\" , \"abc\"", "*", "abc"] { #expect(tag.isNamed(in: field), "\(field)") }
        for field in [nil, "", "\"ab\"", "\"abcd\"", ",", "\"", "W/"] { #expect(!tag.isNamed(in: field), "\(field ?? "none")") }
        #expect(EntityTag.words(in: "W/\"abc\", \"x\"") == ["abc", "x"])
    }
}
