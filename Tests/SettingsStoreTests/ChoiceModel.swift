import Foundation
import Surroundings
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Who chose the value of each option at each commit of a history, worked out from the oldest commit on: it asks git for the
/// commits and their files, reads the trailers itself and knows nothing of how the program looks for the answer. Options are
/// told by their titles.
struct ChoiceModel {
    struct Cell: Hashable {
        var value: String
        var chosenBy: VersionID
        /// The commit that added the option: what was moved and edited at once by plain git is another one.
        var addedBy: VersionID

        init(_ value: String, by id: VersionID, _ addedBy: VersionID? = nil) {
            (self.value, chosenBy, self.addedBy) = (value, id, addedBy ?? id)
        }
    }

    struct Commit {
        let id: VersionID
        let parents: [VersionID]
        let author: String
        let changeIDs: [String]
        var trailers: [(token: String, value: String)]
        /// Of each option by its title.
        let keys: [String: String]
        let values: [String: String]
        let contents: [String: SettingsOption]
        /// Those of its parent.
        var oldKeys: [String: String] = [:]
        var oldValues: [String: String] = [:]
        /// Itself and all before it.
        var history: Set<VersionID> = []
        /// The options that differ from the first parent.
        var touched: Set<String> = []
        var cells: [String: Cell] = [:]

        /// What it says once others have squashed it: nobody but its author could undo.
        var squashed: [(token: String, value: String)] {
            trailers.filter { ["Reverts", "Redoes", "Restored-from"].contains($0.token) }
                + trailers("Undoes", "Unconfirmed").map { ("Reverts", String($0.split(separator: " ")[0])) }
        }

        func trailers(_ tokens: String...) -> [String] { trailers.filter { tokens.contains($0.token) }.map(\.value) }
    }

    private(set) var commits: [VersionID: Commit] = [:]
    private(set) var order: [VersionID] = []
    private(set) var tip: VersionID?
    /// What squashed versions were made from, the newest first.
    private var parts: [VersionID: [Commit]] = [:]

    init(_ s: TemporaryStore, squashes: [VersionID: [VersionID]]) throws {
        for (id, parts) in squashes {
            self.parts[id] = try parts.reversed().map { part in
                let parent = try s.store.versions.repository.objects.commit(part).parents.first
                return try Self.read(part, s, after: try parent.map { try Self.read($0, s, after: nil) })
            }
        }
        let ids = try s.git("rev-list", "--reverse", "--topo-order", "HEAD").split(separator: "\n")
        for word in ids {
            let id = try #require(VersionID(hex: Array(word.utf8)))
            try add(id, s)
        }
        tip = order.last
    }

    private static func read(_ id: VersionID, _ s: TemporaryStore, after parent: Commit?) throws -> Commit {
        let read = try s.store.versions.repository.objects.commit(id)
        let lines = read.message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let last = lines.split(separator: "").last.map(Array.init) ?? []
        let settings = try s.store.versions.snapshot(id).settings()
        var (keys, values, contents): ([String: String], [String: String], [String: SettingsOption]) = ([:], [:], [:])
        for (key, option) in settings.options {
            let title = option.title.string
            (keys[title], values[title], contents[title]) = (key.description, option.value?.compact ?? "-", option)
        }
        var commit = Commit(
            id: id, parents: read.parents, author: read.author.email,
            changeIDs: lines.compactMap { line in
                ["Change-Id: I", "    Change-Id: I"].first(where: line.hasPrefix).map { String(line.dropFirst($0.count - 1)) }
            },
            trailers: last.compactMap { line in
                let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
                return parts.count == 2 ? (parts[0], String(parts[1].dropFirst())) : nil
            }, keys: keys, values: values, contents: contents)
        (commit.oldKeys, commit.oldValues) = (parent?.keys ?? [:], parent?.values ?? [:])
        commit.touched = Set(contents.keys.filter { contents[$0] != parent?.contents[$0] || keys[$0] != parent?.keys[$0] })
        return commit
    }

    private mutating func add(_ id: VersionID, _ s: TemporaryStore) throws {
        let parents = try s.store.versions.repository.objects.commit(id).parents
        let parent = parents.first.flatMap { commits[$0] }
        var commit = try Self.read(id, s, after: parent)
        commit.history = parents.reduce(into: [id]) { $0.formUnion(commits[$1]?.history ?? []) }
        commit.cells = cells(of: commit, parent)
        commits[id] = commit
        order.append(id)
    }

