import SettingsModel

/// An edit of a JSON document that defines options: a schema, an extension's package.json, a file of flags.
///
/// The file is read as an import reads it, and what was read and what is wanted are both written anew. Where the two differ
/// is what the options differ in; only that is changed in the file itself, so members that no option expresses stay.
struct DocumentEdit {
    /// The member of an option or a group with what the format says besides.
    let keptName: ExactText
    /// The settings that a file defines.
    let read: ([UInt8]) throws(Refusal) -> SettingsContent
    /// The document as it is written anew.
    let write: (SettingsContent) throws(Refusal) -> JSON
    /// The name of an option or a group in the document.
    let name: (Key, SettingsContent) -> String
    /// The members that restrict values: they hold together with those of a definition that a `$ref` names, and can't replace them.
    var restrictions: Set<ExactText> = []
    /// Changes the wanted document by what is there.
    var complete: (_ wanted: JSON, _ present: JSON) -> JSON = { wanted, _ in wanted }

    /// The file that is there with the definitions of `settings`; nil if there is none, or if it is to be rewritten.
    func edited(
        _ settings: SettingsContent, _ request: WriteRequest, as text: any EditedText.Type = JSONFormat.self
    ) throws(Refusal) -> Exported? {
        guard let bytes = request.present, !bytes.isEmpty else { return nil }
        let file = request.name ?? "the existing file"
        if request.rewrites {
            PlainFile.reportLosses(of: try? text.present(bytes, in: file).root, in: try write(settings), request)
            return nil
        }
        let (mark, body) = try PlainFile.body(of: bytes, in: file)
        let present = try PlainFile.orRewriting { () throws(Refusal) in try text.present(body, in: file) }
        let isEmpty = present.root == .object([])
        let own = try PlainFile.orRewriting { () throws(Refusal) in isEmpty ? SettingsContent() : try read(body) }
        let known = Set(settings.options.keys.map { name($0, settings) })
        let isForeign =
            !own.options.isEmpty && !settings.options.isEmpty
            && !own.options.keys.contains { known.contains(name($0, own)) }
        guard !isForeign else {
            throw PlainFile.isForeign(file)
        }
        let old = try write(own)
        var wanted = try write(merged(settings, with: own, prunes: request.prunes))
        if !request.prunes { wanted = complete(wanted, old) }
        let root = present.root.patched(from: old, to: wanted)
        if root == present.root { return .text(bytes) }
        let edit = PlainEdit(format: text, file: file, bytes: body, present: present, wanted: PlainTree(root))
        let shared = restrictedElsewhere(present.root, root, [])
        if let refusal = Refusal.joined(shared.map { edit.refusal($0, because: obstacle(at: $0, in: present.root)) }) {
            throw refusal
        }
        let result = try edit.result()
        let again = try? write(read(result))
        let wrong = again.map { wanted.aligned(to: $0).differences(from: $0) } ?? [[]]
        if let refusal = Refusal.joined(wrong.map { edit.refusal($0, because: obstacle(at: $0, in: present.root)) }) {
            throw refusal
        }
        PlainFile.reportPruned(present.root, to: root, request)
        return .text(mark + result)
    }
}

/// What is wanted of a file.
extension DocumentEdit {
    /// Where a member that restricts values would be changed beside a `$ref`, whose definition others may use as well.
    private func restrictedElsewhere(_ old: JSON, _ new: JSON, _ names: [ExactText]) -> [[ExactText]] {
        guard old != new, case .object(let members) = new, case .object = old else { return [] }
        let isReferred = new["$ref"]?.text != nil && old["$ref"] == new["$ref"]
        return members.flatMap { member -> [[ExactText]] in
            let there = old[member.name]
            if isReferred, restrictions.contains(member.name), there != member.value { return [names + [member.name]] }
            return there.map { restrictedElsewhere($0, member.value, names + [member.name]) } ?? []
        }
    }

