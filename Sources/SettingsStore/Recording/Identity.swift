import Files
package import SettingsModel

/// Who somebody is, as git finds it out: its environment variables, its configuration, the account and the host.
package struct Identity {
    /// Looks up an environment variable.
    private let variable: (String) -> String?
    /// The user who called sudo, if any.
    private let sudoUser: UInt32?
    private let clock: Clock
    /// Looks up a value of git's configuration.
    private let configured: (String) -> String?

    package init(
        sudoUser: UInt32?, at clock: Clock, variable: @escaping (String) -> String?, configured: @escaping (String) -> String?
    ) {
        self.variable = variable
        self.sudoUser = sudoUser
        self.clock = clock
        self.configured = configured
    }

    /// The user who ran the tool.
    package var committer: Person {
        get throws(Problem) {
            let account = ThisProcess.account(ThisProcess.user)
            return try person(
                [variable("GIT_COMMITTER_NAME"), configured("committer.name"), configured("user.name")],
                [variable("GIT_COMMITTER_EMAIL"), configured("committer.email"), configured("user.email")],
                else: account.name, [variable("EMAIL"), account.email], configured)
        }
    }

    /// The author of the change: under sudo, the user who called it.
    package var author: Person {
        get throws(Problem) {
            let name = variable("GIT_AUTHOR_NAME")
            let email = variable("GIT_AUTHOR_EMAIL")
            if let user = sudoUser {
                let account = ThisProcess.account(user)
                let own = { (key: String) in Store.configured(key, inFile: account.home + "/.gitconfig") }
                return try person(
                    [name, own("user.name")], [email, own("user.email")], else: account.name, [account.email], own)
            }
            let account = ThisProcess.account(ThisProcess.user)
            return try person(
                [name, configured("author.name"), configured("user.name")],
                [email, configured("author.email"), configured("user.email")],
                else: account.name, [variable("EMAIL"), account.email], configured)
        }
    }

    /// The first name and e-mail that are not empty without the characters that git removes. If there is none, they are guessed,
    /// unless `user.useConfigOnly` forbids that.
    private func person(
        _ names: [String?], _ emails: [String?], else name: String, _ guessed: [String?], _ configured: (String) -> String?
    ) throws(Problem) -> Person {
        func first(_ words: [String?]) -> String? { words.lazy.compactMap { $0.map(Person.cleaned) }.first { !$0.isEmpty } }
        let given = (name: first(names), email: first(emails))
        if given.name == nil || given.email == nil, Self.isOn(configured("user.useConfigOnly")) {
            throw .identity(given.email == nil ? .hasNoEmail : .hasNoName)
        }
        return Person(
            name: given.name ?? first([name]) ?? "unknown", email: given.email ?? first(guessed) ?? "unknown@localhost")
    }

    /// Whether a value of git's configuration means true; nil for what git doesn't take as true or false.
    package static func truth(_ value: String) -> Bool? {
        switch value.lowercased() {
        case "true", "yes", "on": return true
        case "false", "no", "off", "": return false
        case let word:
            let factors: [Character: Int] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30]
            let factor = word.last.flatMap { factors[$0] }
            guard let number = Int(factor == nil ? word : String(word.dropLast())) else { return nil }
            return number != 0
        }
    }

    private static func isOn(_ value: String?) -> Bool { value.flatMap(truth) ?? false }

    /// The time in `GIT_AUTHOR_DATE` or `GIT_COMMITTER_DATE`, in git's formats; the current time by default.
    package func time(_ name: String) throws(Problem) -> Time {
        guard let text = variable(name) else {
            guard clock.now >= 0 else { throw .identity(.clockIsBefore1970) }
            return clock.time(clock.now)
        }
        guard let time = time(written: text), (0..<253_402_300_800).contains(time.seconds) else {
            throw .identity(.isNoTime(text, variable: name))
        }
        return time
    }

    private func time(written text: String) -> Time? {
        let words = text.split(separator: " ")
        if words.count == 2, let seconds = Int64(words[0].hasPrefix("@") ? words[0].dropFirst() : words[0]) {
            if let offset = Self.offset(words[1]) { return Time(seconds: seconds, offset: offset) }
        }
        if words.count == 1, let seconds = Int64(text.hasPrefix("@") ? text.dropFirst() : text[...]), text.utf8.count > 8 {
            return clock.time(seconds)
        }
        return When.time(text, clock)
    }

    private static func offset(_ text: Substring) -> Int? {
        guard text.count == 5, let sign = text.first, "+-".contains(sign), let number = Int(text.dropFirst()), number <= 1400,
            number % 100 < 60
        else { return nil }
        return (number / 100 * 60 + number % 100) * (sign == "-" ? -1 : 1)
    }
}
