import SettingsModel

/// A line of a file, before or after a version.
package struct FileLine: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case file, same, removed, added, note }

    package var kind: Kind
    package var text: String

    package init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }

    /// So many lines around a difference are shown.
    private static let context = 3
    /// Longer files are not compared.
    private static let limit = 4000

    /// What differs between two texts, as git shows it, in whole lines.
    package static func difference(of path: String, from old: String?, to new: String?) -> [FileLine] {
        [FileLine(.file, path + (old == nil ? " (new file)" : new == nil ? " (removed)" : ""))] + difference(from: old, to: new)
    }

    /// The same without the name.
    static func difference(from old: String?, to new: String?) -> [FileLine] {
        let (before, after) = (lines(old), lines(new))
        guard before.count + after.count <= limit else { return [FileLine(.note, "The file is too long to compare.")] }
        let all = PieceDifference.pieces(from: before, to: after).map { kind, line in
            switch kind {
            case .same: FileLine(.same, " " + line)
            case .removed: FileLine(.removed, "-" + line)
            case .added: FileLine(.added, "+" + line)
            }
        }
        return shortened(all)
    }

    private static func shortened(_ lines: [FileLine]) -> [FileLine] {
        var isShown = [Bool](repeating: false, count: lines.count)
        for place in lines.indices where lines[place].kind != .same {
            for near in max(0, place - context)...min(lines.count - 1, place + context) { isShown[near] = true }
        }
        var result: [FileLine] = []
        for place in lines.indices {
            if isShown[place] {
                result.append(lines[place])
            } else if place == 0 || isShown[place - 1] {
                result.append(FileLine(.note, "…"))
            }
        }
        return result
    }

    private static func lines(_ text: String?) -> [String] {
        guard let text, !text.isEmpty else { return [] }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
