import Foundation
import Surroundings
import Testing

@testable import Git

@Suite struct RepositoryTests {
    @Test func createsARepositoryThatGitUnderstands() throws {
        let scratch = try Scratch.make()
        #expect(try scratch.git("symbolic-ref", "HEAD") == "refs/heads/main")
        #expect(try scratch.git("status", "--porcelain") == "")
        #expect(scratch.repository.git.workDirectory == scratch.path)
        #expect(scratch.repository.git.gitDirectory == scratch.path + "/.git")
        #expect(scratch.repository.git.commonDirectory == scratch.path + "/.git")
        #expect(scratch.repository.git.isBare == false)
        #expect(scratch.repository.git.isShallow == false)
        let hooks = (try? FileManager.default.contentsOfDirectory(atPath: scratch.path + "/.git/hooks")) ?? []
        #expect(hooks.allSatisfy { $0.hasPrefix("README") })
    }

    @Test func createsNoSecondRepository() throws {
        let scratch = try Scratch.make()
        let path = scratch.path
        #expect(kind { _ = try Repository.create(at: path, branch: "main") } == .exists)
        #expect(kind { _ = try Repository.create(at: path + "/new", branch: "not a name") } == .invalid)
    }

    @Test func findsAndOpensARepository() throws {
        let scratch = try Scratch.make()
        try scratch.write("x", to: "a/b/c")
        #expect(try Repository.discover(from: scratch.path + "/a/b") == scratch.path + "/.git")
        #expect(try Repository.discover(from: "/") == nil)
        let path = scratch.path
        #expect(kind { _ = try Repository.open(at: path + "/a") } == .notFound)
        #expect(kind { _ = try Repository.open(at: path + "\0/a") } == .invalid)
        let again = try Repository.open(at: path + "/.git")
        #expect(again.git.workDirectory == path)
    }

    @Test func opensBareAndLinkedRepositories() throws {
        let bare = try Scratch.make(bare: true)
        #expect(bare.repository.git.isBare == true)
        #expect(bare.repository.git.workDirectory == nil)

        let scratch = try Scratch.make()
        try scratch.record(["a": "1"])
        try scratch.git("worktree", "add", "-q", "linked")
        let linked = try Repository.open(at: scratch.path + "/linked")
        #expect(linked.git.commonDirectory == scratch.path + "/.git")
        #expect(linked.git.gitDirectory == scratch.path + "/.git/worktrees/linked")
        #expect(try linked.references.head().branch == "refs/heads/linked")
    }

    @Test func reportsTheOperationInProgress() throws {
        let scratch = try Scratch.make()
        #expect(try scratch.repository.git.operation == .none)
        let commit = try scratch.record(["a": "1"])
        try scratch.write(commit.hex + "\n", to: ".git/MERGE_HEAD")
        #expect(try scratch.repository.git.operation == .merge)
    }

    @Test func readsConfiguration() throws {
        let scratch = try Scratch.make()
        #expect(try scratch.repository.configuration.configured("test.value") == "user")
        try scratch.repository.configuration.setConfigured([("test.value", "a \"local\" one")], own: scratch.path)
        #expect(try scratch.repository.configuration.configured("test.value") == "a \"local\" one")
        #expect(try scratch.git("config", "--local", "test.value") == "a \"local\" one")
        #expect(try scratch.repository.configuration.userConfigured("test.value") == "user")
        #expect(try scratch.repository.configuration.configuredList("test.value").sorted() == ["a \"local\" one", "user"])
        #expect(try scratch.repository.configuration.configured("test.none") == nil)
        #expect(try Repository.userDefaultBranch() == "trunk")
        #expect(try RepositoryConfiguration.configured("core.bare", inFile: scratch.path + "/.git/config") == "false")
        #expect(try RepositoryConfiguration.configured("core.bare", inFile: scratch.path + "/missing") == nil)
        try scratch.git("config", "--add", "test.list", "1")
        try scratch.git("config", "--add", "test.list", "2")
        #expect(try scratch.repository.configuration.configuredList("test.list") == ["1", "2"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func rejectsRepositoriesOfOtherUsers() throws {
        let scratch = try Scratch.make()
        let path = scratch.path
        #expect(chown(path, 4321, 4321) == 0)
        do {
            _ = try Repository.open(at: path)
            Issue.record("opened")
        } catch {
            #expect(error.kind == .foreignOwner)
            #expect(error.message.contains("4321"))
            #expect(error.message.contains(path))
        }
        #expect(throws: Never.self) { _ = try Repository.open(at: path, sudoUser: 4321) }
        #expect(kind { _ = try Repository.open(at: path, sudoUser: 4322) } == .foreignOwner)
        #expect(chown(path, 0, 0) == 0)
        #expect(chown(path + "/.git", 4321, 4321) == 0)
        #expect(kind { _ = try Repository.open(at: path) } == .foreignOwner)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func acceptsRepositoriesDeclaredSafe() throws {
        let path = Surroundings.root + "/safe"
        _ = try Repository.create(at: path, branch: "main")
        #expect(chown(path, 4321, 4321) == 0)
        #expect(throws: Never.self) { _ = try Repository.open(at: path) }
        // The repository's own configuration doesn't count.
        let scratch = try Scratch.make()
        try scratch.repository.configuration.setConfigured([("safe.directory", "*")], own: scratch.path)
        #expect(chown(scratch.path, 4321, 4321) == 0)
        let other = scratch.path
        #expect(kind { _ = try Repository.open(at: other) } == .foreignOwner)
    }
}
