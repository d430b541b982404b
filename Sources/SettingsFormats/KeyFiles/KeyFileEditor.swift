import SettingsModel

/// Edits key files: the span of a value, a line of a key, a section at the end. Everything else stays.
struct KeyFileEditor {
    let text: KeyFileText
    private(set) var edits: FileEdits
    private var refusals: [Refusal] = []
    /// The keys of each section by their names as they are compared.
    private let entries: [[ExactText]: [ExactText: [KeyFileText.Entry]]]
    private let paths: Set<[ExactText]>

    var dialect: KeyFileDialect { text.dialect }

    static func edited(_ text: KeyFileText, from present: JSON, to wanted: JSON) throws(Refusal) -> [UInt8] {
        var editor = KeyFileEditor(text: text, edits: FileEdits(text.bytes))
        editor.edit(from: present, to: wanted)
        if let refusal = Refusal.joined(editor.refusals) { throw refusal }
        return editor.edits.applied()
    }

    private init(text: KeyFileText, edits: FileEdits) {
        (self.text, self.edits) = (text, edits)
        paths = Set(text.sections.map(\.path) + [[]])
        entries = text.keys
    }

    private mutating func edit(from present: JSON, to wanted: JSON) {
        checkLevels(wanted)
        let old = present.sections(dialect)
        let new = wanted.sections(dialect)
        let before = Dictionary(old.map { ($0.path, $0.members) }) { first, _ in first }
        let places = Set(new.map(\.path))
        for section in old where !places.contains(section.path) {
            edit(section.path, from: section.members, to: [])
        }
        for section in new {
            if paths.contains(section.path) {
                edit(section.path, from: before[section.path] ?? [], to: section.members)
            } else if !section.members.isEmpty {
                add(section.path, section.members)
            }
        }
    }

    /// Every key is in a section, and no section is deeper than the dialect's are.
    private mutating func checkLevels(_ wanted: JSON) {
        guard case .object(let tops) = wanted else { return }
        for top in tops {
            guard case .object = top.value, dialect.depth > 0 else {
                if dialect.depth == 0 {
                    refuseGroups(top, in: [])
                } else if !dialect.allowsTopKeys {
                    refuse([top.name], "a key of \(dialect.name.rawValue) stands in a section, and it is in no group")
                }
                continue
            }
            for (path, members) in top.value.sections(dialect, in: [top.name]) {
                for member in members { refuseGroups(member, in: path) }
            }
        }
    }

    /// Names every option in a group that is too deep.
    private mutating func refuseGroups(_ member: JSON.Member, in path: [ExactText], isInner: Bool = false) {
        if case .object(let members) = member.value {
            for inner in members { refuseGroups(inner, in: path + [member.name], isInner: true) }
        } else if isInner {
            refuse(
                path + [member.name],
                "\(dialect.name.rawValue) has no groups" + ["", " within sections", " within subsections"][dialect.depth])
        }
    }

    mutating func refuse(_ path: [ExactText], _ reason: String, hint: String? = nil) {
        let name = path.map { $0.string.hasPrefix("\"") ? String($0.string.dropFirst().dropLast()) : $0.string }
        refusals.append(
            Refusal(
                "'\(name.joined(separator: "."))' can't be written: \(reason)",
                hint: hint ?? "change it, or export it in another format: json, yaml, toml"))
    }
}

/// Sections.
extension KeyFileEditor {
    private mutating func edit(_ path: [ExactText], from before: [JSON.Member], to members: [JSON.Member]) {
        let entries = entries[path] ?? [:]
        let old = Dictionary(before.map { ($0.name, $0.value) }) { first, _ in first }
        var isKept = false
        for step in MemberStep.steps(from: before.map(\.name), to: members) {
            switch step {
            case .keep(let member):
                isKept = true
                guard old[member.name] != member.value, let own = entries[dialect.folded(member.name)] else { continue }
                replace(own, by: member, in: path)
            case .remove(let name): for entry in entries[dialect.folded(name)] ?? [] { remove(entry) }
            case .insert(let member):
                if entries[dialect.folded(member.name)] != nil {
                    refuse(path + [member.name], "another option has the same key, because case is ignored there")
                    continue
                }
                isKept = true
                insert(member, in: path)
            }
        }
        if !isKept, !before.isEmpty, !path.isEmpty { removeSection(path) }
    }

    /// Adds a section at the end of the file, with a blank line above it where other sections have one.
    private mutating func add(_ path: [ExactText], _ members: [JSON.Member]) {
        guard let header = header(of: path) else {
            return refuse(path, "the name of the section has characters that can't stand there")
        }
        var lines = "[\(header)]\n"
        let (indent, delimiter) = style(in: path)
        for member in members { lines += self.lines(of: member, in: path, indent, delimiter) }
        edits.insertLines((isSpaced ? "\n" : "") + lines, at: edits.bytes.count, isSection: true)
    }

