package import SettingsModel

/// A value of Apple's property lists with everything that the file contains: the order of a dictionary's members, their
/// lines, and whether a number was written as an integer or a real. `PropertyListSerialization` keeps none
/// of these.
package indirect enum PropertyList: Hashable, Sendable {
    case dictionary(Members)
    case array([PropertyList])
    case string(ExactText)
    /// A decimal integer of 64 bits, signed or unsigned.
    case integer(Number)
    /// A number with a point or an exponent, or `nan`, `inf` or `-inf`.
    case real(String)
    case boolean(Bool)
    /// `2001-01-01T00:00:00Z`
    case date(String)
    case data([UInt8])
    /// Refers to another object of a keyed archive.
    case uid(UInt64)
    /// Only the binary form has sets and nulls.
    case set([PropertyList])
    case null

    /// Arrays and dictionaries that are nested deeper are rejected: a store's files allow 128 levels.
    static let depthLimit = 100

    /// The members of a dictionary in order, with unique names.
    package struct Members: Hashable, Sendable {
        package var entries: [Entry] = []
        /// The line of the dictionary in its file, from 1; nil if the file has no meaningful lines.
        package var line: Int?

        package struct Entry: Hashable, Sendable {
            package var name: ExactText
            package var value: PropertyList
            package var line: Int?

            package init(name: ExactText, value: PropertyList, line: Int? = nil) {
                self.name = name
                self.value = value
                self.line = line
            }
        }

        package init(_ entries: [Entry] = [], line: Int? = nil) {
            self.entries = entries
            self.line = line
        }

        package subscript(name: ExactText) -> PropertyList? {
            get { entries.first { $0.name == name }?.value }
            set {
                let index = entries.firstIndex { $0.name == name }
                switch (index, newValue) {
                case (let index?, let value?): entries[index].value = value
                case (let index?, nil): entries.remove(at: index)
                case (nil, let value?): entries.append(Entry(name: name, value: value))
                case (nil, nil): break
                }
            }
        }

        package func line(of name: ExactText) -> Int? { entries.first { $0.name == name }?.line }

        /// The lines in the file are not compared.
        package static func == (left: Members, right: Members) -> Bool {
            left.entries.count == right.entries.count
                && zip(left.entries, right.entries).allSatisfy { $0.name == $1.name && $0.value == $1.value }
        }

        package func hash(into hasher: inout Hasher) {
            for entry in entries {
                hasher.combine(entry.name)
                hasher.combine(entry.value)
            }
        }
    }

    package static func string(_ string: String) -> PropertyList { .string(ExactText(string)) }

    var text: ExactText? { if case .string(let text) = self { text } else { nil } }
    var members: Members? { if case .dictionary(let members) = self { members } else { nil } }
    var elements: [PropertyList]? { if case .array(let elements) = self { elements } else { nil } }

    /// The kind of value, for an error.
    var kind: String {
        switch self {
        case .dictionary: "a dictionary"
        case .array: "an array"
        case .string: "a string"
        case .integer: "an integer"
        case .real: "a real"
        case .boolean: "a boolean"
        case .date: "a date"
        case .data: "data"
        case .uid: "a reference in an archive"
        case .set: "a set"
        case .null: "a null"
        }
    }
}

extension PropertyList.Members {
    /// Removes duplicate names: the last member counts, as in Apple's programs.
    static func unique(
        _ entries: [Entry], line: Int?, in file: String, _ repairs: inout [Repair]
    ) -> PropertyList.Members {
        var members = PropertyList.Members(line: line)
        var places: [ExactText: Int] = [:]
        for entry in entries {
            guard let place = places[entry.name] else {
                places[entry.name] = members.entries.count
                members.entries.append(entry)
                continue
            }
            let first = members.entries[place]
            let isSame = first.value == entry.value
            let lines = first.line.map { ", the first time in line \($0)" } ?? ""
            repairs.append(
                Repair(
                    isSame ? .kept : .repaired, file: file, line: entry.line, key: entry.name.string,
                    found: "the name appears twice\(lines)",
                    done: isSame ? "both values are the same" : "the last one counts"))
            members.entries[place] = entry
        }
        return members
    }
}
