package import SettingsModel

// What a pull, a push or both did, in words.

extension Phrases {
    package static func isInStep(_ report: SyncReport) -> PrintedLine { .done("up to date with \(report.remote)") }

    package static func differentTags(_ report: SyncReport) -> [PrintedLine] {
        report.tags.different.map { .note("the tag \($0) names another version on \(report.remote); neither was moved") }
    }

    /// More versions than this are only counted.
    package static let versionsOfSync = 20

    package func sync(_ report: SyncReport) -> [StyledText] { moved(report) + questions(report) }

    private func moved(_ report: SyncReport) -> [StyledText] {
        var lines: [StyledText] = []
        if let dropped = report.dropped {
            let (isOne, what) = (dropped.count == 1, CommandLineHints.counted(dropped.count, "version"))
            lines.append(
                StyledText(
                    "\(what) that \(report.remote) no longer has \(isOne ? "was" : "were") dropped here, too; "
                        + "\(dropped.reference) keeps \(isOne ? "it" : "them") for 30 days"))
        }
        lines += moved(report.incoming, "fetched from \(report.remote)")
        lines += moved(report.otherIncoming, "fetched from \(report.remote)")
        lines += moved(report.outgoing, "sent to \(report.remote)")
        lines += moved(report.otherOutgoing, "sent to \(report.remote)")
        lines += resolved(report)
        if let waiting = waiting(report) { lines.append(StyledText(waiting)) }
        if !report.redrafted.isEmpty {
            let names = CommandLineHints.some(of: report.redrafted.map { $0.key.isRoot ? $0.path : $0.key.description })
            lines.append(StyledText("your unrecorded edits to \(names) were kept; 'settings status' shows them"))
        }
        if report.tags.hasMore {
            lines.append(
                StyledText("\(report.remote) has more new tags: the next 'settings sync' or 'settings pull' fetches them"))
        }
        for (names, what) in [(report.tags.incoming, "fetched"), (report.tags.outgoing, "sent")] where !names.isEmpty {
            lines.append(
                StyledText("\(names.count == 1 ? "tag" : "tags") \(CommandLineHints.some(of: names)) \(what)"))
        }
        return lines
    }

    private func resolved(_ report: SyncReport) -> [StyledText] {
        if report.resolved.isEmpty { return [] }
        let count = report.resolved.count
        let rows = report.resolved.map { one in
            [
                StyledText("  ") + resolution(of: one.conflict, inForce: one.inForce),
                StyledText(one.version.author.name, .person).adding(", \(time(one.version.time))", .faint),
            ]
        }
        return [StyledText("\(CommandLineHints.counted(count, "conflict")) \(count == 1 ? "was" : "were") resolved:")]
            + Phrases.table(rows)
    }

    private func waiting(_ report: SyncReport) -> String? {
        var parts: [String] = []
        if report.waiting > 0 { parts.append(CommandLineHints.counted(report.waiting, "version")) }
        if report.otherWaiting > 0 { parts.append(CommandLineHints.counted(report.otherWaiting, "other commit")) }
        if parts.isEmpty { return nil }
        let (what, isOne) = (parts.joined(separator: " and "), report.waiting + report.otherWaiting == 1)
        if report.isBundle { return "\(what) here \(isOne ? "is" : "are") not in \(report.remote)" }
        return "\(what) to send: 'settings push' sends \(isOne ? "it" : "them")"
    }

    /// How a remote stands to this branch, as far as that is known without asking it.
    package func state(ahead: Int?, behind: Int?, reached: Time?) -> String {
        let when = reached.map { time($0) }
        guard let behind else { return when.map { "reached \($0)" } ?? "not reached yet" }
        var parts: [String] = []
        if let ahead, ahead > 0 { parts.append("\(ahead) to send") }
        if behind > 0 { parts.append("\(behind) to merge") }
        let state = parts.isEmpty ? "up to date" : parts.joined(separator: ", ")
        return when.map { "\(state) (reached \($0))" } ?? state
    }

