import Foundation

package struct GitFailed: Error {
    package let status: Int32
    package let words: String
}

/// Runs git with no configuration but the repository's; returns its standard output without the last line break.
@discardableResult
package func runGit(
    _ arguments: [String], in folder: String, at time: Int64 = 1_700_000_000, input: [UInt8]? = nil
) throws -> String {
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
