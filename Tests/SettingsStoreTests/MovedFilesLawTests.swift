import Seeds
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Random commits by plain git that move, copy, exchange, edit, remove and add files: what is told as renamed was renamed, and
/// so is the draft before it.
@Suite struct MovedFilesLawTests {
    /// A file: which one it is, whatever it is called, and what it says.
    private struct File: Equatable {
        let number: Int
        var words: String
    }

    private struct Model {
        var random: Seeded
        var files: [String: File] = [:]
        private var count = 0

        init(seed: Int) { random = Seeded(UInt64(seed)) }

        /// Few titles: many files are the same as others.
        mutating func words() -> String { "Option \(random.int(30))" }

        mutating func add(_ path: String, _ words: String? = nil) {
            count += 1
            files[path] = File(number: count, words: words ?? self.words())
        }

        mutating func newPath() -> String {
            let path = ["", "g/", "h/", "g/i/", "k/", "k/l/"][random.int(6)] + "o\(random.int(40)).json"
            return files[path] == nil ? path : newPath()
        }

        mutating func somePath() -> String? {
            files.isEmpty ? nil : files.keys.sorted()[random.int(files.count)]
        }

        mutating func act() {
            guard let path = somePath(), let file = files[path] else { return add(newPath()) }
            let (new, otherWords) = (newPath(), words())
            switch random.int(9) {
            case 0, 1:
                files[path] = nil
                files[new] = file
            case 2:
                files[path] = nil
                files[new] = File(number: file.number, words: otherWords)
            case 3:
                let folder = path.split(separator: "/").dropLast().joined(separator: "/")
                if !folder.isEmpty { move(folder + "/", to: ["m\(random.int(9))/", "g/n\(random.int(9))/"][random.int(2)]) }
            case 4:
                guard let other = somePath(), let second = files[other] else { return }
                files[path] = second
                files[other] = file
            case 5: add(new, file.words)
            case 6:
                files[path] = nil
                add(new, random.int(4) == 0 ? file.words : otherWords)
            case 7: files[path]?.words = otherWords
            default: add(new)
            }
        }

        private mutating func move(_ folder: String, to new: String) {
            if new.hasPrefix(folder) || files.keys.contains(where: { $0.hasPrefix(new) }) { return }
            for (path, file) in files where path.hasPrefix(folder) {
                files[path] = nil
                files[new + path.dropFirst(folder.count)] = file
            }
        }
    }

    private func write(_ files: [String: File], over old: [String: File], in s: TemporaryStore) throws {
        for path in old.keys where files[path] == nil { try s.delete(path) }
        for (path, file) in files where old[path]?.words != file.words {
            try s.write(SettingsOption.number(file.words, 1).file, to: path)
        }
    }

    @Test(arguments: 0..<TemporaryStore.cases(6, atMost: 100)) func onlyWhatWasRenamed(seed: Int) throws {
        var model = Model(seed: 300 + seed)
        let s = try TemporaryStore.make(prefix: seed % 3 == 0 ? "conf/" : "")
        for _ in 0..<25 { model.add(model.newPath()) }
        try write(model.files, over: [:], in: s)
        try s.commitPlainly()
        var exact = 0
        for step in 0..<40 {
            let old = model.files
            for _ in 0...model.random.int(3) { model.act() }
            if model.files.mapValues(\.words) == old.mapValues(\.words) { continue }
            try write(model.files, over: old, in: s)
            let draft = try s.store.workTree.draft().changes.compactMap(\.renaming)
            let version = try s.store.versions.version(try s.commitPlainly())
            let note: Comment = "seed \(seed), step \(step)"
            #expect(draft.map { [$0.old, $0.new] } == version.renames.map { [$0.old, $0.new] }, note)
            let places = Dictionary(uniqueKeysWithValues: model.files.map { ($0.value.number, $0.key) })
            var told: [String: String] = [:]
            for rename in version.renames {
                for path in old.keys.sorted() {
                    guard let subject = Subject(path: path), told[path] == nil else { continue }
                    let new = subject.renamed(from: rename.old, to: rename.new)
                    if new != subject { told[path] = new.path }
                }
            }
            for (path, new) in told {
                guard let file = old[path] else { continue }
                #expect(model.files[new]?.words == file.words && old[new] == nil && model.files[path] == nil, note)
                // Removed or edited, while another file got the same bytes: nobody could tell.
                guard let place = places[file.number], model.files[place]?.words == file.words else { continue }
                #expect(place == new, "\(note): \(path)")
            }
            for (path, file) in old where model.files[path] == nil {
                guard let new = places[file.number], old[new] == nil, model.files[new] == file else { continue }
                let hasSame = { (files: [String: File]) in files.values.count { $0.words == file.words } > 1 }
                if hasSame(old) || hasSame(model.files) { continue }
                exact += 1
                #expect(told[path] == new, "\(note): \(path)")
            }
        }
        #expect(exact > 3, "so many were found at all")
    }
}
