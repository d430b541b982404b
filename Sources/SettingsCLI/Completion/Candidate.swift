import SettingsModel

/// A word that the shell offers.
struct Candidate: Hashable {
    var text: String
    /// What it is, where the shell shows that.
    var note = ""

    /// Whether the text begins with `typed`, ignoring case.
    func begins(with typed: String) -> Bool { text.lowercased().hasPrefix(typed.lowercased()) }
}

/// What the shell is to offer.
enum Candidates {
    case words([Candidate])
    case files
    case folders

    static let none = Candidates.words([])

    /// As `CompletionShell` reads them: lines of a text and, after a tab, its note. A line that begins with a tab says that
    /// the shell knows better what is there.
    func lines(for shell: CompletionShell, quoted: Character?) -> [String] {
        switch self {
        case .files: ["\tfiles"]
        case .folders: ["\tfolders"]
        case .words(let words):
            words.compactMap { word in
                // Nobody types these, and a store from elsewhere may have them in its names.
                guard word.text == word.text.visible, let text = shell.written(word.text, inside: quoted) else { return nil }
                return word.note.isEmpty ? text : "\(text)\t\(word.note.visible)"
            }
        }
    }
}
