package import SettingsModel

/// Changes, versions and conflicts in words.
package struct Phrases: Sendable {
    package var wording: Wording
    /// What "today" is counted from.
    package var clock: Clock
    package var times: TimeFormat {
        get { format() }
        set { format = { newValue } }
    }

    /// Whether lines may be as long as those of a wide terminal, so that more is said in them.
    package var isWide = false

    private var format: @Sendable () -> TimeFormat

    /// `times`: asked for with the first time that is written, since git's configuration may decide.
    package init(wording: Wording = Wording(), clock: Clock, times: @autoclosure @escaping @Sendable () -> TimeFormat = .clock) {
        self.wording = wording
        self.clock = clock
        format = times
    }

    /// One line per change, "Language (general.language): English → French".
    package func sentences(_ changes: [Change]) -> [StyledText] {
        changes.told.flatMap(\.lines).map { line in
            let isNewStore = line.subject == .store && line.facet == .added
            // The store was there before its top page had a file.
            let isPageFile = line.subject == .group(.root) && (line.facet == .added || line.facet == .removed)
            let name = isPageFile ? "\(line.title) (\(line.subject.path))" : Phrases.name(line.title, line.subject)
            return StyledText(wording.sentence(line, name: isNewStore ? nil : name))
        }
    }

    /// What something is called, so that the next command can be typed: its title with its key.
    package static func name(_ title: ExactText, _ subject: Subject) -> String {
        let title = title.string.inWords
        if subject.key.isRoot { return "\(title) (the store)" }
        return subject.isGroup ? "\(title) (group \(subject.key))" : "\(title) (\(subject.key))"
    }

    /// `3f2a91c  today 10:42  Ada Lovelace`; `isWide`: `3f2a91c  today 10:42 (9 hours ago)  Ada Lovelace`.
    package func headline(_ version: Version, tags: [String] = [], isWide: Bool = false) -> StyledText {
        let time = isWide ? timeWithDistance(version.time) : time(version.time)
        var line = StyledText(version.id.short, .id).adding("  ").adding(time, .faint)
            .adding("  ").adding(version.author.name.isEmpty ? "(nobody)" : version.author.name, .person)
        if !tags.isEmpty { line = line.adding("  [\(tags.joined(separator: ", "))]", .name) }
        return line
    }

    /// The reason, the requesters, the tickets and the reverted versions, one per line.
    package func reasons(_ version: Version, _ confirmation: Confirmation? = nil) -> [StyledText] {
        let message = version.message
        var lines =
            message.shownWhy?.split(separator: "\n", omittingEmptySubsequences: false).map { StyledText(String($0)) } ?? []
        var facts: [String] = []
        if !message.requestedBy.isEmpty { facts.append("requested by \(message.requestedBy.joined(separator: ", "))") }
        facts += message.tickets
        for (what, ids) in named(by: version) { facts.append("\(what) \(ids.joined(separator: ", "))") }
        facts += confirmationFacts(version)
        if !version.author.isSame(as: version.committer) { facts.append("recorded by \(version.committer.name)") }
        if !facts.isEmpty { lines.append(StyledText(facts.joined(separator: " \(wording.glyphs.separator) "), .faint)) }
        if let confirmation { lines.append(state(of: confirmation)) }
        return lines
    }

    /// What follows the versions of 'history', where there are none or a shallow clone lacks some.
    package static func afterHistory(_ shown: Int, isComplete: Bool, hasVersions: Bool) -> PrintedLine {
        if !isComplete { return .note(CommandLineHints.cutOff(shown == 0 ? "no version matches" : "the history ends here")) }
        return .note(hasVersions ? "no version matches" : "no versions yet")
    }

    /// Which version was meant by a time, or by a name that looks like one.
    package func meant(_ text: String, _ version: Version, isByTime: Bool) -> PrintedLine {
        .note(
            isByTime
                ? "\(text) is version \(version.id.short), \(timeWithDistance(version.time)), \(version.author.name)"
                : "\(text) is the name of a tag or branch, version \(version.id.short), and not read as a time")
    }

    /// What a version says of others, each with their ids: "reverts", "undoes" … `isWhole`: not in short.
    package func named(by version: Version, isWhole: Bool = false) -> [(what: String, ids: [String])] {
        let named = version.named
        let all = [
            ("reverts", named.reverts), ("undoes", named.undoes), ("redoes", named.redoes),
            ("restored from", named.restoredFrom.map { [$0] } ?? []),
        ]
        return all.filter { !$0.1.isEmpty }.map { ($0.0, $0.1.map { isWhole ? $0.hex : $0.short }) }
    }

    /// "a version that isn't in this history (I3b1f0c9)".
    static func unknown(by named: NamedVersions) -> String? {
        func told(_ references: [VersionReference], _ one: String, _ several: String) -> String? {
            if references.isEmpty { return nil }
            return (references.count == 1 ? one : several) + " (\(references.map(\.short).joined(separator: ", ")))"
        }
        let all = [
            told(named.unknown, "a version that isn't in this history", "versions that aren't in this history"),
            told(
                named.refused, "a version that it has no author or no option in common with",
                "versions that it has no author or no option in common with"),
        ].compactMap(\.self)
        return all.isEmpty ? nil : all.joined(separator: ", and ")
    }

    /// More changes than this are folded.
    private static let foldLimit = 20

    /// A version as 'history' shows it. `folds`: of many changes only the first are told.
    package func version(
        _ version: Version, _ changes: VersionChanges, tags: [String] = [], confirmation: Confirmation? = nil,
        folds: Bool = false
    ) -> [StyledText] {
        let indent = StyledText("    ")
        var lines = [headline(version, tags: tags, isWide: isWide)]
        var made = changed(by: version, changes)
        if folds, made.count > Phrases.foldLimit {
            let rest = made.count - Phrases.foldLimit / 4
            let more = StyledText("and \(rest) more changes; \(CommandLineHints.wholeVersion(version.id))", .faint)
            made = made.prefix(Phrases.foldLimit / 4) + [more]
        }
        lines += made.map { indent + $0 }
        lines += reasons(version, confirmation).map { $0.spans.isEmpty ? $0 : indent + $0 }
        return lines
    }

    /// A version in one line: its first change, and how many more there are.
    package func line(
        _ version: Version, _ changes: VersionChanges, tags: [String] = [], confirmation: Confirmation? = nil
    ) -> StyledText {
        let told = changed(by: version, changes)
        // Its own subject is no further change.
        let made = told.dropLast(told.count > 1 && describesItself(version, changes) ? 1 : 0)
        var line = headline(version, tags: tags)
        if let first = made.first { line = line.adding("  ") + first }
        if made.count > 1 { line = line.adding(", and \(made.count - 1) more", .faint) }
        guard let confirmation, confirmation.isOpen else { return line }
        return line.adding("  (") + state(of: confirmation) + StyledText(")")
    }

    /// A version with all its metadata.
    package func wholeVersion(
        _ version: Version, _ changes: VersionChanges, tags: [String], confirmation: Confirmation? = nil,
        signature: SignatureCheck
    ) -> [StyledText] {
        let message = version.message
        var rows: [[StyledText]] = []
        func add(_ name: String, _ text: String?) {
            if let text, !text.isEmpty { rows.append([StyledText(name, .faint), StyledText(text)]) }
        }
        rows.append([StyledText("version", .faint), StyledText(version.id.hex, .id)])
        add("tags", tags.joined(separator: ", "))
        add("who", version.author.description)
        if !version.author.isSame(as: version.committer) { add("recorded by", version.committer.description) }
        add("when", times.isForNow ? "\(timeWithDistance(version.time)), \(version.time.rfc3339)" : time(version.time))
        for person in message.requestedBy { add("requested by", person) }
        add(message.tickets.count == 1 ? "ticket" : "tickets", message.tickets.joined(separator: ", "))
        add("via", message.via)
        for (what, ids) in named(by: version, isWhole: true) { add(what, ids.joined(separator: " ")) }
        func unconfirmed(_ named: [NamedVersions.Unconfirmed]) -> String { named.compactMap(\.id?.hex).joined(separator: " ") }
        add("confirms", unconfirmed(version.named.confirms))
        add("extends", unconfirmed(version.named.extends))
        add("not confirmed", unconfirmed(version.named.unconfirmed))
        add("names", Phrases.unknown(by: version.named))
        if let confirmation {
            rows.append([StyledText("confirmation", .faint), state(of: confirmation)])
        } else if let deadline = message.confirmBy {
            add("to confirm by", self.deadline(deadline) + (times.isForNow ? " (\(deadline.rfc3339))" : ""))
        }
        if version.isMerge { add("merges", version.parents.map(\.short).joined(separator: " ")) }
        if signature != .none { rows.append([StyledText("signature", .faint), Phrases.signature(signature)]) }
        let indent = StyledText("    ")
        var lines = Phrases.table(rows)
        let made = changed(by: version, changes)
        if !made.isEmpty { lines.append(StyledText()) }
        lines += made.map { indent + $0 }
        if let why = message.shownWhy {
            lines.append(StyledText())
            for line in why.split(separator: "\n", omittingEmptySubsequences: false) {
                lines.append(line.isEmpty ? StyledText() : indent + StyledText(String(line)))
            }
        }
        return lines
    }

    /// What a version changed and decided, one line for each.
    package func changed(by version: Version, _ changes: VersionChanges) -> [StyledText] {
        let decided = changes.decisions
        var lines = sentences(
            changes.changes.filter { change in
                !decided.contains { $0.subject == change.subject && $0.facet == change.facet }
            })
        lines += decided.map { StyledText(wording.sentence($0, name: Phrases.name($0.title, $0.subject))) }
        lines += changes.unreadable.map { unreadable($0, in: version.id) }
        // Its own words may name what is masked today.
        for question in version.message.overruled {
            let what = question.facet == .value ? "" : "\(question.facet.name): "
            lines.append(
                StyledText(question.subject.key.description, .name)
                    .adding(": \(what)the answer keeps something other than what is in force here, so it does not apply"))
        }
        // A merge that decided nothing has no other words.
        if describesItself(version, changes) || lines.isEmpty && version.isMerge && !version.message.subject.isEmpty {
            lines.append(StyledText(version.message.subject))
        }
        return lines
    }

    /// Whether its own subject says what it is, as of a commit that plain git made.
    private func describesItself(_ version: Version, _ changes: VersionChanges) -> Bool {
        (version.message.via == nil || !changes.confirmed.isEmpty) && !version.message.subject.isEmpty
    }

    /// In place of a version that a shallow clone doesn't have.
    package static let beforeClone = StyledText("before this shallow clone", .faint)

    /// `today 10:42  Ada Lovelace  3f2a91c  The Paris office opens on Monday.`, for the end of a line.
    package func origin(_ version: Version?) -> StyledText {
        guard let version else { return StyledText("not recorded yet", .faint) }
        let columns = originColumns(version)
        return columns.dropFirst().reduce(columns[0]) { line, part in part.spans.isEmpty ? line : line.adding("  ") + part }
    }

    /// The parts of `origin`: the id, the time, the person, and the reason with who asked for it.
    func originColumns(_ version: Version) -> [StyledText] {
        let message = version.message
        var reasons: [StyledText] = []
        if let why = message.shownWhy?.split(separator: "\n").first { reasons.append(StyledText(wording.glyphs.quoted(why))) }
        if !message.requestedBy.isEmpty {
            reasons.append(StyledText("requested by \(message.requestedBy.joined(separator: ", "))", .faint))
        }
        if !message.tickets.isEmpty { reasons.append(StyledText(message.tickets.joined(separator: " "), .faint)) }
        if let unknown = Phrases.unknown(by: version.named) { reasons.append(StyledText("names \(unknown)", .faint)) }
        let reason = reasons.reduce(StyledText()) { $0.spans.isEmpty ? $1 : $0.adding("  ") + $1 }
        return [
            StyledText(version.id.short, .id), StyledText(time(version.time), .faint), StyledText(version.author.name, .person),
            reason,
        ]
    }

    /// Who is behind a change: one line, or one for each step of several.
    package func origins(_ origins: [Origin]) -> [StyledText] {
        guard origins.count > 1 else { return [origin(origins.first?.version)] }
        return Phrases.table(
            origins.map { origin in
                let change = origin.change
                let step = change.before == change.after ? wording.adoption(change) : wording.step(change)
                return [StyledText(step), self.origin(origin.version)]
            })
    }

    /// Who made each side of a conflict, one per line.
    package func sides(_ origin: ConflictOrigin) -> [StyledText] {
        [("ours   ", origin.ours), ("theirs ", origin.theirs)].compactMap { name, version in
            version.map { StyledText(name, .faint) + self.origin($0) }
        }
    }
}

extension Phrases {
    /// Columns separated by two spaces; the last one is not padded.
    package static func table(_ rows: [[StyledText]]) -> [StyledText] {
        var widths: [Int] = []
        for row in rows {
            for (index, cell) in row.enumerated() where index < row.count - 1 {
                if index == widths.count { widths.append(0) }
                widths[index] = max(widths[index], cell.width)
            }
        }
        return rows.map { row in
            var line = StyledText()
            for (index, cell) in row.enumerated() {
                line = line + (index < row.count - 1 ? cell.padded(to: widths[index]).adding("  ") : cell)
            }
            return line
        }
    }
}
