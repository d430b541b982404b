import Foundation
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

extension SettingsOption {
    /// Labels as `value=ChoiceLabel`; each its own value where there is no `=`.
    static func choice(_ title: String, _ labels: [String], selected: Int? = 0) -> SettingsOption {
        let entries = labels.map { word -> ChoiceLabel in
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            return ChoiceLabel(value: .string(parts[0]), text: ExactText(parts.last ?? ""))
        }
        return SettingsOption(
            title: ExactText(title), type: .choice, value: selected.map { entries[$0].value }, labels: Labels(entries))
    }

    static func onOff(_ title: String, _ value: Bool?) -> SettingsOption {
        SettingsOption(title: ExactText(title), type: .switch, value: value.map { .bool($0) })
    }

    static func number(_ title: String, _ value: Int?) -> SettingsOption {
        SettingsOption(title: ExactText(title), type: .number, value: value.map { .number($0) })
    }

    static func text(_ title: String, _ value: String?) -> SettingsOption {
        SettingsOption(title: ExactText(title), type: .text, value: value.map { .string($0) })
    }

    static let language = choice("Language", ["en=English", "fr=French", "es=Spanish"])
}

/// What tests write for a value.
protocol Plain { var json: JSON { get } }
extension Int: Plain { var json: JSON { .number(self) } }
extension String: Plain { var json: JSON { .string(self) } }
extension Bool: Plain { var json: JSON { .bool(self) } }
extension JSON: Plain { var json: JSON { self } }

extension Key {
    /// Keys of tests are well-formed.
    static func of(_ text: String) -> Key {
        do { return try Key(text) } catch {
            Issue.record(error)
            return .root
        }
    }
}

extension Outcome {
    var version: Version? { if case .recorded(let version, _, _) = self { version } else { nil } }
    var notes: [Notice] { if case .recorded(_, _, let notes) = self { notes } else { [] } }
    var isUnchanged: Bool {
        switch self {
        case .unchanged, .reformatted: true
        case .recorded, .forwarded, .planned: false
        }
    }
}

extension Sequence<Change> {
    /// In words, without styles.
    var sentences: [String] { flatMap(\.lines).map { Wording().sentence($0).plain } }
}

extension TemporaryStore {
    /// Records what `body` makes of all settings.
    @discardableResult
    func change(
        _ done: Done, renames: [(old: Subject, new: Subject)] = [], _ body: (inout SettingsContent) -> Void
    ) throws -> Outcome {
        try store.recorder.record(done) { tip throws(Problem) in
            var before = SettingsContent()
            for subject in try tip.subjects() { before[subject] = (try? tip.item(subject)).flatMap { $0 } }
            var after = before
            body(&after)
            return Edit(after.changes(since: before, renames: renames))
        }
    }

    @discardableResult
    func put(_ key: String, _ option: SettingsOption?, by person: Person = .ada) throws -> Version {
        let outcome = try change(done(person)) { $0.options[.of(key)] = option }
        return try #require(outcome.version)
    }

    @discardableResult
    func set(_ key: String, _ value: (any Plain)?, by person: Person = .ada, ticket: String? = nil) throws -> Version {
        let outcome = try change(done(person, ticket: ticket)) { $0.options[.of(key)]?.value = value?.json }
        return try #require(outcome.version)
    }

    @discardableResult
    func rename(_ old: String, _ new: String, by person: Person = .ada) throws -> Version {
        let outcome = try change(done(person), renames: [(.option(.of(old)), .option(.of(new)))]) {
            $0.options[.of(new)] = $0.options.removeValue(forKey: .of(old))
        }
        return try #require(outcome.version)
    }

    @discardableResult
    func renameGroup(_ old: String, _ new: String, by person: Person = .ada) throws -> Version {
        let outcome = try change(done(person), renames: [(.group(.of(old)), .group(.of(new)))]) {
            $0.rename(.group(.of(old)), to: .group(.of(new)))
        }
        return try #require(outcome.version)
    }

    /// Edits an option's labels.
    @discardableResult
    func labels(_ key: String, by person: Person = .ada, _ body: (inout Labels) -> Void) throws -> Version {
        let outcome = try change(done(person)) { settings in
            guard var option = settings.options[.of(key)] else { return }
            body(&option.labels)
            settings.options[.of(key)] = option
        }
        return try #require(outcome.version)
    }

    func option(_ key: String) throws -> SettingsOption? { try store.versions.tip().option(.of(key)) }
    /// As a program reads it.
    func value(_ key: String) throws -> String? { try option(key)?.value?.bare }

    @discardableResult
    func undo(_ count: Int = 1, by person: Person = .ada) throws -> Outcome {
        try store.reverting.undo(count, by: person, done(person))
    }

    @discardableResult
    func redo(_ count: Int = 1, by person: Person = .ada) throws -> Outcome {
        try store.reverting.redo(count, by: person, done(person))
    }

    func versions(_ filter: HistoryFilter = HistoryFilter()) throws -> [(version: Version, changes: VersionChanges)] {
        var versions: [(Version, VersionChanges)] = []
        try store.history.walk(filter) { version, changes in
            versions.append((version, changes))
            return true
        }
        return versions
    }

    /// The first lines of the versions, newest first.
    func subjects(_ filter: HistoryFilter = HistoryFilter()) throws -> [String] {
        try versions(filter).map(\.version.message.subject)
    }

    func blamed(_ key: String, _ facet: Facet = .value) throws -> Version? {
        try store.history.blame([.of(key)], at: try store.versions.tip(), facets: [facet]).first?.version
    }

    /// A commit by plain git of everything in the work tree.
    @discardableResult
    func commitPlainly(_ message: String = "by plain git") throws -> VersionID {
        try git("add", "-A")
        try git("commit", "-q", "-m", message)
        return try #require(VersionID(hex: try git("rev-parse", "HEAD")))
    }
}

extension Reverting {
    func revert(_ versions: [VersionID], only places: [Key] = [], _ done: Done) throws(Problem) -> Outcome {
        try revert(versions.map { Remainder($0) }, only: places, done)
    }
}
