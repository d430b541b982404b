/// What is wrong with a file or folder. Paths are as a person knows them: of a store's files from its folder on.
package enum FileProblem: Hashable, Sendable {
    case unreadable(BadFile, path: String, in: VersionID? = nil)
    /// The system refused.
    case failed(SystemFailure)
    /// As `failed`, where something else stands than a file.
    case inTheWay(SystemFailure)
    /// A folder or a file that may not be written.
    case notWritable(SystemFailure)
    case isStray(Stray)
    case isLink(String)
    case isNotRegular(String)
    case isNotRegularIn(String, VersionID?)
    /// Larger than an option's file may be.
    case isTooLarge(String)
    /// As `isTooLarge`, in a version that was to be moved on to.
    case bringsTooLarge(String)
    case isTooLargeToKeep(String)
    /// A file stands where a folder is needed.
    case isInPlaceOfFolder(String)
    /// Nobody knows what git ignores.
    case unknownIgnores(file: String, reason: String)
    /// What git hands to its merge driver.
    case noMergeInput(String)
    case isNoStore(String)
    case storeInStore(String, around: String)
    /// Nothing is written through it.
    case ownFolderIsLink(String)
    /// A pipe or the like: git would wait for it for ever.
    case isWaitedFor(String)

    package var kind: Problem.Kind {
        switch self {
        case .unreadable, .isStray, .isLink, .isNotRegular, .isNotRegularIn, .isTooLarge, .bringsTooLarge, .isTooLargeToKeep,
            .isWaitedFor:
            .badData
        case .failed, .notWritable, .unknownIgnores, .ownFolderIsLink: .cannotWrite
        case .inTheWay, .isInPlaceOfFolder: .conflict
        case .noMergeInput, .isNoStore: .missing
        case .storeInStore: .usage
        }
    }
}
