// The message of a version's commit:
//
//     <what changed, one line>
//
//     <reason, any number of paragraphs>
//
//     Requested-by: …
//     Ticket: …
//     Via: …
//     Reverts: <version>     or Undoes:, Redoes:, Restored-from:; each as often as needed
//     Confirm-by: time       unless it is confirmed by then, it reverts itself
//     Confirms: <version> time     Extends: (with its new Confirm-by:), Unconfirmed: (where it is taken back); the time is
//                            the Confirm-by: of the version that is named
//     Imported-from: format path   of a file or folder; one each if several were imported together
//     Imported-into: group         if that isn't the root of the store
//     Imported-document: number    if only this document of YAML files was imported
//     Renamed: old.key new.key
//     Conflict: key facet    in a merge that leaves a conflict open, and in a version that takes back what resolved it
//     Resolves: key facet    in the version that resolves it
//     Change-Id: I<40 hex>   what the version is called by others; see `ChangeID`
//
// A <version> is named by its Change-Id: `VersionReference` says when by the id of its commit.
//
// and before its trailers what changed, where the first line doesn't tell all of it; a merge has `Brings in:` there:
//
//     Changes:
//       general.language: English → French
//       sound.volume: 40 → 60
//
// The last paragraph holds trailers only and is always there (Via), so a reason that looks like trailers is never read as
// trailers, neither by this program nor by `git interpret-trailers --no-divider`.

