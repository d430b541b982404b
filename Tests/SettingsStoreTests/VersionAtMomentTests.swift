import Surroundings
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Which version a WHEN comes to.
struct VersionAtMomentTests {
    @Test func theVersionOfAMoment() throws {
        try withStore { s in
            let one = try s.put("a", .number("A", 1))
            let two = try s.set("a", 2)
            func at(_ seconds: Int64) throws -> VersionID {
                try s.store.history.version(at: .moment(seconds), written: "then").id
            }
            #expect(try at(two.time.seconds) == two.id)
            #expect(try at(two.time.seconds - 1) == one.id)
            #expect(try at(.max) == two.id)
            #expect(failure { _ = try at(1) }?.kind == .missing)
            #expect(try s.store.history.version(at: .revision("HEAD~1"), written: "").id == one.id)
            #expect(try s.store.history.version(at: .revision(String(one.id.hex.prefix(12))), written: "").id == one.id)
            #expect(failure { _ = try s.store.history.version(at: .revision("nonsense"), written: "") }?.kind == .missing)
            #expect(failure { _ = try s.store.history.version(at: .revision(""), written: "") }?.kind == .missing)
            _ = try s.store.tags.add("launch", one.id, s.done(why: "Launch"))
            #expect(try s.store.history.version(at: .revision("launch"), written: "").id == one.id)
            #expect(failure { _ = try s.store.tags.add("launch", two.id, s.done()) }?.kind == .conflict)
            #expect(failure { _ = try s.store.tags.add("bad name", two.id, s.done()) }?.kind == .usage)
        }
    }

    @Test func momentsGoAlongFirstParents() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.git("checkout", "-q", "-b", "side")
            let side = try s.set("a", 2)
            try s.git("checkout", "-q", "main")
            let main = try s.put("b", .number("B", 1))
            let later = try s.put("c", .number("C", 1))
            try s.git("merge", "-q", "-m", "merged", "side")
            #expect(try s.store.history.version(at: .moment(side.time.seconds), written: "").message.subject == "a: added (1)")
            #expect(try s.store.history.version(at: .moment(main.time.seconds), written: "").id == main.id)
            #expect(try s.store.history.version(at: .moment(later.time.seconds + 1), written: "").id == later.id)
        }
    }
}
