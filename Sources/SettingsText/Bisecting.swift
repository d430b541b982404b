package import SettingsModel

// What 'bisect' says: its progress, its answer, and what goes wrong with its command.

/// The changes that make a command fail, as 'bisect' found them.
package struct BisectAnswer: Sendable {
    package var good: VersionID
    package var bad: VersionID
    /// How many changes there are in between, and how often the command ran.
    package var changes: Int
    package var runs: Int
    package var certain: [TracedChange]
    /// The command could not be tried without these.
    package var suspected: [TracedChange]
    /// Whether the command fails without these changes, too.
    package var hasMore = false
    /// Whether the store's policy wants a reason.
    package var needsReason = false

    package init(
        good: VersionID, bad: VersionID, changes: Int, runs: Int, certain: [TracedChange], suspected: [TracedChange]
    ) {
        self.good = good
        self.bad = bad
        self.changes = changes
        self.runs = runs
        self.certain = certain
        self.suspected = suspected
    }

    /// The command lines that take the changes back in the present.
    package var commands: [String] {
        var whole: [String] = []
        var lines: [String] = []
        var removed: [String] = []
        var restored: [VersionID: [String]] = [:]
        var exact: [VersionID: [String]] = [:]
        var order: [VersionID] = []
        let culprits = certain + suspected
        func isTakenBack(_ change: Change) -> Bool { culprits.contains { TracedChange.isSame($0.change, change) } }
        var seen: Set<VersionID> = []
        for culprit in culprits {
            // It may have been changed since, so that reverting the addition alone would conflict.
            if culprit.change.facet == .existence, culprit.change.after != nil, case .option(let key) = culprit.change.subject {
                removed.append(key.description)
                continue
            }
            let same = culprits.filter { $0.origin?.version.id == culprit.origin?.version.id }
            if let origin = culprit.origin, !origin.version.isMerge, same.allSatisfy(\.isOfOneVersion) {
                let id = origin.version.id
                let keys = Set(same.map(\.change.subject.key)).sorted { "\($0)" < "\($1)" }
                let made = origin.changes.filter { change in keys.contains { change.subject.key.isWithin($0) } }
                if origin.changes.allSatisfy(isTakenBack) {
                    if seen.insert(id).inserted { whole.append(id.short) }
                    continue
                }
                // A definition goes back as a whole, as with the two ends of a range.
                let isDefinition = same.allSatisfy { ![.value, .existence, .key].contains($0.change.facet) }
                if isDefinition || made.allSatisfy(isTakenBack), !keys.contains(where: \.isRoot) {
                    let names = keys.map(\.description).joined(separator: " ")
                    if seen.insert(id).inserted { lines.append("settings revert \(id.short) --only \(names)") }
                    continue
                }
            }
            if let (old, new) = culprit.change.renaming {
                lines.append("settings rename \(new.key) \(old.key)")
                continue
            }
            // Nothing takes back one facet of a group.
            guard case .option(let key) = culprit.change.subject else { continue }
            if !order.contains(culprit.since) { order.append(culprit.since) }
            if culprit.change.facet == .value || culprit.change.facet == .existence {
                restored[culprit.since, default: []].append(key.description)
            } else {
                exact[culprit.since, default: []].append(key.description)
            }
        }
        if !whole.isEmpty { lines.insert("settings revert \(whole.joined(separator: " "))", at: 0) }
        if !removed.isEmpty { lines.append("settings remove \(removed.sorted().joined(separator: " "))") }
        for id in order {
            let all = Set(exact[id] ?? []).sorted()
            let values = Set(restored[id] ?? []).subtracting(all).sorted()
            if !values.isEmpty { lines.append("settings restore \(values.joined(separator: " ")) --from \(id.short)") }
            if !all.isEmpty { lines.append("settings restore \(all.joined(separator: " ")) --exact --from \(id.short)") }
        }
        return lines
    }
}

extension Phrases {
    package static let triesNoEdits = PrintedLine.note("unrecorded edits are not tried; 'settings status' lists them")

    /// `trying 500 of 1,000 changes, about 9 runs left`.
    package static func trying(_ purpose: Bisection.Purpose, _ count: Int, of all: Int, runsLeft: Int) -> String {
        let what =
            switch purpose {
            case .good: "the good state"
            case .bad: "the bad state"
            case .narrowing, .leavingOut: "\(grouped(count)) of \(changes(all))"
            }
        let left = runsLeft == 0 ? "" : ", about \(runsLeft) run\(runsLeft == 1 ? "" : "s") left"
        return "trying \(what)\(left)"
    }

