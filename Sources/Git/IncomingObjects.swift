import Files
internal import CGit2
internal import CGitObjects

/// The objects of a push that git has not accepted yet, as the environment of its hooks names them:
/// https://git-scm.com/docs/git-receive-pack#_quarantine_environment
package struct IncomingObjects: Sendable {
    /// The repository that is pushed to.
    private let gitDirectory: String
    private let folders: [String]

    /// `variable`: its value, which may be empty; nil where it is missing.
    package init?(_ variable: (String) -> String?) {
        func path(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        guard path("GIT_QUARANTINE_PATH") != nil, let directory = path("GIT_DIR").flatMap({ try? FileSystem.resolved($0) }),
            let objects = path("GIT_OBJECT_DIRECTORY")
        else { return nil }
        gitDirectory = directory
        folders = [objects] + Self.paths(path("GIT_ALTERNATE_OBJECT_DIRECTORIES") ?? "")
    }

    /// Paths with colons between them. One in double quotes has C's escapes.
    static func paths(_ text: String) -> [String] {
        var paths: [String] = []
        var (path, isQuoted): ([UInt8], Bool) = ([], false)
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\"") where isQuoted || path.isEmpty: isQuoted.toggle()
            case UInt8(ascii: ":") where !isQuoted:
                paths.append(String(decoding: path, as: UTF8.self))
                path = []
            case UInt8(ascii: "\\") where isQuoted:
                if let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8), rest.count > 2 {
                    path.append(code)
                    rest = rest.dropFirst(3)
                } else if let escaped = rest.popFirst() {
                    let code = Array("abtnvfr".utf8).firstIndex(of: escaped)
                    path.append(code.map { UInt8($0 + 7) } ?? escaped)
                }
            default: path.append(byte)
            }
        }
        paths.append(String(decoding: path, as: UTF8.self))
        return paths.filter { !$0.isEmpty }
    }

    /// Has the repository that is pushed to read them as well, as git does.
    func add(to git: GitDirectory) throws(GitError) {
        guard (try? FileSystem.resolved(git.gitDirectory)) == gitDirectory else { return }
        let own = try? FileSystem.resolved(git.objectFolder)
        for folder in folders {
            guard let folder = try? FileSystem.resolved(folder), folder != own else { continue }
            try check("read the pushed objects in \(folder)") { git_odb_add_disk_alternate(git.database, folder) }
            try check("read the pushed objects in \(folder)") { settings_loose_add(git.database, folder, Library.loosePriority) }
        }
    }
}
