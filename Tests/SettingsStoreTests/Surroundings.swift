import Foundation
import Testing

@testable import Git
@testable import SettingsStore

/// What the tests stand in: a folder of their own, no configuration of the user's, one time zone.
enum Surroundings {
    static let root: String = {
        let root =
            FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
            + "/settings-store-tests-\(ProcessInfo.processInfo.processIdentifier)"
        // One zone for the whole process: tests run beside each other.
        setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1)
        tzset()
        do {
            try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
            try Library.searchConfiguration(in: [root])
        } catch {
            Issue.record(error)
        }
        atexit { try? FileManager.default.removeItem(atPath: Surroundings.root) }
        return root
    }()

    static func folder() throws -> String {
        let path = root + "/" + UUID().uuidString.lowercased()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }
}

struct GitFailed: Error {
    let status: Int32
    let words: String
}

/// Runs git, which sees no configuration but the repository's; its standard output without the last line break.
@discardableResult
func runGit(_ arguments: [String], in folder: String, at time: Int64 = 1_700_000_000, input: [UInt8]? = nil) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git"] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = [
        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC",
        "HOME": folder, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_TERMINAL_PROMPT": "0",
        "GIT_AUTHOR_NAME": "Git", "GIT_AUTHOR_EMAIL": "git@example.org", "GIT_AUTHOR_DATE": "\(time) +0000",
        "GIT_COMMITTER_NAME": "Git", "GIT_COMMITTER_EMAIL": "git@example.org", "GIT_COMMITTER_DATE": "\(time) +0000",
        "GIT_ALLOW_PROTOCOL": "file", "GIT_MERGE_AUTOEDIT": "no",
    ]
    let (output, errors) = (try scratchFile(), try scratchFile())
    defer { for path in [output, errors] { try? FileManager.default.removeItem(atPath: path) } }
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: errors)
    if let input {
        let path = try scratchFile(input)
        defer { try? FileManager.default.removeItem(atPath: path) }
        process.standardInput = FileHandle(forReadingAtPath: path)
        try process.run()
    } else {
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }
    process.waitUntilExit()
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: output)), as: UTF8.self)
    guard process.terminationStatus == 0 else {
        let words = String(decoding: try Data(contentsOf: URL(fileURLWithPath: errors)), as: UTF8.self)
        throw GitFailed(status: process.terminationStatus, words: words + text)
    }
    return text.utf8.last == 10 ? String(text.unicodeScalars.dropLast()) : text
}

private func scratchFile(_ bytes: [UInt8] = []) throws -> String {
    let path = Surroundings.root + "/git-" + UUID().uuidString
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
}

/// SplitMix64: the same numbers for the same seed.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x2545_F491_4F6C_DD1D &+ 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}

/// What this fails with; nil where it doesn't.
func failure(_ body: () throws -> Void) -> StoreError? {
    do {
        try body()
        return nil
    } catch {
        if !(error is StoreError) { Issue.record(error) }
        return error as? StoreError
    }
}
