import Git
import SettingsModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension StoreFolder {
    /// A place inside git's folder as people write it.
    static func shown(_ place: String, in root: String) -> String {
        place.utf8.starts(with: (root + "/").utf8) ? String(place.dropFirst(root.count + 1)) : place
    }

    /// What to do about a repository that neither git nor libgit2 can open; nil where what makes one is there.
    package var repairOfRepository: String? {
        guard let gitDirectory, let root = try? repositoryRoot else { return nil }
        let place = Self.shown(gitDirectory, in: root)
        func isFolder(_ name: String) -> Bool { (try? Folder(path: "\(gitDirectory)/\(name)").names()).flatMap { $0 } != nil }
        guard isFolder("objects") else {
            return "\(place)/objects is missing, so no version is here: clone the repository anew, and keep this folder's files"
        }
        guard isFolder("refs") else { return "'mkdir -p \(place)/refs/heads' makes the folder that is missing" }
        let head = (try? Folder(path: gitDirectory).read("HEAD", limit: 4096)).flatMap { $0 } ?? []
        let line = String(decoding: head.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        if line.hasPrefix("ref: refs/") || ObjectID(hex: line) != nil { return nil }
        let names = (try? Folder(path: gitDirectory + "/refs/heads").names()).flatMap { $0 } ?? []
        let branches = names.filter { $0.entry != .folder && !$0.name.hasSuffix(".lock") }.map(\.name)
        let branch = ["main", "master"].first(where: branches.contains) ?? branches.first ?? "main"
        return "\(place)/HEAD names no branch: 'echo \"ref: refs/heads/\(branch)\" > \(place)/HEAD' puts it back"
    }
}

extension Store {
    /// The files as they stand, each version of them, what this program keeps for itself, and locks that were left; git's
    /// own objects and files are left to `git fsck`. Returns the number of versions, too. `isDamaged`: whether git has found
    /// damage, so that a check that fails because of it is not reported again.
    package func verifyDeeply(isDamaged: Bool) throws(StoreError) -> (versions: Int, findings: [Finding]) {
        let root = try folder.repositoryRoot ?? folder.path
        func collecting(_ work: () throws(StoreError) -> [Finding]) -> [Finding] {
            do throws(StoreError) { return try work() } catch { return isDamaged ? [] : [Finding(error, at: ".git")] }
        }
        var versions = 0
        var findings = leftLocks(root) + collecting { () throws(StoreError) in try verify().findings }
        if let head = try? head.commit {
            findings += collecting { () throws(StoreError) in
                let (count, found) = try verify(from: nil, to: head)
                versions = count
                return found
            }
            findings += collecting { () throws(StoreError) in try wrongCaches(root) }
        }
        return (versions, findings + ownFindings(root))
    }

    /// What `git fsck` printed, as findings. `status` is its exit status; nil where it was killed.
    package func findings(ofFsck output: String, errors: String, status: Int32?) throws(StoreError) -> [Finding] {
        var report = FsckReport(
            root: try folder.repositoryRoot ?? folder.path, gitDirectory: workGitDirectory,
            common: repository.commonDirectory.trimmingSlash, work: work,
            repair: folder.repairOfRepository)
        report.read(output, errors, status)
        return report.findings
    }

    /// Locks keep git and this program from writing; `git fsck` says nothing of them.
    private func leftLocks(_ root: String) -> [Finding] {
        let (directory, common) = (repository.gitDirectory.trimmingSlash, repository.commonDirectory)
        var locks = ["index", "HEAD", "config.worktree"].map { "\(directory)/\($0).lock" }
        locks += ["config", "packed-refs", "shallow", "objects/info/commit-graph"].map { "\(common)/\($0).lock" }
        locks = locks.filter { access($0, F_OK) == 0 }
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
            return Finding(
                path: place, reason: "it keeps everybody from writing \(place.lastPart.dropLast(5))",
                hint: "if neither git nor settings is running, remove it: 'rm \(place)'")
        }
    }

    /// What this program keeps inside git's folder, and how git is set up for the store.
    private func ownFindings(_ root: String) -> [Finding] {
        var findings: [Finding] = []
        let index = StoreFolder.shown(indexPath, in: root)
        if access(indexPath, F_OK) == 0, HistoryColumns.read(indexPath, prefix: prefix) == nil {
            findings.append(
                Finding(
                    path: index, reason: "the index of the history is damaged, so it isn't used",
                    hint: "remove it; 'settings maintain' makes it anew"))
        }
        let note = PendingNote(path: repository.gitDirectory.trimmingSlash + "/settings/pending")
        if note.isDamaged {
            findings.append(
                Finding(
                    path: StoreFolder.shown(note.path, in: root), reason: "it is no note of what was about to be written",
                    hint: "remove it, then look with 'settings status' whether the files are as you want them"))
        }
        guard let driver = try? mergeDriver else { return findings }
        if !driver.isNamed {
            findings.append(
                Finding(
                    path: prefix + MergeDriver.attributesFile,
                    reason: "it doesn't name the merge driver, so git merges the store's files as texts",
                    hint: "'settings setup' names it, or says what is in the way", kind: .note))
        } else if !driver.isRegistered {
            findings.append(
                Finding(
                    path: StoreFolder.shown(repository.commonDirectory + "/config", in: root),
                    reason: "the merge driver isn't set up in this clone, so git merges the store's files as texts",
                    hint: "'settings setup' does it", kind: .note))
        } else if driver.isOutdated {
            findings.append(
                Finding(
                    path: StoreFolder.shown(repository.commonDirectory + "/config", in: root),
                    reason: "where git can't find this program, the merge driver keeps one side without a word",
                    hint: "'settings setup' mends that", kind: .note))
        }
        return findings
    }
}
