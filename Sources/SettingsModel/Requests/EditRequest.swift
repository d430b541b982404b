/// What somebody wants to be changed, in plain values: keys as they were written, looked up where the last version is known.
package enum EditRequest: Hashable, Sendable {
    /// Grants wishes, all in one version, where each condition holds.
    case set([Assignment], conditions: [Condition] = [])
    case add(String, OptionDefinition, groups: NewGroups = NewGroups())
    /// An option, a group, or the store, which is written as `/`.
    case define(String, OptionDefinition, GroupDefinition, PolicyDefinition)
    case label(String, LabelEdit)
    case rename(String, to: String)
    /// Groups go with all that is in them where it is `recursive`.
    case remove([String], recursive: Bool)

    /// One KEY and what it is to become.
    package struct Assignment: Hashable, Sendable {
        package var key: String
        package var wish: Wish

        package init(_ key: String, _ wish: Wish) {
            self.key = key
            self.wish = wish
        }
    }

    /// A KEY that must have a VALUE.
    package struct Condition: Hashable, Sendable {
        package var key: String
        package var value: String

        /// Reads `KEY=VALUE`.
        package init(_ word: String) throws(Problem) {
            guard let equals = word.firstIndex(of: "=") else { throw .value(.isNoCondition(word)) }
            key = String(word[..<equals])
            value = String(word[word.index(after: equals)...])
        }
    }

    /// Titles for the groups that a new option lies in, where they are not there yet.
    package struct NewGroups: Hashable, Sendable {
        /// For the innermost groups.
        package var sections: [String]
        /// For those around them.
        package var pages: [String]

        package init(sections: [String] = [], pages: [String] = []) {
            self.sections = sections
            self.pages = pages
        }

        /// The groups on `key`'s way, the outermost first.
        package func groups(of key: Key) throws(Problem) -> [(key: Key, group: Group)] {
            let titles = pages.map { ($0, Group.Style.page) } + sections.map { ($0, Group.Style.section) }
            let depth = key.parts.count - 1
            guard titles.count <= depth else { throw .editing(.tooManyTitles(key, groups: depth, titles: titles.count)) }
            var place = key.group
            var groups: [(key: Key, group: Group)] = []
            for (title, style) in titles.reversed() {
                groups.append((place, Group(title: Text(title), style: style)))
                place = place.group
            }
            return groups.reversed()
        }
    }
}

/// Who asks.
package struct Caller: Hashable, Sendable {
    /// At a terminal the last part of a key will do where it is unique.
    package var isAtTerminal: Bool
    /// The person behind root, if any.
    package var sudoUser: UInt32?

    package init(isAtTerminal: Bool = false, sudoUser: UInt32? = nil) {
        self.isAtTerminal = isAtTerminal
        self.sudoUser = sudoUser
    }
}
