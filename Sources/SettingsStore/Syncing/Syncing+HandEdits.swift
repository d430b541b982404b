import Files
import Git
import SettingsModel

// Hand edits of what came in are put aside while the versions are joined. The courier holds a note of them for as long, so that
// another process can lay them on the files if this one dies.

extension Syncing {
    /// Does `work` while hand edits of these subjects are put aside, and lays them on what it did.
    func withoutEdits<Result>(
        of subjects: Set<Subject>, _ courier: Courier, _ round: inout Round, _ work: () throws(Problem) -> Result
    ) throws(Problem) -> Result {
        let aside = try drafts.putAside(whatIsEditedOf: subjects, round.done) { aside throws(Problem) in
            try note(aside, in: courier.path)
        }
        guard let aside else { return try work() }
        courier.isLeft = true
        let result: Result
        do throws(Problem) { result = try work() } catch {
            try? lay(aside, courier)
            throw error
        }
        try lay(aside, courier)
        round.report.redrafted += aside.subjects
        return result
    }

    private func lay(_ aside: Drafts.Aside, _ courier: Courier) throws(Problem) {
        try drafts.lay(aside)
        courier.isLeft = false
    }

    private static let noteName = "/aside"

    /// The git directory of the work tree, the reference, and the files' paths in the repository.
    private func note(_ aside: Drafts.Aside, in folder: String) throws(Problem) {
        let parts = [versions.repository.git.gitDirectory, aside.reference] + aside.subjects.map(versions.repositoryPath)
        let bytes = Array(parts.joined(separator: "\0").utf8)
        try journal.writing { () throws(SystemFailure) in
            try FileSystem.write(bytes, to: folder + Self.noteName)
            if journal.durability != .none { try FileSystem.sync(folder + Self.noteName) }
        }
    }

    /// Lays what a dead process had put aside. Returns whether nothing is left to do. What another work tree's process had put
    /// aside is left for that one's next.
    func finish(_ left: String, _ laid: inout [Subject]) -> Bool {
        guard let bytes = (try? FileSystem.bytes(of: left + Self.noteName, atMost: 64 << 20)).flatMap({ $0 }) else { return true }
        let parts = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        guard parts.count > 2 else { return true }
        guard parts[0] == versions.repository.git.gitDirectory else { return FileSystem.kind(of: parts[0]) == nil }
        let subjects = parts[2...].compactMap { versions.subject(atRepositoryPath: $0) }
        if subjects.isEmpty { return false }
        do throws(Problem) {
            try drafts.lay(Drafts.Aside(reference: parts[1], subjects: subjects), isLate: true)
        } catch { return false }
        laid += subjects
        return true
    }
}
