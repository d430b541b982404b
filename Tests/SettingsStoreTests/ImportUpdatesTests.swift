import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Plain files that somebody else changed, imported again and again.
struct ImportUpdatesTests {
    /// What a file holds: a number, or names with such things.
    private indirect enum Node: ExpressibleByIntegerLiteral, ExpressibleByDictionaryLiteral {
        case number(Int)
        case names([(String, Node)])

        init(integerLiteral value: Int) { self = .number(value) }
        init(dictionaryLiteral elements: (String, Node)...) { self = .names(elements) }
    }

    private func settings(_ node: Node, in group: Key = .root) -> SettingsContent {
        var settings = SettingsContent()
        guard case .names(let members) = node else { return settings }
        for (name, value) in members {
            let key = Key(unchecked: group.parts + [name])
            if case .number(let number) = value {
                settings.options[key] = .number(name.uppercased(), number)
            } else {
                settings.groups[key] = SettingsGroup(title: ExactText(name.uppercased()), style: .section)
                let inner = self.settings(value, in: key)
                settings.options.merge(inner.options) { $1 }
                settings.groups.merge(inner.groups) { $1 }
            }
        }
        if members.count > 1 { settings.groups[group, default: SettingsGroup()].order = members.map { ExactText($0.0) } }
        return settings
    }

    @discardableResult
    private func bring(
        _ node: Node, from path: String = "~/app.json", into s: TemporaryStore, _ change: (inout ImportWish) -> Void = { _ in }
    ) throws -> (outcome: Outcome, result: ImportResult) {
        var wish = ImportWish([VersionMessage.ImportSource(format: .json, name: path)])
        change(&wish)
        let imported = Imported(
            format: .json, settings: settings(node, in: wish.group), givesValues: true, givesDefinitions: false)
        var result = ImportResult()
        let outcome = try s.store.recorder.record(s.done()) { tip throws(Problem) in
            let (edit, found) = try s.store.importing.importing(imported, wish, tip)
            result = found
            return edit
        }
        return (outcome, result)
    }

    private func order(_ key: Key, _ s: TemporaryStore) throws -> [ExactText]? {
        guard case .group(let group)? = try s.store.versions.tip().item(.group(key)) else { return nil }
        return group.order
    }

    @Test func aNameWhoseCaseChangedIsTheSameOption() throws {
        try withStore { s in
            try bring(["Lens": ["fooBar": 1, "mode": 2]], into: s)
            try s.set("Lens.fooBar", 7)
            let (outcome, result) = try bring(["lens": ["foobar": 1, "Mode": 3]], into: s)
            #expect(outcome.version != nil && result.kept.isEmpty && result.gone.isEmpty)
            #expect(try s.value("Lens.fooBar") == "7")
            #expect(try s.value("Lens.mode") == "3")
            #expect(try s.option("Lens.fooBar")?.importedKey == "foobar")
            #expect(try s.option("Lens.mode")?.importedKey == "Mode")
            #expect(try bring(["lens": ["foobar": 1, "Mode": 3]], into: s) { $0.prunes = true }.outcome.isUnchanged)
            // And back: the exact name is the key again.
            try bring(["Lens": ["fooBar": 1, "mode": 3]], into: s)
            #expect(try s.option("Lens.fooBar")?.importedKey == nil)
            #expect(try s.blamed("Lens.fooBar")?.message.importedFrom == [])
        }
    }

    /// Two names that differ by case stay two options, whichever of them comes first.
    @Test func twoNamesThatDifferByCaseStayApart() throws {
        try withStore { s in
            try bring(["Foo": 1], into: s)
            var imported = Imported(format: .json, givesValues: true, givesDefinitions: false)
            var second = SettingsOption.number("FOO", 1)
            second.other["key"] = "Foo"
            imported.settings.options[.of("foo")] = .number("FOO", 2)
            imported.settings.options[.of(Key.apart("Foo", "Foo"))] = second
            imported.settings.groups[.root] = SettingsGroup(order: ["foo", ExactText(Key.apart("Foo", "Foo"))])
            for isFirst in [true, false] {
                let outcome = try s.store.recorder.record(s.done()) { tip throws(Problem) in
                    let wish = ImportWish([VersionMessage.ImportSource(format: .json, name: "~/app.json")])
                    return try s.store.importing.importing(imported, wish, tip).edit
                }
                #expect(outcome.isUnchanged != isFirst)
            }
            #expect(try s.value("Foo") == "1")
            #expect(try s.value(Key.apart("foo", "foo")) == "2")
            #expect(try s.option(Key.apart("foo", "foo"))?.importedKey == "foo")
        }
    }

