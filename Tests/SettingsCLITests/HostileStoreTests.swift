import Foundation
import Seeds
import Testing

/// Stores from untrusted sources, made by the scripts in `HostileStores`: a command ends within ten seconds of processor
/// time and 1 GB of memory with one of its exit statuses, runs no program, touches nothing outside the store and prints
/// nothing that controls a terminal.
///
/// `SETTINGS_HOSTILE=all` runs every command on every store; by default twelve of them. `SETTINGS_HOSTILE=both` runs each of these
/// both with the hostile version on another branch and with it as HEAD.
@Suite(.slow) struct HostileStoreTests {
    private static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "HostileStores")

    /// The variables that tell `try.sh` how much to try.
    private static let extent = ProcessInfo.processInfo.environment.filter {
        ["SETTINGS_FULL", "SETTINGS_HOSTILE"].contains($0.key)
    }
    .map { "\($0)=\($1)" }.joined(separator: " ")

    /// The functions `store_…` of a script.
    private static func stores(_ script: String) -> [String] {
        let text = (try? String(contentsOf: scripts.appendingPathComponent(script + ".sh"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("store_"), let end = line.firstIndex(of: "(") else { return nil }
            return String(line[line.index(line.startIndex, offsetBy: 6)..<end])
        }
    }

    @Test(arguments: stores("trees")) func trees(_ name: String) throws { try check(name) }
    @Test(arguments: stores("history")) func history(_ name: String) throws { try check(name) }
    @Test(arguments: stores("git-folder")) func gitFolder(_ name: String) throws { try check(name) }
    @Test(arguments: stores("files")) func files(_ name: String) throws { try check(name) }

    @Test func scriptsDefineStores() {
        #expect(Self.stores("trees").count + Self.stores("history").count > 80)
        #expect(Self.stores("git-folder").count + Self.stores("files").count > 80)
    }

    private func check(_ name: String) throws {
        let store = try BadInputStore.make()
        let script = Self.scripts.appendingPathComponent("try.sh").path
        let run = try store.run("\(Self.extent) bash '\(script)' \(name)", in: store.folder, within: 400)
        let lines = run.output.split(separator: "\n")
        let broken = lines.filter { $0.hasPrefix("!!") }
        #expect(run.status == 0 && broken.isEmpty, "\(broken.joined(separator: "\n"))\n\(run.errors.suffix(500))")
        #expect(lines.count > broken.count + 10, "the commands were run")
    }
}
