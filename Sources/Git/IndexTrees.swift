/// The index's cache of trees: for each folder its path's last part, how many entries it spans (-1: not known any more), how
/// many folders follow that lie in it, and the tree's id where it is known.
struct IndexTrees {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The same, with the folders of these paths not known any more.
    func invalidated(_ paths: [[UInt8]]) throws(IndexFile.Unknown) -> [UInt8] {
        var touched: Set<[UInt8]> = [[]]
        for path in paths { IndexFile.insertParents(of: path, into: &touched) }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var rest = bytes
        guard !rest.isEmpty else { return [] }
        try copy(&rest, [], touched, to: &out, depth: 0)
        guard rest.isEmpty else { throw IndexFile.Unknown() }
        return out
    }

    private func copy(
        _ rest: inout ArraySlice<UInt8>, _ parent: [UInt8], _ touched: Set<[UInt8]>, to out: inout [UInt8], depth: Int
    ) throws(IndexFile.Unknown) {
        guard depth < 4096, let end = rest.firstIndex(of: 0) else { throw IndexFile.Unknown() }
        let name = rest[..<end]
        rest = rest[(end + 1)...]
        let path = parent.isEmpty ? Array(name) : parent + [UInt8(ascii: "/")] + name
        let spanned = try number(&rest, before: UInt8(ascii: " "))
        let folders = try number(&rest, before: UInt8(ascii: "\n"))
        var id = rest.prefix(0)
        if spanned >= 0 {
            id = rest.prefix(20)
            guard id.count == 20 else { throw IndexFile.Unknown() }
            rest = rest.dropFirst(20)
        }
        let isKnown = spanned >= 0 && !touched.contains(path)
        out += name
        out += Array("\0\(isKnown ? spanned : -1) \(folders)\n".utf8)
        if isKnown { out += id }
        for _ in 0..<max(folders, 0) { try copy(&rest, path, touched, to: &out, depth: depth + 1) }
    }

    private func number(_ rest: inout ArraySlice<UInt8>, before end: UInt8) throws(IndexFile.Unknown) -> Int {
        guard let place = rest.prefix(12).firstIndex(of: end),
            let number = Int(String(decoding: rest[..<place], as: UTF8.self))
        else { throw IndexFile.Unknown() }
        rest = rest[(place + 1)...]
        return number
    }
}
