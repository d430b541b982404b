package import SettingsModel

// What 'watch' prints: a line or a JSON object for each event.

extension Phrases {
    package static func watching(_ branch: String?, since version: VersionID?) -> PrintedLine {
        .note("watching \(branch ?? "the detached HEAD")\(version.map { " since \($0.short)" } ?? ""); press Ctrl-C to stop")
    }

    /// An event in one line, as `line` has a version, with the reason: `3f2a91c  10:42:07  Ada Lovelace  Language
    /// (general.language): English → French, and 2 more  “The Paris office opens.”`. `now` is the time of what has none.
    package func event(_ event: StoreEvent, at now: Time) -> StyledText {
        switch event {
        case .recorded(let version, let changes):
            var made = changed(by: version, changes)
            let message = version.message
            // A commit that plain git made is described by its own subject, which comes last.
            let subject = message.via == nil && !message.subject.isEmpty ? made.popLast()?.spans.first?.text : nil
            let author = version.author.name.isEmpty ? "(nobody)" : version.author.name
            let line = head(version.id, version.time).adding("  ").adding(author, .person) + summary(made)
            guard let reason = message.why?.split(separator: "\n").first.map(String.init) ?? subject else { return line }
            return line.adding("  \(wording.glyphs.quoted(reason))")
        case .rewritten(let rewriting):
            let line = head(rewriting.to, now).adding("  HEAD moved here from ").adding(rewriting.from.short, .id)
                .adding(rewriting.changes == nil ? ", which no longer exists" : "").adding(" (\(rewriting.branch ?? "detached"))")
            guard let changes = rewriting.changes else { return line }
            let made = sentences(changes.changes) + changes.unreadable.map { unreadable($0, in: rewriting.to) }
            return made.isEmpty ? line.adding("  no changes", .faint) : line + summary(made)
        }
    }

    /// An option as a version has it, in one line.
    package func state(of key: Key, _ option: SettingsOption, in version: VersionID, at now: Time) -> StyledText {
        let value = option.effectiveValue.map { wording.words($0, of: option) } ?? "not set"
        return head(version, now).adding("  ").adding(Phrases.name(option.title, .option(key)), .name).adding(": ")
            .adding(value, .after)
    }

    /// The edits that nobody recorded, in one line.
    package func draft(_ changes: VersionChanges, at now: Time) -> StyledText {
        let line = StyledText("draft  ", .faint).adding("  ").adding(timeOfDay(now), .faint)
        let made = sentences(changes.changes) + changes.unreadable.map { unreadable($0) }
        return made.isEmpty ? line.adding("  no unrecorded edits") : line + summary(made)
    }

    /// A file that a version has and nobody can read, in one line.
    package func unreadable(_ file: VersionChanges.Unreadable, in version: VersionID, at now: Time) -> StyledText {
        head(version, now).adding("  ") + unreadable(file)
    }

    /// `version`: the one that came last. What only the one before it has is mended.
    func unreadable(_ file: VersionChanges.Unreadable, in version: VersionID? = nil) -> StyledText {
        if let version, !file.isUnreadable(in: version) { return StyledText("\(file.path) was unreadable before") }
        return StyledText("unreadable: \(CommandLineHints.reason(file.problem))", .warning)
    }

    private func summary(_ made: [StyledText]) -> StyledText {
        guard let first = made.first else { return StyledText() }
        let line = StyledText("  ") + first
        return made.count > 1 ? line.adding(", and \(made.count - 1) more", .faint) : line
    }

    private func head(_ id: VersionID, _ time: Time) -> StyledText {
        StyledText(id.short, .id).adding("  ").adding(timeOfDay(time), .faint)
    }

    /// At a terminal `10:42:07` of today, `2026-11-19 10:42:07` of other days, in local time: a line stays on the screen.
    private func timeOfDay(_ time: Time) -> String {
        if !times.isForNow { return self.time(time) }
        let (there, here) = (clock.calendar(time.seconds), clock.calendar(clock.now))
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        let text = "\(two(there.hour)):\(two(there.minute)):\(two(there.second))"
        if (there.year, there.month, there.day) == (here.year, here.month, here.day) { return text }
        return "\(there.year)-\(two(there.month))-\(two(there.day)) \(text)"
    }
}

