import Files
import Git
package import SettingsModel

extension StoreFolder {
    /// A place inside git's folder as people write it.
    static func shown(_ place: String, in root: String) -> String {
        place.utf8.starts(with: (root + "/").utf8) ? String(place.dropFirst(root.count + 1)) : place
    }

    /// What to do about a repository that neither git nor libgit2 can open; nil where what makes one is there.
    package var repairOfRepository: RepositoryRepair? {
        guard let root = try? repositoryRoot else { return nil }
        guard let gitDirectory, let commonDirectory else { return FileSystem.isUnreadable(root + "/.git") ? nil : .nameFolder }
        let (place, common) = (Self.shown(gitDirectory, in: root), Self.shown(commonDirectory, in: root))
        if (try? FileSystem.isThere(gitDirectory)) == false { return .relink(place: place) }
        func isFolder(_ path: String) -> Bool { (try? Folder(path: path).names()).flatMap { $0 } != nil }
        guard isFolder(commonDirectory + "/objects") else { return .cloneAnew(place: common) }
        guard isFolder(commonDirectory + "/refs") else { return .makeReferences(place: common) }
        let head = (try? Folder(path: gitDirectory).read("HEAD", limit: 4096)).flatMap { $0 } ?? []
        let line = String(decoding: head.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        if line.hasPrefix("ref: refs/") || ObjectID(hex: line) != nil { return nil }
        let names = (try? Folder(path: commonDirectory + "/refs/heads").names()).flatMap { $0 } ?? []
        let branches = names.filter { $0.entry != .folder && !$0.name.hasSuffix(".lock") }.map(\.name)
        let branch = ["main", "master"].first(where: branches.contains) ?? branches.first ?? "main"
        return .nameBranch(branch, place: place, isFolder: isFolder(gitDirectory + "/HEAD"))
    }
}

extension Upkeep {
    /// The files as they stand, each version of them, what this program keeps for itself, and locks that were left; git's
    /// own objects and files are left to `git fsck`. Returns the number of versions, too. `isDamaged`: whether git has found
    /// damage, so that a check that fails because of it is not reported again.
    package func verifyDeeply(isDamaged: Bool) throws(Problem) -> (versions: Int, findings: [Finding]) {
        let root = try versions.folder.repositoryRoot ?? versions.folder.path
        func collecting(_ work: () throws(Problem) -> [Finding]) throws(Problem) -> [Finding] {
            do throws(Problem) { return try work() } catch {
                if error.isPassing { throw error }
                return isDamaged ? [] : [Finding(error, at: ".git")]
            }
        }
        var versions = 0
        var findings = try leftLocks(root) + collecting { () throws(Problem) in try verify().findings }
        if let head = try? self.versions.head.commit {
            findings += try collecting { () throws(Problem) in
                let (count, found) = try verify(from: nil, to: head)
                versions = count
                return found
            }
            findings += try collecting { () throws(Problem) in try wrongCaches(root) }
        }
        return (versions, findings + ownFindings(root))
    }

    /// What `git fsck` found by its exit status (`Documentation/git-fsck.txt`), with its own lines; nil where that is nothing.
    /// Where the system did not let it look, it found nothing either.
    func finding(ofFsck printed: String, _ status: Int32?) throws(Problem) -> Finding? {
        guard let status else { throw .repository(.gitWasStopped(["fsck"], directory: workGitDirectory)) }
        guard status != 0 else { return nil }
        // 128 and the number of the signal: what a wrapper of git's passes on.
        if (129...159).contains(status) { throw .repository(.gitWasStopped(["fsck"], directory: workGitDirectory)) }
        let lines = printed.split(separator: "\n").map { String($0).visible }
        let places = PlacesOfMessages(
            here: [versions.folder.path, workGitDirectory, versions.repository.git.commonDirectory])
        let words = lines.map(places.cut)
        func line(where isWanted: (String) -> Bool) -> String? { words.firstIndex(where: isWanted).map { lines[$0] } }
        if let line = line(where: Self.isOutOfResources) { throw .repository(.isOutOfResources(reason: "git fsck: \(line)")) }
        // Anything but its own bits, or words of git's about damage, is no answer about the objects.
        guard Self.findings.contains(status) || status == Self.gaveUp && words.contains(where: Self.isDamage) else {
            let reason = line { $0.hasPrefix("fatal: ") } ?? lines.last ?? "exit status \(status)"
            throw .repository(.gitFailed(["fsck"], directory: workGitDirectory, reason: reason))
        }
        var remedy = versions.folder.repairOfRepository.map { Finding.FsckRemedy.repair($0) }
        do throws(GitError) { try versions.repository.git.checkPacks() } catch {
            if case .damagedIndex(let path) = error.kind { remedy = .rebuildIndex(path: path) }
        }
        if status == Self.commitGraphIsDamaged {
            remedy = .rebuildGraph(path: versions.repository.git.commonDirectory + "/objects/info/commit-graph")
        }
        return Finding(path: ".git", .fsck(status: status, lines: lines, remedy))
    }

