import SettingsModel

/// The properties of a GSettings key that options don't have: the option's member `gsettings`. Properties that the writer can
/// derive from the option are omitted.
struct KeyNote: Hashable {
    /// Omitted for a switch of type `b` and for a text or choice of type `s`.
    var type: GVariantType?
    /// The enumeration of a choice, or the flags type of data.
    var enumeration: Enumeration?
    /// The allowed strings inside a value that is not itself a string.
    var choices: [ExactText]?
    /// Former nicks and their replacements.
    var aliases: [JSON.Member] = []
    /// `messages` or `time`: the default is translated.
    var l10n: ExactText?
    var context: ExactText?
    /// The text of the default as in the file, if it matters: translations are looked up by it.
    var defaultText: ExactText?
    /// The schema's own default, if a vendor overrides it.
    var schemaDefault: ExactText?
    /// A vendor's defaults for single desktops.
    var desktops: [JSON.Member] = []
    /// The range as in the file, if it is invalid.
    var range: JSON?
    /// The value as in the file, if it is invalid for the option.
    var value: ExactText?
    /// Whether the key is inherited from the schema that this one extends.
    var isInherited = false
    /// Whether no schema defines the key, so that it comes from values alone.
    var isUndefined = false
    /// Whether the key has a summary that equals the title derived from its name.
    var hasSummary = false
    var unknown: Unknown = Unknown()

    struct Enumeration: Hashable {
        var id: ExactText
        var isFlags: Bool
        /// The numbers that programs use, by nick.
        var numbers: [JSON.Member]
    }

    /// Unknown attributes and elements.
    struct Unknown: Hashable {
        var attributes: [JSON.Member] = []
        /// The elements as XML.
        var elements: [ExactText] = []
    }

    init() {}

    /// Empty if the option wasn't imported from GSettings.
    init(_ option: SettingsOption) {
        guard let json = option.other["gsettings"] else { return }
        type = json["type"]?.text.flatMap { GVariantType($0.string) }
        for (name, isFlags) in [("enum" as ExactText, false), ("flags", true)] {
            guard let member = json[name], let id = member["id"]?.text else { continue }
            enumeration = Enumeration(id: id, isFlags: isFlags, numbers: member["values"]?.members ?? [])
        }
        choices = json["choices"]?.texts
        aliases = json["aliases"]?.members ?? []
        l10n = json["l10n"]?.text
        context = json["context"]?.text
        defaultText = json["default"]?.text
        schemaDefault = json["schemaDefault"]?.text
        desktops = json["desktops"]?.members ?? []
        range = json["range"]
        value = json["value"]?.text
        isInherited = json["inherited"] == .bool(true)
        isUndefined = json["defined"] == .bool(false)
        hasSummary = json["summary"] == .bool(true)
        unknown = Unknown(json)
    }

    /// The member; nil if it would be empty.
    var json: JSON? {
        var members: [JSON.Member] = []
        func add(_ name: ExactText, _ value: JSON?) {
            if let value { members.append(JSON.Member(name, value)) }
        }
        func add(_ name: ExactText, _ list: [JSON.Member]) { if !list.isEmpty { add(name, .object(list)) } }
        add("type", type.map { .string($0.text) })
        if let enumeration {
            add(
                enumeration.isFlags ? "flags" : "enum",
                .object(["id": .string(enumeration.id), "values": .object(enumeration.numbers)]))
        }
        add("choices", choices.map { .array($0.map { .string($0) }) })
        add("aliases", aliases)
        add("l10n", l10n.map { .string($0) })
        add("context", context.map { .string($0) })
        add("default", defaultText.map { .string($0) })
        add("schemaDefault", schemaDefault.map { .string($0) })
        add("desktops", desktops)
        add("range", range)
        add("value", value.map { .string($0) })
        if isInherited { add("inherited", .bool(true)) }
        if isUndefined { add("defined", .bool(false)) }
        if hasSummary { add("summary", .bool(true)) }
        members += unknown.members
        return members.isEmpty ? nil : .object(members)
    }
}

extension KeyNote.Unknown {
    init(_ json: JSON) {
        attributes = json["attributes"]?.members ?? []
        elements = json["elements"]?.texts ?? []
    }

    var members: [JSON.Member] {
        var members: [JSON.Member] = []
        if !attributes.isEmpty { members.append(JSON.Member("attributes", .object(attributes))) }
        if !elements.isEmpty { members.append(JSON.Member("elements", .array(elements.map { .string($0) }))) }
        return members
    }
}

/// The properties of a GSettings schema: the member `gsettings` of its group.
struct SchemaNote: Hashable {
    /// Nil if values were found without a schema.
    var id: ExactText?
    /// Nil for a relocatable schema.
    var path: ExactText?
    /// The relocatable schema that this group instantiates; it then has no `id`.
    var template: ExactText?
    var gettextDomain: ExactText?
    var extends: ExactText?
    var listOf: ExactText?
    /// Child schemas, by name.
    var children: [JSON.Member] = []
    /// Relocatable schemas, by id: each has the members of a schema and `keys`, its options by name.
    var templates: [JSON.Member] = []
    /// Overrides of missing schemas, by section; kept at the root of an import.
    var overrides: [JSON.Member] = []
    var unknown = KeyNote.Unknown()

    init() {}

    /// Nil if the group has no schema.
    init?(_ group: SettingsGroup?) {
        guard let json = group?.other["gsettings"] else { return nil }
        self.init(json)
    }

    init(_ json: JSON) {
        id = json["id"]?.text
        path = json["path"]?.text
        template = json["template"]?.text
        gettextDomain = json["gettext-domain"]?.text
        extends = json["extends"]?.text
        listOf = json["list-of"]?.text
        children = json["children"]?.members ?? []
        templates = json["templates"]?.members ?? []
        overrides = json["overrides"]?.members ?? []
        unknown = KeyNote.Unknown(json)
    }

    var json: JSON {
        var members: [JSON.Member] = []
        for (name, text) in [
            ("id" as ExactText, id), ("path", path), ("template", template), ("gettext-domain", gettextDomain),
            ("extends", extends),
            ("list-of", listOf),
        ] {
            if let text { members.append(JSON.Member(name, .string(text))) }
        }
        if !children.isEmpty { members.append(JSON.Member("children", .object(children))) }
        if !templates.isEmpty { members.append(JSON.Member("templates", .object(templates))) }
        if !overrides.isEmpty { members.append(JSON.Member("overrides", .object(overrides))) }
        return .object(members + unknown.members)
    }
}

extension JSON {
    /// The members of an object.
    var members: [Member]? { if case .object(let members) = self { members } else { nil } }
    /// The elements of an array that contains only strings.
    var texts: [ExactText]? {
        guard case .array(let elements) = self else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }
}
