/// A key as somebody wrote it, and what it may stand for.
///
/// `general.language`, `general/language` and `general/language.json` are a key in full, also in a folder of the store: the
/// same words in a script mean the same wherever it runs. Only where there is nothing of that key does a word count from the
/// current folder. `./language` and `../sound/volume` always count from there, `/general/language` from the store's folder.
/// A slash or a dot at the end names a group, and `/` alone the one that contains everything.
package struct KeyWord: Hashable, Sendable {
    package let text: String
    /// The first one that exists counts. None if the word is not a key.
    package let readings: [Key]
    /// Whether only a group can be meant.
    package let isGroup: Bool
    /// Why there are no readings.
    let fault: Problem?

    init(_ text: String, from place: CurrentFolder?) {
        self.text = text
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isRelative = parts.contains(".") || parts.contains("..")
        // As a shell completes the key of a group.
        let endsInDot = !isRelative && text.hasSuffix(".") && !text.hasSuffix("..") && text.utf8.count > 1
        isGroup = text.hasSuffix("/") || endsInDot || isRelative && (parts.last == "." || parts.last == "..")
        let path = text.hasSuffix("/") || endsInDot ? String(text.dropLast()) : text
        do throws(Problem) {
            readings = try Self.readings(path, isRelative, parts.count, place, text)
            fault = nil
        } catch {
            readings = []
            fault = error
        }
    }

    private static func readings(
        _ path: String, _ isRelative: Bool, _ count: Int, _ place: CurrentFolder?, _ text: String
    ) throws(Problem) -> [Key] {
        if text == "/" { return [.root] }
        if isRelative, let place {
            guard let parts = place.place(path) else { throw .key(.isOutside(text, store: place.storePath)) }
            return [try key(parts, text)]
        }
        if path.hasPrefix("/") {
            if let parts = place?.place(path) { return [try key(parts, text)] }
            return [try key(String(path.dropFirst()), text)]
        }
        // From outside, a path may lead into the store; a name alone does not.
        let parts = place.flatMap { $0.isInStore || count > 1 ? $0.place(path) : nil }
        let nearby = path.isEmpty ? nil : parts.flatMap { try? key($0, text) }
        do throws(Problem) {
            let full = try key(path, text)
            return nearby == nil || nearby == full ? [full] : [full] + [nearby].compactMap { $0 }
        } catch {
            guard let nearby else { throw error }
            return [nearby]
        }
    }

    private static func key(_ parts: [String], _ text: String) throws(Problem) -> Key {
        guard let last = parts.last else { return .root }
        var path = ""
        for part in parts.dropLast() {
            path += part
            path += "/"
        }
        path += last.hasSuffix(".json") ? String(last.dropLast(5)) : last
        return try key(path, text)
    }

    private static func key(_ path: String, _ text: String) throws(Problem) -> Key {
        do { return try Key(path) } catch { throw .key(.malformed(text, error)) }
    }

    /// The key of what need not be there yet, so in full unless the word says otherwise.
    package func written(nearby: Bool = false) throws(Problem) -> Key {
        if let fault { throw fault }
        return nearby ? readings[readings.count - 1] : readings[0]
    }
}

extension Caller {
    package func word(_ text: String) -> KeyWord { KeyWord(text, from: place) }

    /// The key of an option that need not be there yet.
    package func key(_ text: String, nearby: Bool = false) throws(Problem) -> Key {
        let word = word(text)
        let key = try word.written(nearby: nearby)
        if word.isGroup || key.isRoot { throw .key(.namesGroup(text)) }
        return key
    }

    /// The key of a group that need not be there yet.
    package func group(_ text: String) throws(Problem) -> Key { try word(text).written() }
}
