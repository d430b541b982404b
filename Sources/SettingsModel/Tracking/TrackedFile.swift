/// A file that another program reads and that a store keeps in step with a group: an entry of `"files"` in `_store.json`.
public struct TrackedFile: Hashable, Sendable {
    /// The path from the store's folder: `../config/app.yaml`.
    public var file: String
    public var format: FormatName
    /// The group whose options are the members of the file.
    public var group: Key

    public init(file: String, format: FormatName, group: Key) {
        self.file = file
        self.format = format
        self.group = group
    }

    /// A store tracks no more files than this, and none that is larger than `sizeLimit`.
    package static let countLimit = 100
    package static let sizeLimit = 1 << 20

    package var json: JSON {
        .object([
            JSON.Member("file", .string(ExactText(file))), JSON.Member("format", .string(ExactText(format.rawValue))),
            JSON.Member("group", .string(ExactText(group.description))),
        ])
    }

    /// The path from the repository's root of a file named from a store's folder, which is `folder` there (empty, or with a slash
    /// at its end); nil where the path leaves the repository or is written in another way than the shortest.
    package func path(from folder: String) -> String? {
        var parts = folder.split(separator: "/").map(String.init)
        var isBelow = false
        for part in file.split(separator: "/", omittingEmptySubsequences: false) {
            if part == ".." {
                guard !isBelow, parts.popLast() != nil else { return nil }
            } else {
                guard !part.isEmpty, part != "." else { return nil }
                isBelow = true
                parts.append(String(part))
            }
        }
        return isBelow ? parts.joined(separator: "/") : nil
    }

    /// The path from a store's folder to a file; both are counted from the repository's root.
    package static func file(_ path: String, from folder: String) -> String {
        var (to, from) = (path.split(separator: "/")[...], folder.split(separator: "/")[...])
        while let next = to.first, next == from.first, to.count > 1 {
            to.removeFirst()
            from.removeFirst()
        }
        return String(repeating: "../", count: from.count) + to.joined(separator: "/")
    }
}

extension StoreDefinition {
    static let filesMember: ExactText = "files"

    /// The files that `_store.json` names. Throws what is wrong with the first entry that can't be followed.
    package func trackedFiles() throws(BadFile) -> [TrackedFile] {
        let entries = try entries()
        guard entries.count <= TrackedFile.countLimit else {
            throw Self.fault("names \(entries.count) files, more than \(TrackedFile.countLimit)")
        }
        var files: [TrackedFile] = []
        for entry in entries {
            let file = try Self.trackedFile(entry)
            if let other = files.first(where: { $0.overlaps(file) }) {
                throw Self.fault("names '\(file.file)' beside '\(other.file)': they are equal, or one lies under the other")
            }
            files.append(file)
        }
        return files
    }

    /// Whether anything is named there, valid or not.
    package var namesFiles: Bool { other[Self.filesMember] != nil }

    private func entries() throws(BadFile) -> [JSON] {
        switch other[Self.filesMember] {
        case nil: return []
        case .array(let entries)?: return entries
        case let value?: throw Self.fault("must be a list, not \(value.kind)")
        }
    }

    private static func trackedFile(_ entry: JSON) throws(BadFile) -> TrackedFile {
        guard let file = entry["file"]?.text?.string else {
            throw fault("has \(entry.compact), which does not name a \"file\"")
        }
        guard let word = entry["format"]?.text?.string, let format = FormatName(rawValue: word) else {
            throw fault("names '\(file)' without a \"format\" that this program knows")
        }
        let place = entry["group"]?.text?.string ?? ""
        guard let group = place.isEmpty ? Key.root : try? Key(place) else {
            throw fault("names '\(file)' with the group '\(place)', which is not a valid key")
        }
        return TrackedFile(file: file, format: format, group: group)
    }

    package static func fault(_ reason: String) -> BadFile {
        BadFile("\"files\" \(reason)", hint: "correct it, or drop the entry")
    }

    /// With an entry for this file, in place of one that names the same.
    package mutating func track(_ file: TrackedFile) {
        var entries = (try? entries()) ?? []
        if let place = entries.firstIndex(where: { $0["file"]?.text?.string == file.file }) {
            entries[place] = file.json
        } else {
            entries.append(file.json)
        }
        other[Self.filesMember] = .array(entries)
    }

    /// Entries that two sides changed, file by file; nil where both changed the same one differently. `.some(nil)`: none is left.
    static func mergeFiles(_ base: JSON?, _ ours: JSON?, _ theirs: JSON?) -> JSON?? {
        var sides: [[JSON]] = []
        for side in [base, ours, theirs] {
            guard case .array(let entries) = side ?? .array([]) else { return nil }
            sides.append(entries)
        }
        func entry(_ name: JSON?, _ side: Int) -> JSON? { sides[side].first { $0["file"] == name } }
        var names: [JSON?] = []
        for entry in sides[1] + sides[2] where !names.contains(entry["file"]) { names.append(entry["file"]) }
        var merged: [JSON] = []
        for name in names {
            let (old, our, their) = (entry(name, 0), entry(name, 1), entry(name, 2))
            guard our == their || our == old || their == old else { return nil }
            if let kept = our == old ? their : our { merged.append(kept) }
        }
        return .some(merged.isEmpty ? nil : .array(merged))
    }

    /// Without the entries that name this file; false where there is none.
    package mutating func untrack(_ file: String) -> Bool {
        guard let entries = try? entries() else { return false }
        let left = entries.filter { $0["file"]?.text?.string != file }
        other[Self.filesMember] = left.isEmpty ? nil : .array(left)
        return left.count < entries.count
    }
}

extension TrackedFile {
    /// Whether both are one file on a system that ignores case, or one is in a folder of the other's name.
    fileprivate func overlaps(_ other: TrackedFile) -> Bool {
        let (own, others) = (file.lowercased(), other.file.lowercased())
        return own == others || own.hasPrefix(others + "/") || others.hasPrefix(own + "/")
    }
}
