extension Settings {
    /// Grants each wish; options that aren't there are passed over.
    package mutating func set(_ wishes: [(key: Key, wish: Wish)]) throws(Problem) {
        for (key, wish) in wishes {
            guard var option = options[key] else { continue }
            if option.isReadOnly { throw .value(.isReadOnly(key)) }
            option.value = try option.granted(wish, key)
            options[key] = option
        }
    }
}

extension Option {
    /// The value that `wish` means; the refusal names the key.
    package func granted(_ wish: Wish, _ key: Key) throws(Problem) -> JSON? {
        do { return try value(for: wish) } catch { throw .value(.refused(key, error)) }
    }

    /// Whether the value in force is what `word` means here.
    package func isNow(_ word: String) -> Bool {
        guard let current = effectiveValue else { return word.isEmpty }
        if case .number(let number) = current, let wanted = Number(word) { return number.isEqual(to: wanted) }
        if type == .switch, word.lowercased() == "toggle" { return false }
        return (try? value(for: .word(word))) == .some(current)
    }
}
