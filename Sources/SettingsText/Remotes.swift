package import SettingsModel

// What 'remote' prints, and 'doctor' of remotes.

/// A remote, and how it stands to this branch as far as that is known without asking it.
package struct KnownRemote: Sendable {
    package var name: String
    package var url: String
    package var branch: String
    /// Versions here that it didn't have when it was last reached, and the other way round; nil if it never was.
    package var ahead: Int?
    package var behind: Int?
    package var reached: Time?
    /// What git is told only if it is trusted.
    package var programs: [RemoteProgram]

    package init(
        _ name: String, _ url: String, branch: String, ahead: Int?, behind: Int?, reached: Time?, programs: [RemoteProgram]
    ) {
        self.name = name
        self.url = url
        self.branch = branch
        self.ahead = ahead
        self.behind = behind
        self.reached = reached
        self.programs = programs
    }
}

extension Phrases {
    package func remotes(_ remotes: [KnownRemote]) -> [PrintedLine] {
        if remotes.isEmpty { return [.note("there are no remotes; 'settings remote add NAME URL' adds one")] }
        let rows = remotes.map { remote in
            [
                StyledText(remote.name, .name), StyledText(remote.url), StyledText(remote.branch),
                StyledText(state(of: remote), .faint),
            ] + (trust(remote.programs).map { [$0] } ?? [])
        }
        return Phrases.table(rows).map { .answer($0) }
    }

    package static func added(_ name: String) -> PrintedLine {
        .done("\(name) was added; 'settings sync' exchanges versions")
    }

    package static func removed(_ name: String) -> PrintedLine { .done("\(name) was removed") }
    package static func renamed(_ old: String, to new: String) -> PrintedLine { .done("\(old) is now \(new)") }

    /// What 'remote trust' and 'remote untrust' did.
    package func trust(_ name: String, isTrusted: Bool, _ programs: [RemoteProgram]) -> [PrintedLine] {
        if programs.isEmpty {
            let reason = isTrusted ? "this repository's configuration names no program for \(name)" : "\(name) is not trusted"
            return [.done("nothing to do: \(reason)")]
        }
        return programs.map { .done("\(isTrusted ? "trusted" : "no longer trusted"): \(words($0))") }
    }

    private func state(of remote: KnownRemote) -> String {
        state(ahead: remote.ahead, behind: remote.behind, reached: remote.reached)
    }

    /// `signing`: git's push.gpgSign.
    package func check(_ remote: KnownRemote, signing: String?) -> HealthCheck {
        let signing = signing.map { "; push.gpgSign is \($0), but settings does not sign pushes" } ?? ""
        let isInStep = (remote.ahead ?? 0) == 0 && remote.behind == 0
        return HealthCheck(
            "remote \(remote.name)", "\(state(of: remote)), \(remote.url)\(signing)", isInStep ? .fine : .note)
    }
}

extension Reports {
    package func remotes(_ remotes: [KnownRemote]) -> JSON {
        let rows = remotes.map { remote in
            JSON.object([
                "name": .string(remote.name), "url": .string(remote.url), "branch": .string(remote.branch),
                "ahead": remote.ahead.map { .number($0) } ?? .null, "behind": remote.behind.map { .number($0) } ?? .null,
                "reached": remote.reached.map { .string($0.rfc3339) } ?? .null,
                "trusted": remote.programs.isEmpty ? .null : .bool(remote.programs.allSatisfy(\.isTrusted)),
                "programs": .array(remote.programs.map(program)),
            ])
        }
        return Reports.document(["remotes": .array(rows)])
    }

    package func trust(_ name: String, isTrusted: Bool, _ programs: [RemoteProgram]) -> JSON {
        Reports.document([
            "name": .string(name), "trusted": .bool(isTrusted), "programs": .array(programs.map(program)),
        ])
    }
}
