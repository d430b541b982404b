import Git
import SettingsModel

/// The three texts of a tracked file that a merge brings together.
struct TrackedTexts {
    var base: TrackedText
    var ours: TrackedText
    var theirs: TrackedText

    var all: [TrackedText] { [base, ours, theirs] }

    /// The three texts merged line by line, once the options of `wanted` are written into each of them and the members `removed`
    /// are taken out: what is decided is no conflict then.
    func merged(
        _ wanted: SettingsContent, removing removed: Set<MemberPath>, _ formats: any FileFormats
    ) throws(Refusal) -> (text: [UInt8], isClean: Bool)? {
        let keys = Array(wanted.options.keys)
        let written = try all.map { text throws(Refusal) in
            try text.writing(keys, of: wanted, removing: removed.intersection(text.members.keys), formats)
        }
        if written.contains(where: { $0.contains(0) }) { return try merged(values: written, formats) }
        guard let merge = try? Self.merge(base: written[0], ours: written[1], theirs: written[2]) else { return nil }
        if !merge.isClean, let text = LineMerge.merge(base: written[0], ours: written[1], theirs: written[2]) {
            return (text, true)
        }
        return merge
    }

    /// What is no text has nothing but values: where one side changed none, the other one has them all.
    private func merged(
        values written: [[UInt8]], _ formats: any FileFormats
    ) throws(Refusal) -> (text: [UInt8], isClean: Bool)? {
        let settings = try written.map { bytes throws(Refusal) in try TrackedText(bytes, of: ours.file, formats).settings }
        if settings[0] == settings[2] { return (written[1], true) }
        return settings[0] == settings[1] ? (written[2], true) : nil
    }

    static func merge(base: [UInt8], ours: [UInt8], theirs: [UInt8]) throws(GitError) -> (text: [UInt8], isClean: Bool) {
        try Index.mergeTexts(base: base, ours: ours, theirs: theirs, names: (ours: "ours", theirs: "theirs"))
    }
}

/// What a file is ahead of its options with.
extension TrackedTexts {
    enum Member {
        /// What the merged option has.
        case option
        /// What the texts have, which is not what the option has.
        case member(SettingsOption?)
        /// Both sides changed it, and one of them only in the file.
        case contested
    }

    /// What becomes of a member where the options that it stands for are `options` in the base, ours and theirs, and `option` once
    /// they are merged.
    func member(
        _ path: MemberPath, of options: [SettingsOption?], becoming option: SettingsOption?, preferring side: MergeWish.Side?
    ) -> Member {
        let members = all.map { $0.option(at: path) }
        let isInStep = zip(options, members).map { option, member in
            guard let option, let member else { return option?.effectiveValue == nil }
            return option.isInStep(with: member)
        }
        if !isInStep.contains(false) { return .option }
        let (base, ours, theirs) = (members[0], members[1], members[2])
        var merged = Self.isSame(base, ours) ? theirs : ours
        let isContested = isContested(path)
        if isContested {
            guard let side else { return .contested }
            merged = side == .ours ? ours : theirs
        }
        if let option, let merged, option.isInStep(with: merged) { return .option }
        if Self.isSame(options[0], option) { return .member(merged) }
        if isInStep[0], Self.isSame(base, merged) { return .option }
        if side == nil { return .contested }
        // Of two edits, that of the side that wins counts even where only its file has it.
        return isContested ? .member(merged) : .option
    }
}

/// Of the texts alone, as git's merge driver has to merge them.
extension TrackedTexts {
    /// Reads the texts; nil where they can't be merged by meaning.
    init?(base: [UInt8], ours: [UInt8], theirs: [UInt8], of file: TrackedFile, _ formats: any FileFormats) {
        guard let base = try? TrackedText(base, of: file, formats), let ours = try? TrackedText(ours, of: file, formats),
            let theirs = try? TrackedText(theirs, of: file, formats)
        else { return nil }
        (self.base, self.ours, self.theirs) = (base, ours, theirs)
    }

