import Foundation
import Testing

/// Runs every page in Transcripts; with `RECORD=1`, writes the current output into them.
@Suite struct TranscriptTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Transcripts")

    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.filter { $0 != signatures }.sorted()
    }()

    /// The page that needs a program which may be missing.
    private static let signatures = "signatures"

    @Test(.enabled(if: SigningKey.has("ssh-keygen"), "ssh-keygen is not installed"))
    func transcriptOfSignatures() throws { try transcript(Self.signatures) }

    @Test(arguments: names)
    func transcript(_ name: String) throws {
        let file = Self.folder.appendingPathComponent(name + ".md")
        let written = try String(contentsOf: file, encoding: .utf8)
        let home = try Home()
        if name == Self.signatures { try SigningKey.write(for: home) }
        let transcript = Transcript(written)
        let actual = try transcript.run(in: home) { words, command in
            Issue.record("\(name).md:\(command.line): \(command.text)\n\(words)")
        }
        #expect(try home.unsound() == "", "git fsck --strict, at the end of \(name).md")
        #expect(try home.unusable() == "", "plain git, at the end of \(name).md")
        guard actual.text != written else { return }
        if ProcessInfo.processInfo.environment["RECORD"] == "1" {
            try Data(actual.text.utf8).write(to: file)
        } else {
            Issue.record("\(name).md shows other output; RECORD=1 records it\n\(try difference(written, actual.text))")
        }
    }

    /// The difference between both texts, as `diff -u` prints it.
    private func difference(_ expected: String, _ actual: String) throws -> String {
        let home = try Home()
        for (name, text) in [("written", expected), ("printed", actual)] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: home.folder + "/" + name))
        }
        return try home.run("diff -u written printed").dropFirst(2).filter { !$0.hasPrefix("[exit") }.joined(separator: "\n")
    }

    @Test func everyPageIsFound() {
        #expect(Self.names.contains("the-incident"))
    }
}
