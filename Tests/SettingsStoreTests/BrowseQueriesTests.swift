import Surroundings
import Testing

@testable import SettingsModel
@testable import SettingsStore

/// What a browser asks of a store.
@Suite struct BrowseQueriesTests {
    private func session(_ s: TemporaryStore) -> Session { Session(s.store, by: Caller(), at: Clock(now: s.clock)) }

    private func all(_ walk: VersionWalk, part: Int = 7) throws -> [VersionWalk.Step] {
        var steps: [VersionWalk.Step] = []
        while !walk.isAtEnd { steps += try walk.next(part, examining: part) }
        return steps
    }

    /// 3,000 versions that plain git made, every third of another file.
    private func longHistory() throws -> TemporaryStore {
        let s = try TemporaryStore.make()
        try s.put("n", .number("Number", 0))
        var stream = ""
        for number in 1...3000 {
            stream += "commit refs/heads/main\ncommitter Ada Lovelace <ada@example.org> \(s.clock + Int64(number)) +0000\n"
            stream += "data 6\nNumber\n" + (number == 1 ? "from refs/heads/main^0\n" : "")
            stream += "M 100644 inline \(number % 3 == 0 ? "o" : "n").json\n"
            let text = String(decoding: SettingsOption.number("Number", number).file, as: UTF8.self)
            stream += "data \(text.utf8.count)\n\(text)\n"
        }
        try s.git("fast-import", "--quiet", input: Array(stream.utf8))
        try s.git("reset", "-q", "--hard", "main")
        try s.reopen()
        return s
    }

    /// The first screen looks at as many commits as it shows, whatever comes after them.
    @Test func aWalkReadsWhatIsAskedFor() throws {
        let s = try longHistory()
        s.store.versions.walked = 0
        let walk = try session(s).versionWalk()
        let first = try walk.next(40, examining: 500)
        #expect(first.filter(\.isShown).count == 40 && s.store.versions.walked == 40 && !walk.isAtEnd)
        let ids = first.map(\.id)
        #expect(try session(s).ask(ListedVersionsQuery(ids)).map(\.version.id) == ids)
        #expect(try all(walk, part: 500).count == 3002 - 40)
        let ofOne = try session(s).versionWalk(in: [.of("o")])
        s.store.versions.walked = 0
        #expect(try ofOne.next(40, examining: 60).filter(\.isShown).count == 20 && s.store.versions.walked == 60)
    }

    @Test func aWalkFindsWhatHistoryFinds() throws {
        try withStore { s in
            try s.put("l", .language)
            for value in ["fr", "en", "es"] { try s.set("l", value) }
            try s.put("n", .number("Number", 1))
            var found: [VersionID] = []
            try session(s).walk(HistoryQuery()) { version, _, _ in
                found.append(version.id)
                return true
            }
            #expect(try all(try session(s).versionWalk()).filter(\.isShown).map(\.id) == found)
            let french = VersionWalk.Condition(
                takes: { _ in true }, takesChanges: { $1.changes.contains { $0.facet == .value && $0.after?.json == "fr" } })
            #expect(try all(try session(s).versionWalk(where: french)).filter(\.isShown).count == 1)
        }
    }

