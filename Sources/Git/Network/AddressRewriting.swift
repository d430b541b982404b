/// How git's configuration leads from one address to another: `url.*.insteadOf` and `url.*.pushInsteadOf`.
package struct AddressRewriting: Sendable {
    private struct Rule: Sendable {
        var prefix: String
        var replacement: String
        var isForPush: Bool
    }

    private let rules: [Rule]

    /// Of a configuration's entries.
    package init(_ entries: [ConfigurationEntry]) {
        rules = entries.compactMap { entry in
            guard entry.section == "url", let replacement = entry.subsection,
                entry.key == "insteadof" || entry.key == "pushinsteadof"
            else { return nil }
            return Rule(prefix: entry.value, replacement: replacement, isForPush: entry.key == "pushinsteadof")
        }
    }

    /// The address that git uses for another; nil where that is the same. As in git, the longest prefix counts, and one for
    /// pushes alone before the others.
    func rewritten(_ url: String, isPush: Bool) -> String? {
        for isForPush in isPush ? [true, false] : [false] {
            var found: Rule?
            for rule in rules where rule.isForPush == isForPush && url.utf8.starts(with: rule.prefix.utf8) {
                if rule.prefix.utf8.count > found?.prefix.utf8.count ?? -1 { found = rule }
            }
            if let found {
                return found.replacement + String(decoding: url.utf8.dropFirst(found.prefix.utf8.count), as: UTF8.self)
            }
        }
        return nil
    }
}
