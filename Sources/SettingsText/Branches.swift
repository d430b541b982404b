package import SettingsModel

// What 'branch' and 'switch' print.

extension Phrases {
    /// One line a branch; `*` marks the one that is checked out.
    package func branches(
        _ branches: [(name: String, version: Version, isCurrent: Bool)], detachedAt id: VersionID?
    ) -> [PrintedLine] {
        var lines: [PrintedLine] = []
        if let id { lines.append(.note("HEAD is detached at \(id.short): new versions will be on no branch")) }
        if branches.isEmpty { return lines + [.note("there are no branches yet")] }
        let rows = branches.map { branch in
            [
                StyledText(branch.isCurrent ? "* " : "  ").adding(branch.name, branch.isCurrent ? .after : .name),
                headline(branch.version).adding("  \(branch.version.message.subject)"),
            ]
        }
        return lines + Phrases.table(rows).map { .answer($0) }
    }

    package enum BranchChange: String, Sendable {
        case created, deleted
    }

    package static func branch(_ name: String, _ change: BranchChange, _ version: Version, isPlanned: Bool) -> [PrintedLine] {
        let id = version.id.short
        let done: PrintedLine =
            switch change {
            case .created: .done(version, "\(isPlanned ? "would be" : "is") the start of the branch \(name)")
            case .deleted: .done("\(isPlanned ? "would delete" : "deleted") branch \(name) (was \(id))")
            }
        var lines = [done]
        if !isPlanned {
            lines.append(
                .hint(
                    change == .created
                        ? "'settings switch \(name.shellWord)' checks it out"
                        : "'settings branch \(name.shellWord) \(id)' creates it again"))
        }
        return lines
    }

    /// What checking out a branch changed. `left`: the versions that are on no branch now.
    package func switched(to name: String, _ outcome: Outcome, leaving left: VersionID?) -> [PrintedLine] {
        let changes: [Change]
        let notes: [Notice]
        switch outcome {
        case .unchanged, .reformatted, .recorded: return [.done("nothing to do: '\(name)' is checked out")]
        case .planned(_, let planned): (changes, notes) = (planned, [])
        case .forwarded(_, let made, let told): (changes, notes) = (made, told)
        }
        let isPlanned = if case .planned = outcome { true } else { false }
        let told = sentences(changes)
        let rest = told.count - Phrases.changesOfSwitch
        var lines: [PrintedLine] = [.done("\(isPlanned ? "would switch" : "switched") to '\(name)'")]
        lines += told.prefix(rest > 1 ? Phrases.changesOfSwitch : told.count).map { .done(StyledText("    ") + $0) }
        if rest > 1 { lines.append(.done("    and \(rest) more changes")) }
        lines += notes.map { .warning(CommandLineHints.words($0)) }
        if let left, !isPlanned {
            lines.append(.note("the version \(left.short) is on no branch: 'settings branch NAME \(left.short)' keeps it on one"))
        }
        return lines
    }

    /// No more changes are listed one by one.
    private static let changesOfSwitch = 10
}

extension Reports {
    package func branches(_ branches: [(name: String, version: Version, isCurrent: Bool)]) -> JSON {
        let rows = branches.map { branch in
            JSON.object([
                "name": .string(branch.name), "current": .bool(branch.isCurrent), "version": reference(branch.version),
            ])
        }
        return Reports.document(["branches": .array(rows)])
    }

    package func branch(_ name: String, _ change: Phrases.BranchChange, _ version: Version, isPlanned: Bool) -> JSON {
        Reports.document([
            "branch": .string(name), "status": .string(isPlanned ? "planned" : change.rawValue), "version": reference(version),
        ])
    }

    package func switched(to name: String, _ outcome: Outcome) -> JSON {
        var status = "unchanged"
        var (version, changes) = (Version?.none, [Change]())
        switch outcome {
        case .unchanged, .reformatted, .recorded: break
        case .planned(_, let planned): (status, changes) = ("planned", planned)
        case .forwarded(let new, let made, _): (status, version, changes) = ("switched", new, made)
        }
        return Reports.document([
            "branch": .string(name), "status": .string(status), "version": reference(version), "changes": self.changes(changes),
        ])
    }
}
