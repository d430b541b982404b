package import Base
internal import CGit2

/// A commit's or tag's signature, and what it covers.
package struct SignedObject: Hashable, Sendable {
    /// The object without its signature.
    package var payload: [UInt8]
    /// Empty where it isn't signed.
    package var signature: [UInt8]

    /// What begins the header line of a commit's signature where ids are SHA-1; with SHA-256 it is `gpgsig-sha256`, but
    /// libgit2 doesn't open such repositories.
    private static let header = Array("gpgsig ".utf8)
    private static let anyHeader = Array("gpgsig".utf8)

    /// Takes a commit apart as git's `parse_buffer_signed_by_header` does (commit.c): several headers are one signature, and
    /// headers that begin alike, such as another hash's, are not covered by it.
    init(commit bytes: UnsafeRawBufferPointer) {
        payload = []
        signature = []
        payload.reserveCapacity(bytes.count)
        var (isInSignature, isInOther) = (false, false)
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
            let line = rest[..<end]
            if line.first == UInt8(ascii: "\n") {
                payload += rest
                break
            }
            rest = rest[end...]
            let isContinued = line.first == UInt8(ascii: " ")
            if isInSignature, isContinued {
                signature += line.dropFirst()
                continue
            }
            isInSignature = line.starts(with: Self.header)
            if isInSignature {
                signature += line.dropFirst(Self.header.count)
                isInOther = false
                continue
            }
            if line.starts(with: Self.anyHeader) { isInOther = true } else if !isContinued { isInOther = false }
            if !isInOther { payload += line }
        }
    }

    /// A commit with its signature as git writes it: at the end of the header, each further line after a space.
    static func commit(_ payload: [UInt8], signedBy signature: [UInt8]) -> [UInt8] {
        guard let end = payload.indices.first(where: { index in payload[index...].starts(with: [10, 10]) }) else {
            return payload
        }
        var bytes = Array(payload[...end])
        var lines = signature.split(separator: 10, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for (index, line) in lines.enumerated() {
            bytes += index == 0 ? header : [UInt8(ascii: " ")]
            bytes += line + [10]
        }
        return bytes + payload[(end + 1)...]
    }
}

extension Objects {
    /// A commit's signature, and what it covers.
    package func signature(of commit: ObjectID) throws(GitError) -> SignedObject {
        try object(commit, GIT_OBJECT_COMMIT, "read commit \(commit)") { SignedObject(commit: $0) }
    }
}
