package import SettingsModel
import TOMLKit

/// Plain values in TOML 1.1 (toml.io). What 1.0 lacks is said in its words before toml++, which knows no other, sees it.
///
/// Times are texts with a pattern, and numbers that are not finite are data; both come out as what they were. So does a
/// number's spelling (`0xFF`, `1_000`) as long as its value is the same. What is unset is left out: TOML has no null.
package enum TOMLFormat: EditedFormat {
    package static let name = FormatName.toml

    /// The most bytes of a file: toml++ takes some 100 of memory for each of the densest ones.
    static let sizeLimit = 4 << 20

    package static func recognises(_ source: Source) throws(Refusal) -> Bool {
        PlainFile.isOnly(in: source, ending: [".toml"])
    }

    package static func read(_ source: Source, _ request: ReadRequest) throws(Refusal) -> Imported {
        let file = try PlainFile.only(in: source, request, as: name)
        let (tree, repairs) = try tree(of: file.bytes(), in: file.path)
        return try PlainSettings.settings(of: tree, in: file.path, as: name, repairs: repairs, depth: request.depth)
    }

    package static func write(_ settings: Settings, _ request: WriteRequest) throws(Refusal) -> Exported {
        try PlainFile.checkPart(request, as: name)
        if let edited = try PlainFile.edited(self, settings, request) { return edited }
        let tree = try PlainSettings.tree(of: settings, as: name, unset: nil)
        let bytes = Array(try tree.toml().utf8)
        let (again, _) = try self.tree(of: bytes, in: "the TOML that was written")
        try PlainFile.check(again.root, is: tree.root, as: name)
        return .text(bytes)
    }

    static func tree(of bytes: [UInt8], in file: String) throws(Refusal) -> (PlainTree, [Repair]) {
        guard bytes.count <= sizeLimit else {
            throw Refusal(
                "is larger than \(sizeLimit >> 20) MiB", in: file, hint: "settings are small: is this the right file?")
        }
        let text = try PlainFile.text(of: bytes, in: file)
        // The parser would take it for the end of the file.
        if let zero = text.utf8.firstIndex(of: 0) {
            let line = text.utf8[..<zero].count { $0 == 10 } + 1
            throw Refusal("holds a zero byte, which TOML has not", in: file, at: .init(line: line, column: 1))
        }
        let bytes = Array(text.utf8)
        let scanned: PlainTree
        let older: [TOMLScan.Older]
        do throws(TOMLScan.Failure) { (scanned, older) = try TOMLScan.tree(of: bytes) } catch {
            guard !error.isTooDeep else {
                throw Refusal("is nested more than \(JSON.depthLimit - 1) levels deep", in: file)
            }
            let before = bytes[..<min(error.offset, bytes.count)]
            let start = before.lastIndex(of: 10).map { $0 + 1 } ?? 0
            throw refusal(
                error.offset < bytes.count ? "this is no name and no value" : "it ends too early", text, in: file,
                at: .init(line: before.count { $0 == 10 } + 1, column: before[start...].count { $0 & 0xC0 != 0x80 } + 1))
        }
        let parsed: JSON
        if older.isEmpty {
            parsed = try self.parsed(text, in: file)
        } else {
            let translation = TOMLTranslation(bytes, older)
            do throws(Refusal) { parsed = try self.parsed(translation.text, in: file) } catch {
                var refusal = error
                refusal.position = refusal.position.map { translation.position(of: $0) }
                throw refusal
            }
        }
        if isSame(scanned.root, parsed) { return (scanned, []) }
        return (
            PlainTree(parsed),
            [
                Repair(
                    file: file, found: "the order of the names can't be told",
                    done: "they are sorted, and times are texts")
            ]
        )
    }

    private static func parsed(_ text: String, in file: String) throws(Refusal) -> JSON {
        do {
            let json = try TOMLTable(string: text)
                .convert(to: .json, options: [.quoteDateAndTimes, .quoteInfinitesAndNaNs, .allowUnicodeStrings])
            return try JSON(parsing: Array(json.utf8), limit: .max)
        } catch let error as TOMLParseError {
            let place = error.source.begin
            throw refusal(
                words(error.description), text, in: file,
                at: BadFile.Position(line: max(place.line, 1), column: max(place.column, 1)))
        } catch {
            throw Refusal("can't be read as TOML", in: file)
        }
    }

    private static func refusal(
        _ reason: String, _ text: String, in file: String, at position: BadFile.Position
    ) -> Refusal {
        Refusal(
            "can't be read as TOML: \(reason)", in: file, at: position,
            hint: text.contains("\n<<<<<<< ") || text.hasPrefix("<<<<<<< ")
                ? "git's conflict markers are in it: keep one side and remove them" : nil)
    }

    private static func words(_ description: String) -> String {
        let opening = "Error while parsing "
        return description.hasPrefix(opening) ? String(description.dropFirst(opening.count)) : description
    }

    /// Whether two readers found the same, in whatever order; for times and what is not finite, whether both found some.
    private static func isSame(_ scanned: JSON, _ parsed: JSON) -> Bool {
        switch (scanned, parsed) {
        case (.object(let left), .object(let right)):
            guard left.count == right.count else { return false }
            let members = Dictionary(right.map { ($0.name, $0.value) }) { first, _ in first }
            return left.allSatisfy { member in members[member.name].map { isSame(member.value, $0) } ?? false }
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
        case (.number(let left), .number(let right)):
            // toml++ writes 1.0 for 1.0, and 1e+100 as it likes.
            return left.isReal == right.isReal && (left.isEqual(to: right) || left.isReal && left.double == right.double)
        case (.string(let left), .string(let right)):
            return left == right || TOMLScalar(left.string)?.value == .string(left)
        default: return scanned == parsed
        }
    }
}
