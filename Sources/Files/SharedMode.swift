internal import CFiles

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Who may read and write what is made in git's folder: `core.sharedRepository`. The work tree is left to the umask, as git
/// leaves it.
package struct SharedMode: Hashable, Sendable {
    /// None: the umask alone. More: these bits besides. Less: these bits and no others.
    package let bits: Int32

    /// By the umask alone.
    package static let none = SharedMode(bits: 0)
    private static let group = SharedMode(bits: 0o660)
    private static let everybody = SharedMode(bits: 0o664)

    private init(bits: Int32) { self.bits = bits }

    /// What the configuration says.
    package init(_ value: String?) {
        let word = value?.lowercased() ?? ""
        let number = Int32(word, radix: 8)
        self =
            switch word {
            case "group", "true", "yes", "on", "1": .group
            case "all", "world", "everybody", "2": .everybody
            // Git refuses to work where its owner could not.
            case _ where (number ?? 0) & 0o600 == 0o600: SharedMode(bits: -((number ?? 0) & 0o666))
            default: .none
            }
    }

    /// A new file's, or one's that was there and is the user's. What can't be changed stays: it holds what it should.
    package func apply(to descriptor: Int32) { _ = settings_share(descriptor, bits) }

    /// A new file's or folder's.
    package func apply(to path: String) { _ = settings_share_at(AT_FDCWD, path, bits) }
}
