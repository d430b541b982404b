internal import CGit2

extension Repository {
    /// What the attributes of the work tree say of a file, as `git check-attr` has it; nil unless they give the attribute a text
    /// for its value. `path` is relative to the repository's root.
    package func attribute(_ name: String, of path: String) throws(GitError) -> String? {
        let operation = "look up attribute \(name) of \(path)"
        try refuseZeroByte(in: path, operation)
        var value: UnsafePointer<CChar>?
        try check(operation) {
            git_attr_get(&value, git.pointer, UInt32(GIT_ATTR_CHECK_FILE_THEN_INDEX), path, name)
        }
        guard let value, git_attr_value(value) == GIT_ATTR_VALUE_STRING else { return nil }
        return String(cString: value)
    }

    /// The attribute by which git records another content of a file than it has, as `filter=lfs`; nil where it has none of these.
    package func conversion(of path: String) throws(GitError) -> String? {
        if let encoding = try attribute("working-tree-encoding", of: path) { return "working-tree-encoding=\(encoding)" }
        guard let filter = try attribute("filter", of: path) else { return nil }
        // One that the configuration doesn't have is none, unless a file must not be recorded without it.
        for key in ["clean", "process", "required"] where try configuration.configured("filter.\(filter).\(key)") != nil {
            return "filter=\(filter)"
        }
        return nil
    }
}
