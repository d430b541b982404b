import CGit2
import CGitObjects
import SettingsModel

@testable import Git
@testable import SettingsStore

/// The contents of versions, and their names.
extension FuzzTarget {
    private static let id = ObjectID.emptyTree

    /// A moment survives a round trip through its text.
    static func when(_ text: String) throws(Broken) {
        for edge in [When.Edge.beginning, .end] {
            let clock = Clock(now: 1_795_161_600, minutesEast: 60)
            guard let seconds = When(text, clock, bareDate: edge).seconds else { continue }
            try moment(clock.time(seconds))
        }
    }

    private static func moment(_ time: Time) throws(Broken) {
        let text = time.rfc3339
        // Times beyond the years of RFC 3339 are shown as the nearest year.
        guard (-30_000_000_000..<253_402_000_000).contains(time.seconds), abs(time.offset) < 24 * 60 else { return }
        try expect(When(text, Clock(now: 0)).seconds == time.seconds, "\(text) is not \(time.seconds)")
    }

    /// A parsed message can be written, and then reads the same.
    static func message(_ text: String) throws(Broken) {
        var message = VersionMessage(text)
        message.why = message.why.flatMap(VersionMessage.cleaned)
        message.via = "fuzz"
        // Messages of this program have a subject.
        if message.subject.visible.trimmingSpaces.isEmpty { message.subject = "subject" }
        let once = VersionMessage(message.text)
        try expect(
            once.reverts == message.reverts && once.undoes == message.undoes && once.redoes == message.redoes
                && once.restoredFrom == message.restoredFrom && once.renames == message.renames
                && once.conflicts == message.conflicts && once.resolves == message.resolves && once.via == message.via,
            "trailers became \(once) from \(message)")
        let twice = VersionMessage(once.text)
        try expect(twice == once, "\(once) became \(twice)")
    }

    /// The header that a walk reads agrees with the commit.
    static func commit(_ bytes: [UInt8]) throws(Broken) {
        let words = VersionMessage.wordsOnTheWay
        let (commit, header, noticed) = bytes.withUnsafeBytes { raw in
            (
                Commit(id: id, bytes: raw), CommitHeader(id: id, bytes: raw),
                CommitHeader(id: id, bytes: raw, noticing: words)
            )
        }
        guard let commit, let header, let noticed else {
            return try expect(commit == nil && header == nil && noticed == nil, "a commit to one of two readers")
        }
        for header in [header, noticed] {
            try expect(
                header.tree == commit.tree && header.parents == commit.parents && header.time == commit.committer.time,
                "\(commit) has the header \(header)")
        }
        let version = Version(commit, Mailmap())
        try moment(version.time)
        try moment(commit.author.when)
        _ = version.message.text
    }

    static func person(_ text: String) throws(Broken) {
        guard let person = Person(text) else { return }
        try expect(
            !person.description.utf8.contains { $0 < 32 || $0 == 127 }, "control characters in \(person.description.visible)")
    }

    static func tree(_ bytes: [UInt8]) throws(Broken) {
        let fault: String? = bytes.withUnsafeBytes { raw in
            var entries = Tree.Entries(id: id, bytes: raw)
            var last: Tree.Entry?
            while let entry = try? entries.next() {
                if let last, entry.order(last).signum() != -last.order(entry).signum() { return "no order" }
                _ = decoded(entry.name)
                last = entry
            }
            return nil
        }
        if let fault { throw Broken(fault) }
    }

    /// The first byte says whether the rest is already compressed.
    static func object(_ bytes: [UInt8]) throws(Broken) {
        var packed = Array(bytes.dropFirst())
        if bytes.first.map({ $0 & 1 == 0 }) ?? true {
            var count = compressBound(UInt(packed.count))
            var out = [UInt8](repeating: 0, count: Int(count))
            compress2(&out, &count, packed, UInt(packed.count), 1)
            packed = Array(out.prefix(Int(count)))
        }
        var stream = z_stream()
        var data: UnsafeMutableRawPointer?
        var (size, type) = (0, GIT_OBJECT_ANY)
        let result = packed.withUnsafeMutableBufferPointer { buffer -> Int32 in
            stream.next_in = buffer.baseAddress
            stream.avail_in = UInt32(buffer.count)
            inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
            return settings_loose_inflate(&data, &size, &type, nil, &stream)
        }
        inflateEnd(&stream)
        defer { free(data) }
        guard result == 0, let data else { return }
        try expect(data.load(fromByteOffset: size, as: UInt8.self) == 0, "no zero byte behind the object")
    }

    /// The hash is corrected. The first byte selects the change: the resulting index can be read.
    static func index(_ bytes: [UInt8]) throws(Broken) {
        guard let first = bytes.first else { return }
        let body = Array(bytes.dropFirst())
        let file = body + IndexFile.hash(body[...])
        _ = IndexFile.unknownExtension(in: file)
        guard let index = try? IndexFile(file, writtenIn: 1_700_000_000) else { return }
        for racy in index.racy { _ = index.entry(racy) }
        index.eachSkipped { _ = $0 }
        index.eachFile(under: Array("general/".utf8)) { name, _, _ in _ = String(validating: name, as: UTF8.self) }
        var patches: [IndexFile.Patch] = []
        for (bit, path) in ["a", "a/b.json", "general/language.json", "z"].enumerated() where first & (1 << bit) != 0 {
            let content = first & (16 << (bit % 2)) != 0 ? Content(id: id, mode: .blob) : nil
            patches.append(IndexFile.Patch(path: Array(path.utf8), content: content))
        }
        let smudged = Set(index.racy.map(\.lowerBound))
        guard let patched = try? index.patched(patches, smudging: smudged, clearing: first & 64 != 0) else { return }
        try expect((try? IndexFile(patched, writtenIn: 0)) != nil, "the patched index can't be read")
    }

    /// The magic number and the checksum are corrected. Whatever the columns contain, each query returns.
    static func history(_ bytes: [UInt8]) throws(Broken) {
        guard bytes.count <= sizeLimit else { return }
        var file = HistoryFile(capacity: bytes.count)
        file.append(bytes)
        guard let base = HistoryColumns(file.finished(), prefix: "") else { return }
        for kept in Set([base.count, base.isOrdered ? base.count / 2 : base.count]) {
            let index = HistoryIndex(base: base, kept: kept, tail: HistoryTail(), isOrdered: base.isOrdered)
            for time in [Int64.min, 0, 1_700_000_000, .max] { _ = index.newest(until: time) }
            let marks = index.marks(of: [.root])
            let isCut = index.cuts()
            for number in 0..<kept {
                _ = (index.touches(number, marks), isCut(number), index.firstParent(number))
                index.eachTouch(by: number) { path, _ in _ = path }
                _ = index.number(of: index.id(number))
            }
            _ = (index.otherParents(), index.numbers())
            guard HistoryColumns(index.file(), prefix: "") != nil || kept < base.count else {
                throw Broken("the index that was written again can't be read")
            }
        }
    }
}
