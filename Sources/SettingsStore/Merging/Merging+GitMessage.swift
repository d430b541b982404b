import Files
import Git
import SettingsModel

/// The message that git has ready for the commit that ends a merge, a rebase or a pick.
extension Merging {
    /// Adds the reason, who asked for it, the tickets and what is settled, so that git's own commit records them. Saying the
    /// same again changes nothing.
    func addToGitMessage(
        _ done: Done, resolving settled: [VersionMessage.Question], renaming renames: [VersionMessage.Rename] = []
    ) throws(Problem) {
        let isSaid = done.why != nil || !done.requestedBy.isEmpty || !done.tickets.isEmpty
        guard isSaid || !settled.isEmpty || !renames.isEmpty else { return }
        let git = Folder(path: versions.repository.git.gitDirectory)
        guard let name = gitMessageFile else {
            if !isSaid { return }
            throw .repository(.hasNoMessage)
        }
        let own = try journal.ownFolder()
        let new = "\(own)/new-message"
        try journal.writing { () throws(SystemFailure) in
            let text = String(decoding: try git.read(name, limit: JSON.sizeLimit) ?? [], as: UTF8.self)
            let message = GitMessage(text).adding(done, resolving: settled, renaming: renames)
            try Folder.create(new, Array(message.utf8), .none)
        }
        try SettingsStore.git { () throws(GitError) in try system(FileSystem.rename(new, to: git.full(name))) }
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
    private var text: [Substring]
    private var trailers: [String] = []
    private let comments: [Substring]

    init(_ message: String) {
        let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
        func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }
        let end = lines.lastIndex { !isBlank($0) && !$0.hasPrefix("#") }.map { $0 + 1 } ?? 0
        text = Array(lines[..<end])
        comments = Array(lines[end...])
        guard let blank = text.lastIndex(where: isBlank), VersionMessage.areTrailers(text[(blank + 1)...]) else { return }
        trailers = text[(blank + 1)...].map(String.init)
        let last = text[..<blank].lastIndex { !isBlank($0) } ?? -1
        text = Array(text[...last])
    }

    func adding(
        _ done: Done, resolving settled: [VersionMessage.Question], renaming renames: [VersionMessage.Rename] = []
    ) -> String {
        var parts = [text.joined(separator: "\n")]
        if let why = done.why {
            // git would take such a line for a comment.
            let lines = why.split(separator: "\n", omittingEmptySubsequences: false)
            let safe = lines.map { $0.hasPrefix("#") ? " " + $0 : $0 }.joined(separator: "\n")
            if !parts[0].contains(safe) { parts.append(safe) }
        }
        var message = VersionMessage(subject: "")
        (message.requestedBy, message.tickets, message.resolves) = (done.requestedBy, done.tickets, settled)
        message.renames = renames
        if !trailers.contains(where: { $0.hasPrefix("Via: ") }) { message.via = done.via }
        let new = message.trailerLines.filter { !trailers.contains($0) }
        parts.append((trailers + new).joined(separator: "\n"))
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n" + comments.joined(separator: "\n")
    }
}
