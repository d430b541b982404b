import Foundation
import Seeds
import Testing

@testable import SettingsModel

/// Lists half as long as a file of 1 MiB allows, or with `SETTINGS_FULL` as long: n log n takes a second, n squared half a minute.
struct LabelBoundsTests {
    private static let count = ProcessInfo.processInfo.environment["SETTINGS_FULL"] == nil ? 30_000 : 60_000
    /// The limit in seconds of processor time, in a debug build.
    private static let limit = Double(count) / 3000

    private func processorTime(_ work: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var usage = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &usage)
            return Double(usage.tv_sec) + Double(usage.tv_nsec) / 1e9
        }
        let start = now()
        try work()
        return now() - start
    }

    /// Labels that are one or two characters longer than their number.
    private func labels(_ numbers: some Sequence<Int>, _ text: (Int) -> String = { "L\($0)" }) -> Labels {
        Labels(numbers.map { ChoiceLabel(value: .string(String($0)), text: ExactText(text($0))) }, writesValues: true)
    }

    private func choice(_ labels: Labels) -> SettingsOption {
        SettingsOption(title: "L", type: .choice, value: labels.first?.value, labels: labels)
    }

    private static let edits: [String] = ["reversed", "renamed", "revalued", "replaced", "one text", "shuffled"]

    private func edited(_ edit: String) -> (Labels, Labels) {
        let numbers = Array(0..<Self.count)
        let plain = labels(numbers)
        switch edit {
        case "reversed": return (plain, labels(numbers.reversed()))
        case "renamed": return (plain, labels(numbers) { "M\($0)" })
        case "revalued":
            return (
                plain,
                Labels(numbers.map { ChoiceLabel(value: .string("v\($0)"), text: ExactText("L\($0)")) }, writesValues: true)
            )
        case "replaced": return (plain, labels(numbers.map { $0 + Self.count }) { "N\($0)" })
        case "one text": return (labels(numbers) { _ in "x" }, labels(numbers.reversed()) { _ in "x" })
        default: return (plain, labels(numbers.map { $0 * 7919 % Self.count }))
        }
    }

    @Test(.slow, arguments: edits) func changesAndTheirWords(_ edit: String) throws {
        let (old, new) = edited(edit)
        let time = try processorTime {
            let key = try Key("l")
            let before = SettingsContent(options: [key: choice(old)])
            let after = SettingsContent(options: [key: choice(new)])
            let changes = after.changes(since: before)
            #expect(!changes.isEmpty)
            #expect(!Wording().message(of: changes).subject.isEmpty)
            #expect(try before.applying(changes) == after)
        }
        #expect(time < Self.limit)
    }

    @Test(.slow, arguments: edits) func merging(_ edit: String) throws {
        let (old, new) = edited(edit)
        let time = try processorTime {
            let key = try Key("l")
            let sides = [labels(0..<(Self.count + 1)), new].map { SettingsContent(options: [key: choice($0)]) }
            _ = SettingsContent.merge(base: SettingsContent(options: [key: choice(old)]), ours: sides[0], theirs: sides[1])
        }
        #expect(time < Self.limit)
    }

    @Test func valuesForNewLabels() {
        let texts = Labels((0..<Self.count).map { ChoiceLabel(value: .string($0 == 0 ? "x" : "x-\($0 + 1)"), text: "x") })
        let time = processorTime {
            #expect(texts.newValue(for: "x") == .string("x-\(Self.count + 1)"))
            var values = NewValues(texts)
            for number in 1...1000 { #expect(values.value(for: "x") == .string("x-\(Self.count + number)")) }
        }
        #expect(time < Self.limit)
    }

    @Test func readingAndWriting() throws {
        let file = choice(labels(0..<35_000)).file
        let time = try processorTime {
            let read = try SettingsOption(file: file)
            #expect(read.file == file)
        }
        #expect(time < Self.limit)
    }

    @Test func aGroupWithAnOrder() throws {
        let names = (0..<Self.count).map { ExactText("n\($0)") }
        let time = try processorTime {
            let group = try SettingsGroup(file: SettingsGroup(order: names.reversed()).file)
            #expect(group.ordered(Set(names)) == names.reversed())
            var settings = SettingsContent(groups: [.root: group])
            for name in names { settings.options[try Key(name.string)] = SettingsOption(title: "", type: .switch) }
            #expect(Sections(settings).rows.map(\.key.name) == names.reversed().map(\.string))
        }
        #expect(time < Self.limit)
    }

    @Test func wordThatMatchesNoLabel() {
        let option = choice(labels(0..<Self.count) { "A label of some length, the \($0)th" })
        let time = processorTime {
            #expect(throws: SettingsOption.Refusal.self) {
                try option.value(for: .word("A label of another length, the 7th of all of them"))
            }
        }
        #expect(time < Self.limit)
    }
}
