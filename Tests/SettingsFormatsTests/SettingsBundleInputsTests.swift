import Foundation
import SettingsFormats
import SettingsModel
import Testing

/// Real bundles.
@Suite(.enabled(if: Inputs.areThere, "needs ../shared/inputs"))
struct SettingsBundleInputsTests {
    /// Every folder that holds a bundle or parts of one.
    static let bundles: [String] = {
        guard Inputs.areThere, let names = FileManager.default.enumerator(atPath: Inputs.path("settings-bundle")) else {
            return []
        }
        let pages = names.compactMap { $0 as? String }.filter { $0.hasSuffix(".plist") && !$0.contains(".lproj/") }
        return Set(pages.map { ($0 as NSString).deletingLastPathComponent }).sorted()
    }()

    private func read(_ bundle: String, _ request: ReadRequest = ReadRequest()) throws -> Imported {
        try SettingsBundleFormat.read(Source(paths: [Inputs.path("settings-bundle/\(bundle)")]), request)
    }

    @Test func thereAreSome() { #expect(Self.bundles.count == 29) }

    @Test(arguments: bundles)
    func everyBundleIsRecognisedAndReadAndHoldsTogether(_ bundle: String) throws {
        let source = try Source(paths: [Inputs.path("settings-bundle/\(bundle)")])
        #expect(try Formats.recognised(source).name == .settingsBundle)
        let imported = try SettingsBundleFormat.read(source, ReadRequest())
        #expect(try SettingsBundleFormat.read(source, ReadRequest()).settings == imported.settings)
        for (key, option) in imported.settings.options {
            #expect(option.problems().isEmpty, "\(key)")
            #expect(try Option(file: option.file) == option, "\(key)")
            #expect(option.value == nil)
        }
        for (key, group) in imported.settings.groups { #expect(try Group(file: group.file) == group, "\(key)") }
    }

    /// Pages in one form that Foundation reads, to compare what is in them.
    private func pages(_ folder: String) throws -> [String: NSDictionary] {
        var pages: [String: NSDictionary] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".plist") {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
            pages[name] = try? PropertyListSerialization.propertyList(from: bytes, format: nil) as? NSDictionary
        }
        return pages
    }

    @Test(arguments: bundles)
    func anUntouchedImportComesOutEqual(_ bundle: String) throws {
        let originals = try pages(Inputs.path("settings-bundle/\(bundle)"))
        guard case .folder(let files) = try SettingsBundleFormat.write(read(bundle).settings, WriteRequest()) else {
            Issue.record("no folder")
            return
        }
        for file in files where file.path.hasSuffix(".plist") {
            let written = try PropertyListSerialization.propertyList(from: Data(file.bytes), format: nil) as? NSDictionary
            let original = originals[file.path] ?? (originals.count == 1 ? originals.first?.value : nil)
            try Self.expectEqual(try #require(written), try #require(original, "\(file.path)"), file.path)
        }
        // Read again it is the same, too.
        let again = try SettingsBundleFormat.read(
            Source(files: files.map { (path: "B.bundle/\($0.path)", bytes: $0.bytes) }), ReadRequest())
        #expect(again.settings.options.keys.sorted() == (try read(bundle)).settings.options.keys.sorted())
    }

    private static func expectEqual(_ written: NSDictionary, _ original: NSDictionary, _ file: String) throws {
        #expect(types(written) == types(original), "\(file)")
    }

    /// With the type of each number, which `NSNumber`'s equality leaves out.
    private static func types(_ value: Any) -> String {
        switch value {
        case let members as NSDictionary:
            return "{" + members.map { "\($0.key)=\(types($0.value))" }.sorted().joined(separator: ";\n") + "}"
        case let elements as [Any]: return "(" + elements.map(types).joined(separator: ",\n") + ")"
        case let isTrue as Bool where type(of: value) == Bool.self: return isTrue ? "true" : "false"
        case let number as NSNumber: return "\(String(cString: number.objCType)) \(number)"
        default: return "\(type(of: value)) \(value)"
        }
    }
}
