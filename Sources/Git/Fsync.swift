/// What git waits for on the disk when it writes, as `core.fsync` says: git-config(1) has the words.
package struct Fsync: Equatable, Sendable {
    /// What versions stand on: a commit by plain git that a recorded version follows, packs and what finds objects in
    /// them, and the branches, which `git gc` packs into one file.
    static let needed: Set = ["loose-object", "pack", "pack-metadata", "commit-graph", "reference"]

    private static let groups: [String: Set<String>] = [
        "objects": ["loose-object", "pack"], "committed": ["loose-object", "pack"],
        "added": ["loose-object", "pack", "index"], "derived-metadata": ["pack-metadata", "commit-graph"],
        "all": ["loose-object", "pack", "pack-metadata", "commit-graph", "index", "reference"],
    ]
    /// Git's own, where nothing is configured.
    private static let usual: Set = ["pack", "pack-metadata", "commit-graph"]

    /// As it is configured; nil where it isn't.
    package let text: String?
    private let components: Set<String>

    package init(_ text: String?) {
        self.text = text
        var (start, added, removed) = (Self.usual, Set<String>(), Set<String>())
        for word in (text ?? "").split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            let name = String(word.hasPrefix("-") ? word.dropFirst() : word)
            if name == "none" {
                start = []
            } else if word.hasPrefix("-") {
                removed.formUnion(Self.groups[name] ?? [name])
            } else {
                added.formUnion(Self.groups[name] ?? [name])
            }
        }
        components = start.subtracting(removed).union(added)
    }

    /// What is needed and left out.
    package var missing: [String] { Self.needed.subtracting(components).sorted() }

    /// What to configure so that nothing is left out: git's recommendation with the references, or what somebody chose with
    /// what it leaves out. What is added beats what is taken away, wherever it stands.
    package var completed: String {
        guard let text, !text.isEmpty else { return "committed,reference" }
        return ([text] + missing).joined(separator: ",")
    }
}
