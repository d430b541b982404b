package import SettingsModel

/// The options and groups of the last version that words name; each must be there.
package struct PlacesQuery: Query {
    package var words: [String]

    package init(_ words: [String]) { self.words = words }

    package func answer(in session: Session) throws(Problem) -> [Key] {
        let tip = try session.snapshot(nil)
        return try words.map { word throws(Problem) in try tip.place(word, session.caller) }
    }
}

/// The option or group that a word names among those in conflict.
package struct ConflictKeyQuery: Query {
    package var word: String

    package init(_ word: String) { self.word = word }

    package func answer(in session: Session) throws(Problem) -> Key {
        let caller = session.caller
        let readings = caller.word(word).readings
        if readings.count == 1, !caller.isAtTerminal { return try caller.group(word) }
        let merging = try session.store.merging
        var subjects = Set(try merging.openConflicts().map(\.conflict.subject))
        for key in readings {
            if try merging.hasTextConflict(key) { subjects.insert(.option(key)) }
        }
        let lookup = KeyLookup(
            caller,
            names: KeyLookup.Names {
                subjects.sorted()
            } titles: { () throws(Problem) in
                []
            })
        do throws(Problem) {
            return try lookup.place(word) { key, _ in subjects.contains { $0.key == key } }
        } catch {
            if case .key(.isAmbiguous) = error { throw error }
            // It is in no conflict: that is for those to tell who resolve it.
            if let place = try? session.snapshot(nil).place(word, caller) { return place }
            return try caller.group(word)
        }
    }
}

/// The option that a word names in the last version or in another one that is merged with it.
package struct MergeKeyQuery: Query {
    package var word: String
    package var other: VersionID

    package init(_ word: String, mergingWith other: VersionID) {
        self.word = word
        self.other = other
    }

    package func answer(in session: Session) throws(Problem) -> Key {
        do throws(Problem) { return try session.snapshot(nil).key(word, session.caller) } catch {
            if case .key(.isAmbiguous) = error { throw error }
            if let key = try? session.snapshot(other).key(word, session.caller) { return key }
            return try session.caller.key(word)
        }
    }
}
