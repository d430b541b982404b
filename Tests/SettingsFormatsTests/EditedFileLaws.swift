import SettingsModel
import Testing

@testable import SettingsFormats

/// What holds for every file that is edited in place: values are written where they stand, and nothing else changes.
struct EditedFileLaws {
    let format: any Format.Type
    let name: String
    let bytes: [UInt8]
    let settings: SettingsContent
    /// How many values were changed and set back.
    private(set) var edited = 0

    init(_ format: any Format.Type, _ name: String, _ bytes: [UInt8]) throws {
        (self.format, self.name, self.bytes) = (format, name, bytes)
        settings = try format.read(Source(files: [(path: name, bytes: bytes)]), ReadRequest()).settings
    }

    func written(_ settings: SettingsContent, into bytes: [UInt8], prunes: Bool = false) throws -> [UInt8] {
        var request = WriteRequest()
        request.present = bytes
        request.name = name
        request.prunes = prunes
        guard case .text(let text) = try format.write(settings, request) else { return [] }
        return text
    }

    func values(_ bytes: [UInt8]) throws -> [Key: JSON?] {
        try format.read(Source(files: [(path: name, bytes: bytes)]), ReadRequest()).settings.options.mapValues(\.value)
    }

    /// Another value of the option's type.
    static func other(_ option: SettingsOption) -> JSON? {
        switch (option.type, option.value) {
        case (.switch, let value?): value == option.offOn.on ? option.offOn.off : option.offOn.on
        case (.number, .number(let number)?): number.adding(Number(1)).map { .number($0) }
        case (.text, .string(let text)?) where option.pattern == nil && !text.string.contains("\n"):
            .string(ExactText(text.string + "x"))
        default: nil
        }
    }

    /// Changes values one at a time. `mayRespell`: a value that is set back may be spelled in another way. `isText`: only its
    /// own bytes differ.
    mutating func check(most: Int = 12, mayRespell: Bool = false, isText: Bool = true) throws {
        #expect(try written(settings, into: bytes) == bytes, "\(name): no edit")
        #expect(try written(settings, into: bytes, prunes: true) == bytes, "\(name): no edit, pruned")
        let before = settings.options.mapValues(\.value)
        let keys = settings.options.keys.sorted().filter {
            Self.other(settings.options[$0] ?? SettingsOption(title: "", type: .data)) != nil
        }
        for key in keys.enumerated().filter({ $0.offset % max(1, keys.count / most) == 0 }).map(\.element) {
            guard let option = settings.options[key], let new = Self.other(option) else { continue }
            var changed = settings
            changed.options[key]?.value = new
            let result: [UInt8]
            do { result = try written(changed, into: bytes) } catch let refusal as Refusal {
                #expect(!refusal.reason.isEmpty && refusal.reason.contains(option.importedKey?.string ?? key.name), "\(name)")
                continue
            }
            edited += 1
            var wanted = before
            wanted[key] = new
            let read = try values(result)
            #expect(Set(read.keys) == Set(wanted.keys), "\(name): \(key)")
            for (key, value) in wanted where !Self.isEqual(read[key] ?? nil, value) {
                Issue.record("\(name): \(key) is \(read[key]??.compact ?? "gone") instead of \(value?.compact ?? "unset")")
            }
            if isText { try checkSpan(result, option, key) }
            let back = try written(settings, into: result)
            if back != bytes, !mayRespell { Issue.record("\(name): \(key) set back:\n\(Self.difference(bytes, back))") }
            #expect(try values(back) == before, "\(name): \(key)")
        }
    }

    private static func isEqual(_ left: JSON?, _ right: JSON?) -> Bool {
        if case .number(let left)? = left, case .number(let right)? = right { return left.isEqual(to: right) }
        return left == right
    }

    /// The bytes that differ lie within the lines of one value.
    private func checkSpan(_ result: [UInt8], _ option: SettingsOption, _ key: Key) throws {
        let head = zip(bytes, result).prefix { $0 == $1 }.count
        let tail = zip(bytes.dropFirst(head).reversed(), result.dropFirst(head).reversed()).prefix { $0 == $1 }.count
        let old = bytes[head..<bytes.count - tail]
        let text = option.value?.text?.string ?? option.value?.compact ?? ""
        // A backslash at the end of a line is no line of the value.
        let breaks = old.indices.count { old[$0] == 10 && ($0 == old.startIndex || old[$0 - 1] != UInt8(ascii: "\\")) }
        let isWithin = old.count <= max(text.utf8.count * 6, 16) && breaks <= text.utf8.count { $0 == 10 }
        #expect(isWithin, "\(name): \(key): \(String(decoding: old, as: UTF8.self)) differs")
    }

    /// Adds an option and removes it again.
    func checkAddition(_ key: Key, _ value: JSON) throws {
        var more = settings
        more.options[key] = SettingsOption(title: "New", type: .text, value: value)
        let added = try written(more, into: bytes)
        #expect(try values(added)[key] == value, "\(name)")
        #expect(try written(settings, into: added) == added, "\(name): what the store lacks stays")
        let removed = try written(settings, into: added, prunes: true)
        if removed != bytes { Issue.record("\(name): added and removed:\n\(Self.difference(bytes, removed))") }
    }

    static func difference(_ left: [UInt8], _ right: [UInt8]) -> String {
        let head = zip(left, right).prefix { $0 == $1 }.count
        func excerpt(_ bytes: [UInt8]) -> String {
            String(decoding: bytes[max(0, head - 40)..<min(bytes.count, head + 80)], as: UTF8.self).debugDescription
        }
        return "\(excerpt(left))\n\(excerpt(right))"
    }
}
