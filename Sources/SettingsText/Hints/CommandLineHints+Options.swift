import SettingsModel

// Problems with keys, values, definitions and labels.

extension CommandLineHints {
    private static func hint(forOptionOf word: String) -> String {
        let name = word.dropLast()
        guard let last = word.last, name.contains(where: { $0 != "." && $0 != "/" }), name.last != "/", name.last != "." else {
            return "keys look like general.language"
        }
        return "leave out the '\(last)' at the end"
    }

    static func explanation(of problem: KeyProblem) -> Explanation {
        switch problem {
        case .malformed(let word, let fault):
            Explanation("invalid key '\(word)': \(fault.reason)", hint: "keys look like general.language")
        case .isOutside(let word, let store):
            Explanation("'\(word)' is outside the store in \(store)", hint: "paths with ./ or ../ start at the current folder")
        case .namesGroup(let word):
            Explanation("'\(word)' names a group, but an option is expected", hint: hint(forOptionOf: word))
        case .isRoot(let word):
            Explanation(
                "'\(word)' is the whole store, which cannot be removed or renamed",
                hint: "'settings list' lists what it contains, and 'settings define / --title TEXT' changes its title")
        case .differsByCase(let key, let existing):
            Explanation(
                "\(key) differs from the existing \(existing) only in case, which some file systems cannot distinguish",
                hint: "use \(existing), or choose another name")
        case .noOption(let word, let near):
            Explanation("there is no option '\(word)'", hint: Nearest.question(near) ?? "'settings list' lists the options")
        case .noPlace(let word, let near):
            Explanation(
                "there is no option or group '\(word)'", hint: Nearest.question(near) ?? "'settings list' lists the options")
        case .isTrackedFile(let word, let group):
            Explanation(
                "'\(word)' is a tracked file, not an option or a group",
                hint: group.isRoot
                    ? "'settings list' lists its options, which are in the root of the store"
                    : "its options are in the group \(group): 'settings list \(group)' lists them")
        case .isNotRecorded(let key, let isGroup, let inStore):
            Explanation(
                "the \(isGroup ? "group" : "option") '\(key)' is not recorded yet",
                hint: inStore
                    ? "'settings done \(key)' records it, and 'settings discard \(key)' removes its \(isGroup ? "files" : "file")"
                    : "'settings done' records the store")
        case .isWithoutFile(let key):
            Explanation(
                "there is no option '\(key)': its file, \(Subject.option(key).path), is missing",
                hint: "'settings discard \(key)' brings it back, 'settings done \(key)' records that it was removed")
        case .wasRemoved(let key, let version):
            Explanation(
                "there is no option '\(key)': \(version.author.name) removed it in \(version.id.short)",
                hint: "'settings restore \(key) --from \(version.id.short)~1' brings it back")
        case .wasRenamed(let key, let new, let today, let version):
            Explanation(
                "there is no option '\(key)': \(version.author.name) renamed it to \(new) in \(version.id.short)",
                hint: today.map { "use the key '\($0)'" } ?? "'settings list' lists the options")
        case .isGroup(let word, let key):
            Explanation(
                "'\(word)' is a group, not an option",
                hint: "'settings list\(key.isRoot ? "" : " \(key)")' lists its options")
        case .noGroup(let word, let option, let near):
            Explanation(
                "there is no group '\(word)'",
                hint: option.map { "\($0) is an option; \(hint(forOptionOf: word))" } ?? Nearest.question(near)
                    ?? "'settings list' lists the groups")
        case .isAmbiguous(let word, let keys):
            Explanation("'\(word)' is ambiguous: \(some(of: keys.map(\.description)))", hint: "use the whole key")
        case .isIgnored(let word, let path, let rule):
            Explanation(
                "there is no option '\(word)'", hint: "git ignores \(path) (\(rule)), so it is not part of the store")
        case .isNothing(let word, let problem):
            Explanation(
                "there is no option or version '\(word)'",
                hint: problem.flatMap { explanation(of: $0).hint }
                    ?? "'settings list' lists the options, and 'settings history' the versions")
        case .isVersion(let word):
            Explanation(
                "'\(word)' is a version, not an option or a group",
                hint:
                    "'settings show \(word.shellWord)' shows it, 'settings history ..\(word.shellWord)' lists the versions up to it, "
                    + "and 'settings diff --from \(word.shellWord)' compares with it")
        }
    }

