import Foundation
import SettingsModel
import Seeds
import Testing

/// What plain git makes of the same cases, line by line, and what reading the result makes of that.
@Suite struct TextMergeTests {
    struct Counts {
        var cases = 0
        var clean = 0
        var refused = 0
        var wrong = 0
        var example: String?
        var indexClean = 0
        var indexWrong = 0

        mutating func add(_ other: Counts) {
            cases += other.cases
            clean += other.clean
            refused += other.refused
            wrong += other.wrong
            example = example ?? other.example
            indexClean += other.indexClean
            indexWrong += other.indexWrong
        }
    }

    @Test(.enabled(if: TextMergeTests.hasGit, "git is not installed"))
    func `a merge of texts never selects what nobody chose`() async throws {
        let count = cases(20_000)
        let tasks = 2
        let counts = try await withThrowingTaskGroup(of: Counts.self) { group in
            for task in 0..<tasks {
                group.addTask { try TextMergeTests.run(Array(stride(from: task + 1, through: count, by: tasks))) }
            }
            return try await group.reduce(into: Counts()) { $0.add($1) }
        }
        print(
            """
            merge of texts: \(counts.cases) cases, \(counts.clean) clean, \(counts.refused) of them refused by reading; \
            wrong: \(counts.wrong); \
            with an index alone: \(counts.indexClean) clean, \(counts.indexWrong) wrong
            """
        )
        #expect(counts.wrong == 0, "\(counts.example ?? "")")
        #expect(counts.indexWrong > 0)
    }

    static var hasGit: Bool { (try? run("git", ["--version"])) == 0 }

    private static func run(_ seeds: [Int]) throws -> Counts {
        let folder = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var counts = Counts()
        for start in stride(from: 0, to: seeds.count, by: 500) {
            let cases = seeds[start..<min(start + 500, seeds.count)].map(Case.init)
            let whole = try mergeFiles(cases.map { [$0.ours.file, $0.sides.base.file, $0.theirs.file] }, in: folder)
            let bare = try mergeFiles(
                cases.map { [indexAlone($0.ours), indexAlone($0.sides.base), indexAlone($0.theirs)] }, in: folder)
            for (index, one) in cases.enumerated() { counts.add(one, whole[index], indexAlone: bare[index]) }
        }
        return counts
    }

    /// One side chooses, the other edits the labels; what is meant is the chosen label, or a conflict where both chose.
    fileprivate struct Case {
        let seed: Int
        let sides: SelectionCase
        let swaps: Bool
        var ours: Option { swaps ? sides.editor : sides.chooser }
        var theirs: Option { swaps ? sides.chooser : sides.editor }

        init(_ seed: Int) {
            var random = Seeded(UInt64(seed))
            self.seed = seed
            sides = random.selectionCase(values: random.chance(80))
            swaps = random.chance(50)
        }
    }

    /// The file as it would be without `value` and `values`.
    private static func indexAlone(_ option: Option) -> [UInt8] {
        guard case .object(let members) = option.json else { return [] }
        return Array(JSON.object(members.filter { $0.name != "value" && $0.name != "values" }).pretty.utf8)
    }

    /// Whether the index points at the chosen label, under its name in the merged list.
    fileprivate static func isChosen(_ sides: SelectionCase, _ text: [UInt8]) -> Bool {
        guard let json = try? JSON(parsing: text), case .number(let number)? = json["selected"], let index = Int(number.text),
            case .array(let labels)? = json["labels"], labels.indices.contains(index)
        else { return false }
        let names = [sides.base, sides.editor].compactMap { $0.labels.label(of: sides.chosen)?.text }
        return names.contains { labels[index] == .string($0) }
    }

    /// Each trio (ours, base, theirs) merged as git does; nil where it finds a conflict. One shell runs git for all.
    private static func mergeFiles(_ trios: [[[UInt8]]], in folder: URL) throws -> [[UInt8]?] {
        for (index, trio) in trios.enumerated() {
            for (name, bytes) in zip(["ours", "base", "theirs"], trio) {
                try Data(bytes).write(to: folder.appending(path: "\(name)\(index)"))
            }
        }
        let script = """
            i=0
            while [ $i -lt \(trios.count) ]; do
              git merge-file -q ours$i base$i theirs$i || rm ours$i
              i=$((i + 1))
            done
            """
        _ = try run("sh", ["-c", script], in: folder)
        return trios.indices.map { try? [UInt8](Data(contentsOf: folder.appending(path: "ours\($0)"))) }
    }

    private static func run(_ program: String, _ arguments: [String], in folder: URL? = nil) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.currentDirectoryURL = folder
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

extension TextMergeTests.Counts {
    fileprivate mutating func add(_ one: TextMergeTests.Case, _ whole: [UInt8]?, indexAlone: [UInt8]?) {
        cases += 1
        if let whole { add(one, whole) }
        guard let indexAlone else { return }
        indexClean += 1
        if !TextMergeTests.isChosen(one.sides, indexAlone) { indexWrong += 1 }
    }

    private mutating func add(_ one: TextMergeTests.Case, _ text: [UInt8]) {
        clean += 1
        guard let read = try? Option(file: text) else {
            refused += 1
            return
        }
        wrong += read.value == one.sides.chosen ? 0 : 1
        guard read.value != one.sides.chosen, example == nil else { return }
        example = """
            seed \(one.seed), meant \(one.sides.chosen.compact), read \((read.value ?? .null).compact), swapped \(one.swaps)
            base   \(one.sides.base.json.compact)
            ours   \(one.ours.json.compact)
            theirs \(one.theirs.json.compact)
            merged \((try? JSON(parsing: text).compact) ?? "")
            """
    }
}
