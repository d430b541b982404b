import Files
import SettingsStore

/// How an imported file or folder is named in history, so that the next import of it is recognised: wherever it is run
/// from, and in each clone of a repository that holds both the store and the file.
struct ImportNames {
    private let store: String
    private let repository: String?
    private let home: String?
    private let environment: Environment

    init(store folder: StoreFolder, environment: Environment) {
        self.store = Self.real(folder.path)
        repository = (try? folder.repositoryRoot).map { Self.real($0) }
        home = environment.home.map { Self.real($0) }
        self.environment = environment
    }

    /// `-` for standard input.
    func name(of path: String) -> String {
        if path == "-" { return path }
        let full = Self.real(environment.absolute(path))
        if let repository, let below = Self.path(full, below: repository), let own = Self.path(store, below: repository) {
            return Self.relative(below, from: own)
        }
        if let home, let below = Self.path(full, below: home) { return below.isEmpty ? "~/" : "~/\(below)" }
        return full
    }

    /// Nil if it isn't in that folder; empty for the folder itself.
    private static func path(_ path: String, below folder: String) -> String? {
        if path == folder { return "" }
        if folder == "/" { return String(path.dropFirst()) }
        return path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : nil
    }

    private static func relative(_ path: String, from folder: String) -> String {
        var (to, from) = (path.split(separator: "/")[...], folder.split(separator: "/")[...])
        while let next = to.first, next == from.first {
            to.removeFirst()
            from.removeFirst()
        }
        let up = from.isEmpty ? "./" : String(repeating: "../", count: from.count)
        return up + to.joined(separator: "/")
    }

    private static func real(_ path: String) -> String {
        (try? FileSystem.resolved(path)) ?? FileSystem.trimmed(path)
    }
}
