// The message of a version's commit:
//
//     <what changed, one line>
//
//     <reason, any number of paragraphs>
//
//     Requested-by: …
//     Ticket: …
//     Via: …
//     Reverts: <full id>     or Undoes:, Redoes:, Restored-from:; each as often as needed
//     Confirm-by: time       unless it is confirmed by then, it reverts itself
//     Confirms: <full id> time     Extends: (with its new Confirm-by:), Unconfirmed: (where it is taken back); the time is
//                            the Confirm-by: of the version that the id names
//     Imported-from: format path   of a file or folder; one each if several were imported together
//     Imported-into: group         if that isn't the root of the store
//     Imported-document: number    if only this document of YAML files was imported
//     Renamed: old.key new.key
//     Conflict: key facet    in a merge that leaves a conflict open; Resolves: in the version that resolves it
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
    package var reverts: [VersionID] = []
    package var undoes: [VersionID] = []
    package var redoes: [VersionID] = []
    package var restoredFrom: VersionID?
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
    }

    package struct Rename: Hashable, Sendable {
        package var old: Subject
        package var new: Subject

        package init(old: Subject, new: Subject) {
            self.old = old
            self.new = new
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
        for id in reverts { add("Reverts", id.hex) }
        for id in undoes { add("Undoes", id.hex) }
        for id in redoes { add("Redoes", id.hex) }
        add("Restored-from", restoredFrom?.hex)
        add("Confirm-by", confirmBy?.rfc3339)
        for version in confirms { add("Confirms", version.text) }
        for version in extends { add("Extends", version.text) }
        for version in unconfirmed { add("Unconfirmed", version.text) }
        for source in importedFrom { add("Imported-from", "\(source.format.rawValue) \(source.name.visible)") }
        if !importedInto.isRoot { add("Imported-into", importedInto.description) }
        if let importedDocument { add("Imported-document", "\(importedDocument)") }
        for rename in renames { add("Renamed", "\(Self.word(rename.old)) \(Self.word(rename.new))") }
        for question in conflicts { add("Conflict", "\(Self.word(question.subject)) \(question.facet.token)") }
        for question in resolves { add("Resolves", "\(Self.word(question.subject)) \(question.facet.token)") }
        return trailers
    }

    /// Whether a paragraph consists of trailers.
    package static func areTrailers(_ lines: ArraySlice<Substring>) -> Bool { !lines.isEmpty && trailers(in: lines) != nil }

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

    private static func subject(_ word: Substring) -> Subject? {
        if word == "/" { return .group(.root) }
        if word == Subject.store.path { return .store }
        let isGroup = word.hasSuffix("/")
        guard let key = try? Key(String(isGroup ? word.dropLast() : word)) else { return nil }
        return Subject(key, isGroup: isGroup)
    }

    /// Parses the message of any commit, including one by plain git.
    package init(_ text: String) {
        // Split by bytes, because Swift treats CR LF as one character.
        let lines = text.utf8.split(separator: 10, omittingEmptySubsequences: false)
            .map { Substring($0.last == 13 ? $0.dropLast() : $0) }
        let message = MessageLines.trimmed(lines[...])
        let title = message.prefix { !MessageLines.isBlank($0) }
        subject = title.joined(separator: " ")
        var body = MessageLines.trimmed(message[title.endIndex...])
        // `git commit --no-edit` leaves the comment about conflicts after the trailers, where git ignores it.
        let uncommented = body.lastIndex { !$0.hasPrefix("#") && !MessageLines.isBlank($0) }.map { body[...$0] } ?? body
        if uncommented.count < body.count, Self.hasTrailers(uncommented) { body = uncommented }
        let start = body.lastIndex(where: MessageLines.isBlank).map { $0 + 1 } ?? body.startIndex
        if let trailers = Self.trailers(in: body[start...]), trailers.contains(where: { Self.tokens.contains($0.0.lowercased()) })
        {
            body = MessageLines.trimmed(body[..<start])
            for (token, value) in trailers { read(token, MessageLines.oneLine(value)) }
        }
        let last = body.lastIndex(where: MessageLines.isBlank).map { $0 + 1 } ?? body.startIndex
        if areDetails(body[last...]) {
            details = body[(last + 1)...].map { String($0).trimmingSpaces.visible }
            body = MessageLines.trimmed(body[..<last])
        }
        why = body.isEmpty ? nil : body.joined(separator: "\n")
    }

    /// Whether the last paragraph consists of this program's trailers.
    private static func hasTrailers(_ body: ArraySlice<Substring>) -> Bool {
        let start = body.lastIndex(where: MessageLines.isBlank).map { $0 + 1 } ?? body.startIndex
        return trailers(in: body[start...])?.contains { tokens.contains($0.0.lowercased()) } ?? false
    }

    private static let tokens: Set = [
        "requested-by", "ticket", "via", "reverts", "undoes", "redoes", "restored-from", "imported-from",
        "imported-into", "renamed", "conflict", "resolves", "confirm-by", "confirms", "extends", "unconfirmed",
    ]

    /// Nil if a line of the paragraph is not a trailer.
    private static func trailers(in lines: ArraySlice<Substring>) -> [(String, String)]? {
        var trailers: [(String, String)] = []
        for line in lines {
            if line.first?.isWhitespace == true, let last = trailers.indices.last {
                trailers[last].1 += " " + line.trimmingSpaces
                continue
            }
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
                line[..<colon].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
            else { return nil }
            trailers.append((String(line[..<colon]), line[line.index(after: colon)...].trimmingSpaces))
        }
        return trailers
    }

    private static func question(_ value: String) -> Question? {
        let words = value.split(separator: " ", maxSplits: 1)
        guard words.count == 2, let subject = subject(words[0]), let facet = Facet(token: String(words[1])) else { return nil }
        return Question(subject, facet)
    }

    private mutating func read(_ token: String, _ value: String) {
        if value.isEmpty { return }
        let ids = value.split(separator: " ").first.flatMap { VersionID(hex: String($0)) }.map { [$0] } ?? []
        switch token.lowercased() {
        case "requested-by": requestedBy.append(value)
        case "ticket": tickets.append(value)
        case "via": via = value
        case "reverts": reverts += ids
        case "undoes": undoes += ids
        case "redoes": redoes += ids
        case "restored-from": restoredFrom = ids.first
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
        case "conflict": if let question = Self.question(value) { conflicts.append(question) }
        case "resolves": if let question = Self.question(value) { resolves.append(question) }
        case "renamed":
            let words = value.split(separator: " ")
            if words.count == 2, let old = Self.subject(words[0]), let new = Self.subject(words[1]) {
                renames.append(Rename(old: old, new: new))
            }
        default: break
        }
    }

    /// A reason as it is recorded: LF, no white space at the ends. Nil if nothing is left.
    package static func cleaned(_ why: String) -> String? {
        let lines = why.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line -> String in
            var scalars = line.unicodeScalars.filter { $0 == "\t" || !$0.isControl }[...]
            while let last = scalars.last, last.properties.isWhitespace { scalars = scalars.dropLast() }
            let text = String(String.UnicodeScalarView(scalars))
            return text == scissors ? " " + text : text
        }
        let text = lines.joined(separator: "\n")
        let trimmed = text.trimmingSpaces
        if trimmed.isEmpty { return nil }
        return trimmed.utf8.starts(with: scissors.utf8) ? " " + trimmed : trimmed
    }

    /// git ignores trailers after this line.
    private static let scissors = "# ------------------------ >8 ------------------------"
}

/// Lines of a message.
private enum MessageLines {
    static func isBlank(_ line: Substring) -> Bool {
        // Most lines begin like this; comparing characters takes 20 times as long as comparing bytes.
        if let first = line.utf8.first, (0x21...0x7E).contains(first) { return false }
        return line.allSatisfy(\.isWhitespace)
    }

    /// Without leading and trailing empty lines.
    static func trimmed(_ lines: ArraySlice<Substring>) -> ArraySlice<Substring> {
        var lines = lines
        while let first = lines.first, isBlank(first) { lines.removeFirst() }
        while let last = lines.last, isBlank(last) { lines.removeLast() }
        return lines
    }

    /// The value of a trailer as one line, because a second line could be read as another trailer.
    static func oneLine(_ value: String) -> String {
        if value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return value }
        return value.unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
            .map { word in String(String.UnicodeScalarView(word.filter { !$0.isControl })) }
            .filter { !$0.isEmpty }
            .joined(separator: " ")
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
