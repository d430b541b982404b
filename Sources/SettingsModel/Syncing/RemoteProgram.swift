/// Something of a repository's configuration that git is told only if it is trusted.
package struct RemoteProgram: Hashable, Sendable {
    /// `core.sshcommand`; nil for the hooks of a repository on this machine.
    package var key: String?
    /// Without a password in it.
    package var value: String
    package var isTrusted: Bool

    package init(key: String?, value: String, isTrusted: Bool) {
        (self.key, self.value, self.isTrusted) = (key, value, isTrusted)
    }
}
