import SettingsModel

/// A schema with its references and compositions resolved.
struct FlatSchema {
    /// The members without `properties` and without members taken from other schemas.
    private(set) var members: [JSON.Member] = []
    private(set) var properties: [Property] = []
    /// The offsets of the schemas that it was made from, to detect cycles.
    var places: [Int] = []
    private var indices: [ExactText: Int] = [:]
    private var propertyNames: Set<ExactText> = []

    struct Property {
        var name: ExactText
        var schema: SchemaResolver.Place
        /// The offsets of the schemas that contain it.
        var within: [Int]
    }

    subscript(name: ExactText) -> JSON? {
        get { indices[name].map { members[$0].value } }
        set {
            if let newValue, let index = indices[name] {
                members[index].value = newValue
            } else if let newValue {
                indices[name] = members.count
                members.append(JSON.Member(name, newValue))
            } else if let index = indices.removeValue(forKey: name) {
                members.remove(at: index)
                for (name, later) in indices where later > index { indices[name] = later - 1 }
            }
        }
    }

    mutating func add(_ property: Property) {
        if propertyNames.insert(property.name).inserted { properties.append(property) }
    }
}

/// Resolves references within one document.
///
/// `$ref` may be a JSON Pointer, an anchor or an `$id` of the same document; no other document is opened. The amount of
/// work is limited, because a few lines can refer to each other a million times over.
struct SchemaResolver {
    let document: JSONC
    private var work = 0
    /// The members of large objects by name, keyed by the object's offset.
    private var indices: [Int: [ExactText: JSONC.Node]] = [:]
    private var resources: [ExactText: JSONC.Node]?

    static let workLimit = 1_500_000

    /// A schema, and the resource that its references are relative to.
    struct Place {
        var node: JSONC.Node
        var resource: JSONC.Node

        /// A schema with its own `$id` is the base of its references.
        var entered: Place { Place(node: node, resource: node.isResource ? node : resource) }
    }

    private static let chainLimit = 64

    init(_ document: JSONC) { self.document = document }

    /// Counts the work, and rejects documents that need too much.
    mutating func count(_ amount: Int = 1) throws(Refusal) {
        work += amount
        guard work <= SchemaResolver.workLimit else {
            throw Refusal(
                "its references expand to more settings than can be read", in: document.path,
                hint: "name a schema with fewer references")
        }
    }

    /// Resolves all references of `place`, except those that aren't in the document or are cyclic.
    /// `asObject`: the alternative that isn't a scalar is chosen.
    mutating func flat(_ place: Place, asObject: Bool = false) throws(Refusal) -> FlatSchema {
        var flat = FlatSchema()
        try add(place, to: &flat, following: [])
        try addOnlyAlternative(place, to: &flat, asObject: asObject)
        try resolveAlternatives(place, in: &flat)
        return flat
    }

    private mutating func add(_ place: Place, to flat: inout FlatSchema, following: [Int]) throws(Refusal) {
        let place = place.entered
        let start = place.node.range.lowerBound
        guard let members = place.node.members else { return }
        try count(8 + members.count)
        let isReferred = !following.isEmpty
        let isAtLimit = following.count >= SchemaResolver.chainLimit
        let following = following + [start]
        flat.places.append(start)
        var target: Place?
        for (name, value) in members {
            switch name {
            case "properties" where value.members != nil:
                for (name, schema) in value.members ?? [] {
                    try count()
                    let schema = Place(node: schema, resource: place.resource)
                    flat.add(FlatSchema.Property(name: name, schema: schema, within: following))
                }
            case "$ref":
                if !isAtLimit, let text = value.text, let found = try self.target(of: text, from: place.resource),
                    !following.contains(found.node.range.lowerBound)
                {
                    target = found
                } else {
                    try append(name, value, to: &flat)
                }
            case "allOf": continue
            case "$defs", "definitions", "$id", "id", "$schema", "$anchor", "$comment":
                if !isReferred { try append(name, value, to: &flat) }
            default: try append(name, value, to: &flat)
            }
        }
        if let list = place.node["allOf"] {
            var isTaken = false
            if !isAtLimit { isTaken = try addAll(list, of: place, to: &flat, following: following) }
            if !isTaken { try append("allOf", list, to: &flat) }
        }
        if let target { try add(target, to: &flat, following: following) }
    }

