import Foundation
import Seeds
import Testing

/// Runs every reader of untrusted bytes on the corpus, on inputs that were found with it, and on mutations of both: a fixed
/// number, the same each time. `SETTINGS_CASES` increases it. `Scripts/fuzz` uses the same files with libFuzzer.
@Suite(.serialized) struct FuzzTests {
    /// The maximum processor time for one input in a debug build.
    private static let timeLimit = Duration.seconds(10)
    /// The maximum growth of the process in bytes.
    private static let memoryLimit = 512 << 20

    @Test(arguments: FuzzTarget.allCases) func acceptsOrRejects(_ target: FuzzTarget) throws {
        let kept = try Self.files("Inputs", target)
        try #require(!kept.isEmpty, "there are no inputs of \(target)")
        let files = try kept + Self.files("Finds", target)
        let before = Self.mostMemory
        for file in files { Self.check(target, file.bytes, "\(file.name)") }
        let seed = UInt64(1)
        var mutator = Mutator(files.map(\.bytes), seed: seed)
        for number in 1...Self.cases { Self.check(target, mutator.next(), "change \(number) of seed \(seed)") }
        #expect(Self.mostMemory - before < Self.memoryLimit)
    }

    private static let cases = max(200, ProcessInfo.processInfo.environment["SETTINGS_CASES"].flatMap { Int($0) } ?? 0)

    private static func check(_ target: FuzzTarget, _ bytes: [UInt8], _ name: String) {
        // If an input ends the process, this file contains it.
        let last = ProcessInfo.processInfo.environment["SETTINGS_FUZZ_LAST"]
        if let last { try? Data(bytes).write(to: URL(fileURLWithPath: last)) }
        let time = processorTime {
            do throws(FuzzTarget.Broken) { try target.run(bytes) } catch {
                Issue.record("\(target.rawValue), \(name), \(Data(bytes).base64EncodedString().prefix(4000)): \(error)")
            }
        }
        if time > timeLimit { Issue.record("\(target.rawValue), \(name), takes \(time): \(Data(bytes).base64EncodedString())") }
    }

    /// What a file stands for: `name.7000-times` is its first line so many times, and then the rest.
    private static func repeated(_ bytes: [UInt8], _ name: String) -> [UInt8] {
        guard let ending = name.split(separator: ".").last, ending.hasSuffix("-times"), let count = Int(ending.dropLast(6)),
            let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
        else { return bytes }
        return Array(repeatElement(bytes[...end], count: count).joined()) + bytes[(end + 1)...]
    }

    /// The peak memory in bytes.
    private static var mostMemory: Int {
        var usage = rusage()
        #if canImport(Darwin)
            getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss
        #else
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            return usage.ru_maxrss << 10
        #endif
    }

    private static func files(_ folder: String, _ target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let place = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/\(folder)/\(target.rawValue)"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        return try names.sorted().map { name in
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(place)/\(name)")))
            return ("\(folder)/\(target.rawValue)/\(name)", repeated(bytes, name))
        }
    }
}
