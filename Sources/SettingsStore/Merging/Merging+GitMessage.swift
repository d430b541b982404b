import Files
import Git
import SettingsModel

/// The message that git has ready for the commit that ends a merge, a rebase or a pick.
extension Merging {
    /// Adds the reason, who asked for it, the tickets and what is settled, so that git's own commit records them. Saying the
    /// same again changes nothing. `picked`: what is picked, where git picks or rebases a version. `subjects`: what was decided
    /// about these before doesn't count any more.
    func addToGitMessage(
        _ done: Done, resolving settled: [VersionMessage.Question], renaming renames: [VersionMessage.Rename] = [],
        picking picked: Picked? = nil, about subjects: Set<Subject> = []
    ) throws(Problem) {
        let isSaid = done.why != nil || !done.requestedBy.isEmpty || !done.tickets.isEmpty
        guard isSaid || !settled.isEmpty || !renames.isEmpty || picked != nil else { return }
        let git = Folder(path: versions.repository.git.gitDirectory)
        guard let name = gitMessageFile else {
            if !isSaid { return }
            throw .repository(.hasNoMessage)
        }
        let own = try journal.ownFolder()
        let new = "\(own)/new-\(TemporaryName.end)"
        var message = GitMessage(String(decoding: try onDisk(git.read(name, limit: JSON.sizeLimit)) ?? [], as: UTF8.self))
        message.dropDecisions(about: subjects, conflicts: settled)
        if let picked { message.retell(picked) }
        // Of what Gerrit's hook takes for it.
        let told =
            "\(done.committer) \(done.time.rfc3339) \(try versions.tip().id?.hex ?? "")\n\(message.text.joined(separator: "\n"))"
        guard let hash = ObjectID.hash(ofBlob: Array(told.utf8)) else { throw .repository(.failed(reason: "out of memory")) }
        let all = message.adding(done, resolving: settled, renaming: renames, change: ChangeID(hash))
        _ = try onDisk(Folder.create(new, Array(all.utf8), .none))
        try SettingsStore.git(system(FileSystem.rename(new, to: git.full(name))))
    }

    /// Whether git's commit will have two parents: also where a rebase makes a merge again.
    var isMergeByGit: Bool {
        get throws(Problem) {
            let git = Folder(path: versions.repository.git.gitDirectory)
            return try versions.operation == "merge" || (try? git.entry(at: "MERGE_HEAD")) == .some(.file)
        }
    }

    /// What git picks, rebases or applies: the subject that this program generates for it, where it is known which version that
    /// is, and what its commit changes here; nil as long as more is in conflict.
    struct Picked {
        var subject: String?
        var changes: [Change]?
        /// The subject of what was staged before that, where it was resolved before.
        var earlier: String?
    }

    /// The subject for what is staged.
    func stagedSubject(renames: [(old: Subject, new: Subject)]) throws(Problem) -> String? {
        let tip = try versions.tip().loaded()
        let staged = try workTree.stagedContents(since: tip)
        var after = SettingsContent()
        for (subject, content) in staged { after[subject] = try tip.item(subject, content, acceptingAnyValue: true) }
        let before = try tip.settings(of: Set(staged.keys), acceptingAnyValue: true)
        let changes = after.changes(since: before, renames: renames)
        return changes.isEmpty ? nil : Wording().message(of: changes).subject
    }

    /// What git picks, rebases or applies, once these settings are resolved. `isLast`: nothing else of the store is in conflict
    /// then.
    func picked(
        resolving result: SettingsContent, of subjects: Set<Subject>, renames: [(old: Subject, new: Subject)], isLast: Bool
    ) throws(Problem) -> Picked? {
        let operation = try SettingsStore.git(versions.repository.git.operation)
        guard operation == .rebase || operation == .cherryPick || operation == .applyMailbox else { return nil }
        var picked = Picked()
        if let id = version(namedIn: operation == .cherryPick ? "CHERRY_PICK_HEAD" : "REBASE_HEAD"),
            let version = try? versions.version(id), !version.isMerge, let made = try? versions.changes(of: version)
        {
            picked.subject = Wording().message(of: made.changes).subject
        }
        guard isLast else { return picked }
        let tip = try versions.tip().loaded()
        let staged = try workTree.stagedContents(since: tip).filter { !subjects.contains($0.key) }
        let before = try tip.settings(of: subjects.union(staged.keys), acceptingAnyValue: true)
        var after = result
        for (subject, content) in staged { after[subject] = try tip.item(subject, content, acceptingAnyValue: true) }
        picked.changes = after.changes(since: before, renames: renames)
        return picked
    }

