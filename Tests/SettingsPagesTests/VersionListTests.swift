import Seeds
import SettingsModel
import SettingsText
import Testing

@testable import SettingsPages

/// Long lists of versions, and the lines between them.
struct VersionListTests {
    private func list(_ steps: [VersionList.Step], isAtEnd: Bool = true) -> VersionList {
        var list = VersionList(VersionFilter(), .unicode, wanted: .max)
        list.append(steps, isAtEnd: isAtEnd)
        return list
    }

    private func step(_ number: Int, _ parents: [Int], isShown: Bool = true) -> VersionList.Step {
        VersionList.Step(Archive.id(number), parents: parents.map(Archive.id), isShown: isShown)
    }

    @Test func aVersionTakesOneLine() {
        let list = list([step(5, [4, 3]), step(4, [2]), step(3, [2]), step(2, [1]), step(1, [])])
        #expect(list.graph(0..<5) == ["○─╮", "○ │", "│ ○", "○─╯", "○"])
        var ascii = VersionList(VersionFilter(), .ascii, wanted: .max)
        ascii.append([step(5, [4, 3]), step(4, [2]), step(3, [2]), step(2, [])], isAtEnd: true)
        #expect(ascii.graph(0..<4).allSatisfy { $0.utf8.allSatisfy { $0 < 128 } })
    }

    @Test func linesPassVersionsThatAreNotShown() {
        let list = list([
            step(5, [4]), step(4, [3], isShown: false), step(3, [2, 1]), step(2, [0], isShown: false), step(1, [0]), step(0, []),
        ])
        #expect(list.count == 4)
        #expect(list.graph(0..<4) == ["○", "○─╮", "┊ ○", "○─╯"])
    }

    @Test(arguments: 0..<20)
    func anyWindowIsAsInTheWhole(seed: Int) {
        var random = Seeded(UInt64(seed))
        let count = 300 + random.int(400)
        let steps = (0..<count).map { place -> VersionList.Step in
            let number = count - 1 - place
            var parents = number > 0 ? [number - 1 - random.int(min(number, 3))] : []
            if number > 5, random.int(6) == 0 { parents.append(random.int(number - 1)) }
            return step(number, parents, isShown: random.int(8) > 0)
        }
        let whole = list(steps)
        var parts = VersionList(VersionFilter(), .unicode, wanted: .max)
        var rest = steps[...]
        while !rest.isEmpty {
            let size = 1 + random.int(90)
            parts.append(Array(rest.prefix(size)), isAtEnd: size >= rest.count)
            rest = rest.dropFirst(size)
        }
        let all = whole.graph(0..<whole.count)
        #expect(all.count == whole.count && parts.graph(0..<parts.count) == all, "seed \(seed)")
        for _ in 0..<20 {
            let start = random.int(whole.count)
            let end = min(whole.count, start + random.int(60))
            #expect(whole.graph(start..<end) == Array(all[start..<end]), "seed \(seed)")
        }
    }

    @Test(arguments: 0..<20)
    func aVersionNeverStandsAboveOneThatWasMadeFromIt(seed: Int) {
        var random = Seeded(UInt64(seed))
        let count = 50 + random.int(100)
        var steps = (0..<count).reversed().map { number in
            step(number, number == 0 ? [] : Array(Set([number - 1, random.int(number)])).sorted(by: >))
        }
        // Clocks that were wrong.
        for _ in 0..<10 { steps.swapAt(random.int(count), random.int(count)) }
        let list = list(steps)
        var places: [VersionID: Int] = [:]
        for index in 0..<list.count { places[list.id(index)] = index }
        #expect(places.count == count)
        for step in steps {
            for parent in step.parents { #expect((places[parent] ?? -1) > (places[step.id] ?? .max), "seed \(seed)") }
        }
    }

    /// A row has its id in its place among the rows, without memory of its own.
    @Test func aRowIsSmall() { #expect(MemoryLayout<VersionRow>.size <= 24) }

    @Test func onlyWhatIsOnTheScreenIsLookedUp() throws {
        let content = try Office.settings
        var editor = Editor(Loaded(content), browsing: .root, phrases: Office.phrases(), size: Grid.Size(columns: 80, rows: 42))
        let steps = (0..<100_000).reversed().map { step($0, $0 > 0 ? [$0 - 1] : []) }
        var asked = 0
        var listed = 0
        func serve(_ effects: [Effect], _ editor: inout Editor) {
            for case .browse(let request) in effects {
                switch request {
                case .entries(let ids):
                    asked += ids.count
                    let entry = Browsing.Entry(nil, changes: nil, count: 0)
                    serve(editor.step(.browsed(.entries(Dictionary(ids.map { ($0, entry) }) { first, _ in first }))), &editor)
                case .list(let number, _):
                    listed += 1
                    serve(editor.step(.browsed(.list(number, Array(steps.prefix(60)), isAtEnd: false))), &editor)
                default: break
                }
            }
        }
        serve(editor.begin(), &editor)
        // The versions below the list leave room for half of the screen.
        #expect(editor.visit.rows.count == 61 && asked == 20 && listed == 1)
        serve(editor.step(.browsed(.list(0, Array(steps.dropFirst(60)), isAtEnd: true))), &editor)
        #expect(editor.visit.rows.count == 100_000 && asked == 20)
        serve(editor.press("G"), &editor)
        #expect(editor.row?.id == .version(Archive.id(0)) && asked == 40)
        serve(editor.press("PgUp g"), &editor)
        #expect(editor.scene.browsing.entries.count <= Browsing.entryLimit + 42 && asked <= 120)
    }
}
