import Files
import Git
import SettingsModel

extension Versions {
    /// More is no map of people.
    private static let mailmapLimit = 1 << 20

    /// The mailmap, read where git reads it: the work tree's `.mailmap`, or the last version's in a bare repository, then what
    /// `mailmap.blob` and `mailmap.file` name. One that can't be read, or is too large, says nothing, as in git.
    func readMailmap() -> Mailmap {
        var map = Mailmap()
        let work = repository.git.workDirectory
        if let work, let file = try? Folder(path: work).read(".mailmap", limit: Self.mailmapLimit),
            file.count <= Self.mailmapLimit
        {
            map.add(file: file)
        }
        if let blob = configured("mailmap.blob") ?? (work == nil ? "HEAD:.mailmap" : nil), let file = file(named: blob) {
            map.add(file: file)
        }
        if let path = configured("mailmap.file"), let place = try? RepositoryConfiguration.expanded(path: path) {
            let full = place.hasPrefix("/") ? place : "\(work ?? repository.git.gitDirectory)/\(place)"
            if let file = (try? FileSystem.bytes(of: full, atMost: Self.mailmapLimit)).flatMap({ $0 }) { map.add(file: file) }
        }
        return map
    }

    /// The file that `REVISION:PATH`, or an id, names.
    private func file(named name: String) -> [UInt8]? {
        if let id = ObjectID(hex: name) { return try? repository.objects.blob(id, atMost: Self.mailmapLimit) }
        let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let version = try? repository.references.resolve(parts[0]),
            let tree = try? repository.objects.header(version).tree,
            let entry = (try? repository.objects.entry(at: parts[1], in: tree)).flatMap({ $0 })
        else { return nil }
        return try? repository.objects.blob(entry.id, atMost: Self.mailmapLimit)
    }
}
