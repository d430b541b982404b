/// What a version keeps when git makes its commit again, as in a rebase or a cherry-pick: the trailer `Change-Id:` of Gerrit
/// (https://gerrit-review.googlesource.com/Documentation/user-changeid.html), an `I` and 40 hexadecimal digits.
package struct ChangeID: Hashable, Sendable {
    package let hash: ObjectID

    package init(_ hash: ObjectID) { self.hash = hash }

    package init?(_ word: some StringProtocol) {
        guard word.utf8.first == UInt8(ascii: "I"), let hash = ObjectID(hex: word.utf8.dropFirst()) else { return nil }
        self.hash = hash
    }

    package var text: String { "I\(hash.hex)" }

    static let token = "Change-Id"

    /// The columns at which its line counts: that of a trailer, and that of a message which git has squashed.
    private static let columns = [0, 4]

    /// How its line begins in a message, wherever it counts.
    package var lines: [[UInt8]] {
        Self.columns.map { Array("\(String(repeating: " ", count: $0))\(Self.token): \(text)".utf8) }
    }

    /// How the line of any begins.
    package static let anyLines = columns.map { Array("\(String(repeating: " ", count: $0))\(token): i".utf8) }

    /// The one that a line of a message names.
    package init?(line: Substring) {
        // Most lines are told by one byte.
        let text = line.utf8.drop { $0 == UInt8(ascii: " ") }
        guard text.first == UInt8(ascii: "C"), Self.columns.contains(line.utf8.count - text.count),
            text.starts(with: "\(Self.token): ".utf8)
        else { return nil }
        self.init(Substring(text.dropFirst(Self.token.utf8.count + 2)))
    }
}

/// How a version names another one in its trailers.
package enum VersionReference: Hashable, Sendable {
    case change(ChangeID)
    /// By the commit, where the other version has no Change-Id, or shares it with one that is nearer. Releases until 0.1.0
    /// name all versions so.
    case commit(VersionID)

    package init?(_ word: some StringProtocol) {
        if let change = ChangeID(word) {
            self = .change(change)
        } else if let id = VersionID(hex: Array(word.utf8)) {
            self = .commit(id)
        } else {
            return nil
        }
    }

    package var text: String {
        switch self {
        case .change(let change): change.text
        case .commit(let id): id.hex
        }
    }

    /// For display only.
    package var short: String { String(text.prefix(8)) }
}

/// The versions that one names in its trailers, as they are called in its own history.
package struct NamedVersions: Hashable, Sendable {
    package var reverts: [VersionID] = []
    package var undoes: [VersionID] = []
    package var redoes: [VersionID] = []
    package var restoredFrom: VersionID?
    package var confirms: [Unconfirmed] = []
    package var extends: [Unconfirmed] = []
    package var unconfirmed: [Unconfirmed] = []
    /// Those that its history doesn't have.
    package var unknown: [VersionReference] = []
    /// Those with which it has nothing in common, or that have another author.
    package var refused: [VersionReference] = []

    /// A version that had to be confirmed.
    package struct Unconfirmed: Hashable, Sendable {
        /// Nil where the history doesn't have it.
        package var id: VersionID?
        /// Its own deadline: a rebase gives the version another id, but not another deadline.
        package var deadline: Time?

        package init(_ id: VersionID?, deadline: Time?) {
            self.id = id
            self.deadline = deadline
        }
    }

    package init() {}

    /// Whether it takes back, or repeats, what other versions did for its author.
    package var isUndoing: Bool { !undoes.isEmpty || !redoes.isEmpty }
}