    /// The answer of 'bisect': the changes with who made them and why, and how to take them back.
    package func answer(_ answer: BisectAnswer) -> [StyledText] {
        var lines: [StyledText] = []
        let all = "of \(Self.changes(answer.changes))"
        let (certain, suspected) = (answer.certain.count, answer.suspected.count)
        if certain > 0 {
            let what = certain == 1 ? "makes the command fail" : "make the command fail together"
            lines.append(
                StyledText("\(Self.grouped(certain)) \(all) \(what)\(suspected == 0 ? "" : ", perhaps with others"):", .heading))
            lines += answer.certain.flatMap(culprit)
        }
        if suspected > 0 {
            let what =
                if certain == 0 {
                    "some of these \(Self.grouped(suspected)) \(all) make the command fail, but the command could not tell which:"
                } else if suspected == 1 {
                    "this change may be needed, too; the command could not tell without it:"
                } else {
                    "these changes may be needed, too; the command could not tell without them:"
                }
            lines.append(StyledText(what, .heading))
            lines += answer.suspected.flatMap(culprit)
        }
        let commands = answer.commands
        if !commands.isEmpty {
            lines.append(StyledText(certain + suspected == 1 ? "revert it with:" : "revert them with:", .heading))
            lines += commands.map { StyledText("    \($0)\(answer.needsReason ? " -m REASON" : "")") }
        }
        if answer.hasMore {
            lines.append(
                StyledText(
                    "the command fails without \(certain == 1 ? "it" : "them"), too: run 'settings bisect' again after that"))
        }
        return lines
    }

    private func culprit(_ traced: TracedChange) -> [StyledText] {
        let origin = traced.origin.map { self.origin($0.version) } ?? StyledText("not made by one version", .faint)
        return sentences([traced.change]).map { StyledText("    ") + $0 } + [StyledText("        ") + origin]
    }

    private static func changes(_ count: Int) -> String { "\(grouped(count)) change\(count == 1 ? "" : "s")" }

    /// A count with a comma between thousands.
    static func grouped(_ count: Int) -> String {
        count < 1000 ? "\(count)" : grouped(count / 1000) + "," + String("\(1000 + count % 1000)".dropFirst())
    }
}

extension Reports {
    /// The answer of 'bisect'.
    package func answer(_ answer: BisectAnswer) -> JSON {
        func rows(_ culprits: [TracedChange], isCertain: Bool) -> [JSON] {
            culprits.flatMap { traced in
                traced.change.lines.map { line in
                    change(line, ["version": reference(traced.origin?.version), "certain": .bool(isCertain)])
                }
            }
        }
        return Reports.document([
            "good": .string(answer.good.hex), "bad": .string(answer.bad.hex), "changes": .number(answer.changes),
            "runs": .number(answer.runs), "complete": .bool(answer.suspected.isEmpty), "hasMore": .bool(answer.hasMore),
            "culprits": .array(rows(answer.certain, isCertain: true) + rows(answer.suspected, isCertain: false)),
            "takeBack": .array(answer.commands.map { .string($0) }),
        ])
    }
}

extension CommandLineHints {
    /// How the command of 'bisect' ended, where the search can't go on from there.
    package enum CommandEnding: Hashable, Sendable {
        case exited(Int32)
        case killed(signal: Int32)
        case notStarted(SystemFailure)
    }

    package static func explanation(of ending: CommandEnding, _ command: String) -> Explanation {
        let hint = "the command runs in a copy of the store's files, so name other files by their full paths"
        switch ending {
        case .exited(let status):
            return Explanation(
                "'\(command)' exited with \(status): \(status == 126 ? "a program could not be run" : "a program was not found")",
                hint: hint)
        case .killed(let signal):
            return Explanation(
                "'\(command)' was killed by signal \(signal)", hint: "to count that as a failure, let a script exit with 1 then")
        case .notStarted(let failure): return Explanation("cannot run '\(command)': \(failure.reason)", hint: hint)
        }
    }

    /// The command doesn't say of an end what it is expected to. `status`: its exit status.
    package static func unexpected(
        _ end: Bisection.Purpose, _ verdict: Bisection.Verdict, _ version: VersionID, status: Int32, keys: [String],
        hasDraft: Bool
    ) -> Explanation {
        let name = "\(end == .good ? "good" : "bad") version, \(version.short)"
        let others = keys.joined(separator: ", ")
        if verdict == .unknown {
            return Explanation("the command cannot tell (exit status 125) at the \(name)", hint: "choose another version")
        }
        switch end {
        case .good where !keys.isEmpty:
            return Explanation(
                "the command still fails (exit status \(status)) with \(others) as in the \(name)",
                hint: "other changes also make it fail; leave out the keys to search all of them")
        case .good:
            return Explanation(
                "the command fails (exit status \(status)) at the \(name)",
                hint: "choose an earlier version; the command runs in a copy of the store's files, "
                    + "so name other files by their full paths")
        case .bad, .narrowing, .leavingOut:
            return Explanation(
                "the command succeeds at the \(name)",
                hint: hasDraft
                    ? "unrecorded edits are not tried; 'settings done' records them" : "choose another version with --bad")
        }
    }
}
