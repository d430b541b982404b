@testable import SettingsModel
import Seeds
import Testing

/// Merges of two branches.
@Suite struct MergeTests {
    private struct Spot: Hashable, CustomStringConvertible {
        var description: String { "\(subject.path):\(facet.name)" }
        var subject: Subject
        var facet: Facet
    }

    /// What changes alone do not tell is left out: which clean edits of the side they are applied to have to do with a conflict.
    private func spots(_ conflicts: [Conflict]) -> Set<Spot> {
        conflicts.filter { !$0.isHeldBack }.map { Spot(subject: $0.subject, facet: $0.facet) }.asSet()
    }

    /// Without title and reason, whose words mention our side first.
    private func wordless(_ conflict: Conflict) -> Conflict {
        var conflict = conflict
        (conflict.title, conflict.reason) = ("", nil)
        return conflict
    }

    private func swapped(_ conflicts: [Conflict]) -> [Conflict] {
        conflicts.map { conflict in
            var swapped = conflict
            (swapped.ours, swapped.theirs) = (conflict.theirs, conflict.ours)
            return wordless(swapped)
        }
    }

    private func sides(_ random: inout Seeded) -> (base: SettingsContent, ours: SettingsContent, theirs: SettingsContent) {
        let base = random.settings()
        let count = random.int(1...6)
        return (base, random.edited(base, count), random.edited(base, random.int(1...6)))
    }

    /// One side chose a label that the other removed: whoever decides for it gets the label back in its place, and who decides
    /// for the other side removes it again.
    @Test(arguments: [true, false]) func aLabelThatOneSideChoseAndTheOtherRemovedComesBack(swaps: Bool) throws {
        func settings(_ value: JSON, _ values: [String]) -> SettingsContent {
            let labels = Labels(values.map { ChoiceLabel(value: .string(ExactText($0)), text: ExactText($0)) })
            return SettingsContent(options: [
                Key(unchecked: ["l"]): SettingsOption(title: "Language", type: .choice, value: value, labels: labels)
            ])
        }
        let base = settings("en", ["en", "fr", "de"])
        let remover = settings("en", ["nl", "en", "de"])
        let chooser = settings("fr", ["en", "fr", "de", "it"])
        let merge =
            swaps
            ? SettingsContent.merge(base: base, ours: chooser, theirs: remover)
            : SettingsContent.merge(base: base, ours: remover, theirs: chooser)
        let conflict = try #require(merge.conflicts.first)
        #expect(merge.conflicts.map(\.facet) == [.value])
        #expect(merge.settings == settings("en", ["nl", "en", "de", "it"]))
        var settled = merge.settings
        settled.take(swaps ? conflict.ours : conflict.theirs, for: conflict)
        #expect(settled == settings("fr", ["nl", "en", "fr", "de", "it"]))
        settled.take(swaps ? conflict.theirs : conflict.ours, for: conflict)
        #expect(settled == settings("en", ["nl", "en", "de", "it"]))
    }

    /// One side removed the chosen label, and both sides chose another: all other edits are merged, and the label
    /// stays until the conflict is resolved.
    @Test(arguments: [true, false]) func otherEditsAreMergedIfTheLabelOfTheBaseWasRemoved(swaps: Bool) throws {
        func settings(_ title: ExactText, _ value: JSON, _ values: [String]) -> SettingsContent {
            let labels = Labels(values.map { ChoiceLabel(value: .string(ExactText($0)), text: ExactText($0)) })
            return SettingsContent(options: [
                Key(unchecked: ["l"]): SettingsOption(title: title, type: .choice, value: value, labels: labels)
            ])
        }
        let base = settings("Language", "en", ["en", "fr", "de"])
        let remover = settings("Language", "fr", ["fr", "de", "nl"])
        let other = settings("Sprache", "de", ["en", "fr", "de"])
        let merge =
            swaps
            ? SettingsContent.merge(base: base, ours: other, theirs: remover)
            : SettingsContent.merge(base: base, ours: remover, theirs: other)
        let conflict = try #require(merge.conflicts.first)
        #expect(merge.conflicts.map(\.facet) == [.value])
        #expect(merge.settings == settings("Sprache", "en", ["en", "fr", "de", "nl"]))
        for (content, value) in [(conflict.ours, swaps ? "de" : "fr"), (conflict.theirs, swaps ? "fr" : "de")] {
            var settled = merge.settings
            settled.take(content, for: conflict)
            #expect(settled == settings("Sprache", .string(ExactText(value)), ["fr", "de", "nl"]))
        }
    }

