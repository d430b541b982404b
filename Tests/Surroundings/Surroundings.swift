import Foundation
import Git

/// The environment of the tests: a temporary folder, a user's configuration for libgit2 and a time zone. It is shared by the whole
/// process, because tests run in parallel.
package enum Surroundings {
    package static let root: String = {
        let root = temporaryFolder + "/settings-tests-\(ProcessInfo.processInfo.processIdentifier)"
        // One zone for the whole process: tests run beside each other.
        setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1)
        tzset()
        do {
            try FileManager.default.createDirectory(atPath: root + "/safe", withIntermediateDirectories: true)
            let configuration = """
                [safe]
                    directory = /taken/back
                    directory =
                    directory = \(root)/safe/
                [init]
                    defaultBranch = trunk
                [test]
                    value = user
                """
            try Data(configuration.utf8).write(to: URL(fileURLWithPath: root + "/.gitconfig"))
            try Library.searchConfiguration(in: [root])
        } catch {
            preconditionFailure("no surroundings for the tests: \(error)")
        }
        atexit { remove(Surroundings.root) }
        return root
    }()

    /// In memory, so that no test waits for a disk, unless programs cannot be run from there or there is no room.
    private static var temporaryFolder: String {
        #if os(Linux)
            let noPrograms: UInt = 8  // ST_NOEXEC
            var memory = statvfs()
            if statvfs("/dev/shm", &memory) == 0, memory.f_flag & noPrograms == 0, access("/dev/shm", W_OK) == 0,
                memory.f_bavail * memory.f_frsize > 1 << 30
            {
                return "/dev/shm"
            }
        #endif
        return FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    }

    package static func folder() throws -> String {
        let path = root + "/" + UUID().uuidString.lowercased()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// Writes a file and the folders that it is in.
    package static func write(_ bytes: [UInt8], to path: String) throws {
        let file = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    /// Removes a file or folder, even without permission to read or write its contents.
    package static func remove(_ path: String) {
        let manager = FileManager.default
        if (try? manager.removeItem(atPath: path)) != nil || access(path, F_OK) != 0 { return }
        _ = try? run(["chmod", "-R", "u+rwX", path], in: "/", [:])
        try? manager.removeItem(atPath: path)
    }

    package static let isRoot = geteuid() == 0

    /// Whether the programs under test are others than those that were built with the tests: a release, several times as fast.
    package static let testsRelease = ProcessInfo.processInfo.environment["SETTINGS_PROGRAMS"] != nil

    /// The folder of the programs under test: the one that SETTINGS_PROGRAMS names, or else where the tests were built.
    package static let programs: String = {
        if let folder = ProcessInfo.processInfo.environment["SETTINGS_PROGRAMS"] { return folder }
        let places = (CommandLine.arguments + [Bundle.main.executablePath ?? ""]).filter { $0.contains(".xctest") }
        for place in places {
            var folder = URL(fileURLWithPath: place).deletingLastPathComponent()
            while folder.path.count > 1 {
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: folder.path + "/settings", isDirectory: &isFolder), !isFolder.boolValue
                {
                    return folder.path
                }
                folder.deleteLastPathComponent()
            }
        }
        return "/there/are/none"
    }()

    package static let searchPath = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin") + ":/usr/sbin:/sbin"

    /// The whole environment of a program: one home, one person, one time, and no configuration but the home's.
    package static func environment(
        home: String, person: String, at date: String, _ more: [String: String] = [:]
    ) -> [String: String] {
        let email = "\(person.prefix { $0 != " " }.lowercased())@example.org"
        let common = [
            "PATH": programs + ":" + searchPath,
            "HOME": home, "XDG_CONFIG_HOME": home + "/.config",
            "LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "xterm",
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": home + "/.gitconfig", "GIT_TERMINAL_PROMPT": "0",
            "GIT_AUTHOR_NAME": person, "GIT_AUTHOR_EMAIL": email, "GIT_AUTHOR_DATE": date,
            "GIT_COMMITTER_NAME": person, "GIT_COMMITTER_EMAIL": email, "GIT_COMMITTER_DATE": date,
        ]
        return common.merging(more) { $1 }
    }
}

/// A new folder, which is removed when its last reference goes away.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws { path = try Surroundings.folder() }

    deinit { Surroundings.remove(path) }
}
