/// Criteria for versions of the history.
package struct HistoryFilter: Sendable {
    /// Options and groups; empty means everything.
    package var places: [Key] = []
    /// Seconds since 1970.
    package var since: Int64?
    package var until: Int64?
    /// Part of the author's name or e-mail, ignoring case.
    package var author: String?
    /// Part of a requester's name or e-mail, ignoring case.
    package var requestedBy: String?
    /// Who requesters are, whatever their names were.
    package var people = Mailmap()
    package var ticket: String?
    /// A text in the change, reason, requester, tickets or names, ignoring case.
    package var search: String?
    /// A value or label that something was set to, ignoring case.
    package var became: String?

    package init() {}
}
