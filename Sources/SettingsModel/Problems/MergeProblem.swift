/// Why two lines of versions can't be brought together, or a question between them not be settled.
package enum MergeProblem: Hashable, Sendable {
    /// The other line, as a person called it.
    case isUnrelated(String)
    case areUnrelated(VersionID, VersionID)
    /// One name on each side; some file systems can't tell them apart.
    case namesDifferByCase(Key, Key)
    case unresolved([Conflict], [ConflictOrigin])
    /// A file that is not the store's: both sides changed it, or it is a link.
    case otherFile(String)
    case otherFileIsTooLarge(String, forwarding: Bool)
    case otherIsNotPlain(String)
    case nameIsTaken(Key, by: Key, asked: Bool)
    case noOption(Key)

    case noQuestion(Key)
    case severalQuestions(Key, [Facet])
    case takesNoValue(Facet)
    case moreIsOpen(Key, besides: Facet, Facet)
    case moreThanValueIsOpen(Key)

    package var kind: Problem.Kind {
        switch self {
        case .isUnrelated, .areUnrelated, .namesDifferByCase, .unresolved, .otherFile, .otherFileIsTooLarge, .otherIsNotPlain,
            .nameIsTaken:
            .conflict
        case .noOption, .noQuestion: .missing
        case .severalQuestions, .takesNoValue, .moreIsOpen, .moreThanValueIsOpen: .usage
        }
    }
}
