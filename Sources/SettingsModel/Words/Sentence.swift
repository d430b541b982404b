/// A change in words, as segments that an interface may style: "Language: English → French".
public struct Sentence: Hashable, Sendable {
    public var pieces: [Piece]

    public struct Piece: Hashable, Sendable {
        public var text: String
        public var role: Role

        public init(_ text: String, _ role: Role = .plain) {
            self.text = text
            self.role = role
        }
    }

    public enum Role: Hashable, Sendable {
        case plain, name, before, after
    }

    public init(_ pieces: [Piece]) {
        self.pieces = pieces
    }

    public var plain: String { pieces.map(\.text).joined() }
}

/// How changes are put into words.
public struct Wording: Hashable, Sendable {
    /// Whether masked texts are shown instead of dots.
    public var revealsMasked: Bool
    /// Longer values are cut off with an ellipsis.
    public var valueLimit: Int
    public var glyphs: Glyphs

    public init(revealsMasked: Bool = false, valueLimit: Int = 60, glyphs: Glyphs = .unicode) {
        self.revealsMasked = revealsMasked
        self.valueLimit = valueLimit
        self.glyphs = glyphs
    }

    /// A masked text in `--json`.
    public static let dots = "••••••"

    /// A masked text in a sentence.
    public var dots: String { String(repeating: glyphs.bullet, count: 6) }

    /// The sentence for one change, about `name`, which defaults to the title.
    public func sentence(_ line: ChangeLine, name: String? = nil) -> Sentence {
        Sentence([.init(name ?? self.name(of: line), .name), .init(": ")] + predicate(line))
    }

    /// What a change did, without what it is about: "English → French".
    package func step(_ change: Change) -> String {
        change.lines.map(step).joined(separator: "; ")
    }

    package func step(_ line: ChangeLine) -> String { Sentence(predicate(line)).plain }

    private func name(of line: ChangeLine) -> String {
        if case .group = line.subject { return "\(line.title.string.inWords) (group)" }
        return line.title.string.inWords
    }

    func predicate(_ line: ChangeLine) -> [Sentence.Piece] {
        let before = words(line.before, line.beforeLabel, line)
        let after = words(line.after, line.afterLabel, line)
        let becomes = " \(glyphs.arrow) "
        func arrow(_ what: String = "") -> [Sentence.Piece] {
            // Dots for both would look as if nothing had changed.
            if line.isMasked, !revealsMasked, line.before != nil, line.after != nil {
                return [.init(what), .init("changed", .after), .init(" (masked)")]
            }
            return plainArrow(what)
        }
        func plainArrow(_ what: String) -> [Sentence.Piece] {
            [.init(what), .init(before, .before), .init(becomes), .init(after, .after)]
        }
        switch line.facet {
        case .value: return arrow()
        case .title, .default, .help, .type: return arrow("\(line.facet.rawValue) ")
        case .range, .other:
            if line.member == "readOnly" { return [.init(line.after == .bool(true) ? "made read-only" : "no longer read-only")] }
            if line.member == "masked" { return [.init(line.after == .bool(true) ? "made masked" : "no longer masked")] }
            if line.subject == .store, line.member == StoreDefinition.filesMember { return tracking(line) }
            if line.member == "order", line.subject.isGroup { return rearrangement(line) }
            if let format = line.member.flatMap({ FormatName(rawValue: $0.string) }) { return details(of: format, line) }
            return arrow("\(line.member ?? "") ")
        case .added:
            if line.subject == .store { return [.init("new store")] }
            let how = line.isRepair ? "repaired" : "added"
            return line.after == nil ? [.init(how)] : [.init("\(how) ("), .init(after, .after), .init(")")]
        case .removed:
            return line.before == nil ? [.init("removed")] : [.init("removed (was "), .init(before, .before), .init(")")]
        case .renamed: return [.init("renamed "), .init(before, .before), .init(becomes), .init(after, .after)]
        case .labelAdded: return [.init("label added: "), .init(after, .after)]
        case .labelRemoved: return [.init("label removed: "), .init(before, .before)]
        case .labelRenamed:
            if line.beforeLabel == line.afterLabel {
                return [
                    .init("value of \(after): "), .init(cut((line.before ?? .null).compact), .before), .init(becomes),
                    .init(cut((line.after ?? .null).compact), .after),
                ]
            }
            return arrow("label renamed: ")
        case .labelMoved:
            return [
                .init("label moved: "), .init(after, .after), .init(" (\(place(line.before))\(becomes)\(place(line.after)))"),
            ]
        }
    }

    /// "now tracks config/app.yaml"
    private func tracking(_ line: ChangeLine) -> [Sentence.Piece] {
        func files(_ json: JSON?) -> [String] {
            guard case .array(let entries)? = json else { return [] }
            return entries.compactMap {
                $0["file"]?.text?.string.split(separator: "/").drop { $0 == ".." }.joined(separator: "/")
            }
        }
        let (old, new) = (files(line.before), files(line.after))
        let (added, removed) = (new.filter { !old.contains($0) }, old.filter { !new.contains($0) })
        var pieces: [Sentence.Piece] = []
        if !added.isEmpty { pieces += [.init("now tracks "), .init(added.joined(separator: ", "), .after)] }
        if !removed.isEmpty {
            pieces += [
                .init(pieces.isEmpty ? "no longer tracks " : "; no longer tracks "),
                .init(removed.joined(separator: ", "), .before),
            ]
        }
        return pieces.isEmpty ? [.init("tracked files changed")] : pieces
    }

    /// Positions are counted from 0, as in commands and files.
    private func place(_ index: JSON?) -> String {
        if case .number(let number)? = index { number.text } else { "?" }
    }

    private func words(_ value: JSON?, _ label: ExactText?, _ line: ChangeLine) -> String {
        if line.isMasked, !revealsMasked, value != nil { return dots }
        if let label { return cut(label.string.inWords) }
        guard let value else { return line.facet == .value ? "not set" : "none" }
        if line.facet == .renamed || line.facet == .type { return value.bare }
        return cut(value.compact)
    }

    /// The words for a value of `option`: its label, or the value as written, strings in quotes.
    public func words(_ value: JSON?, of option: SettingsOption) -> String {
        guard let value else { return "not set" }
        if option.isMasked, !revealsMasked { return dots }
        return cut(option.label(of: value)?.string.inWords ?? value.compact)
    }

    package func cut(_ text: String) -> String {
        text.count > valueLimit ? text.prefix(valueLimit - glyphs.ellipsis.count) + glyphs.ellipsis : text
    }
}
