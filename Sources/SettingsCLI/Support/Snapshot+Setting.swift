import SettingsModel
import SettingsStore

extension Snapshot {
    /// The key of an option that is there.
    func key(_ word: String, _ environment: Environment) throws(StoreError) -> Key {
        do {
            return try keys(environment).option(word) { key in try has(.option(key)) }
        } catch let error as StoreError {
            throw error
        } catch let failure as Failure {
            if let key = try? Key(word), let rule = try ignoreRule(for: .option(key)) {
                throw StoreError(.missing, "there is no option '\(word)'", hint: Keys.hint(ignored: .option(key), by: "\(rule)"))
            }
            throw StoreError(.missing, failure.reason ?? "", hint: failure.hint)
        } catch {
            throw StoreError(.missing, "there is no option '\(word)'")
        }
    }

    func existing(_ key: Key) throws(StoreError) -> SettingsModel.Option {
        guard let option = try option(key) else { throw StoreError(.missing, "there is no option '\(key)'") }
        return option
    }

    /// The edit that grants each wish.
    func setting(_ wishes: [(Key, Wish)]) throws(StoreError) -> Edit {
        try editing(wishes.map { .option($0.0) }) { settings throws(StoreError) in
            for (key, wish) in wishes {
                guard var option = settings.options[key] else { continue }
                if option.isReadOnly {
                    throw StoreError(
                        .badData, "\(key) is read-only", hint: "'settings define \(key) --no-read-only' lets it be set")
                }
                option.value = try option.granted(wish, key)
                settings.options[key] = option
            }
        }
    }

    /// The edit that leads to what `work` makes of these items.
    func editing(_ subjects: [Subject], _ work: (inout Settings) throws(StoreError) -> Void) throws(StoreError) -> Edit {
        let before = try settings(of: subjects, acceptingAnyValue: true)
        var after = before
        try work(&after)
        var edit = Edit(after.changes(since: before))
        edit.sides = (before, after)
        edit.touched = Set(subjects)
        return edit
    }

    /// Each `KEY=VALUE` must be so.
    func check(_ conditions: [String], _ environment: Environment) throws(StoreError) {
        for condition in conditions {
            guard let equals = condition.firstIndex(of: "=") else {
                throw StoreError(.usage, "--if takes KEY=VALUE, not '\(condition)'")
            }
            let key = try key(String(condition[..<equals]), environment)
            let word = String(condition[condition.index(after: equals)...])
            let option = try existing(key)
            guard !option.isNow(word) else { continue }
            throw StoreError(
                .conflict, "\(key) is \(Wording().words(option.value, of: option)), not \(word)", hint: "nothing was changed")
        }
    }
}

extension SettingsModel.Option {
    /// The value that `wish` means, the refusal naming the key.
    func granted(_ wish: Wish, _ key: Key) throws(StoreError) -> JSON? {
        do { return try value(for: wish) } catch { throw StoreError(.badData, "\(key): \(error.reason)", hint: error.hint) }
    }

    /// Whether the value in force is what `word` means here.
    func isNow(_ word: String) -> Bool {
        guard let current = effectiveValue else { return word.isEmpty }
        if case .number(let number) = current, let wanted = Number(word) { return number.isEqual(to: wanted) }
        if type == .switch, word.lowercased() == "toggle" { return false }
        return (try? value(for: .word(word))) == .some(current)
    }
}
