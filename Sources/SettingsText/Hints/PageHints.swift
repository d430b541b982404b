package import SettingsModel

/// Messages for the pages, whose remedies are keys and buttons: no command line and no option occurs in them.
package enum PageHints {
    package static func words(_ problem: Problem) -> String {
        let reason = CommandLineHints.reason(problem)
        return switch problem {
        case .editing(.labelIsChosen(_, let text)): "\(text) is chosen; choose another label before you remove it"
        // What is missing is git's, and no page has it.
        case .identity(.hasNoName): "\(reason); set user.name in git's configuration"
        case .identity(.hasNoEmail): "\(reason); set user.email in git's configuration"
        case .recording(.handEdited(let subject, .removed)):
            "\(subject.path) was removed by hand, which is not recorded; record or discard that first"
        case .recording(.handEdited(_, .unrecordable)): "\(reason); fix the file or discard the edit first"
        case .recording(.handEdited(let subject, _)):
            "\(subject.path) has an edit that is not recorded; record or discard it first"
        case .history(.noVersion(let name)), .history(.noRevision(let name, _)):
            "'\(name)' is not a version or a time; give an id, a tag or a time such as 'yesterday 18:00'"
        default: reason
        }
    }

    package static func words(_ notice: Notice) -> String { CommandLineHints.explanation(of: notice).reason }

    /// What git is in the middle of, and whether it has to be ended first.
    package static func inProgress(_ operation: String) -> [String] {
        [CommandLineHints.inProgress(operation)] + (isInTheWay(operation) ? ["finish or abort it with git"] : [])
    }

    /// Whether nothing can be recorded or discarded until it has ended.
    package static func isInTheWay(_ operation: String) -> Bool { CommandLineHints.ends(of: operation) != nil }

    /// What is missing because a shallow clone lacks earlier versions.
    package static func cutOff(_ what: String) -> String { CommandLineHints.explanation(ofCutOff: what).reason }

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
    package static func statement(_ reason: String) -> String {
        let sentence = sentence(reason)
        return sentence.last.map { ".!?".contains($0) } == true ? sentence : sentence + "."
    }
}
