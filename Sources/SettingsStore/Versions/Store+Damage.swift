import Git
import SettingsModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension StoreFolder {
    /// What is wrong with git's own files, looked at without opening the repository: where that can't be done, they tell
    /// why.
    package func damage() -> [Finding] {
        guard let root = try? repositoryRoot else { return [] }
        return Damage.inFiles(of: root).map { Finding($0, in: root, hint: Repair(root: root).hint(for: $0)) }
    }

    /// A place inside git's folder as people write it.
    static func shown(_ place: String, in root: String) -> String {
        place.utf8.starts(with: (root + "/").utf8) ? String(place.dropFirst(root.count + 1)) : place
    }
}

extension Finding {
    init(_ damage: Damage, in root: String, hint: String?) {
        self.init(path: StoreFolder.shown(damage.place, in: root), reason: damage.reason, hint: hint)
    }
}

extension Store {
    /// Everything: every object of the repository, the files as they stand, each version of them, and what this program
    /// keeps for itself. Returns how many objects and versions there are, too.
    package func verifyDeeply() throws(StoreError) -> (objects: Int, versions: Int, findings: [Finding]) {
        let root = try folder.repositoryRoot ?? folder.path
        let (objects, damages) = try git { () throws(GitError) in
            try repository.damageInObjects { if $0 & 63 == 0 { progress?($0) } }
        }
        let repair = Repair(root: root, work: work)
        var findings = damages.map { Finding($0, in: root, hint: repair.hint(for: $0)) }
        for (number, damage) in damages.enumerated() {
            if let id = damage.version { findings[number].version = try? version(id) }
        }
        var versions = 0
        // What damaged objects hold is told already; without them no history can be gone through.
        let isWhole = damages.allSatisfy { damage in
            switch damage.kind {
            case .missing, .object, .loose: false
            default: true
            }
        }
        let files = Self.collecting { () throws(StoreError) in try verify().findings }
        if isWhole || !files.contains(where: { $0.path == ".git" }) { findings += files }
        if isWhole, let head = try? head.commit {
            findings += Self.collecting { () throws(StoreError) in
                let (count, found) = try verify(from: nil, to: head)
                versions = count
                return found
            }
            findings += Self.collecting { () throws(StoreError) in try wrongCaches(root) }
        }
        return (objects, versions, findings + ownFindings(root))
    }

    private static func collecting(_ work: () throws(StoreError) -> [Finding]) -> [Finding] {
        do throws(StoreError) { return try work() } catch {
            return [Finding(error, at: ".git")]
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

/// What to do about damage of git's own files.
private struct Repair {
    let root: String
    var work: Folder?

    func hint(for damage: Damage) -> String {
        let place = StoreFolder.shown(damage.place, in: root)
        if damage.isUnreadable {
            return "let yourself read it ('chmod u+r \(place)', as its owner), or see to the disk; do not remove it"
        }
        switch damage.kind {
        case .head: return "'echo \"ref: \(branch)\" > \(place)' puts it back on its branch"
        case .folder:
            return damage.place.hasSuffix("/refs")
                ? "'mkdir -p \(place)/heads' makes it, then look again"
                : "without it no version is here: clone the repository anew, and keep this folder's files"
        case .reference(let name):
            return self.reference(name, Self.above(damage.place, name), without: nil)
                ?? "write the id of its last version into it, which another clone has, or remove it"
        case .configuration: return "mend it, or copy another repository's"
        case .index: return "'rm -f \(place)' and 'git reset' make it anew; what was staged has to be staged again"
        case .lock: return "if neither git nor settings is running, remove it: 'rm \(place)'"
        case .log: return "no version depends on it: take that line out, or remove the file"
        case .alternates: return "bring that folder back; without it objects are missing"
        case .graph: return "it only makes git faster: remove it, 'settings maintain' makes it anew"
        case .packedReferences: return "take that line out; a branch's log in \(gitFolder(of: place))logs says where it was"
        case .pack:
            return "move it away and take out of it what is whole: 'git unpack-objects -r < PACK'; "
                + "the rest is in another clone: 'git fetch --refetch --no-filter'"
        case .packIndex:
            let pack = place.hasSuffix(".idx") ? place.dropLast(4) + ".pack" : place[...]
            return "'rm -f \(pack.dropLast(5)).idx' and 'git index-pack \(pack)' make it anew"
        case .loose(let id):
            if damage.isUnused { return "nothing refers to it: 'rm -f \(place)'" }
            return "'rm -f \(place)', then " + source(of: id, damage.path)
        case .object(let id), .missing(let id):
            let source = source(of: id, damage.path)
            guard let name = damage.reference, name != "HEAD",
                let hint = reference(name, root + "/.git", without: id)
            else { return source }
            return "\(source); or \(hint)"
        case .commit: return "it is shown as far as it goes; only a new history, as by 'git filter-repo', is without it"
        case .tree: return "nothing of it is written to files here; 'git filter-repo' takes it out of the history"
        }
    }

    /// Where an object's content may still be had.
    private func source(of id: ObjectID, _ path: String?) -> String {
        if let path, let there = try? work?.read(path, limit: Store.otherFileLimit), ObjectID.hash(ofBlob: there) == id {
            return "'git hash-object -w \(path)' writes it anew: the file still has it"
        }
        return "have it from another clone: 'git fetch --refetch --no-filter', or copy its objects folder over this one's"
    }

    private var branch: String {
        let names = (try? Folder(path: root + "/.git/refs/heads").names()).flatMap { $0 } ?? []
        let branches = names.filter { $0.entry != .folder && !$0.name.hasSuffix(".lock") }.map(\.name)
        let name = ["main", "master"].first(where: branches.contains) ?? branches.first ?? "main"
        return "refs/heads/\(name)"
    }

    private func reference(_ name: String, _ folder: String, without id: ObjectID?) -> String? {
        let log = "\(folder)/logs/\(name)"
        guard let last = lastEntry(of: log, without: id) else { return nil }
        let (shown, file) = (StoreFolder.shown(log, in: root), StoreFolder.shown("\(folder)/\(name)", in: root))
        return "\(shown) says where it was: 'echo \(last) > \(file)' puts it back"
    }

    private func lastEntry(of log: String, without missing: ObjectID?) -> String? {
        guard let bytes = try? Folder(path: log.deletingLastPart).read(log.lastPart, limit: 64 << 20) else { return nil }
        guard let line = bytes.split(separator: UInt8(ascii: "\n")).last else { return nil }
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count == 3, let id = ObjectID(hex: String(decoding: words[1], as: UTF8.self)), id != missing else {
            return nil
        }
        return id.hex
    }

    private static func above(_ place: String, _ name: String) -> String {
        place.hasSuffix("/" + name) ? String(place.dropLast(name.count + 1)) : place.deletingLastPart
    }

    private func gitFolder(of place: String) -> String {
        let folder = place.deletingLastPart
        return folder == "." ? "" : folder + "/"
    }
}
