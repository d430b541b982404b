import Foundation
import Git

/// The environment of the tests: a temporary folder, a user's configuration for libgit2 and a time zone. It is shared by the whole
/// process, because tests run in parallel.
package enum Surroundings {
    package static let root: String = {
        let root =
            FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
            + "/settings-tests-\(ProcessInfo.processInfo.processIdentifier)"
        // One time zone for the whole process, because tests run in parallel.
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
        atexit { try? FileManager.default.removeItem(atPath: Surroundings.root) }
        return root
    }()

    package static func folder() throws -> String {
        let path = root + "/" + UUID().uuidString.lowercased()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}
