import Foundation
import SettingsKit
import SettingsModel
import Surroundings
import Testing

/// The library in one process, and the program and git beside it.
@Suite(.timeLimit(.minutes(3)))
struct LibraryBesideProgramTests {
    private let home: Home
    private var store: String { home.folder }
    private let volume: Setting<Int>
    private let shade: Setting<Int>

    init() throws {
        home = try Home()
        volume = try Setting(Key("sound.volume"), default: -1)
        shade = try Setting(Key("sound.shade"), default: -1)
        let lines = try home.run(
            "git init -q . && settings init -q && settings add -q sound.volume --title Volume --number 40 &&"
                + " settings add -q sound.shade --title Shade --number 1")
        #expect(lines == [])
    }

    /// The snapshot that is as `isWanted` says, as soon as there is one.
    private func wait(_ settings: Settings, until isWanted: (SettingsSnapshot) -> Bool) async -> SettingsSnapshot? {
        for await snapshot in settings.snapshots() where isWanted(snapshot) { return snapshot }
        return nil
    }

    @Test func eachVersionIsToldOnceAndInOrder() async throws {
        let (writers, each) = (4, Surroundings.testsRelease ? 100 : 10)
        let settings = try await Settings.open(store)
        let start = settings.snapshot.version
        let told = Task { () -> [SettingsVersion] in
            var told: [SettingsVersion] = []
            for try await version in settings.versions(since: start) {
                told.append(version)
                if told.count == writers * each { break }
            }
            return told
        }
        let lines = try home.run(
            """
            for writer in \((1...writers).map(String.init).joined(separator: " ")); do
              (for n in $(seq \(each)); do settings set -q sound.volume --next -m "$writer $n" || echo failed; done) &
            done
            git gc -q; wait; git gc -q --prune=now; git log --format=%H --reverse HEAD~\(writers * each)..HEAD
            """)
        let versions = try await told.value
        #expect(versions.map(\.id) == lines && versions.count == writers * each)
        #expect(versions.map(\.sentences) == (0..<writers * each).map { ["Volume: \(40 + $0) → \(41 + $0)"] })
        let end = await wait(settings) { $0[volume] == 40 + writers * each }
        #expect(end?.version == lines.last)
        await settings.close()
        let first = try #require(lines.first)
        let again = try await Settings.open(store)
        var since: [String] = []
        for try await version in again.versions(since: first) {
            since.append(version.id)
            if since.count == lines.count - 1 { break }
        }
        #expect(since == Array(lines.dropFirst()))
    }

    @Test func gitMovesTheBranchBesideIt() async throws {
        let settings = try await Settings.open(store)
        let start = try #require(settings.snapshot.version)
        var versions = settings.versions(since: start).makeAsyncIterator()
        _ = try home.run("settings set -q sound.volume 50 && settings set -q sound.shade 9")
        #expect(try await versions.next()?.sentences == ["Volume: 40 → 50"])
        #expect(try await versions.next()?.sentences == ["Shade: 1 → 9"])
        #expect(await wait(settings) { $0[volume] == 50 && $0[shade] == 9 } != nil)
        _ = try home.run("git reset -q --hard HEAD~1")
        #expect(await wait(settings) { $0[shade] == 1 }?[volume] == 50)
        let replaced = try await versions.next()
        #expect(replaced?.sentences == ["Shade: 9 → 1"] && replaced?.replaces != nil)
        _ = try home.run("git checkout -q -b other HEAD~1 && settings set -q sound.shade 5")
        #expect(await wait(settings) { $0[shade] == 5 }?[volume] == 40)
        _ = try home.run("settings rename -q sound audio && git gc -q --prune=now")
        let audio = try Setting(Key("audio.shade"), default: 0)
        let renamed = await wait(settings) { $0[audio] == 5 }
        #expect(renamed?[shade] == -1 && renamed?.options.count == 2)
        let unknown = await #expect(throws: SettingsError.self) {
            for try await _ in settings.versions(since: String(repeating: "b", count: 40)) {}
        }
        #expect(unknown?.kind == .missing)
        _ = try home.run("rm -rf .git")
        let gone = await #expect(throws: SettingsError.self) {
            try await settings.done(why: nil) { edit throws(SettingsError) in try edit.set(audio, to: 7) }
        }
        #expect(gone != nil && settings.snapshot[audio] == 5)
    }

    @Test func aStoreThatIsWaitedForKeepsNobodyElseWaiting() async throws {
        let copies = (0..<8).map { "\(home.path)/copy\($0)" }
        for copy in copies { _ = try home.run("git clone -q . \(copy) && touch \(copy)/.git/index.lock") }
        let stores = try await withThrowingTaskGroup(of: Settings.self) { group in
            for copy in copies { group.addTask { try await Settings.open(copy) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let waiting = stores.map { settings in
            Task { [volume] in try await settings.done(why: "late") { edit throws(SettingsError) in try edit.set(volume, to: 77) }
            }
        }
        // All of them wait, and nobody else does: neither this task, nor who reads values and histories.
        for settings in stores {
            try await Task.sleep(for: .milliseconds(10))
            #expect(settings.snapshot[volume] == 40)
            #expect(try await settings.history(of: volume.key).count == 1)
        }
        waiting[0].cancel()
        let error = await #expect(throws: SettingsError.self) { try await waiting[0].value }
        #expect(error?.kind == .cancelled && stores[0].snapshot[volume] == 40)
        for copy in copies { _ = try home.run("rm \(copy)/.git/index.lock") }
        for (settings, task) in zip(stores, waiting).dropFirst() {
            #expect(try await task.value?.sentences == ["Volume: 40 → 77"])
            #expect(settings.snapshot[volume] == 77)
        }
    }

    @Test func draftsAreFollowedWhereThatIsWanted() async throws {
        let settings = try await Settings.open(store, drafts: true)
        _ = try home.run("sed -i 's/40/44/' sound/volume.json")
        #expect(await wait(settings) { $0[volume] == 44 } != nil)
        let recorded = try await Settings.open(store)
        #expect(recorded.snapshot[volume] == 40)
    }

    @Test func whatGitRemovesIsNotHeldOpen() async throws {
        let settings = try await Settings.open(store)
        for value in 0..<5 {
            _ = try home.run("settings set -q sound.volume \(value) && git repack -adq")
            #expect(await wait(settings) { $0[volume] == value } != nil)
        }
        await settings.close()
        let held = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        #expect(held.filter { $0.hasPrefix(store) } == [])
    }
}
