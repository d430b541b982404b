package import Base

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A folder that only this user can look into; it is removed with all that is in it.
package struct PrivateFolder: ~Copyable {
    package let path: String

    /// `place`: the folder that it is made in.
    package init(in place: String) throws(SystemFailure) {
        let template = strdup(FileSystem.trimmed(place) + "/settings-XXXXXX")
        defer { free(template) }
        guard let template, mkdtemp(template) != nil else { throw .last(SystemFailure.makingTemporary, place) }
        path = String(cString: template)
    }

    deinit { try? FileSystem.removeAll(path) }
}
