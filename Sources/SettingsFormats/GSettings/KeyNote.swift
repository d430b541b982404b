import SettingsModel

/// What GSettings knows of a key besides what every option has: the member `gsettings` of its option. What its writer can
/// tell from the option is left out.
struct KeyNote: Hashable {
    /// Left out for a switch of type `b` and for a text or choice of type `s`.
    var type: GVariantType?
    /// The enumeration that a choice is of, or the flags that data are of.
    var enumeration: Enumeration?
    /// What strings within a value can be, where the value itself is no string.
    var choices: [Text]?
    /// Former nicks and what they are now.
    var aliases: [JSON.Member] = []
    /// `messages` or `time`: the default is translated.
    var l10n: Text?
    var context: Text?
    /// The default's text as it stands in the file, where that matters: translations go by it.
    var defaultText: Text?
    /// The schema's own default, where a vendor's override has another.
    var schemaDefault: Text?
    /// Vendor's defaults for single desktops.
    var desktops: [JSON.Member] = []
    /// The range as it stands in the file, where it can't hold.
    var range: JSON?
    /// A value that can't be the option's, as it stands in the file.
    var value: Text?
    /// The key is another schema's, which this one extends.
    var isInherited = false
    /// No schema defines it: it comes from values alone.
    var isUndefined = false
    /// It has a summary that is the same as would be made from its name.
    var hasSummary = false
    var unknown: Unknown = Unknown()

    struct Enumeration: Hashable {
        var id: Text
        var isFlags: Bool
        /// By nick: the number that programs use.
        var numbers: [JSON.Member]
    }

    /// Attributes and elements that this program knows nothing of.
    struct Unknown: Hashable {
        var attributes: [JSON.Member] = []
        /// As XML.
        var elements: [Text] = []
    }

    init() {}

    /// Empty where the option wasn't imported from GSettings.
    init(_ option: Option) {
        guard let json = option.other["gsettings"] else { return }
        type = json["type"]?.text.flatMap { GVariantType($0.string) }
        for (name, isFlags) in [("enum" as Text, false), ("flags", true)] {
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

    /// The member; nil where there is nothing to say.
    var json: JSON? {
        var members: [JSON.Member] = []
        func add(_ name: Text, _ value: JSON?) {
            if let value { members.append(JSON.Member(name, value)) }
        }
        func add(_ name: Text, _ list: [JSON.Member]) { if !list.isEmpty { add(name, .object(list)) } }
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

/// What GSettings knows of a schema: the member `gsettings` of its group.
struct SchemaNote: Hashable {
    /// Nil where values were found and no schema for them.
    var id: Text?
    /// Nil for a schema that has no place of its own.
    var path: Text?
    /// The schema without a place that this is a copy of, in its place; then there is no `id`.
    var template: Text?
    var gettextDomain: Text?
    var extends: Text?
    var listOf: Text?
    /// Schemas below this one, by their names in it.
    var children: [JSON.Member] = []
    /// Schemas without a place, by their ids: each has the members of a schema and `keys`, its options by name.
    var templates: [JSON.Member] = []
    /// Overrides of schemas that weren't there, by section: at the root of an import.
    var overrides: [JSON.Member] = []
    var unknown = KeyNote.Unknown()

    init() {}

    /// Nil where the group is no schema's.
    init?(_ group: Group?) {
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
            ("id" as Text, id), ("path", path), ("template", template), ("gettext-domain", gettextDomain), ("extends", extends),
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
    /// Of an object.
    var members: [Member]? { if case .object(let members) = self { members } else { nil } }
    /// Of an array, where all of it is strings.
    var texts: [Text]? {
        guard case .array(let elements) = self else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }
}
