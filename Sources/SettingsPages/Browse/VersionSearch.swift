package import SettingsModel

/// What is searched for among versions: words that all have to occur, and filters that all have to hold.
package struct VersionSearch: Hashable, Sendable {
    package private(set) var words: [String] = []
    package private(set) var who: [String] = []
    package private(set) var why: [String] = []
    package private(set) var keys: [String] = []
    package private(set) var tickets: [String] = []
    package private(set) var became: [String] = []
    package private(set) var since: String?
    package private(set) var until: String?
    /// A filter that isn't one.
    package private(set) var problem: String?

    package static let filters = "@who: @why: @key: @ticket: @became: @since: @until:"

    package init(_ text: String) {
        for term in SearchTerm.terms(in: text) {
            let value = term.value
            switch term.filter {
            case nil: words.append(term.text)
            case "who" where !value.isEmpty: who.append(value)
            case "why" where !value.isEmpty: why.append(value)
            case "key" where !value.isEmpty: keys.append(value)
            case "ticket" where !value.isEmpty: tickets.append(value)
            case "became" where !value.isEmpty: became.append(value)
            case "since" where !value.isEmpty: since = value
            case "until" where !value.isEmpty: until = value
            case "who", "why", "key", "ticket", "became", "since", "until": break
            default: problem = "'\(term.text)' is not a filter: \(Self.filters)"
            }
        }
    }

    package var isEmpty: Bool {
        words.isEmpty && who.isEmpty && why.isEmpty && keys.isEmpty && tickets.isEmpty && became.isEmpty && since == nil
            && until == nil
    }

    /// The moments between which it looks, in seconds since 1970; what isn't a time is nil.
    package func moments(_ clock: Clock) -> (since: Int64?, until: Int64?) {
        (since.flatMap { SearchQuery.moment($0, clock) }, until.flatMap { When($0, clock).seconds })
    }

    /// A time that isn't one.
    package func fault(_ clock: Clock) -> String? {
        let moments = moments(clock)
        let faults = [(since, moments.since), (until, moments.until)]
        for case (let word?, nil) in faults { return "'\(word)' is not a time; quotes keep words together: \"3 days ago\"" }
        return problem
    }

    /// Whether what is known without its changes fits: who, why, on whose request.
    package func takes(_ version: Version) -> Bool {
        let message = version.message
        let person = version.author.description.lowercased()
        let reason = (message.why ?? "").lowercased()
        return who.allSatisfy { person.contains($0) } && why.allSatisfy { reason.contains($0) }
            && tickets.allSatisfy { ticket in message.tickets.contains { $0.lowercased().contains(ticket) } }
    }

    /// `names`: the tags and branches at the version.
    package func takes(_ version: Version, _ changes: [Change], names: [String] = []) -> Bool {
        guard !words.isEmpty || !keys.isEmpty || !became.isEmpty else { return true }
        let lines = changes.flatMap(\.lines)
        let keysAndTitles = changes.flatMap { change in
            [change.subject.key.description, change.renaming?.old.key.description ?? "", change.title.string]
        }.map { $0.lowercased() }
        guard keys.allSatisfy({ key in keysAndTitles.contains { $0.contains(key) } }),
            became.allSatisfy({ value in
                lines.contains { line in
                    !line.isMasked && (line.facet == .value || line.facet == .added)
                        && (line.after?.bare.lowercased() == value || line.afterLabel?.string.lowercased() == value)
                }
            })
        else { return false }
        guard !words.isEmpty else { return true }
        let message = version.message
        var texts = [message.subject, message.why ?? "", version.author.description, version.id.hex]
        texts += message.requestedBy + message.tickets
        texts += lines.map { Wording(valueLimit: .max).sentence($0).plain }
        let lower = (texts + names).map { $0.lowercased() } + keysAndTitles
        return words.allSatisfy { word in lower.contains { $0.contains(word) } }
    }
}
