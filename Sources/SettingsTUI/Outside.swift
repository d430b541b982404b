package import SettingsModel
package import SettingsStore

/// What pages need of the process that they run in.
package struct Outside {
    /// Who records a version and when.
    package var done: (Session) throws -> Done
    /// Has the person edit a file. Why that failed; nil if it didn't.
    package var edit: (_ path: String) -> String?
    /// What the session has reported since it was last asked.
    package var notices: () -> [String]

    /// A version was recorded that is taken back at that time unless it is confirmed.
    package var waits: (Session, Time) -> Void

    package init(
        done: @escaping (Session) throws -> Done, edit: @escaping (_ path: String) -> String?,
        notices: @escaping () -> [String], waits: @escaping (Session, Time) -> Void
    ) {
        self.done = done
        self.edit = edit
        self.notices = notices
        self.waits = waits
    }
}
