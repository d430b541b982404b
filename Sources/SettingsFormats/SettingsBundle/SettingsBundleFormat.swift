package import SettingsModel

/// An iOS app's Settings.bundle: a folder of pages, each a property list whose `PreferenceSpecifiers` are the rows of the
/// page in order, and of tables with the titles in each language.
/// (Apple, "Settings Application Schema Reference")
///
///     Root.plist                 the first page; a child pane row links to another page by its File
///     Advanced.plist
///     en.lproj/Root.strings      the texts that Root.plist names, in English
///
/// A page is a group of style page, a group row a section in it, and a row with a Key an option. Everything that options
/// and groups can't express is kept in their member `settings-bundle`: of an option, the members of its row that differ from
/// those that `SettingsOption.specifier` generates (null: the row lacks it); of a group, `members` likewise, and `rows`, the rows
/// that are not options, each with the name that it comes `after`.
package enum SettingsBundleFormat: Format {
    package static let name = FormatName.settingsBundle

    /// The member of options and groups that is specific to this format.
    static let member: ExactText = "settings-bundle"

    package static func recognises(_ source: Source) throws(Refusal) -> Bool {
        guard let root = BundleFiles.candidates(in: source).first?.root else { return false }
        let word = Array("PreferenceSpecifiers".utf8)
        let bytes = try root.bytes()
        // In UTF-16, every other byte of ASCII is zero.
        return bytes.firstRange(of: word) != nil || bytes.contains(0) && bytes.filter { $0 != 0 }.firstRange(of: word) != nil
    }

    package static func read(_ source: Source, _ request: ReadRequest) throws(Refusal) -> Imported {
        let files = try BundleFiles(source)
        var repairs: [Repair] = []
        var tables = try StringsTables(files, language: request.language, &repairs)
        let pages = try BundlePages.read(files, &repairs)
        for page in pages.all { try tables.load(page.table, &repairs) }
        var reader = BundleReader(pages: pages, tables: tables, placement: BundlePlacement(request.existing), repairs: repairs)
        try reader.read()
        if let values = request.values { try reader.setValues(from: values) }
        try reader.checkSizes(files.folder)
        return Imported(
            format: name, settings: reader.settings, givesValues: request.values != nil, repairs: reader.repairs)
    }

    /// The bundle or, for values, a property list as the app stores it. In a bundle, values are written as defaults.
    package static func write(_ settings: SettingsContent, _ request: WriteRequest) throws(Refusal) -> Exported {
        var writer = BundleWriter(settings, title: request.title)
        if request.part == .values { return .text(try values(writer, request)) }
        writer.writesValues = request.part != .definitions
        let files = try writer.files()
        guard let present = request.presentFile, !request.rewrites else { return .folder(files) }
        let merging = BundleMerging(prunes: request.prunes, present: present)
        var refusals: [Refusal] = []
        var merged: [Exported.File] = []
        for file in files {
            do throws(Refusal) { merged.append(try merging.merged(file)) } catch { refusals.append(error) }
        }
        if let refusal = Refusal.joined(refusals) { throw refusal }
        return .folder(merged)
    }

    /// The app's property list, edited in place if it is there: an app stores more than its settings.
    private static func values(_ writer: BundleWriter, _ request: WriteRequest) throws(Refusal) -> [UInt8] {
        let values = try writer.values()
        let name = request.name ?? "the existing file"
        guard let present = request.present, !request.rewrites else { return try values.xml() }
        let merging = BundleMerging(prunes: request.prunes) { (_) throws(Refusal) in present }
        return try merging.merged(Exported.File(path: name, bytes: try values.xml())).bytes
    }
}
