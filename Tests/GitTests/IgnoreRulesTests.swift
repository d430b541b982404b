import Foundation
import Seeds
import Surroundings
import Testing

@testable import Git

/// Which files are ignored, and by which line, compared with git.
struct IgnoreRulesTests {
    private static let seeds: [UInt64] = Array(1...150)

    /// The output of `git check-ignore` for each path: `file:line:pattern`, or empty if it isn't ignored.
    private func expected(_ paths: [String], in scratch: borrowing Scratch) throws -> [String] {
        let input = Array(paths.joined(separator: "\0").utf8)
        let output: String
        do {
            output = try scratch.git("check-ignore", "--no-index", "--verbose", "--non-matching", "-z", "--stdin", input: input)
        } catch let error as GitFailed where error.status == 1 {
            return paths.map { _ in "" }  // No path is ignored.
        }
        let fields = output.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
        return stride(from: 0, to: fields.count - 3, by: 4).map { start in
            fields[start].isEmpty || fields[start + 2].hasPrefix("!")
                ? "" : "\(fields[start]):\(fields[start + 1]):\(fields[start + 2])"
        }
    }

    @Test(arguments: 0..<5) func agreesWithGit(_ part: Int) throws {
        let names = ["a", "b", "ab", "a.b", "A", "a b", "b]", "é"]
        var paths: [String] = []
        for first in names {
            for second in names {
                for third in names.prefix(4) { paths.append("\(first)/\(second)/\(third).json") }
            }
        }
        // All cases share the files; only the rules differ.
        let scratch = try Scratch.make()
        for path in paths { try scratch.write("", to: path) }
        let plain = try String(contentsOfFile: scratch.path + "/.git/config", encoding: .utf8)
        for seed in Self.seeds where Int(seed) % 5 == part { try check(seed, paths, configuration: plain, in: scratch) }
    }

    private func check(_ seed: UInt64, _ paths: [String], configuration plain: String, in scratch: borrowing Scratch) throws {
        var random = Seeded(seed)
        for file in [".gitignore", "a/.gitignore", "a/b/.gitignore", ".git/info/exclude", "outside"] {
            guard random.chance(70) else {
                try? FileManager.default.removeItem(atPath: scratch.path + "/" + file)
                continue
            }
            let lines = (0..<random.int(1...6)).map { _ in Self.pattern(&random) }
            try scratch.write(lines.joined(separator: random.chance(10) ? "\r\n" : "\n"), to: file)
        }
        var configuration = plain
        if random.chance(60) { configuration += "[core]\n\texcludesFile = \(scratch.path)/outside\n" }
        if random.chance(10) { configuration += "[core]\n\tignoreCase = true\n" }
        try scratch.write(configuration, to: ".git/config")
        let rules = IgnoreRules(workDirectory: scratch.path, gitDirectory: scratch.path + "/.git")
        let wanted = try expected(paths, in: scratch)
        for (path, wanted) in zip(paths, wanted) {
            let found = rules.rule(for: path)?.description ?? ""
            #expect(found == wanted, "seed \(seed), \(path)")
        }
    }

    private static func pattern(_ random: inout Seeded) -> String {
        let pieces = [
            "a", "b", "ab", "A", "*", "**", "?", "/", "/", "[ab]", "[!a]", "[^b]", "[a-c]", "[]b]", "[[:upper:]]", "[a", "\\a",
            "\\*",
            ".json", ".", " ", "\\ ", "é", "-", "[a\\]", "[[:nothing:]]",
        ]
        let body = (0..<random.int(1...5)).map { _ in random.pick(pieces) }.joined()
        return (random.chance(25) ? "!" : random.chance(5) ? "#" : "") + body + (random.chance(15) ? "/" : "")
    }

    @Test func filesInAnIgnoredFolderCannotBeIncludedAgain() throws {
        let scratch = try Scratch.make()
        try scratch.write("secret/\n!secret/open.json\n*.tmp\n", to: ".gitignore")
        try scratch.write("!keep.tmp\n", to: "a/.gitignore")
        let rules = IgnoreRules(workDirectory: scratch.path, gitDirectory: scratch.path + "/.git")
        #expect(rules.rule(for: "secret/open.json")?.description == ".gitignore:1:secret/")
        #expect(rules.rule(for: "secret", isFolder: true) != nil)
        #expect(rules.rule(for: "secret") == nil)
        #expect(rules.rule(for: "b/keep.tmp")?.line == 3)
        // libgit2 drops this line because no line in the same file ignores what it includes.
        #expect(rules.rule(for: "a/keep.tmp") == nil)
    }

    @Test func manyNegatedRulesAreFast() throws {
        let scratch = try Scratch.make()
        try scratch.write(String(repeating: "*a", count: 2000) + "b\n", to: ".gitignore")
        let rules = IgnoreRules(workDirectory: scratch.path, gitDirectory: scratch.path + "/.git")
        let start = clock()
        #expect(rules.rule(for: String(repeating: "a", count: 250)) == nil)
        #expect(Double(clock() - start) / Double(CLOCKS_PER_SEC) < 2)
    }

    @Test func pipesAndLinksAreNotRead() throws {
        let scratch = try Scratch.make()
        #expect(mkfifo(scratch.path + "/.gitignore", 0o600) == 0)
        try FileManager.default.createDirectory(atPath: scratch.path + "/a", withIntermediateDirectories: true)
        try scratch.write("*\n", to: "rules")
        try FileManager.default.createSymbolicLink(atPath: scratch.path + "/a/.gitignore", withDestinationPath: "../rules")
        let rules = IgnoreRules(workDirectory: scratch.path, gitDirectory: scratch.path + "/.git")
        #expect(rules.rule(for: "a/x.json") == nil)
    }
}
