import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

extension TemporaryStore {
    /// What this records has to be confirmed within so many minutes.
    @discardableResult
    func wait(
        _ minutes: Int64 = 10, by person: Person = .ada, renames: [(old: Subject, new: Subject)] = [],
        _ body: (inout SettingsContent) -> Void
    ) throws -> Version {
        try #require(try change(waiting(minutes, by: person), renames: renames, body).version)
    }

    func waiting(_ minutes: Int64, by person: Person = .ada) -> Done {
        var done = done(person)
        done.confirmBy = Time(seconds: clock + minutes * 60, offset: 60)
        return done
    }

    @discardableResult
    func wait(_ key: String, _ value: (any Plain)?, _ minutes: Int64 = 10, by person: Person = .ada) throws -> Version {
        try wait(minutes, by: person) { $0.options[.of(key)]?.value = value?.json }
    }

    func session() -> Session { Session(store, by: Caller(), at: Clock(now: clock)) }

    /// Those that wait or have expired, by their ids.
    func unconfirmed() throws -> [VersionID: SettingsModel.Confirmation.State] {
        let open = try session().ask(ConfirmationsQuery()).map(\.confirmation)
        return Dictionary(uniqueKeysWithValues: open.map { ($0.version.id, $0.state) })
    }

    func state(_ version: Version) throws -> SettingsModel.Confirmation.State? {
        try session().ask(ConfirmationQuery(version))?.state
    }

    @discardableResult
    func confirm(_ ids: [VersionID]? = nil, by person: Person = .ada, _ wish: ConfirmAction.Wish = .confirm) throws -> [Version] {
        let done = done(person)
        return try session().perform(ConfirmAction(ids, wish), done).outcomes.compactMap(\.version)
    }

    /// Takes back what has expired `minutes` from now.
    @discardableResult
    func expire(after minutes: Int64 = 60, by person: Person = .ada) throws -> ExpireAction.Outcome {
        clock += minutes * 60
        let done = done(person)
        return try session().perform(ExpireAction(), done)
    }
}
