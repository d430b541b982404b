import SettingsCLI
import SettingsFormats
import SettingsModel

/// Other programs' files.
struct OtherFiles: Interchange {
    var tracked: any FileFormats { TrackedFormats() }

    func read(_ request: ImportRequest) throws(Refusal) -> Imported {
        var reading = ReadRequest()
        if let values = request.values { reading.values = try Source.File(named: values) }
        reading.language = request.language
        reading.document = request.document
        reading.readExisting = request.existing
        reading.leavesSecrets = request.leavesSecrets
        reading.progress = request.progress
        var imported = try Formats.read(request.paths, as: request.format, into: request.group, reading)
        imported.mask(Masking(patterns: request.masks, looksForSecrets: request.masksSecrets))
        return imported
    }

    func write(_ settings: SettingsContent, _ request: ExportRequest) throws(Refusal) -> Exported {
        var writing = WriteRequest()
        writing.part = request.values.map { $0 ? .values : .definitions }
        writing.title = request.title
        writing.rewrites = request.rewrites
        writing.prunes = request.prunes
        writing.note = request.note
        if let output = request.output {
            writing.name = request.format.name(of: output)
            writing.location = request.format.isKeyFile ? Source.location(of: output) : nil
            writing.present = try Source.present(output)
            writing.presentFile = { (path) throws(Refusal) in try Source.present("\(output)/\(path)") }
        }
        return try format(request.format).write(settings, writing)
    }

    private func format(_ name: FormatName) throws(Refusal) -> any Format.Type {
        if let format = Formats.format(name) { return format }
        throw Refusal("this program can't read or write '\(name.rawValue)'")
    }
}
