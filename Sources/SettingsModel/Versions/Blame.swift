/// The version that last changed a facet of an option.
package struct Blame: Sendable {
    package var key: Key
    package var option: SettingsOption
    package var facet: Facet
    /// Nil if unknown: the history of a shallow clone ends there.
    package var version: Version?

    package init(key: Key, option: SettingsOption, facet: Facet, version: Version?) {
        self.key = key
        self.option = option
        self.facet = facet
        self.version = version
    }
}
