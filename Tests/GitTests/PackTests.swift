import Foundation
import Base
import Testing

@testable import Git

/// Packs that git's upkeep or damage takes away while a repository is open.
@Suite struct PackTests {
    /// Two packs, each with the file of one commit, that a multi-pack-index lists.
    private static func fill(_ scratch: borrowing Scratch) throws -> [ObjectID] {
        var files: [ObjectID] = []
        for text in ["one", "two"] {
            try scratch.record(["file": text])
            let hex = try scratch.git("rev-parse", "HEAD:file")
            files.append(try #require(ObjectID(hex: hex)))
            try scratch.git("repack", "-d", "-q")
        }
        try scratch.git("multi-pack-index", "write")
        return files
    }

    private static func packs(in scratch: borrowing Scratch) throws -> [String] {
        let folder = scratch.path + "/.git/objects/pack"
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".pack") }
            .map { "\(folder)/\($0)" }
    }

    /// git removes a pack before its index.
    @Test func readsFromTheNewPack() throws {
        let scratch = try Scratch.make()
        let files = try Self.fill(scratch)
        let objects = try Repository.open(at: scratch.path).objects
        let old = try Self.packs(in: scratch)
        for pack in old { try FileManager.default.copyItem(atPath: pack.dropLast(5) + ".idx", toPath: pack + ".kept") }
        #expect(try objects.blob(files[0], atMost: 100) == Array("one".utf8))
        try scratch.git("repack", "-a", "-d", "-f", "-q")
        for pack in old { try FileManager.default.moveItem(atPath: pack + ".kept", toPath: pack.dropLast(5) + ".idx") }
        for (file, text) in zip(files, ["one", "two"]) {
            #expect(try objects.blob(file, atMost: 100) == Array(text.utf8))
        }
    }

    /// Whether it is the multi-pack-index's word alone that a pack is there.
    @Test(arguments: [true, false]) func namesWhatLeadsToALostPack(isKept: Bool) throws {
        let scratch = try Scratch.make()
        let files = try Self.fill(scratch)
        let objects = try Repository.open(at: scratch.path).objects
        let several = scratch.path + "/.git/objects/pack/multi-pack-index"
        for pack in try Self.packs(in: scratch) { try FileManager.default.removeItem(atPath: pack) }
        if !isKept { try FileManager.default.removeItem(atPath: several) }
        let found = kind { _ = try objects.blob(files[1], atMost: 100) }
        #expect(found == (isKept ? .damagedIndex(path: several) : .notFound))
    }

    @Test(arguments: [true, false]) func namesADamagedPack(isOneOfSeveral: Bool) throws {
        let scratch = try Scratch.make()
        let files = try Self.fill(scratch)
        if !isOneOfSeveral { try scratch.git("repack", "-a", "-d", "-q") }
        let packs = try Self.packs(in: scratch)
        for pack in packs {
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: pack)
            let handle = try #require(FileHandle(forWritingAtPath: pack))
            try handle.write(contentsOf: Data("X".utf8))
            try handle.close()
        }
        let objects = try Repository.open(at: scratch.path).objects
        let found = kind { _ = try objects.blob(files[1], atMost: 100) }
        #expect(packs.contains { found == .damagedIndex(path: $0) }, "\(String(describing: found))")
    }
}
