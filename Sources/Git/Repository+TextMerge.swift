import Files
package import Base
internal import CGit2

/// What a merge of two commits' texts gives.
package struct TextMerge: Sendable {
    /// Every file of the result, by its path.
    package var files: [String: Content] = [:]
    /// The paths that a person would have to merge, in the whole repository.
    package var conflicts: Set<String> = []
}

extension Repository {
    /// How lines are matched: hosting services differ, and so do their results.
    package enum LineMatching: CaseIterable, Sendable {
        case myers, patience
    }

    /// Two commits merged as a hosting service does it: line by line, guessing renames, without any merge driver. Nothing is
    /// written. Files outside the folder `under` are left out, but for those that `others` names and those in conflict.
    package func textMerge(
        of ours: ObjectID, and theirs: ObjectID, under: String, and others: Set<String>, matching: LineMatching
    ) throws(GitError) -> TextMerge {
        let operation = "merge \(ours) and \(theirs)"
        // What the merge makes of texts stays in memory.
        objects.collectObjects()
        let our = try self.handle(of: ours, operation)
        let their = try self.handle(of: theirs, operation)
        var options = git_merge_options()
        try check(operation) { git_merge_options_init(&options, UInt32(GIT_MERGE_OPTIONS_VERSION)) }
        options.flags |= GIT_MERGE_FIND_RENAMES.rawValue
        if matching == .patience { options.file_flags |= GIT_MERGE_FILE_DIFF_PATIENCE.rawValue }
        let index = try own(operation, git_index_free, in: git) {
            git_merge_commits(&$0, git.pointer, our.pointer, their.pointer, &options)
        }
        var merge = TextMerge()
        let folder = FileSystem.trimmed(under)
        for place in 0..<git_index_entrycount(index.pointer) {
            guard let entry = git_index_get_byindex(index.pointer, place)?.pointee, let name = entry.path,
                let path = String(validatingCString: name)
            else { continue }
            if git_index_entry_stage(git_index_get_byindex(index.pointer, place)) > 0 {
                merge.conflicts.insert(path)
            } else if folder.isEmpty || path.hasPrefix(folder + "/") || others.contains(path) {
                merge.files[path] = Content(entry)
            }
        }
        return merge
    }

    private func handle(of commit: ObjectID, _ operation: String) throws(GitError) -> Owned {
        var raw = commit.raw
        return try own(operation, git_commit_free, in: git) { git_commit_lookup(&$0, git.pointer, &raw) }
    }
}
