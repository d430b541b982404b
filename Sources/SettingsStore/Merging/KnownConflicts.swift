// What merges left open up to a version, so that a command needs no walk through the history. It lies beside the history's index
// and is a cache: it may be deleted at any time.
//
//     conflicts-2                 of the store at the repository's root
//     conflicts-2-<16 digits>     of a store in a folder of it, as with the index
//
//     settings conflicts 2
//     <id>                        the last version that was looked at
//     <ids> <id> <ids> <ids> <key facet> <key facet>    for each conflict that versions up to then say something about: `askers`,
//                                 `merge`, `resolvers`, `takenBack`, `question` and `original`; tabs between them, and commas
//                                 between ids
//     <16 digits>                 a checksum of the lines above
//
// Like the index it is written beside its place and renamed, and nothing waits for the disk.

import Git
import SettingsModel

/// What the versions up to one say about conflicts. One is open from the version that says `Conflict:` of it until one behind that
/// says `Resolves:`. Where a later version says `Conflict:` of it, all that resolved it until then is taken back.
///
/// What is known goes on from version to version. A merge knows all that its sides know, so that it makes no difference which of
/// several merges brought what together, and in which order.
struct KnownConflicts: Equatable {
    struct Known: Equatable {
        /// What two merges of the same versions have in common: those versions. Of others the version that says so.
        let askers: [VersionID]
        /// The version that says so first, nearly always a merge, and how it calls it.
        let merge: VersionID
        let original: VersionMessage.Question
        /// Under the name that it has here.
        var question: VersionMessage.Question
        /// The versions that resolved it, and those of them that are taken back. The newest last.
        var resolvers: [VersionID] = []
        var takenBack: Set<VersionID> = []

        var isOpen: Bool { resolvers.allSatisfy(takenBack.contains) }

        /// Those that count.
        var standing: [VersionID] { resolvers.filter { !takenBack.contains($0) } }

        func isSame(as other: Known) -> Bool { askers == other.askers && original == other.original }
    }

    /// The oldest first.
    private(set) var all: [Known] = []

    var open: [Known] { all.filter(\.isOpen) }
    var isEmpty: Bool { all.isEmpty }
    var hasOpen: Bool { all.contains(where: \.isOpen) }

    func isOpen(_ question: VersionMessage.Question) -> Bool { all.contains { $0.isOpen && $0.question == question } }

    /// Goes on to a version, by what it says. A merge says it with the names that it has itself, any other version says what it
    /// resolves with the names from before it.
    mutating func pass(_ version: Version) {
        if version.isMerge { rename(version.renames) }
        resolve(version.message.resolves, by: version.id)
        if !version.isMerge { rename(version.renames) }
        for question in version.message.conflicts { ask(question, version) }
    }

    mutating func rename(_ renames: [VersionMessage.Rename]) {
        for place in all.indices { all[place].question.subject = all[place].question.subject.renamed(by: renames) }
    }

    mutating func resolve(_ questions: [VersionMessage.Question], by version: VersionID) {
        for place in all.indices where all[place].isOpen && questions.contains(all[place].question) {
            all[place].resolvers.append(version)
        }
    }

    private mutating func ask(_ question: VersionMessage.Question, _ version: Version) {
        let known = version.isMerge ? [] : all.indices.filter { all[$0].question == question }
        guard let last = known.last else {
            let askers = version.isMerge ? version.parents.sorted { $0.hex < $1.hex } : [version.id]
            all.append(Known(askers: askers, merge: version.id, original: question, question: question))
            return
        }
        // Of several, those that were resolved by what is taken back.
        let named = Set(version.named.undoes + version.named.reverts)
        let opened = known.filter { !named.isDisjoint(with: all[$0].resolvers) }
        for place in opened.isEmpty ? [last] : opened { all[place].takenBack.formUnion(all[place].resolvers) }
    }

    /// What another side of a merge knows as well.
    mutating func formUnion(_ other: KnownConflicts) {
        for one in other.all {
            guard let place = all.firstIndex(where: one.isSame) else {
                all.append(one)
                continue
            }
            let known = Set(all[place].resolvers)
            all[place].resolvers += one.resolvers.filter { !known.contains($0) }
            all[place].takenBack.formUnion(one.takenBack)
        }
    }
}

/// The file that keeps them.
struct ConflictCache {
    private let file: CacheFile

    init(_ versions: Versions, _ journal: Journal) {
        file = CacheFile("conflicts-2", magic: "settings conflicts 2", versions, journal)
    }

    var path: String { file.path }

    /// Nil where there is no such file, or it is damaged.
    func read() -> (tip: VersionID, known: KnownConflicts)? {
        guard let lines = file.read(), let first = lines.first, let tip = VersionID(hex: first),
            let known = KnownConflicts(lines: lines.dropFirst())
        else { return nil }
        return (tip, known)
    }

    func write(_ known: KnownConflicts, at tip: VersionID) { file.write([tip.hex] + known.lines) }
}

extension KnownConflicts {
    fileprivate init?(lines: ArraySlice<String>) {
        for line in lines {
            let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard words.count == 6, let merge = VersionID(hex: words[1]),
                let question = VersionMessage.Question(words[4]), let original = VersionMessage.Question(words[5])
            else { return nil }
            func ids(_ word: String) -> [VersionID] { word.split(separator: ",").compactMap { VersionID(hex: String($0)) } }
            all.append(
                Known(
                    askers: ids(words[0]), merge: merge, original: original, question: question, resolvers: ids(words[2]),
                    takenBack: Set(ids(words[3]))))
        }
    }

    fileprivate var lines: [String] {
        all.map { one in
            func word(_ ids: some Sequence<VersionID>) -> String { ids.map(\.hex).joined(separator: ",") }
            let takenBack = one.resolvers.filter(one.takenBack.contains)
            return [
                word(one.askers), one.merge.hex, word(one.resolvers), word(takenBack), one.question.text, one.original.text,
            ].joined(separator: "\t")
        }
    }
}
