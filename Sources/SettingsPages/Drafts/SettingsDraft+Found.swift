import SettingsModel

/// What a person types takes a while. It is a change of what was there when the person began, whatever else is recorded
/// meanwhile.
extension SettingsDraft {
    /// An item when a person began to type: as it was recorded, and with the draft.
    package struct Found: Hashable, Sendable {
        var subject: Subject
        fileprivate let recorded: SettingsContent.Item?
        fileprivate let content: SettingsContent.Item?
    }

    func found(_ subject: Subject) -> Found { Found(subject: subject, recorded: base[subject], content: content[subject]) }

    /// Whether the item is recorded in another way now.
    func isOther(than found: Found) -> Bool { base[found.subject] != found.recorded }

    /// The draft as it was when the item was found.
    func when(_ found: Found) -> SettingsDraft {
        var draft = self
        var (base, content) = (base, content)
        base[found.subject] = found.recorded
        content[found.subject] = found.content
        draft.conflicts.removeAll { $0.conflict.subject == found.subject && $0.pick == nil }
        draft.forks[found.subject] = nil
        draft.replace(base: base, content: content, touched: Set(changes.map(\.subject) + [found.subject]))
        return draft
    }

    /// Makes the item so, as if that had been done when it was found. Returns the number of new conflicts.
    mutating func apply(_ item: SettingsContent.Item?, to found: Found) -> Int {
        let now = base
        self = when(found)
        apply([(found.subject, item)])
        return move(to: now)
    }
}
