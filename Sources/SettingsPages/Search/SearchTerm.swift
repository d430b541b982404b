/// A word of what was typed into a search: one to look for, or a filter such as `@who:ada`.
struct SearchTerm: Hashable, Sendable {
    /// As it was typed, in lower case.
    var text: String
    /// The filter's name; nil for a word to look for.
    var filter: String?
    /// What follows the filter's colon; empty while nothing does.
    var value = ""

    /// Terms are separated by spaces; quotes keep spaces: `@why:"too dark"`.
    static func terms(in text: String) -> [SearchTerm] {
        var terms: [SearchTerm] = []
        var word = ""
        var isQuoted = false
        for character in text.lowercased() {
            if character == "\"" {
                isQuoted.toggle()
            } else if character.isWhitespace, !isQuoted {
                if !word.isEmpty { terms.append(SearchTerm(word)) }
                word = ""
            } else {
                word.append(character)
            }
        }
        return word.isEmpty ? terms : terms + [SearchTerm(word)]
    }

    private init(_ word: String) {
        text = word
        guard word.hasPrefix("@") else { return }
        let name = word.dropFirst().prefix { $0 != ":" }
        filter = String(name)
        value = String(word.dropFirst(name.count + 2))
    }
}
