import Files
import Git
import SettingsModel

extension Problem {
    /// What git failed with. Names that a person wrote are looked up elsewhere.
    init(_ error: GitError) {
        let reason = error.description
        self =
            switch error.kind {
            case .locked, .modified: .repository(.isInUse(reason: error.message))
            case .notFound where error.isMissingObject: .repository(.objectIsMissing(reason: reason))
            case .tooLarge: .repository(.objectIsTooLarge(reason: reason))
            case .promised: .repository(.objectIsPromised(reason: reason))
            case .notFound, .ambiguous: .repository(.notFound(reason: reason))
            case .lost(let branch, let last): .repository(.branchIsLost(branch: branch, last: last))
            case .unknownIndex(extension: let name): .repository(.unknownIndex(extension: name))
            case .corrupt: .repository(.isCorrupt(reason: reason))
            case .damagedIndex(let path): .repository(.indexIsDamaged(path: path, reason: error.message))
            case .configuration: .repository(.unreadableConfiguration(reason: error.message))
            case .damagedHead: .repository(.headIsDamaged(reason: reason))
            case .repacked: .repository(.isBeingRepacked(reason: reason))
            case .exhausted: .repository(.isOutOfResources(reason: reason))
            case .denied: .repository(.isDenied(reason: reason))
            case .noSpace: .repository(.isFull(reason: reason))
            default: .repository(.failed(reason: reason))
            }
    }
}

/// Calls the system, whose failures are problems here.
func onDisk<Result: ~Copyable>(_ call: @autoclosure () throws(SystemFailure) -> Result) throws(Problem) -> Result {
    do { return try call() } catch { throw .file(.failed(error)) }
}

/// As `onDisk`, for what has to be written before anything else can be: the hint says why it may not be.
func forWriting<Result: ~Copyable>(_ call: @autoclosure () throws(SystemFailure) -> Result) throws(Problem) -> Result {
    do { return try call() } catch { throw .file(.notWritable(error)) }
}

/// Asks git, whose errors are problems here.
func git<Result: ~Copyable>(_ call: @autoclosure () throws(GitError) -> Result) throws(Problem) -> Result {
    do { return try call() } catch { throw Problem(error) }
}