    /// The members of a file are known by their exact names, in whichever order they come.
    @Test func exactNamesComeFirst() throws {
        try withStore { s in
            for file in ["{\"Foo\": 1}", "{\"foo\": 1}", "{\"foo\": 1, \"Foo\": 8}"] { try s.bring(file) }
            try s.set("Foo", 55)
            let names = try s.store.versions.tip().subjects()
            let (outcome, result) = try s.bring("{\"Foo\": 8, \"foo\": 1}")
            guard case .recorded(_, let changes, _) = outcome else { throw CancellationError() }
            #expect(changes.map(\.facet) == [.order] && result.gone.isEmpty && result.kept.isEmpty)
            #expect(try s.store.versions.tip().subjects() == names)
            #expect(try s.exported()?.compact == "{\"Foo\":8,\"foo\":55}")
            // One of them alone, under the key that was made for the other.
            #expect(try s.bring("{\"Foo\": 9}").result.gone == [.of("Foo")])
            #expect(try s.exported()?.compact == "{\"Foo\":9,\"foo\":55}")
            try s.bring("{\"Foo\": 9}") { $0.overwrites = true }
            #expect(try s.exported()?.compact == "{\"Foo\":9,\"foo\":55}")
        }
    }

    /// Also names of which a key keeps the same letters, and groups.
    @Test func exactNamesOfGroupsComeFirst() throws {
        try withStore { s in
            try s.bring("{\"Web\": {\"a\": 1}, \"web\": {\"A\": 2, \"a\": 3}}")
            try s.set("Web.a", 7)
            try s.bring("{\"web\": {\"a\": 3, \"A\": 2}, \"Web\": {\"a\": 1}}")
            #expect(try s.exported()?.compact == "{\"Web\":{\"a\":7},\"web\":{\"A\":2,\"a\":3}}")
            // The case of both changes.
            try s.bring("{\"WEB\": {\"a\": 3, \"A\": 4}, \"Web\": {\"a\": 1}}")
            #expect(try s.exported()?.compact == "{\"WEB\":{\"A\":4,\"a\":3},\"Web\":{\"a\":7}}")
        }
    }

