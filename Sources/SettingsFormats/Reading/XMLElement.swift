package import SettingsModel

/// An XML element with its contents, in order.
package struct XMLElement {
    package var name: String
    package var attributes: [String: String]
    package var children: [XMLElement] = []
    /// Its text between its children, unmodified.
    package var text = ""
    /// The line where its tag ends, from 1.
    package var line: Int
    /// Its bytes in the file, and those between its tags; of `<a/>`, an empty range at its end.
    var range = 0..<0
    var content = 0..<0

    package subscript(attribute: String) -> String? { attributes[attribute] }

    package func children(named name: String) -> [XMLElement] { children.filter { $0.name == name } }
    package func child(named name: String) -> XMLElement? { children.first { $0.name == name } }

    static let depthLimit = 128
    static let countLimit = 2_000_000

    /// Reads a whole file in UTF-8, UTF-16, or a declared encoding: ISO-8859-1, Windows-1252.
    package static func read(_ bytes: [UInt8], in file: String) throws(Refusal) -> XMLElement {
        let text = try PlainText(bytes, in: file)
        guard text.guessed != "ISO-8859-1", String(validating: text.bytes, as: UTF8.self) != nil else {
            throw Refusal("is neither UTF-8 nor another supported encoding", in: file, hint: "save it as UTF-8")
        }
        return try XMLReader(text.bytes, in: file).document()
    }
}
