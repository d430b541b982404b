import SettingsModel

/// One page and its rows, as in the file.
struct BundlePage {
    /// The name that rows link to.
    var name: String
    /// Nil if the file is missing.
    var file: Source.File?
    var members = PropertyList.Members()
    var rows: [PropertyList] = []
    /// The index of the page with the first row that links to it; nil for the first page and for orphans.
    var parent: Int?
    /// That row.
    var link = PropertyList.Members()
    /// Whether no page links to it.
    var isOrphan = false

    /// The name of the table with its texts.
    var table: String { members["StringsTable"]?.text?.string ?? name }
    var path: String { file?.path ?? "\(name).plist" }
}

/// All pages of a bundle: the first page, the pages that it links to directly or indirectly, and the others in the folder.
struct BundlePages {
    private(set) var all: [BundlePage] = []
    /// The index of each page by the name that rows link to.
    private(set) var places: [String: Int] = [:]
    private let files: BundleFiles
    private var repairs: [Repair] = []

    /// The maximum number of pages, and of rows.
    static let pageLimit = 1_000
    static let rowLimit = 50_000

    static func read(_ files: BundleFiles, _ repairs: inout [Repair]) throws(Refusal) -> BundlePages {
        var pages = BundlePages(files: files)
        try pages.read()
        repairs += pages.repairs
        return pages
    }

    private init(files: BundleFiles) {
        self.files = files
    }

    private mutating func read() throws(Refusal) {
        var name = files.rootName
        if name != "Root", let file = files.page(name) {
            repairs.append(Repair(file: file.path, found: "there is no Root.plist", done: "this page is the first"))
            if BundleFiles.original(of: name) == "Root" { name = "Root" }
        }
        try add(BundlePage(name: name, file: files.page(files.rootName)))
        try follow(from: 0)
        let names = files.pages.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for name in names where name != files.rootName && places[name] == nil {
            guard let file = files.pages[name] else { continue }
            if let original = BundleFiles.original(of: name),
                files.pages[original] != nil || places[original] != nil
            {
                repairs.append(
                    Repair(.kept, file: file.path, found: "this is another form of the page \(original)", done: "not read"))
                continue
            }
            var page = BundlePage(name: name, file: file)
            page.isOrphan = true
            let count = all.count
            guard try add(page, onlyPages: true) else {
                repairs.append(Repair(.kept, file: file.path, found: "it is not a page", done: "not read"))
                continue
            }
            repairs.append(
                Repair(file: file.path, page: name, found: "no page links to it", done: "imported as a separate page"))
            try follow(from: count)
        }
        for file in files.localised {
            repairs.append(Repair(.kept, file: file.path, found: "it is a page for one language", done: "not read"))
        }
    }

    /// Adds a page; returns whether the file is one.
    @discardableResult
    private mutating func add(_ page: BundlePage, onlyPages: Bool = false) throws(Refusal) -> Bool {
        var page = page
        guard all.count < BundlePages.pageLimit else {
            throw Refusal("has more than \(BundlePages.pageLimit) pages", in: files.folder)
        }
        if let file = page.file {
            var found: [Repair] = []
            let value = try PropertyList.read(file, &found)
            guard case .dictionary(let members) = value else {
                if onlyPages { return false }
                throw Refusal("contains \(value.kind), not a page", in: file.path)
            }
            page.members = members
            switch members["PreferenceSpecifiers"] {
            case .array(let rows)?: page.rows = rows
            case nil where onlyPages: return false
            case nil:
                found.append(
                    Repair(file: file.path, page: page.name, found: "it has no PreferenceSpecifiers", done: "an empty page"))
            case let other?:
                throw Refusal(
                    "its PreferenceSpecifiers are \(other.kind), not an array", in: file.path,
                    at: members.line(of: "PreferenceSpecifiers").map { BadFile.Position(line: $0, column: 1) })
            }
            for repair in found {
                var repair = repair
                repair.page = page.name
                repairs.append(repair)
            }
            guard all.reduce(page.rows.count, { $0 + $1.rows.count }) <= BundlePages.rowLimit else {
                throw Refusal("has more than \(BundlePages.rowLimit) rows", in: files.folder)
            }
            if let table = members["StringsTable"]?.text?.string, table.contains("/") || table.hasPrefix(".") {
                throw BundlePages.leaves(table, file, members.line(of: "StringsTable"))
            }
        }
        places[page.name] = all.count
        all.append(page)
        return true
    }

    /// Adds the pages that the pages from `start` on link to, nearer ones first.
    private mutating func follow(from start: Int) throws(Refusal) {
        var index = start
        while index < all.count {
            for row in all[index].rows {
                guard case .dictionary(let link) = row, let name = try BundlePages.target(of: link, all[index]),
                    places[name] == nil
                else { continue }
                var page = BundlePage(name: name, file: files.page(name))
                (page.parent, page.link) = (index, link)
                if page.file == nil, let variant = files.variant(of: name) {
                    page.file = variant.file
                    note(all[index], link, "there is no \(name).plist", "\(variant.name).plist is used instead")
                } else if page.file == nil {
                    note(all[index], link, "it links to \(name).plist, which does not exist", "an empty page")
                }
                try add(page)
            }
            index += 1
        }
    }

    private mutating func note(_ page: BundlePage, _ row: PropertyList.Members, _ found: String, _ done: String) {
        repairs.append(
            Repair(
                file: page.path, line: row.line, page: page.name, key: row["Title"]?.text?.string, found: found, done: done))
    }

    /// The page that a row links to; nil if the row is not a link, or links to something that isn't a page, as vendors' rows do.
    static func target(of row: PropertyList.Members, _ page: BundlePage) throws(Refusal) -> String? {
        guard row["Type"]?.text == "PSChildPaneSpecifier", let file = row["File"]?.text?.string, !file.isEmpty else { return nil }
        if file.contains("://") || file.lowercased().hasSuffix(".html") { return nil }
        let parts = file.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }), !file.contains("\0") else {
            throw leaves(file, page.file, row.line(of: "File"))
        }
        return file.hasSuffix(".plist") ? String(file.dropLast(".plist".count)) : file
    }

    private static func leaves(_ path: String, _ file: Source.File?, _ line: Int?) -> Refusal {
        Refusal(
            "leads out of the bundle: \(JSON.string(path).compact)", in: file?.path,
            at: line.map { BadFile.Position(line: $0, column: 1) }, hint: "a page must be inside the bundle")
    }
}
