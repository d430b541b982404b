import Foundation
import Seeds
import Testing

@testable import SettingsModel
@testable import SettingsPages
@testable import SettingsStore
@testable import SettingsText

/// What pages ask of a store.
@Suite struct PageQueriesTests {
    private func session(_ store: TemporaryStore) -> Session { Session(store.store, by: Caller(), at: Clock(now: 0)) }

    private func change(_ key: String, from old: JSON, to new: JSON, in store: TemporaryStore) throws -> [Change] {
        let option = try #require(try store.option(key))
        var (before, after) = (SettingsContent(), SettingsContent())
        before.options[.of(key)] = option
        before.options[.of(key)]?.value = old
        after.options[.of(key)] = option
        after.options[.of(key)]?.value = new
        return after.changes(since: before)
    }

    @Test func changesAreMergedByMeaning() throws {
        try withStore { store in
            try store.put("l", .language)
            let changes = try change("l", from: "en", to: "fr", in: store)
            // A label before the chosen one, and another option, were recorded since.
            try store.labels("l") { $0.insert(ChoiceLabel(value: "ar", text: "Arabic"), at: 0) }
            try store.put("n", .number("Number", 1))
            let outcome = try session(store).perform(.changes(changes), store.done())
            #expect(outcome.version?.message.subject == "l: English → French")
            #expect(try store.option("l")?.selected == 2)
            #expect(try session(store).perform(.changes(changes), store.done()).isUnchanged)
        }
    }

    @Test func whatWasChangedSinceIsAConflict() throws {
        try withStore { store in
            try store.put("l", .language)
            let changes = try change("l", from: "en", to: "fr", in: store)
            try store.set("l", "es", by: .bob)
            let before = try store.store.versions.tip().id
            let problem = failure { _ = try session(store).perform(.changes(changes), store.done()) }
            #expect(problem?.conflicts.map(\.facet) == [.value])
            #expect(try store.store.versions.tip().id == before)
        }
    }

    @Test func filesWithEditsAreNotOverwritten() throws {
        try withStore(draft: true) { store in
            try store.put("n", .number("Number", 1))
            let changes = try change("n", from: .number(1), to: .number(2), in: store)
            try store.edit("n.json", "\"value\": 1", "\"value\": 7")
            let answer = try session(store).ask(PagesQuery())
            #expect(answer.handEdited == [.option(.of("n"))])
            #expect(answer.settings.options[.of("n")]?.value == .number(7))
            let problem = failure { _ = try session(store).perform(.changes(changes), store.done()) }
            #expect(problem?.kind == .conflict)
            #expect(store.text("n.json")?.contains("7") == true)
        }
    }

    @Test func editsAreKeptForEachProcess() throws {
        try withStore { store in
            var first = try session(store).keptEdits()
            let second = try session(store).keptEdits()
            #expect(try first?.read() == nil)
            try first?.write(Array("one".utf8))
            try first?.write(Array("two".utf8))
            try second?.write(Array("other".utf8))
            // The process that had the first one has ended.
            first = nil
            let third = try #require(try session(store).keptEdits())
            #expect(try third.read() == Array("two".utf8))
            try third.remove()
            #expect(try third.read() == nil)
            #expect(try second?.read() == Array("other".utf8))
            try second?.remove()
        }
    }

    @Test func reasonsAreToldOnce() throws {
        try withStore { store in
            try store.put("n", .number("Number", 0))
            for (number, why) in ["a", "b", "a", nil, "c"].enumerated() {
                _ = try session(store).perform(
                    .edit(.set([.init("n", .word("\(number + 1)"))])), store.done(why: why))
            }
            #expect(try session(store).ask(ReasonsQuery()) == ["c", "a", "b"])
            #expect(try session(store).ask(ReasonsQuery(limit: 1)) == ["c"])
            #expect(try session(store).ask(HeadQuery()) == HeadQuery.Answer(store.store.versions.tip().id, on: "main"))
        }
    }

    /// The screen that is shown before everything is read is the one that is shown afterwards.
    @Test(arguments: 0..<12)
    func theFirstScreenStays(seed: UInt64) throws {
        var random = Seeded(seed)
        try withStore { store in
            var settings = SettingsContent()
            for number in 0..<60 {
                let depth = random.int(0...3)
                let groups = (0..<depth).map { _ in random.pick(["a", "b", "c", "long-name"]) }
                let key = try Key(parts: groups + ["option-\(number)"])
                settings.options[key] = .number("Number \(number)", number)
                var place = key.group
                while !place.isRoot, random.chance(40) {
                    settings.groups[place] = SettingsGroup(
                        title: ExactText("Group \(place)"), style: random.pick([.section, .page, nil]),
                        footer: random.chance(20) ? "A footer." : nil,
                        order: random.chance(30) ? ["c", "a", ExactText("option-\(number)")] : nil)
                    place = place.group
                }
            }
            var before = SettingsContent()
            before.definition = try store.store.folder.definition()
            settings.definition = before.definition
            _ = try session(store).perform(.changes(settings.changes(since: before)), store.done())
            for size in [Grid.Size(columns: 80, rows: 24), Grid.Size(columns: 40, rows: 8)] {
                func screen(_ settings: SettingsContent, _ place: Key) -> [String] {
                    let phrases = Phrases(clock: Clock(now: 0))
                    return Editor(Loaded(settings), at: place, phrases: phrases, size: size).draw().lines
                }
                for place in [Key.root] + settings.allGroups.sorted().prefix(4) {
                    let first = try #require(
                        try session(store).ask(FirstPageQuery(place.isRoot ? nil : place.description, rows: size.rows)))
                    let all = try session(store).ask(PagesQuery()).settings
                    #expect(all.options == settings.options)
                    // The number of rows below is not known yet, nor how many pages there are above.
                    #expect(
                        screen(first.settings, first.place).dropFirst().dropLast() == screen(all, place).dropFirst().dropLast(),
                        "seed \(seed), \(place), \(size)")
                }
            }
            #expect(try session(store).ask(FirstPageQuery("nowhere", rows: 10))?.place == nil)
        }
    }
}
