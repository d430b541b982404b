/// What became of a Done.
package enum Outcome: Sendable {
    case recorded(Version, [Change], notes: [Notice])
    /// The branch was moved on to a version that is there already.
    case forwarded(Version, [Change], notes: [Notice])
    /// What a dry run would record.
    case planned(subject: String, [Change])
    /// All is so already.
    case unchanged
    /// Nothing to record: these files only were written in another form, and have their usual one again.
    case reformatted([Subject])

    /// The version that the branch moved to.
    package var id: VersionID? {
        switch self {
        case .recorded(let version, _, _), .forwarded(let version, _, _): version.id
        case .planned, .unchanged, .reformatted: nil
        }
    }

    package var changesNothing: Bool {
        switch self {
        case .planned, .unchanged: true
        case .recorded, .forwarded, .reformatted: false
        }
    }

    /// Whether there is a version that was not there, or not in force, before.
    package var isNews: Bool { id != nil }

    /// When it has to be taken back unless somebody confirms it; nil where it counts for good.
    package var deadline: Time? { if case .recorded(let version, _, _) = self { version.message.ownDeadline } else { nil } }

    package var isForwarded: Bool { if case .forwarded = self { true } else { false } }
}
