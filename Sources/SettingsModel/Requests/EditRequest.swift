/// A requested change in plain values: keys as typed, which are looked up in the last version.
package enum EditRequest: Hashable, Sendable {
    /// Sets options in one version, if all conditions hold.
    case set([Assignment], conditions: [Condition] = [])
    case add(String, OptionDefinition, groups: NewGroups = NewGroups())
    /// Defines an option, a group, or the store, which is written as `/`.
    case define(String, OptionDefinition, GroupDefinition, PolicyDefinition)
    case label(String, LabelEdit)
    case rename(String, to: String)
    /// A group is removed with everything in it if `recursive` is true.
    case remove([String], recursive: Bool)

    /// A KEY and its new value.
    package struct Assignment: Hashable, Sendable {
        package var key: String
        package var wish: Wish

        package init(_ key: String, _ wish: Wish) {
            self.key = key
            self.wish = wish
        }
    }

    /// A KEY and the VALUE that it must have.
    package struct Condition: Hashable, Sendable {
        package var key: String
        package var value: Wish

        package init(_ key: String, _ value: Wish) {
            self.key = key
            self.value = value
        }

        /// What is expected, for an error.
        package var words: String {
            switch value {
            case .word(let word), .label(let word): word
            case .json(let json): json?.bare ?? "unset"
            case .index, .next, .previous, .plus, .reset: "\(value)"
            }
        }

        /// Parses `KEY=VALUE`.
        package init(_ word: String) throws(Problem) {
            guard let equals = word.firstIndex(of: "=") else { throw .value(.isNoCondition(word)) }
            key = String(word[..<equals])
            value = .word(String(word[word.index(after: equals)...]))
        }
    }

    /// Titles for the groups of a new option that don't exist yet.
    package struct NewGroups: Hashable, Sendable {
        /// The titles of the innermost groups.
        package var sections: [String]
        /// The titles of the groups around them.
        package var pages: [String]

        package init(sections: [String] = [], pages: [String] = []) {
            self.sections = sections
            self.pages = pages
        }

        /// The groups that contain `key`, the outermost first.
        package func groups(of key: Key) throws(Problem) -> [(key: Key, group: SettingsGroup)] {
            let titles = pages.map { ($0, SettingsGroup.Style.page) } + sections.map { ($0, SettingsGroup.Style.section) }
            let depth = key.parts.count - 1
            guard titles.count <= depth else { throw .editing(.tooManyTitles(key, groups: depth, titles: titles.count)) }
            var place = key.group
            var groups: [(key: Key, group: SettingsGroup)] = []
            for (title, style) in titles.reversed() {
                groups.append((place, SettingsGroup(title: ExactText(title), style: style)))
                place = place.group
            }
            return groups.reversed()
        }
    }
}

/// The user who makes a request.
package struct Caller: Hashable, Sendable {
    /// At a terminal, the last part of a key or a title suffices if it is unique.
    package var isAtTerminal: Bool
    /// The user who called sudo, if any.
    package var sudoUser: UInt32?
    /// What relative keys are counted from; nil if there are none.
    package var place: CurrentFolder?
    /// git's index as it is named to a program that git starts, as a hook; by an absolute path.
    package var gitIndex: String?

    package init(isAtTerminal: Bool = false, sudoUser: UInt32? = nil, place: CurrentFolder? = nil, gitIndex: String? = nil) {
        self.isAtTerminal = isAtTerminal
        self.sudoUser = sudoUser
        self.place = place
        self.gitIndex = gitIndex
    }
}
