extension SettingsGroup {
    /// The order in which a new item is shown after the others, or nil if it is so already.
    ///
    /// The new name is appended to an order that lists everything. Without an order, names are shown in byte order, and most
    /// groups need none: only if another item would follow the new one are all names listed.
    ///
    /// - Parameter names: The names of the options and groups that are there.
    /// - Parameter peers: Those that are shown in one list with the new item: options, or groups.
    package func order(appending name: ExactText, to names: Set<ExactText>, peers: Set<ExactText>) -> [ExactText]? {
        let own = order ?? []
        // Its place was given before, or an option and a group share the name.
        if own.contains(name) || names.contains(name) { return nil }
        let isComplete = !own.isEmpty && names.isSubset(of: own)
        let isLast = !ordered(names.union([name])).drop { $0 != name }.dropFirst().contains(where: peers.contains)
        if isLast, !isComplete { return nil }
        return own + ordered(names).filter { !own.contains($0) } + [name]
    }
}
