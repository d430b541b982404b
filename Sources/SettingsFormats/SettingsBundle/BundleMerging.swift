import SettingsModel

/// A bundle that is there: what the store doesn't have stays in its files, such as a row or a member of a row that a
/// developer added.
struct BundleMerging {
    let prunes: Bool
    /// The content of a file in the folder; nil if it isn't there.
    let present: (String) throws(Refusal) -> [UInt8]?

    /// The file with the values of `file`, edited in place if it is there.
    func merged(_ file: Exported.File) throws(Refusal) -> Exported.File {
        guard let bytes = try present(file.path), !bytes.isEmpty else { return file }
        var repairs: [Repair] = []
        let old = try PropertyList.read(bytes, in: file.path, &repairs)
        let new = try PropertyList.read(file.bytes, in: file.path, &repairs)
        let wanted = merged(new, into: old)
        if wanted == old { return Exported.File(path: file.path, bytes: bytes) }
        do throws(Refusal) {
            let result = try PropertyListFormat.edited(bytes, from: old, to: wanted, in: file.path)
            guard try PropertyList.read(result, in: file.path, &repairs) == wanted else {
                throw Refusal("the result would not read back as the same values")
            }
            return Exported.File(path: file.path, bytes: result)
        } catch {
            let all = error.all.map { refusal in
                var refusal = refusal
                refusal.file = file.path
                refusal.remedy = .rewriting
                return refusal
            }
            throw Refusal.joined(all) ?? error
        }
    }

    /// `new` with what only `old` has, in the order of `old`.
    private func merged(_ new: PropertyList, into old: PropertyList) -> PropertyList {
        switch (new, old) {
        case (.dictionary(let members), .dictionary(let there)): return .dictionary(merged(members, into: there))
        case (.array(let rows), .array(let there)) where (rows + there).allSatisfy({ $0.members != nil }):
            return .array(merged(rows, into: there))
        default:
            guard let number = new.scalar, let other = old.scalar, case .number(let left) = number,
                case .number(let right) = other
            else { return new }
            return left.isEqual(to: right) ? old : new
        }
    }

    private func merged(_ new: PropertyList.Members, into old: PropertyList.Members) -> PropertyList.Members {
        var following: [ExactText?: [PropertyList.Members.Entry]] = [:]
        var last: ExactText?
        let names = Set(old.entries.map(\.name))
        for entry in new.entries {
            if names.contains(entry.name) { last = entry.name } else { following[last, default: []].append(entry) }
        }
        var entries = following[nil] ?? []
        for entry in old.entries {
            if let value = new[entry.name] {
                entries.append(.init(name: entry.name, value: merged(value, into: entry.value), line: entry.line))
            } else if !prunes {
                entries.append(entry)
            }
            entries += following[entry.name] ?? []
        }
        return PropertyList.Members(entries, line: old.line)
    }

    /// Rows that only `old` has follow the row that they follow there.
    private func merged(_ new: [PropertyList], into old: [PropertyList]) -> [PropertyList] {
        let (names, others) = (BundleMerging.names(of: new), BundleMerging.names(of: old))
        let places = Dictionary(others.enumerated().map { ($1, $0) }) { first, _ in first }
        let known = Set(names)
        var following: [String?: [PropertyList]] = [:]
        var last: String?
        for (name, row) in zip(others, old) {
            if known.contains(name) { last = name } else if !prunes { following[last, default: []].append(row) }
        }
        return (following[nil] ?? [])
            + zip(names, new).flatMap { name, row in
                [places[name].map { merged(row, into: old[$0]) } ?? row] + (following[name] ?? [])
            }
    }

    /// Each row's name, with a number for rows of the same name.
    private static func names(of rows: [PropertyList]) -> [String] {
        var counts: [ExactText: Int] = [:]
        return rows.map { row in
            let name = row.json.rowName
            counts[name, default: 0] += 1
            return "\(counts[name] ?? 0) \(name)"
        }
    }
}

extension JSON {
    /// What a row of a page is known by: its key, or else its type with the page that it links to or its title.
    var rowName: ExactText {
        if let key = self["Key"]?.text { return ExactText("key \(key)") }
        let words = ["Type", "File", "Title"].compactMap { self[ExactText($0)]?.text?.string }
        return ExactText(words.joined(separator: " "))
    }
}
