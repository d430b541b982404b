/// Why a file of a store can't be read: what is wrong and where. The store adds which file.
public struct BadFile: Error, Hashable, Sendable {
    public var reason: String
    /// Counted from 1; nil where no single place is to blame.
    public var position: Position?
    public var hint: String?

    public struct Position: Hashable, Sendable {
        public var line: Int
        /// In Unicode scalars, from 1.
        public var column: Int

        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    public init(_ reason: String, at position: Position? = nil, hint: String? = nil) {
        self.reason = reason
        self.position = position
        self.hint = hint
    }
}
