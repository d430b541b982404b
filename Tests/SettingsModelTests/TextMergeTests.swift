import CGit2
import Foundation
import SettingsModel
import Seeds
import Surroundings
import Testing

/// Compares textual merges by plain git, line by line, with the meaning of the result.
@Suite struct TextMergeTests {
    struct Counts {
        var cases = 0
        var clean = 0
        var refused = 0
        var wrong = 0
        var example: String?
        var indexClean = 0
        var indexWrong = 0
    }

    @Test func aTextualMergeNeverSelectsALabelThatNobodyChose() throws {
        git_libgit2_init()
        var counts = Counts()
        for seed in 1...cases(20_000) {
            let one = Case(seed)
            let bare = Self.merged(Self.indexAlone(one.ours), Self.indexAlone(one.sides.base), Self.indexAlone(one.theirs))
            counts.add(one, Self.merged(one.ours.file, one.sides.base.file, one.theirs.file), indexAlone: bare)
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

    @Test(.enabled(if: TextMergeTests.hasGit, "git is not installed"))
    func theTextualMergeUsedHereAgreesWithGit() throws {
        git_libgit2_init()
        let cases = (1...100).map(Case.init)
        let trios = cases.map { [$0.ours.file, $0.sides.base.file, $0.theirs.file] }
        let merged = try Self.mergeFiles(trios)
        for (index, trio) in trios.enumerated() {
            #expect(Self.merged(trio[0], trio[1], trio[2]) == merged[index], "seed \(cases[index].seed)")
        }
        #expect(merged.contains { $0 != nil } && merged.contains { $0 == nil })
    }

    private static var hasGit: Bool { (try? runGit(["--version"], in: "/")) != nil }

    /// One side chooses, the other edits the labels: the result must be the chosen label, or a conflict if both chose.
    fileprivate struct Case {
        let seed: Int
        let sides: SelectionCase
        let swaps: Bool
        var ours: SettingsOption { swaps ? sides.editor : sides.chooser }
        var theirs: SettingsOption { swaps ? sides.chooser : sides.editor }

        init(_ seed: Int) {
            var random = Seeded(UInt64(seed))
            self.seed = seed
            sides = random.selectionCase(values: random.chance(80))
            swaps = random.chance(50)
        }
    }

    /// The file without `value` and `values`.
    private static func indexAlone(_ option: SettingsOption) -> [UInt8] {
        guard case .object(let members) = option.json else { return [] }
        return Array(JSON.object(members.filter { $0.name != "value" && $0.name != "values" }).pretty.utf8)
    }

    /// Whether the index refers to the chosen label, by its name in the merged list.
    fileprivate static func isChosen(_ sides: SelectionCase, _ text: [UInt8]) -> Bool {
        guard let json = try? JSON(parsing: text), case .number(let number)? = json["selected"], let index = Int(number.text),
            case .array(let labels)? = json["labels"], labels.indices.contains(index)
        else { return false }
        let names = [sides.base, sides.editor].compactMap { $0.labels.label(of: sides.chosen)?.text }
        return names.contains { labels[index] == .string($0) }
    }

    /// Merges with libgit2; nil if there is a conflict.
    private static func merged(_ ours: [UInt8], _ base: [UInt8], _ theirs: [UInt8]) -> [UInt8]? {
        func withInput(_ bytes: [UInt8], _ body: (inout git_merge_file_input) -> Void) {
            bytes.withUnsafeBytes { buffer in
                var input = git_merge_file_input()
                git_merge_file_input_init(&input, UInt32(GIT_MERGE_FILE_INPUT_VERSION))
                input.ptr = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
                input.size = buffer.count
                body(&input)
            }
        }
        var result = git_merge_file_result()
        defer { git_merge_file_result_free(&result) }
        var status: Int32 = -1
        withInput(ours) { ours in
            withInput(base) { base in
                withInput(theirs) { theirs in status = git_merge_file(&result, &base, &ours, &theirs, nil) }
            }
        }
        guard status == 0, result.automergeable != 0 else { return nil }
        return result.ptr.map { Array(UnsafeRawBufferPointer(start: $0, count: result.len)) } ?? []
    }

    /// Merges each trio (ours, base, theirs) with git; nil if there is a conflict. One shell runs git for all.
    private static func mergeFiles(_ trios: [[[UInt8]]]) throws -> [[UInt8]?] {
        let folder = try TemporaryFolder()
        for (index, trio) in trios.enumerated() {
            for (name, bytes) in zip(["ours", "base", "theirs"], trio) {
                try Surroundings.write(bytes, to: "\(folder.path)/\(name)\(index)")
            }
        }
        let script = """
            i=0
            while [ $i -lt \(trios.count) ]; do
              git merge-file -q ours$i base$i theirs$i || rm ours$i
              i=$((i + 1))
            done
            """
        _ = try Surroundings.run(
            ["sh", "-c", script], in: folder.path, Surroundings.environment(home: folder.path, person: "Git", at: "0"))
        return trios.indices.map { try? [UInt8](Data(contentsOf: URL(filePath: "\(folder.path)/ours\($0)"))) }
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
        guard let read = try? SettingsOption(file: text) else {
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
