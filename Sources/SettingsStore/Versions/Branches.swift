import Files
import Git
package import SettingsModel

/// Branches of this repository, and which of them is checked out.
package final class Branches {
    let versions: Versions
    let journal: Journal
    let recorder: Recorder
    let tracking: Tracking

    init(_ versions: Versions, _ journal: Journal, _ recorder: Recorder, _ tracking: Tracking) {
        self.versions = versions
        self.journal = journal
        self.recorder = recorder
        self.tracking = tracking
    }

    private static let folder = "refs/heads/"

    /// By name, without remote-tracking branches.
    package func list() throws(Problem) -> [(name: String, version: VersionID)] {
        try git(versions.repository.references.references(matching: Self.folder + "*")).map { name, id in
            (String(name.dropFirst(Self.folder.count)), id)
        }
    }

    /// Creates a branch at a version, nil for the last one, and returns that version.
    package func add(_ name: String, _ version: VersionID?, _ done: Done) throws(Problem) -> Version {
        try checkName(name, Clock(now: done.time.seconds, minutesEast: done.time.offset))
        func wanted() throws(Problem) -> Version {
            if let version { try versions.version(version) } else { try versions.version(named: "HEAD") }
        }
        if done.isDryRun { return try wanted() }
        return try recorder.underLock { () throws(Problem) in
            let version = try wanted()
            let start = try version.id == versions.head.commit ? "HEAD" : version.id.hex
            try journal.noted { own throws(Problem) in
                do throws(GitError) {
                    try versions.repository.references.setReference(
                        Self.folder + name, to: version.id, from: nil, by: Signature(done.committer, at: done.time),
                        note: "branch: Created from \(start)", own: own, making: true)
                } catch {
                    switch error.kind {
                    case .exists, .modified: throw .branch(.isThere(name))
                    case .invalid: throw .branch(.invalid(name, nil))
                    default: throw Problem(error)
                    }
                }
            }
            return version
        }
    }

    /// Deletes a branch, and returns the version that it was at. `forced`: also where its versions are on no other branch.
    package func remove(_ name: String, forced: Bool, _ done: Done) throws(Problem) -> Version {
        func find() throws(Problem) -> Version {
            let id = try self.find(name)
            if let place = places(checkedOut: name).first { throw .branch(.isCheckedOut(name, in: place)) }
            if !forced {
                let others = [try versions.head.commit, try upstream(of: name)].compactMap(\.self)
                var isMerged = false
                for other in others where !isMerged {
                    isMerged = try git(versions.repository.objects.isAncestor(id, of: other)) || id == other
                }
                guard isMerged else { throw .branch(.isNotMerged(name)) }
            }
            return try versions.version(id)
        }
        if done.isDryRun { return try find() }
        return try recorder.underLock { () throws(Problem) in
            let version = try find()
            try journal.noted { own throws(Problem) in
                try git(versions.repository.references.deleteReference(Self.folder + name, own: own))
            }
            return version
        }
    }

    /// Checks out a branch: its files take the place of those of the branch that is checked out. An edited file that both have
    /// alike stays edited; another one is refused.
    package func checkOut(_ name: String, _ done: Done) throws(Problem) -> Outcome {
        if try versions.head.branch == Self.folder + name {
            _ = try find(name)
            return .unchanged
        }
        return try recorder.record(done) { tip throws(Problem) in
            let target = try find(name)
            if let place = places(checkedOut: name).first { throw .branch(.isCheckedOut(name, in: place)) }
            for snapshot in [tip, try versions.snapshot(target)] {
                if let path = try otherFile(at: snapshot) { throw .branch(.hasOtherFiles(name, path)) }
            }
            var edit = Edit(forwardingTo: target)
            edit.checksOut = Self.folder + name
            return edit
        }
    }

    /// The branch that was checked out before this one, as `git switch -` finds it.
    package func former() throws(Problem) -> String {
        guard let branch = try git(versions.repository.references.formerBranch()), branch.hasPrefix(Self.folder) else {
            throw .branch(.hasNoFormer(all: try list().map(\.name)))
        }
        return String(branch.dropFirst(Self.folder.count))
    }

    private func find(_ name: String) throws(Problem) -> VersionID {
        let all = try list()
        if let branch = all.first(where: { $0.name == name }) { return branch.version }
        let remotes = try git(versions.repository.references.references(matching: "refs/remotes/*"))
            .map { String($0.name.dropFirst("refs/remotes/".count)) }
        throw .branch(
            .isMissing(
                name, near: Nearest.words(to: name, among: all.map(\.name)), all: all.map(\.name),
                remote: remotes.first { $0 == name || $0.hasSuffix("/" + name) }))
    }

    /// What a clone of this one would get it from.
    private func upstream(of name: String) throws(Problem) -> VersionID? {
        guard let remote = versions.configured("branch.\(name).remote"), let branch = versions.configured("branch.\(name).merge"),
            branch.hasPrefix(Self.folder)
        else { return nil }
        return try git(
            versions.repository.references.reference(named: "refs/remotes/\(remote)/" + branch.dropFirst(Self.folder.count)))
    }

    /// The work trees that have a branch checked out, by git's folders for them; nil for this one.
    private func places(checkedOut name: String) -> [String?] {
        let own = versions.repository.git.gitDirectory + "/HEAD"
        return versions.heads.filter { $0.target == "ref: \(Self.folder)\(name)" }
            .map { $0.path == own ? nil : FileSystem.folder(of: $0.path) }
    }

    /// A file of a version that is neither the store's nor kept in step with it.
    private func otherFile(at snapshot: Snapshot) throws(Problem) -> String? {
        let tracked = Set(try tracking.entries(at: snapshot).map(\.path))
        return try git(versions.repository.objects.differences(from: nil, to: snapshot.tree)).first { difference in
            let path = difference.path
            if versions.subject(atRepositoryPath: path) != nil || tracked.contains(path) { return false }
            // What git reads about the files of a folder belongs to no program.
            return !(path.split(separator: "/").last ?? "").hasPrefix(".git") && path != ".mailmap"
        }?.path
    }

    private func checkName(_ name: String, _ clock: Clock) throws(Problem) {
        if try list().contains(where: { $0.name == name }) { throw .branch(.isThere(name)) }
        // git takes it for an option.
        if name.hasPrefix("-") { throw .branch(.invalid(name, nil)) }
        if let meaning = try versions.meaning(of: name, clock) { throw .branch(.invalid(name, meaning)) }
    }
}