    static func explanation(of problem: ValueProblem) -> Explanation {
        switch problem {
        case .refused(let key, let refusal):
            Explanation(key.map { "\($0): \(refusal.reason)" } ?? refusal.reason, hint: hint(for: refusal, of: key))
        case .isReadOnly(let key):
            Explanation("\(key) is read-only", hint: "'settings define \(key) --no-read-only' makes it writable")
        case .isSetTwice(let key): Explanation("\(key) is set twice", hint: "give each key one VALUE")
        case .unfitting(let key, let fault, let decision):
            Explanation(
                "\(key): after this decision, \(fault.reason)",
                hint: decision == .merge ? "decide this option with \(key)=VALUE" : "give one of the offered values as VALUE")
        case .isNoCondition(let word):
            Explanation("invalid condition '\(word)': expected KEY=VALUE", hint: "for example --if general.language=en")
        case .isNot(let key, let value, let wanted):
            Explanation(
                "\(key) is \(value), not \(wanted); nothing was changed", hint: "'settings blame \(key)' shows who changed it")
        }
    }

    private static func hint(for refusal: SettingsOption.Refusal, of key: Key?) -> String? {
        switch refusal.cause {
        case .noDefault: "'settings unset' clears its value"
        case .noLabels: [refusal.hint, "'settings label add' adds one"].compactMap { $0 }.joined(separator: "; ")
        case .mismatch:
            [refusal.hint, key.map { "'settings define \($0) --pattern REGEX' changes the pattern" }].compactMap { $0 }
                .joined(separator: "; ")
        case .sameLabel: "give the value, or the position with --index"
        case nil: refusal.hint
        }
    }

    static func explanation(of problem: EditingProblem) -> Explanation {
        switch problem {
        case .hasNoType(let key):
            Explanation(
                "the type of \(key) is missing", hint: "give --choice LABEL..., --switch, --number N, --text S or --data JSON")
        case .hasNoTitle(let key):
            Explanation("the title of \(key) is missing", hint: "give --title TEXT, the name that people see")
        case .titleIsEmpty(let key):
            Explanation("the title of \(key) must not be empty", hint: "give --title TEXT, the name that people see")
        case .isNothingYet(let key):
            Explanation(
                "there is no option or group '\(key)'",
                hint: "to create it, give its type: --choice, --switch, --number, --text or --data, or --style for a group")
        case .optionIsThere(let key):
            Explanation("the option '\(key)' already exists", hint: "'settings define \(key) ...' changes it")
        case .keyIsTaken(let key):
            Explanation("'\(key)' already exists", hint: "remove it first, or choose another key")
        case .isIntoItself(let key): Explanation("the group \(key) cannot be moved into itself")
        case .groupHoldsOptions(let key, let count):
            Explanation(
                "\(key) is a group with \(count) option\(count == 1 ? "" : "s")",
                hint: "'settings remove --recursive \(key)' removes it and everything in it")
        case .tooManyTitles(let key, let groups, let titles):
            Explanation(
                "\(key) is in \(groups == 0 ? "no group" : groups == 1 ? "1 group" : "\(groups) groups"), but "
                    + "\(titles == 1 ? "1 title was" : "\(titles) titles were") given",
                hint: "--section and --page give at most one title to each group")
        case .isNoGroup(let key):
            Explanation(
                "\(key) is an option and cannot have a style, a footer or an order",
                hint: "--style, --footer and --order apply to groups")
        case .isNoOption(let key) where key.isRoot:
            Explanation(
                "/ is the whole store, which has no type, value or help",
                hint: "--title, --footer, --order and the --require options apply to it; 'settings define KEY ...' defines an "
                    + "option")
        case .isNoOption(let key):
            Explanation(
                "\(key) is a group, which has no type, value or help",
                hint:
                    "--title, --style, --footer and --order apply to groups; 'settings define \(key).NAME ...' defines an option "
                    + "in it")
        case .isNotStore:
            Explanation(
                "only the store can require a reason, a requester or a ticket",
                hint: "--require-why, --require-requested-by and --require-ticket apply to the store, which is written as /")
        case .duplicateOrderEntry:
            Explanation("the order names an entry twice", hint: "give each name once after --order")
        case .wrongType(.textMembers):
            Explanation(
                "only text options can have a placeholder or a pattern, or be masked",
                hint: "leave --placeholder, --pattern and --masked out, or make it a text option with --text TEXT")
        case .wrongType(.range):
            Explanation("only numbers can have a range", hint: "leave --range out, or make the option a number with --number N")
        case .wrongType(.switchValues):
            Explanation(
                "only switches can have values for off and on",
                hint: "leave --off-value and --on-value out, or make the option a switch with --switch")
        case .wrongType(.selection):
            Explanation(
                "only choices have a selected label", hint: "leave --select out, or make the option a choice with --choice")
        case .invalidPattern(let fault):
            Explanation(
                fault, hint: "a pattern is a Perl regular expression, such as '^[a-z]+$'; '\\(' matches a parenthesis")
        case .sameSwitchValues:
            Explanation("the values for off and on must differ", hint: "--off-value and --on-value set them")
        case .isInconsistent(let key, let fault, _) where fault.facet == .default:
            Explanation(
                "\(key): the default does not fit: \(fault.reason)",
                hint: "give another default with --default VALUE, or --default '' for none")
        case .isInconsistent(let key, let fault, _) where fault.facet == .member("for"):
            Explanation("\(key): \(fault.reason)", hint: "correct \"for\" in \(Subject.option(key).path)")
        case .isInconsistent(let key, let fault, let isNew) where fault.facet == .value:
            Explanation(
                "\(key): \(fault.reason)",
                hint: isNew
                    ? "give a value that fits, or none with --unset"
                    : "change the value first with 'settings set \(key) VALUE', or clear it with 'settings unset \(key)'")
        case .isInconsistent(let key, let fault, _): Explanation("\(key): \(fault.reason)")
        case .removesChosenLabel(let key, let label):
            Explanation(
                "\(key): the selected label \(label) would be removed",
                hint: "give the value to select instead with --select VALUE")
        case .doesNotFit(let key, let value, let kind):
            Explanation(
                "\(key): the value \(value.visible) does not fit \(kind.noun)",
                hint: kind == .choice ? "give the value to select instead with --select VALUE, or --unset" : "--unset drops it")
        case .removesDefault(let key, let value):
            Explanation(
                "\(key): the default \(value) would be removed",
                hint: "give another default with --default VALUE, or --default '' for none")
        case .duplicateLabelValue(let value):
            Explanation("two labels have the value \(value.compact)", hint: "values must be unique; give them as VALUE=LABEL")
        case .hasNoLabels, .noLabel, .labelIsEmpty, .noPlace, .labelValueIsTaken, .labelExists, .labelIsChosen, .labelIsDefault,
            .isValueForEnvironment:
            explanation(ofLabels: problem)
        }
    }

