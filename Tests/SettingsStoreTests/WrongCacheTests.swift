import Foundation
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Caches whose checksums are right and whose words are not: `verify --deep` says so, and takes them away.
struct WrongCacheTests {
    /// A version of its index that says something else, by where in the file.
    private func forge(_ s: TemporaryStore, _ place: (_ versions: Int, _ touches: Int) -> Int) throws -> [UInt8] {
        var file = Array(try Data(contentsOf: URL(fileURLWithPath: s.store.history.cache.indexPath)))
        func number(_ index: Int) -> Int {
            file.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 24 + 4 * index, as: UInt32.self)) }
        }
        file[HistoryColumns.headerSize + place(number(0), number(1))] ^= 1
        let sum = file.withUnsafeBytes { HistoryFile.checksum(of: $0.dropFirst(24)) }
        withUnsafeBytes(of: sum) { file.replaceSubrange(16..<24, with: $0) }
        return file
    }

    private func wrong(_ s: TemporaryStore) throws -> [String] {
        try s.store.upkeep.verifyDeeply(isDamaged: false).findings.filter { $0.kind == .problem }.map(\.reason)
    }

    private static let places: [(name: String, place: @Sendable (Int, Int) -> Int)] = [
        ("a time", { _, _ in 8 * 2 }),
        ("what stood before", { versions, touches in 36 * versions + 4 + 4 * touches + 40 * 2 }),
        ("what stands after", { versions, touches in 36 * versions + 4 + 4 * touches + 40 * 3 + 20 }),
        ("what is touched", { versions, _ in 36 * versions + 4 + 4 * 2 }),
    ]

    @Test(arguments: 0..<4) func aForgedIndexIsRemoved(_ number: Int) throws {
        try withStore { s in
            for key in ["a", "b"] { try s.put(key, .number(key, 0)) }
            for value in 1...3 { try s.set("a", value) }
            s.store.history.cache.indexWritingLimit = 1
            s.store.history.cache.buildIndex()
            let path = s.store.history.cache.indexPath
            #expect(try wrong(s) == [])
            #expect(FileManager.default.fileExists(atPath: path))
            let forged = try forge(s, Self.places[number].place)
            try Data(forged).write(to: URL(fileURLWithPath: path))
            try s.reopen()
            try #require(HistoryColumns.read(path, prefix: s.store.versions.prefix) != nil)
            #expect(try wrong(s) == ["the history index does not match the versions; it was removed"])
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(try wrong(s) == [])
        }
    }
}
