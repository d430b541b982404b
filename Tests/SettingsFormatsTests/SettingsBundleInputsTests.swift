import Foundation
import SettingsFormats
import SettingsModel
import Testing

/// Real bundles.
@Suite(.enabled(if: Inputs.areThere, "needs ../shared/inputs"))
struct SettingsBundleInputsTests {
    /// Every folder that contains a bundle or parts of one.
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

    @Test func inputsExist() { #expect(Self.bundles.count == 29) }

    @Test(arguments: bundles)
    func everyBundleIsRecognisedAndValid(_ bundle: String) throws {
        let source = try Source(paths: [Inputs.path("settings-bundle/\(bundle)")])
        #expect(try Formats.recognised(source).name == .settingsBundle)
        let imported = try SettingsBundleFormat.read(source, ReadRequest())
        #expect(try SettingsBundleFormat.read(source, ReadRequest()).settings == imported.settings)
        for (key, option) in imported.settings.options {
            #expect(option.faults().isEmpty, "\(key)")
            #expect(try SettingsOption(file: option.file) == option, "\(key)")
            #expect(option.value == nil)
        }
        for (key, group) in imported.settings.groups { #expect(try SettingsGroup(file: group.file) == group, "\(key)") }
    }

    /// Counts the settings independently, from the rows.
    @Test(arguments: bundles)
    func everyRowIsImported(_ bundle: String) throws {
        let imported = try read(bundle)
        let all = try pages(Inputs.path("settings-bundle/\(bundle)"))
        let forms = ["~iphone", "~ipad", ".inApp"]
        let rows = all.filter { name, _ in !forms.contains { name.contains($0) } || all.count == 1 }.values
            .flatMap { $0["PreferenceSpecifiers"] as? [NSDictionary] ?? [] }
        let kinds = ["ToggleSwitch", "Slider", "TextField", "MultiValue", "RadioGroup", "TitleValue"].map { "PS\($0)Specifier" }
        let settings = rows.filter { kinds.contains($0["Type"] as? String ?? "") }.compactMap { $0["Key"] as? String }
        #expect(Set(settings).count == imported.settings.options.count)
        let names = imported.settings.options.map { $0.value.importedKey?.string ?? $0.key.name }
        #expect(Set(names) == Set(settings))
    }

    @Test func figures() throws {
        var options: [SettingsOption.Kind: Int] = [:]
        var counts: [String: Int] = [:]
        for bundle in Self.bundles {
            let imported = try read(bundle)
            for option in imported.settings.options.values {
                options[option.type, default: 0] += 1
                counts["labels", default: 0] += option.labels.count
                if option.isMasked { counts["masked", default: 0] += 1 }
                if option.isReadOnly { counts["read only", default: 0] += 1 }
            }
            for group in imported.settings.groups.values { counts[group.style?.rawValue ?? "", default: 0] += 1 }
            for repair in imported.repairs { counts[repair.kind.rawValue, default: 0] += 1 }
        }
        #expect(options == [.switch: 106, .text: 97, .choice: 63, .number: 13])
        #expect(
            counts == ["labels": 398, "masked": 7, "read only": 30, "page": 43, "section": 98, "kept": 89, "repaired": 36])
    }

    @Test func titlesInTheRequestedLanguage() throws {
        var request = ReadRequest()
        request.language = "de"
        let folder = "futuretap__InAppSettingsKit/InAppSettingsKitSampleApp/Settings.bundle"
        let (own, german) = (try read(folder).settings, try read(folder, request).settings)
        #expect(own.options.keys.sorted() == german.options.keys.sorted())
        #expect(own.options.filter { $0.value.title != german.options[$0.key]?.title }.count == 10)
    }

    /// The pages in a form that Foundation reads, for comparison.
    private func pages(_ folder: String) throws -> [String: NSDictionary] {
        var pages: [String: NSDictionary] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".plist") {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
            pages[name] = try? PropertyListSerialization.propertyList(from: bytes, format: nil) as? NSDictionary
        }
        return pages
    }

    @Test(arguments: bundles)
    func unchangedImportRoundTrips(_ bundle: String) throws {
        let originals = try pages(Inputs.path("settings-bundle/\(bundle)"))
        guard case .folder(let files) = try SettingsBundleFormat.write(read(bundle).settings, WriteRequest()) else {
            Issue.record("no folder")
            return
        }
        for file in files where file.path.hasSuffix(".plist") {
            let written = try PropertyListSerialization.propertyList(from: Data(file.bytes), format: nil) as? NSDictionary
            let original = originals[file.path] ?? originals["Root~iphone.inApp.plist"]
            try Self.expectEqual(try #require(written), try #require(original, "\(file.path)"), file.path)
        }
        // Reading the output gives the same settings as well.
        let again = try SettingsBundleFormat.read(
            Source(files: files.map { (path: "B.bundle/\($0.path)", bytes: $0.bytes) }), ReadRequest())
        #expect(again.settings.options.keys.sorted() == (try read(bundle)).settings.options.keys.sorted())
    }

    private static func expectEqual(_ written: NSDictionary, _ original: NSDictionary, _ file: String) throws {
        #expect(types(written) == types(original), "\(file)")
    }

    /// The value with the type of each number, which `NSNumber` ignores in comparisons.
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
