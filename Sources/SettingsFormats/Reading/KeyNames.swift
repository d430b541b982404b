package import SettingsModel

/// Assigns keys to other programs' names of settings.
///
/// A name that is valid in a key is kept; others lose the characters that a key can't have. If two names would have the same
/// file, the second gets a suffix that is hashed from its bytes, so that it doesn't depend on other names.
package struct KeyNames {
    /// The exact name that uses each group and folded name.
    private var taken: [Key: [String: ExactText]] = [:]

    package init() {}

    /// The key of a setting called `name` in `group`; `isExact` if the key's last part is the name itself.
    package mutating func key(_ name: String, in group: Key) throws(Key.Malformed) -> (key: Key, isExact: Bool) {
        let exact = ExactText(name)
        let stem = KeyNames.part(from: name)
        var part = stem
        var attempt = 0
        while let owner = taken[group]?[part.lowercased()], owner != exact {
            part = Key.apart(stem, attempt == 0 ? name : "\(name) \(attempt)")
            attempt += 1
        }
        taken[group, default: [:]][part.lowercased()] = exact
        return (try group.appending(part), part == name)
    }

    /// The valid part of a name: ASCII letters and digits; Latin letters lose their diacritics.
    package static func part(from name: String) -> String {
        var part = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9": part.unicodeScalars.append(scalar)
            case "_" where !part.isEmpty: part += "_"
            default:
                if !scalar.isASCII, let letters = Labels.letters(of: scalar), letters.utf8.allSatisfy({ $0 < 0x80 }) {
                    part += letters
                } else if !part.isEmpty, part.last != "-" {
                    part += "-"
                }
            }
        }
        while part.last == "-", !name.hasSuffix("-") { part.removeLast() }
        if part.isEmpty { part = Key.apart("key", name) }
        if part.utf8.count > 128 { part = Key.apart(String(part.prefix(112)), name) }
        return part
    }
}

/// Titles for settings that have only a name.
package enum Titles {
    /// `fontSize`, `font_size` and `font-size` become `Font Size`; `cD` becomes `C D`, `editorHTTPPort` `Editor HTTP Port`.
    package static func words(of name: String) -> String {
        let bytes = Array(name.utf8)
        // Thousands of keys have ASCII names: handling bytes takes a tenth of the time.
        return bytes.allSatisfy { $0 < 0x80 } ? words(ofASCII: bytes) ?? name : words(ofCharacters: name)
    }

    private static func words(ofASCII name: [UInt8]) -> String? {
        func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
        func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        var title: [UInt8] = []
        var isInWord = false
        for (index, byte) in name.enumerated() {
            guard isLower(byte) || isUpper(byte) || isDigit(byte) else {
                isInWord = false
                continue
            }
            let previous = index > 0 ? name[index - 1] : 0
            let next = index + 1 < name.count ? name[index + 1] : 0
            if isUpper(byte), isLower(previous) || isDigit(previous) || isUpper(previous) && isLower(next) { isInWord = false }
            if !isInWord, !title.isEmpty { title.append(UInt8(ascii: " ")) }
            title.append(!isInWord && isLower(byte) ? byte - 32 : byte)
            isInWord = true
        }
        return title.isEmpty ? nil : String(decoding: title, as: UTF8.self)
    }

    static func words(ofCharacters name: String) -> String {
        var words: [String] = []
        var word = ""
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            guard character.isLetter || character.isNumber else {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            let previous = index > 0 ? characters[index - 1] : " "
            let next = index + 1 < characters.count ? characters[index + 1] : " "
            if character.isUppercase, previous.isLowercase || previous.isNumber || previous.isUppercase && next.isLowercase,
                !word.isEmpty
            {
                words.append(word)
                word = ""
            }
            word.append(character)
        }
        if !word.isEmpty { words.append(word) }
        let title = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
        return title.isEmpty ? name : title
    }
}
