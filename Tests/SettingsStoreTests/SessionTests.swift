import Testing

@testable import SettingsModel
@testable import SettingsStore

/// What interfaces ask and get, without the command line.
@Suite struct SessionTests {
    @Test func twoStoresAndAHundredRequests() throws {
        try withStore { one in
            try withStore { other in
                let stores = [one, other]
                let sessions = stores.map { Session($0.store, by: Caller(), at: Clock(now: 0)) }
                for (store, session) in zip(stores, sessions) {
                    var number = OptionDefinition()
                    (number.title, number.kind, number.firstValue) = ("Number", .number, "0")
                    _ = try session.perform(.edit(.add("a.n", number)), store.done())
                    var choice = OptionDefinition()
                    (choice.title, choice.kind) = ("Language", .choice)
                    choice.labels = ["English", "French", "German"].map { .init(value: nil, text: $0) }
                    _ = try session.perform(.edit(.add("l", choice)), store.done())
                }
                for round in 1...25 {
                    for (index, (store, session)) in zip(stores, sessions).enumerated() {
                        let step = Number(index == 0 ? 1 : 10)
                        let sum = try session.perform(.edit(.set([.init("a.n", .plus(step))])), store.done())
                        #expect(sum.version != nil)
                        let wish: Wish = round % 3 == 0 ? .index(0) : .next
                        let chosen = try session.perform(.edit(.set([.init("l", wish)])), store.done())
                        #expect(chosen.version?.message.subject.hasPrefix("l: ") == true)
                    }
                }
                #expect(try (one.value("a.n"), other.value("a.n")) == ("25", "250"))
                #expect(try (one.value("l"), other.value("l")) == ("french", "french"))
                let before = try #require(try one.store.versions.tip().id)
                _ = try sessions[0].perform(.edit(.label("l", .add("Arabic", value: nil, long: nil, at: 0))), one.done())
                _ = try sessions[0].perform(.edit(.rename("a.n", to: "b.n")), one.done())
                #expect(try one.store.versions.tip().option(.of("l"))?.selected == 2)
                _ = try sessions[0].perform(.undo(2), one.done())
                _ = try sessions[0].perform(.redo(1), one.done())
                #expect(try one.store.versions.tip().option(.of("l"))?.selected == 2)
                _ = try sessions[0].perform(.edit(.remove(["a"], recursive: true)), one.done())
                _ = try sessions[0].perform(.restore(["a.n"], from: before), one.done())
                #expect(try one.value("a.n") == "25")
                #expect(try sessions[1].perform(.edit(.set([.init("a.n", .word("250"))])), other.done()).isUnchanged)
            }
        }
    }

