internal import CGit2
package import Base

extension ObjectID {
    /// The id that a file of these bytes has; nothing is written. Nil where there is no memory for it.
    package static func hash(ofBlob bytes: [UInt8]) -> ObjectID? {
        var raw = git_oid()
        let code = bytes.withUnsafeBytes { git_odb_hash(&raw, $0.baseAddress, $0.count, GIT_OBJECT_BLOB) }
        return code == 0 ? ObjectID(raw) : nil
    }
}
