import SettingsKit
import SettingsModel
import SettingsPages
import SettingsStore
import SettingsText

/// What a form asks for: the options that the person changed in it, told from the version that it showed. What others recorded since
/// is none of its business.
struct Wanted: Sendable {
    /// The version that the form showed.
    var version: VersionID
    var values: [(key: Key, value: JSON?)] = []
    var changes: [Change] = []
    /// What was typed, by key, also what can't be.
    var typed: [Key: String] = [:]
    var faults: [Key: String] = [:]

    /// Why a form can't be answered.
    enum Fault: Error {
        /// It is none that this server sent, or shows a version that is gone.
        case malformed
        /// Of boxes that can be ticked none was.
        case nothingChosen
    }

    /// Fields of a page are `option:KEY` with what was typed, those of a review `value:KEY` with JSON, or nothing for no value; a
    /// masked text is `masked:KEY`.
    private enum Kind: String { case option, value, masked }

    init(_ form: Form, _ site: Site, _ shown: Shown, acceptingMasked: Bool = false) async throws {
        let id = try form.version("version")
        version = id
        var fields: [(kind: Kind, key: Key, word: String)] = []
        for name in form.names {
            guard let colon = name.firstIndex(of: ":"), let kind = Kind(rawValue: String(name[..<colon])) else { continue }
            guard let key = try? Key(String(name[name.index(after: colon)...])), let word = form[name] else {
                throw Fault.malformed
            }
            fields.append((kind, key, word))
        }
        if acceptingMasked, let word = form["unset"], let key = try? Key(word) { fields = [(.value, key, "")] }
        let base = try await Self.options(Set(fields.map(\.key)), at: id, site, shown)
        var wanted = SettingsContent(options: base)
        for (kind, key, word) in fields {
            guard let option = base[key] else { throw Fault.malformed }
            if option.isMasked || shown.masked.contains(key), !acceptingMasked { throw Fault.malformed }
            do throws(SettingsOption.Refusal) {
                guard let value = try Self.value(kind, word, option) else { continue }
                wanted.options[key]?.value = value.json
                if value.json != option.value { values.append((key, value.json)) }
                typed[key] = kind == .option ? word : wanted.options[key]?.fieldWord
            } catch {
                typed[key] = word
                faults[key] = Self.words(error, option)
            }
        }
        changes = wanted.changes(since: SettingsContent(options: base))
    }

    /// Why a value is refused. A reason may repeat the value, which is not told where the option is masked.
    private static func words(_ refusal: SettingsOption.Refusal, _ option: SettingsOption) -> String {
        let reason = option.isMasked ? "the value is not allowed" : refusal.reason
        let words = [reason, refusal.hint].compactMap(\.self).joined(separator: "; ")
        return PageHints.statement(words)
    }

    /// A value, or none.
    private struct Value { var json: JSON? }

    /// Nil where the field was left as it was.
    private static func value(
        _ kind: Kind, _ word: String, _ option: SettingsOption
    ) throws(SettingsOption.Refusal) -> Value? {
        switch kind {
        case .option:
            if ExactText(word) == ExactText(option.sentWord) { return nil }
            return Value(json: try option.value(field: word))
        case .value:
            if word.isEmpty { return Value(json: try option.value(for: .json(nil))) }
            guard let json = try? JSON(parsing: word) else { return Value(json: try option.value(for: .word(word))) }
            return Value(json: try option.value(for: .json(json)))
        case .masked: return word.isEmpty ? nil : Value(json: try option.value(for: .word(word)))
        }
    }

    private static func options(
        _ keys: Set<Key>, at id: VersionID, _ site: Site, _ shown: Shown
    ) async throws -> [Key: SettingsOption] {
        try await content(at: id, site, shown).options.filter { keys.contains($0.key) }
    }

    /// What the form showed.
    static func content(at id: VersionID, _ site: Site, _ shown: Shown) async throws -> SettingsContent {
        if id.hex == shown.version { return shown.content }
        guard let answer = try? await site.settings.ask(SettingsQuery(at: id)) else { throw Fault.malformed }
        return answer.settings
    }

    /// What a review hands on to Done.
    var hidden: [(name: String, value: String)] {
        [("version", version.hex)] + values.map { ("value:\($0.key)", $0.value?.compact ?? "") }
    }
}