    /// What a repository's configuration says about a remote, in a few words; nil where it says nothing.
    package func trust(_ programs: [RemoteProgram]) -> StyledText? {
        let names = programs.filter { !$0.isTrusted }.map(name)
        if programs.isEmpty { return nil }
        if names.isEmpty { return StyledText("trusted", .faint) }
        return StyledText("not trusted: \(CommandLineHints.some(of: names))", .warning)
    }

    private func name(_ program: RemoteProgram) -> String {
        program.key.map { CommandLineHints.configurationKey($0).visible } ?? "hooks"
    }

    /// One of them in full.
    package func words(_ program: RemoteProgram) -> String {
        program.key == nil ? "the hooks of \(program.value.visible)" : "\(name(program)) = '\(program.value.visible)'"
    }

    /// What follows a hand edit that was there before a version changed the same.
    package func overtaken(_ change: Change, by version: Version) -> StyledText {
        let what =
            change.facet == .value
            ? StyledText("set ").adding(wording.words(change.before), .before) : StyledText("changed the \(change.facet.name)")
        return StyledText(", edited by hand before ").adding(version.author.name, .person).adding(" ")
            + what.adding(" (")
            .adding(version.id.short, .id).adding(")")
    }

    /// The conflicts that somebody has to resolve.
    package func questions(_ report: SyncReport) -> [StyledText] {
        if report.questions.isEmpty { return [] }
        let count = report.questions.count
        return [StyledText("\(CommandLineHints.counted(count, "conflict")) \(count == 1 ? "is" : "are") open:", .warning)]
            + report.questions.map { StyledText("  ") + conflict($0.conflict, inForce: $0.inForce) }
    }

    private func moved(_ versions: SyncReport.Versions, _ what: String) -> [StyledText] {
        guard versions.count > 0 else { return [] }
        var rows: [[StyledText]] = []
        for (version, changes) in versions.shown.suffix(Phrases.versionsOfSync) {
            let made = changed(by: version, changes)
            var sentence = made.first ?? StyledText(version.message.subject)
            // The subject of what plain git made is no change.
            let isPlain = version.message.via == nil
            let count = isPlain ? made.count - 1 : made.count
            if count > 1 { sentence = sentence.adding(", and \(count - 1) more", .faint) }
            let reason = isPlain && made.count > 1 ? version.message.subject : version.message.why
            let why = reason?.split(separator: "\n").first.map { "  " + wording.glyphs.quoted($0) } ?? ""
            rows.append([
                StyledText("  ").adding(version.id.short, .id), sentence,
                StyledText(version.author.name, .person).adding(", \(time(version.time))\(why)", .faint),
            ])
        }
        return table(rows, of: versions.count, "version", what)
    }

    /// More files of a commit than this are only counted.
    private static let filesOfCommit = 3

    private func moved(_ commits: SyncReport.OtherCommits, _ what: String) -> [StyledText] {
        guard commits.count > 0 else { return [] }
        let rows = commits.shown.suffix(Phrases.versionsOfSync).map { commit in
            let version = commit.version
            var files = commit.files.prefix(Phrases.filesOfCommit).map(\.visible).joined(separator: ", ")
            let rest = commit.fileCount - Phrases.filesOfCommit
            if rest > 0 { files += ", and \(rest) more" }
            return [
                StyledText("  ").adding(version.id.short, .id), StyledText(version.message.subject), StyledText(files, .faint),
                StyledText(version.author.name, .person).adding(", \(time(version.time))", .faint),
            ]
        }
        return table(rows, of: commits.count, "other commit", what)
    }

