import Foundation
import SettingsModel

/// How `json` differs from what Foundation reads from `bytes`; nil if it doesn't.
func differenceFromFoundation(_ json: JSON, in bytes: [UInt8]) -> String? {
    guard let other = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) else {
        return "Foundation can't read it"
    }
    return isSame(json, other) ? nil : "Foundation reads \(other)"
}

/// Foundation stores numbers as doubles or 64-bit integers and merges canonically equal names: those are not compared.
private func isSame(_ json: JSON, _ other: Any) -> Bool {
    switch json {
    case .null: return other is NSNull
    case .bool(let isTrue): return (other as? Bool) == isTrue
    case .number(let number): return (other as? NSNumber)?.doubleValue == number.double
    case .string(let text): return (other as? String).map { ExactText($0) } == text
    case .array(let elements):
        guard let others = other as? [Any], others.count == elements.count else { return false }
        return zip(elements, others).allSatisfy { isSame($0, $1) }
    case .object(let members):
        guard let others = other as? [String: Any] else { return false }
        let names = Set(members.map(\.name.string))
        guard names.count == members.count else { return others.count == names.count }
        return others.count == members.count
            && members.allSatisfy { member in
                others[member.name.string].map { isSame(member.value, $0) } ?? false
            }
    }
}

extension JSON {
    /// Foundation rejects numbers that exceed a double.
    var hasHugeNumber: Bool {
        switch self {
        case .number(let number): !number.double.isFinite
        case .array(let elements): elements.contains { $0.hasHugeNumber }
        case .object(let members): members.contains { $0.value.hasHugeNumber }
        case .null, .bool, .string: false
        }
    }
}
