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

    /// A text with keys set and removed.
    private func edited(
        _ text: String, _ values: KeyValuePairs<String, String> = [:], removing keys: [String] = []
    ) throws -> String {
        let bytes = try Configuration.edited(
            Array(text.utf8), values.map { (key: $0, value: $1) }, removing: keys, of: "config", work: folder.path + "/work")
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let texts = [
        "", "# only a comment", "[core]\n\tbare = false\n", "[core]\n\tbare = false", "[core] bare = false\n\tautocrlf = input\n",
        "[remote \"a]b\"] url = x ; y\n[remote \"q\\\"]\"]url=z\n", "[a]\r\n\tb = c\r\n", "[alias]\n\tl = log \\\n[x] --all\n",
        "\n[a] # why\n\n\tb\n[c]\t; d = e\n[d]", "[a] b = \\\n c\n[A]b=d\r\n[e]\n", "[a][b] c = d\n",
        "[a] [b \"x\"][c] # e\n\td\n",
        "[a]b=c # why\n[a][a]\tb = d\n[merge] a = b\n", "\u{FEFF}[a]\n\tb = c\n", "[a \"q\\\"]\\\\\"] b = \"c;d\" ; e\n",
        "[a] b\n\tc",
        "[include]\n\tpath = nowhere\n[a.b] c = d\n[a]\n\tb = x\\\n  y \\\n\tz # w\n",
        "; [a] b\r\n[a]\r\n\tb = c\r\n[d] e\r\n",
    ]

    @Test(arguments: texts) func whatIsAddedAndRemovedLeavesEveryOtherByte(_ text: String) throws {
        let added = try edited(
            text,
            [
                "merge.settings.name": "a \"quoted\" name; with\tblanks",
                "merge.settings.driver": "if x; then 'y' # z\\n; fi",
            ])
        #expect(added.utf8.starts(with: text.utf8))
        #expect(
            try entries(Array(added.utf8))
                == entries(Array(text.utf8)) + "merge.settings.name=a \"quoted\" name; with\tblanks\n"
                + "merge.settings.driver=if x; then 'y' # z\\n; fi\n")
        let removed = try edited(added, removing: ["merge.settings.name", "merge.settings.driver"])
        #expect(Array(removed.utf8) == Array((text.isEmpty || text.utf8.last == 10 ? text : text + "\n").utf8))
    }

    @Test func onlyTheLinesOfAKeyAreRemoved() throws {
        func removed(_ text: String) throws -> String { try edited(text, removing: ["merge.settings.driver"]) }
        #expect(try removed("[merge \"settings\"]\n\tdriver = a\n\tname = b\n") == "[merge \"settings\"]\n\tname = b\n")
        #expect(try removed("[merge \"settings\"]\n# why\n\tdriver = a\n[x]\ny\n") == "[merge \"settings\"]\n# why\n[x]\ny\n")
        #expect(try removed("[x]\ny\n[merge \"settings\"]\ndriver=a\n driver = b\n[z]\n") == "[x]\ny\n[z]\n")
        #expect(try removed("[merge \"settings\"] driver = a\n[z] a = b\n") == "[z] a = b\n")
        #expect(try removed("[a][merge \"settings\"] driver = a\n[z] a = b\n") == "[a][merge \"settings\"]\n[z] a = b\n")
        #expect(try removed("[merge \"settings\"][z] a = b\n") == "[merge \"settings\"][z] a = b\n")
        #expect(try removed("[merge \"settings\"] driver = a \\\n b\n c = d\n") == "[merge \"settings\"] c = d\n")
        #expect(try removed("[Merge   \"settings\"] ; mine\n\tDriver = a\n[z]\n") == "[Merge   \"settings\"] ; mine\n[z]\n")
        for other in [
            "[merge \"Settings\"]\n\tdriver = a\n", "[merge \"settings2\"]\n\tdriver = a\n",
            "[merge \"settings\"]\n\tdrivers = a\n", "[merge]\n\tdriver = a\n", "\u{FEFF}[x]\n",
        ] {
            #expect(try removed(other) == other)
        }
    }

    @Test func whatWouldReadOtherwiseIsRefused() throws {
        // In quotes, a name with a line break can't be written.
        #expect(throws: GitError.self) { try edited("[a]\n", ["remote.x\ny.url": "z"]) }
    }

    /// Comments like those that stand where a line is split while it is edited.
    @Test(arguments: ["#\u{1}", "#\u{2}", "#\u{1}\u{2}", "#\u{1}\u{1}", "#\u{1}\n#\u{1}\u{1}\u{2}"])
    func everyCommentStays(_ comment: String) throws {
        for text in ["[a] b = c\n\(comment)\n[d][e] f = g\n\(comment)\n\th = i\n", "\(comment)\n[a]\n\(comment)\n[b] c = d\n"] {
            #expect(try edited(text, removing: ["merge.settings.driver"]) == text)
            #expect(try edited(edited(text, ["x.y": "z"]), removing: ["x.y"]) == text)
        }
    }

    @Test func sectionsAreRenamed() throws {
        func renamed(_ text: String, to new: String = "new") throws -> String {
            let bytes = try Configuration.edited(
                Array(text.utf8), [(key: "remote.\(new).url", value: "u"), (key: "remote.\(new).k", value: "v")],
                removing: ["remote.a\"b.url", "remote.a\"b.k"],
                renaming: RepositoryConfiguration.Renaming("remote", from: "a\"b", to: new), of: "config",
                work: folder.path + "/work")
            return String(decoding: bytes, as: UTF8.self)
        }
        let old = #"remote "a\"b""#
        #expect(
            try renamed("[x][\(old)] url=u # why\n; mine\n[ReMote\t\"a\\\"b\"]\n\tk = v\n[remote \"a\"] url = w\n", to: "q\"")
                == "[x][remote \"q\\\"\"] url=u # why\n; mine\n[remote \"q\\\"\"]\n\tk = v\n[remote \"a\"] url = w\n")
        #expect(try renamed("[\(old)]\n\turl = w\n") == "[remote \"new\"]\n\turl = u\n\tk = v\n")
        // A line that another one continues is no header.
        let continued = "[x]\n\ty = z \\\n[\(old)] # w\n"
        #expect(try renamed(continued) == continued + "[remote \"new\"]\n\turl = u\n\tk = v\n")
    }

    @Test func whatIsIncludedIsNamed() throws {
        try Surroundings.write(Array("[core]\n\tfsync = none\n".utf8), to: folder.path + "/more")
        let error = #expect(throws: GitError.self) { try edited("[include]\n\tpath = more\n", ["core.fsync": "all"]) }
        #expect(error?.message == "core.fsync is set in a file that is included there")
    }

    @Test func aKeyWithSeveralValues() throws {
        let text = try edited("[a] # why\n\tb = c\n", ["a.b": "x", "a.c": "1", "a.c": "2"])
        #expect(try entries(Array(text.utf8)) == "a.b=x\na.c=1\na.c=2\n")
        #expect(try edited(text, removing: ["a.b", "a.c"]) == "[a] # why\n")
    }

    @Test func aValueIsSetWhereItStands() throws {
        func set(_ text: String) throws -> String { try edited(text, ["core.fsync": "all"]) }
        #expect(try set("[core] fsync = x\n[a] b = c\n") == "[core]\tfsync = all\n[a] b = c\n")
        #expect(try set("[core] # why\n\tfsync = x\n\ta = b\n") == "[core] # why\n\tfsync = all\n\ta = b\n")
        #expect(try set("[core] a = b\n[c]\n\td = e\n") == "[core] a = b\n\tfsync = all\n[c]\n\td = e\n")
        #expect(try set("[core]\n\tfsync = x\n\tfsync = y\n[a]\n") == "[core]\n\tfsync = all\n[a]\n")
    }
}
