import Files
internal import CGit2

extension Repository {
    /// What the attributes of the work tree say of a file, as `git check-attr` has it; nil unless they give the attribute a text
    /// for its value. `path` is relative to the repository's root.
    package func attribute(_ name: String, of path: String) throws(GitError) -> String? {
        guard case .text(let text) = try attributeValue(name, of: path) else { return nil }
        return text
    }

    private enum AttributeValue {
        case unspecified, set, unset
        case text(String)
    }

    private func attributeValue(_ name: String, of path: String) throws(GitError) -> AttributeValue {
        let operation = "look up attribute \(name) of \(path)"
        try refuseZeroByte(in: path, operation)
        var value: UnsafePointer<CChar>?
        try check(operation) {
            git_attr_get(&value, git.pointer, UInt32(GIT_ATTR_CHECK_FILE_THEN_INDEX), path, name)
        }
        guard let value else { return .unspecified }
        switch git_attr_value(value) {
        case GIT_ATTR_VALUE_STRING: return .text(String(cString: value))
        case GIT_ATTR_VALUE_TRUE: return .set
        case GIT_ATTR_VALUE_FALSE: return .unset
        default: return .unspecified
        }
    }

    /// Whether git records a file that has CR LF at the end of its lines with LF alone.
    package func convertsLineEnds(of path: String) throws(GitError) -> Bool {
        switch try attributeValue("text", of: path) {
        case .unset: return false
        case .set, .text: return true
        case .unspecified:
            if case .text = try attributeValue("eol", of: path) { return true }
            return ["true", "input"].contains(try configuration.configured("core.autocrlf")?.lowercased())
        }
    }

    /// The attribute by which git records another content of a file than it has, as `filter=lfs`; nil where it has none of these.
    package func conversion(of path: String) throws(GitError) -> String? {
        guard try mayConvert(path) else { return nil }
        if let encoding = try attribute("working-tree-encoding", of: path) { return "working-tree-encoding=\(encoding)" }
        guard let filter = try attribute("filter", of: path) else { return nil }
        // One that the configuration doesn't have is none, unless a file must not be recorded without it.
        for key in ["clean", "process", "required"] where try configuration.configured("filter.\(filter).\(key)") != nil {
            return "filter=\(filter)"
        }
        return nil
    }

    /// Whether any file of attributes that counts for a path has a word about converting. libgit2, which looks it up, reads the
    /// whole index for that: 5 ms of the 17 that it takes to set one of 10,000 options.
    private func mayConvert(_ path: String) throws(GitError) -> Bool {
        guard let root = git.workDirectory else { return false }
        var files = ["/etc/gitattributes", git.commonDirectory + "/info/attributes"]
        if let own = try configuration.configured("core.attributesFile") {
            files.append(own.hasPrefix("/") ? own : try RepositoryConfiguration.expanded(path: own))
        } else {
            files += Library.userFolders.map { $0.git + "/attributes" }
        }
        var folder = root.hasSuffix("/") ? String(root.dropLast()) : root
        for part in path.split(separator: "/") {
            files.append(folder + "/.gitattributes")
            folder += "/" + part
        }
        let words = ["filter=", "working-tree-encoding="].map { Array($0.utf8) }
        return files.contains { file in
            guard (try? FileSystem.isThere(file)) != false else { return false }
            // What can't be read here is left to libgit2.
            guard let resolved = try? FileSystem.resolved(file),
                let text = (try? FileSystem.read(resolved, atMost: Self.attributesLimit)).flatMap({ $0?.bytes })
            else { return true }
            return words.contains { text.firstRange(of: $0) != nil }
        }
    }

    private static let attributesLimit = 1 << 20
}
