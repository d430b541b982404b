import CExpat
import SettingsModel

/// Builds the tree of an XML file from expat's (https://libexpat.github.io) callbacks.
///
/// The declarations of a document type are ignored, and no other file is opened. A file that declares entities is rejected
/// at the first one: settings don't need entities, and expanding them can exhaust memory.
final class XMLReader {
    /// The bytes in UTF-8.
    private let bytes: [UInt8]
    private let file: String
    private let parser: XML_Parser
    private var root: XMLElement?
    private var open: [(element: XMLElement, text: [UInt8])] = []
    private var count = 0
    private var failure: Refusal?
    /// The line of the byte at `lineOffset`.
    private var line = 1
    private var lineOffset = 0

    init(_ bytes: [UInt8], in file: String) throws(Refusal) {
        guard let parser = XML_ParserCreate("UTF-8") else { throw Refusal("can't be read as XML: out of memory", in: file) }
        self.bytes = bytes
        self.file = file
        self.parser = parser
    }

    deinit { XML_ParserFree(parser) }

    func document() throws(Refusal) -> XMLElement {
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser, { XMLReader.from($0)?.begin($1, $2) }, { reader, _ in XMLReader.from(reader)?.end() })
        XML_SetCharacterDataHandler(parser) { XMLReader.from($0)?.append($1, Int($2)) }
        XML_SetEntityDeclHandler(parser) { reader, _, _, _, _, _, _, _, _ in XMLReader.from(reader)?.refuseEntity() }
        // An entity that an external document type might declare.
        XML_SetSkippedEntityHandler(parser) { reader, _, isOfDocumentType in
            if isOfDocumentType == 0 { XMLReader.from(reader)?.fail(XMLReader.undeclared) }
        }
        let status = bytes.withUnsafeBytes {
            XML_Parse(parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count), 1)
        }
        if let failure { throw failure }
        guard status == XML_STATUS_OK, let root else { throw refusal("can't be read as XML: \(reason)") }
        return root
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> XMLReader? {
        pointer.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// expat's callbacks.
extension XMLReader {
    private func begin(_ name: UnsafePointer<XML_Char>?, _ list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) {
        guard failure == nil, let name, let list else { return }
        count += 1
        if open.count >= XMLElement.depthLimit { return stop("has elements more than \(XMLElement.depthLimit) deep") }
        if count > XMLElement.countLimit { return stop("has more than \(XMLElement.countLimit) elements") }
        var attributes: [String: String] = [:]
        // Attributes after these are defaults from the document type.
        for index in stride(from: 0, to: Int(XML_GetSpecifiedAttributeCount(parser)), by: 2) {
            if let name = list[index], let value = list[index + 1] { attributes[String(cString: name)] = String(cString: value) }
        }
        let end = offset + Int(XML_GetCurrentByteCount(parser))
        line += bytes[lineOffset..<end].count { $0 == 10 }
        lineOffset = end
        var element = XMLElement(name: String(cString: name), attributes: attributes, line: line)
        element.range = offset..<end
        open.append((element, []))
    }

    private func end() {
        guard failure == nil, let (opened, text) = open.popLast() else { return }
        var element = opened
        element.text = String(decoding: text, as: UTF8.self)
        // An empty tag ends where it is: expat then counts no bytes.
        element.content = min(opened.range.upperBound, offset)..<offset
        element.range = opened.range.lowerBound..<offset + Int(XML_GetCurrentByteCount(parser))
        if open.isEmpty { root = element } else { open[open.count - 1].element.children.append(element) }
    }

    private func append(_ text: UnsafePointer<XML_Char>?, _ count: Int) {
        guard failure == nil, !open.isEmpty else { return }
        open[open.count - 1].text += UnsafeRawBufferPointer(start: text, count: count)
    }

    private func refuseEntity() {
        // expat reports a declaration after its value.
        var start = offset
        while start > 0, !bytes[start...].starts(with: "<!ENTITY".utf8) { start -= 1 }
        let words = bytes[start...].dropFirst(8).prefix { $0 != UInt8(ascii: ">") && $0 != 10 }.drop { $0 == 32 }.prefix(40)
        stop(
            "declares an entity (\(String(decoding: words, as: UTF8.self))), which is not supported",
            hint: "replace it by its text", at: start)
    }
}

/// Errors and their positions.
extension XMLReader {
    private var offset: Int { min(max(XML_GetCurrentByteIndex(parser), 0), bytes.count) }

    private static let undeclared = "undeclared entity"

    private func fail(_ reason: String) { stop("can't be read as XML: \(reason)") }

    private func stop(_ reason: String, hint: String? = nil, at place: Int? = nil) {
        guard failure == nil else { return }
        failure = refusal(reason, hint: hint, at: place)
        XML_StopParser(parser, XML_Bool(XML_FALSE))
    }

    /// The error in our own words if they are clearer than expat's.
    private var reason: String {
        let code = XML_GetErrorCode(parser)
        switch code {
        case XML_ERROR_NO_ELEMENTS where count == 0, XML_ERROR_SYNTAX where count == 0:
            return "it is empty or does not begin with XML"
        case XML_ERROR_NO_ELEMENTS, XML_ERROR_JUNK_AFTER_DOC_ELEMENT: return "it is truncated, or continues after its end"
        case XML_ERROR_TAG_MISMATCH: return "an end tag doesn't match its start tag"
        case XML_ERROR_DUPLICATE_ATTRIBUTE: return "an attribute appears twice"
        case XML_ERROR_UNDEFINED_ENTITY: return XMLReader.undeclared
        case XML_ERROR_BAD_CHAR_REF: return "invalid character reference"
        case XML_ERROR_UNCLOSED_TOKEN: return "unterminated tag, comment or instruction"
        case XML_ERROR_UNCLOSED_CDATA_SECTION: return "unterminated CDATA section"
        case XML_ERROR_INVALID_TOKEN:
            if offset < bytes.count, bytes[offset] < 32, ![9, 10, 13].contains(bytes[offset]) {
                return "a character isn't allowed there"
            }
            if let before = bytes[..<offset].last, before == UInt8(ascii: "<") || before == UInt8(ascii: "&") {
                return "write a literal '<' or '&' as &lt; or &amp;"
            }
        default: break
        }
        return XML_ErrorString(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
    }

    private func refusal(_ reason: String, hint: String? = nil, at place: Int? = nil) -> Refusal {
        Refusal(reason, in: file, at: BadFile.Position(of: place ?? offset, in: bytes), hint: hint)
    }
}