package struct VersionMessage: Hashable, Sendable {
    package var subject: String
    package var why: String?
    package var requestedBy: [String] = []
    package var tickets: [String] = []
    package var via: String?
    package var reverts: [VersionReference] = []
    package var undoes: [VersionReference] = []
    package var redoes: [VersionReference] = []
    package var restoredFrom: VersionReference?
    /// Until when the version, or the one that this extends, can be confirmed.
    package var confirmBy: Time?
    package var confirms: [Unconfirmed] = []
    package var extends: [Unconfirmed] = []
    /// What was not confirmed in time, or given up, and is taken back here as far as it can be.
    package var unconfirmed: [Unconfirmed] = []
    package var importedFrom: [ImportSource] = []
    package var importedInto = Key.root
    /// The only document that was read from YAML files with several; counted from 1.
    package var importedDocument: Int?
    package var renames: [Rename] = []
    package var conflicts: [Question] = []
    package var resolves: [Question] = []
    /// What it says that it resolves by keeping something else than is in force with it, because git made its commit again upon
    /// another one: no answers. `Versions.version(of:)` moves them here.
    package var overruled: [Question] = []
    /// Its own; several where versions were squashed. They count wherever they stand in the message.
    package var changeIDs: [ChangeID] = []
    /// Where versions were squashed, what each said.
    package var squashed: SquashedMessages?
    /// What changed, or what a merge brings in, one sentence each; empty where the subject tells it all.
    package var details: [String] = []

    /// A facet with an open conflict between two branches.
    package struct Question: Hashable, Sendable {
        package var subject: Subject
        package var facet: Facet

        package init(_ subject: Subject, _ facet: Facet) {
            self.subject = subject
            self.facet = facet
        }

        /// As a trailer names it, `key facet`.
        package init?(_ text: String) {
            let words = text.split(separator: " ", maxSplits: 1)
            guard words.count == 2, let subject = VersionMessage.subject(words[0]), let facet = Facet(token: String(words[1]))
            else { return nil }
            self.init(subject, facet)
        }

        package var text: String { "\(VersionMessage.word(subject)) \(facet.token)" }
    }

    package struct Rename: Hashable, Sendable {
        package var old: Subject
        package var new: Subject

        package init(old: Subject, new: Subject) {
            self.old = old
            self.new = new
        }

        /// As a trailer says it.
        init?(_ value: String) {
            let words = value.split(separator: " ")
            guard words.count == 2, let old = VersionMessage.subject(words[0]), let new = VersionMessage.subject(words[1]) else {
                return nil
            }
            self.init(old: old, new: new)
        }
    }

    /// A file or folder that settings were imported from. Importing it again continues from there.
    package struct ImportSource: Hashable, Sendable {
        package var format: FormatName
        /// Its path: `./` or `../` relative to the store's folder, `~/` to the home folder, otherwise absolute; `-` is standard
        /// input. Versions of earlier releases have only its last part.
        package var name: String

        package init(format: FormatName, name: String) {
            self.format = format
            self.name = name
        }

        package var lastPart: String { name.split(separator: "/").last.map(String.init) ?? name }
    }

    package init(subject: String, why: String? = nil) {
        self.subject = subject
        self.why = why
    }

    package var text: String {
        var paragraphs = [subject.visible]
        if let why { paragraphs.append(why) }
        if !details.isEmpty || endsLikeDetails {
            paragraphs.append(([heading] + details.map { "  \($0.visible)" }).joined(separator: "\n"))
        }
        let trailers = trailerLines
        if !trailers.isEmpty { paragraphs.append(trailers.joined(separator: "\n")) }
        return paragraphs.joined(separator: "\n\n") + "\n"
    }

    package var trailerLines: [String] {
        var trailers: [String] = []
        func add(_ token: String, _ value: String?) {
            if let value = value.map(MessageLines.oneLine), !value.isEmpty { trailers.append("\(token): \(value)") }
        }
        for person in requestedBy { add("Requested-by", person) }
        for ticket in tickets { add("Ticket", ticket) }
        add("Via", via)
        for version in reverts { add("Reverts", version.text) }
        for version in undoes { add("Undoes", version.text) }
        for version in redoes { add("Redoes", version.text) }
        add("Restored-from", restoredFrom?.text)
        add("Confirm-by", confirmBy?.rfc3339)
        for version in confirms { add("Confirms", version.text) }
        for version in extends { add("Extends", version.text) }
        for version in unconfirmed { add("Unconfirmed", version.text) }
        for source in importedFrom { add("Imported-from", "\(source.format.rawValue) \(source.name.visible)") }
        if !importedInto.isRoot { add("Imported-into", importedInto.description) }
        if let importedDocument { add("Imported-document", "\(importedDocument)") }
        for rename in renames { add("Renamed", "\(Self.word(rename.old)) \(Self.word(rename.new))") }
        for question in conflicts { add("Conflict", question.text) }
        for question in resolves { add("Resolves", question.text) }
        for change in changeIDs { add(ChangeID.token, change.text) }
        return trailers
    }

    /// What the list of details begins with.
    private var heading: String { subject.hasPrefix("merge ") ? "Brings in:" : "Changes:" }

    /// Whether a paragraph is a list of details, as far as its form says.
    private func areDetails(_ paragraph: ArraySlice<Substring>) -> Bool {
        guard via != nil, paragraph.first == Substring(heading) else { return false }
        if subject.hasPrefix("merge ") { return true }
        return paragraph.dropFirst().allSatisfy { line in
            line.hasPrefix("  ") && line.dropFirst(2).first.map { $0.isLetter || $0.isNumber } ?? false
        }
    }

    /// Whether a reason ends like a list of details where there is none: an empty list is then written after it.
    private var endsLikeDetails: Bool {
        guard let why else { return false }
        let lines = why.split(separator: "\n", omittingEmptySubsequences: false)[...]
        return areDetails(lines[(lines.lastIndex(where: MessageLines.isBlank).map { $0 + 1 } ?? lines.startIndex)...])
    }

    /// A group is written with a trailing slash, since an option may have the same key; the store as its file.
    package static func word(_ subject: Subject) -> String {
        if subject == .store { return subject.path }
        if case .group = subject { return subject.key.description + "/" }
        return subject.key.description
    }

    static func subject(_ word: Substring) -> Subject? {
        if word == "/" { return .group(.root) }
        if word == Subject.store.path { return .store }
        let isGroup = word.hasSuffix("/")
        guard let key = try? Key(String(isGroup ? word.dropLast() : word)) else { return nil }
        return Subject(key, isGroup: isGroup)
    }

    /// Without the list of what was squashed that a host puts into a message of its own.
    package var whyWithoutLists: String? {
        guard via == nil, let why, why.utf8.contains(UInt8(ascii: "*")) else { return why }
        let lines = why.split(separator: "\n", omittingEmptySubsequences: false)
        let kept = lines.filter { !$0.hasPrefix("* ") || SquashedMessages.key(ofSentence: $0) == nil }
        if kept.count == lines.count { return why }
        let rest = MessageLines.trimmed(kept[...])
        return rest.isEmpty ? nil : rest.joined(separator: "\n")
    }

    /// Parses the message of any commit, including one by plain git.
    package init(_ text: String) {
        // Split by bytes, because Swift treats CR LF as one character.
        let lines = text.utf8.split(separator: 10, omittingEmptySubsequences: false)
            .map { Substring($0.last == 13 ? $0.dropLast() : $0) }
        let message = MessageLines.trimmed(lines[...])
        var seen: Set<ChangeID> = []
        changeIDs = message.compactMap { ChangeID(line: $0) }.filter { seen.insert($0).inserted }
        let title = message.prefix { !MessageLines.isBlank($0) }
        subject = title.joined(separator: " ")
        var body = MessageLines.trimmed(message[title.endIndex...])
        let trailers = Trailers(at: &body)
        for (token, value) in trailers.all { read(token, MessageLines.oneLine(value)) }
        let last = body.lastIndex(where: MessageLines.isBlank).map { $0 + 1 } ?? body.startIndex
        if areDetails(body[last...]) {
            details = body[(last + 1)...].map { String($0).trimmingSpaces.visible }
            body = MessageLines.trimmed(body[..<last])
        }
        why = body.isEmpty ? nil : body.joined(separator: "\n")
        squashed = SquashedMessages(message)
        if let squashed {
            requestedBy = squashed.requestedBy
            tickets = squashed.tickets
            (reverts, undoes, redoes, restoredFrom) = (squashed.reverts, [], [], nil)
            renames = squashed.renames
            (conflicts, resolves) = squashed.questions
        }
    }

    static let tokens: Set = [
        "requested-by", "ticket", "via", "reverts", "undoes", "redoes", "restored-from", "imported-from",
        "imported-into", "renamed", "conflict", "resolves", "confirm-by", "confirms", "extends", "unconfirmed",
        "change-id",
    ]

    private mutating func read(_ token: String, _ value: String) {
        if value.isEmpty { return }
        var named: [VersionReference] { value.split(separator: " ").first.flatMap { VersionReference($0) }.map { [$0] } ?? [] }
        switch token.lowercased() {
        case "requested-by": requestedBy.append(value)
        case "ticket": tickets.append(value)
        case "via": via = value
        case "reverts": reverts += named
        case "undoes": undoes += named
        case "redoes": redoes += named
        case "restored-from": restoredFrom = named.first
        case "confirm-by": confirmBy = Time(rfc3339: value)
        case "confirms": if let version = Unconfirmed(value) { confirms.append(version) }
        case "extends": if let version = Unconfirmed(value) { extends.append(version) }
        case "unconfirmed": if let version = Unconfirmed(value) { unconfirmed.append(version) }
        case "imported-from":
            let words = value.split(separator: " ", maxSplits: 1).map(String.init)
            if let word = words.first, let format = FormatName(rawValue: word) {
                importedFrom.append(ImportSource(format: format, name: words.count > 1 ? words[1] : ""))
            }
        case "imported-into": importedInto = (try? Key(value)) ?? .root
        case "imported-document": importedDocument = Int(value)
        case "conflict": if let question = Question(value) { conflicts.append(question) }
        case "resolves": if let question = Question(value) { resolves.append(question) }
        case "renamed":
            if let rename = Rename(value) { renames.append(rename) }
        default: break
        }
    }
}
