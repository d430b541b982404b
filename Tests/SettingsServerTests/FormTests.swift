import SettingsModel
import Testing

@testable import SettingsServer

struct FormTests {
    @Test func fieldsAreDecoded() throws {
        let form = try Form("a=1+2%2B3&b=%C3%A9&c&d=x%0D%0Ay&e=a=b".utf8)
        #expect(form.names == ["a", "b", "c", "d", "e"])
        #expect(form["a"] == "1 2+3")
        #expect(form["b"] == "é")
        #expect(form["c"] == "")
        #expect(form["d"] == "x\ny")
        #expect(form["e"] == "a=b")
        #expect(form["z"] == nil)
        #expect(form.filled("c") == nil)
    }

    @Test(arguments: ["a=%", "a=%4", "a=%zz", "a=%ff", "%c3=1", "a=1&a=2", "a=1&%61=2"])
    func whatNoBrowserSendsIsRefused(_ text: String) {
        #expect(throws: Form.Fault.malformed) { try Form(text.utf8) }
    }

    @Test func thereAreAtMostAThousandFields() throws {
        let fields = (0..<1_000).map { "f\($0)=" }.joined(separator: "&")
        #expect(try Form(fields.utf8).names.count == 1_000)
        #expect(throws: Form.Fault.tooMany) { try Form((fields + "&one=").utf8) }
    }
}

struct HTMLTests {
    private func text(_ make: (inout HTML) -> Void) -> String {
        var html = HTML()
        make(&html)
        return String(decoding: html.bytes, as: UTF8.self)
    }

    @Test func wordsAreEscaped() {
        #expect(text { $0.put("<a href='x'>\"&\"</a>") } == "&lt;a href=&#39;x&#39;&gt;&quot;&amp;&quot;&lt;/a&gt;")
    }

    @Test func attributesAreEscapedAndLeftOut() {
        let html = text { $0.tag("input", ["value": "\" onfocus=\"x", "checked": "", "disabled": nil]) }
        #expect(html == "<input value=\"&quot; onfocus=&quot;x\" checked>")
    }

    /// Characters that turn or hide others are written out, but stay in what a field sends back.
    @Test func hiddenCharactersAreShown() {
        for hidden in ["\u{202E}", "\u{2066}", "\u{0}", "\u{1B}", "\u{7F}"] {
            #expect(!text { $0.put("a\(hidden)b") }.unicodeScalars.contains { String($0) == hidden }, "\(hidden.unicodeScalars)")
        }
        #expect(text { $0.field("a\u{202E}b") } == "a\u{202E}b")
    }

    @Test func partsOfAddressesAreEncoded() {
        #expect("a/b?c&d=é%\r\n".inAddress == "a%2Fb%3Fc%26d%3D%C3%A9%25%0D%0A")
        #expect("a%2Fb+c".removingPercents == "a/b c")
        #expect("%zz".removingPercents == "%zz")
    }

    /// What a browser takes for an address of another server is never led on to.
    @Test(arguments: [
        "//evil.example", "/\\evil.example", "/\t/evil.example", "/\n/evil.example", "https://evil.example", "", "x", "/a\\b",
        "/ /x",
    ])
    func addressesOfOthersAreNotLocal(_ path: String) { #expect(!Site.isLocal(path)) }

    @Test(arguments: ["/", "/o/sound.volume", "/history?key=a%26b"])
    func ownAddressesAreLocal(_ path: String) { #expect(Site.isLocal(path)) }

    /// Nothing is recorded that was not seen after signing in.
    @Test func aFormLeadsToItsReview() throws {
        #expect(try Form("version=1".utf8).review(of: "/done") == "/review")
        #expect(try Form("act=revert".utf8).review(of: "/done") == "/revert")
        #expect(try Form("act=settle".utf8).review(of: "/done") == "/conflicts")
        #expect(try Form("act=other".utf8).review(of: "/done") == nil)
        #expect(try Form("".utf8).review(of: "/edit") == "/review")
        #expect(try Form("".utf8).review(of: "/undo") == nil)
    }

    @Test func whatIsHandedOnHasItsName() throws {
        let form = try Form("token=x&kept:value:a=1&next=/&kept:why=".utf8)
        #expect(form.handedOn.map(\.name) == ["value:a", "why"] && form.handedOn.map(\.value) == ["1", ""])
    }

    /// What one person typed is handed on to that person, and to nobody else.
    @Test func whatIsHandedOnIsOfOnePerson() throws {
        let form = try Form("token=x&kept:why=secret&kept:person=Ada&next=/review".utf8)
        #expect(form.handedOn(to: "Ada").handedOn.map(\.name) == ["why", "person"])
        // A wrong token is nobody's, and its form is shown once more.
        #expect(form.handedOn(to: nil).handedOn.count == 2)
        let other = form.handedOn(to: "Marie")
        #expect(other.handedOn.isEmpty && other["next"] == "/" && other["token"] == "x" && other["kept:why"] == nil)
    }

    @Test func aMaskedPageWithoutAValue() throws {
        #expect(try Form("masked:net.key=&why=x".utf8).maskedWithoutValue == Key("net.key"))
        #expect(try Form("masked:net.key=v".utf8).maskedWithoutValue == nil)
        let unset = try Form("masked:net.key=&unset=net.key".utf8)
        #expect(unset.maskedWithoutValue == nil)
        #expect(try unset.unset == Key("net.key"))
    }
}
