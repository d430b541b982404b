import Foundation
import Seeds
import Testing

@testable import Files

struct PathTableTests {
    @Test(arguments: 1...20)
    func itIsADictionary(_ seed: UInt64) {
        var random = Seeded(seed)
        var table = PathTable(capacity: random.int(0...40))
        var numbers: [String: Int] = [:]
        for _ in 0..<random.int(0...3000) {
            let path = (0...random.int(0...3)).map { _ in "g\(random.int(0...9))" }.joined(separator: "/") + ".json"
            let number = Array(path.utf8).withUnsafeBytes { table.add($0) }
            if let known = numbers[path] { #expect(number == known) } else { #expect(number == numbers.count) }
            numbers[path] = number
        }
        #expect(table.count == numbers.count)
        for (path, number) in numbers {
            #expect(table.number(of: path) == number)
            #expect(table.path(number) == path)
            #expect(table.number(of: path + "x") == nil)
            #expect(table.number(of: String(path.dropFirst())) == nil)
        }
    }

    @Test func whatLiesAtPaths() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/paths-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/inner", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var table = PathTable()
        let count = 3 * Workers.share
        for number in 0..<count {
            let path = "inner/\(number).json"
            if number % 3 == 0 {
                try Data([UInt8](repeating: 0, count: number)).write(to: URL(fileURLWithPath: "\(folder)/\(path)"))
            }
            if number % 3 == 1 {
                try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(path)", withDestinationPath: "0.json")
            }
            _ = Array(path.utf8).withUnsafeBytes { table.add($0) }
        }
        let found = table.statuses(in: folder) { number, file in
            switch number % 3 {
            case 0: file?.kind == .file && file?.status.size == UInt32(number)
            case 1: file?.kind == .link
            default: file == nil
            }
        }
        #expect(found == Array(repeating: true, count: count))
        #expect(table.statuses(in: folder + "/nowhere") { $1 == nil } == found)
        var other = PathTable()
        for path in ["x", "inner/7.json"] { _ = Array(path.utf8).withUnsafeBytes { other.add($0) } }
        #expect(table.number(of: 1, in: other) == 7 && table.number(of: 0, in: other) == nil)
    }

    @Test func theEmptyPathIsOne() {
        var table = PathTable()
        #expect(table.number(of: "") == nil)
        #expect([UInt8]().withUnsafeBytes { table.add($0) } == 0)
        #expect(table.number(of: "") == 0)
        #expect(table.path(0) == "")
    }
}
