/// A call of the system that failed.
package struct SystemFailure: Error, Hashable, Sendable {
    /// The call's `errno`.
    package var code: Int32
    /// A verb that follows "cannot".
    package var operation: String
    package var path: String
    /// The system's words for `code`.
    package var reason: String
    package var cause: Cause

    /// What `code` stands for on this system, as far as that matters to anybody.
    package enum Cause: Hashable, Sendable {
        case missing, isThereAlready, isLink, isFolder, closedPipe, full, readOnly, forbidden, exhausted, other
        /// A socket, or a pipe that nobody reads.
        case noFile
    }

    package init(code: Int32, operation: String, path: String, reason: String, cause: Cause) {
        self.code = code
        self.operation = operation
        self.path = path
        self.reason = reason
        self.cause = cause
    }
}

extension SystemFailure {
    /// The operation that makes a folder for a short time where the user keeps such folders.
    package static let makingTemporary = "make a temporary folder in"

    package var isMissing: Bool { cause == .missing }
    /// No file that could be opened has that name.
    package var isNoFile: Bool { [.missing, .isLink, .noFile].contains(cause) }
    package var isThereAlready: Bool { cause == .isThereAlready }
    package var isLink: Bool { cause == .isLink }
    /// Something that is no regular file stands where one is read or written.
    package var isFolder: Bool { cause == .isFolder }
    /// Nobody reads what is written.
    package var isClosedPipe: Bool { cause == .closedPipe }
    /// The disk, or what the user may use of it.
    package var isFull: Bool { cause == .full }
    package var isReadOnly: Bool { cause == .readOnly }
    package var isForbidden: Bool { cause == .forbidden }
    /// Too many descriptors or processes, or too little memory: later it may work.
    package var isExhausted: Bool { cause == .exhausted }
    /// By permissions, or by a file system that is read-only.
    package var isDenied: Bool { isForbidden || isReadOnly }
}