    /// Every question and all work that makes no version, of two stores in turn, without a command line.
    @Test func questionsAreAnsweredWithValues() throws {
        try withStore { one in
            try withStore { other in
                for (index, s) in [one, other].enumerated() {
                    try s.put("g.n", .number("Number", 1))
                    try s.set("g.n", index + 7)
                    try s.put("x", .number("X", 3))
                }
                let sessions = [one, other].map {
                    Session(StoreFolder(path: $0.path), by: Caller(), at: Clock(now: 0), readsOnly: true)
                }
                for (index, (s, session)) in zip([one, other], sessions).enumerated() {
                    let value = JSON.number(index + 7)
                    let first = try session.ask(RevisionQuery("HEAD~1"))
                    #expect(try session.ask(VersionQuery("HEAD")).version.parents == [first.id])
                    #expect(try session.ask(OptionsQuery(["g.n", "x"])).map(\.option.value) == [value, .number(3)])
                    #expect(try session.ask(OptionsQuery(["g.n"], at: first.parents[0])).map(\.option.value) == [.number(1)])
                    let all = try session.ask(SettingsQuery())
                    #expect(all.settings.options.count == 2 && all.unreadable.isEmpty && all.place.isRoot)
                    let group = try session.ask(SettingsQuery(in: "g", isStrict: true))
                    #expect(group.settings.options.keys.map(\.description) == ["g.n"])
                    #expect(try session.ask(RecordedQuery(in: .root)).options.count == 2)
                    #expect(try session.ask(PlacesQuery(["g"])) == [.of("g")])
                    guard case .option(let shown) = try session.ask(ShowQuery("g.n")),
                        case .version(_, let made, let tags, true) = try session.ask(ShowQuery("HEAD~1"))
                    else {
                        Issue.record("shown is something else")
                        continue
                    }
                    #expect(shown.hasHistory && !shown.isDraft && shown.origin?.id == first.id)
                    #expect(made.changes.map(\.subject) == [.option(.of("g.n"))] && tags.isEmpty)
                    var history = HistoryQuery()
                    (history.keys, history.limit) = (["g.n"], 5)
                    var seen: [VersionID] = []
                    let isComplete = try session.walk(history) { version, _, _ in
                        seen.append(version.id)
                        return true
                    }
                    #expect(isComplete && seen == [first.id, first.parents[0]])
                    let blames = try session.ask(BlameQuery(["g"])).blames
                    #expect(blames.map(\.version?.id) == [first.id])
                    var diff = DiffQuery([], from: first.parents[0], to: nil)
                    diff.wantsOrigins = true
                    let difference = try session.ask(diff)
                    #expect(difference.changes.map(\.subject.key.description) == ["g.n", "x"])
                    #expect(difference.origins.first?.first?.version.id == first.id)
                    #expect(try session.ask(ConflictsQuery()).isEmpty)
                    #expect(try !session.ask(TextConflictQuery(.of("x"))))
                    let verified = try session.ask(VerifyQuery.files)
                    #expect(verified.checked > 2 && verified.findings.allSatisfy { $0.kind == .note })
                    #expect(try session.ask(VerifyQuery.versions(from: first.parents[0], to: first.id)).checked == 1)
                    #expect(try session.ask(VerifyQuery.everything(isDamaged: false)).checked > 3)
                    let writer = Session(StoreFolder(path: s.path), by: Caller(), at: Clock(now: 0))
                    #expect(try writer.perform(TagAction.add("v1", first.id), s.done()).version.id == first.id)
                    #expect(try session.ask(TagsQuery()).map(\.tag.name) == ["v1"])
                    #expect(try writer.perform(TagAction.remove("v1"), s.done()).before == first.id)
                    try s.write(SettingsOption.number("X", 4).file, to: "x.json")
                    let status = try session.ask(StatusQuery())
                    #expect(status.draft.edited == [.option(.of("x"))] && status.branch != nil && status.operation == nil)
                    #expect(try writer.perform(DiscardAction(["x"]), s.done()).edited == [.option(.of("x"))])
                    #expect(try session.ask(DiscardedQuery()).count == 1)
                    _ = try writer.perform(BringBackAction(), s.done())
                    let brought = try writer.perform(.recordDraft(), s.done())
                    #expect(try brought.version?.id == session.ask(RevisionQuery("HEAD")).id)
                    #expect(try session.ask(HealthQuery()).draft?.isEmpty == true)
                }
            }
        }
    }

    @Test func aCallerHearsOfProgressAndProblemsAreItsOwn() throws {
        try withStore { s in
            for value in 0..<70 { try s.put("n", .number("Number", value)) }
            var counts: [Versions.Progress] = []
            let session = Session(
                StoreFolder(path: s.path), by: Caller(), at: Clock(now: 0),
                Session.Reporting(progress: {
                    counts.append($0)
                    return true
                }))
            try session.store.history.cache.usesIndex = false
            try session.walk(HistoryQuery()) { _, _, _ in true }
            #expect(counts == [.examined(64)])
            #expect(throws: Problem.key(.isNothing("nix", .noOption("nix", near: [])))) {
                try session.ask(ShowQuery("nix"))
            }
            #expect(throws: Problem.key(.isVersion("HEAD"))) { try session.ask(DiffQuery(["HEAD"], from: nil, to: nil)) }
        }
    }

    @Test(arguments: [
        (EditRequest.set([.init("nothing", .next)]), Problem.key(.noOption("nothing", near: []))),
        (
            .set([.init("n", .word("x"))]),
            .value(.refused(.of("n"), .init("'x' is not a number", hint: "expected a number, such as 5 or 0.5")))
        ),
        (.set([.init("n", .word("1")), .init("n", .word("2"))]), .value(.isSetTwice(.of("n")))),
        (.rename("n", to: "n..m"), .key(.malformed("n..m", .init(reason: "a part of the key is empty")))),
        (.label("n", .move("A", to: 0)), .editing(.hasNoLabels(.of("n"), .number))),
    ])
    func aRefusalIsAValue(request: EditRequest, problem: Problem) throws {
        try withStore { s in
            try s.put("n", .number("Number", 1))
            let session = Session(s.store, by: Caller(), at: Clock(now: 0))
            #expect(throws: problem) { try session.perform(.edit(request), s.done()) }
        }
    }
}
