package import Files

/// What a repository's configuration says of it, looked up when the first file is made.
final class KnownSharedMode {
    var mode: SharedMode?
}

extension Repository {
    package var sharedMode: SharedMode {
        if let mode = knownSharedMode.mode { return mode }
        let mode = SharedMode((try? configured("core.sharedRepository")) ?? nil)
        knownSharedMode.mode = mode
        return mode
    }
}
