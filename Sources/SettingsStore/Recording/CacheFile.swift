import Files
import Git
import SettingsModel

/// A small cache inside git's folder: lines of text behind a line that names its format, and a checksum at the end. It is
/// written beside its place and renamed, and nothing waits for the disk: an older one only means more work.
struct CacheFile {
    private let versions: Versions
    private let journal: Journal
    private let name: String
    private let magic: String

    init(_ name: String, magic: String, _ versions: Versions, _ journal: Journal) {
        self.name = versions.ownFileName(name)
        self.magic = magic
        self.versions = versions
        self.journal = journal
    }

    private static let sizeLimit = 1 << 20

    var path: String { versions.ownFiles.path(name) }

    /// The lines; nil where there is no such file, or it is damaged.
    func read() -> [String]? {
        guard let bytes = (try? FileSystem.bytes(of: path, atMost: Self.sizeLimit)).flatMap({ $0 }), bytes.count < Self.sizeLimit
        else { return nil }
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
        guard lines.popLast() == "", let sum = lines.popLast(), sum == Self.checksum(of: lines), lines.first == magic
        else { return nil }
        return Array(lines.dropFirst())
    }

    func write(_ lines: [String]) {
        guard let own = try? journal.ownFolder(), FileSystem.refusal(toMakeFilesIn: own) == nil else { return }
        let all = [magic] + lines
        let text = (all + [Self.checksum(of: all)]).joined(separator: "\n") + "\n"
        try? FileSystem.replace(path, with: Array(text.utf8), .none, versions.repository.git.sharedMode)
    }

    private static func checksum(of lines: [String]) -> String { HistoryFile.digits(lines.joined(separator: "\n")) }
}

extension HistoryFile {
    /// A checksum of a text, in 16 hexadecimal digits.
    static func digits(_ text: String) -> String {
        let sum = Array(text.utf8).withUnsafeBytes { checksum(of: $0[...]) }
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension Versions {
    /// The name of a file that holds something about this store: a repository may hold several.
    func ownFileName(_ name: String) -> String { prefix.isEmpty ? name : "\(name)-\(HistoryFile.digits(prefix))" }
}