    /// What branches and tags name has its place, and so has a merge of which both sides did the same.
    @Test func versionsThatChangedNothingAreOnTheWay() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.git("branch", "theirs")
            try s.set("l", "fr")
            try s.git("checkout", "-q", "theirs")
            try s.reopen()
            try s.set("l", "fr")
            try s.git("checkout", "-q", "main")
            try s.git("merge", "-q", "--no-ff", "-m", "we agree", "theirs")
            try s.git("commit", "-q", "--allow-empty", "-m", "nothing")
            try s.git("commit", "-q", "--allow-empty", "-m", "first release")
            try s.git("tag", "-m", "one", "v1")
            try s.git("commit", "-q", "--allow-empty", "-m", "tip")
            try s.reopen()
            func subjects(_ ids: [VersionID]) throws -> [String] {
                try ids.map { try s.store.versions.version($0).message.subject }
            }
            let shown = try subjects(try all(try session(s).versionWalk()).filter(\.isShown).map(\.id))
            #expect(shown.prefix(3) == ["tip", "first release", "we agree"] && shown.count == 7)
            var drawn: [VersionID] = []
            try session(s).walkGraph(HistoryQuery()) { shown in
                drawn.append(shown.id)
                return true
            }
            #expect(try subjects(drawn).sorted() == shown.sorted())
            let any = VersionWalk.Condition(
                takes: { ["we agree", "first release"].contains($0.message.subject) }, takesChanges: { _, _ in true })
            let found = try all(try session(s).versionWalk(where: any)).filter(\.isShown).map(\.id)
            #expect(try subjects(found) == ["first release", "we agree"])
            var query = HistoryQuery()
            query.filter.search = "agree"
            for _ in 0..<2 {
                var ids: [VersionID] = []
                try session(s).walk(query) { version, _, _ in
                    ids.append(version.id)
                    return true
                }
                #expect(try subjects(ids) == ["we agree"])
            }
        }
    }

    @Test func mergesOfOtherFilesAreNotThoseOfTheStore() throws {
        let s = try TemporaryStore.make(prefix: "settings/")
        try s.put("l", .language)
        for (name, file) in [("one", "a.txt"), ("two", "b.txt")] {
            try s.git("checkout", "-q", "-b", name, "main")
            try Surroundings.write(Array("x".utf8), to: s.root + "/" + file)
            try s.git("add", "-A")
            try s.git("commit", "-q", "-m", file)
        }
        try s.git("checkout", "-q", "main")
        try s.git("merge", "-q", "--no-ff", "-m", "merge one", "one")
        try s.git("merge", "-q", "--no-ff", "-m", "merge two", "two")
        try s.git("branch", "-D", "one", "two")
        try s.reopen()
        let shown = try all(try session(s).versionWalk()).filter(\.isShown)
        let subjects = try shown.map { try s.store.versions.version($0.id).message.subject }
        #expect(subjects.first == "merge two" && subjects.count == 3)
    }

    @Test func tagsAndBranchesAreNoticed() throws {
        try withStore { s in
            try s.put("l", .language)
            let watcher = try session(s).nameWatcher()
            watcher.begin()
            #expect(watcher.descriptor != nil && !watcher.takeHint())
            for (command, name) in [("tag", "v1"), ("branch", "team/laptop"), ("branch", "team/desk"), ("tag", "v2")] {
                try s.git(command, name)
                #expect(watcher.takeHint(), "\(command) \(name)")
                watcher.begin()
            }
        }
    }

    @Test func restoringAndRevertingAreLookedAtWithoutBeingDone() throws {
        try withStore { s in
            try s.put("l", .language)
            let then = try #require(try s.store.versions.head.commit)
            try s.set("l", "fr")
            let set = try #require(try s.store.versions.head.commit)
            let restored = try session(s).ask(RestoreQuery([.of("l")], from: then))
            #expect(restored.changes.map(\.facet) == [.value] && restored.conflicts.isEmpty)
            let reverted = try session(s).ask(RevertQuery(set))
            #expect(reverted == restored.changes)
            #expect(try s.store.versions.head.commit == set)
            try s.labels("l") { labels in labels.remove("en") }
            let lost = try session(s).ask(RestoreQuery([.of("l")], from: then))
            #expect(lost.changes.isEmpty && lost.conflicts.first?.reason == "English is no longer offered")
        }
    }

    @Test func aVersionIsRevertedForOneOptionUnderItsNameOfToday() throws {
        try withStore { s in
            try s.put("l", .language)
            let set = try s.set("l", "fr").id
            try s.rename("l", "k")
            let changes = try session(s).ask(RevertQuery(set, only: .option(.of("l"))))
            #expect(changes.map(\.subject) == [.option(.of("k"))] && changes.map(\.facet) == [.value])
            #expect(try session(s).ask(RevertQuery(set, only: .option(.of("k")))) == [])
        }
    }

    @Test func aVersionNamesTheOnesThatItComesFrom() throws {
        try withStore { s in
            try s.put("l", .language)
            let then = try #require(try s.store.versions.head.commit)
            let set = try s.set("l", "fr").id
            let changes = try session(s).ask(RevertQuery(set))
            let outcome = try session(s).perform(.changes(changes, reverts: [set], restoredFrom: then), s.done())
            let named = try #require(outcome.version?.named)
            #expect(named.reverts == [set] && named.restoredFrom == then)
        }
    }

    @Test func namesAndTheDetailsOfAVersion() throws {
        try withStore { s in
            try s.put("l", .language)
            let id = try #require(try s.store.versions.head.commit)
            try s.git("branch", "team/laptop")
            try s.git("tag", "v1")
            let names = try session(s).ask(VersionNamesQuery())
            #expect(names[id]?.tags == ["v1"] && names[id]?.branches == ["main", "team/laptop"])
            let detail = try session(s).ask(VersionDetailQuery(id))
            #expect(!detail.isSigned && detail.isComplete && detail.changes.changes.count == 1)
            let files = try session(s).ask(ChangedFilesQuery(id)).files
            #expect(files.map(\.subject.path) == ["l.json"] && files[0].before == nil && files[0].after != nil)
        }
    }

    @Test func aFileThatCannotBeReadIsNoReasonNotToShowTheOthers() throws {
        try withStore { s in
            try s.put("l", .language)
            try s.put("n", .number("Number", 1))
            try Surroundings.write(Array("{\n".utf8), to: s.path + "/n.json")
            try s.git("commit", "-q", "-a", "-m", "broken")
            let id = try #require(try s.store.versions.head.commit)
            let past = try session(s).ask(PastSettingsQuery(id))
            #expect(past.settings.options.keys.map(\.description) == ["l"] && past.unreadable.count == 1)
            let listed = try session(s).ask(ListedVersionsQuery([id, ObjectID(repeating: 7)]))
            #expect(listed.count == 1 && listed[0].changes?.unreadable.count == 1)
        }
    }
}
