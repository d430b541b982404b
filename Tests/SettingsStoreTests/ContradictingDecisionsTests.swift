import Seeds
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Two people decide one conflict, each without knowing of the other: the same, or one this and one that. Whoever comes second
/// merges what the first one published.
struct ContradictingDecisionsTests {
    /// What a conflict is about.
    enum Case: String, CaseIterable {
        case value, title, removed, edited, twoNames, renamedAndRemoved, removedAndRenamed
        case groupTitle, groupRemoved, groupEdited, groupNames

        var subject: String {
            switch self {
            case .twoNames, .renamedAndRemoved: "g.b"
            case .groupTitle, .groupRemoved, .groupEdited: "g"
            case .groupNames: "k"
            case .value, .title, .removed, .edited, .removedAndRenamed: "g.a"
            }
        }

        /// Theirs is in force.
        func make(_ s: TemporaryStore) throws {
            try s.change(s.done()) {
                $0.options[.of("g.a")] = .number("A", 1)
                $0.groups[.of("g")] = SettingsGroup(title: "G")
            }
            func value(_ value: Int, _ person: Person) throws { try s.set("g.a", value, by: person) }
            func remove(_ person: Person) throws { try s.put("g.a", nil, by: person) }
            func removeGroup(_ person: Person) throws {
                try s.change(s.done(person)) { ($0.options[.of("g.a")], $0.groups[.of("g")]) = (nil, nil) }
            }
            func title(_ title: ExactText, _ person: Person) throws {
                try s.change(s.done(person)) { $0.options[.of("g.a")]?.title = title }
            }
            func titleGroup(_ title: ExactText, _ person: Person) throws {
                try s.change(s.done(person)) { $0.groups[.of("g")]?.title = title }
            }
            let (ours, theirs): (() throws -> Void, () throws -> Void) =
                switch self {
                case .value: ({ try value(2, .ada) }, { try value(3, .bob) })
                case .title: ({ try title("P", .ada) }, { try title("Q", .bob) })
                case .removed: ({ try value(2, .ada) }, { try remove(.bob) })
                case .edited: ({ try remove(.ada) }, { try value(2, .bob) })
                case .twoNames: ({ try s.rename("g.a", "g.c") }, { try s.rename("g.a", "g.b", by: .bob) })
                case .renamedAndRemoved: ({ try remove(.ada) }, { try s.rename("g.a", "g.b", by: .bob) })
                case .removedAndRenamed: ({ try s.rename("g.a", "g.b") }, { try remove(.bob) })
                case .groupTitle: ({ try titleGroup("P", .ada) }, { try titleGroup("Q", .bob) })
                case .groupRemoved: ({ try titleGroup("P", .ada) }, { try removeGroup(.bob) })
                case .groupEdited: ({ try removeGroup(.ada) }, { try titleGroup("P", .bob) })
                case .groupNames: ({ try s.renameGroup("g", "h") }, { try s.renameGroup("g", "k", by: .bob) })
                }
            try s.part(ours: ours, theirs: theirs)
            try s.merge { $0.kept = .theirs }
        }
    }

    private static let answers: [[ConflictAnswer]] = [[.ours, .theirs], [.theirs, .ours], [.ours, .ours], [.theirs, .theirs]]

    @Test(.slow, arguments: Case.allCases, answers) func bothDecide(_ about: Case, _ answers: [ConflictAnswer]) throws {
        for isUnrelated in [false, true] {
            try withStore { s in
                try about.make(s)
                func decide(_ answer: ConflictAnswer, by person: Person) throws {
                    if isUnrelated { try s.put(person == .ada ? "n" : "m", .number("M", 1), by: person) }
                    for open in try s.store.merging.openConflicts() where open.conflict.subject.key == .of(about.subject) {
                        try s.resolve(about.subject, answer, open.conflict.facet, by: person)
                    }
                    #expect(try s.open() == [])
                }
                try s.part(
                    ours: { try decide(answers[0], by: .ada) }, theirs: { try decide(answers[1], by: .bob) }, named: "there")
                // With something else in force on the side that is merged, it is the same.
                let before = try s.head()
                for inForce in MergeWish.InForce.allCases {
                    try s.git("reset", "-q", "--hard", before)
                    try s.reopen()
                    if isUnrelated { try s.put("n", .number("N", 2)) }
                    try s.merge("there") { $0.kept = inForce }
                    let open = try s.store.merging.openConflicts()
                    #expect((answers[0] == answers[1]) == open.isEmpty, "\(open.map(\.conflict))")
                    for one in open {
                        #expect([one.origin.ours?.author, one.origin.theirs?.author] == [.ada, .bob], "\(one.conflict)")
                    }
                    for answer in [ConflictAnswer.ours, .theirs] where !open.isEmpty {
                        let merged = try s.head()
                        try s.resolve(open[0].conflict.subject.key.description, answer)
                        #expect(try s.open() == [])
                        let decided = answer == .ours ? before : "there"
                        #expect(try s.git("diff", "--name-status", decided, "HEAD", "--", ":!n.json", ":!m.json") == "")
                        try s.git("reset", "-q", "--hard", merged)
                        try s.reopen()
                    }
                }
            }
        }
    }
}
