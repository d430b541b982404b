import SettingsModel

extension JSON {
    /// This document with what differs between two others. Members that both have alike stay as they are here, and so do those
    /// that neither has. New members follow the member that precedes them in `new`.
    func patched(from old: JSON, to new: JSON) -> JSON {
        if old.isSame(as: new) { return self }
        switch (self, old, new) {
        case (.object(let members), .object, .object(let wanted)):
            var result: [JSON.Member] = []
            for member in members {
                switch (old[member.name], new[member.name]) {
                case (nil, nil): result.append(member)
                case (let old?, let value?): result.append(JSON.Member(member.name, member.value.patched(from: old, to: value)))
                case (nil, let value?): result.append(JSON.Member(member.name, value))
                case (_?, nil): break
                }
            }
            let names = Set(members.map(\.name))
            // What is defined elsewhere, as by a `$ref`, is added to only where it differs.
            let added = wanted.filter { !names.contains($0.name) && !(old[$0.name]?.isSame(as: $0.value) ?? false) }.map {
                member in
                guard case .object? = old[member.name], case .object = member.value else { return member }
                return JSON.Member(
                    member.name, JSON.object([]).patched(from: old[member.name] ?? .object([]), to: member.value))
            }
            return JSON.object(result).adding(added, like: wanted)
        case (.array(let elements), .array(let before), .array(let after)):
            if let named = JSON.named([elements, before, after]) {
                return .array(named[0].patched(from: named[1], to: named[2]).memberValues)
            }
            guard elements.count == before.count else { return new }
            return .array(
                ListStep.steps(from: before, to: after).compactMap { step in
                    switch step {
                    case .keep(let index, let value): elements[index].patched(from: before[index], to: value)
                    case .insert(let value, _): value
                    case .remove: nil
                    }
                })
        // One section stands for a list of one.
        case (.array(let elements), .object, .object) where elements.count == 1:
            return .array([elements[0].patched(from: old, to: new)])
        case (.array, .object, .array): return patched(from: .array([old]), to: new)
        case (.array, .array, .object): return patched(from: old, to: .array([new]))
        case (.object, .object, .array): return JSON.array([self]).patched(from: .array([old]), to: new)
        default: return new
        }
    }

    /// Whether both are equal but for the order of members.
    private func isSame(as other: JSON) -> Bool { differences(from: other).isEmpty }

    /// With new members, each behind the one that precedes it in `wanted`.
    private func adding(_ added: [JSON.Member], like wanted: [JSON.Member]) -> JSON {
        guard case .object(var members) = self, !added.isEmpty else { return self }
        let new = Dictionary(added.map { ($0.name, $0) }) { first, _ in first }
        var before: ExactText?
        for member in wanted {
            if let member = new[member.name] {
                let place = before.flatMap { name in members.firstIndex { $0.name == name } }.map { $0 + 1 }
                members.insert(member, at: place ?? 0)
            }
            if members.contains(where: { $0.name == member.name }) { before = member.name }
        }
        return .object(members)
    }

    /// The lists as objects, if all their elements are named by a member `key` or `title`.
    private static func named(_ lists: [[JSON]]) -> [JSON]? {
        func named(_ elements: [JSON]) -> JSON? {
            let members = elements.compactMap { element in
                (element["key"] ?? element["title"])?.text.map { JSON.Member($0, element) }
            }
            guard members.count == elements.count, Set(members.map(\.name)).count == members.count else { return nil }
            return .object(members)
        }
        let objects = lists.compactMap(named)
        return objects.count == lists.count ? objects : nil
    }

    private var memberValues: [JSON] { if case .object(let members) = self { members.map(\.value) } else { [] } }
}
