import Git
import SettingsModel

/// To which of several files of one group an option belongs.
extension Tracking {
    /// The file that an option has its member in, or gets it in: the one that has it, that had it last, or whose format defined the
    /// option; else the only one with members beside it, or the first that can hold it. Files of a nearer group come first.
    func owner(
        of full: Key, in content: SettingsContent, _ entries: [Entry], at base: Snapshot
    ) throws(Problem) -> Entry? {
        let all = entries.filter { full.isWithin($0.file.group) && full != $0.file.group }
        let depth = all.map(\.file.group.parts.count).max() ?? 0
        let nearest = all.filter { $0.file.group.parts.count == depth }
        guard let group = nearest.first?.file.group, nearest.count > 1, let option = content.options[full] else {
            return nearest.first
        }
        let one = try relative(SettingsContent(groups: content.groups, options: [full: option]), to: group, with: base)
        guard let key = one.options.keys.first else { return nil }
        let path = one.memberPath(of: key)
        var texts: [(entry: Entry, text: TrackedText)] = []
        for entry in nearest { if let (_, text) = try readableText(entry, at: base) { texts.append((entry, text)) } }
        if let holder = texts.first(where: { $0.text.members[path] != nil }) { return holder.entry }
        if let former = try lastHolder(of: path, .option(full), texts.map(\.entry), before: base) { return former }
        let noted = texts.filter { option.other[ExactText($0.entry.file.format.rawValue)] != nil }
        if noted.count == 1 { return noted[0].entry }
        if !key.group.isRoot {
            let siblings = texts.filter { $0.text.members.values.contains { $0.group == key.group } }
            if siblings.count == 1 { return siblings[0].entry }
        }
        let holder = formats.flatMap { formats in
            texts.first { (try? $0.text.writing([key], of: one, removing: [], formats)) != nil }
        }
        // Where none can hold it, it is refused with the reason of the first.
        return (holder ?? texts.first)?.entry
    }

    /// The file that had the member last. Where none that versions have had it while the option had a value, it was the only other one.
    private func lastHolder(
        of path: MemberPath, _ subject: Subject, _ entries: [Entry], before base: Snapshot
    ) throws(Problem) -> Entry? {
        var here = base
        var hadValue = false
        for _ in 0..<Self.walkLimit {
            guard let parent = here.commit?.parents.first else { break }
            let before = try versions.snapshot(parent)
            for entry in entries where !entry.isElsewhere {
                guard let content = try before.content(at: entry.path), content.mode.isRegular,
                    try here.content(at: entry.path) != content, try member(path, of: content, entry) != nil
                else { continue }
                return entry
            }
            let there = try before.content(subject)
            if there == nil, hadValue { break }
            if !hadValue, try here.content(subject) != there {
                hadValue = try before.readable(subject, there, acceptingAnyValue: true)?.option?.effectiveValue != nil
            }
            here = before
        }
        let others = entries.filter(\.isElsewhere)
        return hadValue && others.count == 1 ? others[0] : nil
    }
}
