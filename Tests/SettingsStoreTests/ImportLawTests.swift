import Seeds
import Testing

@testable import SettingsModel
@testable import SettingsStore

/// Files that change at random, imported again and again, while people change settings at random.
struct ImportLawTests {
    /// What people set and added, and the file.
    private struct State {
        var random: Seeded
        var file = ImportedFile.names([])
        var mine: [Key: JSON] = [:]
        var next = 1000

        init(_ seed: UInt64) {
            random = Seeded(seed)
            while file.members.isEmpty { file = names(depth: 0) }
        }

        mutating func number() -> JSON {
            next += 1
            return .number(next)
        }

        mutating func node(depth: Int) -> ImportedFile {
            if depth < 2, random.chance(40) { return names(depth: depth + 1) }
            return .data(random.chance(70) ? number() : random.pick([.null, .array([]), .object([])]))
        }

        mutating func names(depth: Int) -> ImportedFile {
            let names = ["a", "A", "b", "B", "long"].shuffled(using: &random).prefix(random.int(1...4))
            return .names(names.map { ImportedFile.Member(name: $0, node: node(depth: depth)) })
        }

        /// Values, shapes, names, their case and their order.
        mutating func change(_ node: ImportedFile, depth: Int = 0) -> ImportedFile {
            guard case .names(var members) = node else { return random.chance(30) ? self.node(depth: depth) : node }
            if depth > 0, random.chance(15) { return self.node(depth: depth) }
            if members.count > 1, random.chance(20) { members.remove(at: random.int(members.count)) }
            for index in members.indices {
                members[index].node = change(members[index].node, depth: depth + 1)
                guard random.chance(10) else { continue }
                let name = members[index].name
                let other = name == name.lowercased() ? name.uppercased() : name.lowercased()
                if !members.contains(where: { $0.name == other }) { members[index].name = other }
            }
            let new = random.pick(["a", "A", "b", "B", "long"])
            if random.chance(30), !members.contains(where: { $0.name == new }) {
                members.append(ImportedFile.Member(name: new, node: self.node(depth: depth + 1)))
            }
            if random.chance(30) { members.shuffle(using: &random) }
            return .names(members)
        }

        mutating func shuffled(_ node: ImportedFile) -> ImportedFile {
            guard case .names(let members) = node else { return node }
            return .names(
                members.shuffled(using: &random).map { ImportedFile.Member(name: $0.name, node: shuffled($0.node)) })
        }

        mutating func edit(_ settings: inout SettingsContent) {
            let keys = settings.options.keys.sorted()
            let group = random.pick(settings.allGroups.sorted())
            switch random.int(4) {
            case 0:
                let key = Key(unchecked: group.parts + ["own\(next)"])
                settings.options[key] = SettingsOption(title: "Own", type: .data, value: number())
                mine[key] = settings.options[key]?.value
            case 1:
                // Of two names that differ only in case, a store doesn't know the one that is gone.
                guard let key = keys.filter({ $0.name == "long" }).randomElement(using: &random) else { return }
                settings.options[key] = nil
                mine[key] = nil
            default:
                guard let key = keys.randomElement(using: &random) else { return }
                settings.options[key]?.value = number()
                mine[key] = settings.options[key]?.value
            }
        }
    }

    private func check(_ s: TemporaryStore, _ state: State, _ words: String) throws {
        #expect(try s.exported() != nil, "two things of one name, \(words)")
        for (key, value) in state.mine {
            #expect(try s.store.versions.tip().option(key)?.value == value, "\(key) was \(value.compact), \(words)")
        }
    }

    @Test(arguments: 0..<40) func whatPeopleChangedStays(seed: UInt64) throws {
        try withStore { s in
            var state = State(seed)
            for step in 0..<6 {
                let words = "seed \(seed), step \(step): \(state.file.json.compact)"
                try s.bring(state.file) { $0.prunes = state.random.chance(30) }
                try check(s, state, words)
                // In another order, all that comes is that order.
                let shuffled = state.shuffled(state.file)
                if case .recorded(_, let changes, _) = try s.bring(shuffled).outcome {
                    #expect(changes.allSatisfy { $0.facet == .order }, "\(words)\n\(changes.sentences)")
                }
                #expect(try s.bring(shuffled).outcome.isUnchanged, "\(words)")
                for _ in 0..<state.random.int(3) { _ = try s.change(s.done()) { state.edit(&$0) } }
                state.file = state.change(state.file)
            }
            try s.bring(state.file) {
                $0.overwrites = true
                $0.prunes = true
            }
            let words = "seed \(seed), at the end: \(state.file.json.compact)"
            let all = try #require(try s.exported(), "\(words)")
            #expect(Self.holds(all, state.file.json), "\(words)\n\(all.compact)")
        }
    }

    /// Where people change nothing, the store has what the file has.
    @Test(arguments: 100..<130) func theStoreFollowsTheFile(seed: UInt64) throws {
        try withStore { s in
            var state = State(seed)
            for step in 0..<6 {
                try s.bring(state.file) { $0.prunes = true }
                #expect(try s.exported() == state.file.json, "seed \(seed), step \(step)")
                #expect(try s.bring(state.shuffled(state.file)).result.gone.isEmpty, "seed \(seed), step \(step)")
                state.file = state.change(state.file)
            }
        }
    }

    /// Whether `all` has everything that `part` has.
    private static func holds(_ all: JSON, _ part: JSON) -> Bool {
        guard case .object(let members) = part, !members.isEmpty else { return all == part }
        return members.allSatisfy { member in all[member.name].map { holds($0, member.value) } ?? false }
    }
}
