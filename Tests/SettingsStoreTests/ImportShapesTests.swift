import Testing

@testable import SettingsModel
@testable import SettingsStore

/// Files in which a value becomes a group, or a group a value, where people have changed something since.
struct ImportShapesTests {
    /// What people may do to something in `g`, which a file then has as a value.
    static let edits: [@Sendable (TemporaryStore) throws -> Void] = [
        { try $0.set("g.x", 5) },
        { try $0.set("g.in.y", 5) },
        { s in _ = try s.change(s.done()) { $0.options[.of("g.x")]?.title = "Mine" } },
        { s in _ = try s.change(s.done()) { $0.groups[.of("g")]?.title = "Mine" } },
        { s in _ = try s.change(s.done()) { $0.groups[.of("g")]?.order = ["in", "x"] } },
        { s in _ = try s.change(s.done()) { $0.options[.of("g.x")]?.help = "Mine" } },
        { try $0.put("g.own", .number("Own", 1)) },
        { try $0.put("g.in.own", .number("Own", 1)) },
        { s in _ = try s.change(s.done()) { $0.groups[.of("g.more")] = SettingsGroup(title: "More") } },
        { s in
            try s.put("g.x", .choice("X", ["1=One", "2=Two"]))
            try s.labels("g.x") { $0.rename("1", to: "Uno") }
        },
    ]

    @Test(arguments: edits.indices, ["5", "null", "[1]", "{}"])
    func aGroupThatPeopleChangedStays(edit: Int, value: String) throws {
        try withStore { s in
            let file = "{\"g\": {\"x\": 1, \"in\": {\"y\": 2}}, \"h\": 1}"
            try s.bring(file)
            try Self.edits[edit](s)
            let before = try s.store.versions.tip().settings(in: .of("g"))
            let next = "{\"g\": \(value), \"h\": 2}"
            let (_, result) = try s.bring(next)
            #expect(try s.store.versions.tip().settings(in: .of("g")) == before)
            #expect(try s.option("g") == nil)
            #expect(try s.value("h") == "2")
            #expect(result.kept.map(\.subject) == [.group(.of("g"))])
            // It is said each time, and nothing is recorded.
            let again = try s.bring(next)
            #expect(again.outcome.isUnchanged && again.result.differs && again.result.kept == result.kept)
            // The file may have the group again.
            #expect(try s.bring("{\"g\": {\"x\": 1, \"in\": {\"y\": 2}}, \"h\": 2}").result.kept.isEmpty)
            #expect(try s.store.versions.tip().settings(in: .of("g")) == before)
            try s.bring(next) { $0.overwrites = true }
            #expect(try s.store.versions.tip().subjects(in: .of("g")) == [])
            #expect(try s.exported() == ImportedFile(next).json)
            #expect(try s.bring(next).outcome.isUnchanged)
        }
    }

    @Test(arguments: [false, true]) func aValueThatPeopleChangedStays(prunes: Bool) throws {
        let edits: [(TemporaryStore) throws -> Void] = [
            { try $0.set("b", 10) }, { s in _ = try s.change(s.done()) { $0.options[.of("b")]?.title = "Mine" } },
        ]
        for edit in edits {
            try withStore { s in
                try s.bring("{\"b\": 5}")
                try edit(s)
                let before = try s.option("b")
                let next = "{\"b\": {\"x\": 1, \"in\": {\"y\": 2}}}"
                let (outcome, result) = try s.bring(next) { $0.prunes = prunes }
                #expect(outcome.isUnchanged && result.kept.map(\.subject) == [.option(.of("b"))] && result.gone.isEmpty)
                #expect(try s.option("b") == before)
                #expect(try s.store.versions.tip().subjects(in: .of("b")) == [])
                try s.bring("{\"b\": 6}")
                #expect(try s.option("b")?.title == before?.title)
                try s.bring(next) { $0.overwrites = true }
                #expect(try s.exported() == ImportedFile(next).json)
            }
        }
    }

    /// Of a group that stays, only what nobody changed may be pruned.
    @Test func pruningAGroupThatStays() throws {
        try withStore { s in
            try s.bring("{\"g\": {\"x\": 1, \"y\": 2, \"in\": {\"z\": 3}}, \"h\": 1}")
            try s.set("g.x", 5)
            let (outcome, result) = try s.bring("{\"g\": null, \"h\": 1}")
            #expect(outcome.isUnchanged)
            #expect(result.gone == [.of("g.in.z"), .of("g.y")] && result.goneGroups == [.of("g.in")])
            let pruned = try s.bring("{\"g\": null, \"h\": 1}") { $0.prunes = true }
            #expect(pruned.result.kept.count == 1)
            #expect(try s.exported()?.compact == "{\"g\":{\"x\":5},\"h\":1}")
        }
    }

