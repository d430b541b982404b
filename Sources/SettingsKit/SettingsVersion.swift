public import SettingsModel

/// A person who records a version: what git calls its author.
public struct Author: Hashable, Sendable {
    public var name: String
    public var email: String

    /// Without the characters that git removes from names and addresses.
    public init(name: String, email: String) {
        self.name = Person.cleaned(name)
        self.email = Person.cleaned(email)
    }

    init(_ person: Person) { (name, email) = (person.name, person.email) }

    var person: Person { Person(name: name, email: email) }
}

/// A version of a store: who changed what, when, why and at whose request.
public struct SettingsVersion: Hashable, Sendable {
    /// 40 hexadecimal digits, as git has them.
    public var id: String
    public var author: Author
    /// When it was recorded, in seconds since 1970.
    public var seconds: Int64
    public var why: String?
    public var requestedBy: [String]
    public var tickets: [String]
    /// What it changed. The values of masked options are in it: they are for programs, and `sentences` for people.
    public var changes: [ChangeLine]
    /// The same in words: "Language: English → French". Masked values are dots.
    public var sentences: [String]
    /// The version that was the last one before, where this one does not build on it: after a reset, a rebase, a checkout of
    /// another branch. The changes lead from there.
    public var replaces: String?

    package init(_ version: Version, _ changes: [Change]) {
        id = version.id.hex
        author = Author(version.author)
        seconds = version.time.seconds
        why = version.message.why
        requestedBy = version.message.requestedBy
        tickets = version.message.tickets
        self.changes = changes.flatMap(\.lines)
        let wording = Wording()
        sentences = self.changes.map { wording.sentence($0).plain }
    }
}
