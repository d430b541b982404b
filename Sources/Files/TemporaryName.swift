package import Base

/// Names of files that get another name once they are whole.
package enum TemporaryName {
    /// What such a name ends in, so that no other process and no other thread uses it. A process ID would not do: it is 1 in
    /// every container, and two of them may share a volume.
    package static var end: String {
        let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
        return String(repeating: "0", count: length - digits.count) + digits
    }

    private static let length = 16

    /// Removes files that processes left in a folder which died an hour ago or earlier, longer than any file takes. `isBeginning`:
    /// whether such a name may begin like this.
    package static func removeLeft(
        in folder: String, ending suffix: String = "", where isBeginning: (Substring) -> Bool
    ) {
        for (name, kind) in (try? FileSystem.entries(of: folder)) ?? [] where kind == .file && name.hasSuffix(suffix) {
            let body = name.dropLast(suffix.count)
            guard body.suffix(length).allSatisfy(\.isHexDigit), isBeginning(body.dropLast(length)) else { continue }
            let path = "\(folder)/\(name)"
            guard let changed = (try? FileSystem.attributes(of: path))??.status.modified.seconds,
                ThisProcess.now - changed > 3600
            else { continue }
            try? FileSystem.remove(path)
        }
    }
}

extension FileSystem {
    /// Puts a file with these bytes in the place of one that may be there, in one step. Where a process dies, it leaves a file
    /// whose name goes on with `.new-` and what `TemporaryName` has. A private one is for the user alone from its beginning.
    package static func replace(
        _ path: String, with bytes: [UInt8], _ durability: Durability, _ shared: SharedMode = .none,
        isPrivate: Bool = false
    ) throws(SystemFailure) {
        let new = "\(path)\(newMark)\(TemporaryName.end)"
        try Folder.create(new, bytes, isPrivate: isPrivate, durability)
        shared.apply(to: new)
        do throws(SystemFailure) { try rename(new, to: path) } catch {
            try? remove(new)
            throw error
        }
        Trace.note("wrote \(path)")
    }

    package static let newMark = ".new-"
}
