import SettingsText

/// The options of every command: which store to use, and how to print.
struct GlobalRequest: Equatable {
    var store: String?
    var user = false
    var color = Output.Colour.auto
    var quiet = false
    var noPager = false
    /// How times are written, in a word of git's `--date`.
    var date: String?

    /// The usage error of an invalid combination.
    var problem: String? {
        if store == "" { return "--store must not be empty; leave it out to use the nearest store" }
        if user, store != nil { return "--user and --store cannot be combined" }
        if let date, TimeFormat(date, isTerminal: true) == nil {
            return "invalid date format '\(date)': expected \(TimeFormat.words)"
        }
        return nil
    }
}

extension GlobalRequest {
    static let flags = ["--user", "--quiet", "--no-pager"]
    static let values = ["--store", "--color", "--date"]

    init?(plain words: PlainWords) {
        store = words["--store"]
        user = words.has("--user")
        quiet = words.has("--quiet")
        noPager = words.has("--no-pager")
        if let word = words["--color"] {
            guard let colour = Output.Colour(rawValue: word) else { return nil }
            color = colour
        }
        date = words["--date"]
        if problem != nil { return nil }
    }
}