    private func cells(of commit: Commit, _ parent: Commit?) -> [String: Cell] {
        guard let parent else { return commit.values.mapValues { Cell($0, by: commit.id) } }
        if commit.parents.count > 1 { return merged(commit) }
        // What was there before, as what the commit says changes that; then as it is.
        var state = parent.cells
        if let parts = parts[commit.id] {
            for title in commit.values.keys {
                guard let part = maker(of: title, commit, parts.filter { !$0.trailers("Via").isEmpty }) else { continue }
                state[title] = self.state(after: commit, saying: part.squashed, parent)[title] ?? state[title]
            }
        } else {
            state = self.state(after: commit, saying: commit.trailers, parent)
        }
        var cells: [String: Cell] = [:]
        for (title, value) in commit.values {
            let isNew = isAnother(title, commit, parent)
            let added = isNew ? commit.id : parent.cells[title]?.addedBy
            let returned = state[title] == parent.cells[title] || isNew ? nil : state[title]
            let kept = parent.cells[title].flatMap { $0.addedBy == added ? $0 : nil }
            let given = [returned, kept].compactMap { $0 }.first { $0.value == value }
            cells[title] = decides(commit, title) ? nil : given
            cells[title] = cells[title] ?? Cell(value, by: commit.id, added)
        }
        return cells
    }

    /// Of squashed commits the one that made a value what it is, where what all of them did leads there; nil otherwise.
    private func maker(of title: String, _ squash: Commit, _ parts: [Commit]) -> Commit? {
        let own = Set(parts.flatMap(\.changeIDs))
        func named(_ part: Commit, _ tokens: String...) -> (own: Set<String>, others: [String]) {
            let words = part.trailers.filter { tokens.contains($0.token) }.map { String($0.value.split(separator: " ")[0]) }
            return (own.intersection(words), words.filter { !own.contains($0) })
        }
        var (value, makers, isVague, count): (String?, [Commit], Bool, Int) = (squash.values[title], [], false, 0)
        var undone: [(parts: Set<String>, isMet: Bool)] = []
        for part in parts {
            let isChange = part.oldValues[title] != part.values[title]
            let keys = [part.oldKeys[title], part.keys[title]]
            let isAsked = part.trailers("Resolves", "Conflict").contains { keys.contains(String($0.split(separator: " ")[0])) }
            guard isChange || isAsked else { continue }
            if isChange, part.values[title] != value { return nil }
            count += 1
            isVague = isVague || !isChange
            if isVague, count > 1 { return nil }
            value = part.oldValues[title]
            let (taken, repeated) = (named(part, "Undoes", "Reverts", "Unconfirmed"), named(part, "Redoes", "Restored-from"))
            if let place = undone.firstIndex(where: { !$0.parts.isDisjoint(with: part.changeIDs) }) {
                undone[place].isMet = true
            } else if !taken.own.isEmpty {
                guard taken.others.isEmpty, repeated.others.isEmpty else { return nil }
                undone.append((taken.own, false))
            } else {
                guard repeated.own.isEmpty else { return nil }
                makers.append(part)
            }
            if value == nil { break }
        }
        return undone.allSatisfy(\.isMet) ? makers.first : nil
    }

    /// Whether an option is another one by its name and its content, and no message says that it was renamed.
    private func isAnother(_ title: String, _ commit: Commit, _ parent: Commit) -> Bool {
        guard let old = parent.keys[title], old != commit.keys[title], parent.contents[title] != commit.contents[title] else {
            return false
        }
        guard let parts = parts[commit.id] else { return commit.trailers("Via").isEmpty }
        let said = parts.reversed().filter { !$0.trailers("Via").isEmpty }.reduce(old) { name, part in
            part.oldKeys[title] == name ? part.keys[title] ?? name : name
        }
        return said != commit.keys[title]
    }

    private func state(
        after commit: Commit, saying trailers: [(token: String, value: String)], _ parent: Commit
    ) -> [String: Cell] {
        var (commit, state) = (commit, parent.cells)
        commit.trailers = trailers
        for id in taken(by: commit) { takeBack(id, &state) }
        for id in related(commit, "Redoes", isOwn: true) {
            guard let other = commits[id], let before = other.parents.first.flatMap({ commits[$0] }) else { continue }
            for title in other.values.keys
            where isChange(title, other) || other.cells[title] != before.cells[title] || decides(other, title) {
                state[title] = other.cells[title]
            }
        }
        if let word = commit.trailers("Restored-from").first, let then = find(word, before: commit).flatMap({ commits[$0] }) {
            for (title, cell) in then.cells where cell.value != parent.values[title] { state[title] = cell }
        }
        return state
    }

    private func isChange(_ title: String, _ commit: Commit) -> Bool {
        commit.parents.first.flatMap { commits[$0] }?.values[title] != commit.values[title]
    }

