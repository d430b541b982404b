/// Why two branches can't be merged, or a conflict not be resolved.
package enum MergeProblem: Hashable, Sendable {
    /// The other branch, as the user named it.
    case isUnrelated(String)
    /// A shallow clone lacks what the branches last had in common, or may lack it.
    case baseIsBeforeClone(String)
    case areUnrelated(VersionID, VersionID)
    /// The sides have one name each; some file systems don't distinguish them.
    case namesDifferByCase(Key, Key)
    /// `by`: the branch that a sync would have merged.
    case unresolved([Conflict], [ConflictOrigin], by: String?)
    /// A file that is not part of the store, and that both sides changed or that is a link; in a tracked one, more than its options.
    case otherFile(String, tracked: Bool)
    case otherFileIsTooLarge(String, forwarding: Bool)
    case otherIsNotPlain(String)
    case nameIsTaken(Key, by: Key, asked: Bool)
    case noOption(Key)

    /// `facet`: the one that was asked about, if one was; `open`: those in which the key has an open conflict.
    case noQuestion(Key, Facet? = nil, open: [Facet] = [])
    case severalQuestions(Key, [Facet])
    case takesNoValue(Facet)
    /// What the merge brought together is not in this history any more, or not in this clone.
    case sidesAreGone(Key, Facet)
    case moreIsOpen(Key, besides: Facet, Facet)
    case moreThanValueIsOpen(Key)
    /// While git merges: its value can be chosen, but there are no sides to take.
    case isInNoConflict(Key)
    /// The sides disagree about the name of the group that it lies in.
    case groupIsOpen(Key, in: Key)

    package var kind: Problem.Kind {
        switch self {
        case .isUnrelated, .areUnrelated, .namesDifferByCase, .unresolved, .otherFile, .otherFileIsTooLarge, .otherIsNotPlain,
            .nameIsTaken:
            .conflict
        case .baseIsBeforeClone, .noOption, .noQuestion, .sidesAreGone: .missing
        case .severalQuestions, .takesNoValue, .moreIsOpen, .moreThanValueIsOpen, .groupIsOpen, .isInNoConflict: .usage
        }
    }
}
