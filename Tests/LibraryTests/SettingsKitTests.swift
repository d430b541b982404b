import Foundation
import SettingsKit
import SettingsModel
import Testing

enum Theme: String, SettingsValue {
    case light, dark
}

/// What an app declares: the same stands in the article of `SettingsKit`.
struct AppSettings {
    let volume: Setting<Int>
    let theme: Setting<Theme>

    init() throws {
        volume = try Setting(Key("sound.volume"), default: 40)
        theme = try Setting(Key("display.theme"), default: .light)
    }
}

/// What an app does with the library `SettingsKit`: it sees only what is `public`, and what lies before it is a folder that git
/// keeps.
final class SettingsKitTests: Sendable {
    private let app: AppSettings
    private let folder: URL

    init() throws {
        app = try AppSettings()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("kit-\(UUID().uuidString)")
        let theme = SettingsOption(
            title: "Theme", type: .choice, value: "light",
            labels: Labels([ChoiceLabel(value: "light", text: "Light"), ChoiceLabel(value: "dark", text: "Dark")]))
        try write(StoreDefinition(title: "App").file, "_store.json")
        try writeVolume(40)
        try write(theme.file, "display/theme.json")
        try git("init", "-q", "-b", "main")
        try git("add", ".")
        try git("commit", "-q", "-m", "The beginning")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ bytes: [UInt8], _ path: String) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    private func writeVolume(_ value: Int) throws {
        let option = SettingsOption(
            title: "Volume", type: .number, value: .number(value),
            range: SettingsOption.Range(minimum: Number(0), maximum: Number(100)))
        try write(option.file, "sound/volume.json")
    }

    @discardableResult
    private func git(_ words: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["git", "-C", folder.path, "-c", "user.name=Ada Lovelace", "-c", "user.email=ada@example.org"] + words
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "git \(words)")
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    @Test func anAppReadsItsValuesAndRecordsADone() async throws {
        let settings = try await Settings.open(folder.path)
        #expect(settings.snapshot[app.volume] == 40 && settings.snapshot[app.theme] == .light)

        let marie = Author(name: "Marie Curie", email: "marie@example.org")
        let version = try await settings.done(why: "for the demo", by: marie, tickets: ["T-1"]) {
            [app] edit throws(SettingsError) in
            try edit.set(app.volume, to: 60)
            try edit.select(app.theme.key, label: "Dark")
        }
        #expect(settings.snapshot[app.volume] == 60 && settings.snapshot[app.theme] == .dark)
        #expect(version?.sentences == ["Theme: Light → Dark", "Volume: 40 → 60"])
        let log = try git("log", "-1", "--format=%an <%ae>%n%B")
        #expect(log.hasPrefix("Marie Curie <marie@example.org>\n") && log.contains("for the demo") && log.contains("Via: api"))
        #expect(try git("status", "--porcelain") == "")

        let history = try await settings.history(of: app.volume.key)
        #expect(history.map(\.why) == ["for the demo", nil] && history[0].tickets == ["T-1"] && history[0].author == marie)
        #expect(try await settings.history(before: history[0].id).map(\.id) == [history[1].id])
        let undone = try await settings.revert(history[0].id, only: [app.theme.key], why: "too dark")
        #expect(undone?.sentences == ["Theme: Dark → Light"] && settings.snapshot[app.theme] == .light)
        let restored = try await settings.restore([app.volume.key], from: history[1].id, why: nil)
        #expect(restored?.sentences == ["Volume: 60 → 40"])
        #expect(try await settings.restore([app.volume.key], from: history[1].id, why: nil) == nil, "it is so already")
        await settings.close()
        let error = await #expect(throws: SettingsError.self) { try await settings.revert(history[0].id, why: nil) }
        #expect(error?.kind == .cancelled)
    }

