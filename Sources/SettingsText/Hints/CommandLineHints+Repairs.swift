package import SettingsModel

extension CommandLineHints {
    /// What to do about a file that can't be read as the last version has it.
    /// `name`: what to call the option, where several are to be repaired.
    package static func repair(of problem: Problem, name: String? = nil) -> String {
        if case .repository = problem { return "'settings verify --deep' reports the damage, and what repairs it" }
        guard case .file(.unreadable(let fault, let path, _)) = problem else {
            return "remove it or put a regular file in its place, and record that with 'settings done'"
        }
        let byHand = "fix it by hand, and record that with 'settings done'"
        guard case .option(let key)? = Subject(path: path) else {
            if Subject(path: path) == .store {
                return "'git restore --source=VERSION \(path)' restores an earlier file; record that with 'git commit'"
            }
            guard case .group(let key)? = Subject(path: path), !key.isRoot else { return byHand }
            return
                "'settings restore \(name ?? key.description) --exact --from WHEN' restores the group and all that is in it, or "
                + byHand
        }
        let name = name ?? key.description
        let restore = restoring(name)
        return switch fault.misfit {
        case .value: "'settings set \(name) VALUE' sets a valid value; \(restore)"
        case .default: "'settings define \(name) --default VALUE' sets a valid default; \(restore)"
        case .range: "'settings define \(name) --range MIN..MAX' sets valid bounds; \(restore)"
        case .readOnlyValue: restore
        case nil: "\(restore); 'settings remove \(name)' removes it"
        }
    }

    /// What makes the value of an option valid while git merges or the like; nil where no command does.
    static func chooses(for problem: Problem, in operation: String) -> String? {
        guard case .file(.unreadable(let fault, let path, _)) = problem, case .option(let key)? = Subject(path: path),
            fault.misfit == .value, operation != "am", let ends = ends(of: operation)
        else { return nil }
        return "\(inProgress(operation)): 'settings resolve \(key) VALUE' sets a valid value, then \(ends)"
    }

    /// What restores an option that `problem` is about.
    static func restoring(_ problem: Problem) -> String? {
        guard case .file(.unreadable(_, let path, _)) = problem, case .option(let key)? = Subject(path: path) else { return nil }
        return restoring(key.description)
    }

    private static func restoring(_ name: String) -> String {
        "'settings restore \(name) --exact --from WHEN' restores an earlier file"
    }
}
