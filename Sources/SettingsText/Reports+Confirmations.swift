package import SettingsModel

extension Reports {
    /// What became of a version that had to be confirmed. `state` is `waiting`, `expired`, `unanswered`, `confirmed`,
    /// `takenBack` or `givenUp`.
    package func state(of confirmation: Confirmation) -> JSON {
        var (state, id): (String, VersionID?) = ("waiting", nil)
        switch confirmation.state {
        case .waiting: break
        case .expired: state = "expired"
        case .unanswered, .rewritten: state = "unanswered"
        case .confirmed(let version): (state, id) = ("confirmed", version)
        case .takenBack(let version): (state, id) = ("takenBack", version)
        case .givenUp(let version): (state, id) = ("givenUp", version)
        }
        var members: [JSON.Member] = [
            JSON.Member("state", .string(state)), JSON.Member("deadline", .string(confirmation.deadline.rfc3339)),
        ]
        if let id { members.append(JSON.Member("by", .string(id.hex))) }
        return .object(members)
    }

    /// The versions that are to be confirmed, as 'confirm --list' prints them.
    package func document(_ open: [(confirmation: Confirmation, changes: VersionChanges)]) -> JSON {
        Reports.document(["confirmations": confirmations(open)])
    }

    /// The versions that are to be confirmed.
    package func confirmations(_ open: [(confirmation: Confirmation, changes: VersionChanges)]) -> JSON {
        .array(open.map { version($0.confirmation.version, $0.changes, confirmation: $0.confirmation) })
    }

    /// What 'confirm --expire' recorded.
    package func reverted(_ versions: [(version: Version, changes: [Change])], filesAreInStep: Bool) -> JSON {
        let rows = versions.map { version($0.version, VersionChanges(changes: $0.changes)) }
        return Reports.document(["versions": .array(rows), "filesInStep": .bool(filesAreInStep)])
    }
}
