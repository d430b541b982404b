import Foundation
import Testing

/// A small store for one case, and the program, run without the user's environment.
struct BadInputStore {
    /// The result of a shell line.
    struct Run {
        var status: Int32
        var output: String
        var errors: String
    }

    /// The case's folder, with `store`, `home` and what the case adds.
    let folder: String
    var store: String { folder + "/store" }

    static let root = NSTemporaryDirectory() + "settings-bad-input-\(ProcessInfo.processInfo.processIdentifier)"

    /// The folder of the built program, next to the tests.
    static let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path

    static let isRoot = geteuid() == 0

    /// Created once and copied for each case.
    private static let template: Result<String, any Error> = Result {
        let made = BadInputStore(folder: root + "/template")
        try FileManager.default.createDirectory(atPath: made.folder + "/home", withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: BadInputStore.root) }
        let run = try made.run(
            """
            settings init store && cd store
            settings add general.language --title Language --choice en=English fr=French es=Spanish --default en --section General
            settings add display.dark --title 'Dark Mode' --switch
            settings add sound.volume --title Volume --number 50 --range 0..100:5
            settings add user.name --title Name --text Marie --pattern '[A-Z][a-z]*'
            settings add app.config --title Config --data '{"a": 1}'
            settings tag first
            settings set general.language fr -m 'The Paris office opens.'
            """, in: made.folder)
        try #require(run.status == 0, "\(run.errors)")
        return made.folder
    }

    static func make() throws -> BadInputStore {
        let made = BadInputStore(folder: "\(root)/\(UUID().uuidString.lowercased())")
        let run = try made.run("cp -a '\(try template.get())' '\(made.folder)'", in: "/")
        try #require(run.status == 0, "\(run.errors)")
        return made
    }

    func remove() {
        _ = try? run("chmod -R u+rwX '\(folder)'; rm -rf '\(folder)'", in: "/")
    }

    private var environment: [String: String] {
        [
            "PATH": Self.programs + ":/usr/sbin:/usr/bin:/sbin:/bin", "HOME": folder + "/home",
            "XDG_CONFIG_HOME": folder + "/home/.config",
            "LC_ALL": "C.UTF-8", "TZ": "UTC", "SETTINGS_NOW": "2026-11-20T18:00:00Z", "TERM": "xterm",
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": folder + "/home/.gitconfig", "GIT_TERMINAL_PROMPT": "0",
            "GIT_AUTHOR_NAME": "Marie Curie", "GIT_AUTHOR_EMAIL": "marie@example.org", "GIT_AUTHOR_DATE": "2026-11-20T18:00:00Z",
            "GIT_COMMITTER_NAME": "Marie Curie", "GIT_COMMITTER_EMAIL": "marie@example.org",
            "GIT_COMMITTER_DATE": "2026-11-20T18:00:00Z",
            "file": "general/language.json",
        ]
    }

    /// Runs shell lines with empty standard input. A program that takes more than `seconds` of processor time is
    /// stopped, and so are lines that don't end: status 124.
    func run(_ lines: String, in place: String? = nil, within seconds: Int = 20) throws -> Run {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = ["-k", "1", "\(seconds * 20)", "/bin/bash", "-c", "ulimit -t \(seconds)\n" + lines]
        process.currentDirectoryURL = URL(fileURLWithPath: place ?? store)
        process.environment = environment
        let name = "\(Self.root)/\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: Self.root, withIntermediateDirectories: true)
        let (output, errors) = (name + ".out", name + ".err")
        defer { for path in [output, errors] { try? FileManager.default.removeItem(atPath: path) } }
        for path in [output, errors] { try Data().write(to: URL(fileURLWithPath: path)) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: errors)
        try process.run()
        process.waitUntilExit()
        func text(_ path: String) throws -> String {
            String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        }
        return Run(status: process.terminationStatus, output: try text(output), errors: try text(errors))
    }

    /// Everything that a failing command must not change: files with their modes and links, HEAD, references, the index.
    /// Unreferenced objects, and this program's own folder in git's, may change.
    func everything() -> [String: String] {
        var found: [String: String] = [:]
        let walk = FileManager.default.enumerator(atPath: folder)
        while let path = walk?.nextObject() as? String {
            if path.hasSuffix(".git/objects") || path.hasSuffix(".git/settings") {
                walk?.skipDescendants()
                continue
            }
            let full = folder + "/" + path
            let attributes = try? FileManager.default.attributesOfItem(atPath: full)
            let mode = attributes?[.posixPermissions] as? Int ?? 0
            var content = ""
            switch attributes?[.type] as? FileAttributeType {
            case .typeSymbolicLink?:
                content = "link to " + ((try? FileManager.default.destinationOfSymbolicLink(atPath: full)) ?? "?")
            case .typeDirectory?: content = "folder"
            case .typeRegular?:
                content = (try? Data(contentsOf: URL(fileURLWithPath: full)))?.base64EncodedString() ?? "not to be read"
            default: content = "other"
            }
            found[path] = String(mode, radix: 8) + " " + content
        }
        return found
    }
}
