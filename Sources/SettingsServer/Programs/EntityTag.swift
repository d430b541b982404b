import HTTPTypes
import Hummingbird
import SettingsModel
import SettingsText

/// What tells one state of an answer from another (RFC 9110, section 8.8.3). Always strong: the same tag stands for the same bytes.
struct EntityTag: Hashable, Sendable {
    /// Without quotes.
    let word: String

    var field: String { "\"\(word)\"" }

    init(_ word: String) { self.word = word }

    init(of text: String) { word = String(Who.digest(text).prefix(32)) }

    /// Whether a header such as `If-None-Match` names it. nginx makes tags weak where it compresses what they stand for.
    func isNamed(in field: String?) -> Bool {
        // As most send it back.
        if field == self.field { return true }
        return field.map { Self.words(in: $0).contains { $0 == word || $0 == "*" } } ?? false
    }

    /// The tags of a header, `*` among them. What isn't quoted is taken as well, and so is what a proxy made weak: it stands for the
    /// same options, and whoever reads through that proxy has no other.
    static func words(in field: String) -> [String] {
        field.split(separator: ",").map { tag in
            var tag = String(tag).trimmingSpaces[...]
            if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
            return String(tag.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") ? tag.dropFirst().dropLast() : tag)
        }
    }
}

extension Response {
    static func json(_ status: HTTPResponse.Status, _ document: JSON, type: String = "application/json") -> Response {
        json(status, ByteBuffer(string: Reports.text(of: document, oneLine: true)), type: type)
    }

    static func json(_ status: HTTPResponse.Status, _ bytes: ByteBuffer, type: String = "application/json") -> Response {
        Response(status: status, headers: [.contentType: type], body: ResponseBody(byteBuffer: bytes))
    }

    /// What can be asked for again: 304 where whoever asks has it already.
    static func json(_ bytes: ByteBuffer, _ tag: EntityTag, isKnown: Bool) -> Response {
        var response = isKnown ? Response(status: .notModified) : Response.json(.ok, bytes)
        response.headers[.eTag] = tag.field
        response.headers[.cacheControl] = "no-cache"
        return response
    }

    static func json(_ document: JSON, for request: Request) -> Response {
        let text = Reports.text(of: document, oneLine: true)
        let tag = EntityTag(of: text)
        return .json(ByteBuffer(string: text), tag, isKnown: tag.isNamed(in: request.headers[.ifNoneMatch]))
    }
}
