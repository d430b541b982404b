import Files
import Git
import SettingsModel

/// What `git fsck` prints, as findings: one for each object, reference or file of git's that it complains about.
struct FsckReport {
    private let root: String
    private let gitDirectory: String
    /// The one that all work trees share.
    private let common: String
    private let work: Folder
    /// What to do where git takes the folder for no repository.
    private let repair: RepositoryRepair?
    private(set) var findings: [Finding] = []
    private var named: Set<String> = []
    /// Objects that are missing, with the paths that they have in a version.
    private var missing: [ObjectID: String] = [:]
    /// Consequences of what is named besides.
    private var echoes: [String] = []

    init(root: String, gitDirectory: String, common: String, work: Folder, repair: RepositoryRepair?) {
        self.common = common
        self.repair = repair
        self.root = root
        self.gitDirectory = gitDirectory
        self.work = work
    }

    private static let commitGraphIsWrong: Int32 = 16

    mutating func read(_ output: String, _ errors: String, _ status: Int32?) {
        // `missing KIND ID (REVISION:PATH)`
        for line in output.split(separator: "\n") where line.hasPrefix("missing ") {
            guard let id = line.split(separator: " ").lazy.compactMap({ ObjectID(hex: String($0)) }).first else { continue }
            let name = line.firstIndex(of: "(").map { line[$0...].dropFirst().dropLast() }
            missing[id] = name.flatMap { name in name.firstIndex(of: ":").map { String(name[$0...].dropFirst()) } } ?? ""
        }
        for line in errors.split(separator: "\n") { read(line) }
        for (id, path) in missing.sorted(by: { ($0.value, $0.key.hex) < ($1.value, $1.key.hex) }) {
            add(id.hex, path.isEmpty ? "object \(id)" : "object \(id) (\(path))", .objectIsMissing, source(of: id))
        }
        if let status, status & Self.commitGraphIsWrong != 0, status < 128 {
            let place = shown(common + "/objects/info/commit-graph")
            add(place, place, .commitGraphIsDamaged, .removeCommitGraph)
        }
        if status != 0, findings.isEmpty {
            if echoes.isEmpty { add("", ".git", .failed(status: status), .askGit) }
            for words in echoes { add(words, ".git", .words(words), .askGit) }
        }
    }

    /// `error: WORDS`, `fatal: WORDS`, `error in KIND ID: WORDS` or `notice: WORDS`
    private mutating func read(_ line: Substring) {
        guard let colon = line.firstRange(of: ": ") else { return }
        let text = shown(String(line[colon.upperBound...]))
        switch line[..<colon.lowerBound] {
        case "error", "fatal": readError(text, stops: line.hasPrefix("fatal"))
        case "notice":
            guard text.hasPrefix("HEAD points to an unborn branch ("),
                let remedy = way(backTo: "refs/heads/" + text.dropFirst(33).dropLast())
            else { return }
            add("HEAD", shown(gitDirectory + "/HEAD"), .branchIsMissing, remedy)
        case let words where words.hasPrefix("error in "):
            if text == "broken links" { return }
            let name = String(words.dropFirst(9))
            add(name, name, .words(text), name.hasPrefix("tree ") ? .filterTree : .filterObject)
        default: break
        }
    }

    private mutating func readError(_ text: String, stops: Bool) {
        let words = text.split { " '\"(),;".contains($0) }.map { $0.hasSuffix(":") ? $0.dropLast() : $0 }
        for echo in ["invalid reflog entry", "bad ref for", "in cache-tree", "in resolve-undo", "invalid HEAD"]
        where text.contains(echo) { return echoes.append(text) }
        let place = place(in: text)
        let parts = (place ?? "").split(separator: "/").suffix(2)
        let object = ObjectID(hex: parts.joined()) ?? words.lazy.compactMap { ObjectID(hex: String($0)) }.first
        if let reference = words.first(where: { $0.hasPrefix("refs/") || $0 == "HEAD" }) {
            if reference == "HEAD", !findings.isEmpty { return }
            let remedy = way(backTo: String(reference)) ?? .writeReference
            let reason = text.hasPrefix("\(reference): ") ? String(text.dropFirst(reference.count + 2)) : text
            return add(String(reference), shown(file(of: String(reference))), .words(reason), remedy)
        }
        var (path, remedy) = (place ?? ".git", Finding.GitRemedy?.none)
        if text.hasPrefix("not a git repository") {
            remedy = repair.map { .repair($0) }
        } else if let place, place.hasSuffix(".idx") || place.hasSuffix(".pack") {
            remedy = self.remedy(forPack: place, text)
        } else if let object {
            path = place ?? "object \(object)"
            let removing = place.map { Finding.GitRemedy.remove($0) }
            let isNeeded = missing[object] != nil || stops
            remedy = isNeeded ? removing.map { .inTurn($0, source(of: object)) } ?? source(of: object) : removing
        } else if text.contains("index file") {
            path = shown(gitDirectory + "/index")
            remedy = .makeIndex(path)
        } else if path.hasSuffix("/packed-refs"), !text.hasSuffix("Permission denied") {
            remedy = .takeLineOut(logs: shown(common) + "/logs")
        } else if path.hasSuffix("/alternates") {
            remedy = .bringFolderBack
        }
        add(object?.hex ?? path, path, .words(text), remedy)
        if stops, let last = findings.indices.last, case .git(let fault, let remedy) = findings[last].fault {
            findings[last].fault = .git(fault, .checkAgain(remedy))
        }
    }

    private mutating func add(_ name: String, _ path: String, _ fault: Finding.GitFault, _ remedy: Finding.GitRemedy?) {
        guard named.insert(name).inserted else { return }
        findings.append(Finding(path: path, .git(fault, remedy)))
    }

    private func remedy(forPack place: String, _ text: String) -> Finding.GitRemedy {
        let pack = place.hasSuffix(".idx") ? place.dropLast(4) + ".pack" : place[...]
        guard place.hasSuffix(".idx") || text.hasPrefix("Packfile index") || text.hasSuffix("index not opened") else {
            return .unpack
        }
        return .makePackIndex(pack: String(pack), index: pack.dropLast(5) + ".idx")
    }

    /// The first of git's files that a text names.
    private func place(in text: String) -> String? {
        for folder in [shown(gitDirectory), shown(common)] {
            guard let range = text.firstRange(of: folder + "/") else { continue }
            return folder + "/" + text[range.upperBound...].prefix { !" '\"(),;:".contains($0) }
        }
        return nil
    }

    private func file(of reference: String) -> String { "\(reference == "HEAD" ? gitDirectory : common)/\(reference)" }

    /// Where an object's content may still be had.
    private func source(of id: ObjectID) -> Finding.GitRemedy {
        if let path = missing[id], !path.isEmpty, let there = try? work.read(path, limit: WorkTree.otherFileLimit),
            ObjectID.hash(ofBlob: there) == id
        {
            return .writeFromFile(path)
        }
        return .fetch
    }

    /// How a reference is put back where its log says that it was; nil where none does.
    private func way(backTo reference: String) -> Finding.GitRemedy? {
        let log = "\(common)/logs/\(reference)"
        guard let bytes = try? Folder.read(path: log, limit: 64 << 20),
            let line = bytes.split(separator: UInt8(ascii: "\n")).last
        else { return nil }
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count == 3, let id = ObjectID(hex: String(decoding: words[1], as: UTF8.self)) else { return nil }
        return .putBack(log: shown(log), id: id, file: shown(file(of: reference)))
    }

    /// Without the repository's folder in front of its files.
    private func shown(_ text: String) -> String { text.replacing(root + "/", with: "") }
}
