import Git
import SettingsModel

extension Version {
    /// `named`: see `Versions.version(of:)`.
    init(_ commit: Commit, named: NamedVersions = NamedVersions()) {
        self.init(
            id: commit.id, parents: commit.parents, author: commit.author.person, committer: commit.committer.person,
            time: commit.committer.when, message: VersionMessage(commit.message), named: named)
    }
}

extension Signature {
    init(_ person: Person, at time: Time) {
        self.init(name: person.name, email: person.email, time: time.seconds, offset: time.offset)
    }

    var person: Person { Person(name: name, email: email) }
    var when: Time { Time(seconds: time, offset: offset) }
}
