extension Wording {
    /// The sentence for what a format keeps about an item besides its definition: which parts of it changed, because what they
    /// hold is for programs.
    func details(of format: FormatName, _ line: ChangeLine) -> [Sentence.Piece] {
        let what = line.before == nil ? "added" : line.after == nil ? "removed" : "changed"
        let names = Self.changedNames(line.before, line.after)
        let list = names.isEmpty ? "" : ": " + cut(names.map(\.string).joined(separator: ", "))
        return [.init("details for \(format.rawValue) "), .init(what, .after), .init(list)]
    }

    /// The members in which two objects differ.
    private static func changedNames(_ old: JSON?, _ new: JSON?) -> [ExactText] {
        func members(_ json: JSON?) -> [JSON.Member] { if case .object(let members)? = json { members } else { [] } }
        let added = members(new).filter { old?[$0.name] == nil }
        return (members(old).filter { new?[$0.name] != $0.value } + added).map(\.name)
    }
}
