import Testing

@testable import SettingsModel
@testable import SettingsText

/// What an import or an export can't do, as the command line says it.
struct RefusalTests {
    private static let rewriting = "--rewrite rewrites the whole file, without its comments and layout"

    @Test(
        arguments: [
            (
                Refusal("can't tell what format this is", remedy: .namingFormat), "can't tell what format this is",
                "give it with --format settings-bundle|gsettings|vscode|json-schema|flagd|json|yaml|toml|plist|env|ini|git-config"
                    + "|properties|systemd|keyfile|postgresql|my-cnf|npmrc|editorconfig|php-ini"
            ),
            (
                Refusal("is a link", in: "a.json", at: BadFile.Position(line: 2, column: 3), remedy: .rewriting),
                "a.json:2:3: is a link", rewriting
            ),
            (
                Refusal("is UTF-16", in: "a.json", hint: "save it as UTF-8", remedy: .rewriting), "a.json is UTF-16",
                "save it as UTF-8; \(rewriting)"
            ),
            (
                Refusal("is another", in: "a.yaml", remedy: .exporting(as: .yaml, orRewritingAs: .json)), "a.yaml is another",
                "'settings export yaml' edits it; --rewrite rewrites it as json"
            ),
            (Refusal("is no key", remedy: .renamingOption), "is no key", "change it with 'settings rename'"),
            (Refusal("applies to YAML", hint: "leave it out", asked: .document), "--document applies to YAML", "leave it out"),
            (Refusal("goes with one format", asked: .values), "--values goes with one format", nil),
        ] as [(Refusal, String, String?)])
    func words(refusal: Refusal, reason: String, hint: String?) {
        let explanation = CommandLineHints.explanation(of: refusal)
        #expect(explanation.reason == reason)
        #expect(explanation.hint == hint)
    }

    @Test func aLanguageThatCouldBeAskedFor() {
        var repair = Repair(.kept, file: "Root.plist", found: "it has titles in de", done: "titles are those of the pages")
        #expect(CommandLineHints.done(repair) == "titles are those of the pages")
        repair.needsLanguage = true
        #expect(CommandLineHints.done(repair) == "titles are those of the pages; --language picks one")
    }
}
