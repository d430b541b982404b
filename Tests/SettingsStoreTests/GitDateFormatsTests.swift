import Foundation
import Surroundings
import Testing

@testable import SettingsModel

/// What `git log` prints as a date is a WHEN.
@Suite struct GitDateFormatsTests {
    @Test(arguments: [
        ("iso", true), ("iso-strict", true), ("rfc", true), ("raw", true), ("default", true), ("format:%s", true),
        ("local", true), ("iso-local", true), ("format-local:%d %b %Y %I:%M:%S %p", true), ("short", false), ("human", false),
        ("relative", false),
    ])
    func aDateOfGitIsUnderstood(_ format: String, isExact: Bool) throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            let recorded = try s.put("b", .number("B", 1)).time.seconds
            var text = try s.git("log", "-1", "--format=%ad", "--date=\(format)").trimmingSpaces
            text = String(text.filter { $0 != "\n" })
            if format == "format:%s" { text = "@" + text }
            // Relative dates are counted from the real time.
            let now = format == "relative" || format == "human" ? Int64(Date().timeIntervalSince1970) : recorded + 3600
            let when = When(text, Clock(now: now))
            guard case .moment(let seconds) = when else {
                Issue.record("\(text) is \(when)")
                return
            }
            if isExact {
                #expect(seconds == recorded, "\(text)")
            } else {
                #expect(abs(seconds - recorded) < 32 * 86400, "\(text)")
            }
        }
    }
}
