import SettingsKit
import SettingsModel
import SettingsPages
import SettingsStore
import SettingsText

/// What a form asks for: the options that the person changed in it, told from the version that it showed, brought to what they are
/// called now. What others recorded since is none of its business, unless it is about the same.
struct Wanted: Sendable {
    /// The version that the form showed; the last one where that is gone.
    var version: VersionID
    /// By the names that the form has.
    var values: [(key: Key, value: JSON?)] = []
    /// What is to be recorded.
    var changes: [Change] = []
    /// The same, told from what is recorded now.
    var replacing: [Change] = []
    /// What was typed, by key, also what can't be.
    var typed: [Key: String] = [:]
    var faults: [Key: String] = [:]
    /// What became of options meanwhile, in sentences.
    var notes: [String] = []
    /// Whether options are left out for that, which the person wanted to change.
    var leavesOut = false
    /// Options that have the value by now, by the names that they have now.
    var already: [Key] = []
    /// Options that don't offer any more what was chosen, as they are now.
    var redefined: [Key: SettingsOption] = [:]
    /// Whether git has dropped the version that the form showed: then nobody knows what of it was changed.
    var isGone = false
    /// What was renamed since.
    private var renames: [VersionMessage.Rename] = []

    /// Why a form can't be answered.
    enum Fault: Error {
        /// It is none that this server sent.
        case malformed
        case isGone
        case noOption(Key)
        /// It is set on a page of its own, and on no other.
        case isMasked(Key)
        /// Of boxes that can be ticked none was.
        case nothingChosen
    }

    /// Fields of a page are `option:KEY` with what was typed, those of a review `value:KEY` with JSON, or nothing for no value; a
    /// masked text is `masked:KEY`.
    enum Kind: String { case option, value, masked }

    /// The field with the key of a masked option that is to have no value.
    static let unset = "unset"

    private typealias Field = (kind: Kind, key: Key, word: String)

    init(_ form: Form, _ site: Site, _ shown: inout Shown, acceptingMasked: Bool = false) async throws {
        version = try form.version("version")
        let fields = try Self.fields(form, acceptingMasked: acceptingMasked)
        let base = try await base(site, shown)
        var (old, present, wanted) = (SettingsContent(), SettingsContent(), SettingsContent())
        for (kind, key, word) in fields {
            guard let option = base.options[key] else {
                guard isGone else { throw Fault.noOption(key) }
                notes.append("Option \(key) no longer exists.")
                leavesOut = true
                continue
            }
            if option.isMasked, !acceptingMasked { throw Fault.isMasked(key) }
            let name = name(of: key)
            guard let value = value(kind, key, word, option, shown.content.options[name]), value.json != option.value else {
                continue
            }
            guard let now = shown.content.options[name], now.isMasked == option.isMasked else {
                await leave(key, name, option, site, shown)
                continue
            }
            // An edit by hand may be gone when Done is pressed: Done tells.
            if let words = now.isReadOnly ? "It is read-only." : shown.unreadable(name) {
                (faults[key], redefined[key], typed[key]) = (words, now, now.isMasked ? nil : now.fieldWord)
                continue
            }
            if let fault = Self.fault(of: value.json, option, now) {
                (faults[key], redefined[key], typed[key]) = (fault, now, now.fieldWord)
                continue
            }
            await compare(value.json, key, name, option, now, site, &shown)
            if already.contains(name) { continue }
            values.append((key, value.json))
            // Its definition is that of now: nothing but its value is changed.
            (present.options[name], old.options[name], wanted.options[name]) = (now, now, now)
            old.options[name]?.value = option.value
            wanted.options[name]?.value = value.json
        }
        changes = wanted.changes(since: old)
        replacing = wanted.changes(since: present)
    }

    private static func fields(_ form: Form, acceptingMasked: Bool) throws(Fault) -> [Field] {
        if acceptingMasked, let key = form.unset { return [(.value, key, "")] }
        var fields: [Field] = []
        for name in form.names {
            guard let (kind, word) = kind(of: name) else { continue }
            guard let key = try? Key(word), let value = form[name] else { throw .malformed }
            fields.append((kind, key, value))
        }
        return fields
    }

    /// What a field is of, and the key as it stands there; nil where it is about no option.
    static func kind(of name: String) -> (kind: Kind, key: String)? {
        guard let colon = name.firstIndex(of: ":"), let kind = Kind(rawValue: String(name[..<colon])) else { return nil }
        return (kind, String(name[name.index(after: colon)...]))
    }

    /// What the form showed, and what was renamed since.
    private mutating func base(_ site: Site, _ shown: Shown) async throws -> SettingsContent {
        guard version.hex != shown.version, let head = shown.scene.facts.head else { return shown.content }
        do {
            let content = try await Self.content(at: version, site, shown)
            renames = try await site.settings.ask(RenamesQuery(from: version, to: head))
            return content
        } catch Fault.isGone {
            (isGone, version) = (true, head)
            return shown.content
        }
    }

