import SettingsModel

/// The texts that rows name, as they are now.
struct BundleTexts {
    let table: String
    var texts: [Text: Text]

    /// `name`, if it stands for `text` or can; else the text itself.
    mutating func put(_ name: PropertyList?, _ text: Text) -> PropertyList {
        guard let name else { return .string(text) }
        guard case .string(let word) = name else { return name.word == text ? name : .string(text) }
        if word == text, texts[word] == nil { return name }
        if word.isEmpty || texts[word, default: text] != text { return .string(text) }
        texts[word] = text
        return name
    }
}