    /// The members that both sides changed, each in its own way: by their keys relative to the group.
    var contested: Set<Key> {
        Set(paths.filter(isContested).compactMap { ours.members[$0] ?? theirs.members[$0] })
    }

    /// The texts merged by their members: what one side alone changed is decided, and so is what `answers` has the option for, nil
    /// where it is gone. Nil where the result would say something else.
    func mergedByMembers(
        _ formats: any FileFormats, _ answers: [Key: SettingsOption?] = [:]
    ) -> (text: [UInt8], isClean: Bool)? {
        let decision = decision(answers)
        guard decision.isExpressible, let merge = try? merged(decision.wanted, removing: decision.removed, formats) else {
            return nil
        }
        return !merge.isClean || isExpected(merge.text, decision, formats) ? merge : nil
    }

    /// Our text with what they changed of members; nil where both changed the same one. What else they changed is left out, so that
    /// this is only for texts of ours that stay beside theirs.
    func oursWithTheirMembers(_ formats: any FileFormats) -> [UInt8]? {
        let decision = decision([:])
        let keys = Array(decision.wanted.options.keys)
        guard contested.isEmpty, decision.isExpressible,
            let text = try? ours.writing(
                keys, of: decision.wanted, removing: decision.removed.intersection(ours.members.keys), formats)
        else { return nil }
        return isExpected(text, decision, formats) ? text : nil
    }

    /// Whether a text says what was decided, and nothing else.
    private func isExpected(_ bytes: [UInt8], _ decision: Decision, _ formats: any FileFormats) -> Bool {
        guard let text = try? TrackedText(bytes, of: ours.file, formats), text.members.count == decision.expected.count else {
            return false
        }
        return decision.expected.allSatisfy { path, option in text.option(at: path).map(option.isInStep) ?? false }
    }

    private struct Decision {
        /// What one side changed or added.
        var wanted: SettingsContent
        var removed: Set<MemberPath> = []
        /// What the result has, where nothing is in conflict.
        var expected: [MemberPath: SettingsOption] = [:]
        /// Whether each member has a key of its own.
        var isExpressible = true
    }

    private var paths: Set<MemberPath> { Set(all.flatMap(\.members.keys)) }

    private func isContested(_ path: MemberPath) -> Bool {
        let (old, our, their) = (base.option(at: path), ours.option(at: path), theirs.option(at: path))
        return ![(our, their), (old, our), (old, their)].contains { Self.isSame($0, $1) }
    }

    private func decision(_ answers: [Key: SettingsOption?]) -> Decision {
        var decision = Decision(wanted: SettingsContent(groups: groups))
        for path in paths {
            let side = Self.isSame(base.option(at: path), ours.option(at: path)) ? theirs : ours
            var (option, key) = (side.option(at: path), side.members[path])
            if isContested(path) {
                key = ours.members[path] ?? theirs.members[path]
                // It is a conflict of the texts.
                guard let known = key, let answer = answers[known] else { continue }
                option = answer
            } else if Self.isSame(ours.option(at: path), theirs.option(at: path)) {
                decision.expected[path] = option
                continue
            }
            decision.expected[path] = option
            guard let option, let key else {
                decision.removed.insert(path)
                continue
            }
            if decision.wanted.options.updateValue(option, forKey: key) != nil { decision.isExpressible = false }
        }
        if decision.wanted.options.keys.contains(where: { decision.expected[decision.wanted.memberPath(of: $0)] == nil }) {
            decision.isExpressible = false
        }
        return decision
    }

    /// The groups of all three, with what either side added in its place.
    private var groups: [Key: SettingsGroup] {
        var groups = ours.settings.groups
        for text in [theirs, base] {
            for (key, group) in text.settings.groups {
                guard let order = groups[key]?.order else {
                    if groups[key] == nil { groups[key] = group }
                    continue
                }
                groups[key]?.order = SettingsGroup.order(order, with: group.order ?? [], rearranging: false)
            }
        }
        return groups
    }

    private static func isSame(_ left: SettingsOption?, _ right: SettingsOption?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return JSON.means(left.effectiveValue ?? .null, right.effectiveValue ?? .null)
    }
}
