import Files
import Foundation
import Testing

/// Folders whose events are waited for.
@Suite struct FolderWatchTests {
    private final class Scratch {
        let path = FileManager.default.temporaryDirectory.path + "/folder-watch-" + UUID().uuidString

        init() throws { try FileManager.default.createDirectory(atPath: path + "/a", withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ name: String) throws { try Data([1]).write(to: URL(fileURLWithPath: "\(path)/\(name)")) }
    }

    private func isReadable(_ watch: FolderWatch) -> Bool {
        Readiness.wait(reading: [watch.descriptor], writing: nil, atMost: .zero).readable == [watch.descriptor]
    }

    #if os(Linux)
        @Test func onlyNamesThatMatterAreEvents() throws {
            let (scratch, watch) = (try Scratch(), try FolderWatch())
            #expect(try watch.watch([.init(scratch.path + "/a", ["HEAD"])]))
            #expect(!isReadable(watch) && !watch.takeEvents())
            try scratch.write("a/other")
            #expect(isReadable(watch) && !watch.takeEvents() && !isReadable(watch))
            try scratch.write("a/HEAD.lock")
            try FileManager.default.moveItem(atPath: scratch.path + "/a/HEAD.lock", toPath: scratch.path + "/a/HEAD")
            #expect(watch.takeEvents())
            try FileManager.default.removeItem(atPath: scratch.path + "/a/HEAD")
            #expect(watch.takeEvents() && !watch.takeEvents())
        }

        @Test func aFullQueueIsAnEventOfEveryFolder() throws {
            let limit = (try? String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)) ?? ""
            let count = Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
            guard (1...100_000).contains(count) else { return }
            let (scratch, watch) = (try Scratch(), try FolderWatch())
            _ = try watch.watch([.init(scratch.path + "/a", ["HEAD"])])
            try scratch.write("a/0")
            // Each is two events, and takes a hundredth of what a new file takes.
            let path = scratch.path + "/a/"
            for number in 0...count / 2 { try #require(rename(path + "\(number)", path + "\(number + 1)") == 0) }
            #expect(watch.takeEvents())
        }
    #endif

    @Test func aFolderThatGoesIsAnEvent() throws {
        let (scratch, watch) = (try Scratch(), try FolderWatch())
        _ = try watch.watch([.init(scratch.path + "/a", ["HEAD"])])
        try FileManager.default.removeItem(atPath: scratch.path + "/a")
        #expect(watch.takeEvents())
        #expect(try !watch.watch([.init(scratch.path + "/a", ["HEAD"])]), "there is none, as before")
        try FileManager.default.createDirectory(atPath: scratch.path + "/a", withIntermediateDirectories: true)
        #expect(try watch.watch([.init(scratch.path + "/a", ["HEAD"])]), "another folder of the same name")
        try scratch.write("a/HEAD")
        #expect(watch.takeEvents())
    }

    @Test func onlyTheLastFoldersAreWatched() throws {
        let (scratch, watch) = (try Scratch(), try FolderWatch())
        #expect(try watch.watch([.init(scratch.path)]))
        #expect(try !watch.watch([.init(scratch.path)]))
        #expect(try watch.watch([.init(scratch.path + "/a")]))
        _ = watch.takeEvents()
        try scratch.write("b")
        #expect(!watch.takeEvents())
        try scratch.write("a/b")
        #expect(watch.takeEvents())
    }
}
