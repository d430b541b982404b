import SettingsModel

/// One flag of a file.
struct Flag {
    let name: ExactText
    /// The variants, in file order.
    private var variants: [JSON.Member] = []
    /// The value of the default variant, as the option stores it.
    private var value: JSON?
    private var help: ExactText?
    /// The members that the option itself can't express.
    private var rest: [JSON.Member] = []

    init(_ name: ExactText, _ json: JSON, in file: String, _ repairs: inout [Repair]) throws(Refusal) {
        self.name = name
        guard case .object(let members) = json, Flag.ownNames.isDisjoint(with: [name]) || Flag.looksLikeOne(json) else {
            throw Refusal(
                "'\(name)' must be an object, not \(json.kind)", in: file,
                hint: "a flag has \"state\" and \"variants\"; check its indentation")
        }
        func report(_ kind: Repair.Kind, _ found: String, _ done: String) {
            repairs.append(Repair(kind, file: file, key: name.string, found: found, done: done))
        }
        switch json["variants"] {
        case .object(let members)?:
            variants = members
            if members.isEmpty { rest.append(JSON.Member("variants", .object([]))) }
        case nil: report(.repaired, "it has no variants", "a choice without labels")
        case let other?:
            throw Refusal("the variants of '\(name)' must be an object, not \(other.kind)", in: file)
        }
        for member in members {
            switch member.name {
            case "variants": continue
            case "state":
                if member.value == "ENABLED" { continue }
                if member.value == "DISABLED" {
                    report(.kept, "it is DISABLED, so flagd serves none of its variants", "kept, beside its value")
                } else {
                    report(.kept, "its state is \(member.value.compact), not ENABLED or DISABLED", "kept")
                }
                rest.append(member)
            case "defaultVariant": readDefault(member, report)
            case "targeting":
                rest.append(member)
                if member.value != .object([]) {
                    report(.kept, "its targeting may select another variant", "kept; the value applies where no rule does")
                }
            case "metadata": readMetadata(member)
            default:
                rest.append(member)
                if Flag.looksLikeOne(member.value) {
                    report(
                        .repaired, "it contains a flag '\(member.name)'; check the indentation", "kept, but it is not a setting")
                } else {
                    report(.kept, "its member '\(member.name)' is unknown to flagd", "kept")
                }
            }
        }
        if json["state"] == nil {
            rest.append(JSON.Member("state", .null))
            report(.kept, "it has no state", "kept without a state")
        }
        if Set(variants.map(\.value.kind)).count > 1 { report(.kept, "its variants are of several types", "each keeps its own") }
    }

    /// The members of a flag; a flag isn't likely to have such a name.
    private static let ownNames: Set<ExactText> = ["state", "variants", "defaultVariant", "targeting", "metadata"]

    static func looksLikeOne(_ json: JSON) -> Bool {
        guard case .object(let members) = json else { return false }
        return members.contains { $0.name == "variants" || $0.name == "state" && $0.value.text != nil }
    }

    private mutating func readDefault(_ member: JSON.Member, _ report: (Repair.Kind, String, String) -> Void) {
        if let name = member.value.text, let variant = variants.first(where: { $0.name == name }) {
            value = Flag.isByName(variants) ? .string(name) : variant.value
            return
        }
        if member.value.isScalar, !member.value.isNull,
            let variant = variants.first(where: { $0.name.string == member.value.bare })
        {
            value = Flag.isByName(variants) ? .string(variant.name) : variant.value
            report(.repaired, "its defaultVariant \(member.value.compact) is \(member.value.kind)", "read as the variant's name")
            return
        }
        rest.append(member)
        if member.value.isNull { return }
        report(.repaired, "its defaultVariant \(member.value.compact) is not one of its variants", "nothing is selected; kept")
    }

    private mutating func readMetadata(_ member: JSON.Member) {
        guard case .object(let members) = member.value, let description = member.value["description"]?.text else {
            rest.append(member)
            return
        }
        help = description
        let others = members.filter { $0.name != "description" }
        if !others.isEmpty { rest.append(JSON.Member("metadata", .object(others))) }
    }

    /// Whether the values of the labels are the variants' names: they are if variants aren't scalars, or if their values aren't unique.
    static func isByName(_ variants: [JSON.Member]) -> Bool {
        !variants.allSatisfy(\.value.isScalar) || Set(variants.map(\.value)).count < variants.count
    }

    /// The flag as an option whose key ends in `part`.
    func option(_ part: String) -> SettingsOption {
        let words = Titles.words(of: name.string)
        var option = SettingsOption(title: ExactText(words.isEmpty ? part : words), type: .choice, help: help)
        var rest = rest
        if Flag.isSwitch(variants) {
            option.type = .switch
            if variants != Flag.onOff { rest.append(JSON.Member("variants", .object(variants))) }
        } else {
            let isByName = Flag.isByName(variants)
            option.labels = Labels(
                variants.map { ChoiceLabel(value: isByName ? .string($0.name) : $0.value, text: $0.name) })
            let isTargeted = rest.contains { $0.name == "targeting" && $0.value != .object([]) }
            if !variants.isEmpty, isByName || isTargeted { rest.append(JSON.Member("variants", .object(variants))) }
        }
        option.value = value
        if !rest.isEmpty { option.other["flagd"] = .object(rest) }
        return option
    }

    static func isSwitch(_ variants: [JSON.Member]) -> Bool {
        variants.count == 2 && Set(variants.map(\.value)) == [.bool(true), .bool(false)]
    }

    /// The variants of a switch that have their usual names.
    static let onOff = [JSON.Member("on", .bool(true)), JSON.Member("off", .bool(false))]
}
