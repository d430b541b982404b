import Foundation
import Seeds
import SettingsModel
import Testing

/// What plain git does with 500 random pairs of branches: merged, squashed and rebased, by our driver and without it.
/// One side of each pair chose another label, the other edited the labels.
@Suite struct PlainGitMergesTests {
    enum Way: String, CaseIterable {
        case merge, squash, rebase
    }

    private static let pairs = 500

    @Test(arguments: Way.allCases, [true, false])
    func `no selection becomes another`(way: Way, withDriver: Bool) throws {
        let cases = (1...Self.pairs).map(Pair.init)
        let home = try Home()
        try Self.makeBranches(cases, in: home)
        _ = try home.run(withDriver ? "settings setup --quiet" : "git config --remove-section merge.settings")
        try Data(Self.script(way).utf8).write(to: URL(fileURLWithPath: home.folder + "/.git/merge-all"))
        let said = try home.run("sh .git/merge-all 2>&1")
        let results = try Self.results(in: home)

        var counts = (clean: 0, conflicts: 0, refused: 0, wrong: 0, needless: 0, misjudged: 0)
        for pair in cases {
            guard let result = results[pair.number] else {
                counts.conflicts += 1
                if !pair.isQuestion { counts.needless += 1 }
                continue
            }
            counts.clean += 1
            let parents = way == .merge ? [pair.ours, pair.theirs] : [pair.ours]
            guard let read = try? Option(file: result.file, since: parents) else {
                counts.refused += 1
                if result.verified != 65 { counts.misjudged += 1 }
                continue
            }
            if read.value != pair.sides.chosen { counts.wrong += 1 }
            if result.verified != 0, read.value == pair.sides.chosen { counts.misjudged += 1 }
        }
        print("\(way.rawValue)\(withDriver ? " by the driver" : ""): \(counts)")
        #expect(counts.wrong == 0)
        #expect(counts.misjudged == 0, "settings verify and the model disagree")
        #expect(counts.clean > Self.pairs / 4, "\(said.suffix(5))")
        if withDriver {
            #expect(counts.needless == 0)
            #expect(counts.refused == 0)
        }
    }

    private struct Pair {
        let number: Int
        let sides: SelectionCase
        let ours: Option
        let theirs: Option

        init(_ number: Int) {
            var random = Seeded(UInt64(number))
            self.number = number
            sides = random.selectionCase()
            (ours, theirs) = random.chance(50) ? (sides.editor, sides.chooser) : (sides.chooser, sides.editor)
        }

        /// Whether a person must decide: the chosen label was removed, or the editor chose too.
        var isQuestion: Bool { sides.isRemoved || sides.editor.value != sides.base.value }
    }

    /// Branches base-n, ours-n and theirs-n for each pair, in one go.
    private static func makeBranches(_ cases: [Pair], in home: Home) throws {
        _ = try home.run("settings init --quiet")
        var stream = ""
        func commit(_ branch: String, from parent: String, _ option: Option) {
            let file = String(decoding: option.file, as: UTF8.self)
            stream +=
                "commit refs/heads/\(branch)\ncommitter Ada <ada@example.org> 1795161600 +0000\ndata 5\nedits\nfrom \(parent)\n"
            stream += "M 100644 inline language.json\ndata \(option.file.count)\n\(file)\n"
        }
        for pair in cases {
            commit("base-\(pair.number)", from: "refs/heads/main^0", pair.sides.base)
            commit("ours-\(pair.number)", from: "refs/heads/base-\(pair.number)", pair.ours)
            commit("theirs-\(pair.number)", from: "refs/heads/base-\(pair.number)", pair.theirs)
        }
        try Data(stream.utf8).write(to: URL(fileURLWithPath: home.folder + "/.git/stream"))
        _ = try home.run("git fast-import --quiet < .git/stream")
    }

    /// Each result is kept as the branch result-n; what `settings verify` says of it goes into .git/verified.
    private static func script(_ way: Way) -> String {
        let bring =
            switch way {
            case .merge: "git checkout -q -f --detach ours-$n && git merge -q --no-ff --no-edit theirs-$n"
            case .squash:
                "git checkout -q -f --detach ours-$n && git merge -q --squash theirs-$n && git commit -q --allow-empty -m squashed"
            case .rebase: "git checkout -q -f --detach theirs-$n && git rebase -q ours-$n"
            }
        return """
            n=1
            while [ $n -le \(pairs) ]; do
              if { \(bring); } >/dev/null 2>&1; then
                git branch result-$n
                settings verify base-$n..HEAD >/dev/null 2>&1
                echo $n $? >> .git/verified
              else
                git rebase --abort >/dev/null 2>&1
                git reset -q --hard
              fi
              n=$((n + 1))
            done
            """
    }

    private static func results(in home: Home) throws -> [Int: (file: [UInt8], verified: Int)] {
        let text = try String(contentsOfFile: home.folder + "/.git/verified", encoding: .utf8)
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }.filter { $0.count == 2 }
        let names = lines.map { "result-\($0[0]):language.json" }.joined(separator: "\n")
        try Data(names.utf8).write(to: URL(fileURLWithPath: home.folder + "/.git/names"))
        _ = try home.run("git cat-file --batch='%(objectsize)' < .git/names > .git/files")
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: home.folder + "/.git/files")))[...]
        var results: [Int: (file: [UInt8], verified: Int)] = [:]
        for line in lines {
            let size = Int(String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)) ?? 0
            bytes = bytes.drop { $0 != 10 }.dropFirst()
            results[line[0]] = (Array(bytes.prefix(size)), line[1])
            bytes = bytes.dropFirst(size + 1)
        }
        return results
    }
}
