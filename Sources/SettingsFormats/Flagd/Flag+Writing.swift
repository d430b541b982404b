import SettingsModel

extension Flag {
    /// Each option as a flag with its name and members. An option in a group is named by its whole key.
    static func all(in settings: SettingsContent) throws(Refusal) -> [(name: ExactText, members: [JSON.Member])] {
        var flags: [(name: ExactText, members: [JSON.Member])] = []
        var owners: [ExactText: Key] = [:]
        for row in Sections(settings).rows {
            let name = name(of: row.key, row.option)
            if let owner = owners.updateValue(row.key, forKey: name) {
                throw Refusal(
                    "'\(owner)' and '\(row.key)' would both be the flag '\(name)'",
                    hint: "export one of them separately, or rename one")
            }
            flags.append((name, try members(of: row.option, row.key)))
        }
        return flags
    }

    static func name(of key: Key, _ option: SettingsOption) -> ExactText {
        if let exact = option.importedKey, key.parts.count == 1 || exact.string.contains(".") { return exact }
        return ExactText(key.description)
    }

    /// The flags of a document together with the variants that only the present one has; targeting may name them.
    static func keepingVariants(_ document: JSON, _ present: JSON) -> JSON {
        guard case .object(let root) = document else { return document }
        func completed(_ flag: JSON, _ old: JSON?) -> JSON {
            guard case .object(let members) = flag, case .object(let variants)? = flag["variants"],
                case .object(let others)? = old?["variants"]
            else { return flag }
            let (names, values) = (Set(variants.map(\.name)), Set(variants.map(\.value)))
            let isByName = isByName(others)
            let more = others.filter { !names.contains($0.name) && (isByName || !values.contains($0.value)) }
            return .object(
                members.map { $0.name == "variants" ? JSON.Member($0.name, .object(variants + more)) : $0 })
        }
        return .object(
            root.map { member in
                guard member.name == "flags" else { return member }
                switch (member.value, present["flags"]) {
                case (.object(let flags), let old?):
                    return JSON.Member("flags", .object(flags.map { JSON.Member($0.name, completed($0.value, old[$0.name])) }))
                case (.array(let flags), .array(let old)?):
                    return JSON.Member(
                        "flags", .array(flags.map { flag in completed(flag, old.first { $0["key"] == flag["key"] }) }))
                default: return member
                }
            })
    }

    private static func members(of option: SettingsOption, _ key: Key) throws(Refusal) -> [JSON.Member] {
        var rest: [JSON.Member] = []
        if case .object(let kept)? = option.other["flagd"] { rest = kept }
        func take(_ name: ExactText) -> JSON? {
            guard let index = rest.firstIndex(where: { $0.name == name }) else { return nil }
            return rest.remove(at: index).value
        }
        let state = take("state")
        let kept = take("variants")
        let (variants, chosen) = try variants(of: option, kept, key)
        let selection = take("defaultVariant")
        let targeting = take("targeting")
        var metadata: [JSON.Member] = []
        if let help = option.help { metadata.append(JSON.Member("description", .string(help))) }
        let others = take("metadata")
        if case .object(let members)? = others { metadata += members.filter { $0.name != "description" || option.help == nil } }

        var members: [JSON.Member] = []
        if state != .null { members.append(JSON.Member("state", state ?? "ENABLED")) }
        if !variants.isEmpty || kept != nil || option.type != .choice {
            members.append(JSON.Member("variants", .object(variants)))
        }
        if let selection = chosen.map({ JSON.string($0) }) ?? selection {
            members.append(JSON.Member("defaultVariant", selection))
        }
        if let targeting { members.append(JSON.Member("targeting", targeting)) }
        if !metadata.isEmpty {
            members.append(JSON.Member("metadata", .object(metadata)))
        } else if let others {
            members.append(JSON.Member("metadata", others))
        }
        return members + rest
    }

    /// The variants of an option, and the name of the chosen one.
    private static func variants(
        of option: SettingsOption, _ kept: JSON?, _ key: Key
    ) throws(Refusal) -> ([JSON.Member], ExactText?) {
        var named: [JSON.Member] = []
        if case .object(let members)? = kept { named = members }
        switch option.type {
        case .choice: return try variants(of: option, named, key)
        case .switch:
            let (off, on) = option.offOn
            if Set(named.map(\.value)) != [on, off] || named.count != 2 {
                named = [JSON.Member("on", on), JSON.Member("off", off)]
            }
            return (named, named.first { $0.value == option.effectiveValue }?.name)
        case .number, .text, .data:
            guard let value = option.effectiveValue else { return ([], nil) }
            if case .array = value {
                throw Refusal("'\(key)' is an array, but a flag must be a boolean, a string, a number or an object")
            }
            return ([JSON.Member("value", value)], "value")
        }
    }

    private static func variants(
        of option: SettingsOption, _ named: [JSON.Member], _ key: Key
    ) throws(Refusal) -> ([JSON.Member], ExactText?) {
        let isByName = isByName(named)
        var variants: [JSON.Member] = []
        var names: Set<ExactText> = []
        var chosen: ExactText?
        for label in option.labels {
            let before = named.first { isByName ? .string($0.name) == label.value : $0.value == label.value }
            // Two labels may have the same text, but two variants can't have the same name.
            var name = before?.name ?? (isByName ? label.value.text : nil) ?? label.text
            if before == nil, names.contains(name) || named.contains(where: { $0.name == name }) {
                name = ExactText(label.value.bare)
            }
            guard names.insert(name).inserted else {
                throw Refusal(
                    "'\(key)' would have two variants called '\(name)'", hint: "rename one of its labels")
            }
            var value = before?.value ?? label.value
            if before == nil, isByName, !named.allSatisfy({ $0.value.text != nil }) {
                throw Refusal(
                    "the value of the variant '\(name)' of '\(key)' is unknown",
                    hint:
                        "the other variants hold \(named.first?.value.kind ?? "objects"); add this one to the file, and import it"
                )
            }
            if before == nil, isByName { value = .string(name) }
            variants.append(JSON.Member(name, value))
            if label.value == option.effectiveValue { chosen = name }
        }
        return (variants, chosen)
    }
}
