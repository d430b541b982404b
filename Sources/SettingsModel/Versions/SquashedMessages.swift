/// What versions said that were squashed: git and hosts put their messages one after the other.
///
/// One part ends at a paragraph of trailers with a `Change-Id:`, or in messages that have none, with a `Via:`. What it says is about
/// the first sentence since the last end, `KEY: English → French`, and the list of changes behind it; git and hosts put `* ` or
/// `- ` before it. `git merge --squash` names each commit in a line of its own, and moves its message four columns to the right.
///
/// Where it isn't clear which reason or ticket a change has, it has none: in a part with another sentence, or with trailers of
/// another version. Reasons can't look like that, see `VersionMessage.cleaned`.
package struct SquashedMessages: Hashable, Sendable {
    private var parts: [Part] = []
    /// Git's own list begins with the newest.
    private var isNewestFirst = false
    /// What stands in one part about another says nothing of the history.
    private let own: Set<ChangeID>

    struct Part: Hashable, Sendable {
        /// Without those of trailers.
        var paragraphs: [[String]]
        var requestedBy: [String] = []
        var tickets: [String] = []
        var returns = Returns()
        /// Its names, and those of other parts that it took back, and that it repeated or restored.
        var own: Set<ChangeID> = []
        var undoes: Set<ChangeID> = []
        var repeats: Set<ChangeID> = []
        var renames: [VersionMessage.Rename] = []
        var conflicts: [VersionMessage.Question] = []
        var resolves: [VersionMessage.Question] = []
        /// Whether trailers of another version stand in it.
        var isUnclear = false
    }

    /// The versions that one took back, repeated or restored. What was undone counts as reverted: others may squash.
    package struct Returns: Hashable, Sendable {
        package var reverts: [VersionReference] = []
        package var redoes: [VersionReference] = []
        package var restoredFrom: VersionReference?
    }

    /// All of them.
    package var reverts: [VersionReference] { parts.flatMap(\.returns.reverts) }
    /// What they renamed, in order.
    package var renames: [VersionMessage.Rename] { (isNewestFirst ? parts.reversed() : parts).flatMap(\.renames) }
    /// What became of conflicts: the last word of each counts.
    package var questions: (conflicts: [VersionMessage.Question], resolves: [VersionMessage.Question]) {
        var (conflicts, resolves): ([VersionMessage.Question], [VersionMessage.Question]) = ([], [])
        for part in isNewestFirst ? parts.reversed() : parts {
            conflicts.removeAll(where: part.resolves.contains)
            resolves += part.resolves.filter { !resolves.contains($0) }
            resolves.removeAll(where: part.conflicts.contains)
            conflicts += part.conflicts.filter { !conflicts.contains($0) }
        }
        return (conflicts, resolves)
    }
    package var requestedBy: [String] { Self.distinct(parts.flatMap(\.requestedBy)) }
    package var tickets: [String] { Self.distinct(parts.flatMap(\.tickets)) }

    /// Nil where a message is one version's own.
    init?(_ message: ArraySlice<Substring>) {
        let ids = message.compactMap { ChangeID(line: $0) }
        let ends = message.count { Self.isEnd($0) }
        let last = message[(message.lastIndex(where: MessageLines.isBlank).map { $0 + 1 } ?? message.startIndex)...]
        // Nearly all versions have one paragraph of trailers, the last one, or none.
        let isFollowed = !last.contains { Self.isEnd($0) || ChangeID(line: $0) != nil }
        let isOne = ids.count < 2 && ends < 2
        // Of one, a title and trailers are all there is: asked first, because it is asked of every version.
        if isOne, ids.count + ends == 0 || !isFollowed && message[..<last.startIndex].count(where: MessageLines.isBlank) < 2 {
            return nil
        }
        let isOwn = message.first.map { Self.key(ofSentence: $0) != nil } ?? true
        if isOne, isOwn, !isFollowed { return nil }
        own = Set(ids)
        let marked = Self.marked(message)
        isNewestFirst = marked != nil
        if let marked {
            for lines in marked { take(Self.paragraphs(of: lines), endingAt: "change-id", "via") }
        } else {
            // One is squashed only where another one stands before or behind what it says: its title is its own sentence.
            take(Self.paragraphs(of: message), endingAt: ids.isEmpty ? "via" : "change-id")
            let isBeside = isOwn ? isFollowed : parts.contains(where: \.hasSentenceWithin)
            guard parts.count > 1 || isBeside else { return nil }
        }
        if parts.isEmpty { return nil }
    }

    /// The newest first.
    var newestFirst: [Part] { isNewestFirst ? parts : parts.reversed() }

    /// What git's own list begins with.
    static let listed = "Squashed commit of the following:"

    /// What stands between git's lines "commit ID" behind that.
    private static func marked(_ message: ArraySlice<Substring>) -> [ArraySlice<Substring>]? {
        guard message.contains(Substring(listed)) else { return nil }
        let marks = message.indices.filter { place in
            message[place].hasPrefix("commit ") && ObjectID(hex: Array(message[place].utf8.dropFirst(7).prefix(40))) != nil
        }
        return marks.enumerated().map { number, mark in
            let end = number + 1 < marks.count ? marks[number + 1] : message.endIndex
            let own = message[mark..<end].drop { !MessageLines.isBlank($0) }
            return own.map { $0.hasPrefix("    ") ? $0.dropFirst(4) : $0 }[...]
        }
    }

    private static func isEnd(_ line: Substring) -> Bool {
        guard let first = line.utf8.first, first == UInt8(ascii: "V") || first == UInt8(ascii: " ") else { return false }
        let text = line.utf8.drop { $0 == UInt8(ascii: " ") }
        return line.utf8.count - text.count <= 4 && text.starts(with: "Via:".utf8)
    }

    private static func paragraphs(of message: ArraySlice<Substring>) -> [ArraySlice<Substring>] {
        message.split(whereSeparator: MessageLines.isBlank)
    }

    private mutating func take(_ paragraphs: [ArraySlice<Substring>], endingAt tokens: String...) {
        var part = Part(paragraphs: [])
        for paragraph in paragraphs {
            guard let trailers = Trailers(paragraph: paragraph), paragraph.startIndex != paragraphs.first?.startIndex else {
                part.paragraphs.append(paragraph.map(String.init))
                continue
            }
            let isEnd = tokens.contains { !trailers.values(of: $0).isEmpty }
            let isOurs = !trailers.values(of: "via").isEmpty
            if !isEnd, !isOurs {
                part.paragraphs.append(paragraph.map(String.init))
                continue
            }
            part.requestedBy += trailers.values(of: "requested-by")
            part.tickets += trailers.values(of: "ticket")
            func named(_ tokens: String..., parts: WritableKeyPath<Part, Set<ChangeID>>) -> [VersionReference] {
                let words = tokens.flatMap(trailers.values).compactMap { $0.split(separator: " ").first }
                return words.compactMap { VersionReference($0) }.filter { reference in
                    guard case .change(let change) = reference, own.contains(change) else { return true }
                    part[keyPath: parts].insert(change)
                    return false
                }
            }
            part.own.formUnion(trailers.values(of: "change-id").compactMap { ChangeID($0) })
            part.returns.reverts += named("reverts", "undoes", "unconfirmed", parts: \.undoes)
            part.returns.redoes += named("redoes", parts: \.repeats)
            part.returns.restoredFrom = named("restored-from", parts: \.repeats).first ?? part.returns.restoredFrom
            part.renames += trailers.values(of: "renamed").compactMap { VersionMessage.Rename($0) }
            part.conflicts += trailers.values(of: "conflict").compactMap { VersionMessage.Question($0) }
            part.resolves += trailers.values(of: "resolves").compactMap { VersionMessage.Question($0) }
            if isEnd {
                parts.append(part)
                part = Part(paragraphs: [])
            } else {
                part.isUnclear = true
            }
        }
    }

    private static func distinct(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }
    }

    private static let marks = ["* ", "- "]

    /// What a line is about, where it is a sentence that this program puts first: `KEY: English → French`.
    static func key(ofSentence line: some StringProtocol) -> Key? {
        guard let (name, _) = sentence(line) else { return nil }
        return name == "Settings" ? .root : try? Key(String(name))
    }

    /// What a sentence says of that, piece by piece: `English → French; title "Language" → "Tongue"`.
    static func clauses(ofSentence line: String) -> [String] {
        guard var (_, predicate) = sentence(line) else { return [] }
        // A host's number of the request.
        if predicate.last == ")", let place = predicate.lastIndex(of: "("), predicate[..<place].last == " ",
            let number = Optional(predicate[place...].dropFirst().dropLast()), ["#", "!"].contains(number.first),
            number.dropFirst().allSatisfy(\.isNumber)
        {
            predicate = predicate[..<place].dropLast()
        }
        var (clauses, clause, isQuoted, isEscaped): ([String], String, Bool, Bool) = ([], "", false, false)
        for character in predicate {
            clause.append(character)
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = character == "\\" && !isEscaped
            guard !isQuoted, clause.hasSuffix("; ") else { continue }
            clauses.append(String(clause.dropLast(2)))
            clause = ""
        }
        return clauses + [clause]
    }

    private static func sentence<Line: StringProtocol>(
        _ line: Line
    ) -> (name: Line.SubSequence, predicate: Line.SubSequence)? {
        // By bytes, because it is asked of every version.
        var line = line[...]
        if marks.contains(where: { line.utf8.starts(with: $0.utf8) }) { line = line.dropFirst(2) }
        for word in takingBack where line.utf8.starts(with: word.utf8) { line = line.dropFirst(word.count) }
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), line[colon...].utf8.starts(with: ": ".utf8),
            line.utf8[..<colon].allSatisfy({ $0.isAlphanumeric || [0x2D, 0x2E, 0x5F].contains($0) })
        else { return nil }
        let predicate = line[colon...].dropFirst(2)
        guard
            predicates.contains(where: { predicate.utf8.starts(with: $0) })
                || inside.contains(where: { predicate.utf8.firstRange(of: $0) != nil })
        else { return nil }
        return (line[..<colon], predicate)
    }

    /// What stands before the sentence of what nobody confirmed.
    private static let takingBack = ["not confirmed: ", "given up: "]
    /// What stands in sentences.
    private static let inside = [" → ", " moved to the ", " moved after ", " listed first", " listed last", " listed after "]
        .map { Array($0.utf8) }
    /// How others begin.
    private static let predicates = [
        "added", "removed", "repaired", "renamed ", "label added: ", "label removed: ", "label renamed: ", "label moved: ",
        "value of ", "made read-only", "no longer read-only", "made masked", "no longer masked", "changed (masked)",
        "details for ", "order is ", "index corrected",
        "chose ", "decided", "is undecided again", "new store",
    ].map { Array($0.utf8) }
}

extension SquashedMessages.Part {
    /// Whether it says something behind the title of another one, or of a host's.
    var hasSentenceWithin: Bool {
        paragraphs.dropFirst().contains { SquashedMessages.key(ofSentence: $0[0]) != nil }
    }
}
