package import SettingsModel

extension Phrases {
    /// Until when a version can be confirmed, or what became of it.
    package func state(of confirmation: Confirmation) -> StyledText {
        let by = deadline(confirmation.deadline)
        return switch confirmation.state {
        case .waiting: StyledText("to be confirmed by \(by)", .warning)
        case .expired: StyledText("not confirmed by \(by): expired, not yet reverted", .warning)
        case .unanswered where confirmation.deadline.seconds > clock.now:
            StyledText("to be confirmed by \(by)", .warning)
        case .unanswered: StyledText("was to be confirmed by \(by); this history contains no confirmation", .warning)
        case .rewritten:
            StyledText(
                (confirmation.deadline.seconds > clock.now ? "to" : "was to")
                    + " be confirmed by \(by); it was rewritten and does not revert itself", .warning)
        case .confirmed(let id): StyledText("confirmed in ", .faint).adding(id.short, .id)
        case .takenBack(let id): StyledText("reverted in ", .faint).adding(id.short, .id)
        case .givenUp(let id): StyledText("expired in ", .faint).adding(id.short, .id)
        }
    }

    /// A version that has to be confirmed with its changes, as 'status' and 'confirm --list' show it.
    package func waiting(_ confirmation: Confirmation, _ changes: VersionChanges) -> [StyledText] {
        let indent = StyledText("    ")
        let lines = [headline(confirmation.version)] + sentences(changes.changes).map { indent + $0 }
        let isAsked = [.unanswered, .rewritten].contains(confirmation.state)
        let keep = isAsked ? ": 'settings confirm \(confirmation.version.id.short)' keeps it" : ""
        return lines + [indent + state(of: confirmation) + StyledText(keep)]
    }

    /// The versions that have to be confirmed, as 'confirm --list' shows them.
    package func waiting(_ open: [(confirmation: Confirmation, changes: VersionChanges)]) -> [PrintedLine] {
        if open.isEmpty { return [.note("nothing is waiting for confirmation")] }
        let versions = open.map { waiting($0.confirmation, $0.changes) }
        return versions.joined(separator: [StyledText()]).map { .answer($0) }
    }

    /// What is beside the version that confirms others, extends them until `deadline` or gives them up. `longer`: those that can
    /// be confirmed for longer already; `left`: what stays of those that were given up.
    package func settled(
        _ settled: [Confirmation], isGivenUp: Bool, until deadline: Time?, longer: [Confirmation], left: [Change]
    ) -> [PrintedLine] {
        var lines: [PrintedLine] = []
        if settled.count > 1, !isGivenUp {
            lines += settled.map { .done(StyledText("         ") + PrintedLine.line($0.version)) }
        }
        if let deadline { lines.append(.note("to be confirmed by \(self.deadline(deadline))")) }
        lines += longer.map { confirmation in
            .note(
                "\(confirmation.version.id.short) was not extended: it can already be confirmed until "
                    + self.deadline(confirmation.deadline))
        }
        return left.isEmpty ? lines : lines + [.note("left unchanged: \(CommandLineHints.names(left))")]
    }

    /// What 'confirm --expire' recorded. `isAll`: whether nothing stood in its way.
    package static func reverted(_ versions: [Version], isAll: Bool) -> [PrintedLine] {
        versions.isEmpty && isAll ? [.done("nothing to do: nothing has expired")] : versions.map { .done($0) }
    }

    func confirmationFacts(_ version: Version) -> [String] {
        let named = version.named
        var facts: [String] = []
        func add(_ what: String, _ versions: [NamedVersions.Unconfirmed], _ rest: String = "") {
            let ids = versions.compactMap(\.id?.short).joined(separator: ", ")
            if !ids.isEmpty { facts.append("\(what) \(ids)\(rest)") }
        }
        add("confirms", named.confirms)
        add("extends", named.extends, version.message.confirmBy.map { " until \(deadline($0))" } ?? "")
        if version.message.reverts.isEmpty { add("does not revert", named.unconfirmed) }
        if let unknown = Phrases.unknown(by: named) { facts.append("names \(unknown)") }
        return facts
    }
}
