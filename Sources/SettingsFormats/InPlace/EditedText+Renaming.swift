import SettingsModel

/// Members get another name in the place where they are, so that their values, comments and neighbours stay as they are.
extension EditedText {
    /// Renames what can be renamed. What can't, because its name is a part of others or the file would mean something else, is left
    /// as it is: an edit removes it then, and adds it under its new name.
    static func rename(_ renames: [MemberRename], _ bytes: inout [UInt8], _ present: inout PlainTree, in file: String) {
        for rename in renames {
            guard let edited = renamed(bytes, rename, in: file), let again = try? self.present(edited, in: file),
                again.root == present.root.renaming(rename.path.names[...], to: rename.name)
            else { continue }
            (bytes, present) = (edited, again)
        }
    }

    static func renamed(_ bytes: [UInt8], _ rename: MemberRename, in file: String) -> [UInt8]? {
        respelled(bytes, rename, in: file)
    }

    fileprivate static func respelled(_ bytes: [UInt8], _ rename: MemberRename, in file: String) -> [UInt8]? {
        let spellings = spellings(ofName: rename.path.names, in: bytes, file)
        var edits = FileEdits(bytes)
        for range in spellings { edits.replace(range, by: spelling(of: rename.name, like: bytes[range])) }
        return spellings.isEmpty ? nil : edits.applied()
    }

    /// A name in the same quotes, or in double quotes if it can't do without.
    static func quoted(
        _ name: ExactText, like old: ArraySlice<UInt8>, isBare: (UInt8) -> Bool, _ quoted: (String) -> String
    ) -> String {
        let text = name.string
        switch old.first {
        case UInt8(ascii: "'") where !text.contains { $0 == "'" || $0 == "\\" || $0.isNewline }: return "'\(text)'"
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return quoted(text)
        default: return !text.isEmpty && text.utf8.allSatisfy(isBare) ? text : quoted(text)
        }
    }
}

extension JSON {
    /// With another name for the member at `names`; nil if there is none, or one with the new name.
    fileprivate func renaming(_ names: ArraySlice<ExactText>, to new: ExactText) -> JSON? {
        guard case .object(var members) = self, let name = names.first,
            let index = members.firstIndex(where: { $0.name == name })
        else { return nil }
        if names.count == 1 {
            if members.contains(where: { $0.name == new }) { return nil }
            members[index].name = new
        } else {
            guard let value = members[index].value.renaming(names.dropFirst(), to: new) else { return nil }
            members[index].value = value
        }
        return .object(members)
    }
}

extension JSONFormat {
    static func spellings(ofName names: [ExactText], in bytes: [UInt8], _ file: String) -> [Range<Int>] {
        guard let document = try? JSONC(bytes, in: file), let name = names.last else { return [] }
        var node = document.root
        for name in names.dropLast() { node = node?[name] }
        guard case .object(let items)? = node?.content else { return [] }
        return items.filter { $0.name == name }.map { item in
            let colon = bytes[item.start..<item.value.range.lowerBound].lastIndex(of: UInt8(ascii: "\""))
            return item.start..<(colon.map { $0 + 1 } ?? item.start)
        }
    }

    static func spelling(of name: ExactText, like old: ArraySlice<UInt8>) -> String { JSON.string(name).compact }
}

extension YAMLFormat {
    static func spellings(ofName names: [ExactText], in bytes: [UInt8], _ file: String) -> [Range<Int>] {
        var place = (try? YAMLPlaces(bytes))?.root
        var found: [Range<Int>] = []
        for name in names {
            guard case .mapping(let members, _)? = place?.content else { return [] }
            let own = members.filter { $0.name == name }
            found = own.map { $0.start..<$0.keyEnd }
            place = own.last?.value
        }
        return found
    }

    static func spelling(of name: ExactText, like old: ArraySlice<UInt8>) -> String {
        quoted(name, like: old, isBare: TOMLReader.isNameByte) { JSON.string(ExactText($0)).compact }
    }
}

extension TOMLFormat {
    static func spellings(ofName names: [ExactText], in bytes: [UInt8], _ file: String) -> [Range<Int>] {
        guard var table = try? TOMLReader.root(of: bytes), let name = names.last else { return [] }
        for name in names.dropLast() {
            guard case .table(let inner)? = table[name] else { return [] }
            table = inner
        }
        return table.nameRanges[name].map { [$0] } ?? []
    }

    static func spelling(of name: ExactText, like old: ArraySlice<UInt8>) -> String {
        quoted(name, like: old, isBare: TOMLReader.isNameByte, TOMLWriter.line)
    }
}

extension EnvFormat {
    static func spellings(ofName names: [ExactText], in bytes: [UInt8], _ file: String) -> [Range<Int>] {
        let variables = (try? EnvReader.variables(of: bytes, in: file)) ?? []
        return variables.filter { [$0.name] == names }.map { variable in
            variable.nameEnd - variable.name.string.utf8.count..<variable.nameEnd
        }
    }
}

extension PropertyListFormat {
    static func renamed(_ bytes: [UInt8], _ rename: MemberRename, in file: String) -> [UInt8]? {
        PropertyList.isBinary(bytes)
            ? try? BinaryPropertyListEditor.renamed(bytes, rename) : respelled(bytes, rename, in: file)
    }

    static func spellings(ofName names: [ExactText], in bytes: [UInt8], _ file: String) -> [Range<Int>] {
        guard PropertyList.isXML(bytes) else {
            let places = (try? OldStylePropertyList.places(in: bytes)) ?? []
            return places.filter { [$0.name] == names && $0.value != nil }.map(\.nameRange)
        }
        guard let root = try? XMLElement.read(bytes, in: file) else { return [] }
        var element = root.name == "plist" ? root.children.first : root
        var found: [Range<Int>] = []
        for name in names {
            guard let children = element?.children, element?.name == "dict" else { return [] }
            let own = stride(from: 0, to: children.count - 1, by: 2).filter { children[$0].text == name.string }
            found = own.map { children[$0].content }
            element = own.last.map { children[$0 + 1] }
        }
        return found
    }

    static func spelling(of name: ExactText, like old: ArraySlice<UInt8>) -> String {
        switch old.first {
        case UInt8(ascii: "\""): StringsEditor.quoted(name.string)
        case UInt8(ascii: "'"): StringsEditor.quoted(name.string, "'")
        default: (try? PropertyList.escaped(name.string)) ?? ""
        }
    }
}

extension KeyFileFormat {
    static func spellings(ofName names: [ExactText], in bytes: [UInt8], _ file: String) -> [Range<Int>] {
        (try? KeyFileScanner.read(bytes, as: dialect(of: file), in: file))?.spellings(ofName: names) ?? []
    }
}

extension KeyFileText {
    /// The places of a key's name, or of a section's name between the brackets.
    func spellings(ofName names: [ExactText]) -> [Range<Int>] {
        let keys = entries.filter { path(of: $0) + [$0.name] == names }.map(\.key)
        return keys.isEmpty && names.count == 1 && dialect.sections != .git
            ? sections.filter { $0.path == names }.map { $0.header.lowerBound + 1..<$0.header.upperBound - 1 } : keys
    }
}
