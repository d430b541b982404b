import Foundation
import Testing

@testable import SettingsFormats
@testable import SettingsModel

struct SeveralFilesTests {
    /// Writes files into a folder and reads `paths` from it.
    private func read(
        _ files: KeyValuePairs<String, String>, _ paths: [String] = [""], as format: FormatName? = nil, into group: Key = .root,
        _ request: ReadRequest = ReadRequest()
    ) throws -> Imported {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("several-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            let file = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        var imported = try Formats.read(paths.map { folder.path + "/" + $0 }, as: format, into: group, request)
        for index in imported.repairs.indices {
            let repair = imported.repairs[index]
            imported.repairs[index].file = repair.file.replacingOccurrences(of: folder.path + "/", with: "")
        }
        return imported
    }

    private func values(_ imported: Imported) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: imported.settings.options.map { ($0.key.description, $0.value.value?.compact ?? "null") })
    }

    @Test func laterFileCounts() throws {
        let imported = try read(
            ["a.json": #"{"x":1,"y":{"z":2}}"#, "b.toml": "x = 3\nw = 4\n", "c.yaml": "y: 5\n"], ["a.json", "b.toml", "c.yaml"])
        #expect(values(imported) == ["x": "3", "w": "4", "y": "5"])
        #expect(imported.settings.allGroups == [.root])
        #expect(imported.settings.groups[.root]?.order == ["x", "w", "y"])
        #expect(imported.repairs.map(\.key) == ["x", "y.z"])
        #expect(imported.parts.sources.map(\.format) == [.json, .toml, .yaml])
    }

    @Test func namesThatDifferOnlyByCaseAreOne() throws {
        let imported = try read(["a.json": #"{"Host":1}"#, "b.json": #"{"host":2}"#], ["a.json", "b.json"])
        #expect(values(imported) == ["Host": "2"])
        #expect(imported.settings.options[try Key("Host")]?.importedKey == "host")
    }

    @Test func definitionsAndValuesTogether() throws {
        let schema = """
            <schemalist><schema id="org.x" path="/org/x/"><key name="k" type="i"><default>1</default></key></schema></schemalist>
            """
        let imported = try read(["x.gschema.xml": schema, "b.json": #"{"v":2}"#], ["x.gschema.xml", "b.json"])
        #expect(imported.givesValues && imported.givesDefinitions)
        let (defined, valued) = (try Key("org.x.k"), try Key("v"))
        #expect(!imported.givesValue(of: defined) && imported.givesValue(of: valued))
        #expect(imported.givesDefinition(of: defined) && !imported.givesDefinition(of: valued))
    }

    @Test func eachFileOfAFolderIsAGroup() throws {
        let imported = try read([
            "web.json": #"{"port":1}"#, "db/main.yaml": "port: 2\n", ".env": "PORT=3\n", ".env.test": "PORT=4\n",
            "web.toml": "port = 5\n", "README.md": "", ".hidden.json": "{", ".git/config.json": "{", "node_modules/a.json": "{",
        ])
        #expect(
            values(imported) == [
                "web-json.port": "1", "db.main.port": "2", "env.PORT": #""3""#, "env-test.PORT": #""4""#, "web-toml.port": "5",
            ])
        #expect(imported.repairs.map(\.kind) == [.leftOut])
        #expect(imported.repairs.map(\.file) == ["README.md"])
    }

    @Test func folderOfOneFormatWithOtherFiles() throws {
        let imported = try read(["a.yaml": "x: 1\n", "b.json": #"{"y":2}"#], as: .yaml, into: try Key("g"))
        #expect(values(imported) == ["g.a.x": "1"])
    }

    @Test func folderWithOneFileIsThatFile() throws {
        #expect(values(try read(["a.yaml": "x: 1\n"])) == ["x": "1"])
    }

    @Test func brokenFileRejectsTheImport() throws {
        let refusal = #expect(throws: Refusal.self) { try read(["a.json": "{}", "b.json": "{"]) }
        #expect(refusal?.file?.hasSuffix("b.json") == true)
    }

    /// Groups that are nested too deep become data, whatever the target group is.
    @Test func deepFilesIntoAGroup() throws {
        let text = String(repeating: #"{"a":"#, count: 20) + "1" + String(repeating: "}", count: 20)
        for into in ["", "g", "a.b.c.d.e"] {
            let group = into.isEmpty ? Key.root : try Key(into)
            let imported = try read(["x.json": text, "y.json": #"{"y":1}"#], ["x.json"], into: group)
            #expect(imported.settings.options.keys.map(\.parts.count) == [16])
            #expect(imported.repairs.map(\.kind) == [.kept])
        }
        #expect(try read(["x.json": text, "y.json": "{}"], [""]).settings.options.keys.map(\.parts.count) == [16])
    }

    @Test func documents() throws {
        let text = "a: &x 1\n---\nb: 2\n---\n---\nc: *x\n"
        #expect(throws: Refusal.self) { try read(["x.yaml": text]) }
        let three = "a: &x 1\n---\nb: *b\n"
        #expect(throws: Refusal.self) { try read(["x.yaml": three.replacingOccurrences(of: "*b", with: "*x")]) }
        let plain = "a: 1\n---\nb: 2\n---\n---\nc: 3\n"
        #expect(values(try read(["x.yaml": plain])) == ["document-1.a": "1", "document-2.b": "2", "document-3.c": "3"])
        var request = ReadRequest()
        request.document = 3
        #expect(values(try read(["x.yaml": plain], [""], request)) == ["c": "3"])
        request.document = 4
        #expect(throws: Refusal.self) { try read(["x.yaml": plain], [""], request) }
        let named = "kind: A\nmetadata: {name: x}\n---\nkind: B\nmetadata: {name: x}\n"
        #expect(try read(["x.yaml": named]).settings.groups.keys.contains(try Key("B-x")))
    }

    @Test(arguments: [
        ("a: 1\nb: 2\na: 3\n", 3, 1), ("x:\n  - b: 1\n    c: {b: 2}\n    b: 3\n", 4, 5), ("'a': 1\n\"a\": 2\n", 2, 1),
        ("x: {a: 1, b: {a: 2}, a: 3}\n", 1, 22), ("a: |\n  a: 1\nb: 2\na : 3\n", 4, 1), ("a: 1\na-b: 2\na.b: 3\na: 4\n", 4, 1),
        ("# a: 0\na: 1\r\nb: 2\r\na: 3\r\n", 4, 1), ("x:\n- {a: 1,\n   a: 2}\n", 3, 4),
    ])
    func duplicateNamesAreReportedWithTheirPositions(_ text: String, _ line: Int, _ column: Int) throws {
        let refusal = #expect(throws: Refusal.self) { try read(["x.yaml": text]) }
        #expect(refusal?.reason.hasSuffix("appears twice") == true)
        #expect(refusal?.position == BadFile.Position(line: line, column: column), "\(text)")
    }
}