    @Test func aMergeIsSymmetric() {
        var conflicted = 0
        forSeeds { random in
            let (base, ours, theirs) = sides(&random)
            let merged = SettingsContent.merge(base: base, ours: ours, theirs: theirs)
            let other = SettingsContent.merge(base: base, ours: theirs, theirs: ours)
            if !merged.conflicts.isEmpty { conflicted += 1 }
            if merged.settings != other.settings { return "other settings with the sides swapped" }
            for (left, right) in zip(merged.conflicts.map(wordless), swapped(other.conflicts)) where left != right {
                return "another conflict with the sides swapped: \(left) and \(right)"
            }
            return merged.conflicts.count == other.conflicts.count ? nil : "more conflicts with the sides swapped"
        }
        print("merges of settings: \(conflicted) with conflicts")
    }

    @Test func applyingTheChangesOfTheOtherBranchGivesTheMerge() {
        forSeeds { random in
            let (base, ours, theirs) = sides(&random)
            let merged = SettingsContent.merge(base: base, ours: ours, theirs: theirs)
            // What is left in a group is not known from the changes of one side alone.
            if merged.removedGroups.contains(where: { merged.settings[$0] != nil }) { return nil }
            let oursFirst = ours.merging(theirs.changes(since: base))
            let theirsFirst = theirs.merging(ours.changes(since: base))
            if spots(oursFirst.conflicts) != spots(theirsFirst.conflicts) {
                return "conflicts: \(spots(oursFirst.conflicts)) and \(spots(theirsFirst.conflicts))"
            }
            if spots(oursFirst.conflicts) != spots(merged.conflicts) {
                return "conflicts: \(spots(oursFirst.conflicts)), merged \(spots(merged.conflicts))"
            }
            if !merged.conflicts.isEmpty { return nil }
            if oursFirst.settings != theirsFirst.settings { return "the two orders differ" }
            return oursFirst.settings == merged.settings ? nil : "changes and merge differ"
        }
    }

    @Test func aMergeWithItselfOrWithTheBaseChangesNothing() {
        forSeeds { random in
            let base = random.settings()
            let ours = random.edited(base, random.int(1...6))
            for (left, right) in [(ours, ours), (ours, base), (base, ours)] {
                let merged = SettingsContent.merge(base: base, ours: left, theirs: right)
                if merged != SettingsContent.Merge(settings: ours, conflicts: []) {
                    return "something else comes out: \(merged.conflicts)"
                }
            }
            return nil
        }
    }

    @Test func aMergeResultSurvivesARoundTrip() {
        forSeeds { random in
            let (base, ours, theirs) = sides(&random)
            let merged = SettingsContent.merge(base: base, ours: ours, theirs: theirs).settings
            return try unreadable(merged) ?? unreadable(ours.merging(theirs.changes(since: base)).settings)
        }
    }

    @Test func aConflictKeepsTheContentOfTheBaseAndEverythingElseIsMerged() {
        forSeeds(10_000) { random in
            let (base, ours, theirs) = sides(&random)
            let merged = SettingsContent.merge(base: base, ours: ours, theirs: theirs)
            for subject in base.subjects.union(ours.subjects).union(theirs.subjects) {
                let conflicts = merged.conflicts.filter { $0.subject == subject }
                if conflicts.contains(where: { $0.facet == .existence }), merged.settings[subject] != base[subject] {
                    return "\(subject.path) is not the base's"
                }
                // A removed group stays with what the other side has in it.
                let isKept = merged.removedGroups.contains(subject) && merged.settings[subject] != nil
                guard conflicts.isEmpty, !isKept else { continue }
                if ours[subject] == base[subject], merged.settings[subject] != theirs[subject] { return "theirs is not taken" }
                if theirs[subject] == base[subject], merged.settings[subject] != ours[subject] { return "ours is not kept" }
            }
            return nil
        }
    }

    private func unreadable(_ settings: SettingsContent) throws -> String? {
        for subject in settings.subjects {
            guard let item = settings[subject] else { continue }
            if case .option(let option) = item, let problem = option.faults().first {
                return "\(subject.path) has a problem: \(problem.reason)"
            }
            if try SettingsContent.Item(file: item.file, of: subject) != item {
                return "\(subject.path) is read back as another: \(String(decoding: item.file, as: UTF8.self))"
            }
        }
        return nil
    }
}
