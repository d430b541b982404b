import Foundation
import Surroundings
import Testing

@Suite struct CrashTests {
    /// The command that is tried sends the program what a bad access would.
    @Test(arguments: [("SEGV", 139, "segmentation fault"), ("ABRT", 134, "aborted"), ("ILL", 132, "illegal instruction")])
    func aCrashIsReportedInOneLine(_ signal: String, _ status: Int32, _ name: String) throws {
        let home = try Home()
        _ = try home.run("settings init -q && settings add -q a --title A --switch && settings set -q a on")
        let printed = try home.run("settings bisect --good HEAD~1 -- sh -c 'kill -\(signal) $PPID; sleep 1'")
        #expect(printed.last == "[exit status: \(status)]", "\(printed)")
        let lines = printed.filter { $0.hasPrefix("settings: crashed: \(name) ") }
        #expect(lines.count == 1, "\(printed)")
        let line = try #require(lines.first)
        #expect(
            line.contains("(settings 0.") && line.contains("recorded versions are safe") && line.hasSuffix("please report this"))
        #expect(try home.run("settings get a") == ["true"])
    }
}

#if os(Linux)
    /// The functions that a command calls, as the dynamic linker reports them: each is bound at its first call. It reports nothing
    /// of a release, which is linked statically.
    @Suite(.enabled(if: !Surroundings.testsRelease, "the program is the one that was built with the tests")) struct StartTests {
        /// The functions that the program called after its start, one per line with the library.
        private func calls(_ arguments: String, in home: Home) throws -> [Substring] {
            _ = try home.run(
                "LD_DEBUG=bindings LD_DEBUG_OUTPUT=../bound settings \(arguments) >/dev/null 2>&1; mv ../bound.* ../bound")
            let text = try String(contentsOfFile: home.path + "/bound", encoding: .utf8)
            let lines = text.split(separator: "\n")
            let start = try #require(lines.firstIndex { $0.contains("transferring control: ") })
            return lines[start...].filter { $0.contains("settings [0] to ") }
        }

        private func home() throws -> Home {
            let home = try Home()
            _ = try home.run("settings init -q && settings add -q general.language --title Language --choice English French")
            return home
        }

        static let git = "/libgit2"
        /// Called when the parser inspects its declarations.
        static let parser = "$ss6MirrorV10reflecting"
        static let foundation = "/libFoundation"

        @Test(arguments: [
            "get general.language", "get general.language --label", "is general.language English", "list", "list --json",
        ])
        func readingTheCurrentValueStartsNothing(_ command: String) throws {
            let calls = try calls(command, in: try home())
            #expect(!calls.isEmpty)
            for start in [Self.git, Self.parser, Self.foundation] {
                #expect(!calls.contains { $0.contains(start) }, "\(command) calls \(start)")
            }
        }

        @Test(arguments: [
            "--help", "help get", "--version", "---completion get -- positional@0 2 0 settings get gen", "get --store",
        ])
        func commandsWithoutGitDoNotInitialiseIt(_ command: String) throws {
            let calls = try calls(command, in: try home())
            #expect(calls.contains { $0.contains(Self.parser) }, "nothing is seen of the parser, so nothing else would be")
            #expect(!calls.contains { $0.contains(Self.git) })
        }

        @Test func commandsThatNeedGitInitialiseIt() throws {
            #expect(try calls("history", in: try home()).contains { $0.contains(Self.git) })
        }

        @Test func settingNeedsNoParser() throws {
            let calls = try calls("set general.language French -m Paris", in: try home())
            #expect(calls.contains { $0.contains(Self.git) })
            #expect(!calls.contains { $0.contains(Self.parser) || $0.contains(Self.foundation) })
        }
    }
#endif
