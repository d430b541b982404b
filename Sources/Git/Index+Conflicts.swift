import Files
internal import CGit2

/// A path that git could not merge: what it was, and what each side made of it.
package struct PathConflict: Hashable, Sendable {
    package let path: String
    package var base: Content?
    package var ours: Content?
    package var theirs: Content?
}

extension Index {
    /// The paths in conflict in the index, by path.
    package func conflicts() throws(GitError) -> [PathConflict] {
        if let bytes = try system(FileSystem.bytes(of: git.gitDirectory + "/index", atMost: .max)),
            let index = try? IndexFile(bytes, writtenIn: .max)
        {
            return Self.conflicts(in: index)
        }
        let operation = "read the index's conflicts"
        let index = try index(fresh: false)
        guard git_index_has_conflicts(index.pointer) == 1 else { return [] }
        let iterator = try own(operation, git_index_conflict_iterator_free) {
            git_index_conflict_iterator_new(&$0, index.pointer)
        }
        var found: [PathConflict] = []
        while true {
            var base: UnsafePointer<git_index_entry>?
            var ours: UnsafePointer<git_index_entry>?
            var theirs: UnsafePointer<git_index_entry>?
            let code = git_index_conflict_next(&base, &ours, &theirs, iterator.pointer)
            if code == GIT_ITEROVER.rawValue { break }
            try check(operation) { code }
            guard let name = (ours ?? theirs ?? base)?.pointee.path else { continue }
            found.append(
                PathConflict(
                    path: String(cString: name), base: base.map { Content($0.pointee) }, ours: ours.map { Content($0.pointee) },
                    theirs: theirs.map { Content($0.pointee) }))
        }
        return found
    }

    private static func conflicts(in index: IndexFile) -> [PathConflict] {
        var found: [PathConflict] = []
        index.eachStage { name, stage, content in
            let path = String(decoding: name, as: UTF8.self)
            if found.last?.path != path { found.append(PathConflict(path: path)) }
            let side = [\PathConflict.base, \.ours, \.theirs][stage - 1]
            found[found.count - 1][keyPath: side] = content
        }
        return found
    }

    /// Three texts merged line by line, as `git merge-file` does; whether that left no conflict.
    package static func mergeTexts(
        base: [UInt8], ours: [UInt8], theirs: [UInt8], names: (ours: String, theirs: String)
    ) throws(GitError) -> (text: [UInt8], isClean: Bool) {
        try Library.start()
        let operation = "merge texts"
        func input(_ bytes: UnsafeBufferPointer<UInt8>) throws(GitError) -> git_merge_file_input {
            var input = git_merge_file_input()
            try check(operation) { git_merge_file_input_init(&input, UInt32(GIT_MERGE_FILE_INPUT_VERSION)) }
            input.ptr = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            input.size = bytes.count
            return input
        }
        return try base.withUnsafeBufferPointer { base throws(GitError) in
            try ours.withUnsafeBufferPointer { ours throws(GitError) in
                try theirs.withUnsafeBufferPointer { theirs throws(GitError) in
                    var inputs = (try input(base), try input(ours), try input(theirs))
                    var options = git_merge_file_options()
                    try check(operation) { git_merge_file_options_init(&options, UInt32(GIT_MERGE_FILE_OPTIONS_VERSION)) }
                    var result = git_merge_file_result()
                    let code = names.ours.withCString { our in
                        names.theirs.withCString { their in
                            options.our_label = our
                            options.their_label = their
                            return git_merge_file(&result, &inputs.0, &inputs.1, &inputs.2, &options)
                        }
                    }
                    try check(operation) { code }
                    defer { git_merge_file_result_free(&result) }
                    let text = UnsafeRawBufferPointer(start: result.ptr, count: result.len)
                    return (Array(text), result.automergeable == 1)
                }
            }
        }
    }
}
