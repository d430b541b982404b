/// What is wrong with a file or folder. Paths are as users know them: those of a store's files are relative to its folder.
package enum FileProblem: Hashable, Sendable {
    case unreadable(BadFile, path: String, in: VersionID? = nil)
    /// A system call failed.
    case failed(SystemFailure)
    /// As `failed`, because something other than a file is in its place.
    case inTheWay(SystemFailure)
    /// A folder or a file that is not writable.
    case notWritable(SystemFailure)
    case isStray(Stray)
    case cannotDiscard(Stray)
    /// To be put back as the last version has it, which is a symbolic link or the like.
    case cannotRestore(String)
    /// Another program's file stands where one of the store is to be written.
    case isOfOtherProgram(String)
    case isLink(String)
    case isNotRegular(String)
    case isNotRegularIn(String, VersionID?)
    /// The file exceeds the size limit for an option.
    case isTooLarge(String)
    /// As `isTooLarge`, in the version of a fast-forward.
    case bringsTooLarge(String)
    case isTooLargeToKeep(String)
    /// A file stands where a folder is needed.
    case isInPlaceOfFolder(String)
    /// It isn't known which files git ignores.
    case unknownIgnores(file: String, reason: String)
    /// A file that git should have passed to its merge driver is missing.
    case noMergeInput(String)
    case isNoStore(String)
    /// The last version has the store's `_store.json`, at `file` in the repository.
    case storeFileIsMissing(store: String, root: String, file: String, StoreFile)
    case storeInStore(String, around: String)
    /// The store's own folder is a link or a file, so nothing is written there.
    case ownFolderIsLink(String)
    /// A pipe or the like: git would wait for it forever.
    case isWaitedFor(String)
    /// Something else stands where a copy of the settings was made.
    case isInPlaceOfCopy(String)

    /// Where the `_store.json` that is missing from the files is.
    package enum StoreFile: Hashable, Sendable {
        case inIndex, inLastVersion
        /// A sparse checkout leaves it out; `byFolder`: it knows folders only.
        case leftOut(byFolder: Bool)
    }

    package var kind: Problem.Kind {
        switch self {
        case .unreadable, .isStray, .cannotDiscard, .cannotRestore, .isLink, .isNotRegular, .isNotRegularIn, .isTooLarge,
            .bringsTooLarge,
            .isTooLargeToKeep, .isWaitedFor:
            .badData
        case .failed(let failure) where failure.isExhausted, .notWritable(let failure) where failure.isExhausted: .busy
        case .failed, .notWritable, .unknownIgnores, .ownFolderIsLink, .isInPlaceOfCopy: .cannotWrite
        case .inTheWay, .isInPlaceOfFolder, .isOfOtherProgram: .conflict
        case .noMergeInput, .isNoStore, .storeFileIsMissing: .missing
        case .storeInStore: .usage
        }
    }
}
