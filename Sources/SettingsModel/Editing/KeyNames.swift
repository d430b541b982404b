/// How the keys of what there is can be written: what a shell completes.
package struct KeyNames {
    private let options: Set<Key>
    private let groups: Set<Key>
    private let place: CurrentFolder?

    package init(_ subjects: [Subject], from place: CurrentFolder?) {
        options = Set(subjects.options)
        groups = KeyLookup.groups(among: subjects)
        self.place = place
    }

    /// With slashes if `prefix` has one, and by the way that it begins with; sorted.
    package func starting(with prefix: String, ofGroups: Bool) -> [String] {
        guard let slash = prefix.lastIndex(of: "/") else {
            return names(ofGroups: ofGroups).filter { $0.hasPrefix(prefix) }.sorted()
        }
        let start = String(prefix[...slash])
        guard let group = group(start) else { return [] }
        func paths(_ keys: Set<Key>, _ end: String) -> [String] {
            keys.filter { $0.isWithin(group) && $0 != group }
                .map { start + $0.parts.dropFirst(group.parts.count).joined(separator: "/") + end }
        }
        return (paths(options, "") + (ofGroups ? paths(groups, "/") : [])).filter { $0.hasPrefix(prefix) }.sorted()
    }

    /// Every key in full, and what lies in the current folder by its name there, unless that is another one's key.
    private func names(ofGroups: Bool) -> [String] {
        let keys = ofGroups ? options.union(groups) : options
        let here = keys.compactMap { place?.name(of: $0) }.filter { !options.contains($0) && !groups.contains($0) }
        return keys.union(here).map(\.description)
    }

    /// The group that a way to it names; nil if there is none.
    private func group(_ way: String) -> Key? {
        let word = KeyWord(way, from: place)
        return word.readings.first { $0.isRoot || groups.contains($0) }
    }
}
