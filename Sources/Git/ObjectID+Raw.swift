internal import CGit2
import Base

extension ObjectID {
    init(_ raw: git_oid) {
        self = withUnsafeBytes(of: raw.id) { $0.baseAddress.map { ObjectID(at: $0) } } ?? .emptyTree
    }

    var raw: git_oid {
        var raw = git_oid()
        withUnsafeMutableBytes(of: &raw.id) { bytes in
            bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
            bytes.storeBytes(of: middle.bigEndian, toByteOffset: 8, as: UInt64.self)
            bytes.storeBytes(of: low.bigEndian, toByteOffset: 16, as: UInt32.self)
        }
        return raw
    }
}
