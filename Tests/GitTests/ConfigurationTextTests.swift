import Foundation
import Surroundings
import Testing

@testable import Git

/// Changes of a configuration file's text, compared with what git itself reads.
@Suite struct ConfigurationTextTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What git reads from a text, sorted by nothing: in the file's order.
    private func entries(_ text: [UInt8]) throws -> String {
        let file = folder.path + "/config"
        try Surroundings.write(text, to: file)
        let run = try Surroundings.run(["git", "config", "-f", file, "--list"], in: folder.path, [:])
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    private static let texts = [
        "", "# only a comment", "[core]\n\tbare = false\n", "[core]\n\tbare = false", "[core] bare = false\n\tautocrlf = input\n",
        "[remote \"a]b\"] url = x ; y\n[remote \"q\\\"]\"]url=z\n", "[a]\r\n\tb = c\r\n", "[alias]\n\tl = log \\\n[x] --all\n",
        "[merge \"settings\"]\n\tname = mine\n\tother = kept\n", "[Merge \"settings\"]\n\tdriver = z\n[a]\nb\n",
        "[a]\nb = c\n[merge \"settings\"]\n[d]\n\te = f\n",
    ]

    @Test(arguments: texts) func whatIsAddedAndRemovedLeavesEveryOtherByte(_ text: String) throws {
        let before = Array(text.utf8)
        let added = ConfigurationText.adding(
            [
                ConfigurationEntry(name: "merge.settings.name", value: "a \"quoted\" name; with\tblanks"),
                ConfigurationEntry(name: "merge.settings.driver", value: "if x; then 'y' # z\\n; fi"),
            ], to: before)
        #expect(
            try entries(added)
                == entries(before) + "merge.settings.name=a \"quoted\" name; with\tblanks\n"
                + "merge.settings.driver=if x; then 'y' # z\\n; fi\n")
        guard !text.lowercased().contains("merge") else { return }
        var removed = added
        for key in ["merge.settings.name", "merge.settings.driver"] { removed = ConfigurationText.removing(key, from: removed) }
        let isComplete = before.isEmpty || before.last == UInt8(ascii: "\n")
        #expect(removed == (isComplete ? before : before + [UInt8(ascii: "\n")]))
    }

    @Test func onlyTheLinesOfAKeyAreRemoved() {
        func removed(_ text: String) -> String {
            String(decoding: ConfigurationText.removing("merge.settings.driver", from: Array(text.utf8)), as: UTF8.self)
        }
        #expect(removed("[merge \"settings\"]\n\tdriver = a\n\tname = b\n") == "[merge \"settings\"]\n\tname = b\n")
        #expect(removed("[merge \"settings\"]\n# why\n\tdriver = a\n[x]\ny\n") == "[merge \"settings\"]\n# why\n[x]\ny\n")
        #expect(removed("[x]\ny\n[merge \"settings\"]\ndriver=a\n driver = b\n[z]\n") == "[x]\ny\n[z]\n")
        #expect(removed("[Merge   \"settings\"] ; mine\n\tDriver = a\n[z]\n") == "[Merge   \"settings\"] ; mine\n[z]\n")
        #expect(removed("[MERGE \"settings\"]\n\tdriver=a\n") == "")
        for other in [
            "[merge \"Settings\"]\n\tdriver = a\n", "[merge.settings]\n\tdriver = a\n", "[merge \"settings2\"]\n\tdriver = a\n",
            "[merge \"settings\"]\n\tdrivers = a\n", "[merge]\n\tdriver = a\n",
            "[merge \"settings\"]\n", "\u{FEFF}[x]\n",
        ] {
            #expect(removed(other) == other)
        }
    }

    @Test(arguments: texts) func headersAloneMeanTheSame(_ text: String) throws {
        let alone = ConfigurationText.withHeadersAlone(Array(text.utf8))
        #expect(try entries(alone) == entries(Array(text.utf8)))
        #expect(ConfigurationText.withHeadersAlone(alone) == alone)
    }

    @Test func settingAValueDoesNotRepeatOthers() throws {
        for text in Self.texts where !text.contains("settings") {
            let work = folder.path + "/work"
            let edited = try Configuration.edited(
                Array(text.utf8), [(key: "core.fsync", value: "committed")], removing: [], work: work)
            let (lines, before) = (
                try entries(edited).split(separator: "\n"), try entries(Array(text.utf8)).split(separator: "\n")
            )
            #expect(lines.sorted() == (before + ["core.fsync=committed"]).sorted(), "\(text)")
        }
    }
}
