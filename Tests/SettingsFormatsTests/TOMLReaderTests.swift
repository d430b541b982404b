import SettingsFormats
import SettingsModel
import Testing

/// Valid and invalid TOML according to its specification; Python's tomllib agrees on the files that are TOML 1.0.
struct TOMLReaderTests {
    private func read(_ text: String) throws -> Imported { try TOMLFormat.read(["a.toml": text]) }

    @Test(arguments: [
        "[a]\n[a.b]\n", "[a.b]\n[a]\nc=1\n", "[[a]]\nb=1\n[[a]]\nb=2\n[a.c]\nd=1\n", "[a]\nb.c=1\n[a.b.d]\nx=1\n",
        "[[a.b]]\n[a]\nc=1\n", "a.b=1\na.c.d=2\n", "a.b.c=1\n[a.d]\nx=1\n", "a={b.c=1,b.d=2}\n", "[ a . \"b\" ]\nx=1\n",
        "[a]\nx=1\n[b]\n[a.c]\ny=2\n", "[[a.b]]\nx=1\n[[a.b.c]]\ny=1\n[a.b.c.d]\nz=1\n", "3.14='pi'\n", "''=1\n",
    ])
    func validTables(_ text: String) throws {
        #expect(throws: Never.self) { try read(text) }
    }

    @Test(arguments: [
        "a.b=1\n[a]\n", "[a]\n[a.b]\n[a]\n", "[a.b]\n[a]\nb.c=1\n", "[a.b.c]\nz=9\n[a]\nb.c.t=1\n", "[[a]]\n[a]\n",
        "[a]\n[[a]]\n",
        "a=[]\n[[a]]\n", "a=[{}]\n[[a]]\n", "a={}\n[a.b]\n", "a={b={}}\n[a.b.c]\n", "a={b=1}\na.c=2\n", "a.b={}\na.b.c=1\n",
        "a={b={x=1},b.y=2}\n", "a={b=1,b=2}\n", "[a]\nb.c=1\n[a.b]\n", "[a]\nb.c=1\n[[a.b]]\n", "[[a.b]]\n[a]\nb.x=1\n",
        "a=1\na.b=2\n", "'a'=1\na=2\n", "[[a]]\nx=[{y=1}]\n[[a.x]]\n", "a.b.c=1\n[a.b]\nx=1\n",
    ])
    func invalidTables(_ text: String) {
        let refusal = #expect(throws: Refusal.self) { try read(text) }
        #expect(refusal?.position?.line == text.count { $0 == "\n" } || text.contains("x=1\n"))
    }

    @Test(arguments: [
        "1_0", "-0", "+0.0", "1E+5", "1e05", "0xF_f", "0x7fffffffffffffff", "-9223372036854775808", "0000-01-01",
        "1979-05-27T07:32:00z", "\"\"\"\"x\"\"\"\"\"", "''''x'''''", "\"\"\"\\\n  x\"\"\"", "\"\"\"\\ \n\n x\"\"\"",
        "[\n1,#c\n2,\n]",
        "\"\t\"", "\"\"\"x\r\ny\"\"\"", "1 # é",
    ])
    func validValues(_ text: String) throws {
        #expect(throws: Never.self) { try read("a=\(text)\n") }
    }

    @Test(arguments: [
        "", "=1", "1 b=2", "01", "-01", "00", "1_", "_1", "1__0", "1_.5", "1._5", "1.5_", "1e_5", "1_e5", "1.", ".5", "1.e5",
        "+-1",
        "++1", "0x", "0xG", "0x_1", "0XFF", "+0x1", "0o8", "0b2", "Inf", "TRUE", "true1", "nul", "1e999", "9223372036854775808",
        "0x8000000000000000", "1.0.0", "1979-5-27", "1979-05-27T", "1979-05-27  07:32:00", "1979-05-27T24:00:00", "07:32:00Z",
        "2000-02-30", "\"", "\"a\nb\"", "\"\\q\"", "\"\\u00\"", "\"\\ud800\"", "\"\\U00110000\"", "\"\\u+041\"", "\"\u{1}\"",
        "'\u{7F}'", "'a\nb'", "\"\"\"x\"\"\"\"\"\"", "'''x''''''", "\"\"\"a \\ b\"\"\"", "\"\"\"a\\\"\"\"", "\"\"\"x\ry\"\"\"",
        "\"x\"y",
        "[1 2]", "[1,,2]", "[,1]", "[1", "{b=1", "{b 1}", "{b=1,,c=2}", "{,}", "1 #\u{1}", "1\rb=2", "\u{B}1", "1\u{C}",
    ])
    func invalidValues(_ text: String) {
        #expect(throws: Refusal.self) { try read("a=\(text)\n") }
    }

    @Test(arguments: [
        "[]", "[a.]", "[.a]", "[ [a]]", "[[a] ]", "[a\n]", "[a]b=1", "[a]]", "[[a]", "[[a]]]", "é=1", "a b=1", "\"\"\"a\"\"\"=1",
    ])
    func invalidNamesAndHeaders(_ text: String) {
        #expect(throws: Refusal.self) { try read(text + "\n") }
    }
}
