package import SettingsModel

// Versions that have to be confirmed.

extension CommandLineHints {
    package static func words(_ fault: Confirmation.WaitFault, of word: String) -> String {
        switch fault {
        case .notATime: "invalid duration '\(word)': expected a number and a unit, such as 10m, 90s, 1h30m or '2 hours'"
        case .tooShort: "the duration '\(word)' is too short: expected at least \(Confirmation.shortest.words)"
        case .tooLong: "the duration '\(word)' is too long: expected at most \(Confirmation.longest.words)"
        }
    }

    static func explanation(of problem: ConfirmingProblem) -> Explanation {
        switch problem {
        case .nothingWaits(let others):
            let hint =
                others.first.map { "'settings confirm \($0.id.short)' confirms \($0.id.short), by \($0.author.name)" }
                ?? "a version recorded with --confirm 10m reverts itself after ten minutes unless it is confirmed"
            return Explanation(
                others.isEmpty
                    ? "nothing is waiting for confirmation"
                    : "none of your versions is waiting for confirmation in this repository",
                hint: hint)
        case .doesNotWait(let version, let state):
            switch state {
            case .confirmed(let id)?: return Explanation("\(version.id.short) was already confirmed, in \(id.short)")
            case .takenBack(let id)?:
                return Explanation(
                    "\(version.id.short) was already reverted, in \(id.short)",
                    hint: "'settings revert \(id.short)' reapplies its changes")
            case .givenUp(let id)?:
                return Explanation("\(version.id.short) expired, as recorded in \(id.short); nothing of it was left to revert")
            case .expired?:
                return Explanation(
                    "\(version.id.short) was not confirmed in time, but cannot be reverted yet",
                    hint: "'settings confirm --cancel \(version.id.short)' tries again and reports the reason")
            case .unanswered?:
                let id = version.id.short
                return Explanation(
                    "\(id) was not recorded in this clone, so it does not revert itself here",
                    hint: "'settings confirm \(id)' keeps it, and 'settings revert \(id)' reverts it")
            case .rewritten?:
                return Explanation(
                    "\(version.id.short) was rewritten, so it does not revert itself",
                    hint:
                        "'settings confirm \(version.id.short)' keeps it; 'settings history' lists the version that replaced it, "
                        + "and 'settings revert' reverts that one")
            case .waiting?, nil: return Explanation("\(version.id.short) is not waiting for confirmation")
            }
        case .waitsLonger(let confirmation):
            return Explanation(
                "\(confirmation.version.id.short) can already be confirmed until \(moment(confirmation.deadline))",
                hint: "--extend counts from now; give a longer time")
        }
    }

    static func explanation(ofConfirming notice: Notice) -> Explanation {
        switch notice {
        case .tookBack(let confirmation, let id, let left):
            return Explanation("\(expired(confirmation)): \(id.short) reverts it\(left.isEmpty ? "" : ", except \(names(left))")")
        case .nothingLeft(let confirmation):
            return Explanation("\(expired(confirmation)), but nothing of it is left to revert")
        case .cannotTakeBack(let confirmation, let problem):
            return Explanation(
                "\(expired(confirmation)), but cannot be reverted yet (\(reason(problem)))", hint: "the next command tries again")
        case .setsWaiting(let confirmation, let changes):
            let id = confirmation.version.id.short
            return Explanation(
                "\(id), which is waiting for confirmation, also set \(list(changes)): if it is reverted, the new "
                    + "\(keys(changes).count == 1 ? "value" : "values") will stay")
        case .bringsBack(let confirmation):
            return Explanation(inForceAgain(confirmation), hint: "this command had no --confirm")
        default: return Explanation("")
        }
    }

    /// What became of a version that had to be confirmed, and that something else has put in force again.
    static func inForceAgain(_ confirmation: Confirmation) -> String {
        "\(confirmation.version.id.short), which was to be confirmed by \(moment(confirmation.deadline)), is in force "
            + "again and does not revert itself"
    }

    private static func expired(_ confirmation: Confirmation) -> String {
        "\(confirmation.version.id.short) was not confirmed by \(moment(confirmation.deadline))"
    }

    /// What was not confirmed in time and is still in force, in one line; nil where nothing is.
    package static func stillInForce(
        _ expired: [(confirmation: Confirmation, changes: VersionChanges)], _ phrases: Phrases
    ) -> String? {
        guard let (first, made) = expired.first else { return nil }
        let place = made.changes.isEmpty ? "" : " (\(list(made.changes)))"
        let more = expired.count == 1 ? "" : ", and \(expired.count - 1) more"
        return
            "\(first.version.id.short)\(place) expired at \(moment(phrases.clock.time(first.deadline.seconds))), not yet reverted\(more): "
            + "'settings confirm --expire' reverts \(expired.count == 1 ? "it" : "them")"
    }

    /// What stays of a version that was reverted: "general.language, which has been changed since".
    package static func names(_ left: [Change]) -> String {
        "\(list(left)), which \(keys(left).count == 1 ? "has" : "have") been changed since"
    }

    private static func list(_ changes: [Change]) -> String {
        let keys = keys(changes)
        return keys.prefix(5).joined(separator: ", ") + (keys.count > 5 ? " and \(keys.count - 5) more" : "")
    }

    private static func keys(_ changes: [Change]) -> [String] {
        Set(changes.map { $0.subject.key.isRoot ? $0.subject.path : $0.subject.key.description }).sorted()
    }

    /// `2026-11-20 18:00`, with the seconds if there are any, as a clock shows it in the zone that the time carries.
    static func moment(_ time: Time) -> String {
        let text = time.rfc3339
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(time.seconds % 60 == 0 ? 5 : 8))"
    }
}
