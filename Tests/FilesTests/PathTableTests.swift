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

    @Test func theEmptyPathIsOne() {
        var table = PathTable()
        #expect(table.number(of: "") == nil)
        #expect([UInt8]().withUnsafeBytes { table.add($0) } == 0)
        #expect(table.number(of: "") == 0)
        #expect(table.path(0) == "")
    }
}
