import SettingsModel

// Keys, values, definitions and labels.

extension CommandLineHints {
    static func explanation(of problem: KeyProblem) -> Explanation {
        switch problem {
        case .malformed(let word, let fault):
            Explanation("'\(word)' is no key: \(fault.reason)", hint: "a key looks like general.language")
        case .differsByCase(let key, let existing):
            Explanation(
                "\(key) differs from \(existing) by case alone, which some file systems can't tell apart",
                hint: "use \(existing), or another name")
        case .noOption(let word, let near):
            Explanation("there is no option '\(word)'", hint: guess(near) ?? "'settings list' shows what there is")
        case .noPlace(let word, let near):
            Explanation("there is no option or group '\(word)'", hint: guess(near) ?? "'settings list' shows what there is")
        case .isGroup(let word, let key):
            Explanation("'\(word)' is a group", hint: "'settings list \(key)' shows what is in it")
        case .isEndOfSeveral(let word, let keys):
            Explanation(
                "'\(word)' is the end of \(keys.count) keys: \(keys.map(\.description).joined(separator: ", "))",
                hint: "write the whole key")
        case .isIgnored(let word, let path, let rule):
            Explanation(
                "there is no option '\(word)'", hint: "git ignores \(path) (\(rule)), so it is not part of the store")
        }
    }

    static func explanation(of problem: ValueProblem) -> Explanation {
        switch problem {
        case .refused(let key, let refusal):
            Explanation(key.map { "\($0): \(refusal.reason)" } ?? refusal.reason, hint: hint(for: refusal))
        case .isReadOnly(let key):
            Explanation("\(key) is read-only", hint: "'settings define \(key) --no-read-only' lets it be set")
        case .isSetTwice(let key): Explanation("\(key) is set twice", hint: "give each key one VALUE")
        case .unfitting(let key, let fault, let decision):
            Explanation(
                "\(key): decided so, \(fault.reason)",
                hint: decision == .merge ? "decide this one with \(key)=VALUE" : "decide it with a VALUE that is offered")
        case .isNoCondition(let word): Explanation("--if takes KEY=VALUE, not '\(word)'")
        case .isNot(let key, let value, let wanted):
            Explanation("\(key) is \(value), not \(wanted)", hint: "nothing was changed")
        }
    }

    private static func hint(for refusal: Option.Refusal) -> String? {
        switch refusal.cause {
        case .noDefault: "'settings unset' leaves it without a value"
        case .noLabels: [refusal.hint, "'settings label add' gives it one"].compactMap { $0 }.joined(separator: "; ")
        case .sameLabel: "name the value, or the place with --index"
        case nil: refusal.hint
        }
    }

    static func explanation(of problem: EditingProblem) -> Explanation {
        switch problem {
        case .hasNoType(let key):
            Explanation("what is \(key)?", hint: "say --choice LABEL…, --switch, --number N, --text S or --data JSON")
        case .hasNoTitle(let key): Explanation("what is the title of \(key)?", hint: "say --title 'What people read'")
        case .titleIsEmpty(let key): Explanation("the title of \(key) can't be empty")
        case .isNothingYet(let key):
            Explanation(
                "there is no '\(key)' yet",
                hint: "say what it is: --choice, --switch, --number, --text, --data, or for a group --style")
        case .optionIsThere(let key):
            Explanation("there is an option '\(key)' already", hint: "'settings define \(key) …' changes it")
        case .keyIsTaken(let key):
            Explanation("there is a '\(key)' already", hint: "remove it first, or choose another key")
        case .isIntoItself(let key): Explanation("\(key) can't be put into itself")
        case .groupHoldsOptions(let key, let count):
            Explanation(
                "\(key) is a group, with \(count) options in it",
                hint: "'settings remove --recursive \(key)' removes it with all that is in it")
        case .tooManyTitles(let key, let groups, let titles):
            Explanation(
                "\(key) lies in \(groups == 0 ? "no group" : groups == 1 ? "1 group" : "\(groups) groups"), and "
                    + "\(titles == 1 ? "1 title was" : "\(titles) titles were") given with --section and --page")
        case .isNoGroup(let key): Explanation("--style, --footer and --order are for groups, and \(key) is an option")
        case .isNotStore: Explanation("--require-… is for the store, which is written as /")
        case .namesTwice: Explanation("--order names something twice")
        case .notOfThisType(.ofTexts): Explanation("--placeholder, --pattern and --masked are for texts")
        case .notOfThisType(.range): Explanation("--range is for numbers")
        case .notOfThisType(.switchValues): Explanation("--off-value and --on-value are for switches")
        case .notOfThisType(.selection): Explanation("--select is for choices")
        case .invalidPattern(let fault): Explanation(fault)
        case .sameSwitchValues: Explanation("off and on need two values")
        case .doesNotHold(let key, let fault): Explanation("\(key): \(fault.reason)")
        case .chosenWouldGo(let key, let label):
            Explanation(
                "\(key): \(label) is chosen and would be gone", hint: "say what is chosen then, with --select VALUE")
        case .defaultWouldGo(let key, let value):
            Explanation(
                "\(key): \(value) is the default and would be gone",
                hint: "say what is the default then, with --default VALUE, or '' for none")
        case .labelValueTwice(let value):
            Explanation("two labels have the value \(value.compact)", hint: "values must be unique; name them as VALUE=LABEL")
        case .hasNoLabels, .noLabel, .labelIsEmpty, .noPlace, .labelValueIsTaken, .labelIsThere, .labelIsChosen, .labelIsDefault:
            explanation(ofLabels: problem)
        }
    }

    private static func explanation(ofLabels problem: EditingProblem) -> Explanation {
        switch problem {
        case .hasNoLabels(let key, let kind): Explanation("\(key) is a \(kind.rawValue), which has no labels")
        case .noLabel(let key, let word): Explanation("\(key) has no label '\(word)'")
        case .labelIsEmpty(let key): Explanation("a label of \(key) can't be empty")
        case .noPlace(let key, let place, let count, let isNew):
            Explanation(
                "\(key) has \(count) labels, so none can \(isNew ? "come" : "be") at \(place)",
                hint: "a place is from 0 to \(isNew ? count : count - 1)")
        case .labelValueIsTaken(let key, let label, let value):
            Explanation(
                "\(key): the label \(label) has the value \(value.compact) already",
                hint: "give the new one another with --value")
        case .labelIsThere(let key, let label, let isNew):
            Explanation(
                "\(key) has a label \(label) already",
                hint: isNew
                    ? "to have two labels of one text, name the value of this one with --value"
                    : "choose another text, or remove that one first")
        case .labelIsChosen(let key, let label):
            Explanation("\(key): \(label) is chosen", hint: "say what is chosen then, with --select LABEL")
        case .labelIsDefault(let key, let label):
            Explanation(
                "\(key): \(label) is the default", hint: "change the default first: 'settings define \(key) --default VALUE'")
        default: explanation(of: problem)
        }
    }
}
