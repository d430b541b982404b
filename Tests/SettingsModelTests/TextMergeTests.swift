import Foundation
import SettingsModel
import Testing

/// What plain git makes of the same cases, line by line, and what reading the result makes of that.
@Suite struct TextMergeTests {
    struct Counts {
        var cases = 0
        var clean = 0
        var refused = 0
        /// Wrong as read with both sides, with one side alone, with the base, with nothing.
        var wrong: [String: Int] = [:]
        var example: [String: String] = [:]
        var indexClean = 0
        var indexWrong = 0

        mutating func add(_ other: Counts) {
            cases += other.cases
            clean += other.clean
            refused += other.refused
            wrong.merge(other.wrong, uniquingKeysWith: +)
            example.merge(other.example) { first, _ in first }
            indexClean += other.indexClean
            indexWrong += other.indexWrong
        }
    }

    @Test(.enabled(if: TextMergeTests.hasGit, "git is not installed"))
    func `a merge of texts never selects what nobody chose`() async throws {
        let count = cases(4_000)
        let tasks = 4
        let counts = try await withThrowingTaskGroup(of: Counts.self) { group in
            for task in 0..<tasks {
                group.addTask { try TextMergeTests.run(Array(stride(from: task + 1, through: count, by: tasks))) }
            }
            return try await group.reduce(into: Counts()) { $0.add($1) }
        }
        print(
            """
            merge of texts: \(counts.cases) cases, \(counts.clean) clean, \(counts.refused) of them refused by reading; \
            wrong: \(counts.wrong.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")); \
            with an index alone: \(counts.indexClean) clean, \(counts.indexWrong) wrong
            """
        )
        for (reading, example) in counts.example.sorted(by: { $0.key < $1.key }) { print("wrong, read \(reading):\n\(example)") }
        for (reading, wrong) in counts.wrong { #expect(wrong == 0, "read \(reading)") }
        #expect(counts.indexWrong > 0)
    }

    static var hasGit: Bool { (try? run(git: ["--version"]))?.status == 0 }

    private static func run(_ seeds: [Int]) throws -> Counts {
        let folder = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var counts = Counts()
        for seed in seeds {
            var random = Seeded(UInt64(seed))
            let sides = random.selectionCase(values: random.chance(80))
            let swaps = random.chance(50)
            let (ours, theirs) = swaps ? (sides.editor, sides.chooser) : (sides.chooser, sides.editor)
            counts.cases += 1
            // What is meant: the chosen label; where both chose, either conflicts.
            if let text = try mergeFile(sides.base.file, ours.file, theirs.file, in: folder) {
                counts.clean += 1
                let readings: [(String, [Option])] = [
                    ("since both", [ours, theirs]), ("since ours", [ours]), ("since theirs", [theirs]),
                    ("since the base", [sides.base]), ("alone", []),
                ]
                for (name, earlier) in readings {
                    guard let read = try? Option(file: text, since: earlier) else {
                        if name == "since both" { counts.refused += 1 }
                        continue
                    }
                    counts.wrong[name, default: 0] += read.value == sides.chosen ? 0 : 1
                    if read.value != sides.chosen, counts.example[name] == nil {
                        counts.example[name] = """
                            seed \(seed), meant \(sides.chosen.compact), read \((read.value ?? .null).compact), swapped \(swaps)
                            base   \(sides.base.json.compact)
                            ours   \(ours.json.compact)
                            theirs \(theirs.json.compact)
                            merged \((try? JSON(parsing: text).compact) ?? "")
                            """
                    }
                }
            }
            if let text = try mergeFile(indexAlone(sides.base), indexAlone(ours), indexAlone(theirs), in: folder) {
                counts.indexClean += 1
                if !isChosen(sides, text) { counts.indexWrong += 1 }
            }
        }
        return counts
    }

    /// The file as it would be without `value` and `values`.
    private static func indexAlone(_ option: Option) -> [UInt8] {
        guard case .object(let members) = option.json else { return [] }
        return Array(JSON.object(members.filter { $0.name != "value" && $0.name != "values" }).pretty.utf8)
    }

    /// Whether the index points at the chosen label, under its name in the merged list.
    private static func isChosen(_ sides: SelectionCase, _ text: [UInt8]) -> Bool {
        guard let json = try? JSON(parsing: text), case .number(let number)? = json["selected"], let index = Int(number.text),
            case .array(let labels)? = json["labels"], labels.indices.contains(index)
        else { return false }
        let names = [sides.base, sides.editor].compactMap { $0.labels.label(of: sides.chosen)?.text }
        return names.contains { labels[index] == .string($0) }
    }

    /// The texts merged as git does; nil where it finds a conflict.
    private static func mergeFile(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8], in folder: URL) throws -> [UInt8]? {
        let files = ["ours", "base", "theirs"].map { folder.appending(path: $0) }
        for (file, bytes) in zip(files, [ours, base, theirs]) { try Data(bytes).write(to: file) }
        let result = try run(git: ["merge-file", "-p", "-q"] + files.map { $0.path() })
        return result.status == 0 ? result.output : nil
    }

    private static func run(git arguments: [String]) throws -> (status: Int32, output: [UInt8]) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["git"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, [UInt8](output))
    }
}
