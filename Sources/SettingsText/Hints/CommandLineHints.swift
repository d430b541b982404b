package import SettingsModel

/// A message for an error or a remark, and a hint on what to do about it.
package struct Explanation: Hashable, Sendable {
    package var reason: String
    package var hint: String?
    /// The things that `reason` counts, one per line.
    package var details: [String] = []

    package init(_ reason: String, hint: String? = nil, details: [String] = []) {
        self.reason = reason
        self.hint = hint
        self.details = details
    }

    /// Each thing that is wrong.
    var reasons: [String] { details.isEmpty ? [reason] : details }

    /// Both in one sentence.
    var whole: String { [reason, hint].compactMap(\.self).joined(separator: "; ") }
}

/// The command line's messages. A reason says what is wrong, in words that fit every interface; a hint says what to type. What
/// a person does on a page instead is in `PageHints`.
package enum CommandLineHints {
    package static func explanation(of problem: Problem) -> Explanation {
        switch problem {
        case .key(let problem): explanation(of: problem)
        case .value(let problem): explanation(of: problem)
        case .editing(let problem): explanation(of: problem)
        case .file(let problem): explanation(of: problem)
        case .repository(let problem): explanation(of: problem)
        case .identity(let problem): explanation(of: problem)
        case .recording(let problem): explanation(of: problem)
        case .history(let problem): explanation(of: problem)
        case .branch(let problem): explanation(of: problem)
        case .merge(let problem): explanation(of: problem)
        case .signing(let problem): explanation(of: problem)
        case .confirming(let problem): explanation(of: problem)
        case .sync(let problem): explanation(of: problem)
        case .tracking(let problem): explanation(of: problem)
        case .several(let problems): all(problems.map { explanation(of: $0) })
        case .interrupted: Explanation("interrupted")
        }
    }

    /// Several things that are wrong, one per line; a hint that is the same for all stands at the end.
    package static func all(_ explanations: [Explanation]) -> Explanation {
        if explanations.count == 1 { return explanations[0] }
        let hints = Set(explanations.map(\.hint))
        let isShared = hints.count == 1
        return Explanation(
            "found \(explanations.count) problems", hint: isShared ? explanations[0].hint : nil,
            details: explanations.map { isShared ? $0.reason : $0.whole })
    }

    package static func reason(_ problem: Problem) -> String { explanation(of: problem).reason }

    /// The first ones of many names.
    package static func some(of names: [String]) -> String {
        names.prefix(8).joined(separator: ", ") + (names.count > 8 ? " and \(names.count - 8) more" : "")
    }

    /// What is missing because a shallow clone lacks earlier versions.
    package static func cutOff(_ what: String) -> String { explanation(ofCutOff: what).whole }

    static func explanation(ofCutOff what: String) -> Explanation {
        Explanation("\(what): this is a shallow clone", hint: unshallow)
    }

    static let unshallow = "'git fetch --unshallow' fetches the rest"

    /// Where all changes of a version are.
    static func wholeVersion(_ id: VersionID) -> String { "'settings show \(id.short)' lists them" }
}
