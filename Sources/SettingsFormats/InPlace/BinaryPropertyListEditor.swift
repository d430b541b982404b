import SettingsModel

/// Edits binary property lists: the bytes of changed objects are replaced where they are, new objects follow the last one,
/// and the table of offsets is adapted. An object that others refer to as well is copied. What a file no longer refers to
/// becomes a null, or is left out at the end of the table, so that the numbers of all other objects stay.
struct BinaryPropertyListEditor {
    private let file: BinaryPropertyList
    private let top: Int
    private let marks: [PlainTree.Pointer: ExactText]
    /// How often each object is referred to.
    private let uses: [Int]
    /// The new bytes of objects; those beyond the file's own are appended.
    private var changed: [Int: BinaryObject] = [:]
    private var count: Int
    private var refusals: [Refusal] = []

    private typealias Place = (pointer: PlainTree.Pointer, names: [String])

    static func edited(_ bytes: [UInt8], from present: PlainTree, to wanted: PlainTree) throws(Refusal) -> [UInt8] {
        var editor = try BinaryPropertyListEditor(bytes, wanted.marks)
        let top = editor.edit(editor.top, from: present.root, to: wanted.root, at: (.root, []), isShared: false)
        if let refusal = Refusal.joined(editor.refusals) { throw refusal }
        return try editor.written(top)
    }

    /// The file with another name for a member.
    static func renamed(_ bytes: [UInt8], _ rename: MemberRename) throws(Refusal) -> [UInt8] {
        var editor = try BinaryPropertyListEditor(bytes, [:])
        let top = editor.rename(rename.path.names[...], to: rename.name, in: editor.top, isShared: false)
        return try editor.written(top)
    }

    /// The number of the dictionary in which the member has its new name.
    private mutating func rename(_ names: ArraySlice<ExactText>, to new: ExactText, in index: Int, isShared: Bool) -> Int {
        let isShared = isShared || uses[index] > 1
        guard case .dictionary(var keys, var values) = object(index), let name = names.first,
            let place = keys.lastIndex(where: { file.text(at: $0) == name })
        else { return index }
        if names.count > 1 {
            values[place] = rename(names.dropFirst(), to: new, in: values[place], isShared: isShared)
        } else {
            keys[place] = put(
                encoded(.string(new), like: object(keys[place])), at: keys[place], isShared || uses[keys[place]] > 1)
        }
        return put(.dictionary(keys, values), at: index, isShared)
    }

    private init(_ bytes: [UInt8], _ marks: [PlainTree.Pointer: ExactText]) throws(Refusal) {
        (file, top) = try BinaryPropertyList.opened(bytes, in: "the file")
        self.marks = marks
        count = file.offsets.count
        var uses = Array(repeating: 0, count: count)
        uses[top] = 1
        for index in file.offsets.indices {
            for reference in file.object(at: index)?.references ?? [] where uses.indices.contains(reference) {
                uses[reference] += 1
            }
        }
        self.uses = uses
    }

    private func object(_ index: Int) -> BinaryObject {
        changed[index] ?? (file.offsets.indices.contains(index) ? file.object(at: index) : nil) ?? .leaf([0])
    }

    /// The number of the object with the new value.
    private mutating func edit(_ index: Int, from old: JSON, to new: JSON, at place: Place, isShared: Bool) -> Int {
        if old == new { return index }
        let isShared = isShared || uses[index] > 1
        do throws(Refusal) {
            switch (object(index), old, new) {
            case (.dictionary(let keys, let values), .object(let before), .object(let members)):
                return try edit(index, keys, values, from: before, to: members, at: place, isShared)
            case (.array(let kind, let elements), .array(let before), .array(let values)):
                return try edit(index, kind, elements, from: before, to: values, at: place, isShared)
            case (let object, _, _):
                let value = if let kept = try kept(object, new, place) { kept } else { try value(new, at: place) }
                return put(encoded(value, like: object), at: index, isShared)
            }
        } catch {
            refusals.append(error)
            return index
        }
    }

    private func value(_ json: JSON, at place: Place) throws(Refusal) -> PropertyList {
        try PropertyListFormat.propertyList(json, at: place.pointer, marks, place.names, isBinary: true)
    }

    /// The value in the object's own kind; nil if another kind is wanted.
    private func kept(_ object: BinaryObject, _ json: JSON, _ place: Place) throws(Refusal) -> PropertyList? {
        guard let kind = object.bytes.first.map({ $0 >> 4 }) else { return nil }
        func refusal(_ kind: String) -> Refusal {
            Refusal("'\(place.names.joined(separator: "."))' is \(kind) in the file, but \(json.compact.prefix(60)) is not")
        }
        switch (kind, json) {
        case (0x2, .number(let number)): return PropertyList(real: number.text)
        case (0x2, .string(let text)) where ["nan", "inf", "-inf"].contains(text.string): return .real(text.string)
        case (0x3, .string(let text)):
            guard PropertyList.isDate(text.string) else { throw refusal("a date") }
            return .date(text.string)
        case (0x4, .string(let text)):
            guard let bytes = Base64.bytes(of: text.string) else { throw refusal("data") }
            return .data(bytes)
        case (0x8, .number(let number)):
            guard let uid = UInt64(number.text) else { throw refusal("a reference in an archive") }
            return .uid(uid)
        default: return nil
        }
    }
}

