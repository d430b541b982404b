import Foundation
import Synchronization
import Testing

@testable import Files

struct CommandLimitTests {
    /// Other threads of this process write files of any size while a program is started whose files are limited.
    @Test func theSizeOfFilesIsLimitedInTheProgramAlone() throws {
        let path = FileManager.default.temporaryDirectory.path + "/limit-\(UUID().uuidString)"
        defer { unlink(path) }
        let (state, own) = (State(), Self.limit())
        Thread {
            while !state.isOver.load(ordering: .relaxed) {
                if Self.limit() != own { state.isLowered.store(true, ordering: .relaxed) }
            }
        }.start()
        let script = "head -c 3000000 /dev/zero 2>&- >\"$0\"; wc -c <\"$0\""
        for _ in 0..<20 {
            var command = Command("/bin/sh", ["sh", "-c", script, path], ["PATH": "/usr/bin:/bin"], .session)
            command.fileSize = 1 << 20
            command.isBound = true
            let run = command.run(keeping: 100)
            #expect(String(decoding: run.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) == "1048576")
        }
        state.isOver.store(true, ordering: .relaxed)
        let isLowered = state.isLowered.load(ordering: .relaxed)
        #expect(!isLowered)
    }

    private final class State: Sendable {
        let isOver = Atomic(false)
        let isLowered = Atomic(false)
    }

    /// This process's.
    private static func limit() -> String? {
        (try? String(contentsOfFile: "/proc/self/limits", encoding: .utf8))?
            .split(separator: "\n").first { $0.hasPrefix("Max file size") }.map(String.init)
    }
}
