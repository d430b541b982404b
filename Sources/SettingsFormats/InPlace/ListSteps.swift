import SettingsModel

/// The steps that turn one list into another.
enum ListStep {
    /// Keeps an element, by its index in the old list, with its new value.
    case keep(Int, JSON)
    case remove(Int)
    case insert(JSON, Int)

    /// The longest common subsequence stays; differing elements between two that stay are edited one by one.
    static func steps(from old: [JSON], to new: [JSON]) -> [ListStep] {
        let shorter = min(old.count, new.count)
        var head = 0
        while head < shorter, old[head] == new[head] { head += 1 }
        var tail = 0
        while tail < shorter - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
        var steps = (0..<head).map { ListStep.keep($0, new[$0]) }
        var (left, right) = (head, head)
        let common = common(old[head..<old.count - tail], new[head..<new.count - tail])
        for (index, place) in common + [(old.count - tail, new.count - tail)] {
            while left < index, right < place {
                steps.append(.keep(left, new[right]))
                (left, right) = (left + 1, right + 1)
            }
            steps += (left..<index).map { .remove($0) } + (right..<place).map { .insert(new[$0], $0) }
            (left, right) = (index, place)
            if index < old.count - tail {
                steps.append(.keep(index, new[place]))
                (left, right) = (index + 1, place + 1)
            }
        }
        return steps + (0..<tail).map { .keep(old.count - tail + $0, new[new.count - tail + $0]) }
    }

    /// The same for elements that are known by a name: one with another name is another element.
    static func steps(from old: [JSON], to new: [JSON], by name: (JSON) -> ExactText) -> [ListStep] {
        func unique(_ list: [JSON]) -> [JSON] {
            var counts: [ExactText: Int] = [:]
            return list.map { element in
                let name = name(element)
                counts[name, default: 0] += 1
                return .array([.string(name), .number(counts[name] ?? 0)])
            }
        }
        let (before, after) = (unique(old), unique(new))
        let places = Dictionary(after.enumerated().map { ($1, $0) }) { first, _ in first }
        return steps(from: before, to: after).flatMap { step -> [ListStep] in
            switch step {
            case .keep(let index, let name):
                let place = places[name] ?? index
                return before[index] == name ? [.keep(index, new[place])] : [.remove(index), .insert(new[place], place)]
            case .remove: return [step]
            case .insert(_, let place): return [.insert(new[place], place)]
            }
        }
    }

    /// The indices of a longest common subsequence; empty for long lists.
    private static func common(_ old: ArraySlice<JSON>, _ new: ArraySlice<JSON>) -> [(Int, Int)] {
        guard !old.isEmpty, !new.isEmpty, old.count * new.count <= 1_000_000 else { return [] }
        let width = new.count + 1
        var lengths = [Int](repeating: 0, count: (old.count + 1) * width)
        for row in stride(from: old.count - 1, through: 0, by: -1) {
            for column in stride(from: new.count - 1, through: 0, by: -1) {
                lengths[row * width + column] =
                    old[old.startIndex + row] == new[new.startIndex + column]
                    ? lengths[(row + 1) * width + column + 1] + 1
                    : max(lengths[(row + 1) * width + column], lengths[row * width + column + 1])
            }
        }
        var pairs: [(Int, Int)] = []
        var (row, column) = (0, 0)
        while row < old.count, column < new.count {
            if old[old.startIndex + row] == new[new.startIndex + column] {
                pairs.append((old.startIndex + row, new.startIndex + column))
                (row, column) = (row + 1, column + 1)
            } else if lengths[(row + 1) * width + column] >= lengths[row * width + column + 1] {
                row += 1
            } else {
                column += 1
            }
        }
        return pairs
    }
}

/// The steps that turn an object's members into another's with the same order of names.
enum MemberStep {
    case keep(JSON.Member)
    case remove(ExactText)
    case insert(JSON.Member)

    static func steps(from old: [ExactText], to new: [JSON.Member]) -> [MemberStep] {
        let wanted = Dictionary(new.enumerated().map { ($1.name, $0) }) { first, _ in first }
        let present = Set(old)
        var steps: [MemberStep] = []
        var next = 0
        for name in old {
            guard let place = wanted[name] else {
                steps.append(.remove(name))
                continue
            }
            for member in new[next..<max(place, next)] where !present.contains(member.name) { steps.append(.insert(member)) }
            steps.append(.keep(new[place]))
            next = max(place + 1, next)
        }
        return steps + new[next...].filter { !present.contains($0.name) }.map { .insert($0) }
    }
}

extension JSON {
    /// The same values with the file's kinds of numbers: where it has a real, a whole number is a real as well.
    func fitted(to present: JSON) -> JSON {
        switch (self, present) {
        case (.number(let new), .number(let old)) where old.isReal && !new.isReal:
            return Number(new.text + ".0").map { .number($0) } ?? self
        case (.object(let members), .object):
            return .object(members.map { JSON.Member($0.name, $0.value.fitted(to: present[$0.name] ?? .null)) })
        case (.array(let elements), .array(let old)):
            let areReal = !old.isEmpty && old.allSatisfy { if case .number(let number) = $0 { number.isReal } else { false } }
            if areReal { return .array(elements.map { $0.fitted(to: old[0]) }) }
            return elements.count == old.count ? .array(zip(elements, old).map { $0.fitted(to: $1) }) : self
        default: return self
        }
    }

    /// The same values in the order of `present`: a new member follows the member that precedes it here, and a number with the
    /// same value is spelled as in `present`.
    func aligned(to present: JSON) -> JSON {
        switch (self, present) {
        case (.number(let new), .number(let old)): return new.isReal == old.isReal && new.isEqual(to: old) ? present : self
        case (.array(let new), .array(let old)):
            return .array(new.enumerated().map { $0 < old.count ? $1.aligned(to: old[$0]) : $1 })
        case (.object(let new), .object(let old)):
            var wanted: [ExactText: JSON] = [:]
            /// New members by the name that they follow.
            var following: [ExactText?: [JSON.Member]] = [:]
            let names = Set(old.map(\.name))
            var last: ExactText?
            for member in new {
                wanted[member.name] = member.value
                if names.contains(member.name) { last = member.name } else { following[last, default: []].append(member) }
            }
            var members = following[nil] ?? []
            for member in old {
                guard let value = wanted.removeValue(forKey: member.name) else { continue }
                members.append(JSON.Member(member.name, value.aligned(to: member.value)))
                members += following[member.name] ?? []
            }
            return .object(members)
        default: return self
        }
    }
}