    /// From git's directory.
    private var gitMessageFile: String? {
        let git = Folder(path: versions.repository.git.gitDirectory)
        // A rebase commits with a message of its own, and has the other beside it.
        return ["rebase-merge/message", "rebase-apply/final-commit", "MERGE_MSG"].first {
            (try? git.entry(at: $0)) == .some(.file)
        }
    }
}

/// A message while it is worked on: the text, its trailers, and the comments behind it, which git takes out.
struct GitMessage {
    private(set) var text: [Substring]
    /// What it changes, as this program generates that.
    private var details: [String] = []
    private var trailers: [String] = []
    private let comments: [Substring]

    init(_ message: String) {
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
        func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }
        let end = lines.lastIndex { !isBlank($0) && !$0.hasPrefix("#") }.map { $0 + 1 } ?? 0
        text = Array(lines[..<end])
        comments = Array(lines[end...])
        guard let blank = text.lastIndex(where: isBlank), Trailers(paragraph: text[(blank + 1)...]) != nil else { return }
        trailers = text[(blank + 1)...].map(String.init)
        let last = text[..<blank].lastIndex { !isBlank($0) } ?? -1
        text = Array(text[...last])
    }

    /// Where this program generated what the message says: says what is changed here instead, or nothing as long as that isn't
    /// known.
    mutating func retell(_ picked: Merging.Picked) {
        let message = VersionMessage((text + [""] + trailers.map { Substring($0) }).joined(separator: "\n"))
        guard message.via != nil else { return }
        if !message.details.isEmpty, let blank = text.lastIndex(where: { $0.allSatisfy(\.isWhitespace) }) {
            let last = text[..<blank].lastIndex { !$0.allSatisfy(\.isWhitespace) } ?? -1
            text = Array(text[...last])
        }
        guard let changes = picked.changes, !changes.isEmpty else {
            // What it says of an earlier answer isn't so any more.
            if let subject = picked.subject, message.subject == picked.earlier { text[0] = Substring(subject.visible) }
            return
        }
        let told = Wording().message(of: changes)
        if [picked.subject, picked.earlier].contains(message.subject) {
            text[0] = Substring(told.subject.visible)
            details = told.details
        } else {
            details = Wording().details(of: changes)
            if details.count < 2 { details = [] }
        }
        trailers.removeAll { $0.hasPrefix("Renamed: ") }
        var renaming = VersionMessage(subject: "")
        renaming.renames = changes.compactMap(\.renaming).map { VersionMessage.Rename(old: $0.old, new: $0.new) }
        trailers += renaming.trailerLines
    }

    /// Leaves out what trailers say of an earlier decision about any of these, and that conflicts are open which are resolved now:
    /// a merge that a rebase makes again has its earlier message.
    mutating func dropDecisions(about subjects: Set<Subject>, conflicts: [VersionMessage.Question]) {
        let names = Set(subjects.map { VersionMessage.word($0) })
        let open = Set(conflicts.map { "Conflict: \($0.text)" })
        trailers.removeAll { trailer in
            if open.contains(trailer) { return true }
            let words = trailer.split(separator: " ").map(String.init)
            return words.count == 3
                && (words[0] == "Resolves:" && names.contains(words[1]) || words[0] == "Renamed:" && names.contains(words[2]))
        }
    }

    /// `change`: what the version is called by others, where the message doesn't say that yet.
    func adding(
        _ done: Done, resolving settled: [VersionMessage.Question], renaming renames: [VersionMessage.Rename] = [],
        change: ChangeID
    ) -> String {
        var parts = [text.joined(separator: "\n")]
        if let why = done.why {
            // git would take such a line for a comment.
            let lines = why.split(separator: "\n", omittingEmptySubsequences: false)
            let safe = lines.map { $0.hasPrefix("#") ? " " + $0 : $0 }.joined(separator: "\n")
            if !parts[0].contains(safe) { parts.append(safe) }
        }
        if !details.isEmpty { parts.append((["Changes:"] + details.map { "  \($0.visible)" }).joined(separator: "\n")) }
        var message = VersionMessage(subject: "")
        (message.requestedBy, message.tickets, message.resolves) = (done.requestedBy, done.tickets, settled)
        message.renames = renames
        if !trailers.contains(where: { $0.hasPrefix("Via: ") }) { message.via = done.via }
        let new = message.trailerLines.filter { !trailers.contains($0) }
        // What git picks keeps its own.
        let own = trailers.filter { ChangeID(line: Substring($0)) != nil }
        message = VersionMessage(subject: "")
        if own.isEmpty { message.changeIDs = [change] }
        let others = trailers.filter { !own.contains($0) }
        parts.append((others + new + own + message.trailerLines).joined(separator: "\n"))
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n" + comments.joined(separator: "\n")
    }
}
