import SettingsModel

extension Versions {
    /// What a name means already where a version is named: a tag or a branch of that name would never be found, or hide that.
    /// `known`: names that may be taken.
    func meaning(of name: String, _ clock: Clock, besides known: [String] = []) throws(Problem) -> NameMeaning? {
        if When(name, clock).seconds != nil {
            .time
        } else if name == "@" || name == "HEAD" || name.hasSuffix("_HEAD") && name == name.uppercased() {
            .gitsOwn
        } else if ["refs/", "heads/", "tags/", "remotes/"].contains(where: name.hasPrefix) || name == "stash" {
            .reference
        } else if name.utf8.count >= Self.shownIDLength, name.utf8.allSatisfy(Self.isHexadecimal) {
            .beginningOfID
        } else if (try? repository.references.reference(named: "refs/heads/" + name)) != nil {
            .branch
        } else if known.contains(name) {
            nil
        } else {
            (try? repository.references.resolve(name)).map { .version($0) }
        }
    }

    /// As ids are printed.
    private static let shownIDLength = 7

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
    }
}
