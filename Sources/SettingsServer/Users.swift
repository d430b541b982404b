import Files
import SettingsModel

/// The people who may sign in, as a file has them: a line each, `Marie Curie <marie@example.org>`, the role and the SHA-256 of the
/// token in hexadecimal digits, with a tab between. Empty lines, and lines that begin with `#`, are left alone.
struct Users: Sendable {
    struct User: Sendable, Equatable {
        var person: Person
        var role: Role
        /// The SHA-256 of the token.
        var digest: String
    }

    enum Role: String, Sendable, CaseIterable { case read, write }

    /// A line, and whom it stands for.
    private var lines: [(text: String, user: User?)] = []
    /// What is wrong with it, a sentence each. Who stands on such a line is nobody.
    private(set) var faults: [String] = []

    var users: [User] { lines.compactMap(\.user) }

    init() {}

    init(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            faults.append("the file is not valid UTF-8")
            return
        }
        var known: Set<String> = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var user: User?
            if !line.allSatisfy(\.isWhitespace), !line.hasPrefix("#") {
                user = Self.user(line)
                if user == nil { faults.append("line \(index + 1): expected 'Name <e-mail>', 'read' or 'write', and a SHA-256") }
            }
            if let email = user?.person.email.lowercased(), !known.insert(email).inserted {
                faults.append("line \(index + 1): \(email) is listed twice")
                user = nil
            }
            lines.append((String(line), user))
        }
        if lines.last?.text == "" { lines.removeLast() }
    }

    private static func user(_ line: Substring) -> User? {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard parts.count == 3, let person = Person(String(parts[0])), let role = Role(rawValue: String(parts[1])),
            parts[2].utf8.count == 64, parts[2].allSatisfy("0123456789abcdef".contains)
        else { return nil }
        return User(person: person, role: role, digest: String(parts[2]))
    }

    var text: String { lines.map { $0.text + "\n" }.joined() }

    /// Adds somebody, in place of the same person before. Returns whether there was one.
    mutating func add(_ user: User) -> Bool {
        let was = remove(user.person)
        lines.append(("\(user.person.description)\t\(user.role.rawValue)\t\(user.digest)", user))
        return was
    }

    /// Returns whether there was such a person.
    mutating func remove(_ person: Person) -> Bool {
        let count = lines.count
        lines.removeAll { $0.user?.person.isSame(as: person) ?? false }
        return lines.count < count
    }
}

/// Where the people stand who may sign in.
enum UsersFile {
    /// Enough for 10,000 people.
    private static let limit = 1 << 20

    static func read(_ path: String) throws(ServeFailure) -> Users {
        let found = try trying("read", path) { () throws(SystemFailure) in
            (
                try FileSystem.existing(path, following: true),
                try FileSystem.contents(of: path, following: true, limit: limit)
            )
        }
        guard found.0.isPrivate else {
            throw ServeFailure(
                status: 77, reason: "\(path) can be read or written by others; make it private: chmod 600 \(path)")
        }
        guard let bytes = found.1, bytes.count <= limit else {
            throw ServeFailure(status: 65, reason: "\(path) is not a file of at most \(limit) bytes")
        }
        return Users(bytes)
    }

    /// The same, if nothing is wrong with it.
    static func checked(_ path: String) throws(ServeFailure) -> Users {
        let users = try read(path)
        if users.faults.isEmpty { return users }
        throw ServeFailure(status: 65, reason: users.faults.map { "\(path): \($0)" }.joined(separator: "\n"))
    }

    /// Changes the file, which is made where there is none, while nobody else does.
    static func change(_ path: String, _ edit: (inout Users) throws(ServeFailure) -> Void) throws(ServeFailure) {
        let path = (try? FileSystem.resolved(path)) ?? path
        let lock = try trying("lock", path) { () throws(SystemFailure) in
            try Lock.take(folder: FileSystem.folder(of: path))
        }
        defer { withExtendedLifetime(lock) {} }
        let isThere = try trying("read", path) { () throws(SystemFailure) in try FileSystem.isThere(path) }
        var users = try isThere ? checked(path) : Users()
        try edit(&users)
        try trying("write", path) { () throws(SystemFailure) in
            try FileSystem.replace(path, with: Array(users.text.utf8), .fast, isPrivate: true)
        }
    }

    private static func trying<Result: ~Copyable>(
        _ operation: String, _ path: String, _ work: () throws(SystemFailure) -> Result
    ) throws(ServeFailure) -> Result {
        do throws(SystemFailure) { return try work() } catch {
            let status: Int32 = error.isDenied ? 77 : error.isMissing ? 66 : 74
            throw ServeFailure(status: status, reason: "cannot \(operation) \(path): \(error.reason)")
        }
    }
}
