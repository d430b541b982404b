/// The trailers of a message, as `git interpret-trailers --no-divider` and `git log --format='%(trailers)'` find them
/// (trailer.c): the last paragraph, if all its lines are trailers, or a quarter of them besides one that git wrote itself, as
/// `cherry-pick -x` and `commit --signoff` do. Comments behind it don't count.
package struct Trailers {
    package private(set) var all: [(token: String, value: String)] = []

    /// Takes them off the end of a message's lines behind the title, if any is one of this program's: what other people say at
    /// the end of a reason is part of it.
    init(at body: inout ArraySlice<Substring>) {
        let end = Self.end(of: body)
        let start = body[..<end].lastIndex(where: MessageLines.isBlank).map { $0 + 1 } ?? body.startIndex
        guard let found = Trailers(paragraph: body[start..<end]),
            found.all.contains(where: { VersionMessage.tokens.contains($0.token.lowercased()) })
        else {
            // What 'git commit --no-edit' keeps of a merge that stopped is nobody's reason.
            let isGits = body[end...].contains { $0 == "# Conflicts:" || $0 == "Conflicts:" }
            if isGits { body = MessageLines.trimmed(body[..<end]) }
            return
        }
        self = found
        body = MessageLines.trimmed(body[..<start])
    }

    /// Nil where a paragraph is none of trailers.
    package init?(paragraph: ArraySlice<Substring>) {
        var (trailers, others, continued) = (0, 0, 0)
        var isGits = false
        for line in paragraph.reversed() where line.utf8.first != Self.comment {
            if Self.byGit.contains(where: { line.utf8.starts(with: $0.utf8) }) {
                (trailers, continued, isGits) = (trailers + 1, 0, true)
            } else if Self.separator(in: line) != nil {
                (trailers, continued) = (trailers + 1, 0)
            } else if line.first?.isWhitespace == true {
                continued += 1
            } else {
                (others, continued) = (others + 1 + continued, 0)
            }
        }
        others += continued
        guard isGits ? trailers * 3 >= others : trailers > 0 && others == 0 else { return nil }
        for line in paragraph where line.utf8.first != Self.comment {
            if let place = Self.separator(in: line) {
                let token = String(line[..<place]).trimmingSpaces
                all.append((token, line[line.utf8.index(after: place)...].trimmingSpaces))
            } else if line.first?.isWhitespace == true, !all.isEmpty {
                all[all.count - 1].value += " " + line.trimmingSpaces
            }
        }
    }

    func values(of token: String) -> [String] {
        all.filter { $0.token.lowercased() == token }.map { MessageLines.oneLine($0.value) }.filter { !$0.isEmpty }
    }

    private static let comment = UInt8(ascii: "#")
    private static let byGit = ["Signed-off-by: ", "(cherry picked from commit "]

    /// What a line is called, as reasons must not be: one function reads trailers and guards reasons against them.
    static func token(of line: Substring) -> String? {
        separator(in: line).map { String(line[..<$0]).trimmingSpaces.lowercased() }
    }

    /// The colon behind a trailer's token, as git reads it: with blanks and tabs before it.
    private static func separator(in line: Substring) -> Substring.Index? {
        // By bytes, as git does it: characters take ten times as long, and this is asked of every line.
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let token = line.utf8[..<colon]
        let name = token.prefix { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
        guard !name.isEmpty, token[name.endIndex...].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return nil }
        return colon
    }

    /// Where what git leaves out begins: comments, and the files that it has named where texts were in conflict.
    private static func end(of body: ArraySlice<Substring>) -> Int {
        var begin: Int?
        var isList = false
        for (place, line) in zip(body.indices, body) {
            if line.utf8.starts(with: VersionMessage.scissors.utf8) { return begin ?? place }
            if line.utf8.first == comment || line.isEmpty {
                begin = begin ?? place
            } else if line.utf8.elementsEqual("Conflicts:".utf8) {
                isList = true
                begin = begin ?? place
            } else if !isList || line.utf8.first != 0x09 {
                (begin, isList) = (nil, false)
            }
        }
        return begin ?? body.endIndex
    }
}
