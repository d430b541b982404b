extension SettingsContent {
    /// Sets each option to its requested value; options that don't exist are skipped. All that is refused is named.
    package mutating func set(_ wishes: [(key: Key, wish: Wish)]) throws(Problem) {
        var problems: [Problem] = []
        for (key, wish) in wishes {
            guard var option = options[key] else { continue }
            do throws(Problem) {
                if option.isReadOnly { throw .value(.isReadOnly(key)) }
                option.value = try option.requestedValue(wish, key)
                options[key] = option
            } catch { problems.append(error) }
        }
        if let problem = Problem.all(problems) { throw problem }
    }
}

extension SettingsOption {
    /// The value that `wish` stands for; the error names the key.
    package func requestedValue(_ wish: Wish, _ key: Key) throws(Problem) -> JSON? {
        do { return try value(for: wish) } catch { throw .value(.refused(key, error)) }
    }

    /// Whether `wish` stands for the effective value.
    package func isNow(_ wish: Wish) -> Bool {
        switch wish {
        case .word(let word): return isNow(word)
        case .json(nil): return effectiveValue == nil
        case .json(.number(let wanted)):
            if case .number(let number)? = effectiveValue { return number.isEqual(to: wanted) }
            return effectiveValue == .number(wanted)
        default: return effectiveValue != nil && (try? value(for: wish)) == .some(effectiveValue)
        }
    }

    /// Whether `word` stands for the effective value.
    package func isNow(_ word: String) -> Bool {
        guard let current = effectiveValue else { return word.isEmpty }
        if case .number(let number) = current, let wanted = Number(word) { return number.isEqual(to: wanted) }
        if type == .switch, word.lowercased() == "toggle" { return false }
        return (try? value(for: .word(word))) == .some(current)
    }
}
