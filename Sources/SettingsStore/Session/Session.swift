package import SettingsModel

/// A store as one caller uses it: what an interface asks is a plain value, and so is what it gets back, an outcome or a
/// problem.
///
/// It belongs to one thread, as its store does; sessions of the same store, and of others, may live beside it.
package final class Session {
    package let store: Store
    package let caller: Caller

    package init(_ store: Store, by caller: Caller) {
        self.store = store
        self.caller = caller
    }

    /// Records what is asked, in one version. When this throws, nothing has changed.
    package func perform(_ request: Request, _ done: Done) throws(Problem) -> Outcome {
        switch request {
        case .edit(let edit):
            return try store.recorder.record(done) { tip throws(Problem) in try tip.edit(for: edit, by: self.caller) }
        case .undo(let count): return try store.reverting.undo(count, by: done.author, done)
        case .redo(let count): return try store.reverting.redo(count, by: done.author, done)
        case .revert(let versions, let places):
            return try store.reverting.revert(versions.map { Reverting.Remainder($0) }, only: try keys(places), done)
        case .revertTickets(let tickets, let places):
            return try store.reverting.revert(tickets: tickets, only: try keys(places), done)
        case .restore(let words, let version, let isExact):
            return try store.reverting.restore(try places(words, then: version), from: version, exactly: isExact, done)
        case .recordDraft(let words): return try store.drafts.record(in: try draftPlaces(words), done)
        case .merge(let version, let wish): return try store.merging.merge(version, wish, done)
        case .resolve(let key, let facet, let answer):
            return try store.merging.resolve(try KeyLookup.parse(key), facet, answer, done)
        }
    }

    private func keys(_ words: [String]) throws(Problem) -> [Key] {
        try words.map { word throws(Problem) in try KeyLookup.parse(word) }
    }

    /// What is there today, or was there then.
    private func places(_ words: [String], then version: VersionID) throws(Problem) -> [Key] {
        let (today, then) = (try store.versions.tip(), try store.versions.snapshot(version))
        return try words.map { word throws(Problem) in
            if let place = (try? today.places([word], caller).first) ?? (try? then.places([word], caller).first) {
                return place
            }
            return try today.places([word], caller)[0]
        }
    }

    /// The places that `words` name, in the files or in the last version.
    package func draftPlaces(_ words: [String]) throws(Problem) -> [Key] {
        guard !words.isEmpty else { return [] }
        let subjects = try store.folder.listing().subjects
        let tip = try store.versions.tip()
        return try words.map { word throws(Problem) in
            let key = try KeyLookup.parse(word)
            if subjects.contains(where: { $0.key.isWithin(key) }) { return key }
            if try !tip.has(.option(key)), let rule = try store.folder.ignoreRule(for: .option(key)) {
                throw .key(.isIgnored(word, path: Subject.option(key).path, rule: "\(rule)"))
            }
            return try tip.places([word], caller)[0]
        }
    }
}

/// What somebody asks a store to record, in plain values. Keys are as they were written: they are looked up in the store.
package enum Request: Sendable {
    case edit(EditRequest)
    /// The caller's own latest versions.
    case undo(Int)
    case redo(Int)
    case revert([VersionID], only: [String] = [])
    case revertTickets([String], only: [String] = [])
    case restore([String], from: VersionID, isExact: Bool = false)
    /// Edits of the files, all of them where no key is named.
    case recordDraft([String] = [])
    case merge(VersionID, MergeWish)
    case resolve(String, Facet?, Answer)

    /// Whether the store's policy about a reason applies.
    package var needsReason: Bool {
        switch self {
        case .undo, .redo, .merge: false
        case .edit, .revert, .revertTickets, .restore, .recordDraft, .resolve: true
        }
    }
}
