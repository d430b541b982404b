package import SettingsModel

// What a request asks for that isn't there, or that its option or store can't give.

extension CommandLineHints {
    package static func noStore(in place: String, hint: String) -> Explanation {
        Explanation("there is no store in \(place)", hint: hint)
    }

    /// There is no folder for it. `fault`: what is wrong with HOME.
    package static func noOwnStore(_ fault: String) -> Explanation {
        Explanation("cannot find your personal store: HOME is \(fault)", hint: "set HOME or XDG_DATA_HOME")
    }

    package static func noGroup(_ key: Key) -> Explanation {
        Explanation("there is no group '\(key)'", hint: "'settings list' lists the groups")
    }

    package static func noLabels(_ key: Key, _ type: SettingsOption.Kind) -> Explanation {
        Explanation("\(key) is \(type.noun) and has no labels", hint: "'settings get \(key)' prints its value")
    }

    package static func noIndex(_ key: Key, _ type: SettingsOption.Kind) -> Explanation {
        Explanation("\(key) is \(type.noun) and has no index", hint: "'settings get \(key)' prints its value")
    }

    package static func isNoNumber(_ value: String, addedTo key: some StringProtocol) -> Explanation {
        Explanation(
            "'\(value)' is not a number, so it cannot be added to \(key)",
            hint: "KEY+=N and KEY-=N change a number, for example 'settings set sound.volume+=5'")
    }

    /// There is nothing to search between two versions. `isPart`: whether only some options were to be searched.
    package static func nothingDiffers(_ good: VersionID, _ bad: VersionID, isPart: Bool) -> Explanation {
        Explanation(
            "nothing differs between \(good.short) and \(bad.short)" + (isPart ? " in these options" : ""),
            hint: (isPart ? "leave the keys out to search everything, or " : "")
                + "give --good a version or a time when COMMAND still succeeded; 'settings history' lists the versions")
    }

    /// Where a version is wanted, an option or a group was named.
    package static func isNoVersion(_ word: String) -> Explanation {
        Explanation(
            "there is no version '\(word)'",
            hint:
                "'settings restore \(word) --from WHEN' restores an earlier value; 'settings history \(word)' lists its versions")
    }

    /// Where an option or a group is wanted, a tracked file was named.
    package static func isTracked(_ path: String, discardedWith group: Key) -> Explanation {
        Explanation(
            "'\(path)' is a tracked file, not an option or a group",
            hint: "'settings discard KEY' drops its edits to one option, and 'settings discard"
                + "\(group.isRoot ? "" : " \(group)")' those of all its options")
    }

    /// Where a branch is wanted, a version was named.
    package static func isNoBranch(_ word: String) -> Explanation {
        let name = word.shellWord
        return Explanation(
            "'\(word)' is a version, not a branch",
            hint: "'settings list --at \(name)' shows its settings, 'settings restore --all --from \(name)' restores them, and "
                + "'settings switch -c NAME \(name)' creates a branch there")
    }

    /// Where an option or a group is wanted, a version was named.
    package static func isNoKey(_ word: String) -> Explanation {
        let name = word.shellWord
        return Explanation(
            "'\(word)' is a version, not an option or a group",
            hint: "'settings show \(name)' shows what it changed, 'settings history \(name)..' lists the versions since, and "
                + "'settings diff \(name)..' what differs")
    }

    /// What is exported would be an option.
    package static func isInside(_ path: String, store: String) -> Explanation {
        Explanation(
            "\(path.visible) would be read as a file of this store, which is in \(store.visible)",
            hint: "write it to a folder outside the store, or let git ignore it")
    }

    /// The user's own configuration of git. `fault`: what is wrong with HOME; nil where another variable says that there is none.
    package static func noConfiguration(_ fault: String?) -> Explanation {
        guard let fault else {
            return Explanation(
                "GIT_CONFIG_GLOBAL is empty, so git does not read your configuration",
                hint: "unset it, or run 'settings setup' in each clone")
        }
        return Explanation(
            "cannot find your git configuration: HOME is \(fault)", hint: "set HOME, or run 'settings setup' in each clone")
    }

    package static func cannotBeRun(_ program: String) -> Explanation {
        Explanation("git cannot run \(program): its path is not UTF-8", hint: "move it, or add its folder to PATH")
    }

    package static var noServer: Explanation {
        Explanation("settings-serve is not installed", hint: "'apt install settings-serve', or 'Scripts/build --server'")
    }

    package static func notAccepted(_ name: String, problems: Int, range: String?) -> Explanation {
        Explanation(
            "\(name) was not accepted: found \(counted(problems, "problem"))",
            hint: range.map { "'settings verify \($0)' lists them in the clone" })
    }

    /// What was to be a value and came by standard input.
    package static let inputIsTooLarge = Explanation("standard input is larger than 1 MiB, the limit for an option's file")
    package static let inputIsNotText = Explanation("standard input is not UTF-8")
}