    @Test func groupsThatAreGoneAreNamedAndPruned() throws {
        try withStore { s in
            try bring(["web": ["port": 1, "host": 2], "dead": ["port": 3, "pool": ["size": 4, "most": 5]]], into: s)
            try s.put("dead.own", .number("Own", 1))
            let after: Node = ["web": ["port": 1, "host": 2]]
            let (outcome, result) = try bring(after, into: s)
            #expect(outcome.isUnchanged)
            #expect(result.gone == [.of("dead.pool.most"), .of("dead.pool.size"), .of("dead.port")])
            #expect(result.goneGroups == [.of("dead.pool")])
            try bring(after, into: s) { $0.prunes = true }
            // A group in which something is left stays.
            #expect(
                Set(try s.store.versions.tip().settings(in: .of("dead")).subjects) == [
                    .group(.of("dead")), .option(.of("dead.own")),
                ])
            try s.put("dead.own", nil)
            #expect(try bring(after, into: s).result.goneGroups == [.of("dead")])
            try bring(after, into: s) { $0.prunes = true }
            #expect(try s.store.versions.tip().subjects(in: .of("dead")) == [])
            #expect(try s.store.versions.tip().item(.group(.of("dead"))) == nil)
        }
    }

    @Test(arguments: [false, true]) func aGroupThatBecomesAValueGoes(prunes: Bool) throws {
        try withStore { s in
            try bring(["log": ["level": 1, "file": ["size": 2]], "x": 1], into: s)
            try bring(["log": 5, "x": 1], into: s) { $0.prunes = prunes }
            #expect(try s.value("log") == "5")
            #expect(try s.store.versions.tip().subjects(in: .of("log")) == [])
            try bring(["log": ["level": 1], "x": 1], into: s) { $0.prunes = prunes }
            #expect(try s.option("log") == nil)
            #expect(try s.value("log.level") == "1")
            #expect(try bring(["log": ["level": 1], "x": 1], into: s).outcome.isUnchanged)
        }
    }

    /// In a format of flat names one may be a setting and the beginning of others.
    @Test func flatNamesMayBeBoth() throws {
        try withStore { s in
            let wish = ImportWish([VersionMessage.ImportSource(format: .vscode, name: "~/package.json")])
            for names in [["a.b", "a.b.c"], ["a.b"]] {
                var imported = Imported(format: .vscode, givesValues: false)
                for name in names { imported.settings.options[.of(name)] = .number(name, nil) }
                _ = try s.store.recorder.record(s.done()) { tip throws(Problem) in
                    try s.store.importing.importing(imported, wish, tip).edit
                }
            }
            #expect(try s.option("a.b.c") != nil)
        }
    }

    @Test func aSourceIsItsWholePathAndGroup() throws {
        try withStore { s in
            try bring(["x": 1, "y": 2], from: "../a/config.json", into: s)
            try bring(["z": 3, "w": 4], from: "../b/config.json", into: s)
            let (_, result) = try bring(["z": 3], from: "../b/config.json", into: s) { $0.prunes = true }
            #expect(result.gone == [])
            #expect(try s.option("w") == nil)
            #expect(try s.value("x") == "1")
            // The same file, brought into a group and to the top, is two.
            try bring(["x": 1, "k": 2], from: "../a/config.json", into: s) { $0.group = .of("inner") }
            try bring(["x": 1, "y": 2], from: "../a/config.json", into: s) { $0.prunes = true }
            #expect(try s.value("inner.k") == "2")
            try bring(["x": 1], from: "../a/config.json", into: s) {
                $0.group = .of("inner")
                $0.prunes = true
            }
            #expect(try s.option("inner.k") == nil)
            #expect(try s.value("y") == "2")
        }
    }

    @Test func whatAnotherSourceChangedLastIsIts() throws {
        try withStore { s in
            try bring(["x": 1, "y": 1], from: "~/a", into: s)
            try bring(["x": 2], from: "~/b", into: s)
            try bring(["y": 1], from: "~/a", into: s) { $0.prunes = true }
            #expect(try s.value("x") == "2")
            try bring([:], from: "~/b", into: s) { $0.prunes = true }
            #expect(try s.option("x") == nil)
        }
    }

    /// Versions of earlier releases name the last part of the path.
    @Test func earlierReleasesNamedFilesShortly() throws {
        try withStore { s in
            try bring(["x": 1, "y": 1], from: "app.json", into: s)
            #expect(try bring(["x": 1], from: "~/app.json", into: s).result.gone == [.of("y")])
            #expect(try bring(["x": 1], from: "~/other.json", into: s).result.gone == [])
        }
    }

    @Test func twoFilesInTurnSettleDown() throws {
        try withStore { s in
            let first: Node = ["a": 1, "both": 1, "sub": ["c": 1, "d": 2]]
            let second: Node = ["e": 1, "both": 2, "sub": ["g": 1, "f": 2]]
            try bring(first, from: "~/1.json", into: s)
            try bring(second, from: "~/2.json", into: s)
            #expect(try bring(first, from: "~/1.json", into: s).outcome.isUnchanged)
            #expect(try bring(second, from: "~/2.json", into: s).outcome.isUnchanged)
            #expect(try order(.root, s) == ["a", "e", "both", "sub"])
            #expect(try order(.of("sub"), s) == ["c", "d", "g", "f"])
            _ = try s.change(s.done()) { $0.groups[.root] = SettingsGroup(order: ["sub", "e", "both", "a"]) }
            for _ in 0..<2 {
                #expect(try bring(first, from: "~/1.json", into: s).outcome.isUnchanged)
                #expect(try bring(second, from: "~/2.json", into: s).outcome.isUnchanged)
            }
            try bring(["a": 1, "new": 5, "both": 1, "sub": ["c": 1, "d": 2]], from: "~/1.json", into: s)
            #expect(try order(.root, s) == ["sub", "e", "both", "a", "new"])
        }
    }

    @Test func overwritingTakesWhatOnlyPeopleChanged() throws {
        try withStore { s in
            let file: Node = ["a": 1, "b": 2, "c": 3]
            try bring(file, into: s)
            try s.set("a", 9)
            try s.put("b", nil)
            _ = try s.change(s.done()) { $0.options[.of("c")]?.title = "Mine" }
            _ = try s.change(s.done()) { $0.groups[.root] = SettingsGroup(order: ["c", "a"]) }
            #expect(try bring(file, into: s).outcome.isUnchanged)
            let (outcome, result) = try bring(file, into: s) { $0.overwrites = true }
            #expect(outcome.version != nil && result.kept.isEmpty)
            #expect(try ["a", "b", "c"].map { try s.value($0) } == ["1", "2", "3"])
            #expect(try s.option("c")?.title == "Mine")
            #expect(try order(.root, s) == ["a", "b", "c"])
            #expect(try bring(file, into: s) { $0.overwrites = true }.outcome.isUnchanged)
        }
    }

    /// Definitions win too, and what they say nothing of stays: what is set, and labels that people added.
    @Test func overwritingDefinitionsKeepsWhatIsSet() throws {
        try withStore { s in
            let wish = ImportWish([VersionMessage.ImportSource(format: .gsettings, name: "~/schemas")])
            var imported = Imported(format: .gsettings, givesValues: false)
            imported.settings.options[.of("x")] = .choice("X", ["a=A", "b=B"], selected: nil)
            func bring(_ overwrites: Bool) throws {
                var wish = wish
                wish.overwrites = overwrites
                _ = try s.store.recorder.record(s.done()) { tip throws(Problem) in
                    try s.store.importing.importing(imported, wish, tip).edit
                }
            }
            try bring(false)
            try s.labels("x") { labels in
                labels.rename("a", to: "Mine")
                labels.insert(ChoiceLabel(value: "c", text: "C"), at: 1)
            }
            try s.set("x", "c")
            try bring(true)
            #expect(try s.value("x") == "c")
            #expect(try s.option("x")?.labels.map(\.text) == ["A", "C", "B"])
        }
    }
}