    private func table(_ rows: [[StyledText]], of count: Int, _ noun: String, _ what: String) -> [StyledText] {
        var lines = [StyledText("\(CommandLineHints.counted(count, noun)) \(what):")] + Phrases.table(rows)
        if count > rows.count {
            let isOne = count - rows.count == 1
            lines.append(StyledText("  and \(count - rows.count) earlier one\(isOne ? "" : "s")", .faint))
        }
        return lines
    }
}

extension Reports {
    /// A hand edit, and the version that has changed the same since.
    package func overtaken(_ change: Change, by version: Version) -> JSON {
        .object([
            "key": .string(change.subject.key.description), "facet": .string(change.facet.token), "version": reference(version),
        ])
    }

    package func program(_ program: RemoteProgram) -> JSON {
        .object([
            "key": program.key.map { .string($0) } ?? "hooks", "value": .string(program.value),
            "trusted": .bool(program.isTrusted),
        ])
    }

    package func sync(_ report: SyncReport) -> JSON { Reports.document(exchange(report)) }

    private func exchange(_ report: SyncReport) -> KeyValuePairs<ExactText, JSON?> {
        func versions(_ versions: SyncReport.Versions) -> JSON {
            .array(versions.shown.map { version($0.version, $0.changes) })
        }
        func others(_ commits: SyncReport.OtherCommits) -> JSON {
            .array(
                commits.shown.map { commit in
                    .object([
                        "version": reference(commit.version), "subject": .string(commit.version.message.subject),
                        "files": .array(commit.files.map { .string($0) }), "fileCount": .number(commit.fileCount),
                    ])
                })
        }
        func names(_ names: [String]) -> JSON { .array(names.map { .string($0) }) }
        let questions = report.questions.map { question in
            conflict(
                question.conflict,
                ["oursBy": reference(question.origin.ours), "theirsBy": reference(question.origin.theirs)])
        }
        return [
            "remote": .string(report.remote), "branch": .string(report.branch),
            "state": .string(report.questions.isEmpty ? "in step" : "question"),
            "in": versions(report.incoming), "inCount": .number(report.incoming.count),
            "otherIn": others(report.otherIncoming), "otherInCount": .number(report.otherIncoming.count),
            "out": versions(report.outgoing), "outCount": .number(report.outgoing.count),
            "otherOut": others(report.otherOutgoing), "otherOutCount": .number(report.otherOutgoing.count),
            "waiting": .number(report.waiting + report.otherWaiting), "conflicts": .array(questions),
            "dropped": report.dropped.map { dropped in
                .object(["count": .number(dropped.count), "reference": .string(dropped.reference)])
            },
            "resolved": .array(
                report.resolved.map { one in
                    .object([
                        "key": .string(one.conflict.subject.key.description), "facet": .string(one.conflict.facet.token),
                        "by": reference(one.version),
                    ])
                }),
            "tags": .object([
                "in": names(report.tags.incoming), "out": names(report.tags.outgoing), "different": names(report.tags.different),
            ]),
            "tries": .number(report.tries), "filesInStep": .bool(report.filesAreInStep),
        ]
    }

    /// What became of each of several remotes.
    package func sync(_ outcomes: [(remote: String, result: Result<SyncReport, Problem>)]) -> JSON {
        let rows = outcomes.map { remote, result in
            switch result {
            case .success(let report): return JSON.object(exchange(report))
            case .failure(let problem):
                let explanation = CommandLineHints.explanation(of: problem)
                return .object([
                    "remote": .string(remote), "state": .string(state(problem)), "reason": .string(explanation.reason),
                    "hint": explanation.hint.map { .string($0) }, "conflicts": .array(problem.conflicts.map { conflict($0) }),
                ])
            }
        }
        return Reports.document(["remotes": .array(rows)])
    }

    private func state(_ problem: Problem) -> String {
        switch problem {
        case .sync(.beaten): "beaten"
        case .sync(.unreachable): "offline"
        case let problem where problem.kind == .conflict: "question"
        case let problem where problem.kind == .missing: "missing"
        default: "refused"
        }
    }
}
