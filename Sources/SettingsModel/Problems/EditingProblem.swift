/// Why an option, a group or a label can't be created, changed or removed as requested.
package enum EditingProblem: Hashable, Sendable {
    case hasNoType(Key)
    case hasNoTitle(Key)
    case titleIsEmpty(Key)
    case isNothingYet(Key)
    case optionIsThere(Key)
    case keyIsTaken(Key)
    case isIntoItself(Key)
    case groupHoldsOptions(Key, count: Int)
    /// More titles were given than the key has groups.
    case tooManyTitles(Key, groups: Int, titles: Int)
    case isNoGroup(Key)
    /// A group, or the store, for which something was requested that only options have.
    case isNoOption(Key)
    case isNotStore
    case duplicateOrderEntry
    case wrongType(Member)
    case invalidPattern(String)
    case sameSwitchValues
    /// `isNew`: whether the option was to be added.
    case isInconsistent(Key, SettingsOption.Fault, isNew: Bool)
    /// The new labels of a choice lack the chosen one.
    case removesChosenLabel(Key, ExactText)
    case removesDefault(Key, String)
    /// The value that was chosen means nothing in an option of the new type.
    case doesNotFit(Key, String, SettingsOption.Kind)
    case duplicateLabelValue(JSON)

    case hasNoLabels(Key, SettingsOption.Kind)
    case noLabel(Key, String)
    case labelIsEmpty(Key)
    /// `count`: the number of labels.
    case noPlace(Key, Int, count: Int, isNew: Bool)
    case labelValueIsTaken(Key, by: ExactText, JSON)
    case labelExists(Key, String, isNew: Bool)
    case labelIsChosen(Key, ExactText)
    case labelIsDefault(Key, ExactText)
    /// An environment has a value that the option would no longer have.
    case isValueForEnvironment(Key, JSON, environment: ExactText)

    /// Members that only one type of option has.
    package enum Member: Hashable, Sendable {
        case textMembers, range, switchValues, selection
    }

    package var kind: Problem.Kind {
        switch self {
        case .hasNoType, .hasNoTitle, .titleIsEmpty, .isIntoItself, .groupHoldsOptions, .tooManyTitles, .isNoGroup, .isNoOption,
            .isNotStore, .duplicateOrderEntry, .wrongType, .sameSwitchValues, .duplicateLabelValue, .labelIsEmpty:
            .usage
        case .isNothingYet: .missing
        case .optionIsThere, .keyIsTaken, .removesChosenLabel, .removesDefault, .doesNotFit, .labelValueIsTaken, .labelExists,
            .labelIsChosen,
            .labelIsDefault, .isValueForEnvironment:
            .conflict
        case .invalidPattern, .isInconsistent, .hasNoLabels, .noLabel, .noPlace: .badData
        }
    }
}
