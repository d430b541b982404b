import Foundation
import Surroundings
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

struct HistoryTests {
    @Test func versionsComeNewestFirstWithTheirChanges() throws {
        try withStore { s in
            try s.put("general.language", .language)
            try s.set("general.language", "fr", by: .bob)
            try s.labels("general.language", by: .carol) { $0.insert(ChoiceLabel(value: .string("ar"), text: "Arabic"), at: 1) }
            let versions = try s.versions()
            #expect(
                versions.map(\.changes.changes.sentences) == [
                    ["Language: label added: Arabic"], ["Language: English → French"], ["Language: added (English)"],
                    ["Settings: new store"],
                ])
            #expect(versions.map(\.version.author) == [.carol, .bob, .ada, .ada])
        }
    }

    @Test func filters() throws {
        try withStore { s in
            try s.put("general.language", .language)
            try s.put("sound.volume", .number("Volume", 3), by: .bob)
            let third = try s.set("general.language", "fr", by: .carol, ticket: "FEAT-12")
            try s.set("sound.volume", 5, by: .bob)
            try s.change(s.done(why: "The Paris office opens.")) { $0.options[.of("general.language")]?.value = .string("es") }

            func count(_ set: (inout HistoryFilter) throws -> Void) throws -> Int {
                var filter = HistoryFilter()
                try set(&filter)
                return try s.versions(filter).count
            }
            #expect(try count { $0.places = [.of("sound")] } == 2)
            #expect(try count { $0.places = [.of("general.language")] } == 3)
            #expect(try count { $0.places = [.of("general"), .of("sound.volume")] } == 5)
            #expect(try count { $0.places = [.of("nowhere")] } == 0)
            #expect(try count { $0.author = "BOB" } == 2)
            #expect(try count { $0.author = "carol@" } == 1)
            #expect(try count { $0.ticket = "feat-12" } == 1)
            #expect(try count { $0.ticket = "FEAT-1" } == 0)
            #expect(try count { $0.search = "paris" } == 1)
            #expect(try count { $0.search = "volume" } == 2)
            #expect(try count { $0.became = "french" } == 1)
            #expect(try count { $0.became = "es" } == 1)
            #expect(try count { $0.became = "5" } == 1)
            #expect(try count { $0.since = third.time.seconds } == 3)
            #expect(try count { $0.until = third.time.seconds } == 4)
            #expect(
                try count {
                    $0.since = third.time.seconds; $0.until = third.time.seconds
                } == 1)
        }
    }

    @Test func anAddedOptionBecameItsValueToo() throws {
        try withStore { s in
            try s.put("general.language", .language)
            var filter = HistoryFilter()
            filter.became = "en"
            #expect(try s.subjects(filter).count == 1)
        }
    }

    @Test func renamesAreFollowed() throws {
        try withStore { s in
            try s.put("general.language", .language)
            try s.set("general.language", "fr")
            try s.rename("general.language", "general.tongue")
            try s.set("general.tongue", "es")
            try s.renameGroup("general", "basics")
            try s.put("general.language", .number("Another", 1))
            var filter = HistoryFilter()
            filter.places = [.of("basics.tongue")]
            #expect(
                try s.subjects(filter) == [
                    "basics: renamed general → basics",
                    "general.tongue: French → Spanish", "general.tongue: renamed general.language → general.tongue",
                    "general.language: English → French", "general.language: added (English)",
                ])
            filter.places = [.of("basics")]
            #expect(try s.subjects(filter).count == 5)
            filter.places = [.of("general.language")]
            #expect(try s.subjects(filter).first == "general.language: added (1)")
        }
    }

    @Test func aNameThatBelongedToAnotherBefore() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.put("b", .number("B", 1))
            try s.put("b", nil)
            try s.rename("a", "b")
            var filter = HistoryFilter()
            filter.places = [.of("b")]
            #expect(try s.subjects(filter) == ["b: renamed a → b", "a: added (1)"])
        }
    }

    @Test func mergesByPlainGit() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.put("b", .number("B", 1))
            try s.git("checkout", "-q", "-b", "side")
            try s.set("a", 2, by: .bob)
            try s.git("checkout", "-q", "main")
            try s.set("b", 2, by: .carol)
            try s.git("merge", "-q", "-m", "merged", "side")
            #expect(try s.subjects() == ["b: 1 → 2", "a: 1 → 2", "b: added (1)", "a: added (1)", "new store: Settings"])
            #expect(try s.value("a") == "2")
            #expect(try s.value("b") == "2")
            var filter = HistoryFilter()
            filter.places = [.of("a")]
            #expect(try s.subjects(filter) == ["a: 1 → 2", "a: added (1)"])
        }
    }

    @Test func aRenameOnOneLineAndAnEditOnTheOther() throws {
        try withStore { s in
            try s.put("a", .choice("A", (1...20).map { "v\($0)=Label \($0)" }))
            try s.git("checkout", "-q", "-b", "side")
            try s.rename("a", "b", by: .bob)
            try s.git("checkout", "-q", "main")
            try s.set("a", "v3", by: .carol)
            try s.git("merge", "-q", "-m", "merged", "side")
            #expect(try s.value("b") == "v3")
            var filter = HistoryFilter()
            filter.places = [.of("b")]
            #expect(try s.subjects(filter).contains("a: Label 1 → Label 3"))
        }
    }

    /// What was set under the new name before the other line knew it.
    @Test func aRenameAndAnEditThatAMergeBroughtIn() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.put("c", .number("C", 1))
            try s.part(
                ours: { try s.set("c", 2) },
                theirs: {
                    try s.rename("a", "b", by: .bob)
                    try s.set("b", 7, by: .bob)
                })
            try s.merge()
            var filter = HistoryFilter()
            filter.places = [.of("b")]
            let told = ["b: 1 → 7", "b: renamed a → b", "a: added (1)"]
            #expect(try s.subjects(filter) == told)
            s.store.history.cache.usesIndex = false
            #expect(try s.subjects(filter) == told)
        }
    }

    @Test func commitsByPlainGit() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.write("words\n", to: "README")
            try s.commitPlainly("Say something")
            try s.edit("a.json", "\"value\": 1", "\"value\": 2")
            try s.commitPlainly("Two")
            try s.write("{ broken", to: "a.json")
            try s.commitPlainly("Broken")
            let versions = try s.versions()
            #expect(versions.map(\.version.message.subject) == ["Broken", "Two", "a: added (1)", "new store: Settings"])
            #expect(versions[0].changes.unreadable.map(\.path) == ["a.json"])
            #expect(versions[1].changes.changes.sentences == ["A: 1 → 2"])
            #expect(failure { _ = try s.put("a", .number("Written over", 3)) }?.kind == .badData)
            try s.put("b", .number("B", 1))
        }
    }

    @Test func whatNoStoreHasIsNamedAndDoesNoHarm() throws {
        try withStore(draft: true) { s in
            try s.put("a", .number("A", 1))
            try FileManager.default.createSymbolicLink(atPath: s.path + "/link.json", withDestinationPath: "a.json")
            try FileManager.default.createSymbolicLink(atPath: s.path + "/folder", withDestinationPath: "/tmp")
            try s.write("{}", to: "bad name.json")
            try s.write("{}", to: "-x.json")
            try s.commitPlainly("Strange")
            let id = try s.git("rev-parse", "HEAD")
            try s.git("update-index", "--add", "--cacheinfo", "160000,\(id),module.json")
            try s.git("update-index", "--add", "--cacheinfo", "160000,\(id),group")
            try s.git("commit", "-q", "-m", "Modules")
            let versions = try s.versions()
            #expect(versions[0].changes.unreadable.map(\.path) == ["module.json"])
            #expect(versions[1].changes.unreadable.map(\.path) == ["link.json"])
            try s.set("a", 2)
            #expect(try s.value("a") == "2")
            #expect(failure { _ = try s.store.versions.tip().option(.of("link")) }?.kind == .badData)
        }
    }

    @Test func aShallowCloneSaysThatItIsOne() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.set("a", 2)
            try s.set("a", 3)
            let path = try Surroundings.folder()
            defer { try? FileManager.default.removeItem(atPath: path) }
            try runGit(["clone", "-q", "--depth", "2", "file://\(s.root)", path], in: s.root)
            let clone = try TemporaryStore.open(path, root: path)
            clone.clock = s.clock
            var subjects: [String] = []
            let isComplete = try clone.store.history.walk { version, _ in
                subjects.append(version.message.subject)
                return true
            }
            #expect(!isComplete)
            #expect(subjects == ["a: 2 → 3"])
            #expect(try clone.blamed("a")?.message.subject == "a: 2 → 3")
            try clone.put("b", .number("B", 1))
            #expect(try clone.blamed("a")?.message.subject == "a: 2 → 3")
            _ = try clone.undo()
            #expect(failure { _ = try clone.store.reverting.undo(5, by: .ada, clone.done()) }?.kind == .no)
            try clone.expectSound()
        }
    }

    @Test func aStoreInAFolderShowsItsOwnVersionsOnly() throws {
        try withStore(prefix: "conf/") { s in
            try s.put("a", .number("A", 1))
            try s.write("more\n", to: "../README")
            try s.commitPlainly("Elsewhere")
            try s.write("{\"title\": \"no option\"}", to: "../other.json")
            try s.commitPlainly("Elsewhere again")
            try s.set("a", 2)
            #expect(try s.subjects() == ["a: 1 → 2", "a: added (1)", "new store: Settings"])
        }
    }

    @Test func aWalkCanStopEarly() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            var count = 0
            try s.store.history.walk { _, _ in
                count += 1
                return false
            }
            #expect(count == 1)
        }
    }

    @Test func ticketsThatWereTakenBackAreNotFoundAgain() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            let one = try s.set("a", 2, ticket: "T-1")
            let two = try s.set("a", 3, ticket: "T-1")
            #expect(try s.store.reverting.versions(withTicket: "t-1").left.map(\.id) == [two.id, one.id])
            _ = try s.undo()
            #expect(try s.store.reverting.versions(withTicket: "T-1").left.map(\.id) == [one.id])
            _ = try s.redo()
            #expect(try s.store.reverting.versions(withTicket: "T-1").left.map(\.id) == [two.id, one.id])
            _ = try s.store.reverting.revert([two.id, one.id], s.done())
            #expect(try s.store.reverting.versions(withTicket: "T-1").left.map(\.id) == [])
            #expect(try s.value("a") == "1")
            _ = try s.undo()
            #expect(try s.store.reverting.versions(withTicket: "T-1").left.map(\.id) == [two.id, one.id])
        }
    }
}
