import Testing

@testable import SettingsModel
@testable import SettingsStore

/// Who git says one is, for whoever has no command line.
@Suite struct IdentityTests {
    private func identity(
        _ variables: [String: String] = [:], _ configuration: [String: String] = [:], at now: Int64 = 1_700_000_000
    ) -> Identity {
        Identity(sudoUser: nil, at: Clock(now: now), variable: { variables[$0] }, configured: { configuration[$0] })
    }

    @Test func variablesComeBeforeTheConfiguration() throws {
        let configuration = ["user.name": "Ada", "user.email": "ada@example.org", "author.name": "Countess"]
        let named = identity(["GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "Bob"], configuration)
        #expect(try named.author == Person(name: "Countess", email: "a@example.org"))
        #expect(try named.committer == Person(name: "Bob", email: "ada@example.org"))
    }

    @Test func whatIsMissingIsAProblem() {
        let only = ["user.useConfigOnly": "yes"]
        #expect(throws: Problem.identity(.hasNoEmail)) { try identity([:], only).author }
        #expect(throws: Problem.identity(.hasNoName)) { try identity(["GIT_AUTHOR_EMAIL": "a@example.org"], only).author }
        #expect(throws: Problem.identity(.clockIsBefore1970)) { try identity(at: -1).time("GIT_AUTHOR_DATE") }
        #expect(throws: Problem.identity(.isNoTime("then", variable: "GIT_AUTHOR_DATE"))) {
            try identity(["GIT_AUTHOR_DATE": "then"]).time("GIT_AUTHOR_DATE")
        }
    }

    @Test func timesAreGitsOwn() throws {
        #expect(try identity().time("GIT_AUTHOR_DATE").seconds == 1_700_000_000)
        #expect(try identity(["D": "@1500000000 +0200"]).time("D") == Time(seconds: 1_500_000_000, offset: 120))
    }
}
