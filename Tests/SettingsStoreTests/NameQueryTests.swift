import SettingsModel
import Surroundings
import Testing

@testable import SettingsStore

struct NameQueryTests {
    private func session(_ s: TemporaryStore) -> Session { Session(s.store, by: Caller(), at: Clock(now: s.clock)) }

    @Test func branchesHaveTheirShortNames() throws {
        try withStore { s in
            try s.put("n", .number("Number", 1))
            try s.git("branch", "team/laptop")
            try s.git("update-ref", "refs/remotes/origin/main", "HEAD")
            try s.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
            let branches = try session(s).ask(BranchNamesQuery())
            #expect(branches.map(\.name) == ["main", "team/laptop", "origin/main"])
            #expect(branches.map(\.isRemote) == [false, false, true])
        }
    }

    /// Of a long history only the newest commits are read, also where none of them is about the store.
    @Test(arguments: ["", "settings/"]) func recentVersionsAreFoundInBoundedTime(prefix: String) throws {
        let s = try TemporaryStore.make(prefix: prefix)
        for number in 1...3 { try s.put("n", .number("Number", number)) }
        #expect(
            try session(s).ask(RecentVersionsQuery(limit: 2, examining: 50)).map(\.message.subject) == [
                "n: 2 → 3", "n: 1 → 2",
            ])
        var stream = ""
        for number in 1...2000 {
            stream += "commit refs/heads/main\ncommitter Ada Lovelace <ada@example.org> \(s.clock + Int64(number)) +0000\n"
            stream += "data 6\nNumber\n" + (number == 1 ? "from refs/heads/main^0\n" : "")
            stream += "M 100644 inline \(prefix.isEmpty ? "o.json" : "other.txt")\n"
            let text = String(decoding: SettingsOption.number("Number", number).file, as: UTF8.self)
            stream += "data \(text.utf8.count)\n\(text)\n"
        }
        try s.git("fast-import", "--quiet", input: Array(stream.utf8))
        try s.git("reset", "-q", "--hard", "main")
        try s.reopen()
        s.store.versions.walked = 0
        let found = try session(s).ask(RecentVersionsQuery(limit: 20, examining: 100))
        #expect(found.count == (prefix.isEmpty ? 20 : 0))
        #expect(s.store.versions.walked == (prefix.isEmpty ? 20 : 100))
        #expect(try session(s).ask(RecentVersionsQuery(limit: 4, examining: 2100)).count == 4)
    }
}
