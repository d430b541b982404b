extension Source {
    /// A file or a subfolder of a folder, as a separate source.
    struct Entry {
        var name: String
        var isFolder: Bool
        var source: Source
    }

    /// The contents of the given folder; each subfolder is one entry.
    var entries: [Entry] {
        var entries: [Entry] = []
        for file in files {
            guard let slash = file.relativePath.firstIndex(of: "/") else {
                var only = file
                only.relativePath = file.name
                entries.append(Entry(name: file.name, isFolder: false, source: Source(files: [only], given: [file.path])))
                continue
            }
            let name = String(file.relativePath[..<slash])
            var inner = file
            inner.relativePath = String(file.relativePath[file.relativePath.index(after: slash)...])
            if let last = entries.indices.last, entries[last].isFolder, entries[last].name == name {
                entries[last].source.files.append(inner)
            } else {
                let path = String(file.path.dropLast(inner.relativePath.count + 1))
                entries.append(Entry(name: name, isFolder: true, source: Source(files: [inner], given: [path])))
            }
        }
        return entries
    }

    private init(files: [File], given: [String]) {
        self.init(joining: [])
        (self.files, self.given) = (files, given)
    }
}
