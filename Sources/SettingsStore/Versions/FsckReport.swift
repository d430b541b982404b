import Git
import SettingsModel

extension Finding {
    /// Said where there is no git to check what is git's.
    package static let uncheckedObjects = Finding(
        path: ".git", reason: "git's objects and files were not checked, because the 'git' program is not installed", kind: .note)
}

/// What `git fsck` prints, as findings: one for each object, reference or file of git's that it complains about.
struct FsckReport {
    private let root: String
    private let gitDirectory: String
    /// The one that all work trees share.
    private let common: String
    private let work: Folder
    /// What to do where git takes the folder for no repository.
    private let repair: String?
    private(set) var findings: [Finding] = []
    private var named: Set<String> = []
    /// Objects that are missing, with the paths that they have in a version.
    private var missing: [ObjectID: String] = [:]
    /// Consequences of what is named besides.
    private var echoes: [String] = []

    init(root: String, gitDirectory: String, common: String, work: Folder, repair: String?) {
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
            add(id.hex, path.isEmpty ? "object \(id)" : "object \(id) (\(path))", "it is missing", source(of: id))
        }
        if let status, status & Self.commitGraphIsWrong != 0, status < 128 {
            let place = shown(common + "/objects/info/commit-graph")
            add(place, place, "it is damaged", "it only makes git faster: remove it, 'settings maintain' makes it anew")
        }
        if status != 0, findings.isEmpty {
            let reason = status.map { "git fsck failed with exit status \($0)" } ?? "git fsck was stopped"
            for reason in echoes.isEmpty ? [reason] : echoes { add(reason, ".git", reason, "'git fsck' says more") }
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
                let hint = way(backTo: "refs/heads/" + text.dropFirst(33).dropLast())
            else { return }
            add("HEAD", shown(gitDirectory + "/HEAD"), "it is on a branch that is missing, though it had versions", hint)
        case let words where words.hasPrefix("error in "):
            if text == "broken links" { return }
            let name = String(words.dropFirst(9))
            let isTree = name.hasPrefix("tree ")
            add(
                name, name, text,
                isTree
                    ? "nothing of it is written to files here; 'git filter-repo' takes it out of the history"
                    : "it is shown as far as it goes; only a new history, as by 'git filter-repo', is without it")
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
            let hint = way(backTo: String(reference)) ?? "write the id of its last version into it, or remove it"
            let reason = text.hasPrefix("\(reference): ") ? String(text.dropFirst(reference.count + 2)) : text
            return add(String(reference), shown(file(of: String(reference))), reason, hint)
        }
        var (path, hint) = (place ?? ".git", String?.none)
        if text.hasPrefix("not a git repository") {
            hint = repair
        } else if let place, place.hasSuffix(".idx") || place.hasSuffix(".pack") {
            hint = self.hint(forPack: place, text)
        } else if let object {
            path = place ?? "object \(object)"
            let removing = place.map { "'rm -f \(quoted($0))'" }
            hint =
                missing[object] == nil && !stops
                ? removing.map { "nothing refers to it: \($0)" }
                : [removing, source(of: object)].compactMap { $0 }.joined(separator: ", then ")
        } else if text.contains("index file") {
            path = shown(gitDirectory + "/index")
            hint = "'rm -f \(path)' and 'git reset' make it anew; what was staged has to be staged again"
        } else if path.hasSuffix("/packed-refs") {
            hint = "take that line out; a branch's log in \(shown(common))/logs says where it was"
        } else if path.hasSuffix("/alternates") {
            hint = "bring that folder back, or take it out of the file; without it objects may be missing"
        }
        add(object?.hex ?? path, path, text, hint)
        if stops, let last = findings.indices.last {
            let hint = findings[last].hint.map { $0 + "; " } ?? ""
            findings[last].hint = hint + "git fsck stopped here, so run this again afterwards"
        }
    }

    private mutating func add(_ name: String, _ path: String, _ reason: String, _ hint: String?) {
        guard named.insert(name).inserted else { return }
        findings.append(Finding(path: path, reason: reason, hint: hint))
    }

    private func hint(forPack place: String, _ text: String) -> String {
        let pack = place.hasSuffix(".idx") ? place.dropLast(4) + ".pack" : place[...]
        guard place.hasSuffix(".idx") || text.hasPrefix("Packfile index") || text.hasSuffix("index not opened") else {
            return "move it away and take out of it what is whole: 'git unpack-objects -r < PACK'; "
                + "the rest is in another clone: 'git fetch --refetch --no-filter'"
        }
        return "'rm -f \(quoted(pack.dropLast(5) + ".idx"))' and 'git index-pack \(quoted(String(pack)))' make it anew"
    }

    /// The first of git's files that a text names.
    private func place(in text: String) -> String? {
        for folder in [shown(gitDirectory), shown(common)] {
            guard let range = text.firstRange(of: folder + "/") else { continue }
            return folder + "/" + text[range.upperBound...].prefix { !" '\"(),;:".contains($0) }
        }
        return nil
    }

    private func quoted(_ path: String) -> String { path.contains(" ") ? "\"\(path)\"" : path }

    private func file(of reference: String) -> String { "\(reference == "HEAD" ? gitDirectory : common)/\(reference)" }

    /// Where an object's content may still be had.
    private func source(of id: ObjectID) -> String {
        if let path = missing[id], !path.isEmpty, let there = try? work.read(path, limit: Store.otherFileLimit),
            ObjectID.hash(ofBlob: there) == id
        {
            return "'git hash-object -w \(path)' writes it anew: the file still has it"
        }
        return "get it from another clone: 'git fetch --refetch --no-filter', or copy its objects folder over this one's"
    }

    /// How a reference is put back where its log says that it was; nil where none does.
    private func way(backTo reference: String) -> String? {
        let log = "\(common)/logs/\(reference)"
        guard let bytes = try? Folder(path: log.deletingLastPart).read(log.lastPart, limit: 64 << 20),
            let line = bytes.split(separator: UInt8(ascii: "\n")).last
        else { return nil }
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count == 3, let id = ObjectID(hex: String(decoding: words[1], as: UTF8.self)) else { return nil }
        let file = quoted(shown(file(of: reference)))
        return "\(shown(log)) says where it was: 'echo \(id.hex) > \(file)' puts it back"
    }

    /// Without the repository's folder in front of its files.
    private func shown(_ text: String) -> String {
        var (rest, shown) = (text[...], "")
        while let place = rest.firstRange(of: root + "/") {
            shown += rest[..<place.lowerBound]
            rest = rest[place.upperBound...]
        }
        return shown + rest
    }
}
