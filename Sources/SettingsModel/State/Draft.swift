/// Edits of the files that no Done has recorded yet.
package struct Draft: Sendable {
    /// What they mean, since the last version.
    package var changes: [Change] = []
    /// The files that differ in more than how they are written.
    package var edited: [Subject] = []
    /// Those of them of which nobody can tell whether somebody put an earlier content there or the branch was moved without them.
    package var uncertain: [Subject] = []
    /// Files that mean what the last version says, written in another way.
    package var rewritten: [Subject] = []
    /// Files that nobody edited and that are as another version has them: the branch was moved without them.
    package var behind: [Subject] = []
    /// Files that nobody edited and that could not be written when the last version, or one before it, was recorded.
    package var unwritten: [UnwrittenFile] = []
    /// Files that can't be read, and names that no store has.
    package var unreadable: [VersionChanges.Unreadable] = []
    /// Files that nobody touched, and that can't be read as the last version has them.
    package var unreadableRecorded: [VersionChanges.Unreadable] = []
    /// Those of them that are no option's file, so that they are neither recorded nor discarded.
    package var strays: [Stray] = []
    /// The subjects of `unreadable`.
    package var broken: [Subject] = []
    /// Files of the last version that something else is in the place of, or behind a symbolic link in that of their group.
    package var hidden: [Subject] = []
    /// Of what `discard` drops: files that git's index holds in conflict and that are otherwise as the last version has them.
    package var unmerged: [Subject] = []
    /// Choices whose two lines name different labels, in a file or in the last version.
    package var disagreements: [Disagreement] = []
    /// Files of other programs that are kept in step: how they and the store stand, where that was asked for.
    package var tracked: [TrackedState] = []
    /// The edited items, as the last version has them and as the files do.
    package var sides = (before: SettingsContent(), after: SettingsContent())

    /// Edited files that no change is told of: they can't be read in the last version, and are removed.
    package var removedUnread: [Subject] {
        let told = Set(changes.map(\.subject))
        return edited.filter { !told.contains($0) && sides.before[$0] == nil && sides.after[$0] == nil }
    }

    package init() {}

    package var isEmpty: Bool {
        edited.isEmpty && rewritten.isEmpty && unreadable.isEmpty && unmerged.isEmpty && !tracked.contains(where: \.isEdited)
    }

    /// Whether something else is where a file of another program was, which is no edit that can be recorded.
    package var hasReplacedFiles: Bool { tracked.contains(where: \.isReplaced) }

    package mutating func add(_ stray: Stray) {
        guard !strays.contains(stray) else { return }
        strays.append(stray)
        unreadable.append(VersionChanges.Unreadable(path: stray.path, .file(.isStray(stray))))
    }
}
