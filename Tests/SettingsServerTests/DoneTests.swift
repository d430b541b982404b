import Foundation
import Surroundings
import Testing

@testable import SettingsServer

/// What forms record, and what they refuse.
struct DoneTests {
    private static let script = """
        settings add -q sound.volume --title Volume --number 40 --range 0..100:5
        settings add -q general.greeting --title Greeting --text Welcome
        settings add -q net.key --title Key --text S3CRET --masked
        """

    private static let fault = "Invalid duration &#39;soon&#39;: expected a number and a unit"

    @Test func aTimeThatIsNoneIsRefusedAtItsField() throws {
        let server = try RunningServer(Self.script)
        try server.sh("settings set -q general.greeting Hello")
        try server.start()
        let head = try server.head
        let asked: [KeyValuePairs<String, String>] = [
            ["version": head, "value:sound.volume": "60", "why": "For <Paris>", "ticket": "T-1", "confirm": "soon"],
            ["act": "revert", "of": head, "version": head, "why": "For <Paris>", "ticket": "T-1", "confirm": "soon"],
            ["version": head, "masked:net.key": "other", "why": "For <Paris>", "ticket": "T-1", "confirm": "soon"],
        ]
        for form in asked {
            let answer = try server.post("/done", form)
            #expect(answer.status == 422)
            #expect(answer.body.matches(of: /id="confirm-note">Invalid duration &#39;soon&#39;/).count == 1)
            #expect(answer.body.contains("<a href=\"#confirm\">\(Self.fault)"))
            // Everything that was typed is still there.
            for typed in ["For &lt;Paris&gt;</textarea>", "value=\"T-1\"", "value=\"soon\""] {
                #expect(answer.body.contains(typed), "\(typed)")
            }
            #expect(try server.head == head)
        }
        #expect(try server.post("/done", asked[0]).body.contains("name=\"value:sound.volume\" value=\"60\""))
        #expect(try server.post("/done", asked[1]).body.contains("name=\"act\" value=\"revert\""))
        #expect(try server.post("/done", ["version": head, "value:sound.volume": "60", "confirm": " 10m "]).status == 303)
        #expect(try server.sh("git log -1 --format=%B").contains("Confirm-by:"))
    }

    /// A policy is no reason to lose a review of what is taken back.
    @Test func whatAPolicyAsksForIsAskedAtTheFieldOfEveryReview() throws {
        let server = try RunningServer(
            Self.script + """

                settings set -q general.greeting Hello
                sed -i 's/"why": "[a-z]*"/"why": "required"/' _store.json
                settings done -q -m 'A reason is wanted.'
                """)
        try server.start()
        let greeting = try server.sh("git rev-parse HEAD~1").trimmingCharacters(in: .whitespacesAndNewlines)
        let head = try server.head
        let refused = try server.post("/done", ["act": "revert", "of": greeting, "version": head, "ticket": "T-1"])
        #expect(refused.status == 422 && refused.body.contains("id=\"why-note\">A reason is required."))
        #expect(refused.body.contains("value=\"T-1\"") && refused.body.contains("value=\"\(greeting)\""))
        #expect(try server.post("/done", ["act": "revert", "of": greeting, "version": head, "why": "x"]).status == 303)
        #expect(try server.sh("settings get general.greeting") == "Welcome\n")
    }

