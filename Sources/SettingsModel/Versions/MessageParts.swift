/// Which part of a message is about what: the one place where a part, with its reason, its requesters, its ticket and what it took
/// back, is given to something that its version changed. A squashed version has several parts.
///
/// A part is given a facet where all parts that say anything about that tell one story: each begins with what the one before it
/// ended with, and the last one ends with what the version has. Then the last one made it so. A part that took back another one
/// of the same squash counts as little as that one. Nothing is given
///
/// - where the story has a gap, as after a version that left no message (a fixup), or one by plain git;
/// - where it can't be followed: two parts are about the same, and one of them doesn't say before and after; a part repeats or
///   restores another one; the part that would be next counts more changes than it lists;
/// - to a part that isn't clear itself: with a second sentence, or with trailers of another version.
package struct MessageParts: Sendable {
    private var parts: [Part]
    private let renames: [VersionMessage.Rename]
    /// Keys that an option and a group have, so that sentences are about either.
    private let ambiguous: Set<Key>
    private let changed: Set<Subject>

    /// What one part says for itself.
    package struct Words: Hashable, Sendable {
        package var why: String?
        package var requestedBy: [String] = []
        package var tickets: [String] = []
        package var returns = SquashedMessages.Returns()

        package init() {}
    }

    fileprivate struct Part {
        let message: SquashedMessages.Part
        var clauses: [Key: [String]] = [:]
        var words = Words()
        /// Whether it lists all that it changed.
        var isComplete = true
    }

    /// A part that made a facet what it is, and what that was before it.
    private struct Maker {
        let part: Part
        let before: SaidChange.State
    }

    /// `changed`: what the version changed; `renames`: what it renamed, as its message or its files say.
    package init(_ squashed: SquashedMessages, changed: Set<Subject>, renames: [VersionMessage.Rename]) {
        var (names, keys) = (changed, Set(changed.map(\.key)))
        for part in squashed.newestFirst where !part.renames.isEmpty {
            names = Set(names.map { $0.before(part.renames) })
            keys.formUnion(names.map(\.key))
        }
        parts = squashed.newestFirst.map { Part($0, about: keys) }
        self.renames = renames
        self.changed = changed
        ambiguous = Set(Dictionary(grouping: changed, by: \.key).filter { $0.value.count > 1 }.keys)
    }

    /// Of one version's own message. Nil where that doesn't list what it changed, or not all of it.
    package init?(_ message: VersionMessage, renames: [VersionMessage.Rename]) {
        guard message.via != nil, message.changeIDs.count == 1, message.squashed == nil else { return nil }
        var part = SquashedMessages.Part(paragraphs: [[message.subject]])
        if !message.details.isEmpty { part.paragraphs.append(["Changes:"] + message.details.map { "  " + $0 }) }
        (part.renames, part.conflicts, part.resolves) = (message.renames, message.conflicts, message.resolves)
        let only = Part(part, about: nil)
        guard only.isComplete, !only.clauses.isEmpty else { return nil }
        (parts, self.renames, ambiguous, changed) = ([only], renames, [], [])
    }

    /// What it names.
    package var keys: Set<Key> { parts.reduce(into: []) { $0.formUnion($1.clauses.keys) } }

    /// Whether a part is about a facet of something, which is `content` in this version.
    package func tell(of subject: Subject, _ facet: Facet, _ content: Change.Content?) -> Bool {
        !story(of: subject, facet, SaidChange.State(content, of: facet)).makers.isEmpty
    }

    /// Whether no part has a name of something that was changed: it was renamed below them, and git put them onto that.
    package func areSilent(about subject: Subject) -> Bool {
        let named = named(subject)
        return changed.contains(subject) && !named.isEmpty && named.allSatisfy { $0.clauses == nil }
    }

    /// What is said for a facet of something, which is `content` in this version; empty where it can't be told.
    package func words(for subject: Subject, _ facet: Facet, _ content: Change.Content?) -> Words {
        story(of: subject, facet, SaidChange.State(content, of: facet)).makers.first?.part.words ?? Words()
    }

    /// Whether all parts behind a change have a ticket, and none of them took back or repeated an earlier version. What changed and
    /// changed back before doesn't count.
    package func have(ticket: String, _ change: Change) -> Bool {
        let old = SaidChange.State(change.before, of: change.facet)
        var story = story(of: change.subject, change.facet, SaidChange.State(change.after, of: change.facet))
        if old != .unsaid, let first = story.makers.firstIndex(where: { $0.before == old }) {
            story.makers.removeSubrange((first + 1)...)
        } else if !story.start.mayBe(old) {
            return false
        }
        var behind = story.makers.map(\.part)
        // With the whole goes what others changed about it.
        if change.facet == .existence, !behind.isEmpty { behind = named(change.subject).filter { $1 != nil }.map(\.part) }
        return !behind.isEmpty
            && behind.allSatisfy { part in
                part.words.tickets.contains { $0.lowercased() == ticket.lowercased() } && part.words.returns.reverts.isEmpty
                    && part.words.returns.redoes.isEmpty
            }
    }

    /// How a facet became what it is, as far as the parts agree on that.
    private struct Story {
        /// The newest first.
        var makers: [Maker] = []
        /// What it was before all of them.
        var start = SaidChange.State.unsaid
    }

    /// Empty where that can't be told.
    private func story(of subject: Subject, _ facet: Facet, _ end: SaidChange.State) -> Story {
        if ambiguous.contains(subject.key), facet != .value { return Story() }
        var story = Story(start: end)
        var (count, isVague) = (0, false)
        // What was taken back, by each part that did, and whether any of that was met.
        var undone: [(parts: Set<ChangeID>, isMet: Bool)] = []
        for (part, clauses) in named(subject) {
            guard let said = part.said(clauses ?? [], of: facet, leadingTo: story.start) else {
                if part.isComplete { continue }
                if story.makers.isEmpty { return Story() }
                (story.start, isVague) = (.unsaid, true)
                continue
            }
            guard said.after.mayBe(story.start) else { return Story() }
            story.start = said.before
            if !said.isChoice { continue }
            count += 1
            isVague = isVague || said.before == .unsaid || said.after == .unsaid
            if isVague, count > 1 { return Story() }
            let message = part.message
            if let place = undone.firstIndex(where: { !$0.parts.isDisjoint(with: message.own) }) {
                undone[place].isMet = true
            } else if !message.undoes.isEmpty {
                guard part.words.returns == SquashedMessages.Returns() else { return Story() }
                undone.append((message.undoes, false))
            } else {
                guard message.repeats.isEmpty else { return Story() }
                story.makers.append(Maker(part: part, before: said.before))
            }
            if said.before == .absent { break }
        }
        return undone.allSatisfy(\.isMet) ? story : Story()
    }

    /// The parts, the newest first, with what each says about something, which may have had another name then. None where the
    /// names contradict each other.
    private func named(_ subject: Subject) -> [(part: Part, clauses: [String]?)] {
        var (name, names): (Subject, [Subject]) = (subject, [])
        for part in parts {
            names.append(name)
            let earlier = name.before(part.message.renames)
            guard earlier.renamed(by: part.message.renames) == name else { return [] }
            name = earlier
        }
        // What plain git renamed in between no part says.
        let old = subject.before(renames)
        return zip(parts, names).map { part, name in
            (part, part.clauses[name.key] ?? (name == old ? nil : part.clauses[old.key]))
        }
    }
}

