import Foundation
import Testing

@testable import SettingsModel
@testable import SettingsText

/// The examples of this target's tests; in Central European time, like all tests of the process.
enum Examples {
    /// Noon of Friday, 20 November 2026.
    static let now: Int64 = {
        setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1)
        tzset()
        return 1_795_172_400
    }()

    static let id = VersionID(hex: "3f2a91c0" + String(repeating: "0", count: 32)) ?? .emptyTree

    static func key(_ text: String) -> Key { (try? Key(text)) ?? .root }

    static let language = SettingsOption(
        title: "Language", type: .choice, value: .string("en"),
        labels: Labels([ChoiceLabel(value: .string("en"), text: "English"), ChoiceLabel(value: .string("fr"), text: "French")])
    )

    static func secret(_ value: String) -> SettingsOption {
        SettingsOption(title: "Password", type: .text, value: .string(value), other: ["masked": .bool(true)])
    }

    static func version(_ text: String, time: Int64 = now) throws -> Version {
        try Version(
            id: id, parents: [#require(ObjectID(hex: "3f2a91c000000000000000000000000000000001"))],
            author: Person(name: "Ada Lovelace", email: "ada@example.org"),
            committer: Person(name: "Bob Bemer", email: "bob@example.org"), time: Time(seconds: time, offset: 60),
            message: VersionMessage(text))
    }

    /// The changes between two states of an option.
    static func between(_ before: SettingsOption?, _ after: SettingsOption?, key: String = "general.language") -> [Change] {
        var (old, new) = (SettingsContent(), SettingsContent())
        old.options[Self.key(key)] = before
        new.options[Self.key(key)] = after
        return new.changes(since: old)
    }

    static func changes(_ option: SettingsOption, _ edit: (inout SettingsOption) -> Void) -> [Change] {
        var after = option
        edit(&after)
        return between(option, after)
    }
}
