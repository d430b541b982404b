import SettingsModel

/// The current texts of the names that rows use.
struct BundleTexts {
    let table: String
    var texts: [ExactText: ExactText]

    /// Returns `name` if it stands for `text` or can be made to, or else the text itself.
    mutating func put(_ name: PropertyList?, _ text: ExactText) -> PropertyList {
        guard let name else { return .string(text) }
        guard case .string(let word) = name else { return name.word == text ? name : .string(text) }
        if word == text, texts[word] == nil { return name }
        if word.isEmpty || texts[word, default: text] != text { return .string(text) }
        texts[word] = text
        return name
    }
}