    @Test func whoFollowsIsToldOfWhatGitRecords() async throws {
        let settings = try await Settings.open(folder.path)
        let values = Task { [app] () -> [Int] in
            var seen: [Int] = []
            for await value in settings.values(of: app.volume) {
                seen.append(value)
                if value == 70 { break }
            }
            return seen
        }
        let versions = Task { () -> SettingsVersion? in
            for try await version in settings.versions() { return version }
            return nil
        }
        // Both look at the store before it changes.
        try await Task.sleep(for: .milliseconds(50))
        try writeVolume(70)
        #expect(settings.snapshot[app.volume] == 40, "an edit that nobody recorded is none")
        try git("commit", "-q", "-a", "-m", "Louder")
        let seen = await values.value
        #expect(seen == [40, 70])
        let version = try await versions.value
        #expect(version?.sentences == ["Volume: 40 → 70"] && version?.author.name == "Ada Lovelace" && version?.replaces == nil)
        #expect(settings.snapshot.version == version?.id)
    }

    @Test func whatBothChangedIsRefusedWithBothSides() async throws {
        let settings = try await Settings.open(folder.path)
        let start = try #require(settings.snapshot.version)
        let error = await #expect(throws: SettingsError.self) {
            try await settings.done(why: nil) { [self] edit throws(SettingsError) in
                try edit.set(app.volume, to: 10)
                // Meanwhile somebody else records another value.
                try? writeVolume(99)
                _ = try? git("commit", "-q", "-a", "-m", "Louder")
            }
        }
        #expect(error?.kind == .conflict && error?.conflicts.first?.theirs?.json == .number(10))
        #expect(error?.conflicts.first?.ours?.json == .number(99) || error?.conflicts.first?.base?.json == .number(40))
        let late = await #expect(throws: SettingsError.self) {
            try await settings.done(why: nil, onlyAt: start) { [app] edit throws(SettingsError) in
                try edit.set(app.theme, to: .dark)
            }
        }
        #expect(late?.kind == .conflict)
        #expect(try git("log", "--format=%s") == "Louder\nThe beginning")
    }

    @Test func whatIsWrongIsSaidWithoutACommandLine() async throws {
        let settings = try await Settings.open(folder.path)
        func refusal(_ edit: @escaping @Sendable (inout SettingsEdit) throws(SettingsError) -> Void) async -> SettingsError? {
            await #expect(throws: SettingsError.self) { try await settings.done(why: nil, edit) }
        }
        let missing = await refusal { edit throws(SettingsError) in
            guard let key = try? Key("sound.volumes") else { return }
            try edit.set(key, to: 1)
        }
        #expect(missing?.kind == .missing && missing?.reason.contains("sound.volume") == true)
        let high = await refusal { [app] edit throws(SettingsError) in try edit.set(app.volume, to: 101) }
        #expect(high?.kind == .badData)
        let label = await refusal { [app] edit throws(SettingsError) in try edit.select(app.theme.key, label: "Blue") }
        #expect(label?.kind == .badData)
        let malformed = await #expect(throws: SettingsError.self) { try await settings.revert("HEAD", why: nil) }
        #expect(malformed?.kind == .usage)
        let unknown = await #expect(throws: SettingsError.self) {
            try await settings.revert(String(repeating: "a", count: 40), why: nil)
        }
        #expect(unknown?.kind == .missing)
        for reason in [missing, high, label, malformed, unknown].compactMap({ $0?.reason }) {
            #expect(!reason.contains("settings ") && !reason.contains(" -"), "\(reason)")
        }
        let nowhere = await #expect(throws: SettingsError.self) { try await Settings.open("/nowhere") }
        #expect(nowhere?.kind == .missing)
    }

    @Test func aFileThatCannotBeReadKeepsItsLastGoodValue() async throws {
        let settings = try await Settings.open(folder.path)
        try write(Array("{\n  broken".utf8), "sound/volume.json")
        try git("commit", "-q", "-a", "-m", "Broken")
        let head = try git("rev-parse", "HEAD")
        for await snapshot in settings.snapshots() where snapshot.version == head { break }
        #expect(settings.snapshot[app.volume] == 40)
        let fault = try #require(settings.snapshot.unreadable.first)
        #expect(fault.path == "sound/volume.json" && fault.line == 2 && fault.kind == .badData)
        try git("reset", "-q", "--hard", "HEAD~1")
        for await snapshot in settings.snapshots() where snapshot.version != head { break }
        #expect(settings.snapshot.unreadable.isEmpty && settings.snapshot[app.volume] == 40)
    }
}