extension Reports {
    /// `now` is the time of what has none.
    package func event(_ event: StoreEvent, at now: Time) -> JSON {
        switch event {
        case .recorded(let version, let changes):
            guard case .object(let members) = self.version(version, changes) else { return .null }
            return Reports.adding(members, to: Reports.document(["event": "version"]))
        case .rewritten(let rewriting):
            let changes = rewriting.changes
            return Reports.document([
                "event": "rewritten", "id": .string(rewriting.to.hex), "from": .string(rewriting.from.hex),
                "to": .string(rewriting.to.hex), "branch": rewriting.branch.map { .string($0) } ?? .null,
                "time": .string(now.rfc3339), "changes": changes.map { self.changes($0.changes) } ?? .null,
                "unreadable": changes.flatMap { unreadable($0.unreadable) },
            ])
        }
    }

    /// What an event is reported with: itself, and each file that can't be read since.
    package func documents(of event: StoreEvent, at now: Time) -> [JSON] {
        [self.event(event, at: now)] + failures(event.unreadable, in: event.id, at: now)
    }

    /// Files that can't be read in a version, or as they stand.
    package func failures(_ files: [VersionChanges.Unreadable], in version: VersionID?, at now: Time) -> [JSON] {
        files.filter { version.map($0.isUnreadable) ?? true }.map { failure($0.problem, path: $0.path, in: version, at: now) }
    }

    /// The values as a version has them, which whoever follows from there begins with.
    package func snapshot(_ settings: SettingsContent, of version: VersionID?, at now: Time) -> JSON {
        let options = settings.options.sorted { $0.key < $1.key }
        return Reports.document([
            "event": "snapshot", "id": id(version), "time": .string(now.rfc3339),
            "options": .array(options.map { option($0.key, $0.value) }),
        ])
    }

    package func draft(_ changes: VersionChanges, since version: VersionID?, at now: Time) -> JSON {
        Reports.document([
            "event": "draft", "id": id(version), "time": .string(now.rfc3339), "changes": self.changes(changes.changes),
            "unreadable": unreadable(changes.unreadable),
        ])
    }

    /// Something that could not be read. `path`: the file, if it is one.
    package func failure(_ problem: Problem, path: String? = nil, in version: VersionID?, at now: Time) -> JSON {
        let explanation = CommandLineHints.explanation(of: problem)
        return Reports.document([
            "event": "error", "id": id(version), "time": .string(now.rfc3339), "path": path.map { .string($0) },
            "reason": .string(explanation.reason), "hint": explanation.hint.map { .string($0) },
        ])
    }

    /// That all is well, and from where to go on after an interruption.
    package func bookmark(_ version: VersionID?, at now: Time) -> JSON {
        Reports.document(["event": "bookmark", "id": id(version), "time": .string(now.rfc3339)])
    }

    /// What a command is given to read: what differs between the last state that it was given and this one, and the events in
    /// between. `changes` is nil where that isn't known.
    package func burst(
        from old: VersionID?, to new: VersionID, _ changes: VersionChanges?, events: [JSON], at now: Time
    ) -> JSON {
        Reports.document([
            "event": "changed", "id": .string(new.hex), "from": id(old), "time": .string(now.rfc3339),
            "changes": changes.map { self.changes($0.changes) } ?? .null, "events": .array(events),
        ])
    }

    private func id(_ version: VersionID?) -> JSON { version.map { .string($0.hex) } ?? .null }

    private func unreadable(_ files: [VersionChanges.Unreadable]) -> JSON? {
        files.isEmpty ? nil : .array(files.map(unreadable))
    }
}

extension CommandLineHints {
    /// Why the command of 'watch' failed.
    package static func failure(of ending: CommandEnding, _ command: String) -> String {
        switch ending {
        case .exited(let status): "'\(command)' failed with exit status \(status)"
        case .killed(let signal): "'\(command)' was killed by signal \(signal)"
        case .notStarted(let failure): "cannot run '\(command)': \(failure.reason)"
        }
    }
}
