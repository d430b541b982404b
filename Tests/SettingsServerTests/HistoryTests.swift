import Foundation
import Surroundings
import Testing

@testable import SettingsServer

/// The pages of the history.
struct HistoryTests {
    /// Two branches of 40 versions, recorded in turns, and 10 after their merge.
    private static let script = """
        settings add -q sound.volume --title Volume --number 0 --range 0..100
        settings add -q sound.bass --title Bass --number 0 --range 0..100
        git checkout -q -b phone
        for i in $(seq 40); do
            GIT_COMMITTER_DATE="@$((1700000000 + 20 * i)) +0000" GIT_AUTHOR_DATE="@$((1700000000 + 20 * i)) +0000" \
                settings set -q sound.bass $i
        done
        git checkout -q main
        for i in $(seq 40); do
            GIT_COMMITTER_DATE="@$((1700000010 + 20 * i)) +0000" GIT_AUTHOR_DATE="@$((1700000010 + 20 * i)) +0000" \
                settings set -q sound.volume $i
        done
        GIT_COMMITTER_DATE="@1700001000 +0000" GIT_AUTHOR_DATE="@1700001000 +0000" settings merge -q phone
        for i in $(seq 10); do
            GIT_COMMITTER_DATE="@$((1700002000 + i)) +0000" GIT_AUTHOR_DATE="@$((1700002000 + i)) +0000" \
                settings set -q sound.volume $((50 + i))
        done
        """

    /// The versions of a page, and the way to the next one.
    private func page(_ server: RunningServer, _ path: String) throws -> (ids: [String], older: String?) {
        let body = try server.curl(path).body
        let ids = body.matches(of: /<a href="\/v\/([0-9a-f]{40})"/).map { String($0.1) }
        let older = body.firstMatch(of: /<a href="(\/history[^"]*before=[^"]*)">Older/).map { String($0.1) }
        return (ids, older?.replacing("&amp;", with: "&"))
    }

    @Test func pagesHoldBothSidesOfAMerge() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        for (path, words) in [("/history", ""), ("/history?key=sound.bass", "sound.bass"), ("/history?q=Bass", "--search Bass")] {
            var (found, pages): ([String], Int) = ([], 0)
            var next: String? = path
            while let path = next, pages < 9 {
                let (ids, older) = try page(server, path)
                (found, next, pages) = (found + ids, older, pages + 1)
            }
            let all = try server.sh("settings history \(words) --json | grep -o '\"id\": *\"[0-9a-f]*' | grep -o '[0-9a-f]*$'")
            #expect(found == all.split(separator: "\n").map(String.init), "\(path)")
            #expect(pages == (found.count + 29) / 30)
        }
    }

    @Test func aPageOfARewrittenHistoryLeadsToTheFirstOne() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        let older = try #require(try page(server, "/history?q=Volume").older)
        try server.sh("git reset -q --hard $(git rev-list --max-parents=0 HEAD)")
        let answer = try server.curl(older)
        #expect(answer.status == 303 && answer.field("Location") == "/history?q=Volume", "\(answer)")
    }

    @Test func whiteSpaceIsNoSearch() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        for (path, words) in [("/search?q=+%09", "Search for titles"), ("/history?q=+&author=%20", "Volume")] {
            let body = try server.curl(path).body
            #expect(body.contains(words) && !body.contains("No version matches"))
        }
    }

    @Test func whatIsNoPageIsAPageThatSaysSo() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        for (path, arguments) in [("/x", []), ("/", ["-X", "PUT"]), ("/x", ["-d", "a=b"]), ("/news?since=x", [])] {
            let answer = try server.curl(path, arguments)
            #expect([400, 404].contains(answer.status) && answer.field("Content-Security-Policy") != nil)
            #expect(answer.body.contains(">History</a>"), "who is signed in has somewhere to go")
        }
    }
}