    /// Existing members take precedence.
    private mutating func append(_ name: ExactText, _ value: JSONC.Node, to flat: inout FlatSchema) throws(Refusal) {
        try count(value.range.count / 4)
        if flat[name] == nil { flat[name] = value.json }
    }

    /// Merges the branches of `allOf` if they don't contradict each other.
    private mutating func addAll(
        _ list: JSONC.Node, of place: Place, to flat: inout FlatSchema, following: [Int]
    ) throws(Refusal) -> Bool {
        guard let branches = list.elements else { return false }
        var trial = flat
        for branch in branches {
            var part = FlatSchema()
            try add(Place(node: branch, resource: place.resource), to: &part, following: following)
            if part["$ref"] != nil || part["allOf"] != nil { return false }
            for member in part.members {
                guard let present = trial[member.name], present != member.value else {
                    trial[member.name] = member.value
                    continue
                }
                if SchemaResolver.describes(member.name) { continue }
                guard let both = SchemaResolver.both(member.name, present, member.value) else { return false }
                trial[member.name] = both
            }
            for property in part.properties { trial.add(property) }
            trial.places += part.places
        }
        flat = trial
        return true
    }

    private static func describes(_ name: ExactText) -> Bool {
        ["title", "description", "default", "examples", "$comment"].contains(name)
    }

    /// The conjunction of two schemas' members in simple cases.
    private static func both(_ name: ExactText, _ left: JSON, _ right: JSON) -> JSON? {
        switch (name, left, right) {
        case ("minimum", .number(let a), .number(let b)): .number(a < b ? b : a)
        case ("maximum", .number(let a), .number(let b)): .number(a < b ? a : b)
        case ("required", .array(let a), .array(let b)): .array(a + b.filter { !a.contains($0) })
        case ("enum", .array(let a), .array(let b)): .array(a.filter { b.contains($0) })
        default: nil
        }
    }

    /// `oneOf` or `anyOf` of one schema and null is that schema.
    private mutating func addOnlyAlternative(
        _ place: Place, to flat: inout FlatSchema, asObject: Bool
    ) throws(Refusal) {
        guard flat["type"] == nil, flat["enum"] == nil, flat["$ref"] == nil, flat.properties.isEmpty else { return }
        for name in ["anyOf", "oneOf"] as [ExactText] {
            guard let (list, resource) = try alternatives(name, place) else { continue }
            let scalars: [ExactText] = asObject ? ["null", "string", "number", "integer", "boolean"] : ["null"]
            let others = list.filter { node in node["type"]?.text.map { !scalars.contains($0) } ?? true }
            guard others.count == 1 else { continue }
            var part = flat
            part[name] = nil
            try add(Place(node: others[0], resource: resource), to: &part, following: flat.places)
            guard part["$ref"] == nil, part["allOf"] == nil else { return }
            if list.count > 1, !asObject, let type = part["type"]?.text { part["type"] = .array([.string(type), "null"]) }
            flat = part
            return
        }
    }

    /// Alternatives that refer to a simple schema are replaced by it.
    private mutating func resolveAlternatives(_ place: Place, in flat: inout FlatSchema) throws(Refusal) {
        for name in ["anyOf", "oneOf"] as [ExactText] {
            guard flat[name] != nil, let (list, resource) = try alternatives(name, place),
                list.contains(where: { $0["$ref"] != nil })
            else { continue }
            var resolved: [JSON] = []
            for node in list {
                var part = FlatSchema()
                try add(Place(node: node, resource: resource), to: &part, following: flat.places)
                let isSimple =
                    part.properties.isEmpty && part["items"] == nil && part["$ref"] == nil && part["additionalProperties"] == nil
                resolved.append(isSimple ? .object(part.members) : node.json)
            }
            flat[name] = .array(resolved)
        }
    }

