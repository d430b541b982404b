package import SettingsModel

/// The version that a word stands for: an id, a name, a time.
package struct VersionQuery: Query {
    package var word: String
    /// What a bare date stands for.
    package var edge: When.Edge

    package init(_ word: String, bareDate edge: When.Edge = .end) {
        self.word = word
        self.edge = edge
    }

    package struct Answer: Sendable {
        package var version: Version
        /// Whether the version was found by its time.
        package var isByTime: Bool
        /// Whether a tag or a branch has a name that could be read as a time.
        package var isNamedLikeTime: Bool
    }

    package func answer(in session: Session) throws(Problem) -> Answer {
        let history = try session.store.history
        let when = try history.meaning(of: word, session.clock, bareDate: edge)
        let isByTime = when.seconds != nil
        return Answer(
            version: try history.version(at: when, written: word), isByTime: isByTime,
            isNamedLikeTime: !isByTime && When(word, session.clock).seconds != nil)
    }
}

/// The moment that a word stands for, in seconds since 1970: a time, or that of a version.
package struct MomentQuery: Query {
    package var word: String
    /// What a bare date stands for.
    package var edge: When.Edge
    /// Whether a moment to come is one.
    package var allowsFuture: Bool

    package init(_ word: String, bareDate edge: When.Edge, allowsFuture: Bool = false) {
        self.word = word
        self.edge = edge
        self.allowsFuture = allowsFuture
    }

    package func answer(in session: Session) throws(Problem) -> Int64 {
        let history = try session.store.history
        let when = try history.meaning(of: word, session.clock, bareDate: edge)
        switch when {
        case .moment(let seconds): return seconds
        case .future(let seconds) where allowsFuture: return seconds
        default: return try history.version(at: when, written: word).time.seconds
        }
    }
}

/// The version that an id or a name stands for; a time is none.
package struct RevisionQuery: Query {
    package var name: String

    package init(_ name: String) { self.name = name }

    package func answer(in session: Session) throws(Problem) -> Version {
        do throws(Problem) { return try session.store.versions.version(named: name) } catch {
            guard case .history(.noVersion) = error else { throw error }
            throw .history(.noRevision(name, isTime: When(name, session.clock).seconds != nil))
        }
    }
}

/// Versions, newest first, with what they changed and how they are called. They are visited as they are found.
package struct HistoryQuery: Sendable {
    /// Options and groups, also those that are no longer there; everything where there are none.
    package var keys: [String] = []
    /// Further conditions; its places are those of `keys`.
    package var filter = HistoryFilter()
    /// No more than so many.
    package var limit: Int?
    /// Only versions in the history of `end` and not in that of `start`; `end` is the last version where it is nil.
    package var start: VersionID?
    package var end: VersionID?
    /// Only those that come after this one in the list.
    package var after: VersionID?
    /// Whether texts that are masked are searched, too.
    package var revealsMasked = false

    package init() {}
}

extension Session {
    /// Visits versions until `visit` says false. Returns whether all were found: not where a shallow clone ends.
    @discardableResult
    package func walk(
        _ query: HistoryQuery, _ visit: (Version, VersionChanges, _ tags: [String]) throws(Problem) -> Bool
    ) throws(Problem) -> Bool {
        let store = try store
        store.versions.beginWork()
        var filter = query.filter
        filter.places = try pastPlaces(query.keys)
        let masked = try MaskedNames(store.history)
        if filter.requestedBy != nil { filter.people = store.versions.mailmap }
        let tags = Dictionary(grouping: try store.tags.list(), by: \.commit)
        var rest = query.limit ?? .max
        guard rest > 0 else { return !store.versions.isShallow }
        let isWhole = query.limit == nil
        return try store.history.walk(
            filter, from: query.end, hiding: query.start, after: query.after, isWhole: isWhole
        ) { version, changes throws(Problem) in
            let told = filter.places.isEmpty ? version : try store.versions.telling(version, of: changes.changes)
            // What it says of something else is about none of these places.
            guard filter.takes(told) else { return true }
            let (version, changes) = query.revealsMasked ? (told, changes) : try masked.masking(told, changes)
            // Nothing is found by what is hidden.
            guard filter.takes(version, changes) else { return true }
            let goesOn = try visit(version, changes, tags[version.id]?.map(\.name) ?? [])
            rest -= 1
            return goesOn && rest > 0
        }
    }

    func pastPlaces(_ words: [String]) throws(Problem) -> [Key] {
        try words.map { word throws(Problem) in try pastPlace(word) }.limiting
    }

    /// What is there now, or was once.
    func pastPlace(_ word: String) throws(Problem) -> Key {
        let store = try store
        do throws(Problem) { return try store.versions.tip().place(word, caller) } catch {
            if case .key(.malformed) = error {
                // No key has these.
                let isRevision = word.contains { "~^".contains($0) }
                if !isRevision, (try? store.versions.version(named: word)) == nil { throw error }
                _ = try store.versions.version(named: word)
                throw .key(.isVersion(word))
            }
            guard error.kind == .missing else { throw error }
            if case .key(.noGroup(_, option: .some, _)) = error { throw error }
            for key in caller.word(word).readings {
                var filter = HistoryFilter()
                filter.places = [key]
                var wasThere = false
                try store.history.walk(filter) { _, _ throws(Problem) in
                    wasThere = true
                    return false
                }
                if wasThere { return key }
            }
            throw new(word, store) ?? error
        }
    }
}

/// Who chose what is in force, when and why.
package struct BlameQuery: Query {
    /// Options and groups; everything where there are none.
    package var keys: [String]
    package var version: VersionID?
    package var facets: [Facet]

    package init(_ keys: [String] = [], at version: VersionID? = nil, facets: [Facet] = [.value]) {
        self.keys = keys
        self.version = version
        self.facets = facets
    }

    package struct Answer: Sendable {
        package var blames: [Blame]
        /// Options whose files can't be read.
        package var unreadable: [Problem]
        /// Whether the history is whole: a shallow clone doesn't have what lies before it.
        package var isComplete: Bool
    }

    package func answer(in session: Session) throws(Problem) -> Answer {
        let store = try session.store
        let snapshot = try session.snapshot(version)
        let places = try keys.map { word throws(Problem) in
            try session.names(at: snapshot) { snapshot throws(Problem) in try snapshot.place(word, session.caller) }.then
        }.limiting
        let options = try snapshot.options().filter { key in places.isEmpty || places.contains { key.isWithin($0) } }
        var unreadable: [Problem] = []
        var blames = try store.history.blame(options, at: snapshot, facets: facets) { unreadable.append($0) }
            .filter { $0.facet != .labels || $0.option.type == .choice }
        // The last version has what is masked today.
        if let version, try version != store.versions.head.commit {
            let masked = try MaskedNames(store.history)
            for place in blames.indices {
                blames[place].option = try masked.masking(blames[place].option, named: blames[place].key)
            }
        }
        return Answer(blames: blames, unreadable: unreadable, isComplete: !store.versions.isShallow)
    }
}
