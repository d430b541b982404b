import SettingsModel

/// The pattern for texts that a format reads as a date or time of the same kind.
struct DatePattern {
    var text: ExactText
    /// An example that matches.
    var example: ExactText

    /// The pattern for texts like `text`: with or without a time, seconds and an offset. Nil if the mark says it isn't a date or time.
    init?(of text: String, _ mark: ExactText, _ format: FormatName) {
        let pattern: String
        switch (format, mark) {
        case (.toml, "date"):
            pattern = DatePattern.date
            example = "2026-01-31"
        case (.toml, "time"):
            pattern = DatePattern.time(like: text)
            example = "18:30:00"
        case (.toml, "date-time"):
            let hasOffset =
                text.hasSuffix("Z") || text.hasSuffix("z") || text.utf8.dropFirst(10).contains { "+-".utf8.contains($0) }
            example = hasOffset ? "2026-01-31T18:30:00Z" : "2026-01-31T18:30:00"
            pattern = DatePattern.date + "[Tt ]" + DatePattern.time(like: text) + (hasOffset ? DatePattern.offset : "")
        case (.yaml, YAMLTree.plain):
            guard YAMLScalar(plain: text, .yaml11) == .timestamp else { return nil }
            let isDate = text.utf8.count == 10
            example = isDate ? "2026-01-31" : "2026-01-31T18:30:00Z"
            pattern = DatePattern.date + (isDate ? "" : DatePattern.yamlTime)
        default: return nil
        }
        self.text = ExactText("^\(pattern)$(?!\\n)")
    }

    /// Rejects the 31st in months of 30 days, and allows 29 February only in leap years.
    private static let date =
        #"(?!....-(?:02-3|(?:0[469]|11)-31))(?!(?:..\#(notDivisibleBy4)|\#(notDivisibleBy4)00)-02-29)"#
        + #"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"#
    /// Two digits that are not divisible by four.
    private static let notDivisibleBy4 = "(?:[02468][1235679]|[13579][01345789])"
    private static let clock = #"(?:[01]\d|2[0-3]):[0-5]\d"#
    private static let seconds = #":[0-5]\d(?:\.\d+)?"#
    private static let offset = #"(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)"#
    private static let yamlTime = #"(?:[Tt]|[ \t]+)\#(clock):[0-5]\d(?:\.\d*)?(?:[ \t]*(?:Z|[+-]\d\d?(?::\d\d)?))?"#

    /// Seconds are optional in TOML 1.1: they stay optional if the text has none.
    private static func time(like text: String) -> String {
        return clock + (text.utf8.count { $0 == UInt8(ascii: ":") } > 1 ? seconds : "(?:\(seconds))?")
    }
}
