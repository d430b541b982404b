import SettingsModel
import SettingsStore

/// The options of every command that records a version.
struct RecordRequest: Equatable {
    var paragraphs: [String] = []
    var edit = false
    var requestedBy: [String] = []
    var ticket: [String] = []
    var author: String?
    var dryRun = false
    var ifVersion: String?
    var durability: Durability?
    /// How long the version waits to be confirmed.
    var confirm: String?
    /// Nil: as git's configuration says.
    var sign: Bool?
    var signKey: String?

    /// The reason as typed.
    var message: String? { paragraphs.isEmpty ? nil : paragraphs.joined(separator: "\n\n") }

    /// The usage error of an invalid combination.
    var problem: String? {
        if let message, VersionMessage.cleaned(message) == nil {
            return "the reason given with -m is empty; give one, or leave -m out"
        }
        if sign == false, signKey != nil { return "--sign and --no-sign cannot be combined" }
        if signKey?.isEmpty == true { return "--sign= names no key; leave '=' out to sign with user.signingKey" }
        if let confirm, case .failure(let problem) = Self.span(confirm) { return problem.reason }
        if edit, message != nil { return "-m and -e cannot be combined" }
        for (name, values) in [("--requested-by", requestedBy), ("--ticket", ticket)] {
            for value in values where value.allSatisfy(\.isWhitespace) || value.contains(where: \.isNewline) {
                return "\(name) takes one non-empty line"
            }
        }
        return nil
    }
}

extension RecordRequest {
    static let values = ["--message", "--requested-by", "--ticket", "--confirm"]

    init?(plain words: PlainWords) {
        confirm = words["--confirm"]
        paragraphs = words["--message"].map { [$0] } ?? []
        requestedBy = words["--requested-by"].map { [$0] } ?? []
        ticket = words["--ticket"].map { [$0] } ?? []
        if problem != nil { return nil }
    }
}
