/// A column of the screen: a character and how it looks.
package struct Cell: Hashable, Sendable {
    /// One character as people count them; empty in the second column of a wide one.
    package var text: String
    package var look: Look

    package init(_ text: String = " ", _ look: Look = .plain) {
        self.text = text
        self.look = look
    }

    /// What a text is for; an interface decides how it is drawn. Without colors bold, underlined and reversed remain.
    package struct Look: Hashable, Sendable {
        package var role: Role
        package var isFocused: Bool
        /// Whether it is being typed.
        package var isField: Bool
        /// Whether it stands for a character that isn't drawn, such as a line break: no text looks like that.
        package var isSign: Bool

        package init(_ role: Role, isFocused: Bool = false, isField: Bool = false, isSign: Bool = false) {
            self.role = role
            self.isFocused = isFocused
            self.isField = isField
            self.isSign = isSign
        }

        package static let plain = Look(.plain)
    }

    package enum Role: Hashable, Sendable, CaseIterable {
        case plain, title, heading, value, before, after, faint, button, warning
    }
}
