import Git
package import SettingsModel

/// What a check of a version's signature finds.
package struct SignatureQuery: Query {
    package var version: VersionID
    package var programs: SignaturePrograms

    package init(_ version: VersionID, by programs: SignaturePrograms) {
        self.version = version
        self.programs = programs
    }

    package func answer(in session: Session) throws(Problem) -> SignatureCheck {
        let versions = try session.store.versions
        let object = try git(versions.repository.objects.signature(of: version))
        guard !object.signature.isEmpty else { return .none }
        let time = try versions.version(version).time.seconds
        return SignatureChecker(programs: programs, clock: session.clock).check(object, at: time)
    }
}

extension Session {
    /// Visits every version that leads to `new` and not to `old`, newest first, with its signature.
    package func walkSignatures(
        from old: VersionID?, to new: VersionID, by programs: SignaturePrograms,
        _ visit: (Version, SignatureCheck) throws(Problem) -> Void
    ) throws(Problem) {
        let versions = try store.versions
        var walk = try git(versions.repository.objects.commits(from: [new], hiding: old.map { [$0] } ?? [], order: .topological))
        while let id = try versions.next(&walk) {
            try visit(try versions.version(id), try ask(SignatureQuery(id, by: programs)))
        }
    }
}