    private func obstacle(at names: [ExactText], in present: JSON) -> String? {
        var node = present
        for name in names {
            guard node["$ref"]?.text == nil, let inner = node[name] else { break }
            node = inner
        }
        return node["$ref"]?.text.map { "its definition is elsewhere, in '\($0)'" }
    }

    /// The settings of the store, with what the file says besides; unless it is pruned, with the file's other options, too.
    private func merged(_ settings: SettingsContent, with own: SettingsContent, prunes: Bool) -> SettingsContent {
        var merged = settings
        let groups = Dictionary(settings.allGroups.map { (name($0, settings), $0) }) { first, _ in first }
        let options = Dictionary(settings.options.keys.map { (name($0, settings), $0) }) { first, _ in first }
        /// The groups of the file under their keys in the store.
        var places: [Key: Key] = [.root: .root]
        for key in own.allGroups.sorted(by: { $0.parts.count < $1.parts.count }) {
            if let place = key.isRoot ? .root : groups[name(key, own)] {
                places[key] = place
                if let group = own.groups[key] { carry(group, into: &merged.groups[place, default: SettingsGroup()]) }
            } else if !prunes, let place = place(of: key, in: places, merged) {
                places[key] = place
                merged.groups[place] = own.groups[key]
            }
        }
        for (key, option) in own.options {
            if let place = options[name(key, own)] {
                places[key] = place
                if var present = merged.options[place] {
                    carry(option, into: &present)
                    merged.options[place] = present
                }
            } else if !prunes, let place = place(of: key, in: places, merged) {
                places[key] = place
                merged.options[place] = option
            }
        }
        order(&merged, of: settings, like: own, places)
        return merged
    }

    /// What no option expresses is the file's.
    private func carry(_ own: SettingsOption, into option: inout SettingsOption) {
        option.other[keptName] = own.other[keptName]
        if own.title.isReference { option.title = own.title }
        if let help = own.help, help.isReference { option.help = help }
        guard own.labels.contains(where: { $0.text.isReference || $0.long?.isReference ?? false }) else { return }
        option.labels = Labels(
            option.labels.map { label in
                guard let present = own.labels.label(of: label.value) else { return label }
                var label = label
                if present.text.isReference { label.text = present.text }
                if let long = present.long, long.isReference { label.long = long }
                return label
            }, writesValues: option.labels.writesValues)
    }

    private func carry(_ own: SettingsGroup, into group: inout SettingsGroup) {
        group.other[keptName] = own.other[keptName]
        if let title = own.title, title.isReference { group.title = title }
    }

    /// A key for something that only the file has.
    private func place(of key: Key, in places: [Key: Key], _ settings: SettingsContent) -> Key? {
        guard let group = places[key.group] else { return nil }
        for number in 1..<100 {
            let part = number == 1 ? key.name : "\(key.name)-\(number)"
            guard let place = try? Key(parts: group.parts + [part]) else { return nil }
            if settings.options[place] == nil, settings.groups[place] == nil { return place }
        }
        return nil
    }

    /// Puts what only the file has behind what precedes it there.
    private func order(
        _ merged: inout SettingsContent, of settings: SettingsContent, like own: SettingsContent, _ places: [Key: Key]
    ) {
        let children = settings.children()
        for (group, keys) in own.children() {
            guard let place = places[group], place.isRoot || merged.groups[place] != nil else { continue }
            var names = (children[place] ?? []).map { ExactText($0.name) }
            var before: ExactText?
            for key in keys {
                guard let name = places[key].map({ ExactText($0.name) }) else { continue }
                if !names.contains(name) {
                    names.insert(name, at: before.flatMap { names.firstIndex(of: $0) }.map { $0 + 1 } ?? 0)
                }
                before = name
            }
            if names.count > 1 { merged.groups[place, default: SettingsGroup()].order = names }
        }
    }
}

extension ExactText {
    /// Whether it stands for a text in an extension's `package.nls.json`: `%config.mode%`.
    fileprivate var isReference: Bool {
        string.utf8.count > 2 && string.hasPrefix("%") && string.hasSuffix("%") && !string.contains(" ")
    }
}
