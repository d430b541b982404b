import SettingsModel

/// An edit of a file that is there: what the file holds, and what it is to hold.
struct PlainEdit {
    let format: any EditedText.Type
    let file: String
    let bytes: [UInt8]
    let present: PlainTree
    let wanted: PlainTree

    /// The edited file. It is read again: if it doesn't hold what is wanted, all values that are at fault are named.
    func result() throws(Refusal) -> [UInt8] {
        let result: [UInt8]
        do throws(Refusal) { result = try format.edited(bytes, from: present, to: wanted) } catch {
            let all = error.all.map { refusal in
                var refusal = refusal
                refusal.file = file
                if refusal.hint == nil { refusal.remedy = .rewriting }
                return refusal
            }
            throw Refusal.joined(all) ?? error
        }
        let faulty = differences(in: result, from: wanted.root)
        guard !faulty.isEmpty else { return result }
        let reasons = (faulty == [[]] ? unreadable : faulty).map(refusal)
        throw Refusal.joined(reasons) ?? refusal([])
    }

    /// The values that read otherwise in `result`; the root alone if it can't be read.
    private func differences(in result: [UInt8], from wanted: JSON) -> [[ExactText]] {
        guard let again = try? format.present(result, in: file).root else { return [[]] }
        return wanted.aligned(to: again).differences(from: again)
    }

    /// The changed values that make the file unreadable by themselves; if none does, all of them.
    private var unreadable: [[ExactText]] {
        let changed = present.root.differences(from: wanted.root)
        let alone = changed.filter { names in
            var single = wanted
            single.root = present.root.replacing(names[...], from: wanted.root).aligned(to: present.root)
            guard let result = try? format.edited(bytes, from: present, to: single) else { return true }
            return !differences(in: result, from: single.root).isEmpty
        }
        return alone.isEmpty ? changed : alone
    }

    /// The reason if no other is known.
    static let unsupported = "its notation is not supported"

    func refusal(_ names: [ExactText]) -> Refusal { refusal(names, because: nil) }

    func refusal(_ names: [ExactText], because reason: String?) -> Refusal {
        let obstacle = format.obstacle(bytes, at: names)
        let line = obstacle?.line ?? format.line(of: names, in: bytes)
        let name = names.map(\.string).joined(separator: ".")
        return Refusal(
            (name.isEmpty ? "the whole file" : "'\(name)'") + " can't be edited in place: "
                + (reason ?? obstacle?.reason ?? PlainEdit.unsupported),
            in: file, at: line.map { BadFile.Position(line: $0, column: 1) },
            hint: "change it in the file by hand", remedy: .rewriting)
    }
}

extension PlainFile {
    /// The file that is there with the content that `wanted` makes of its own; nil if there is none, or if it is to be
    /// rewritten.
    static func edited(
        _ request: WriteRequest, as text: any EditedText.Type, _ wanted: (JSON?) throws(Refusal) -> JSON
    ) throws(Refusal) -> [UInt8]? {
        guard let bytes = request.present, !bytes.isEmpty else { return nil }
        let file = request.name ?? "the existing file"
        if request.rewrites {
            reportLosses(of: try? text.present(bytes, in: file).root, in: try wanted(nil), request)
            return nil
        }
        let (mark, original) = try self.body(of: bytes, in: file)
        var present = try orRewriting { () throws(Refusal) in try text.present(original, in: file) }
        var body = original
        text.rename(request.renames, &body, &present, in: file)
        guard case .object = present.root else {
            throw Refusal("contains \(present.root.kind), not named settings", in: file, remedy: .rewriting)
        }
        let root = try wanted(present.root).fitted(to: present.root).aligned(to: present.root)
        if root == present.root { return mark + body }
        let result = try PlainEdit(format: text, file: file, bytes: body, present: present, wanted: PlainTree(root)).result()
        reportPruned(present.root, to: root, request)
        return mark + result
    }
}

extension JSON {
    /// The paths of the innermost values that differ.
    func differences(from other: JSON) -> [[ExactText]] {
        if self == other { return [] }
        switch (self, other) {
        case (.object(let members), .object(let others)):
            let names = Set(members.map(\.name))
            let values = Dictionary(others.map { ($0.name, $0.value) }) { first, _ in first }
            let inner = members.flatMap { member in
                (values[member.name].map(member.value.differences) ?? [[]]).map { [member.name] + $0 }
            }
            return inner + others.lazy.filter { !names.contains($0.name) }.map { [$0.name] }
        case (.array(let elements), .array(let others)) where elements.count == others.count:
            return zip(elements, others).enumerated().flatMap { index, pair in
                pair.0.differences(from: pair.1).map { [ExactText(String(index))] + $0 }
            }
        default: return [[]]
        }
    }

    /// The members that `other` lacks, without those in them.
    func missing(in other: JSON) -> [[ExactText]] {
        guard case .object(let members) = self, case .object = other else { return [] }
        return members.flatMap { member in
            (other[member.name].map(member.value.missing) ?? [[]]).map { [member.name] + $0 }
        }
    }

    /// With the value at `names` as it is in `other`; only members are replaced one by one.
    fileprivate func replacing(_ names: ArraySlice<ExactText>, from other: JSON) -> JSON {
        guard let name = names.first, case .object(var members) = self, case .object = other else { return other }
        let value = other[name].map { new in self[name].map { $0.replacing(names.dropFirst(), from: new) } ?? new }
        if let index = members.firstIndex(where: { $0.name == name }) {
            if let value { members[index].value = value } else { members.remove(at: index) }
        } else if let value {
            members.append(JSON.Member(name, value))
        }
        return .object(members)
    }
}
