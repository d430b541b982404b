import Git
import SettingsModel

extension Version {
    /// Its people are those that the mailmap says. `message`: its own, where that was parsed already. `renames`, `named`: see
    /// `Versions.version(of:)`.
    init(
        _ commit: Commit, _ people: Mailmap, message: VersionMessage? = nil, renames: [VersionMessage.Rename]? = nil,
        named: NamedVersions = NamedVersions()
    ) {
        self.init(
            id: commit.id, parents: commit.parents, author: people.person(commit.author.person),
            committer: people.person(commit.committer.person), time: commit.committer.when,
            message: message ?? VersionMessage(commit.message), renames: renames, named: named)
    }
}

extension Signature {
    init(_ person: Person, at time: Time) {
        self.init(name: person.name, email: person.email, time: time.seconds, offset: time.offset)
    }

    var person: Person { Person(name: name, email: email) }
    var when: Time { Time(seconds: time, offset: offset) }
}
