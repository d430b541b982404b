import Files

extension RemoteAddress {
    /// The git directory that git enters for a path, in the order in which it looks; nil where there is none.
    package var gitDirectory: String? {
        guard kind == .folder, let path else { return nil }
        for place in [path + "/.git", path, path + ".git/.git", path + ".git"] {
            switch FileSystem.kind(of: place, following: true) {
            case .folder where Self.isGitDirectory(place): return place
            case .file: if let target = Self.target(ofLink: place) { return target }
            default: break
            }
        }
        return nil
    }

    private static func isGitDirectory(_ path: String) -> Bool {
        FileSystem.kind(of: path + "/objects", following: true) == .folder
            || FileSystem.kind(of: path + "/commondir", following: true) == .file
    }

    /// Where a file leads that stands in the place of a git directory: `gitdir: PATH`. Nil for other files.
    static func target(ofLink path: String) -> String? {
        guard let target = line(of: path), target.hasPrefix("gitdir: ") else { return nil }
        let place = target.dropFirst("gitdir: ".count)
        return place.hasPrefix("/") ? String(place) : "\(FileSystem.folder(of: path))/\(place)"
    }

    private static func line(of path: String) -> String? {
        guard let bytes = (try? FileSystem.contents(of: path, following: true, limit: 1 << 16)).flatMap({ $0 }) else {
            return nil
        }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, as: UTF8.self)
    }

    /// What a linked work tree shares with the others: hooks among it.
    private static func commonDirectory(of directory: String) -> String {
        guard let place = line(of: directory + "/commondir") else { return directory }
        return place.hasPrefix("/") ? place : "\(directory)/\(place)"
    }

    /// A hook of a repository on this machine that a push would start there; nil where there is none.
    package var pushHook: String? {
        guard let directory = gitDirectory else { return nil }
        let common = Self.commonDirectory(of: directory)
        let configured = Self.hooksPath(directory, common).map { $0.hasPrefix("/") ? $0 : "\(directory)/\($0)" }
        let hooks = configured ?? common + "/hooks"
        return Self.hooks.first { FileSystem.isExecutable("\(hooks)/\($0)") }
    }

    private static func hooksPath(_ directory: String, _ common: String) -> String? {
        func value(_ key: String, _ file: String) -> String? {
            (try? RepositoryConfiguration.configured(key, inFile: file)).flatMap { $0 }
        }
        let shared = common + "/config"
        let isOwn =
            value("extensions.worktreeConfig", shared).map { ["true", "yes", "on", "1"].contains($0.lowercased()) } ?? false
        let own = isOwn ? value("core.hooksPath", directory + "/config.worktree") : nil
        guard let path = own ?? value("core.hooksPath", shared) else { return nil }
        return (try? RepositoryConfiguration.expanded(path: path)) ?? path
    }

    private static let hooks = [
        "pre-receive", "update", "proc-receive", "reference-transaction", "post-receive", "post-update", "push-to-checkout",
    ]
}
