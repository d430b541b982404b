package import SettingsModel

/// The formats of files that a store keeps in step with its options.
package struct TrackedFormats: FileFormats {
    /// What the names of files lead from, where that is known.
    private var folder: String?

    package init() {}

    package func from(_ folder: String) -> any FileFormats {
        var formats = self
        formats.folder = folder
        return formats
    }

    private func location(_ name: String) -> String { name.hasPrefix("/") ? name : folder.map { "\($0)/\(name)" } ?? name }

    private func source(_ bytes: [UInt8], named name: String) -> Source {
        var source = Source(files: [(name, bytes)])
        source.files[0].location = location(name)
        return source
    }

    package func format(of bytes: [UInt8], named name: String) throws(Refusal) -> FormatName {
        try Formats.recognised(source(bytes, named: name)).name
    }

    package func read(
        _ bytes: [UInt8], named name: String, as format: FormatName, depth: Int
    ) throws(Refusal) -> Imported {
        var request = ReadRequest()
        request.depth = depth
        var imported = try known(format).read(source(bytes, named: name), request)
        imported.mask(Masking())
        return imported
    }

    package func fault(of option: SettingsOption) -> String? {
        option.other["gsettings"] == nil ? nil : option.gsettings.fault
    }

    package func write(
        _ settings: SettingsContent, over bytes: [UInt8], named name: String, as format: FormatName, renames: [MemberRename],
        prunes: Bool
    ) throws(Refusal) -> [UInt8] {
        var request = WriteRequest()
        (request.name, request.location) = (name, format.isKeyFile ? location(name) : nil)
        request.present = bytes
        request.renames = renames
        request.prunes = prunes
        guard case .text(let text) = try known(format).write(settings, request) else {
            throw Refusal("\(format.rawValue) is a folder of files, and only single files are tracked", in: name)
        }
        return text
    }

    private func known(_ name: FormatName) throws(Refusal) -> any Format.Type {
        if let format = Formats.format(name) { return format }
        throw Refusal("this program can't read or write '\(name.rawValue)'")
    }
}
