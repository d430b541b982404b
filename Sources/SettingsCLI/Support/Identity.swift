import SettingsStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Who somebody is, as git finds it out: its environment variables, its configuration, the account and the host.
struct Identity {
    let environment: Environment
    /// A value of git's configuration.
    let configured: (String) -> String?

    /// Who ran the tool.
    var committer: Person {
        let account = Self.account(geteuid())
        return person(
            [environment["GIT_COMMITTER_NAME"], configured("committer.name"), configured("user.name"), account.name],
            [
                environment["GIT_COMMITTER_EMAIL"], configured("committer.email"), configured("user.email"), environment["EMAIL"],
                account.email,
            ])
    }

    /// Who makes the change: under sudo, the person behind it.
    var author: Person {
        let name = environment["GIT_AUTHOR_NAME"]
        let email = environment["GIT_AUTHOR_EMAIL"]
        if let user = environment.sudoUser {
            let account = Self.account(user)
            let own = { (key: String) in Store.configured(key, inFile: account.home + "/.gitconfig") }
            return person([name, own("user.name"), account.name], [email, own("user.email"), account.email])
        }
        let account = Self.account(geteuid())
        return person(
            [name, configured("author.name"), configured("user.name"), account.name],
            [email, configured("author.email"), configured("user.email"), environment["EMAIL"], account.email])
    }

    /// The first of each that is left once what git allows in no name is taken out, as git does it.
    private func person(_ names: [String?], _ emails: [String?]) -> Person {
        func first(_ words: [String?]) -> String? { words.lazy.compactMap { $0.map(Person.cleaned) }.first { !$0.isEmpty } }
        return Person(name: first(names) ?? "unknown", email: first(emails) ?? "unknown@localhost")
    }

    /// `GIT_AUTHOR_DATE` and `GIT_COMMITTER_DATE` in git's forms; else now.
    func time(_ variable: String) throws -> Time {
        guard let text = environment[variable] else {
            guard environment.now >= 0 else {
                throw Failure(
                    .busy, "the clock of this machine stands before 1970, a time that git can't record",
                    hint: "set the clock, then try again; 'date' shows it")
            }
            return Time.local(environment.now)
        }
        guard let time = time(written: text), (0..<253_402_300_800).contains(time.seconds) else {
            throw Failure(.usage, "\(variable) is '\(text)', which is no time", hint: "write it as 2026-11-20T18:00:00Z")
        }
        return time
    }

    private func time(written text: String) -> Time? {
        let words = text.split(separator: " ")
        if words.count == 2, let seconds = Int64(words[0].hasPrefix("@") ? words[0].dropFirst() : words[0]) {
            if let offset = Self.offset(words[1]) { return Time(seconds: seconds, offset: offset) }
        }
        if text.hasPrefix("@"), let seconds = Int64(text.dropFirst()) { return Time(seconds: seconds, offset: 0) }
        guard case .moment(let seconds) = When(text, now: environment.now) else { return nil }
        return Time.local(seconds)
    }

    private static func offset(_ text: Substring) -> Int? {
        guard text.count == 5, let sign = text.first, "+-".contains(sign), let number = Int(text.dropFirst()), number <= 1400,
            number % 100 < 60
        else { return nil }
        return (number / 100 * 60 + number % 100) * (sign == "-" ? -1 : 1)
    }

    private static func account(_ id: UInt32) -> (name: String, email: String, home: String) {
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, host.count - 1)
        let hostName = host.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? ""
        let place = hostName.isEmpty ? "localhost" : hostName
        guard let entry = getpwuid(id) else { return ("user \(id)", "\(id)@\(place)", "/") }
        let login = String(cString: entry.pointee.pw_name)
        let full = entry.pointee.pw_gecos.map { String(cString: $0) }?.split(separator: ",", omittingEmptySubsequences: false)
            .first.map(String.init)
        let name = full.flatMap { $0.isEmpty ? nil : $0 } ?? login
        return (name, "\(login)@\(place)", String(cString: entry.pointee.pw_dir))
    }
}