    /// Whether a blank line precedes sections; the comments of a section precede it without one.
    private var isSpaced: Bool {
        if edits.bytes.allSatisfy({ $0.isKeyFileBlank || $0 == 10 || $0 == 13 }) {
            return edits.isEmpty ? false : dialect.spacesSections
        }
        let later = text.sections.dropFirst()
        if later.isEmpty { return dialect.spacesSections }
        return later.contains { isBlank(above: commentStart(above: $0.header.lowerBound)) }
    }

    private func isBlank(above line: Int) -> Bool {
        line > 0 && edits.bytes[edits.lineStart(of: line - 1)..<line].allSatisfy { $0.isKeyFileBlank || $0 == 10 || $0 == 13 }
    }

    /// The first line of the comments directly above a line, or the line itself.
    private func commentStart(above offset: Int) -> Int {
        var start = edits.lineStart(of: offset)
        while start > 0 {
            let above = edits.lineStart(of: start - 1)
            guard isComment(above) else { break }
            start = above
        }
        return start
    }

    private func isComment(_ line: Int) -> Bool {
        let first = edits.skippingSpace(from: line)
        return first < edits.bytes.count && dialect.comments.contains(edits.bytes[first])
    }

    /// The comments that are lines of their own; some may be inside of values.
    private func comments(in range: Range<Int>) -> [Int] {
        var lines: [Int] = []
        var line = range.lowerBound
        while line < range.upperBound {
            if isComment(line) { lines.append(line) }
            line = edits.nextLine(after: line)
        }
        return lines
    }

    private func isInValue(_ line: Int) -> Bool { text.entries.contains { $0.key.lowerBound < line && line < $0.end } }

    /// Removes the headers of a section without keys, with the blank line above, unless a comment stands in it.
    private mutating func removeSection(_ path: [ExactText]) {
        for (index, section) in text.sections.enumerated() where section.path == path {
            let (start, rest) = (edits.lineStart(of: section.header.lowerBound), section.header.upperBound)
            let next = index + 1 < text.sections.count ? text.sections[index + 1].header.lowerBound : edits.bytes.count
            let line = edits.nextLine(after: rest)
            // The header may stand on a line with a key or a comment.
            guard edits.skippingSpace(from: rest) >= edits.lineEnd(of: rest), edits.isFirstOnLine(section.header.lowerBound),
                comments(in: line..<max(line, next < edits.bytes.count ? commentStart(above: next) : next)).allSatisfy(isInValue)
            else { continue }
            if isBlank(above: start) { edits.remove(edits.lineStart(of: start - 1)..<start) }
            edits.remove(start..<line)
        }
    }
}

/// Keys.
extension KeyFileEditor {
    private mutating func replace(_ entries: [KeyFileText.Entry], by member: JSON.Member, in path: [ExactText]) {
        if dialect.isList(member.name) { return replaceItems(entries, by: member, in: path) }
        // Of keys that are repeated the last one counts.
        guard let entry = entries.last else { return }
        if dialect.separator == nil, let items = entry.value?.items, case .array(let values) = member.value {
            return replaceLines(entry, items, by: values, path + [member.name])
        }
        replaceValue(entry, by: member.value, path + [member.name])
    }

    private mutating func replaceValue(_ entry: KeyFileText.Entry, by json: JSON, _ path: [ExactText]) {
        let span = entry.value?.span ?? entry.key.upperBound..<entry.key.upperBound
        let old = edits.bytes[span]
        guard let word = encoded(json, like: entry, path) else { return }
        guard entry.value != nil else {
            return edits.insert(style(in: Array(path.dropLast())).delimiter + word, at: span.lowerBound)
        }
        let delimiter = edits.bytes[entry.key.upperBound..<span.lowerBound]
        let isSpaced = delimiter.first?.isKeyFileBlank == true && delimiter.last?.isKeyFileBlank == false
        if word.isEmpty, !endsEmptyWithBlank, let sign = delimiter.lastIndex(where: { !$0.isKeyFileBlank }) {
            return edits.remove(sign + 1..<span.upperBound)
        }
        if [.blank, .indentation].contains(dialect.continuation) { keepComments(in: span, above: entry, without: word) }
        // A comment behind an empty value needs a blank before it.
        let isBeforeComment =
            old.isEmpty && span.upperBound < edits.bytes.count && dialect.inlineComments.contains(edits.bytes[span.upperBound])
        let head = old.isEmpty && isSpaced && !isBeforeComment && !word.hasPrefix("\n") ? " " : ""
        edits.replace(span, by: head + word + (isBeforeComment ? " " : ""))
    }

    /// The comments between the lines of a value that its new spelling lacks are put above the key.
    private mutating func keepComments(in span: Range<Int>, above entry: KeyFileText.Entry, without word: String) {
        let lines = comments(in: min(edits.nextLine(after: span.lowerBound), span.upperBound)..<span.upperBound).map {
            self.text.string($0..<edits.lineEnd(of: $0))
        }
        let start = edits.lineStart(of: entry.key.lowerBound)
        for line in lines where !word.contains(line) { edits.insertLines(line + "\n", at: start) }
    }

