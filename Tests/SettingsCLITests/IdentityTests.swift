import Foundation
import Testing

/// The author of a version: names are not guessed if the user forbids it.
@Suite struct IdentityTests {
    /// Runs `settings` with git's configuration, without the names in the tests' environment.
    private func settings(_ words: String, in home: Home) throws -> [String] {
        let unset = ["AUTHOR", "COMMITTER"].flatMap { ["-u GIT_\($0)_NAME", "-u GIT_\($0)_EMAIL"] }.joined(separator: " ")
        return try home.run("env -u EMAIL \(unset) settings \(words)")
    }

    @Test func isNotGuessedIfConfigurationForbidsIt() throws {
        let home = try Home()
        _ = try home.run("settings init -q && git config --global user.useConfigOnly true")
        let refused = try settings("add a --title A --switch", in: home)
        #expect(refused.first == "settings: no email is configured, and user.useConfigOnly forbids guessing it")
        #expect(refused.contains { $0.hasPrefix("hint: git config --global user.email ") })
        #expect(refused.last == "[exit status: 77]")
        #expect(try home.run("git rev-list --count HEAD") == ["1"])
        #expect(try settings("doctor", in: home).contains { $0.contains("user.useConfigOnly forbids guessing it") })
        _ = try home.run("git config user.email ada@example.org")
        #expect(try settings("add a --title A --switch", in: home).first?.contains("no name is configured") == true)
        _ = try home.run("git config user.name Ada")
        #expect(try settings("add a --title A --switch -q", in: home) == [])
        #expect(try home.run("git log -1 --format='%an <%ae>'") == ["Ada <ada@example.org>"])
    }
}
