import SettingsCLI
import SettingsFormats
import SettingsModel

/// All of `settings`, with the formats that `import` and `export` need.
@main
enum Main {
    static func main() {
        Program.main(Files())
    }
}

/// Other programs' files.
private struct Files: Interchange {
    func read(_ request: ImportRequest) throws(Refusal) -> Imported {
        let source = try Source(paths: request.paths)
        let reader = if let name = request.format { try format(name) } else { try Formats.recognised(source) }
        var reading = ReadRequest()
        if let values = request.values { reading.values = try Source.File(named: values) }
        reading.language = request.language
        reading.readExisting = request.existing
        reading.progress = request.progress
        return try reader.read(source, reading)
    }

    func write(_ settings: Settings, _ request: ExportRequest) throws(Refusal) -> Exported {
        var writing = WriteRequest()
        writing.part = request.values.map { $0 ? .values : .definitions }
        writing.title = request.title
        writing.rewrites = request.rewrites
        if let output = request.output {
            writing.name = output.split(separator: "/").last.map(String.init)
            writing.present = try Source.present(output)
        }
        return try format(request.format).write(settings, writing)
    }

    private func format(_ name: FormatName) throws(Refusal) -> any Format.Type {
        if let format = Formats.format(name) { return format }
        throw Refusal("this program can't read or write '\(name.rawValue)'")
    }
}
