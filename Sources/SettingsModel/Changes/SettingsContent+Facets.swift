// Splits an item into facets and puts it together again. Every member of a file is in exactly one facet, so that
// the changes between two states are complete.

extension SettingsContent.Item {
    /// The content of each facet; empty facets are left out.
    package var facets: [Facet: Change.Content] {
        var facets: [Facet: Change.Content] = [:]
        switch self {
        case .option(let option):
            facets[.title] = .json(.string(option.title))
            facets[.type] = .json(.string(option.type.rawValue))
            facets[.value] = option.value.map { option.content($0) }
            facets[.default] = option.defaultValue.map { option.content($0) }
            facets[.help] = option.help.map { .json(.string($0)) }
            facets[.labels] = .labels(option.labels)
            for (name, keyPath) in SettingsOption.Range.bounds {
                facets[.bound(name)] = option.range[keyPath: keyPath].map { .json(.number($0)) }
            }
            for (name, value) in option.other { facets[.member(name)] = option.content(value, ofMember: name) }
        case .group(let group):
            facets[.title] = group.title.map { .json(.string($0)) }
            facets[.member("style")] = group.style.map { .json(.string($0.rawValue)) }
            facets[.member("footer")] = group.footer.map { .json(.string($0)) }
            facets[.order] = group.order.map { .json(.array($0.map { .string($0) })) }
            for (name, value) in group.other { facets[.member(name)] = .json(value) }
        case .store(let definition):
            facets[.title] = definition.title.map { .json(.string($0)) }
            if case .object(let demands) = definition.policy.json {
                for demand in demands { facets[.member("policy.\(demand.name)")] = .json(demand.value) }
            }
            for (name, value) in definition.other { facets[.member(name)] = .json(value) }
        }
        return facets
    }

    /// Replaces the content of `facet`.
    package mutating func set(_ facet: Facet, to content: Change.Content?) {
        // Only one reference is kept while a member changes: copying all members for each of many changes would take quadratic time.
        switch self {
        case .option(var option):
            self = .group(SettingsGroup())
            option.set(facet, to: content)
            self = .option(option)
        case .group(var group):
            self = .group(SettingsGroup())
            group.set(facet, to: content)
            self = .group(group)
        case .store(var definition):
            self = .group(SettingsGroup())
            definition.set(facet, to: content)
            self = .store(definition)
        }
    }
}

extension SettingsOption.Range {
    fileprivate static var bounds: [(ExactText, WritableKeyPath<SettingsOption.Range, Number?>)] {
        [("minimum", \.minimum), ("maximum", \.maximum), ("step", \.step)]
    }
}

extension SettingsOption {
    package func content(_ value: JSON) -> Change.Content { .value(value, words: label(of: value), isMasked: isMasked) }

    fileprivate func content(_ json: JSON, ofMember name: ExactText) -> Change.Content {
        masks(name) ? .value(json, words: nil, isMasked: true) : .json(json)
    }

    fileprivate mutating func set(_ facet: Facet, to content: Change.Content?) {
        switch facet {
        case .title: title = content?.json?.text ?? ""
        case .type: type = content?.json?.text.flatMap { Kind(rawValue: $0.string) } ?? .data
        case .value: value = content?.json
        case .default: defaultValue = content?.json
        case .help: help = content?.json?.text
        case .labels: if case .labels(let labels)? = content { self.labels = labels }
        case .bound(let name):
            guard let keyPath = Range.bounds.first(where: { $0.0 == name })?.1 else { return }
            if case .number(let number)? = content?.json {
                range[keyPath: keyPath] = number
            } else {
                range[keyPath: keyPath] = nil
            }
        case .member(let name): other[name] = content?.json
        case .existence, .key, .order: break
        }
    }
}

extension SettingsGroup {
    fileprivate mutating func set(_ facet: Facet, to content: Change.Content?) {
        switch facet {
        case .title: title = content?.json?.text
        case .member("style"): style = content?.json?.text.flatMap { Style(rawValue: $0.string) }
        case .member("footer"): footer = content?.json?.text
        case .order:
            if case .array(let names)? = content?.json { order = names.compactMap(\.text) } else { order = nil }
        case .member(let name): other[name] = content?.json
        default: break
        }
    }
}

extension StoreDefinition {
    fileprivate mutating func set(_ facet: Facet, to content: Change.Content?) {
        switch facet {
        case .title: title = content?.json?.text
        case .member(let name) where name.string.hasPrefix("policy."):
            let demand = ExactText(String(name.string.dropFirst("policy.".count)))
            if let keyPath = Policy.demands[demand] {
                policy[keyPath: keyPath] = content?.json?.text.flatMap { Demand(rawValue: $0.string) } ?? .optional
            } else {
                policy.other[demand] = content?.json
            }
        case .member(let name): other[name] = content?.json
        default: break
        }
    }
}

extension SettingsOption {
    /// Whether a facet means the same in both. Two values are the same if their labels are.
    package func isSame(_ facet: Facet, as other: SettingsOption) -> Bool {
        if facet == .value, type == .choice, other.type == .choice, let value, let old = other.value {
            guard let label = labels.label(of: value) else { return value == old }
            return other.labels.counterpart(of: label, in: labels)?.value == old
        }
        return Change.Content.isSame(content(of: facet), other.content(of: facet))
    }

    private func content(of facet: Facet) -> Change.Content? {
        // 'blame' asks for this of each of 10,000 options.
        facet == .value ? value.map { content($0) } : SettingsContent.Item.option(self).facets[facet]
    }
}
