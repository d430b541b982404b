package import SettingsModel

/// Plain values in JSON (RFC 8259). Files with comments are accepted, because many programs have settings in such files.
package enum JSONFormat: EditedFormat {
    package static let name = FormatName.json

    package static func recognises(_ source: Source) throws(Refusal) -> Bool {
        PlainFile.isOnly(in: source, ending: [".json", ".jsonc"])
    }

    package static func read(_ source: Source, _ request: ReadRequest) throws(Refusal) -> Imported {
        let file = try PlainFile.only(in: source, request, as: name)
        let (json, repairs) = try json(file.bytes(), in: file.path)
        return try PlainSettings.settings(of: PlainTree(json), in: file.path, as: name, repairs: repairs, depth: request.depth)
    }

    package static func write(_ settings: SettingsContent, _ request: WriteRequest) throws(Refusal) -> Exported {
        try PlainFile.checkPart(request, as: name)
        if let edited = try PlainFile.edited(self, settings, request) { return edited }
        return .text(Array(try PlainFile.tree(of: settings, as: name, request).root.pretty.utf8))
    }

    /// The content of a JSON file, and the repairs that reading it required.
    static func json(_ bytes: [UInt8], in file: String) throws(Refusal) -> (JSON, [Repair]) {
        let fault: BadFile
        do throws(BadFile) { return (try JSON(parsing: bytes, limit: Source.sizeLimit), []) } catch { fault = error }
        let document: JSONC
        do throws(Refusal) { document = try JSONC(bytes, in: file) } catch {
            throw refusal(fault, in: file, orLater: error)
        }
        guard let root = document.root else { throw refusal(fault, in: file, orLater: nil) }
        var repairs: [Repair] = []
        if document.hasExtras {
            repairs.append(
                Repair(
                    file: file, line: fault.position?.line, found: "the file has comments, or a comma after the last element",
                    done: "ignored"))
        }
        for (name, offset) in document.duplicates {
            repairs.append(
                Repair(
                    file: file, line: document.line(at: offset), key: name.string, found: "the name appears again below",
                    done: "the last value counts"))
        }
        return (root.json, repairs)
    }

    /// Of two errors the one that is further on, because its reader understood everything before. With a hint for files that
    /// are not a store's.
    private static func refusal(_ fault: BadFile, in file: String, orLater other: Refusal?) -> Refusal {
        func place(_ position: BadFile.Position?) -> (Int, Int) { (position?.line ?? 0, position?.column ?? 0) }
        var refusal = Refusal(fault.reason, in: file, at: fault.position)
        if let other, place(fault.position) < place(other.position) {
            refusal.reason = other.reason
            refusal.position = other.position
        }
        if refusal.reason == ConflictMarker.reason { refusal.hint = ConflictMarker.hint }
        if refusal.reason == "the file is not UTF-8" { refusal.hint = "save it as UTF-8" }
        return refusal
    }
}
