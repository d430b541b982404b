import Testing

@testable import SettingsModel
@testable import SettingsStore

/// What interfaces ask and get, without the command line.
@Suite struct SessionTests {
    @Test func twoStoresAndAHundredRequests() throws {
        try withStore { one in
            try withStore { other in
                let stores = [one, other]
                let sessions = stores.map { Session($0.store, by: Caller()) }
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

    @Test(arguments: [
        (EditRequest.set([.init("nothing", .next)]), Problem.key(.noOption("nothing", near: []))),
        (.set([.init("n", .word("x"))]), .value(.refused(.of("n"), .init("'x' is not a number")))),
        (.set([.init("n", .word("1")), .init("n", .word("2"))]), .value(.isSetTwice(.of("n")))),
        (.rename("n", to: "n..m"), .key(.malformed("n..m", .init(reason: "a part of the key is empty")))),
        (.label("n", .move("A", to: 0)), .editing(.hasNoLabels(.of("n"), .number))),
    ])
    func aRefusalIsAValue(request: EditRequest, problem: Problem) throws {
        try withStore { s in
            try s.put("n", .number("Number", 1))
            let session = Session(s.store, by: Caller())
            #expect(throws: problem) { try session.perform(.edit(request), s.done()) }
        }
    }
}