    @Test func changingAgainKeepsTheReason() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        let again = try server.post(
            "/edit", ["version": try server.head, "value:sound.volume": "60", "why": "Loud", "ticket": "T-1"])
        #expect(again.status == 200)
        #expect(again.body.contains("name=\"why\" value=\"Loud\"") && again.body.contains("name=\"ticket\" value=\"T-1\""))
    }

    /// Not the person's own last one.
    @Test func aWaitingVersionIsRevertedNow() throws {
        let server = try RunningServer(Self.script)
        try server.sh("settings set -q sound.volume 60 --confirm 10m")
        let waiting = try server.head
        try server.sh("settings set -q general.greeting Hello")
        try server.start()
        let page = try server.curl("/").body
        #expect(page.contains("name=\"version\" value=\"\(waiting)\"><input type=\"hidden\" name=\"act\" value=\"cancel\">"))
        #expect(try server.post("/confirm", ["version": waiting, "act": "cancel", "back": "/"]).status == 303)
        #expect(try server.sh("settings get sound.volume general.greeting") == "40\nHello\n")
        #expect(try !server.curl("/").body.contains("Revert now"))
        #expect(try server.post("/confirm", ["version": waiting, "act": "cancel", "back": "/"]).status == 409)
    }

    @Test func whatStaysOfAWaitingVersionIsSaid() throws {
        let server = try RunningServer(Self.script)
        try server.sh("settings set -q sound.volume=60 general.greeting=Hello --confirm 10m")
        let waiting = try server.head
        try server.sh("settings set -q sound.volume 65")
        try server.start()
        let answer = try server.post("/confirm", ["version": waiting, "act": "cancel", "back": "/"])
        #expect(answer.body.contains("Not reverted: sound.volume, which has been changed since."))
        #expect(try server.sh("settings get sound.volume general.greeting") == "65\nWelcome\n")
    }

    /// Somebody else records while the undo waits for the store: it must not be theirs, nor what lies before, that is taken back.
    @Test func anUndoIsOfWhatThePersonSaw() throws {
        let server = try RunningServer(Self.script)
        try server.sh("settings set -q sound.volume 60 && settings set -q general.greeting Hello")
        try server.start()
        let seen = try server.head
        let status = try server.sh(
            """
            touch .git/index.lock
            curl -s -o ~/answer -w '%{http_code}' -H 'Authorization: Bearer \(server.token)' -d version=\(seen) \
                \(server.base)/undo >~/status &
            sleep 0.5
            git update-ref HEAD $(git commit-tree -p HEAD -m Meanwhile HEAD^{tree})
            rm .git/index.lock
            wait
            cat ~/status
            """)
        #expect(status == "409")
        #expect(try server.sh("cat ~/answer").contains("Another version has been recorded since then."))
        #expect(try server.sh("settings get sound.volume general.greeting") == "60\nHello\n")
        #expect(try server.post("/undo", ["version": try server.head]).status == 303)
        #expect(try server.sh("settings get sound.volume general.greeting") == "60\nWelcome\n")
    }

    /// What is not ticked stays; where nothing is, nothing is reverted.
    @Test func whatIsTickedIsReverted() throws {
        let server = try RunningServer(Self.script)
        try server.sh("settings set -q sound.volume=60 general.greeting=Hello")
        try server.start()
        let head = try server.head
        let page = try server.curl("/v/\(head)").body
        #expect(page.contains("name=\"only:option:sound.volume\" checked") && page.contains("name=\"boxes\" value=\"2\""))
        #expect(try server.post("/revert", ["of": head, "boxes": "2"]).status == 422)
        let one: KeyValuePairs<String, String> = ["of": head, "boxes": "2", "only:option:sound.volume": "on"]
        let review = try server.post("/revert", one).body
        #expect(review.contains(">Volume</b>") && !review.contains(">Greeting</b>"))
        #expect(review.contains("name=\"only:option:sound.volume\" value=\"on\""))
        let done: KeyValuePairs<String, String> = [
            "act": "revert", "of": head, "version": head, "boxes": "2", "only:option:sound.volume": "on",
        ]
        #expect(try server.post("/done", done).status == 303)
        #expect(try server.sh("settings get sound.volume general.greeting") == "40\nHello\n")
    }

    @Test func anOptionIsResetAndUnset() throws {
        let server = try RunningServer(
            "settings add -q sound.volume --title Volume --number 60 --range 0..100 --default 40")
        try server.start()
        let page = try server.curl("/o/sound.volume").body
        #expect(page.contains(">Reset to 40</button>") && page.contains(">Unset</button>"))
        let review = try server.post("/review", ["version": try server.head, "value:sound.volume": ""]).body
        #expect(
            review.contains(">Volume</b>") && review.contains("name=\"value:sound.volume\" value>") || review.contains("not set"))
        #expect(try server.post("/done", ["version": try server.head, "value:sound.volume": ""]).status == 303)
        #expect(try server.sh("settings get --no-default sound.volume || true") == "")
        #expect(try !server.curl("/o/sound.volume").body.contains(">Unset</button>"))
    }
}
