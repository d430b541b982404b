import Base
import Foundation
import Testing

@testable import Files

@Suite(.serialized) struct CommandTests {
    private let variables = ["PATH": "/usr/bin:/bin"]

    private func shell(_ script: String, _ words: String..., isolation: Command.Isolation = .none) -> Command {
        Command("/bin/sh", ["sh", "-c", script, "sh"] + words, variables, isolation)
    }

    private func text(_ command: Command) -> String { String(decoding: command.run(keeping: 4096).output, as: UTF8.self) }

    private func withFolder(_ work: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.path + "/command-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try work(path)
    }

    private func failure(_ command: Command) -> Int32? {
        do throws(SystemFailure) {
            try command.start().wait()
            return nil
        } catch { return error.code }
    }

    @Test func whyAProgramCannotBeStarted() throws {
        try withFolder { path in
            try FileSystem.write(Array("x".utf8), to: path + "/plain")
            #expect(failure(Command(path + "/missing", ["x"], variables)) == ENOENT)
            #expect(failure(Command(path + "/plain", ["x"], variables)) == EACCES)
            #expect(failure(Command("plain", ["x"], ["PATH": path])) == EACCES)
            #expect(failure(Command("no-such-program", ["x"], variables)) == ENOENT)
            #expect(failure(Command("", [""], variables)) == ENOENT)
            var elsewhere = Command("/bin/true", ["true"], variables)
            elsewhere.folder = path + "/missing"
            #expect(failure(elsewhere) == ENOENT)
        }
    }

    @Test func aScriptThatNamesNoInterpreterIsOneForTheShell() throws {
        try withFolder { path in
            try FileSystem.write(Array("echo \"$1 in $PWD\"\n".utf8), to: path + "/script")
            chmod(path + "/script", 0o755)
            var command = Command("script", ["script", "word"], ["PATH": "\(path):/bin"])
            command.folder = "/"
            #expect(text(command) == "word in /\n")
        }
    }

    @Test func readsBothInputsAndLeavesNoDescriptorOpen() throws {
        func count() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        let before = try count()
        for _ in 0..<50 {
            let run = shell("cat; cat <&3").run(giving: Array("first ".utf8), second: Array("second".utf8), keeping: 4096)
            #expect(String(decoding: run.output, as: UTF8.self) == "first second")
        }
        // Other suites open some meanwhile.
        #expect(try count() < before + 40)
    }

    @Test func readsAndPrintsMoreThanAPipeHolds() {
        let bytes = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 >> 8) }
        let run = shell("cat").run(giving: bytes, keeping: 1 << 21)
        #expect(run.status == 0 && run.output == bytes)
    }

    @Test func handlersAndBlockedSignalsStayBehind() {
        func mask(_ name: String, _ command: Command) -> UInt64 {
            let line = text(command).split(separator: "\n").first { $0.hasPrefix(name) }
            return line.flatMap { UInt64($0.split(separator: "\t").last ?? "", radix: 16) } ?? .max
        }
        let signals = BlockedSignals()
        defer { withExtendedLifetime(signals) {} }
        var command = Command("/bin/cat", ["cat", "/proc/self/status"], variables)
        let interrupt: UInt64 = 1 << (UInt64(SIGINT) - 1)
        #expect(mask("SigBlk", command) & interrupt != 0)
        command.unblocksSignals = true
        #expect(mask("SigBlk", command) == 0)
        #expect(mask("SigCgt", command) == 0)
    }

    @Test func whereNothingComesItIsEndedWithWhatItStarted() throws {
        try withFolder { path in
            // Where neither is ended, both are over after a while, and there is a file more.
            let script = "(sleep 600; : >\"$1/over\") & echo $! >\"$1/other\"; wait"
            let run = shell(script, path, isolation: .session).run(keeping: 0, patience: 1)
            #expect(run.isStalled && run.ending == nil)
            #expect(!FileManager.default.fileExists(atPath: path + "/over"))
            let other = try String(contentsOfFile: path + "/other", encoding: .utf8).trimmingCharacters(
                in: .whitespacesAndNewlines)
            let state = try? String(contentsOfFile: "/proc/\(other)/stat", encoding: .utf8)
            #expect(state?.contains(") Z") ?? true, "\(state ?? "")")
        }
    }

    @Test func whoeverIgnoresThatIsKilled() throws {
        try withFolder { path in
            let script = "trap '' TERM; for n in $(seq 6000); do sleep 0.1; done; : >\"$1/over\""
            let run = shell(script, path).run(keeping: 0, patience: 1)
            #expect(run.isStalled && run.ending == nil)
            #expect(!FileManager.default.fileExists(atPath: path + "/over"))
        }
    }

    @Test func whoeverPrintsTooMuchIsEnded() {
        let loud = shell("yes >&2").run(keeping: 10, talkLimit: 1 << 20)
        #expect(loud.isTalkative && loud.errors.count == 10 && loud.status == nil)
    }

    @Test func whatItLeavesInTheBackgroundIsNotWaitedFor() throws {
        let run = shell("sleep 600 & echo $!").run(keeping: 100)
        #expect(run.status == 0)
        let other = try #require(pid_t(String(decoding: run.output, as: UTF8.self).dropLast()))
        #expect(kill(other, SIGKILL) == 0, "it is not there any more")
    }

    @Test func noneOfManyThatThreadsStartIsLost() {
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<50 {
                let run = shell("echo $1; exit $2", "\(thread)-\(number)", "\(number)").run(keeping: 100)
                #expect(run.status == Int32(number) && run.output == Array("\(thread)-\(number)\n".utf8))
            }
        }
    }
}
