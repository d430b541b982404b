import Foundation
import SettingsFormats
import SettingsModel
import Testing

struct XMLElementTests {
    private func read(_ text: String) throws -> XMLElement { try XMLElement.read(Array(text.utf8), in: "a.xml") }

    @Test func treeWithLines() throws {
        let root = try read(
            "<?xml version='1.0'?>\n<!DOCTYPE a PUBLIC '-//x' 'http://example.org/x.dtd'>\n<a x='1'>t<b/>\n u<b>v &amp; w</b></a>"
        )
        #expect(root.name == "a" && root["x"] == "1" && root.text == "t\n u" && root.line == 3)
        #expect(root.children.map(\.line) == [3, 4])
        #expect(root.children[1].text == "v & w")
    }

    @Test func truncatedFileErrorHasAPosition() {
        #expect(throws: Refusal.self) { try read("<a>\n<b>\n</a>") }
        let refusal = #expect(throws: Refusal.self) { try read("<a>\n<b></c></a>") }
        #expect(refusal?.position?.line == 2)
        #expect(refusal?.file == "a.xml")
    }

    @Test(arguments: [
        ("<a><b>", "truncated"), ("<a/>\n<b/>", "after its end"), ("<a/>x", "after its end"), ("<a></b>", "match"),
        ("<a>&x;</a>", "declared"), ("<a x='1' x='2'/>", "twice"), ("<a>\u{1}</a>", "character"), ("<a/><!-- x", "comment"),
        ("<a>1 < 2</a>", "&lt;"), ("", "empty"),
    ])
    func errorsAreReported(_ text: String, _ words: String) {
        let refusal = #expect(throws: Refusal.self) { try read(text) }
        #expect(refusal?.reason.contains(words) == true, "\(refusal?.reason ?? "")")
    }

    @Test(arguments: [
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
        "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>",
        "<!DOCTYPE a [<?x '?><!-- ' --><!ENTITY b 'c'><?y '?>]><a>&b;</a>",
        "<!DOCTYPE a [<!ENTITY % b SYSTEM 'file:///etc/passwd'> %b;]><a/>",
    ])
    func entitiesAreRejected(_ text: String) {
        let refusal = #expect(throws: Refusal.self) { try read(text) }
        #expect(refusal?.reason.contains("entity") == true)
    }

    @Test func billionLaughsAreRejectedAtOnce() {
        var text = "<!DOCTYPE a [<!ENTITY l0 'ha'>"
        for level in 1...30 { text += "<!ENTITY l\(level) '&l\(level - 1);&l\(level - 1);&l\(level - 1);&l\(level - 1);'>" }
        #expect(throws: Refusal.self) { try read(text + "]><a>&l30;</a>") }
    }

    @Test func depthIsLimited() {
        let deep = String(repeating: "<a>", count: 100_000)
        #expect(throws: Refusal.self) { try read(deep) }
    }
}
