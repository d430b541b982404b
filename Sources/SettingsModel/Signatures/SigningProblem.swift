/// Why a version or a tag could not be signed, so that nothing was recorded.
package enum SigningProblem: Error, Hashable, Sendable {
    /// `gpg.format` asks for a format that isn't written.
    case format(String)
    /// Whether to sign is set to what is neither true nor false.
    case isNoBoolean(String, String)
    case hasNoKey
    /// The repository's own configuration names a file as the key.
    case keyOfRepositoryIsFile(String)
    /// The name of a program leads to different programs in different folders.
    case programIsRelative(String, key: String)
    case programIsMissing(String, key: String)
    /// What the program printed, in short.
    case failed(key: String, program: String, reason: String)

    package var kind: Problem.Kind {
        if case .programIsMissing = self { .unavailable } else { .policy }
    }
}
