import Foundation
import Surroundings
import Testing

/// A small store for one case, and the program, run without the user's environment.
struct BadInputStore {
    private let own: TemporaryFolder
    /// The case's folder: `store`, `home` and what the case adds.
    var folder: String { own.path }
    var store: String { folder + "/store" }

    /// Made once, copied for each case.
    private static let template = Result {
        let made = BadInputStore(own: try TemporaryFolder())
        try FileManager.default.createDirectory(atPath: made.folder + "/home", withIntermediateDirectories: true)
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
        return made
    }

    static func make() throws -> BadInputStore {
        let made = BadInputStore(own: try TemporaryFolder())
        let run = try made.run("cp -a '\(try template.get().folder)/.' .", in: made.folder)
        try #require(run.status == 0, "\(run.errors)")
        return made
    }

    /// Runs shell lines with empty standard input. A program that takes more than `seconds` of processor time is
    /// stopped, and so are lines that don't end: status 124.
    func run(_ lines: String, in place: String? = nil, within seconds: Int = 20) throws -> Run {
        try Surroundings.run(
            ["timeout", "-k", "1", "\(seconds * 20)", "bash", "-c", "ulimit -t \(seconds)\n" + lines], in: place ?? store,
            Surroundings.environment(
                home: folder + "/home", person: "Marie Curie", at: "2026-11-20T18:00:00Z",
                ["SETTINGS_NOW": "2026-11-20T18:00:00Z", "file": "general/language.json"]))
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
