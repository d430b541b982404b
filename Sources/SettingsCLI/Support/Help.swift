import ArgumentParser
import Files
import SettingsModel
import SettingsText

/// The texts of 'settings' alone, of 'settings help options', 'keys' and 'times', and the help of one command.
enum Help {
    /// A text that is not about one command; nil where there is none of that name.
    static func topic(_ name: String) -> String? {
        switch name {
        case "options": options
        case "keys": keys
        case "times": times
        default: nil
        }
    }

    /// The ten commands of every day; it fits a screen of 24 lines.
    static let summary = """
        Version settings: who changed what, when, why, and who asked for it.

          settings add general.language --title Language --choice English French
          settings set general.language French -m 'The Paris office opens.'

        Every day:
          list      List options with their values
          show      Show an option or a version in full
          get       Print a value for a program
          set       Set options, with the reason (-m)
          add       Add an option
          history   List what changed, who did it and why
          diff      Compare versions, or unrecorded edits with the last version
          undo      Undo your latest version
          status    Show files that were edited by hand
          done      Record those edits

        'settings init' creates a store in this folder.
        'settings help' lists all commands, 'settings help set' explains one of them,
        'settings help keys' how options are named, 'settings help times' how times are
        written, and 'settings help options' the options that commands share.
        """

    /// How options and groups are named.
    static let keys = """
        How options and groups are named:

          general.language        A key in full, as scripts should write it; the path
                                  general/language.json, with or without .json, is the
                                  same. It means the same in every folder.
          language                In the store's folder 'general': general.language,
                                  unless there is an option with the key 'language'.
          ./language, ../sound    Always a path, from the current folder.
          /general/language       Always a key in full. Absolute paths of files in the
                                  store also work.
          general/                The group, not an option of that name; / is the group
                                  that contains everything, and . the current one.
          volume, 'Dark mode'     At a terminal, the last part of a key is enough if it
                                  is unique, and so is a title; an exact title takes
                                  precedence over one that differs in case.

        'add', 'define', 'import --into' and the new key of 'rename' name what may not
        exist yet: there, 'language' is a key in full and './language' a path. Where the
        old key of 'rename' is relative, the new one is, too.
        """

    /// How versions and times are written, where a command takes WHEN.
    static let times = """
        How versions and times are written, for example after --from, --to and --at:

          3f2a91c                 The id of a version, or a unique prefix of it.
          v1, main                A tag or a branch.
          HEAD, HEAD~2            The last version, and the one two before it.
          18:00, 6pm, noon        The most recent one, never in the future.
          last night              20:00 yesterday. Also 'this morning' (6:00),
                                  'this afternoon' (12:00) and 'this evening' (18:00).
          today, yesterday        The end of the day; for --since, its beginning.
          yesterday 18:00         Also '18:00 yesterday', 'fri 18:00' and 'last week'.
          3 days ago              Also '1 hour ago', 2.weeks.ago and '10 minutes ago'.
          2026-11-20              The end of the day; for --since, its beginning.
          2026-11-20 18:00        Also with seconds, and with a zone as in RFC 3339:
                                  2026-11-20T18:00:00+01:00.
          @1794038400             Seconds since 1970. git's date formats also work.

        Times are local unless they name a zone. A time stands for the last version at
        that time, which the command names on standard error. A time in the future is
        an error. A tag or branch of that name takes precedence over a time.
        """

    /// What exit statuses mean, in lines that the parser doesn't break again.
    static var exitStatuses: String {
        let meanings = ExitStatus.allCases.map { "\($0.rawValue) \($0.meaning)" }
        return filled("Exit status: \(meanings.joined(separator: ", ")).".split(separator: " ").map(String.init), columns: 79)
            .joined(separator: "\n")
    }

    /// Options as the parser explains them.
    private static func lines(of options: any ParsableArguments.Type) -> String {
        let lines = options.helpMessage(includeHidden: true).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { $0 != "OPTIONS:" }.dropFirst().prefix { $0.hasPrefix("  ") && !$0.contains("--help") }
            .filter { !$0.contains("--sign-key") }.joined(separator: "\n")
    }

