package import SettingsModel
/// Something of git's own that is damaged, and where.
package struct Damage: Hashable, Sendable {
    /// The system refuses to read it: what is in it may be as it should be.
    package var isUnreadable = false
    package enum Kind: Hashable, Sendable {
        case head, folder, configuration, index, lock, log, alternates, graph, packedReferences
        /// A branch or tag, by its full name.
        case reference(String)
        /// A file that holds one object.
        case loose(ObjectID)
        /// An object that lies in a pack, or nowhere to be seen.
        case object(ObjectID)
        case pack, packIndex
        /// An object that something refers to and that isn't there.
        case missing(ObjectID)
        /// Whole, but nothing that git or this program would have written.
        case commit(ObjectID), tree(ObjectID)
    }

    package var kind: Kind
    /// A path; of an object in a pack, what it is.
    package var place: String
    package var reason: String
    /// Of an object that a version has: the path there.
    package var path: String?
    /// Whether nothing refers to it.
    package var isUnused = false
    /// The branch or tag that leads to what is missing, if one does.
    package var reference: String?
    /// The newest version that it was met in.
    package var version: ObjectID?

    init(_ kind: Kind, _ place: String, _ reason: String) {
        self.kind = kind
        self.place = place
        self.reason = reason
    }
}
