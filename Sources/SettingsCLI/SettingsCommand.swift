import ArgumentParser
internal import CBuild
import SettingsModel
import SettingsStore
import SettingsText

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Version settings: who changed what, when, why, and who asked for it.",
        discussion: """
            An option is a choice among labels, a switch, a number, a text or other
            data. Each is a small JSON file in a git repository, and every recorded
            change is one commit.

            Set options, with the reason:
              settings init
              settings add general.language --title Language --choice English French
              settings set general.language French -m 'The Paris office opens.'

            What changed since yesterday evening, who did it and why?
              settings diff --from 'yesterday 18:00' --who
              settings history general.language

            Restore an earlier state:
              settings restore sound.volume --from 'yesterday 18:00'
              settings revert 3f2a91c     a whole version; later changes stay
              settings undo               your own latest version

            Try settings alongside those in effect:
              settings switch -c winter     and back: settings switch main
              settings merge winter

            Which question each of these answers:
              settings status     What has been edited here but not recorded? What is open?
              settings verify     Are files and versions sound? Did a merge choose a value?
              settings doctor     Is this machine set up: git, names, merging, durability?

            'settings help keys' explains how options are named, 'settings help times'
            how versions and times are written, and 'settings help options' the options
            that commands share. Rarely needed: 'settings help reset' (to defaults),
            'settings help bundle' (one file as a copy) and 'settings help maintain'.

            \(Help.exitStatuses)
            """,
        version: build,
        groupedSubcommands: [
            CommandGroup(
                name: "Store and option",
                subcommands: [
                    InitCommand.self, AddCommand.self, DefineCommand.self, LabelCommand.self, RenameCommand.self,
                    RemoveCommand.self,
                ]),
            CommandGroup(
                name: "Everyday",
                subcommands: [
                    SetCommand.self, UnsetCommand.self, ResetCommand.self, GetCommand.self, IsCommand.self, ListCommand.self,
                    ShowCommand.self, EditCommand.self, ServeCommand.self,
                ]),
            CommandGroup(
                name: "History",
                subcommands: [
                    HistoryCommand.self, BrowseCommand.self, WatchCommand.self, DiffCommand.self, BlameCommand.self,
                    BisectCommand.self,
                    TagCommand.self,
                ]),
            CommandGroup(
                name: "Undo and restore",
                subcommands: [
                    UndoCommand.self, RedoCommand.self, RevertCommand.self, RestoreCommand.self, ConfirmCommand.self,
                ]),
            CommandGroup(
                name: "Branch",
                subcommands: [
                    BranchCommand.self, SwitchCommand.self, MergeCommand.self, ConflictsCommand.self, ResolveCommand.self,
                ]),
            CommandGroup(
                name: "Sharing",
                subcommands: [
                    CloneCommand.self, RemoteCommand.self, SyncCommand.self, PullCommand.self, PushCommand.self,
                    BundleCommand.self,
                ]),
            CommandGroup(
                name: "Import and export",
                subcommands: [TrackCommand.self, UntrackCommand.self, ImportCommand.self, ExportCommand.self]),
            CommandGroup(
                name: "File editing", subcommands: [StatusCommand.self, DoneCommand.self, DiscardCommand.self]),
            CommandGroup(
                name: "Maintenance",
                subcommands: [
                    SetupCommand.self, VerifyCommand.self, MaintainCommand.self, SchemaCommand.self, DoctorCommand.self,
                    MergeDriverCommand.self,
                ]),
        ]
    )

    static func named(_ name: String) -> (any ParsableCommand.Type)? {
        configuration.subcommands.first { $0._commandName == name || $0.configuration.aliases.contains(name) }
    }

    static var names: [String] { configuration.subcommands.flatMap { [$0._commandName] + $0.configuration.aliases } }

    /// The version, the commit it was built from, the library and the format of stores.
    static var build: String {
        let commit = String(cString: settings_commit())
        let parts = (commit.isEmpty ? [] : [commit]) + ["libgit2 \(Store.libraryVersion)", "format \(StoreDefinition.format)"]
        return "settings \(Release.version) (\(parts.joined(separator: ", ")))"
    }
}
