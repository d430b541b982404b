import Seeds
import Testing

import Base
@testable import Git

@Suite struct ObjectIDTests {
    static let hex = "0123456789abcdef0123456789abcdef01234567"

    @Test func roundTrips() throws {
        let id = try #require(ObjectID(hex: Self.hex))
        #expect(id.hex == Self.hex)
        #expect(id.short == "0123456")
        #expect(ObjectID(id.raw) == id)
        #expect(ObjectID(bytes: id.bytes[...]) == id)
        #expect(ObjectID(hex: Self.hex.uppercased()) == id)
        #expect(ObjectID.emptyTree.hex == "4b825dc642cb6eb9a060e54bf8d69288fbee4904")
    }

    @Test(arguments: ["", "0123", hex + "0", "g" + hex.dropFirst(), "é" + hex.dropFirst(2)])
    func rejectsInvalidText(_ text: String) { #expect(ObjectID(hex: text) == nil) }

    @Test func sortsByBytes() throws {
        var random = Seeded(7)
        let ids = (0..<200).compactMap { _ in
            ObjectID(bytes: (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }[...])
        }
        #expect(ids.count == 200)
        #expect(ids.sorted().map(\.hex) == ids.map(\.hex).sorted())
    }
}