    /// Whether the file has a blank behind the delimiter of empty values.
    private var endsEmptyWithBlank: Bool {
        let empty = text.entries.compactMap(\.value?.span).filter(\.isEmpty)
        return empty.contains { $0.lowerBound > 0 && edits.bytes[$0.lowerBound - 1].isKeyFileBlank }
    }

    /// The items of a list are the values of repeated keys.
    private mutating func replaceItems(_ entries: [KeyFileText.Entry], by member: JSON.Member, in path: [ExactText]) {
        let old = entries.map(text.json)
        let new = if case .array(let values) = member.value { values } else { [member.value] }
        let first = entries[0]
        var last: KeyFileText.Entry?
        for step in ListStep.steps(from: old, to: new) {
            switch step {
            case .keep(let index, let value):
                last = entries[index]
                if old[index] != value { replaceValue(entries[index], by: value, path + [member.name]) }
            case .remove(let index):
                last = entries[index]
                remove(entries[index])
            case .insert(let value, _):
                let delimiter = delimiter(of: last ?? first) ?? style(in: path).delimiter
                guard let word = encoded(value, like: nil, path + [member.name]) else { continue }
                let indent = edits.indent(of: (last ?? first).key.lowerBound)
                let line = (keySpelling(member.name) ?? "") + delimiter + word + "\n"
                guard let last else {
                    // Before the first item, which may stand on a line with the header.
                    edits.insert(line + indent, at: first.key.lowerBound)
                    continue
                }
                edits.insertLines(indent + line, at: edits.nextLine(after: last.end))
            }
        }
    }

    /// The items of a list are lines of one value.
    private mutating func replaceLines(
        _ entry: KeyFileText.Entry, _ items: [(span: Range<Int>, text: ExactText)], by values: [JSON], _ path: [ExactText]
    ) {
        let indent = edits.indent(of: items[0].span.lowerBound)
        var end = entry.value?.span.lowerBound ?? entry.key.upperBound
        for step in ListStep.steps(from: items.map { .string($0.text) }, to: values) {
            switch step {
            case .keep(let index, let value):
                end = items[index].span.upperBound
                guard .string(items[index].text) != value, let word = item(value, path) else { continue }
                edits.replace(items[index].span, by: word)
            case .remove(let index):
                end = items[index].span.upperBound
                edits.removeLines(items[index].span)
            case .insert(let value, _):
                guard let word = item(value, path) else { continue }
                edits.insertLines(indent + word + "\n", at: edits.nextLine(after: end))
            }
        }
    }

    /// Removes the lines of a key; a section on the same line stays.
    private mutating func remove(_ entry: KeyFileText.Entry) {
        if edits.isFirstOnLine(entry.key.lowerBound) { return edits.removeLines(entry.key.lowerBound..<entry.end) }
        let end = entry.value?.span.upperBound ?? entry.key.upperBound
        let start = edits.bytes[..<entry.key.lowerBound].lastIndex { !$0.isKeyFileBlank }.map { $0 + 1 } ?? 0
        edits.remove(start..<end)
    }

    /// Adds a key below its commented twin if there is exactly one, else behind the last key of the section's last part.
    private mutating func insert(_ member: JSON.Member, in path: [ExactText]) {
        let regions = text.regions(of: path)
        guard let region = regions.last else { return }
        let (indent, delimiter) = style(in: path)
        let lines = lines(of: member, in: path, indent, delimiter)
        if let twin = twin(of: member.name, in: regions) { return edits.insertLines(lines, at: edits.nextLine(after: twin)) }
        let last = text.entries.last { region.contains($0.key.lowerBound) }?.end
        // A file without sections ends in its keys; those above the first section begin the file.
        if path.isEmpty, last == nil, !text.sections.isEmpty { return edits.insertLines(lines + "\n", at: region.lowerBound) }
        let end = last ?? (path.isEmpty ? region.upperBound : region.lowerBound)
        edits.insertLines(lines, at: end == edits.bytes.count ? end : edits.nextLine(after: end))
    }

    /// The line of `#key = value` in the section; nil if there are several or none.
    private func twin(of name: ExactText, in regions: [Range<Int>]) -> Int? {
        let twins = regions.flatMap { region in
            let start = region.lowerBound == 0 ? 0 : edits.nextLine(after: region.lowerBound)
            return comments(in: start..<max(start, region.upperBound)).filter { line in
                let comment = edits.bytes[edits.skippingSpace(from: line)..<edits.lineEnd(of: line)].drop(
                    while: dialect.comments.contains)
                let key = comment.prefix { !dialect.delimiters.contains($0) }
                let words = String(decoding: key, as: UTF8.self).split(separator: " ")
                return key.count < comment.count && words.count == 1
                    && dialect.folded(ExactText(String(words[0]))) == dialect.folded(name) && !isInValue(line)
            }
        }
        return twins.count == 1 ? twins[0] : nil
    }
}
