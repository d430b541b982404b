package import SettingsModel

// What 'init' and 'setup' print.

extension Phrases {
    /// The first version of somebody of whom git's configuration says nothing.
    package static func isUnnamed(_ author: Person) -> PrintedLine {
        .hint(
            "the version was recorded as \(author.description), an identity taken from your account; "
                + "\"git config --global user.name 'Your Name'\" and 'git config --global user.email ADDRESS' set your name")
    }

    /// `isTitled`: whether a title was given.
    package static func created(_ outcome: Outcome, at path: String, isTitled: Bool) -> [PrintedLine] {
        let path = Login.hidden(in: path)
        switch outcome {
        case .planned: return [.done("would create a store in \(path)")]
        case .recorded(let version, _, _):
            return [
                .done("\(version.id.short)  new store in \(path)"),
                .hint("'settings add general.language --title Language --choice English French' creates the first option"),
            ]
        default:
            let title = PrintedLine.hint("'settings define / --title TITLE' changes its title")
            return [.done("\(path) is already a store")] + (isTitled ? [title] : [])
        }
    }

    /// A store was created where other programs' JSON files are.
    package static func holdsOthers(_ paths: [String]) -> [PrintedLine] {
        guard let first = paths.first else { return [] }
        let words =
            paths.count > 1
            ? "\(first.visible) and \(paths.count - 1) other JSON \(paths.count > 2 ? "files" : "file") here are not options and stay"
            : "\(first.visible) is not an option and stays"
        return [
            .hint(
                "\(words) as \(paths.count > 1 ? "they are" : "it is"); 'settings init config/settings' creates a store apart from them"
            )
        ]
    }

    /// A store was created, but git could not be configured in it.
    package static func notSetUp(_ problem: Problem) -> PrintedLine {
        .warning(
            "git does not merge by meaning here yet (\(CommandLineHints.reason(problem))); 'settings setup' tries again")
    }

    package static let addsAttribute = PrintedLine.hint(
        "add the line '*.json merge=settings' to .gitattributes, so that git merges the settings by meaning")

    /// `version`: the one that names the merge driver, if that was recorded.
    package static func setUp(_ version: Version?, isPlanned: Bool) -> [PrintedLine] {
        if isPlanned { return [.done("would configure git in this clone")] }
        return (version.map { [.answer($0)] } ?? []) + [.done("git now merges this store's files by meaning in this clone")]
    }

    /// `isInUsers`: whether the user's own configuration of git has the merge driver as well.
    package static func setupUndone(hasChanged: Bool, isPlanned: Bool, isInUsers: Bool) -> [PrintedLine] {
        var lines: [PrintedLine] =
            switch (hasChanged, isPlanned) {
            case (false, _): [.done("nothing to do: git was not configured by settings in this clone")]
            case (true, true): [.done("would remove the merge driver from this clone's configuration")]
            case (true, false): [.done("the merge driver was removed from this clone's configuration")]
            }
        if isInUsers {
            lines.append(
                .hint("your own git configuration has the merge driver, too; 'settings setup --global --undo' removes it"))
        }
        return lines
    }

    /// `isUnnamed`: whether the store here does not name the driver.
    package static func userSetUp(in file: String, hasChanged: Bool, isPlanned: Bool, isUnnamed: Bool) -> [PrintedLine] {
        var lines: [PrintedLine] =
            switch (hasChanged, isPlanned) {
            case (false, _): [.done("nothing to do: \(file) already has the merge driver")]
            case (true, true): [.done("would write the merge driver into \(file)")]
            case (true, false): [.done("git now merges stores by meaning in all your clones: \(file) has the merge driver")]
            }
        if isUnnamed {
            lines.append(
                .hint(
                    "this store's .gitattributes does not name the merge driver, so git merges its files as text; "
                        + "'settings setup' adds it, or reports what prevents it"))
        }
        return lines
    }

    /// `keepsOthers`: whether the section of the merge driver has what the user wrote.
    package static func userSetupUndone(
        in file: String, hasChanged: Bool, isPlanned: Bool, keepsOthers: Bool
    ) -> [PrintedLine] {
        switch (hasChanged, isPlanned) {
        case (false, _): return [.done("nothing to do: \(file) has no merge driver of settings")]
        case (true, true): return [.done("would remove the merge driver from \(file)")]
        case (true, false):
            let kept = PrintedLine.hint(
                "what you wrote about merge.settings is still there, and git does not merge a store's files without a driver; "
                    + "'git config --global --remove-section merge.settings' removes it")
            return [.done("the merge driver was removed from \(file)")] + (keepsOthers ? [kept] : [])
        }
    }
}

extension Reports {
    /// `driver`: the command that git runs since.
    package static func setup(_ status: String? = nil, in file: String? = nil, driver: String?) -> JSON {
        document([
            "status": status.map { .string($0) }, "file": file.map { .string($0) },
            "driver": driver.map { .string($0) } ?? .null,
        ])
    }
}
