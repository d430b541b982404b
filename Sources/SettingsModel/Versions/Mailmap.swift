/// Which names and addresses are one person's: https://git-scm.com/docs/gitmailmap
package struct Mailmap: Sendable {
    private struct Entry {
        var name: String?
        var email: String?
        /// By the name that was recorded, in lower case.
        var byName: [String: (name: String?, email: String?)] = [:]
    }

    /// By the address that was recorded, in lower case.
    private var entries: [String: Entry] = [:]

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    /// Adds the lines of a file. Those that are no mapping say nothing; a later one counts before an earlier one.
    package mutating func add(file: some Sequence<UInt8>) {
        for line in file.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") { add(line[...]) }
    }

    /// As git reads it: names and an address that count, then names and an address that were recorded.
    private mutating func add(_ line: ArraySlice<UInt8>) {
        guard let new = Self.person(in: line), !new.email.isEmpty else { return }
        guard let old = Self.person(in: new.rest) else { return add(name: new.name, email: nil, for: nil, new.email) }
        add(name: new.name, email: new.email, for: old.name, old.email)
    }

    private mutating func add(name: String?, email: String?, for oldName: String?, _ oldEmail: String) {
        let key = oldEmail.lowercased()
        if let oldName {
            entries[key, default: Entry()].byName[oldName.lowercased()] = (name, email)
        } else {
            if let name { entries[key, default: Entry()].name = name }
            if let email { entries[key, default: Entry()].email = email }
        }
    }

    private static func person(
        in line: ArraySlice<UInt8>
    ) -> (name: String?, email: String, rest: ArraySlice<UInt8>)? {
        guard let open = line.firstIndex(of: UInt8(ascii: "<")), let close = line[open...].firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        func isSpace(_ byte: UInt8) -> Bool { byte == 32 || 9...13 ~= byte }
        var name = line[..<open].drop(while: isSpace)
        while let last = name.last, isSpace(last) { name.removeLast() }
        return (
            name.isEmpty ? nil : String(decoding: name, as: UTF8.self),
            String(decoding: line[line.index(after: open)..<close], as: UTF8.self), line[line.index(after: close)...]
        )
    }

    /// Who a recorded author or committer is.
    package func person(_ recorded: Person) -> Person {
        guard !entries.isEmpty, let entry = entries[recorded.email.lowercased()] else { return recorded }
        let named = entry.byName.isEmpty ? nil : entry.byName[recorded.name.lowercased()]
        let (name, email) = named ?? (entry.name, entry.email)
        return Person(name: name ?? recorded.name, email: email ?? recorded.email)
    }
}