    /// What nobody changed follows the file, also where people removed something beside it.
    @Test func whatNobodyChangedFollowsTheFile() throws {
        try withStore { s in
            try s.bring("{\"g\": {\"x\": 1, \"y\": 2, \"z\": 3}}")
            _ = try s.change(s.done()) {
                $0.options[.of("g.y")] = nil
                $0.groups[.of("g")]?.order = ["x", "z"]
            }
            #expect(try s.bring("{\"g\": 7}").result.kept.isEmpty)
            #expect(try s.exported()?.compact == "{\"g\":7}")
            #expect(try s.bring("{\"g\": {\"x\": 1}}").result.kept.isEmpty)
            #expect(try s.exported()?.compact == "{\"g\":{\"x\":1}}")
        }
    }

    @Test func whatPeopleMadeOfAnotherShapeStays() throws {
        try withStore { s in
            try s.bring("{\"a\": 1, \"b\": {\"x\": 1}}")
            _ = try s.change(s.done()) {
                $0.options[.of("a")] = nil
                $0.options[.of("a.own")] = .number("Own", 1)
                $0.options[.of("b.x")] = nil
                $0.groups[.of("b")] = nil
                $0.options[.of("b")] = .number("B", 2)
            }
            let mine = "{\"a\":{\"own\":1},\"b\":2}"
            #expect(try s.bring("{\"a\": 1, \"b\": {\"x\": 1}}").result.kept.isEmpty)
            #expect(try s.exported()?.compact == mine)
            try s.bring("{\"a\": 2, \"b\": {\"x\": 2, \"y\": 3}}")
            #expect(try s.exported()?.compact == mine)
            try s.bring("{\"a\": 2, \"b\": {\"x\": 2, \"y\": 3}}") { $0.overwrites = true }
            #expect(try s.exported()?.compact == "{\"a\":2,\"b\":{\"x\":2,\"y\":3}}")
        }
    }

    /// Two files that have a name in two shapes: what the first brought stays, whichever is imported next.
    @Test func twoFilesOfTwoShapesSettleDown() throws {
        try withStore { s in
            try s.bring("{\"g\": {\"x\": 1}}", from: "~/1.json")
            for _ in 0..<2 {
                let second = try s.bring("{\"g\": 5}", from: "~/2.json")
                #expect(second.outcome.isUnchanged && second.result.kept.count == 1)
                #expect(try s.bring("{\"g\": {\"x\": 1}}", from: "~/1.json").outcome.isUnchanged)
            }
            try s.bring("{\"g\": 5}", from: "~/2.json") { $0.overwrites = true }
            #expect(try s.exported()?.compact == "{\"g\":5}")
            #expect(try s.bring("{\"g\": {\"x\": 1}}", from: "~/1.json").outcome.isUnchanged)
            #expect(try s.exported()?.compact == "{\"g\":5}")
        }
    }

    /// What people put back after an import removed it is theirs.
    @Test func whatIsPutBackIsNotGone() throws {
        try withStore { s in
            try s.bring("{\"a\": 1, \"g\": {\"x\": 1}}")
            try s.bring("{\"a\": 1}") { $0.prunes = true }
            try s.put("g.x", .number("X", 1))
            #expect(try s.bring("{\"a\": 1}").result.gone == [])
            #expect(try s.bring("{\"a\": 1, \"g\": 3}").result.kept.map(\.subject) == [.group(.of("g"))])
            #expect(try s.value("g.x") == "1")
        }
    }

    /// A document of a file is another source than the whole file, and than its other documents.
    @Test func aDocumentIsASourceOfItsOwn() throws {
        try withStore { s in
            func bring(_ file: String, _ document: Int?, prunes: Bool = false) throws -> ImportResult {
                try s.bring(file, from: "~/d.yaml") {
                    $0.sources[0].format = .yaml
                    $0.document = document
                    $0.prunes = prunes
                }.result
            }
            _ = try bring("{\"document-1\": {\"a\": 1}, \"document-2\": {\"b\": 2}}", nil)
            #expect(try bring("{\"b\": 2, \"c\": 3}", 2, prunes: true).gone == [])
            #expect(try bring("{\"a\": 1}", 1, prunes: true).gone == [])
            #expect(try bring("{\"b\": 2}", 2).gone == [.of("c")])
            _ = try bring("{\"document-1\": {\"a\": 1}}", nil, prunes: true)
            #expect(try s.exported()?.compact == "{\"a\":1,\"b\":2,\"c\":3,\"document-1\":{\"a\":1}}")
            _ = try bring("{\"b\": 2}", 2, prunes: true)
            #expect(try s.exported()?.compact == "{\"a\":1,\"b\":2,\"document-1\":{\"a\":1}}")
        }
    }
}
