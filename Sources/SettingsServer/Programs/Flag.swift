import NIOCore
import SettingsModel
import SettingsText

/// An option as OpenFeature's providers get it (OFREP 0.3.0). Their limits: Python's wants a variant, a reason and the details of an
/// error always, and takes 1 for no floating-point number; OFREP's schema knows no null.
struct Flag: Sendable {
    enum Kind { case value, failure, forbidden }

    let kind: Kind
    /// The answer, and what stands for it in the answer of all flags.
    let bytes: ByteBuffer
    /// A digest of the bytes.
    let digest: (UInt64, UInt64)

    /// `origin`: the version that chose the value.
    init(_ key: Key, _ option: SettingsOption, origin: Version?) {
        guard !option.isMasked else {
            self.init(.forbidden, Self.failure(key, "GENERAL", "\(key) is masked: its value is not served."))
            return
        }
        // Of an imported flag that is off, flagd serves no value: a program's own default is in force, and that is no error.
        let isDisabled = option.other["flagd"]?["state"] == "DISABLED"
        let value = isDisabled ? nil : Self.value(of: option)
        let reason: JSON = isDisabled ? "DISABLED" : value == nil ? "UNKNOWN" : "STATIC"
        self.init(
            .value,
            .object([
                "key": .string(key.description), "value": value, "reason": reason,
                "variant": .string(isDisabled ? "disabled" : Self.variant(of: option)),
                "metadata": Self.metadata(option, origin, hasLabel: !isDisabled),
            ]))
    }

    /// Of a file that can't be read.
    init(_ key: Key, unreadable problem: Problem) {
        self.init(.failure, Self.failure(key, "PARSE_ERROR", PageHints.statement(PageHints.words(problem))))
    }

    private init(_ kind: Kind, _ document: JSON) {
        let text = document.compact
        self.kind = kind
        bytes = ByteBuffer(string: text)
        let digest = Array(Who.digest(text).utf8)
        self.digest = (Self.number(digest[0..<16]), Self.number(digest[16..<32]))
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64 {
        UInt64(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
    }

    private static func failure(_ key: Key, _ code: String, _ details: String) -> JSON {
        .object(["key": .string(key.description), "errorCode": .string(code), "errorDetails": .string(details)])
    }

    /// What is in force; nil where a program's own default is.
    private static func value(of option: SettingsOption) -> JSON? {
        guard let value = option.effectiveValue, !value.isNull else { return nil }
        guard option.type == .number, case .number(let number) = value else { return value }
        return .number(hasFractions(option) ? number.withFraction : number.whole ?? number)
    }

    /// Whether a program reads a floating-point number: it must not depend on whether the value happens to be a whole one.
    private static func hasFractions(_ option: SettingsOption) -> Bool {
        var numbers = [option.range.minimum, option.range.maximum, option.range.step].compactMap { $0 }
        for case .number(let number)? in [option.value, option.defaultValue] { numbers.append(number) }
        return numbers.contains { $0.text.contains(".") || $0.whole == nil }
    }

    private static func variant(of option: SettingsOption) -> String {
        guard let value = option.effectiveValue else { return "unset" }
        switch option.type {
        case .choice: return value.bare
        case .switch: return value == option.offOn.on ? "on" : "off"
        case .number, .text, .data: return option.value == nil ? "default" : "value"
        }
    }

    /// What says more of it, and what an imported flag brought with it.
    private static func metadata(_ option: SettingsOption, _ origin: Version?, hasLabel: Bool) -> JSON {
        var members: [JSON.Member] = [
            JSON.Member("title", .string(option.title)), JSON.Member("type", .string(option.type.rawValue)),
        ]
        if hasLabel, let label = option.effectiveValue.flatMap(option.label) {
            members.append(JSON.Member("label", .string(label)))
        }
        if let origin {
            members.append(JSON.Member("version", .string(origin.id.hex)))
            members.append(JSON.Member("changedAt", .string(origin.time.rfc3339)))
            members.append(JSON.Member("changedBy", .string(origin.author.name)))
        }
        if case .object(let own)? = option.other["flagd"]?["metadata"] {
            let names = Set(members.map(\.name))
            members += own.filter { $0.value.isScalar && !$0.value.isNull && !names.contains($0.name) }
        }
        return .object(members)
    }
}

extension Number {
    /// The same number, written so that nobody reads an integer.
    fileprivate var withFraction: Number {
        text.utf8.contains { ".eE".utf8.contains($0) } ? self : Number("\(text).0") ?? self
    }
}
