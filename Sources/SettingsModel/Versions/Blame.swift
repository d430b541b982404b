/// Who made a facet of an option what it is.
package struct Blame: Sendable {
    package var key: Key
    package var option: Option
    package var facet: Facet
    /// Nil where it isn't known: the history ends there in a shallow clone.
    package var version: Version?

    package init(key: Key, option: Option, facet: Facet, version: Version?) {
        self.key = key
        self.option = option
        self.facet = facet
        self.version = version
    }
}
