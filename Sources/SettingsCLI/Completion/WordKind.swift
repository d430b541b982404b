import ArgumentParser

/// What a word of a command line names, where the store knows the candidates for it.
enum WordKind: String {
    /// An option's key.
    case key
    /// The key of an option or a group.
    case place
    /// As `place`; after `--`, a command follows.
    case placeBeforeCommand
    /// As `place`; with `--undo`, `discarded`.
    case placeOrDiscarded
    /// The key of an option or a group of which discarded edits are kept.
    case discarded
    /// The next word of `KEY VALUE …` or `KEY=VALUE …`.
    case keyOrValue
    /// `KEY=VALUE`.
    case assignment
    /// A label of the option whose key precedes, or another of its values.
    case label
    /// A version or a time.
    case when
    case version
    /// A version or `A..B`.
    case versionOrRange
    case keyOrVersion
    /// `A..B`.
    case range
    case placeOrRange
    /// Versions that have to be confirmed.
    case waiting
    case branch
    case remote
    case tag
    case author
    case requester
    case ticket
    /// A command, and a command of it.
    case command
}

extension CompletionKind {
    /// The parser has no use for it but to hand it back to `CommandShape`.
    static func word(_ kind: WordKind) -> CompletionKind { .list([CommandShape.mark + kind.rawValue]) }
}
