/// A version that was recorded on the condition that somebody confirms it, and what became of that.
package struct Confirmation: Hashable, Sendable {
    package var version: Version
    /// Until when it can be confirmed, extensions included.
    package var deadline: Time
    package var state: State

    package enum State: Hashable, Sendable {
        case waiting
        /// The deadline has passed, and nobody has taken the version back yet.
        case expired
        /// It was to be confirmed in another clone, or under another id, and nothing in this history says what became of that: it
        /// doesn't revert itself here.
        case unanswered
        /// It was recorded here and is in this history under another id, so it doesn't revert itself.
        case rewritten
        case confirmed(by: VersionID)
        case takenBack(by: VersionID)
        /// It was to be taken back when nothing was left of it.
        case givenUp(by: VersionID)
    }

    package init(_ version: Version, deadline: Time, _ state: State) {
        self.version = version
        self.deadline = deadline
        self.state = state
    }

    /// Whether it is still to be confirmed or reverted.
    package var isOpen: Bool { [.waiting, .expired, .unanswered, .rewritten].contains(state) }

    /// How long a version may wait.
    package static let shortest = TimeSpan(seconds: 1)
    package static let longest = TimeSpan(seconds: 30 * 86400)

    /// Why a version can't wait for so long.
    package enum WaitFault: Error, Hashable, Sendable {
        case notATime, tooShort, tooLong
    }

    /// How long a version is to wait, from a word such as `10m`.
    package static func wait(_ word: String) throws(WaitFault) -> TimeSpan {
        guard let span = TimeSpan(word) else { throw .notATime }
        if span.seconds < shortest.seconds { throw .tooShort }
        if span.seconds > longest.seconds { throw .tooLong }
        return span
    }
}

extension VersionMessage {
    /// A version that had to be confirmed, in the trailers of one that confirms, extends or takes back.
    package struct Unconfirmed: Hashable, Sendable {
        package var version: VersionReference
        /// Its own deadline: a rebase gives the version another id, but not another deadline.
        package var deadline: Time?

        package init(_ version: VersionReference, deadline: Time?) {
            self.version = version
            self.deadline = deadline
        }

        init?(_ value: String) {
            let words = value.split(separator: " ", maxSplits: 1).map(String.init)
            guard let version = words.first.flatMap({ VersionReference($0) }) else { return nil }
            self.init(version, deadline: words.count > 1 ? Time(rfc3339: words[1]) : nil)
        }

        var text: String { [version.text, deadline?.rfc3339].compactMap { $0 }.joined(separator: " ") }
    }

    /// Whether it says something about a version that had to be confirmed.
    package var settlesConfirmation: Bool { !confirms.isEmpty || !extends.isEmpty || !unconfirmed.isEmpty }

    /// The deadline of the version itself, if it has to be confirmed. An extension carries that of another version.
    package var ownDeadline: Time? { extends.isEmpty ? confirmBy : nil }
}
