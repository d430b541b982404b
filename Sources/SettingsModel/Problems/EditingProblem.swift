/// Why an option, a group or a label can't be made, changed or removed as somebody wishes.
package enum EditingProblem: Hashable, Sendable {
    case hasNoType(Key)
    case hasNoTitle(Key)
    case titleIsEmpty(Key)
    case isNothingYet(Key)
    case optionIsThere(Key)
    case keyIsTaken(Key)
    case isIntoItself(Key)
    case groupHoldsOptions(Key, count: Int)
    /// More titles of groups than groups that the key lies in.
    case tooManyTitles(Key, groups: Int, titles: Int)
    case isNoGroup(Key)
    case isNotStore
    case namesTwice
    case notOfThisType(Member)
    case invalidPattern(String)
    case sameSwitchValues
    case doesNotHold(Key, Option.Fault)
    /// Of a choice whose labels are named anew.
    case chosenWouldGo(Key, Text)
    case defaultWouldGo(Key, String)
    case labelValueTwice(JSON)

    case hasNoLabels(Key, Option.Kind)
    case noLabel(Key, String)
    case labelIsEmpty(Key)
    /// `count`: how many labels there are.
    case noPlace(Key, Int, count: Int, isNew: Bool)
    case labelValueIsTaken(Key, by: Text, JSON)
    case labelIsThere(Key, String, isNew: Bool)
    case labelIsChosen(Key, Text)
    case labelIsDefault(Key, Text)

    /// What only one type of option has.
    package enum Member: Hashable, Sendable {
        case ofTexts, range, switchValues, selection
    }

    package var kind: Problem.Kind {
        switch self {
        case .hasNoType, .hasNoTitle, .titleIsEmpty, .isIntoItself, .groupHoldsOptions, .tooManyTitles, .isNoGroup, .isNotStore,
            .namesTwice, .notOfThisType, .sameSwitchValues, .labelValueTwice, .labelIsEmpty:
            .usage
        case .isNothingYet: .missing
        case .optionIsThere, .keyIsTaken, .chosenWouldGo, .defaultWouldGo, .labelValueIsTaken, .labelIsThere, .labelIsChosen,
            .labelIsDefault:
            .conflict
        case .invalidPattern, .doesNotHold, .hasNoLabels, .noLabel, .noPlace: .badData
        }
    }
}