    /// Whether a commit says that it resolves a conflict. What takes something back, repeats or restores it gives that back.
    private func decides(_ commit: Commit, _ title: String) -> Bool {
        let isMerge = commit.parents.count > 1
        let old = isMerge ? commit : commit.parents.first.flatMap { commits[$0] } ?? commit
        if !isMerge, !named(commit).isEmpty { return false }
        return commit.trailers("Resolves").contains("\(old.keys[title] ?? "") value")
    }

    /// Takes back what a commit made of what is still so.
    private func takeBack(_ id: VersionID, _ state: inout [String: Cell]) {
        guard let commit = commits[id], let before = commit.parents.first.flatMap({ commits[$0] }) else { return }
        for title in Set(commit.values.keys).union(before.values.keys)
        where isChange(title, commit) || commit.cells[title] != before.cells[title] {
            guard state[title]?.value == commit.values[title] else { continue }
            state[title] = before.cells[title]
        }
    }

    /// Of a merge: what the first side has that has that value; a conflict that it settled is its own.
    private func merged(_ commit: Commit) -> [String: Cell] {
        let sides = commit.parents.compactMap { commits[$0] }
        let shared = sides.dropFirst().reduce(sides[0].history) { $0.intersection($1.history) }
        let base = order.last { id in
            shared.contains(id) && !shared.contains { $0 != id && commits[$0]?.history.contains(id) == true }
        }
        .flatMap { commits[$0] }
        var cells: [String: Cell] = [:]
        for (title, value) in commit.values {
            let added = (sides.first { $0.keys[title] == commit.keys[title] } ?? sides.first { $0.keys[title] != nil })?
                .cells[title]?.addedBy
            func valueThere(_ side: Commit) -> String? { side.cells[title].flatMap { $0.addedBy == added ? $0.value : nil } }
            let values = Set(sides.compactMap(valueThere))
            let isConflict = values.count > 1 && base.flatMap(valueThere).map { !values.contains($0) } ?? true
            let isOpen = commit.trailers("Conflict").contains { word in
                ["value", "existence"].contains { word == "\(commit.keys[title] ?? "") \($0)" }
            }
            let own = Cell(value, by: commit.id, added)
            let given = (sides + [base].compactMap { $0 }.filter { _ in isOpen }).compactMap { $0.cells[title] }.first {
                $0.value == value && $0.addedBy == added
            }
            cells[title] = decides(commit, title) || isConflict && !isOpen ? own : given ?? own
        }
        return cells
    }

    // MARK: references

    /// What a commit takes back, the newest first.
    private func taken(by commit: Commit) -> [VersionID] {
        var ids = Set(related(commit, "Undoes", isOwn: true) + related(commit, "Reverts", isOwn: false))
        let unconfirmed = commit.trailers("Unconfirmed").compactMap { find(String($0.split(separator: " ")[0]), before: commit) }
        ids.formUnion(unconfirmed)
        // What had expired in between is in nobody's way any more.
        for id in order where !unconfirmed.isEmpty && isBefore(id, commit) {
            guard let other = commits[id], unconfirmed.contains(where: { other.history.contains($0) }) else { continue }
            ids.formUnion(other.trailers("Unconfirmed").compactMap { find(String($0.split(separator: " ")[0]), before: other) })
        }
        return order.reversed().filter(ids.contains)
    }

    private func related(_ commit: Commit, _ token: String, isOwn: Bool) -> [VersionID] {
        let ids = commit.trailers(token).compactMap { find($0, before: commit) }
            .filter { !isOwn || commits[$0]?.author == commit.author }
        let isRelated = ids.contains { id in
            commits[id].map { !$0.touched.isDisjoint(with: commit.touched) || $0.touched.isEmpty } ?? false
        }
        return isRelated || commit.touched.isEmpty ? ids : []
    }

    private func named(_ commit: Commit) -> [VersionID] {
        related(commit, "Undoes", isOwn: true) + related(commit, "Redoes", isOwn: true)
            + related(commit, "Reverts", isOwn: false)
            + commit.trailers("Restored-from").compactMap { find($0, before: commit) }
    }

    private func isBefore(_ id: VersionID, _ commit: Commit) -> Bool {
        commit.parents.contains { commits[$0]?.history.contains(id) ?? false }
    }

    /// The nearest one with that Change-Id, or the one with that id.
    private func find(_ word: String, before commit: Commit) -> VersionID? {
        let found = order.filter { id in
            isBefore(id, commit) && (id.hex == word || commits[id]?.changeIDs.contains(word) == true)
        }
        return found.last { id in found.allSatisfy { commits[id]?.history.contains($0) ?? false } }
    }
}
