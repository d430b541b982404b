import SettingsModel

/// The pages and tables of one bundle.
struct BundleFiles {
    /// The folder as given.
    let folder: String
    let rootName: String
    /// The pages by the name that rows link to: the path from the bundle's folder without `.plist`.
    private(set) var pages: [String: Source.File] = [:]
    /// The tables by the folder's name without `.lproj`, then by the table's name.
    private(set) var tables: [String: [String: Source.File]] = [:]
    /// Pages in the folders of languages, which nothing reads.
    private(set) var localised: [Source.File] = []
    private let source: Source

    /// A folder that may be a bundle, and its first page.
    struct Candidate {
        /// The start of the paths of its files.
        var prefix: String
        var root: Source.File
    }

    init(_ source: Source) throws(Refusal) {
        let source = try BundleFiles.whole(source)
        let candidates = BundleFiles.candidates(in: source)
        guard let candidate = candidates.first else {
            throw Refusal(
                "\(source.given.joined(separator: ", ")): contains no Settings.bundle",
                hint: "name the folder that contains Root.plist")
        }
        if candidates.count > 1 {
            let folders = candidates.prefix(3).map { BundleFiles.folder($0.root) }.joined(separator: ", ")
            throw Refusal(
                "\(source.given.joined(separator: ", ")): contains \(candidates.count) bundles",
                hint: "name one: \(folders)")
        }
        self.source = source
        folder = BundleFiles.folder(candidate.root)
        rootName = String(candidate.root.relativePath.dropFirst(candidate.prefix.count).dropLast(".plist".count))
        for file in source.files where file.path.hasPrefix(folder) && file.relativePath.hasPrefix(candidate.prefix) {
            if file.isLink {
                throw Refusal(
                    "is a symbolic link in a bundle, and symbolic links are not followed", in: file.path,
                    hint: "put the file itself there")
            }
            add(file, String(file.relativePath.dropFirst(candidate.prefix.count)))
        }
        if pages[rootName] == nil { pages[rootName] = candidate.root }
    }

    private mutating func add(_ file: Source.File, _ path: String) {
        let parts = path.split(separator: "/")
        if parts.count == 2, parts[0].hasSuffix(".lproj") {
            let language = String(parts[0].dropLast(".lproj".count))
            if parts[1].hasSuffix(".strings") {
                tables[language, default: [:]][String(parts[1].dropLast(".strings".count))] = file
            } else if parts[1].hasSuffix(".plist") {
                localised.append(file)
            }
        } else if path.hasSuffix(".plist"), path != "Info.plist" {
            pages[String(path.dropLast(".plist".count))] = file
        }
    }

    /// The page that a row calls `name`; it may also be next to a page that was given itself.
    func page(_ name: String) -> Source.File? {
        if let page = pages[name] { return page }
        guard let root = pages[rootName] else { return nil }
        return source.file(name + ".plist", beside: root)
    }

    /// The page that replaces `name` on one kind of device.
    func variant(of name: String) -> (name: String, file: Source.File)? {
        for suffix in BundleFiles.variants { if let file = pages[name + suffix] { return (name + suffix, file) } }
        return nil
    }

    /// Suffixes of page names for one kind of device, or within the app.
    static let variants = ["~iphone", "~ipad", ".inApp", "~iphone.inApp", "~ipad.inApp"]

    /// The page that `name` is a variant of.
    static func original(of name: String) -> String? {
        guard let suffix = variants.last(where: { name.hasSuffix($0) }) else { return nil }
        return String(name.dropLast(suffix.count))
    }

    /// Every folder that has a first page, or else a page that was given itself.
    static func candidates(in source: Source) -> [Candidate] {
        var found: [Candidate] = []
        for file in source.files where file.name == "Root.plist" && !file.folder.hasSuffix(".lproj/") {
            found.append(Candidate(prefix: file.folder, root: file))
        }
        if !found.isEmpty { return found }
        if source.files.count == 1, let file = source.files.first, file.name.hasSuffix(".plist") {
            return [Candidate(prefix: file.folder, root: file)]
        }
        // Without Root.plist: the first variant, or else the only page of a bundle.
        var folders: [String: [Source.File]] = [:]
        for file in source.files where file.name.hasSuffix(".plist") && file.name != "Info.plist" {
            folders[folder(file), default: []].append(file)
        }
        for folder in folders.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            let files = folders[folder] ?? []
            let roots = variants.compactMap { suffix in files.first { $0.name == "Root\(suffix).plist" } }
            if let root = roots.first ?? (files.count == 1 && folder.hasSuffix(".bundle/") ? files.first : nil) {
                found.append(Candidate(prefix: root.folder, root: root))
            }
        }
        return found
    }

    /// The whole folder, if a page of a bundle was given instead.
    private static func whole(_ source: Source) throws(Refusal) -> Source {
        guard source.files.count == 1, source.files[0].name == "Root.plist", source.given == [source.files[0].path] else {
            return source
        }
        let folder = BundleFiles.folder(source.files[0]).dropLast()
        guard folder.hasSuffix(".bundle"), let whole = try? Source(paths: [String(folder)]) else { return source }
        return whole
    }

    private static func folder(_ file: Source.File) -> String { String(file.path.dropLast(file.name.count)) }
}
