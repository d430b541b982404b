import ArgumentParser
import SettingsModel
import SettingsText

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schema of a store's files, for editors.",
        discussion: """
            Without FILE, one document contains all three under "$defs".

              settings schema
              settings schema option > ../option.schema.json
            """)

    @Argument(help: ArgumentHelp("option, group or store.", valueName: "file")) var file: String?

    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        guard let file else { return try context.output.json(Schema.all) }
        guard let schema = Schema.named(file) else {
            throw Failure(.usage, "invalid file '\(file)': expected option, group or store")
        }
        try context.output.json(schema)
    }
}