    private static func explanation(ofLabels problem: EditingProblem) -> Explanation {
        switch problem {
        case .hasNoLabels(let key, let kind):
            Explanation(
                "\(key) is \(kind.noun) and has no labels",
                hint: "'settings define \(key) --choice LABEL...' makes it a choice")
        case .noLabel(let key, let word):
            Explanation("\(key) has no label '\(word)'", hint: "'settings show \(key)' lists its labels")
        case .labelIsEmpty(let key): Explanation("a label of \(key) must not be empty")
        case .noPlace(let key, let place, let count, let isNew):
            Explanation(
                "\(key) has \(count) labels, so the position \(place) is out of range",
                hint: "positions go from 0 to \(isNew ? count : count - 1)")
        case .labelValueIsTaken(let key, let label, let value):
            Explanation(
                "\(key): the label \(label) already has the value \(value.compact)",
                hint: "give the new label another value with --value")
        case .labelExists(let key, let label, let isNew):
            Explanation(
                "\(key) already has a label \(label)",
                hint: isNew
                    ? "to add a second label with the same text, give it a value with --value"
                    : "choose another text, or remove the other label first")
        case .labelIsChosen(let key, let label):
            Explanation("\(key): the label \(label) is selected", hint: "give the label to select instead with --select LABEL")
        case .labelIsDefault(let key, let label):
            Explanation(
                "\(key): the label \(label) is the default",
                hint: "change the default first: 'settings define \(key) --default VALUE'")
        case .isValueForEnvironment(let key, let value, let environment):
            Explanation(
                "\(key): \(value.compact) is the value for \(environment), in \"for\"",
                hint: "change \"for\" in \(Subject.option(key).path) first, and record it with 'settings done \(key)'")
        default: explanation(of: problem)
        }
    }
}