extension MessageParts.Part {
    /// `keys`: what the version changed; nil for anything.
    init(_ message: SquashedMessages.Part, about keys: Set<Key>?) {
        self.message = message
        let paragraphs = message.paragraphs
        var end = paragraphs.endIndex
        // Only there it is no reason: see `VersionMessage.details`.
        let list = paragraphs.last.flatMap { ["Changes:", "Brings in:"].contains($0[0]) ? $0.dropFirst() : nil } ?? []
        if !list.isEmpty { end -= 1 }
        let listed = list.filter { $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) }
        let sentences = paragraphs.indices.filter { SquashedMessages.key(ofSentence: paragraphs[$0][0]) != nil }
        let starts = sentences.filter { place in
            let key = SquashedMessages.key(ofSentence: paragraphs[place][0])
            return key.map { keys?.contains($0) ?? true } == true
                || listed.first.map { paragraphs[place][0].contains($0) } == true
        }
        for place in starts { add(paragraphs[place][0], isOnly: listed.isEmpty) }
        for line in listed { add(line, isOnly: true) }
        for question in message.conflicts + message.resolves {
            let said = clauses[question.subject.key, default: []]
            if self.said(said, of: question.facet, leadingTo: .unsaid) != nil { continue }
            clauses[question.subject.key] = said + [SaidChange.unclear]
        }
        isComplete =
            listed.last.map { SquashedMessages.key(ofSentence: $0) != nil }
            ?? !starts.contains { paragraphs[$0][0].hasSuffix(" more") }
        let isList = starts.contains { place in
            paragraphs[place].dropFirst().contains { $0.hasPrefix("* ") && SquashedMessages.key(ofSentence: $0) != nil }
        }
        guard starts.count == 1, !message.isUnclear, !isList else { return }
        let reason = paragraphs[(starts[0] + 1)..<end].map { $0.joined(separator: "\n") }
        words.why = reason.isEmpty ? nil : reason.joined(separator: "\n\n")
        (words.requestedBy, words.tickets, words.returns) = (message.requestedBy, message.tickets, message.returns)
    }

    /// `isOnly`: whether that is all that is said, and no list tells it again.
    private mutating func add(_ line: String, isOnly: Bool) {
        guard isOnly, let key = SquashedMessages.key(ofSentence: line) else { return }
        clauses[key, default: []] += SquashedMessages.clauses(ofSentence: line)
    }

    /// What it says of a facet: a choice counts rather than the new words of a label.
    func said(_ clauses: [String], of facet: Facet, leadingTo end: SaidChange.State) -> SaidChange? {
        let said = clauses.compactMap { SaidChange($0, about: facet, leadingTo: end) }
        return said.first(where: \.isChoice) ?? said.first
    }
}
