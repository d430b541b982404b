import Files
import SettingsModel
import SettingsStore
import SettingsText

/// `settings set KEY VALUE …`
struct SetRequest: PlainCommand, Equatable {
    var words: [String]
    var label: String?
    var index: Int?
    var next = false
    var previous = false
    var conditions: [String] = []
    var json = false
    var record = RecordRequest()
    var global = GlobalRequest()

    func run() throws {
        let context = Context(global)
        try Recording(context: context, options: record, json: json).edit(try request)
    }

    private var request: EditRequest {
        get throws {
            .set(
                try assignments(),
                conditions: try conditions.map { word throws(Problem) in try EditRequest.Condition(word) })
        }
    }

    private func assignments() throws -> [EditRequest.Assignment] {
        let words = words.map(Words.plain)
        let wishes: [Wish] = [label.map { .label($0) }, index.map { .index($0) }, next ? .next : nil, previous ? .previous : nil]
            .compactMap { $0 }
        if let wish = wishes.first {
            guard wishes.count == 1 else {
                throw Failure(.usage, "--label, --index, --next and --previous cannot be combined")
            }
            guard words.count == 1, let key = words.first, !key.contains("=") else {
                throw Failure(.usage, "--label, --index, --next and --previous take one KEY and no VALUE")
            }
            return [EditRequest.Assignment(key, wish)]
        }
        guard !words.isEmpty else {
            throw Failure(.usage, "missing arguments", hint: "for example: settings set general.language French")
        }
        var assignments: [EditRequest.Assignment] = []
        var rest = words[...]
        var wrong: [Explanation] = []
        while let word = rest.popFirst() {
            if let fault = Self.fault(of: word) {
                wrong.append(fault)
            } else if let assignment = try Self.assignment(word) {
                assignments.append(assignment)
            } else if let value = rest.popFirst() {
                assignments.append(EditRequest.Assignment(word, .word(value == "-" ? try standardInput() : value)))
            } else {
                if let (key, option) = OptionWords.optionAsValueOfSet(Array(ThisProcess.arguments.dropFirst())) {
                    throw OptionWords.missingValue(of: key, option)
                }
                if let hint = Self.hint(forUneven: words) { throw Failure(.usage, "missing VALUE for \(word)", hint: hint) }
                let key = (try? Key(word)).map { _ in word.shellWord } ?? "KEY"
                throw Failure(
                    .usage, "missing VALUE for \(word.isEmpty ? "''" : word)",
                    hint: "'settings set \(key) VALUE'; 'settings show \(key)' lists the possible values")
            }
        }
        if !wrong.isEmpty { throw Failure(.usage, CommandLineHints.all(wrong)) }
        return assignments
    }

    /// For words that are no pairs of KEY and VALUE because of spaces around `=` or within a value.
    private static func hint(forUneven words: [String]) -> String? {
        guard words.count == 3, !words[0].contains("=") else { return nil }
        let (key, value) = (words[0].shellWord, words[2].shellWord)
        if words[1] == "=" {
            return "'settings set \(key) \(value)' or 'settings set \(key)=\(value)', without spaces around '='"
        }
        return "\(key) takes one VALUE: quote a value that has spaces, or give pairs of KEY and VALUE"
    }

    /// What keeps a word of the form KEY+=N or KEY-=N from being an assignment.
    private static func fault(of word: String) -> Explanation? {
        guard let equals = word.firstIndex(of: "="), let sign = word[..<equals].last, "+-".contains(sign) else { return nil }
        let value = String(word[word.index(after: equals)...])
        return Number(value) == nil ? CommandLineHints.isNoNumber(value, addedTo: word[..<equals].dropLast()) : nil
    }

    /// Parses KEY=VALUE, KEY+=N or KEY-=N; nil if the word is a KEY.
    private static func assignment(_ word: String) throws -> EditRequest.Assignment? {
        guard let equals = word.firstIndex(of: "=") else { return nil }
        var key = word[..<equals]
        let value = String(word[word.index(after: equals)...])
        guard let sign = key.last, "+-".contains(sign) else {
            return EditRequest.Assignment(String(key), .word(value == "-" ? try standardInput() : value))
        }
        key = key.dropLast()
        guard let number = Number(value) else { return nil }
        return EditRequest.Assignment(String(key), .plus(sign == "-" ? number.negated : number))
    }

    private static func standardInput() throws -> String {
        let bytes: [UInt8]
        do { bytes = try ThisProcess.standardInput(atMost: JSON.sizeLimit) } catch {
            throw Failure(.cannotWrite, "cannot read standard input: \(error.reason)")
        }
        guard bytes.count <= JSON.sizeLimit else {
            throw Failure(.badData, CommandLineHints.inputIsTooLarge)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.badData, CommandLineHints.inputIsNotText)
        }
        // As in a shell's $(…), a final newline is not part of the value.
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    private func standardInput() throws -> String { try Self.standardInput() }
}

extension SetRequest {
    init?(plain words: ArraySlice<String>) {
        guard let words = PlainWords(words, flags: ["--json"], values: RecordRequest.values), !words.positionals.isEmpty,
            let record = RecordRequest(plain: words), let global = GlobalRequest(plain: words)
        else { return nil }
        self.words = words.positionals
        json = words.has("--json")
        self.record = record
        self.global = global
    }
}
