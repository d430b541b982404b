import Foundation

/// An ssh key that signs in tests only. A signature by it is the same each time, and so are the ids of signed versions.
enum SigningKey {
    static let secret = """
        -----BEGIN OPENSSH PRIVATE KEY-----
        b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
        QyNTUxOQAAACB/RY3S7bqkFagW4odK8ag7KQJ2LxHcyTWDgF4/0cZGDAAAAJhdwfa9XcH2
        vQAAAAtzc2gtZWQyNTUxOQAAACB/RY3S7bqkFagW4odK8ag7KQJ2LxHcyTWDgF4/0cZGDA
        AAAEATaRWKvh9SUeegyjp94eXzNu5tYAL8Jlgd6JDPo/bZUH9FjdLtuqQVqBbih0rxqDsp
        AnYvEdzJNYOAXj/RxkYMAAAAD2FkYUBleGFtcGxlLm9yZwECAwQFBg==
        -----END OPENSSH PRIVATE KEY-----

        """
    static let open =
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIH9FjdLtuqQVqBbih0rxqDspAnYvEdzJNYOAXj/RxkYM ada@example.org\n"

    /// Writes it as `~/.ssh/id_ed25519`.
    static func write(for home: Home) throws {
        let folder = URL(fileURLWithPath: home.path + "/.ssh")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in [("id_ed25519", secret), ("id_ed25519.pub", open)] {
            let file = folder.appendingPathComponent(name)
            try Data(text.utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        }
    }

    /// Whether a program is installed.
    static func has(_ program: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }
}

/// A folder of gpg's with a path that is short enough for its agent's socket. The agent ends with it.
final class Keyring {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/g" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        let kill = Process()
        kill.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        kill.arguments = ["gpgconf", "--homedir", path, "--kill", "all"]
        try? kill.run()
        kill.waitUntilExit()
        try? FileManager.default.removeItem(atPath: path)
    }
}