    /// The list `name` of `place`, or of what it refers to.
    private mutating func alternatives(_ name: ExactText, _ place: Place) throws(Refusal) -> ([JSONC.Node], JSONC.Node)? {
        var place = place
        for _ in 0..<64 {
            try count()
            if let list = place.node[name]?.elements { return (list, place.resource) }
            guard let text = place.node["$ref"]?.text, let target = try target(of: text, from: place.resource) else { return nil }
            place = target
        }
        return nil
    }
}

extension JSONC.Node {
    fileprivate var isResource: Bool { self["$id"]?.text.map { !$0.string.hasPrefix("#") } ?? false }
}

/// Finds the target of a reference.
extension SchemaResolver {
    /// The schema that `reference` refers to; nil if it isn't in this document.
    mutating func target(of reference: ExactText, from resource: JSONC.Node) throws(Refusal) -> Place? {
        guard let root = document.root else { return nil }
        try count()
        let parts = reference.string.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var base = resource
        if !parts[0].isEmpty {
            guard let named = try self.resource(ExactText(parts[0]), root) else { return nil }
            base = named
        }
        guard parts.count == 2, !parts[1].isEmpty else { return Place(node: base, resource: base) }
        guard parts[1].hasPrefix("/") else {
            return try anchor(ExactText(parts[1]), base).map { Place(node: $0, resource: base) }
        }
        var node = base
        for step in parts[1].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let next = try child(SchemaResolver.unescaped(String(step)), of: node) else { return nil }
            node = next
            if let id = try child("$id", of: node)?.text, !id.string.hasPrefix("#") { base = node }
        }
        return Place(node: node, resource: base)
    }

    private mutating func child(_ name: String, of node: JSONC.Node) throws(Refusal) -> JSONC.Node? {
        switch node.content {
        case .scalar: return nil
        case .array(let items): return Int(name).flatMap { items.indices.contains($0) ? items[$0].value : nil }
        case .object(let items):
            guard items.count > 16 else { return node[ExactText(name)] }
            let start = node.range.lowerBound
            if indices[start] == nil {
                try count(items.count)
                indices[start] = Dictionary((node.members ?? []).map { ($0.name, $0.value) }) { first, _ in first }
            }
            return indices[start]?[ExactText(name)]
        }
    }

    /// The document itself by its `$id`, or a definition with that `$id`.
    private mutating func resource(_ id: ExactText, _ root: JSONC.Node) throws(Refusal) -> JSONC.Node? {
        if resources == nil {
            var found: [ExactText: JSONC.Node] = [:]
            if let id = root["$id"]?.text ?? root["id"]?.text {
                found[id] = root
                if id.string.hasSuffix("#") { found[ExactText(String(id.string.dropLast()))] = root }
            }
            for (_, node) in definitions(of: root) {
                try count()
                if let id = node["$id"]?.text ?? node["id"]?.text, found[id] == nil { found[id] = node }
            }
            resources = found
        }
        return resources?[id]
    }

    private mutating func anchor(_ name: ExactText, _ base: JSONC.Node) throws(Refusal) -> JSONC.Node? {
        for (_, node) in definitions(of: base) {
            try count()
            if node["$anchor"]?.text == name || node["$id"]?.text == ExactText("#\(name)")
                || node["id"]?.text == ExactText("#\(name)")
            {
                return node
            }
        }
        return nil
    }

    private func definitions(of node: JSONC.Node) -> [(name: ExactText, value: JSONC.Node)] {
        (node["$defs"]?.members ?? []) + (node["definitions"]?.members ?? [])
    }

    /// Decodes a step of a JSON Pointer in a URI fragment (RFC 6901).
    static func unescaped(_ step: String) -> String {
        var bytes: [UInt8] = []
        let source = Array(step.utf8)
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let byte = UInt8(String(decoding: source[index + 1...index + 2], as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self).replacing("~1", with: "/")
            .replacing("~0", with: "~")
    }
}
