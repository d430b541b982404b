import SettingsModel

/// One flag as its file has it.
struct Flag {
    let name: Text
    /// In the file's order.
    private var variants: [JSON.Member] = []
    /// The value of the default variant, as the option has it.
    private var value: JSON?
    private var help: Text?
    /// What the option doesn't say by itself.
    private var rest: [JSON.Member] = []

    init(_ name: Text, _ json: JSON, in file: String, _ repairs: inout [Repair]) throws(Refusal) {
        self.name = name
        guard case .object(let members) = json, Flag.ownNames.isDisjoint(with: [name]) || Flag.looksLikeOne(json) else {
            throw Refusal(
                "'\(name)' is not a flag but \(json.kind)", in: file,
                hint: "a flag has \"state\" and \"variants\": is it indented right?")
        }
        func tell(_ kind: Repair.Kind, _ found: String, _ done: String) {
            repairs.append(Repair(kind, file: file, key: name.string, found: found, done: done))
        }
        switch json["variants"] {
        case .object(let members)?:
            variants = members
            if members.isEmpty { rest.append(JSON.Member("variants", .object([]))) }
        case nil: tell(.repaired, "it has no variants", "a choice without labels")
        case let other?:
            throw Refusal("the variants of '\(name)' are \(other.kind), and must be an object", in: file)
        }
        for member in members {
            switch member.name {
            case "variants": continue
            case "state":
                if member.value == "ENABLED" { continue }
                if member.value == "DISABLED" {
                    tell(.kept, "it is DISABLED, so flagd serves none of its variants", "kept, beside its value")
                } else {
                    tell(.kept, "its state is \(member.value.compact), not ENABLED or DISABLED", "kept")
                }
                rest.append(member)
            case "defaultVariant": readDefault(member, tell)
            case "targeting":
                rest.append(member)
                if member.value != .object([]) {
                    tell(.kept, "its targeting may give another variant", "kept; the value is what counts where no rule does")
                }
            case "metadata": readMetadata(member)
            default:
                rest.append(member)
                if Flag.looksLikeOne(member.value) {
                    tell(
                        .repaired, "a flag '\(member.name)' within it: is it indented right?", "kept, but it is not a setting")
                } else {
                    tell(.kept, "flagd knows nothing of its '\(member.name)'", "kept")
                }
            }
        }
        if json["state"] == nil {
            rest.append(JSON.Member("state", .null))
            tell(.kept, "it has no state", "kept without")
        }
        if Set(variants.map(\.value.kind)).count > 1 { tell(.kept, "its variants are of several types", "each keeps its own") }
    }

    /// The members of a flag, which no flag is called by chance.
    private static let ownNames: Set<Text> = ["state", "variants", "defaultVariant", "targeting", "metadata"]

    static func looksLikeOne(_ json: JSON) -> Bool {
        guard case .object(let members) = json else { return false }
        return members.contains { $0.name == "variants" || $0.name == "state" && $0.value.text != nil }
    }

    private mutating func readDefault(_ member: JSON.Member, _ tell: (Repair.Kind, String, String) -> Void) {
        if let name = member.value.text, let variant = variants.first(where: { $0.name == name }) {
            value = Flag.isByName(variants) ? .string(name) : variant.value
            return
        }
        if member.value.isScalar, !member.value.isNull,
            let variant = variants.first(where: { $0.name.string == member.value.bare })
        {
            value = Flag.isByName(variants) ? .string(variant.name) : variant.value
            tell(.repaired, "its defaultVariant \(member.value.compact) is \(member.value.kind)", "read as the variant's name")
            return
        }
        rest.append(member)
        if member.value.isNull { return }
        tell(.repaired, "its defaultVariant \(member.value.compact) is not one of its variants", "nothing is selected; kept")
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

    /// Whether labels have the variants' names as values: where variants aren't scalars, or aren't told apart by theirs.
    static func isByName(_ variants: [JSON.Member]) -> Bool {
        !variants.allSatisfy(\.value.isScalar) || Set(variants.map(\.value)).count < variants.count
    }

    /// The option whose key ends in `part`.
    func option(_ part: String) -> Option {
        let words = Titles.words(of: name.string)
        var option = Option(title: Text(words.isEmpty ? part : words), type: .choice, help: help)
        var rest = rest
        if Flag.isSwitch(variants) {
            option.type = .switch
            if variants != Flag.onOff { rest.append(JSON.Member("variants", .object(variants))) }
        } else {
            let isByName = Flag.isByName(variants)
            option.labels = Labels(
                variants.map { Label(value: isByName ? .string($0.name) : $0.value, text: $0.name) })
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

    /// The variants of a switch that nobody named otherwise.
    static let onOff = [JSON.Member("on", .bool(true)), JSON.Member("off", .bool(false))]
}
