/// Converts the syntax tree to a value of a known type.
extension GVariantSyntax {
    func value(as type: GVariantType) throws(GVariant.Malformed) -> GVariant {
        switch kind {
        case .declared(_, let syntax): return try syntax.value(as: type)
        case .just(let syntax) where type.isMaybe: return .maybe(try syntax.value(as: type.element), type)
        case .nothing where type.isMaybe: return .maybe(nil, type)
        case .just, .nothing: throw mismatch(type)
        // `just` is optional.
        case _ where type.isMaybe: return .maybe(try value(as: type.element), type)
        case .boolean(let isTrue):
            guard type == "b" else { throw mismatch(type) }
            return .boolean(isTrue)
        case .number(let text): return try number(text, type)
        case .string(let string): return try self.string(string, type)
        case .bytes(let bytes):
            guard type == "ay" else { throw mismatch(type) }
            return .array((bytes + [0]).map { .integer(Int128($0), "y") }, type)
        case .variant(let syntax):
            guard type == "v" else { throw mismatch(type) }
            return .variant(try syntax.value(as: try syntax.inferredType()))
        case .array, .tuple, .dictionary, .entry: return try container(type)
        }
    }

    private func container(_ type: GVariantType) throws(GVariant.Malformed) -> GVariant {
        switch kind {
        case .array(let elements) where type.isArray:
            let element = type.element
            var values: [GVariant] = []
            for syntax in elements { values.append(try syntax.value(as: element)) }
            return .array(values, type)
        case .dictionary(let entries) where type.isDictionary:
            let items = type.element.items
            var values: [GVariant] = []
            for (key, value) in entries { values.append(.entry(try key.value(as: items[0]), try value.value(as: items[1]))) }
            return .array(values, type)
        case .entry(let key, let value) where type.letter == UInt8(ascii: "{"):
            let items = type.items
            return .entry(try key.value(as: items[0]), try value.value(as: items[1]))
        case .tuple(let syntaxes) where type.letter == UInt8(ascii: "("):
            let items = type.items
            guard items.count == syntaxes.count else { throw mismatch(type) }
            var values: [GVariant] = []
            for (syntax, item) in zip(syntaxes, items) { values.append(try syntax.value(as: item)) }
            return .tuple(values)
        default: throw mismatch(type)
        }
    }

    private func mismatch(_ type: GVariantType) -> GVariant.Malformed {
        GVariant.Malformed("\(words) can't be of type '\(type.text)'", at: offset)
    }

    private var words: String {
        switch kind {
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .bytes: "a byte string"
        case .array: "an array"
        case .tuple: "a tuple"
        case .dictionary: "a dictionary"
        case .entry: "an entry of a dictionary"
        case .variant: "a variant"
        case .just, .nothing: "a maybe"
        case .declared(_, let syntax): syntax.words
        }
    }

    private func string(_ string: String, _ type: GVariantType) throws(GVariant.Malformed) -> GVariant {
        switch type.letter {
        case UInt8(ascii: "s"): break
        case UInt8(ascii: "o"):
            guard GVariant.isObjectPath(string) else { throw GVariant.Malformed("'\(string)' is not an object path", at: offset) }
        case UInt8(ascii: "g"):
            guard GVariant.isSignature(string) else { throw GVariant.Malformed("'\(string)' is not a signature", at: offset) }
        default: throw mismatch(type)
        }
        return .string(string, type)
    }

    private func number(_ text: String, _ type: GVariantType) throws(GVariant.Malformed) -> GVariant {
        if type == "d" { return .double(try double(text)) }
        guard type.bytes.count == 1, let bounds = GVariantType.bounds(of: type.letter) else { throw mismatch(type) }
        var digits = text[...]
        let isNegative = digits.hasPrefix("-")
        if isNegative { digits = digits.dropFirst() }
        if digits.hasPrefix("+") { digits = digits.dropFirst() }
        var radix = 10
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
            radix = 16
            digits = digits.dropFirst(2)
        } else if digits.hasPrefix("0"), digits.utf8.count > 1 {
            radix = 8
        }
        guard digits.first?.isHexDigit == true else { throw GVariant.Malformed("'\(text)' is not a whole number", at: offset) }
        guard let magnitude = UInt64(digits, radix: radix) else {
            let isNumber = digits.utf8.allSatisfy { Character(Unicode.Scalar($0)).hexDigitValue.map { $0 < radix } ?? false }
            throw GVariant.Malformed(
                isNumber ? "\(text) is out of range for type '\(type.text)'" : "'\(text)' is not a whole number", at: offset)
        }
        let number = isNegative ? -Int128(magnitude) : Int128(magnitude)
        guard bounds.contains(number) else {
            throw GVariant.Malformed("\(text) is out of range for type '\(type.text)'", at: offset)
        }
        return .integer(number, type)
    }

    private func double(_ text: String) throws(GVariant.Malformed) -> Double {
        guard let number = Double(text) else { throw GVariant.Malformed("'\(text)' is not a number", at: offset) }
        guard number.isFinite || text.utf8.contains(UInt8(ascii: "n")) || text.utf8.contains(UInt8(ascii: "N")) else {
            throw GVariant.Malformed("\(text) is too large for any type", at: offset)
        }
        return number
    }
}

