/// What a group is to be, as far as somebody says it. An empty text or list: none.
package struct GroupDefinition: Hashable, Sendable {
    package var title: String?
    package var style: Group.Style?
    package var footer: String?
    /// The names of what it holds, in the order that it shows them.
    package var order: [String]?

    package init() {}

    /// Whether it says anything that only groups have.
    package var isOfGroups: Bool { style != nil || footer != nil || order != nil }

    package func apply(to group: inout Group) throws(Problem) {
        if let title { group.title = title.isEmpty ? nil : Text(title) }
        if let style { group.style = style }
        if let footer { group.footer = footer.isEmpty ? nil : Text(footer) }
        if let order {
            let names = order.map { Text($0) }
            guard Set(names).count == names.count else { throw .editing(.namesTwice) }
            group.order = names.isEmpty ? nil : names
        }
    }
}

/// What a store asks of whoever records a version, as far as somebody says it.
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
