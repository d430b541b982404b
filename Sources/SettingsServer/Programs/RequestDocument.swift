import HTTPTypes
import Hummingbird
import SettingsModel
import SettingsText

/// The JSON that a program sends: an object, each of whose members is taken once. Everything that is wrong with it is said at once.
struct RequestDocument {
    private var members: [ExactText: JSON] = [:]
    private var names: [String] = []
    private(set) var faults: [String] = []

    /// Throws where it is no JSON, or too large.
    init(_ request: Request, upTo limit: Int) async throws {
        var request = request
        guard Self.isJSON(request.headers[.contentType]) else {
            throw ProblemDocument(.unsupportedMediaType, "The body must be sent as application/json.")
        }
        let body = try await request.collectBody(upTo: limit)
        if body.readableBytes == 0 { throw ProblemDocument(.badRequest, "The body is empty, but must be a JSON object.") }
        let document: JSON
        do throws(BadFile) { document = try JSON(parsing: Array(body.readableBytesView)) } catch {
            throw ProblemDocument(.badRequest, "The body is not valid JSON: \(error.inBody).")
        }
        guard case .object(let members) = document else {
            throw ProblemDocument(.badRequest, "The body is \(document.kind), but must be an object.")
        }
        for member in members { self.members[member.name] = member.value }
    }

    private static func isJSON(_ type: String?) -> Bool {
        type?.split(separator: ";").first.map { String($0).trimmingSpaces.lowercased() } == "application/json"
    }

    mutating func fault(_ words: String) { faults.append(words) }

    /// Nil where it is missing or null.
    mutating func take<Value>(_ name: String, _ kind: String, _ read: (JSON) -> Value?) -> Value? {
        names.append(name)
        guard let json = members.removeValue(forKey: ExactText(name)), !json.isNull else { return nil }
        guard let value = read(json) else {
            fault("'\(name)' is \(json.kind), but must be \(kind).")
            return nil
        }
        return value
    }

    mutating func text(_ name: String) -> String? { take(name, "a string") { $0.text?.string } }

    mutating func flag(_ name: String) -> Bool {
        take(name, "true or false") { json in if case .bool(let flag) = json { flag } else { nil } } ?? false
    }

    mutating func count(_ name: String) -> Int? {
        take(name, "a whole number from 1 to 1000") { json in
            guard case .number(let number) = json, let count = number.whole.flatMap({ Int($0.text) }) else { return nil }
            return (1...1_000).contains(count) ? count : nil
        }
    }

    mutating func texts(_ name: String) -> [String]? {
        take(name, "an array of strings") { json in
            guard case .array(let items) = json else { return nil }
            let texts = items.compactMap { $0.text?.string }
            return texts.count == items.count ? texts : nil
        }
    }

    /// Each of one line, as a trailer of the version has it.
    mutating func lines(_ name: String) -> [String] {
        let lines = (texts(name) ?? []).map(\.trimmingSpaces)
        if lines.contains(where: { $0.allSatisfy(\.isWhitespace) || $0.contains(where: \.isNewline) }) {
            fault("Each element of '\(name)' must be one line that is not empty.")
        }
        return lines
    }

    mutating func object(_ name: String) -> [JSON.Member] {
        take(name, "an object") { json in if case .object(let members) = json { members } else { nil } } ?? []
    }

    /// Throws where something was wrong, or is there that nobody takes.
    mutating func finish() throws(ProblemDocument) {
        for name in members.keys.sorted() {
            let near = Nearest.question(Nearest.words(to: name.string, among: names))
            fault("Unknown member '\(name.string.visible)': " + (near ?? "expected one of \(names.joined(separator: ", "))."))
        }
        if !faults.isEmpty { throw ProblemDocument(.badRequest, faults: faults) }
    }
}