/// Containers.
extension BinaryPropertyListEditor {
    private mutating func edit(
        _ index: Int, _ keys: [Int], _ values: [Int], from before: [JSON.Member], to members: [JSON.Member], at place: Place,
        _ isShared: Bool
    ) throws(Refusal) -> Int {
        // Of duplicate names the last one counts.
        let places = Dictionary(grouping: keys.indices) { file.text(at: keys[$0]) ?? "" }
        let old = Dictionary(before.map { ($0.name, $0.value) }) { first, _ in first }
        var pairs: [(key: Int, value: Int)] = []
        for step in MemberStep.steps(from: before.map(\.name), to: members) {
            switch step {
            case .keep(let member):
                for index in places[member.name] ?? [] { pairs.append((keys[index], values[index])) }
                guard let last = pairs.indices.last, places[member.name] != nil else { continue }
                let inner = (place.pointer.member(member.name), place.names + [member.name.string])
                pairs[last].value = edit(
                    pairs[last].value, from: old[member.name] ?? .null, to: member.value, at: inner, isShared: isShared)
            case .remove: break
            case .insert(let member):
                let inner = (place.pointer.member(member.name), place.names + [member.name.string])
                let value = try value(member.value, at: inner)
                pairs.append((append(.string(member.name)), append(value)))
            }
        }
        return put(.dictionary(pairs.map(\.key), pairs.map(\.value)), at: index, isShared)
    }

    private mutating func edit(
        _ index: Int, _ kind: UInt8, _ elements: [Int], from before: [JSON], to values: [JSON], at place: Place,
        _ isShared: Bool
    ) throws(Refusal) -> Int {
        var result: [Int] = []
        for step in ListStep.steps(from: before, to: values) {
            switch step {
            case .keep(let index, let new):
                let inner = (place.pointer.element(index), place.names + [String(index)])
                result.append(edit(elements[index], from: before[index], to: new, at: inner, isShared: isShared))
            case .remove: break
            case .insert(let new, let index):
                result.append(append(try value(new, at: (place.pointer.element(index), place.names + [String(index)]))))
            }
        }
        return put(.array(kind, result), at: index, isShared)
    }

    /// Puts new content in an object's place, or in a copy of it.
    private mutating func put(_ object: BinaryObject, at index: Int, _ isShared: Bool) -> Int {
        if self.object(index) == object { return index }
        if isShared { return add(object) }
        changed[index] = object
        return index
    }

    private mutating func add(_ object: BinaryObject) -> Int {
        changed[count] = object
        count += 1
        return count - 1
    }

    /// Adds the objects of a new value.
    private mutating func append(_ value: PropertyList) -> Int { add(encoded(value, like: nil)) }

    private mutating func encoded(_ value: PropertyList, like old: BinaryObject?) -> BinaryObject {
        switch value {
        case .dictionary(let members):
            let pairs = members.entries.map { (append(.string($0.name)), append($0.value)) }
            return .dictionary(pairs.map(\.0), pairs.map(\.1))
        case .array(let elements): return .array(0xA, elements.map { append($0) })
        case .set(let elements): return .array(0xC, elements.map { append($0) })
        default: return .leaf(value.binaryLeaf(like: old?.bytes))
        }
    }
}

/// The new file.
extension BinaryPropertyListEditor {
    private func reachable(from top: Int, _ object: (Int) -> BinaryObject) -> Set<Int> {
        var found: Set = [top]
        var open = [top]
        while let index = open.popLast() {
            for reference in object(index).references where found.insert(reference).inserted { open.append(reference) }
        }
        return found
    }

    private func written(_ top: Int) throws(Refusal) -> [UInt8] {
        var objects = changed
        let used = reachable(from: top, object)
        let before = reachable(from: self.top) { file.object(at: $0) ?? .leaf([0]) }
        var count = count
        for index in before.subtracting(used) { objects[index] = .leaf([0]) }
        while count > 1, !used.contains(count - 1), count > file.offsets.count || before.contains(count - 1) {
            objects[count - 1] = .leaf([])
            count -= 1
        }
        let width = max(file.referenceSize, BinaryPropertyList.width(of: count - 1))
        if width != file.referenceSize {
            for index in file.offsets.indices where objects[index] == nil {
                if let object = file.object(at: index), !object.isLeaf { objects[index] = object }
            }
        }
        return try file.replacing(objects, count: count, top: top, referenceSize: width)
    }
}
