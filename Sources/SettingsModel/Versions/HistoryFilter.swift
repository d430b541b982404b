/// Which versions somebody wants to see.
package struct HistoryFilter: Sendable {
    /// Options and groups; everything where there are none.
    package var places: [Key] = []
    /// Seconds since 1970.
    package var since: Int64?
    package var until: Int64?
    /// Part of the author's name or e-mail, any case.
    package var author: String?
    package var ticket: String?
    /// In what changed, why, who asked, tickets and names, any case.
    package var search: String?
    /// A value or label that something was set to, any case.
    package var became: String?

    package init() {}
}
