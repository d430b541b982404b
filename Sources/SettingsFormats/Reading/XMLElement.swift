import Foundation
package import SettingsModel

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// An element of an XML file with what is in it, in order.
package struct XMLElement {
    package var name: String
    package var attributes: [String: String]
    package var children: [XMLElement] = []
    /// What stands in it between its children, as it stands there.
    package var text = ""
    /// Where it begins in the file, from 1.
    package var line: Int

    package subscript(attribute: String) -> String? { attributes[attribute] }

    package func children(named name: String) -> [XMLElement] { children.filter { $0.name == name } }
    package func child(named name: String) -> XMLElement? { children.first { $0.name == name } }

    static let depthLimit = 128
    static let countLimit = 2_000_000

    /// Reads a whole file. One that declares entities is refused: they serve nothing here and can be made to explode.
    package static func read(_ bytes: [UInt8], in file: String) throws(Refusal) -> XMLElement {
        if let (entity, line) = entityDeclaration(bytes) {
            throw Refusal(
                "declares an entity (\(entity)), and such files aren't read", in: file,
                at: BadFile.Position(line: line, column: 1),
                hint: "write out what it stands for")
        }
        let tree = XMLTree()
        let parser = XMLParser(data: Data(bytes))
        parser.shouldResolveExternalEntities = false
        parser.delegate = tree
        let isWhole = parser.parse()
        let line = max(parser.lineNumber, 1)
        if let reason = tree.refusal {
            throw Refusal(reason, in: file, at: BadFile.Position(line: tree.line, column: 1))
        }
        // `parse` says yes to what ends too early or goes on behind its end.
        let isEnd = parser.parserError.map { ($0 as NSError).code == XMLTree.documentEnd } ?? false
        guard isWhole, !isEnd, let root = tree.root, tree.open.isEmpty else {
            let reason = parser.parserError.map { XMLTree.words(of: $0) } ?? "it is empty"
            throw Refusal(
                "can't be read as XML: \(reason)", in: file,
                at: BadFile.Position(line: line, column: max(parser.columnNumber, 1)))
        }
        return root
    }
}

extension XMLElement {
    /// The first entity that the file's own document type declares, and its line. The parser tells of none here: it leaves
    /// out what they stand for.
    private static func entityDeclaration(_ bytes: [UInt8]) -> (String, Int)? {
        var rest = bytes[...]
        // In UTF-16 every other byte of what is looked for is zero.
        if bytes.prefix(4).contains(0) || bytes.first ?? 0 >= 0xFE { rest = bytes.filter { $0 != 0 }[...] }
        guard let start = firstDeclaration(in: &rest) else { return nil }
        let line = rest[..<start].count { $0 == UInt8(ascii: "\n") } + 1
        let words = rest[start...].dropFirst(8).prefix { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "\n") }.prefix(40)
        return (String(decoding: words, as: UTF8.self).trimmingCharacters(in: .whitespaces), line)
    }

    /// Goes through what may stand before the first element.
    private static func firstDeclaration(in bytes: inout ArraySlice<UInt8>) -> Int? {
        let (type, declaration) = (Array("<!DOCTYPE".utf8), Array("<!ENTITY".utf8))
        let skipped = [("<!--", "-->"), ("<?", "?>")].map { (Array($0.utf8), Array($1.utf8)) }
        var index = bytes.startIndex
        var isInType = false
        while index < bytes.endIndex {
            let rest = bytes[index...]
            if let (open, close) = skipped.first(where: { rest.starts(with: $0.0) }) {
                guard let end = rest.dropFirst(open.count).firstRange(of: close) else { return nil }
                index = end.upperBound
            } else if rest.starts(with: declaration) {
                return index
            } else if rest.starts(with: type) {
                isInType = true
                index += type.count
            } else if !isInType, rest.first == UInt8(ascii: "<"), rest.dropFirst().first != UInt8(ascii: "!") {
                return nil
            } else if isInType, rest.first == UInt8(ascii: "\"") || rest.first == UInt8(ascii: "'") {
                guard let quote = rest.first, let end = rest.dropFirst().firstIndex(of: quote) else { return nil }
                index = end + 1
            } else {
                if isInType, rest.first == UInt8(ascii: ">"), !bytes[..<index].contains(UInt8(ascii: "[")) { isInType = false }
                index += 1
            }
        }
        return nil
    }
}

private final class XMLTree: NSObject, XMLParserDelegate {
    var root: XMLElement?
    var open: [XMLElement] = []
    var count = 0
    var refusal: String?
    var line = 1

    private func refuse(_ parser: XMLParser, _ reason: String) {
        guard refusal == nil else { return }
        refusal = reason
        line = max(parser.lineNumber, 1)
        parser.abortParsing()
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        count += 1
        if open.count >= XMLElement.depthLimit { return refuse(parser, "has elements more than \(XMLElement.depthLimit) deep") }
        if count > XMLElement.countLimit { return refuse(parser, "has more than \(XMLElement.countLimit) elements") }
        open.append(XMLElement(name: name, attributes: attributes, line: parser.lineNumber))
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        guard let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if !open.isEmpty { open[open.count - 1].text += text }
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        if !open.isEmpty { open[open.count - 1].text += String(decoding: block, as: UTF8.self) }
    }

    /// The codes are libxml2's (xmlerror.h); `XMLParser.ErrorCode` counts otherwise here.
    static let documentEnd = 5

    static func words(of error: any Error) -> String {
        let code = (error as NSError).code
        return switch code {
        case 3, 4: "it is empty or doesn't begin as XML does"
        case documentEnd: "it ends too early, or goes on behind its end"
        case 9, 81: "a character isn't allowed there"
        case 26: "an entity isn't declared"
        case 38: "'<' stands in an attribute"
        case 42: "an attribute stands there twice"
        case 45: "a comment doesn't end"
        case 68: "a '<' or '&' that stands for itself is written &lt; or &amp;"
        case 76: "an end tag doesn't match its start tag"
        case 89: "entities refer to themselves"
        default: "error \(code) of the XML reader"
        }
    }
}
