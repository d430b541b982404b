import Foundation
import Seeds
import Testing

import Base
@testable import Git

/// Objects that are written in a batch.
@Suite struct BatchTests {
    /// Blobs of many sizes: empty, small, larger than a compression buffer and almost incompressible.
    private func blobs(_ count: Int) -> [[UInt8]] {
        var random = Seeded(UInt64(count))
        let sizes = [0, 1, 15, 16, 127, 128, 2047, 2048, 65_535, 65_536, 65_537, 300_000]
        return (0..<count).map { number in
            let size = number < sizes.count ? sizes[number] : 40 + number % 200
            return Array("\(number):".utf8.prefix(size))
                + (0..<max(0, size - 4)).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
    }

    private func record(_ blobs: [[UInt8]], in scratch: borrowing Scratch) throws -> ObjectID {
        scratch.repository.objects.collectObjects()
        var updates: [TreeUpdate] = []
        for (number, bytes) in blobs.enumerated() {
            let id = try scratch.repository.objects.write(blob: bytes)
            updates.append(TreeUpdate(path: "folder\(number % 7)/file\(number)", change: .put(id, .blob)))
        }
        return try scratch.commit(try scratch.repository.objects.tree(updating: nil, with: updates))
    }

    private func loose(_ scratch: borrowing Scratch) throws -> Int {
        try #require(Int(try scratch.git("count-objects").prefix { $0 != " " }))
    }

    @Test(arguments: [0, 3, 40, 400]) func objectsAreVisibleAtOnceAndDurableWithTheReference(count: Int) throws {
        let scratch = try Scratch.make()
        let blobs = blobs(count)
        let commit = try record(blobs, in: scratch)
        #expect(try scratch.git("count-objects") == "0 objects, 0 kilobytes")
        for bytes in blobs {
            let id = try #require(ObjectID.hash(ofBlob: bytes))
            #expect(try scratch.repository.objects.exists(id) == true)
            #expect(try scratch.repository.objects.blob(id, atMost: .max) == bytes)
        }
        try scratch.repository.references.moveHead(to: commit, from: nil, by: Scratch.somebody, note: "commit: x")
        try scratch.expectSound()
        let packs = try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/.git/objects/pack")
        #expect(packs.sorted().map { $0.suffix(4) } == (count > 60 ? [".idx", "pack"] : []))
        #expect(try loose(scratch) == (count > 60 ? 0 : count == 0 ? 2 : min(count, 7) + count + 2))
        for (number, bytes) in blobs.enumerated() {
            let id = try #require(ObjectID.hash(ofBlob: bytes))
            #expect(try scratch.repository.objects.blob(id, atMost: .max) == bytes)
            if number < 12 { #expect(try scratch.git("cat-file", "-s", id.hex) == "\(bytes.count)") }
        }
    }

    /// What only a pack has is: nobody knows whether a reference leads to it.
    @Test(arguments: [(40, 0), (100, 2)]) func existingObjectsAreNotWrittenAgain(count: Int, newFiles: Int) throws {
        let scratch = try Scratch.make()
        let (blobs, packs) = (blobs(count), scratch.path + "/.git/objects/pack")
        let first = try record(blobs, in: scratch)
        try scratch.repository.references.moveHead(to: first, from: nil, by: Scratch.somebody, note: "x")
        let before = (try loose(scratch), try FileManager.default.contentsOfDirectory(atPath: packs).count)
        let again = try record(blobs, in: scratch)
        #expect(again == first)
        try scratch.repository.objects.writeObjects()
        scratch.repository.objects.dropObjects()
        #expect(try loose(scratch) == before.0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: packs).count == before.1 + newFiles)
        try scratch.expectSound()
    }

    /// Nothing is lost if the disk fails: no reference moves, and the next attempt writes everything.
    @Test func packThatCannotBeWritten() throws {
        let scratch = try Scratch.make()
        let folder = scratch.path + "/.git/objects/pack"
        let commit = try record(blobs(100), in: scratch)
        try FileManager.default.removeItem(atPath: folder)
        try Data().write(to: URL(fileURLWithPath: folder))
        #expect(
            kind(scratch) { try $0.references.moveHead(to: commit, from: nil, by: Scratch.somebody, note: "x") } != nil)
        #expect(try scratch.repository.references.head().commit == nil)
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        #expect(try record(blobs(100), in: scratch) == commit)
        try scratch.repository.references.moveHead(to: commit, from: nil, by: Scratch.somebody, note: "x")
        try scratch.expectSound()
        #expect(try scratch.git("rev-parse", "HEAD") == commit.hex)
    }

    @Test func missingPackFolder() throws {
        let scratch = try Scratch.make()
        try FileManager.default.removeItem(atPath: scratch.path + "/.git/objects/pack")
        let commit = try record(blobs(100), in: scratch)
        try scratch.repository.references.moveHead(to: commit, from: nil, by: Scratch.somebody, note: "x")
        try scratch.expectSound()
    }

    /// libgit2's own calls write directly while objects are collected.
    @Test func tagDuringABatch() throws {
        let scratch = try Scratch.make()
        let commit = try record(blobs(3), in: scratch)
        try scratch.repository.objects.writeObjects()
        try scratch.repository.references.createTag(name: "t", target: commit, message: "m", tagger: Scratch.somebody)
        #expect(try scratch.git("cat-file", "-t", "t") == "tag")
        try scratch.expectSound()
    }
}
