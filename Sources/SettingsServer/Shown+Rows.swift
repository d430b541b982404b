import SettingsModel
import SettingsPages

// The rows of groups, which are most of a page, and alike for everybody who asks for it until something is recorded.

extension Shown {
    /// What of a group's page was made, for whom, and in which minute: times say how long ago they are.
    struct Rows: Sendable {
        struct Place: Hashable {
            var group: Key
            var mayWrite: Bool
        }
        var minute: Int64 = 0
        var made: [Place: HTML] = [:]
    }

    private var minute: Int64 { scene.phrases.clock.now / 60 }

    /// Nil where they are to be made: also where files or merges have a say in them, which may change at any time.
    func rows(at place: Rows.Place) -> HTML? {
        rows.minute == minute && areOfTheVersionAlone ? rows.made[place] : nil
    }

    mutating func keep(_ html: HTML, at place: Rows.Place) {
        if !areOfTheVersionAlone { return }
        if rows.minute != minute { rows = Rows(minute: minute) }
        rows.made[place] = html
    }

    private var areOfTheVersionAlone: Bool {
        scene.facts.handEdited.isEmpty && scene.facts.unreadable.isEmpty && openConflicts.isEmpty
    }
}