    /// The options that commands share, those that are rarely needed, and the variables that every command reads.
    static var options: String {
        """
        Options that all commands share:
          -C DIR                  Run as if started in DIR; goes before the command.
        \(lines(of: GlobalOptions.self))
          --version               Show the version.
          -h, --help              Explain the command.

        Further options of commands that record a version, in addition to -m,
        --requested-by, --ticket and --dry-run:
        \(lines(of: RareRecordOptions.self))

        Further options of 'add' and 'define':
        \(lines(of: RareDefinitionOptions.self))

        Further options of 'define', for the store:
        \(lines(of: RarePolicyOptions.self))

        Further options of 'history' and 'watch':
        \(lines(of: LinesOption.self))

        Further options of 'watch':
        \(lines(of: WatchTuning.self))

        With --json or --jsonl, each event of 'watch' is an object whose "event" is
        version, rewritten, snapshot (--initial), draft (--drafts), error or bookmark.
        Pass the "id" of the last one to --since to continue without gaps or
        duplicates.

        Environment variables:
          SETTINGS_STORE          The store's folder, unless --store or --user is given.
          SETTINGS_PAGER          The pager; otherwise GIT_PAGER, git's core.pager,
                                  PAGER or less.
          SETTINGS_EDITOR         The editor; otherwise GIT_EDITOR, git's core.editor,
                                  VISUAL, EDITOR or vi.
          COLUMNS                 The width to use in place of the terminal's.
          NO_COLOR, TERM=dumb     No color unless --color says so. git's color.ui and
                                  color.pager also turn it off.
          CLICOLOR_FORCE          Use color even in a pipe or a file.
          LC_ALL, LC_CTYPE, LANG  Only ASCII is used in sentences where these do not
                                  name a UTF-8 locale.
          GIT_AUTHOR_NAME         Who changes something; as in git, also
                                  GIT_AUTHOR_EMAIL, GIT_AUTHOR_DATE, GIT_COMMITTER_...
                                  and EMAIL.
          GIT_CONFIG_GLOBAL       Read in place of ~/.gitconfig. GIT_CONFIG_SYSTEM,
                                  GIT_CONFIG_NOSYSTEM, GIT_CONFIG_COUNT and 'git -c'
                                  mean what they mean to git.
          GIT_DIR, GIT_WORK_TREE  Not read: the current folder chooses the store,
                                  also in git's hooks.
          GIT_INDEX_FILE          Read only to detect that a 'git commit' is waiting for
                                  the hook that runs this program.
          SETTINGS_TRACE          1, or the absolute path of a file: what is opened,
                                  locked, waited for, read, written and started,
                                  and how long it takes, goes to standard error or
                                  is appended to the file.
        """
    }

    /// The help of one command without the parser's own options, which all commands share.
    static func ofCommand(_ text: String) -> String {
        guard text.hasPrefix("OVERVIEW: "), !text.contains("\nUSAGE: settings <subcommand>") else { return text }
        let own = ["  --version               Show the version.", "  -h, --help              Show help information."]
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines.removeAll { own.contains($0) }
        if let heading = lines.firstIndex(of: "OPTIONS:"), !lines[heading...].dropFirst().prefix(1).contains(where: { $0 != "" })
        {
            lines.removeSubrange(heading...min(heading + 1, lines.count - 1))
        }
        while lines.last == "" { lines.removeLast() }
        lines = lines.flatMap { $0.hasPrefix("USAGE: ") ? wrappedUsage($0) : [$0] }
        return lines.joined(separator: "\n") + "\n\n'settings help options' explains further options."
    }

    /// A synopsis in lines of 80 columns, broken between its arguments.
    private static func wrappedUsage(_ line: String) -> [String] {
        var arguments: [String] = []
        for word in line.split(separator: " ").map(String.init) {
            if let last = arguments.last, word == "..." || last.hasPrefix("[") && !last.hasSuffix("]") || last.hasSuffix(":") {
                arguments[arguments.count - 1] = last + " " + word
            } else if let last = arguments.last, last.hasPrefix("--"), word.hasPrefix("<") {
                arguments[arguments.count - 1] = last + " " + word
            } else {
                arguments.append(word)
            }
        }
        return filled(arguments, indent: "           ")
    }

    private static func filled(_ words: [String], columns: Int = 80, indent: String = "") -> [String] {
        var lines: [String] = []
        for word in words {
            if let last = lines.last, last.count + 1 + word.count <= columns {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(lines.isEmpty ? word : indent + word)
            }
        }
        return lines
    }

    /// The usage error of an option that only commands take that record a version in a store.
    static func refusal(_ message: String, of command: String) -> String? {
        let options = ["-m", "--message", "--why", "--requested-by", "--ticket", "--author", "--dry-run", "--if-version"]
        let recordsSomething = ["init", "tag"].contains(command)
        let all = options + (recordsSomething ? ["--edit", "-e", "-n", "--durability", "--confirm"] : [])
        guard let option = all.first(where: { message.hasPrefix("Unknown option '\($0)'") }) else { return nil }
        if recordsSomething { return "'\(command)' does not take \(option)" }
        return "'\(command)' records no version and does not take \(option)"
    }

    /// Options that 'help options' explains are left out of a command's help, but not of completions, manual pages and error
    /// messages.
    static var visibilityOfListedOptions: ArgumentVisibility { isAsked ? .hidden : .default }

    /// Whether it is the help that is asked for.
    static var isAsked: Bool {
        let words = ThisProcess.arguments.dropFirst()
        return words.first == "help" || words.contains("--help") || words.contains("-h")
    }
}
