package import SettingsModel

// What 'diff' prints.

extension Phrases {
    /// `origins`: the versions behind each change, nil where they aren't told; `unknown`: the places of changes that no version
    /// of a shallow clone made.
    package func difference(
        _ changes: [Change], _ origins: [[Origin]]?, unknown: Set<Int>, unreadable: [VersionChanges.Unreadable]
    ) -> [StyledText] {
        var lines: [StyledText] = []
        let told = Set(changes.told)
        for (index, change) in changes.enumerated() where told.contains(change) {
            lines += sentences([change])
            guard let origins else { continue }
            lines += (unknown.contains(index) ? [Phrases.beforeClone] : self.origins(origins[index])).indented
        }
        return lines + unreadable.map { StyledText("unreadable: ", .warning).adding(CommandLineHints.reason($0.problem)) }
    }

    /// `isCutOff`: whether versions behind the changes are missing in a shallow clone.
    package static func afterDifference(isEmpty: Bool, isCutOff: Bool) -> [PrintedLine] {
        let missing = CommandLineHints.cutOff("some of the versions behind these changes are missing")
        return (isEmpty ? [.note("nothing differs")] : []) + (isCutOff ? [.note(missing)] : [])
    }
}

extension Reports {
    package func difference(
        from old: VersionID?, to new: VersionID?, _ changes: [Change], _ origins: [[Origin]]?,
        unreadable: [VersionChanges.Unreadable], isComplete: Bool
    ) -> JSON {
        let rows = changes.enumerated().flatMap { index, change in
            change.lines.map { self.change($0, origins.map { self.origins($0[index]) } ?? [:]) }
        }
        return Reports.document([
            "from": old.map { .string($0.hex) } ?? .null, "to": new.map { .string($0.hex) } ?? .null, "changes": .array(rows),
            "unreadable": .array(unreadable.map(self.unreadable)), "complete": .bool(isComplete),
        ])
    }
}