extension GVariant {
    /// Whether the text is `/` or has the form `/a/b_1`.
    static func isObjectPath(_ text: String) -> Bool {
        if text == "/" { return true }
        guard text.hasPrefix("/") else { return false }
        return text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty
                && part.allSatisfy {
                    switch $0 {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                        true
                    default: false
                    }
                }
        }
    }

    /// Whether the text is a sequence of D-Bus types.
    static func isSignature(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard !bytes.contains(UInt8(ascii: "m")) else { return false }
        var index = 0
        while index < bytes.count {
            guard let end = GVariantType.end(of: bytes, from: index) else { return false }
            index = end
        }
        return true
    }
}

/// Infers the type of a text. A pattern is a type with wildcards: `*` for any type, `N` for any numeric type,
/// `S` for any string type, and `M` before a type that may be wrapped in a maybe. The patterns of an array's elements
/// are merged into one.
extension GVariantSyntax {
    func inferredType() throws(GVariant.Malformed) -> GVariantType {
        let pattern = try self.pattern()
        guard !pattern.contains(UInt8(ascii: "*")) else {
            throw GVariant.Malformed("its type cannot be inferred; prefix it with '@' and a type", at: offset)
        }
        return GVariantType(
            checked: pattern.compactMap { byte in
                switch byte {
                case UInt8(ascii: "M"): nil
                case UInt8(ascii: "S"): UInt8(ascii: "s")
                case UInt8(ascii: "N"): UInt8(ascii: "i")
                default: byte
                }
            })
    }

    private func pattern() throws(GVariant.Malformed) -> [UInt8] {
        switch kind {
        case .boolean: return Array("Mb".utf8)
        case .string: return Array("MS".utf8)
        case .bytes: return Array("May".utf8)
        case .variant: return Array("Mv".utf8)
        case .declared(let type, _): return type.bytes
        case .nothing: return Array("m*".utf8)
        case .just(let syntax): return Array("m".utf8) + (try syntax.pattern())
        case .number(let text):
            let isReal =
                text.contains(".") || !text.hasPrefix("0x") && text.contains("e") || text.contains("inf") || text.contains("nan")
            return Array((isReal ? "Md" : "MN").utf8)
        case .array(let elements): return Array("Ma".utf8) + (try common(elements))
        case .tuple(let items):
            var pattern = Array("M(".utf8)
            for item in items { pattern += try item.pattern() }
            return pattern + Array(")".utf8)
        case .entry(let key, let value):
            return Array("M{".utf8) + (try keyPattern([key])) + (try value.pattern()) + Array("}".utf8)
        case .dictionary(let entries):
            if entries.isEmpty { return Array("Ma{**}".utf8) }
            return Array("Ma{".utf8) + (try keyPattern(entries.map(\.key))) + (try common(entries.map(\.value)))
                + Array("}".utf8)
        }
    }

    /// Keys are never maybes.
    private func keyPattern(_ keys: [GVariantSyntax]) throws(GVariant.Malformed) -> [UInt8] {
        var pattern = try common(keys)
        if pattern.first == UInt8(ascii: "M") { pattern.removeFirst() }
        guard pattern.count == 1, GVariantType.isBasic(pattern[0]) || "NS".utf8.contains(pattern[0]) else {
            throw GVariant.Malformed("the keys of a dictionary must be of basic types", at: offset)
        }
        return pattern
    }

    private func common(_ elements: [GVariantSyntax]) throws(GVariant.Malformed) -> [UInt8] {
        var common = Array("*".utf8)
        for element in elements {
            guard let pattern = GVariantSyntax.coalesced(common, try element.pattern()) else {
                throw GVariant.Malformed("its type differs from the elements before it", at: element.offset)
            }
            common = pattern
        }
        return common
    }

    /// The pattern that fits both; nil if there is none.
    private static func coalesced(_ left: [UInt8], _ right: [UInt8]) -> [UInt8]? {
        var (left, right) = (left[...], right[...])
        var out: [UInt8] = []
        while let first = left.first, let second = right.first {
            if first == second {
                out.append(first)
                left = left.dropFirst()
                right = right.dropFirst()
            } else if !step(&left, &right, into: &out), !step(&right, &left, into: &out) {
                return nil
            }
        }
        return left.isEmpty && right.isEmpty ? out : nil
    }

    private static func step(_ one: inout ArraySlice<UInt8>, _ other: inout ArraySlice<UInt8>, into out: inout [UInt8]) -> Bool {
        guard let first = one.first, let second = other.first else { return false }
        switch first {
        case UInt8(ascii: "*") where second != UInt8(ascii: ")"):
            let end = patternEnd(of: other)
            out += other[..<end]
            other = other[end...]
            one = one.dropFirst()
        case UInt8(ascii: "M") where second == UInt8(ascii: "m"):
            out.append(second)
            other = other.dropFirst()
        case UInt8(ascii: "M") where second != UInt8(ascii: "*"): one = one.dropFirst()
        case UInt8(ascii: "N") where "ynqiuxthd".utf8.contains(second), UInt8(ascii: "S") where "sog".utf8.contains(second):
            out.append(second)
            one = one.dropFirst()
            other = other.dropFirst()
        default: return false
        }
        return true
    }

    /// The end of the first pattern of `patterns`.
    private static func patternEnd(of patterns: ArraySlice<UInt8>) -> Int {
        var index = patterns.startIndex
        while index < patterns.endIndex, "amM".utf8.contains(patterns[index]) { index += 1 }
        var open = 0
        while index < patterns.endIndex {
            switch patterns[index] {
            case UInt8(ascii: "("), UInt8(ascii: "{"): open += 1
            case UInt8(ascii: ")"), UInt8(ascii: "}"): open -= 1
            default: break
            }
            index += 1
            if open == 0 { break }
        }
        return index
    }
}
