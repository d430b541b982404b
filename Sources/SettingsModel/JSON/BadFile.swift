/// Why a file of a store can't be read: the error and its position. The store adds the path.
public struct BadFile: Error, Hashable, Sendable {
    public var reason: String
    /// Counted from 1; nil if the error has no single position.
    public var position: Position?
    public var hint: String?
    /// A cause for which an interface has a specific hint.
    public var cause: Cause?
    /// The part of an option that does not fit the rest of it; nil if the file cannot be understood at all.
    public var misfit: Misfit?

    public enum Misfit: Hashable, Sendable {
        case value, `default`, range
        /// A value that may not be set.
        case readOnlyValue
    }

    public enum Cause: Hashable, Sendable {
        case isEmpty, hasConflictMarkers
        /// Another program's: a file without a title and a type of an option is not part of the store, unless it was one before.
        case isNoOption
    }

    public struct Position: Hashable, Sendable {
        public var line: Int
        /// In Unicode scalars, from 1.
        public var column: Int

        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }

        /// The position of the byte at `offset` in a file; a byte order mark doesn't count as a column.
        public init(of offset: Int, in bytes: some RandomAccessCollection<UInt8>) {
            let before = bytes.prefix(offset)
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { before.index(after: $0) } ?? before.startIndex
            line = before.count { $0 == UInt8(ascii: "\n") } + 1
            column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
            if line == 1, before.starts(with: [0xEF, 0xBB, 0xBF]) { column -= 1 }
        }
    }

    public init(
        _ reason: String, at position: Position? = nil, hint: String? = nil, cause: Cause? = nil, misfit: Misfit? = nil
    ) {
        self.reason = reason
        self.position = position
        self.hint = hint
        self.cause = cause
        self.misfit = misfit
    }
}
