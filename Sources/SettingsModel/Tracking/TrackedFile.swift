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

    /// An entry of `"files"` that can't be followed.
    package struct Fault: Error, Hashable, Sendable {
        /// The file as the entry names it, or the whole entry.
        package var name: String
        /// The options that would have to be written there lie in this group; nil where the entry stands for none.
        package var group: Key?
        /// Whether it is the list as a whole that is wrong, so that nobody knows what is in step with which option.
        package var isOfList = false
        /// What is said of the list: `names 'x.yaml', which is not a regular file`.
        package var reason: String
        /// What is said of the file: `is not a regular file`; nil where the entry can't be read at all.
        package var reasonOfFile: String?

        package init(_ file: TrackedFile, _ reason: String) {
            self.init(file.file, file.group, "names '\(file.file)', which \(reason)")
            reasonOfFile = reason
        }

        init(_ name: String, _ group: Key?, _ reason: String) { (self.name, self.group, self.reason) = (name, group, reason) }

        init(ofList reason: String) {
            self.init(StoreDefinition.filesMember.string, .root, reason)
            isOfList = true
        }

        package var problem: Problem { .tracking(.isNotFollowed(self)) }
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

    /// The same, with the group under its new name.
    package func moved(_ renames: [(old: Subject, new: Subject)]) -> TrackedFile {
        var file = self
        for rename in renames where rename.old.isGroup { file.group = file.group.moved(from: rename.old.key, to: rename.new.key) }
        return file
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

    /// The files that `_store.json` names, and what is wrong with each entry that can't be followed.
    package var trackedFiles: (files: [TrackedFile], faults: [TrackedFile.Fault]) {
        guard let entries else {
            return ([], [TrackedFile.Fault(ofList: "must be a list, not \(other[Self.filesMember]?.kind ?? "null")")])
        }
        guard entries.count <= TrackedFile.countLimit else {
            return ([], [TrackedFile.Fault(ofList: "names \(entries.count) files, more than \(TrackedFile.countLimit)")])
        }
        var files: [TrackedFile] = []
        var faults: [TrackedFile.Fault] = []
        for entry in entries {
            switch Self.trackedFile(entry) {
            case .failure(let fault): faults.append(fault)
            case .success(let file):
                if let other = files.first(where: { $0.overlaps(file) }) {
                    faults.append(
                        TrackedFile.Fault(file, "differs from '\(other.file)' only in case, or one of them lies under the other"))
                } else {
                    files.append(file)
                }
            }
        }
        return (files, faults)
    }

    /// Whether anything is named there, valid or not.
    package var namesFiles: Bool { other[Self.filesMember] != nil }

    /// Nil where it isn't a list.
    private var entries: [JSON]? {
        switch other[Self.filesMember] {
        case nil: []
        case .array(let entries)?: entries
        default: nil
        }
    }

    private static func trackedFile(_ entry: JSON) -> Result<TrackedFile, TrackedFile.Fault> {
        let place = entry["group"]?.text?.string ?? ""
        let group = place.isEmpty ? Key.root : try? Key(place)
        guard let file = entry["file"]?.text?.string else {
            let text = entry.compact
            return .failure(TrackedFile.Fault(text, nil, "has \(text), which does not name a \"file\""))
        }
        guard let group else {
            let reason = "names '\(file)' with the group '\(place)', which is not a valid key"
            return .failure(TrackedFile.Fault(file, nil, reason))
        }
        guard let word = entry["format"]?.text?.string, let format = FormatName(rawValue: word) else {
            let reason = "names '\(file)' without a \"format\" that this program supports"
            return .failure(TrackedFile.Fault(file, group, reason))
        }
        return .success(TrackedFile(file: file, format: format, group: group))
    }

    /// With an entry for this file, in place of one that names the same.
    package mutating func track(_ file: TrackedFile) {
        var entries = entries ?? []
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
        guard let entries else { return false }
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