    /// What a version has.
    static func content(
        at id: VersionID, _ site: Site, _ shown: Shown, masksAsToday: Bool = false
    ) async throws -> SettingsContent {
        if id.hex == shown.version { return shown.content }
        var query = SettingsQuery(at: id)
        query.masksAsToday = masksAsToday
        do throws(Problem) { return try await site.settings.ask(query).settings } catch {
            // Of a version that git has dropped, it says that it can't read an object.
            do throws(Problem) { _ = try await site.settings.ask(RevisionQuery(id.hex)) } catch {
                throw error.kind == .missing ? Fault.isGone : error
            }
            throw error
        }
    }

    /// What an option of the form is called now.
    func name(of key: Key) -> Key { Subject.option(key).renamed(by: renames).key }

    /// A value, or none.
    private struct Value { var json: JSON? }

    /// Nil where the field was left as it was, or its word can't be. It may be one that `now` alone allows, where the form was shown
    /// once more.
    private mutating func value(
        _ kind: Kind, _ key: Key, _ word: String, _ option: SettingsOption, _ now: SettingsOption?
    ) -> Value? {
        do throws(SettingsOption.Refusal) {
            var value: Value?
            do throws(SettingsOption.Refusal) { value = try Self.value(kind, word, option) } catch {
                guard let now, let other = try? Self.value(kind, word, now) else { throw error }
                value = other
            }
            guard let value else { return nil }
            var changed = option
            changed.value = value.json
            typed[key] = kind == .option ? word : changed.fieldWord
            return value
        } catch {
            (typed[key], faults[key]) = (option.isMasked ? nil : word, Self.words(error, option))
            return nil
        }
    }

    private static func value(_ kind: Kind, _ word: String, _ option: SettingsOption) throws(SettingsOption.Refusal) -> Value? {
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

    /// Why a value is refused. A reason may repeat the value, which is not told where the option is masked.
    private static func words(_ refusal: SettingsOption.Refusal, _ option: SettingsOption) -> String {
        let reason = option.isMasked ? "the value is not allowed" : refusal.reason
        let words = [reason, refusal.hint].compactMap(\.self).joined(separator: "; ")
        return PageHints.statement(words)
    }

    /// Whether there is nothing to record and nothing to say.
    var isNothing: Bool { changes.isEmpty && notes.isEmpty }

    /// What a review hands on to Done. What is masked is never handed on.
    var hidden: [(name: String, value: String)] {
        let unset = values.filter { $0.value == nil && isMasked($0.key) }.map { (Self.unset, $0.key.description) }
        return [("version", version.hex)] + fields { $0 } + unset
    }

    /// The same by the names that options have now.
    var renamed: [(name: String, value: String)] { fields(name(of:)) }

    private func fields(_ name: (Key) -> Key) -> [(name: String, value: String)] {
        values.filter { !isMasked($0.key) }.map { ("value:\(name($0.key))", $0.value?.compact ?? "") }
    }

    private func isMasked(_ key: Key) -> Bool { replacing.contains { $0.subject.key == name(of: key) && $0.isOfMasked } }
}

// MARK: What others recorded meanwhile

extension Wanted {
    /// Why an option can't have a value any more that it could have in the form.
    private static func fault(of value: JSON?, _ option: SettingsOption, _ now: SettingsOption) -> String? {
        do throws(SettingsOption.Refusal) {
            _ = try now.value(for: .json(value))
            return nil
        } catch {
            if option.type == .choice, now.type == .choice, let label = option.labels.first(where: { $0.value == value }) {
                return "“\(label.text.string)” is no longer one of the labels."
            }
            return words(error, now)
        }
    }

    /// Leaves an option out that was removed meanwhile, or is masked now, and says so.
    private mutating func leave(_ key: Key, _ name: Key, _ option: SettingsOption, _ site: Site, _ shown: Shown) async {
        typed[key] = nil
        leavesOut = true
        let title = option.name(key)
        if let now = shown.content.options[name] {
            let words = now.isMasked ? "is now masked. Set it on its own page." : "is no longer masked. Set it on its page."
            return notes.append("\(title) \(words)")
        }
        var query = HistoryQuery()
        (query.keys, query.limit) = ([name.description], 1)
        let version = try? await site.settings.versions(query, atMost: Routes.patience).versions.first?.version
        notes.append("\(title) was removed by \(version?.who ?? "somebody else.")")
    }

    /// Says what was renamed, what somebody else changed as well, and what is so already.
    private mutating func compare(
        _ value: JSON?, _ key: Key, _ name: Key, _ option: SettingsOption, _ now: SettingsOption, _ site: Site,
        _ shown: inout Shown
    ) async {
        if now.value == value, !now.isMasked { return already.append(name) }
        if name != key { notes.append("\(option.name(key)) (\(key)) was renamed to \(now.name(name)) (\(name)).") }
        if now.value == option.value { return }
        _ = try? await site.learn([name], in: &shown, atMost: Routes.patience)
        notes += shown.changed(name).map { ["\($0) Done asks which of the two values to keep."] } ?? []
    }
}

extension Change {
    fileprivate var isOfMasked: Bool {
        [before, after].contains { $0?.isMasked ?? false }
    }
}

extension Version {
    /// The end of a sentence: whose it is, and the first line of why: "Ada Lovelace: “for the demo”".
    var who: String {
        let why = message.shownWhy?.split(separator: "\n").first
        return author.name + (why.map { ": “\($0)”" } ?? ".")
    }
}
