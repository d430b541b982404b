internal import CGit2

/// Who did something, and when.
package struct Signature: Hashable, Sendable {
    package var name: String
    package var email: String
    /// Seconds since 1970, UTC.
    package var time: Int64
    /// Minutes east of UTC.
    package var offset: Int

    package init(name: String, email: String, time: Int64, offset: Int) {
        self.name = name
        self.email = email
        self.time = time
        self.offset = offset
    }

    init(_ raw: git_signature) {
        self.init(
            name: raw.name.map { String(cString: $0) } ?? "",
            email: raw.email.map { String(cString: $0) } ?? "",
            time: raw.when.time,
            offset: Int(raw.when.offset))
    }

    /// The value of an `author`, `committer` or `tagger` line. What is not as it should be is left empty or 0:
    /// libgit2 refuses the whole commit then, and with it the history behind it.
    init(line: some BidirectionalCollection<UInt8>) {
        let open = line.firstIndex(of: UInt8(ascii: "<")) ?? line.endIndex
        var name = line[..<open]
        while name.last == UInt8(ascii: " ") { name.removeLast() }
        let email = line[open...].dropFirst().prefix { $0 != UInt8(ascii: ">") }
        let behind = line.lastIndex(of: UInt8(ascii: ">")).map { line[$0...].dropFirst() } ?? line[line.endIndex...]
        let date = behind.split(separator: UInt8(ascii: " "))
        self.init(
            name: String(decoding: name, as: UTF8.self),
            email: String(decoding: email, as: UTF8.self),
            time: date.first.flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0,
            offset: date.count > 1 ? Self.minutes(String(decoding: date[1], as: UTF8.self)) : 0)
    }

    /// `+0530` as minutes; as in git, no zone is more than 14 hours away.
    private static func minutes(_ zone: String) -> Int {
        guard let number = Int(zone), abs(number) <= 1400, abs(number) % 100 < 60 else { return 0 }
        return number / 100 * 60 + number % 100
    }
}

/// A signature as libgit2 wants it.
struct OwnedSignature: ~Copyable {
    let pointer: UnsafeMutablePointer<git_signature>

    /// Fails for what cannot stand in a commit's header. `git_signature_new` looks for angle brackets and an empty name
    /// or address; a line break inside it lets through.
    static func make(_ signature: Signature) throws(GitError) -> OwnedSignature {
        let operation = "sign as \(signature.name) <\(signature.email)>"
        for text in [signature.name, signature.email] where text.utf8.contains(where: { $0 == 0 || $0 == 10 }) {
            throw GitError(.invalid, "a line break or zero byte in a name or address", operation: operation)
        }
        // Git writes such a time, and refuses what it wrote for ever.
        guard signature.time >= 0 else {
            throw GitError(.invalid, "git records no time before 1970", operation: operation)
        }
        guard let offset = Int32(exactly: signature.offset) else {
            throw GitError(.invalid, "\(signature.offset) minutes is not a valid time zone", operation: operation)
        }
        var pointer: UnsafeMutablePointer<git_signature>?
        do {
            try check(operation) {
                git_signature_new(&pointer, signature.name, signature.email, signature.time, offset)
            }
        } catch { throw error.of(.invalid) }
        guard let pointer else { throw GitError(.other, "libgit2 made no signature", operation: operation) }
        return OwnedSignature(pointer: pointer)
    }

    /// As it stands in a commit's header or a reflog.
    var line: String {
        let signature = Signature(pointer.pointee)
        let offset = abs(signature.offset)
        let zone = String(offset / 60 * 100 + offset % 60)
        let padded = String(repeating: "0", count: max(0, 4 - zone.utf8.count)) + zone
        return "\(signature.name) <\(signature.email)> \(signature.time) \(signature.offset < 0 ? "-" : "+")\(padded)"
    }

    private init(pointer: UnsafeMutablePointer<git_signature>) { self.pointer = pointer }

    deinit { git_signature_free(pointer) }
}
