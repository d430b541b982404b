package import SettingsModel

/// An element of an XML file with what is in it, in order.
package struct XMLElement {
    package var name: String
    package var attributes: [String: String]
    package var children: [XMLElement] = []
    /// What stands in it between its children, as it stands there.
    package var text = ""
    /// Where its tag ends in the file, from 1.
    package var line: Int

    package subscript(attribute: String) -> String? { attributes[attribute] }

    package func children(named name: String) -> [XMLElement] { children.filter { $0.name == name } }
    package func child(named name: String) -> XMLElement? { children.first { $0.name == name } }

    static let depthLimit = 128
    static let countLimit = 2_000_000

    /// Reads a whole file in UTF-8, UTF-16, or an encoding that it names: ISO-8859-1, Windows-1252.
    package static func read(_ bytes: [UInt8], in file: String) throws(Refusal) -> XMLElement {
        let text = try PlainText(bytes, in: file)
        guard text.guessed != "ISO-8859-1", String(validating: text.bytes, as: UTF8.self) != nil else {
            throw Refusal("is neither in UTF-8 nor in an encoding that is known here", in: file, hint: "save it as UTF-8")
        }
        return try XMLReader(text.bytes, in: file).document()
    }
}
