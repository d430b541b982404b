import Files
import SettingsModel

/// A file for a person's editor, in a folder inside git's that is this process's own. A folder whose lock nobody holds was left
/// by a process that died; the next one that makes such a folder removes it.
final class EditedFile {
    private let folder: String
    private let name: String
    private var lock: Lock?

    private init(_ folder: String, _ name: String, _ lock: consuming Lock) {
        self.folder = folder
        self.name = name
        self.lock = consume lock
    }

    deinit { try? lock.take()?.remove(folder: folder) }

    var path: String { "\(folder)/\(name)" }

    private static let prefix = "editor."

    /// `own`: the folder of this program's own files.
    static func make(_ name: String, _ text: String, in own: String, shared: SharedMode) throws(Problem) -> EditedFile {
        guard let all = try forWriting(Lock.take("\(own)/editors", .exclusive, shared: shared)) else {
            throw .recording(.isBusy(seconds: Int(Lock.patience)))
        }
        defer { withExtendedLifetime(all) {} }
        sweep(own)
        let folder = try forWriting(FileSystem.makeTemporary(in: own, prefix))
        guard let lock = try lock(folder) else { throw .recording(.isBusy(seconds: 0)) }
        let file = EditedFile(folder, name, lock)
        try forWriting(FileSystem.write(Array(text.utf8), to: file.path))
        return file
    }

    private static func lock(_ folder: String) throws(Problem) -> Lock? {
        try forWriting(Lock.take("\(folder)/lock", .exclusive, patience: 0))
    }

    private static func sweep(_ own: String) {
        for (name, kind) in (try? FileSystem.entries(of: own)) ?? [] where name.hasPrefix(prefix) && kind == .folder {
            try? lock("\(own)/\(name)")?.remove(folder: "\(own)/\(name)")
        }
    }

    /// What the editor left there; nil if the file is gone.
    func text() throws(Problem) -> String? {
        try onDisk(Folder.read(path: path, limit: JSON.sizeLimit)).map { String(decoding: $0, as: UTF8.self) }
    }
}
