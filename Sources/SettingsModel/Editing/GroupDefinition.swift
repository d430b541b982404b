/// The requested members of a group; nil leaves a member unchanged, an empty text or list removes it.
package struct GroupDefinition: Hashable, Sendable {
    package var title: String?
    package var style: SettingsGroup.Style?
    package var footer: String?
    /// The names of its items in the order in which they are shown.
    package var order: [String]?

    package init() {}

    /// Whether it sets a member that only groups have.
    package var isOfGroups: Bool { style != nil || footer != nil || order != nil }

    package func apply(to group: inout SettingsGroup) throws(Problem) {
        if let title { group.title = title.isEmpty ? nil : ExactText(title) }
        if let style { group.style = style }
        if let footer { group.footer = footer.isEmpty ? nil : ExactText(footer) }
        if let order {
            let names = order.map { ExactText($0) }
            guard Set(names).count == names.count else { throw .editing(.duplicateOrderEntry) }
            group.order = names.isEmpty ? nil : names
        }
    }
}

/// The requested policy of a store: the metadata that a version must have. Nil leaves a member unchanged.
package struct PolicyDefinition: Hashable, Sendable {
    package var why: StoreDefinition.Demand?
    package var requestedBy: StoreDefinition.Demand?
    package var ticket: StoreDefinition.Demand?

    package init() {}

    package var isEmpty: Bool { self == PolicyDefinition() }

    package func apply(to definition: inout StoreDefinition) {
        if let why { definition.policy.why = why }
        if let requestedBy { definition.policy.requestedBy = requestedBy }
        if let ticket { definition.policy.ticket = ticket }
    }
}
