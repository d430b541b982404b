import Files
internal import CGit2

extension Repository {
    /// What somebody began in this repository and has not ended.
    package enum Operation: Hashable, Sendable {
        case none, merge, revert, cherryPick, bisect, rebase, applyMailbox
    }

    /// The work tree's own git directory, without a slash at the end.
    package var gitDirectory: String { path(git_repository_path(pointer)) ?? "" }

    /// The git directory that all work trees share.
    package var commonDirectory: String { path(git_repository_commondir(pointer)) ?? gitDirectory }

    /// The work tree's root; nil in a bare repository.
    package var workDirectory: String? { path(git_repository_workdir(pointer)) }

    package var isBare: Bool { git_repository_is_bare(pointer) == 1 }

    package var isShallow: Bool { git_repository_is_shallow(pointer) == 1 }

    /// As libgit2 has it, which takes what it can't look at for missing (all versions; not reported).
    package var operation: Operation {
        get throws(GitError) {
            for (name, operation) in Self.operations where try system(FileSystem.isThere("\(gitDirectory)/\(name)")) {
                return operation
            }
            return .none
        }
    }

    private static let operations: [(name: String, operation: Operation)] = [
        ("rebase-merge", .rebase), ("rebase-apply/rebasing", .rebase), ("rebase-apply", .applyMailbox), ("MERGE_HEAD", .merge),
        ("REVERT_HEAD", .revert), ("CHERRY_PICK_HEAD", .cherryPick), ("BISECT_LOG", .bisect),
    ]

    private func path(_ text: UnsafePointer<CChar>?) -> String? {
        text.map { FileSystem.trimmed(String(cString: $0)) }
    }
}
