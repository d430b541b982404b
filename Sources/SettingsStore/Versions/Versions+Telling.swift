import Git
import SettingsModel

// What versions say of single things that they changed. `MessageParts` says what of a message is about what.

extension Versions {
    /// The version as one that changed nothing else than a facet, which is `content` since: with the reason, the requesters and the
    /// tickets that it has for that, and what it took back, repeated or restored. Without any where that can't be told.
    func telling(
        _ version: Version, of subject: Subject, _ facet: Facet, _ content: Change.Content?
    ) throws(Problem) -> Version {
        var message = version.message
        if let parts = try parts(of: version) {
            let words = parts.words(for: subject, facet, content)
            (message.why, message.requestedBy, message.tickets) = (words.why, words.requestedBy, words.tickets)
            // Who is given back what has another name there is seen by what it is since.
            if !parts.areSilent(about: subject) {
                (message.reverts, message.redoes, message.restoredFrom) =
                    (words.returns.reverts, words.returns.redoes, words.returns.restoredFrom)
            }
        } else if try isAnothers(Change(subject, title: "", facet: facet, before: nil, after: content), in: version) {
            (message.why, message.requestedBy, message.tickets) = (nil, [], [])
        } else {
            message.why = message.whyWithoutLists
        }
        var told = version
        if message != version.message {
            told.message = message
            if message.squashed != nil { told.named = try named(by: told) }
        }
        // 'revert --ticket' has the ticket of what it takes back, which isn't its own.
        if told.hasUnknownReverts { told.message.tickets = [] }
        return told
    }

    /// The same of several changes: with what each has, where that can be told.
    func telling(_ version: Version, of changes: [Change]) throws(Problem) -> Version {
        var (told, whys): (Version?, [String]) = (nil, [])
        for change in changes {
            let one = try telling(version, of: change.subject, change.facet, change.after)
            if let why = one.message.why, !whys.contains(why) { whys.append(why) }
            guard var message = told?.message else {
                told = one
                continue
            }
            message.requestedBy += one.message.requestedBy.filter { !message.requestedBy.contains($0) }
            message.tickets += one.message.tickets.filter { !message.tickets.contains($0) }
            told?.message = message
        }
        guard var told else { return version }
        told.message.why = whys.isEmpty ? nil : whys.joined(separator: "\n\n")
        if changes.count > 1 { told.named = version.named }
        return told
    }

    /// Sets apart the conflicts that a version resolved by keeping what was in force, where that is something else with this commit:
    /// a rebase or a pick puts an empty commit onto any value, and nobody decided for that one.
    func setApartOverruled(_ message: inout VersionMessage, of commit: Commit) throws(Problem) {
        guard commit.parents.count == 1, !message.changeIDs.isEmpty, message.squashed == nil, !isBoundary(commit.parents)
        else { return }
        let (before, here) = (try snapshot(commit.parents.first), try snapshot(commit.id))
        let told = message.details.isEmpty ? [message.subject] : message.details
        for question in message.resolves {
            let content = try here.content(question.subject)
            guard try before.content(question.subject) == content else { continue }
            let item = try here.readable(question.subject, acceptingAnyValue: true)
            if item == nil, content != nil { continue }
            if Decision(question, item, over: []).isContradicted(by: told) { message.overruled.append(question) }
        }
        message.resolves.removeAll(where: message.overruled.contains)
    }

    /// What of a version has a ticket; nil for all.
    func places(in version: Version, withTicket ticket: String) throws(Problem) -> Set<VersionMessage.Question>? {
        if let parts = try parts(of: version) {
            return Set(try self.changes(of: version).changes.filter { parts.have(ticket: ticket, $0) }.map(\.place))
        }
        guard version.message.tickets.contains(where: { $0.lowercased() == ticket.lowercased() }) else { return nil }
        var (own, areAll): (Set<VersionMessage.Question>, Bool) = ([], true)
        for change in try self.changes(of: version).changes {
            if try isAnothers(change, in: version) { areAll = false } else { own.insert(change.place) }
        }
        return areAll ? nil : own
    }

    /// Of a squashed version; nil where a message is one version's own.
    private func parts(of version: Version) throws(Problem) -> MessageParts? {
        version.message.squashed == nil ? nil : try messageParts(of: version)
    }

    /// What a message says of what; nil where one version's own doesn't list what it changed. Asked for each option that a version
    /// changed.
    private func messageParts(of version: Version) throws(Problem) -> MessageParts? {
        if let known = knownParts[version.id] { return known }
        let parts =
            if let squashed = version.message.squashed {
                MessageParts(squashed, changed: try subjects(of: version), renames: version.renames)
            } else {
                MessageParts(version.message, renames: version.renames)
            }
        if knownParts.count >= Self.mostKnown { knownParts = [:] }
        knownParts[version.id] = .some(parts)
        return parts
    }

    /// Whether a version's own message lists what it changed, and not this, or not as it is: another version was put into it, as
    /// by a fixup.
    private func isAnothers(_ change: Change, in version: Version) throws(Problem) -> Bool {
        guard !version.isMerge, case .option = change.subject, change.facet != .key, let parts = try messageParts(of: version),
            !parts.tell(of: change.subject, change.facet, change.after)
        else { return false }
        // What was renamed below it, when git made it again, has another name there.
        let (old, new) = (try snapshot(version.parents.first), try snapshot(version.id))
        for key in parts.keys {
            var isKnown = false
            for subject in [Subject.option(key), .group(key)] where !isKnown {
                isKnown = try new.has(subject)
                if !isKnown { isKnown = try old.has(subject) }
            }
            if !isKnown { return false }
        }
        return true
    }
}

extension Change {
    /// What of which it changed.
    var place: VersionMessage.Question { VersionMessage.Question(subject, facet) }
}
