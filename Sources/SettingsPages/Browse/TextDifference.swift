package import SettingsModel

/// What differs between two texts, in words: a text that is too long for a sentence looks there as if nothing had changed.
package struct TextDifference: Hashable, Sendable {
    package struct Run: Hashable, Sendable {
        package var kind: PieceDifference.Kind
        package var text: String
    }

    package private(set) var runs: [Run] = []

    /// Of texts with more words than this between the ends that they have in common, all of those are replaced.
    private static let limit = 1_000
    /// So many characters around a change are shown.
    private static let context = 40

    package init(from before: String, to after: String, _ glyphs: Glyphs) {
        var (same, removed, added) = ("", "", "")
        func end() {
            if !same.isEmpty { runs.append(Run(kind: .same, text: same)) }
            if !removed.isEmpty { runs.append(Run(kind: .removed, text: removed)) }
            if !added.isEmpty { runs.append(Run(kind: .added, text: added)) }
            (same, removed, added) = ("", "", "")
        }
        let pieces = PieceDifference.pieces(from: Self.words(before), to: Self.words(after), limit: Self.limit)
        for (number, (kind, word)) in pieces.enumerated() {
            switch kind {
            case .removed: removed += word.string
            case .added: added += word.string
            case .same where removed.isEmpty && added.isEmpty: same += word.string
            case .same:
                // A space between two changed words tells nothing.
                if !Self.isWord(word.string), number + 1 < pieces.count, pieces[number + 1].kind != .same {
                    removed += word.string
                    added += word.string
                } else {
                    end()
                    same = word.string
                }
            }
        }
        end()
        shorten(glyphs.ellipsis)
    }

    /// What differs first, in one line: "“9” → “10”, and more".
    package func first(_ wording: Wording) -> String {
        let rest = runs.drop { $0.kind == .same }
        let change = rest.prefix { $0.kind != .same }
        func words(_ kind: PieceDifference.Kind) -> String? {
            change.first { $0.kind == kind }.map { wording.glyphs.quoted(wording.cut($0.text.trimmingSpaces)) }
        }
        let more = rest.dropFirst(change.count).contains { $0.kind != .same } ? ", and more" : ""
        return switch (words(.removed), words(.added)) {
        case (let old?, let new?): "\(old) \(wording.glyphs.arrow) \(new)\(more)"
        case (let old?, nil): "\(old) removed\(more)"
        case (nil, let new?): "\(new) added\(more)"
        case (nil, nil): ""
        }
    }

    /// Keeps of what is the same only what is near a change.
    private mutating func shorten(_ ellipsis: String) {
        for place in runs.indices where runs[place].kind == .same {
            let text = runs[place].text
            let (isFirst, isLast) = (place == 0, place == runs.count - 1)
            if text.count <= (isFirst || isLast ? 1 : 2) * Self.context + ellipsis.count { continue }
            let head = isFirst ? [] : Self.wholeWords(Array(text.prefix(Self.context)))
            let tail = isLast ? [] : Self.wholeWords(text.suffix(Self.context).reversed()).reversed()
            runs[place].text = String(head) + ellipsis + String(tail)
        }
    }

    /// Without the word that it ends in, unless that is most of it.
    private static func wholeWords(_ text: [Character]) -> [Character] {
        guard let end = text.lastIndex(where: { !isWordPart($0) }), end > context / 2 else { return text }
        return Array(text[...end])
    }

    /// Words, spaces and signs. Scripts that put no spaces between words are compared by characters.
    private static func words(_ text: String) -> [ExactText] {
        var words: [String] = []
        var isInWord = false
        for character in text {
            let goesOn = isWordPart(character)
            if goesOn, isInWord { words[words.count - 1].append(character) } else { words.append(String(character)) }
            isInWord = goesOn
        }
        return words.map { ExactText($0) }
    }

    private static func isWordPart(_ character: Character) -> Bool {
        guard let first = character.unicodeScalars.first, first.value < 0x2E80 else { return false }
        return character.isLetter || character.isNumber
    }

    private static func isWord(_ text: String) -> Bool { text.contains { $0.isLetter || $0.isNumber } }
}

extension Scene {
    /// What differs in a value that a sentence cuts off, or shows in one line; nil where the sentence tells it all, and for what is
    /// masked.
    package func difference(_ line: ChangeLine) -> TextDifference? {
        guard !line.isMasked, isOfValues(line), let old = line.before, let new = line.after else { return nil }
        let (before, after) = (Self.text(old, line.beforeLabel), Self.text(new, line.afterLabel))
        if ExactText(before.text) == ExactText(after.text) || !isLong(before) && !isLong(after) { return nil }
        return TextDifference(from: before.text, to: after.text, glyphs)
    }

    /// Whether a change is told as a value that becomes another one.
    private func isOfValues(_ line: ChangeLine) -> Bool {
        guard [.value, .title, .default, .help, .labelRenamed, .other].contains(line.facet) else { return false }
        guard let member = line.member?.string else { return true }
        return member != "order" && FormatName(rawValue: member) == nil
    }

    /// The values before and after, whole; nil where the change is not told as a value.
    func texts(of line: ChangeLine) -> (before: String?, after: String?)? {
        guard isOfValues(line) else { return nil }
        return (line.before.map { Self.text($0, line.beforeLabel).text }, line.after.map { Self.text($0, line.afterLabel).text })
    }

    /// A value to compare, and what a sentence has of it.
    private static func text(_ value: JSON, _ label: ExactText?) -> (text: String, words: String) {
        if let label { return (label.string, label.string) }
        if case .string(let text) = value { return (text.string, text.string) }
        return (value.pretty.trimmingSpaces, value.compact)
    }

    private func isLong(_ value: (text: String, words: String)) -> Bool {
        value.words.count > wording.valueLimit || value.words.contains(where: \.isNewline)
    }
}
