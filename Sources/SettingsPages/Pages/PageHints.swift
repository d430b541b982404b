package import SettingsModel
import SettingsText

/// Problems in words for the pages: the remedies of the command line are not those of a page.
package enum PageHints {
    package static func words(_ problem: Problem) -> String {
        switch problem {
        case .editing(.labelIsChosen(_, let text)): "\(text) is chosen; choose another label before you remove it"
        default: CommandLineHints.reason(problem)
        }
    }

    /// A reason as a sentence of its own. What begins with a key or in quotes stays as it is.
    package static func sentence(_ reason: String) -> String {
        let words = reason.split(separator: " ")
        // An article; an option may have that name as well.
        let isArticle = words.count > 1 && words[0] == "a" && !["is", "has", "was", "cannot"].contains(words[1])
        guard let word = words.first, word.count > 1 || isArticle, word.allSatisfy({ $0.isLowercase || $0 == "'" }),
            word.first?.isLetter == true
        else { return reason }
        return word.prefix(1).uppercased() + reason.dropFirst()
    }

    /// The same with a full stop.
    static func statement(_ reason: String) -> String {
        let sentence = sentence(reason)
        return sentence.last.map { ".!?".contains($0) } == true ? sentence : sentence + "."
    }
}
