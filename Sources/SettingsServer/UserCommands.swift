import SettingsModel

/// Lets somebody sign in. Returns the token, which stands nowhere, and whether the person was not listed before.
public func addUser(_ words: String, role: String, to path: String) throws(ServeFailure) -> (token: String, isNew: Bool) {
    let person = try person(words)
    guard let role = Users.Role(rawValue: role) else {
        throw ServeFailure(status: 64, reason: "invalid role '\(role)': expected read or write")
    }
    let token = Who.newToken()
    var isNew = false
    try UsersFile.change(path) { users throws(ServeFailure) in
        isNew = !users.add(Users.User(person: person, role: role, digest: Who.digest(token)))
    }
    return (token, isNew)
}

/// Lets somebody sign in no longer, who may be named by the e-mail address alone. Returns the person as the file had them.
public func removeUser(_ words: String, from path: String) throws(ServeFailure) -> String {
    let person = try person(words.contains("@") && !words.contains("<") ? "\(words) <\(words)>" : words)
    _ = try UsersFile.checked(path)
    var removed = person
    try UsersFile.change(path) { users throws(ServeFailure) in
        guard let user = users.users.first(where: { $0.person.isSame(as: person) }), users.remove(person) else {
            throw ServeFailure(status: 66, reason: "\(words) is not listed in \(path)")
        }
        removed = user.person
    }
    return removed.description
}

public func listedUsers(in path: String) throws(ServeFailure) -> [(person: String, role: String)] {
    try UsersFile.checked(path).users.map { ($0.person.description, $0.role.rawValue) }
}

private func person(_ words: String) throws(ServeFailure) -> Person {
    if let person = Person(words), !Person.cleaned(person.name).isEmpty { return person }
    throw ServeFailure(status: 64, reason: "invalid person '\(words)': expected 'Name <e-mail>'")
}