    /// One bit for each kind of damage, the last one of them that of the multi-pack-index (`builtin/fsck.c`).
    private static let findings: ClosedRange<Int32> = 1...63
    private static let commitGraphIsDamaged: Int32 = 16
    /// git's status where it can't go on.
    private static let gaveUp: Int32 = 128

    /// A line of git's about memory, processes or descriptors.
    private static func isOutOfResources(_ line: String) -> Bool {
        let beginnings = ["Out of memory", "mmap failed", "attempting to allocate "].flatMap { ["fatal: " + $0, "error: " + $0] }
        return beginnings.contains(where: line.hasPrefix) || SystemFailure.ending(line)?.isExhausted == true
    }

    /// Whether git gave up because of what it read, and not because of the system: what that refuses it says at the end.
    private static func isDamage(_ line: String) -> Bool {
        guard line.hasPrefix("fatal: "), SystemFailure.ending(line) == nil else { return false }
        return [
            " corrupt", "fatal: bad ", " bad ", "smaller than expected", "unexpected ", "unterminated ", "invalid ", "malformed",
            "unable to parse", "unable to read ", "cannot read ", "could not parse", "broken ", "not a git repository",
            "missing ",
            "mismatch", "do not ascend", "out of order", "unordered", "truncated", "too small", "too short",
        ].contains { line.contains($0) }
    }

    /// Locks keep git and this program from writing; `git fsck` says nothing of them.
    private func leftLocks(_ root: String) -> [Finding] {
        let (directory, common) = (versions.repository.git.gitDirectory, versions.repository.git.commonDirectory)
        var locks = ["index", "HEAD", "config.worktree"].map { "\(directory)/\($0).lock" }
        locks += ["config", "packed-refs", "shallow", "objects/info/commit-graph"].map { "\(common)/\($0).lock" }
        locks = locks.filter { (try? FileSystem.isThere($0)) == true }
        func look(in folder: String, depth: Int = 0) {
            guard depth < 32, let names = (try? Folder(path: folder).names()).flatMap({ $0 }) else { return }
            for (name, entry) in names.sorted(by: { $0.name < $1.name }) {
                let path = "\(folder)/\(name)"
                if entry == .folder { look(in: path, depth: depth + 1) } else if name.hasSuffix(".lock") { locks.append(path) }
            }
        }
        look(in: common + "/refs")
        return locks.map { lock in
            let place = StoreFolder.shown(lock, in: root)
            let what = String(FileSystem.name(of: place).dropLast(5))
            return Finding(path: place, .isLocked(what, age: FileSystem.age(of: lock)), kind: .note)
        }
    }

    /// What this program keeps inside git's folder, and how git is set up for the store.
    private func ownFindings(_ root: String) -> [Finding] {
        var findings: [Finding] = []
        let index = StoreFolder.shown(history.cache.indexPath, in: root)
        if (try? FileSystem.isThere(history.cache.indexPath)) == true,
            HistoryColumns.read(history.cache.indexPath, prefix: versions.prefix) == nil,
            !HistoryColumns.isOfOtherRelease(history.cache.indexPath)
        {
            findings.append(Finding(path: index, .historyIndexIsDamaged))
        }
        let note = journal.pending
        if note.isDamaged {
            findings.append(Finding(path: StoreFolder.shown(note.path, in: root), .noteIsDamaged))
        }
        guard let driver = try? workTree.mergeDriver else { return findings }
        if !driver.isNamed {
            findings.append(Finding(path: versions.prefix + MergeDriver.attributesFile, .driverIsNotNamed, kind: .note))
        } else {
            let fault: Finding.Fault? =
                switch driver.state {
                case .missing: .driverIsNotSetUp
                case .outdated: .driverIsOutdated
                case .lost(let program): .driverIsLost(program: program)
                case .foreign: .driverIsForeign
                case .current: nil
                }
            let path = StoreFolder.shown(versions.repository.git.commonDirectory + "/config", in: root)
            if let fault { findings.append(Finding(path: path, fault, kind: .note)) }
            if let paths = try? merging.recorder.tracking.filesWithoutDriver(), let first = paths.first {
                findings.append(Finding(path: first, .isMergedAsText(others: paths.count - 1), kind: .note))
            }
        }
        return findings
    }
}
