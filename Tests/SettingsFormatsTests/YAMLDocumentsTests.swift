import SettingsModel
import Testing

@testable import SettingsFormats

/// Files of several documents are edited document by document.
struct YAMLDocumentsTests {
    private let file = """
        # web
        kind: Service
        metadata: {name: web}
        spec:
          port: 80   # open
        ---
        # db
        kind: Service
        metadata:
          name: db
        spec:
          port: 5432
        ...
        %YAML 1.2
        --- # last
        kind: Job
        metadata: {name: clean}
        on: on

        """

    private func written(
        _ settings: SettingsContent, over present: String? = nil, rewrites: Bool = false, note: ((String) -> Void)? = nil
    ) throws -> String {
        var request = WriteRequest()
        (request.present, request.name) = (Array((present ?? file).utf8), "k.yaml")
        (request.rewrites, request.note) = (rewrites, note)
        return try YAMLFormat.text(settings, request)
    }

    @Test func allAtOnce() throws {
        var settings = try YAMLFormat.read(["k.yaml": file]).settings
        #expect(settings["Job-clean.on"]?.value == "on")
        #expect(try written(settings) == file)
        settings.set("Service-web.spec.port", .number(8080))
        settings.set("Job-clean.on", "off")
        settings.options[try Key("Service-db.spec.host")] = SettingsOption(title: "", type: .text, value: "a")
        #expect(
            try written(settings)
                == file.replacing("port: 80 ", with: "port: 8080 ").replacing("on: on", with: "on: \"off\"")
                .replacing("port: 5432\n", with: "port: 5432\n  host: a\n"))
        // A store that has only one of them.
        settings = settings.filtered("Service-db")
        #expect(try written(settings) == file.replacing("port: 5432\n", with: "port: 5432\n  host: a\n"))
    }

    @Test func oneOfThem() throws {
        var request = ReadRequest()
        request.document = 2
        var settings = try YAMLFormat.read(["k.yaml": file], request).settings
        settings.set("spec.port", .number(1))
        #expect(try written(settings) == file.replacing("5432", with: "1"))
        let rewritten = try written(settings, rewrites: true)
        #expect(rewritten.hasPrefix("# web\n") && rewritten.contains("---\nkind: Service\nmetadata:\n  name: db\n"))
        #expect(rewritten.hasSuffix("on: on\n") && !rewritten.contains("# db"))
        #expect(
            try written(settings, over: "kind: x\nspec:\n  port: 2\n")
                == "kind: Service\nmetadata:\n  name: db\nspec:\n  port: 1\n")
        #expect(throws: Refusal.self) { try written(settings, over: "a: 1\n---\n- 1\n") }
    }

    @Test func anotherFileHasDocumentsToo() throws {
        let settings = try YAMLFormat.read(["k.yaml": file]).settings
        let text = try YAMLFormat.text(settings)
        #expect(try YAMLFormat.read(["k.yaml": text]).settings.options.keys.sorted() == settings.options.keys.sorted())
        #expect(text.components(of: "---\n") == 3)
        #expect(try written(settings, rewrites: true).components(of: "---\n") == 3)
    }

    @Test func whatIsInNoDocumentIsRefused() throws {
        var settings = try YAMLFormat.read(["k.yaml": file]).settings
        for name in ["x", "y.z"] { settings.options[try Key(name)] = SettingsOption(title: "", type: .number, value: .number(1)) }
        for rewrites in [false, true] {
            let refusal = #expect(throws: Refusal.self) { try written(settings, rewrites: rewrites) }
            #expect(refusal?.all.map(\.reason) == ["'x' is in none of its 3 documents", "'y' is in none of its 3 documents"])
        }
    }

    @Test func faultsHaveTheirLines() throws {
        let file = "a: &x 1\nb: *x\n---\nc: &y {d: 1}\ne: *y\n"
        var settings = try YAMLFormat.read(["k.yaml": file]).settings
        settings.set("document-1.b", .number(2))
        settings.set("document-2.e.d", .number(2))
        let refusal = #expect(throws: Refusal.self) { try written(settings, over: file) }
        #expect(refusal?.all.map(\.position?.line) == [2, 5])
    }
}

extension SettingsContent {
    fileprivate func filtered(_ group: String) -> SettingsContent {
        var copy = self
        copy.options = options.filter { $0.key.parts[0] == group }
        copy.groups = groups.filter { $0.key.isRoot || $0.key.parts[0] == group }
        return copy
    }
}

extension String {
    fileprivate func components(of separator: String) -> Int {
        split(separator: separator, omittingEmptySubsequences: false).count
    }
}
