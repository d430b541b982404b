import Testing

@testable import SettingsFormats
@testable import SettingsModel

struct SecretNamesTests {
    @Test(arguments: [
        "password", "PASSWORD", "dbPassword", "db_password_2", "userpassword", "smtp-passwd", "passphrase", "token", "authToken",
        "GITHUB_TOKEN", "accessToken", "secret", "clientSecret", "client-secret", "AWS_SECRET_ACCESS_KEY", "apiKey",
        "api-key", "apikey", "API_KEY", "private-key", "privateKey", "credentials", "credential", "encryption_key", "pwd",
        "bearer_token", "webhookSecret", "htpasswd", "DB_PASS", "smtp.pass", "PAT", "GITHUB_PAT", "jwt", "SENTRY_DSN",
        "storePassword", "RELEASE_STORE_PASSWORD", "trustStorePassword", "key-store-password", "keyStorePassword",
        "PresharedKey", "preshared-key", "wep-key0", "default_pw", "_auth", "cookie_secret", "encryption-key",
    ])
    func secretNames(_ name: String) {
        #expect(SecretNames.isSecret(name, in: []))
    }

    @Test(arguments: [
        "token_limit", "max-tokens", "max_new_tokens", "tokenCount", "token_ttl", "tokenType", "eos_token", "password_file",
        "passwordPolicy", "password-min-length", "secretName", "show_password", "passwordless", "tokenizer", "publicKey",
        "public_key", "AWS_ACCESS_KEY_ID", "keyboard", "key", "hotkey", "primary_key", "credential_helper", "secrets_provider",
        "token_url", "secretary", "compass", "pass_count", "bypass", "patch", "path", "jwt_issuer", "passes", "author",
        "semanticTokenColors", "keys", "tokenEndpoint", "secret_version", "password_encryption",
        "password_store", "token_cookie", "auth", "author", "show_file_password",
    ])
    func otherNames(_ name: String) {
        #expect(!SecretNames.isSecret(name, in: []))
    }

    @Test func settingsInAGroupOfSecrets() {
        #expect(SecretNames.isSecret("db", in: ["app", "secrets"]))
        #expect(SecretNames.isSecret("smtp", in: ["api-keys"]))
        #expect(!SecretNames.isSecret("path", in: ["credentials"]))
        #expect(!SecretNames.isSecret("username", in: ["credentials"]))
        #expect(!SecretNames.isSecret("db", in: ["app", "secretary"]))
    }

    private func masked(_ text: String, _ masking: Masking) throws -> [String] {
        var imported = try PlainSettings.settings(of: PlainTree(JSON(parsing: text)), in: "a.json", as: .json)
        imported.mask(masking)
        #expect(Set(imported.settings.options.filter(\.value.isMasked).keys) == Set(imported.parts.masked))
        return imported.parts.masked.map(\.description) + imported.parts.unmaskable.map { "!\($0)" }
    }

    @Test func onlyTextsAreMasked() throws {
        let text = #"{"password":"x","pin":{"secret":1,"secrets":["a"]},"token":null,"hasToken":true,"passwd":"false"}"#
        #expect(try masked(text, Masking()) == ["password", "!pin.secret", "!pin.secrets"])
        #expect(try masked(text, Masking(looksForSecrets: false)) == [])
    }

    /// By what they hold, whatever they are called.
    @Test(arguments: [
        #""postgres://app:hunter2@db/app""#, #""https://0123456789abcdef0123@sentry.example/1""#,
        #""sk_live_4eC39HqLyjWDarjtT1zdp7dc""#,
        #""mysql -h db --password=hunter2 app""#, #"["PATH=/bin","DB_PASSWORD=hunter2"]"#, #"[{"name":"a","token":"t0ken"}]"#,
        #""-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----""#, #""eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x""#,
        #""Authorization: Bearer abc""#, #""X-Api-Key: abc""#, #""a required username=\"u\" password=\"pw2\";""#,
        #""jdbc:mysql://h/d?user=a&password=pw1""#, #""tcp://h:6379?auth=pw""#, #""A=\"1\",API_KEY=\"abc\"""#,
    ])
    func secretValues(_ value: String) throws {
        #expect(try masked(#"{"value":\#(value)}"#, Masking()).count == 1)
    }

    @Test(arguments: [
        #""https://example.org/a?b=c""#, #""git@github.com:a/b.git""#, #""ssh://git@github.com/a/b""#,
        #""postgres://app@db/app""#,
        #""postgres://app:$PASSWORD@db/app""#, #""mysql --password-file=/run/secret app""#, #"["PATH=/bin","DB_PASSWORD=$DB"]"#,
        #""sk_live_""#, #""--token=""#, #"[{"name":"a","token":"yes"}]"#, #""2026-11-26T10:00:00Z""#,
        #""a sentence about passwords""#, #""Accept: text/html""#, #""Authorization: $TOKEN""#, #""a auth=plain""#,
        #""https://h/?auth=no""#, #""A=\"1\",API_KEY=\"%(ENV_KEY)s\"""#,
    ])
    func otherValues(_ value: String) throws {
        #expect(try masked(#"{"value":\#(value)}"#, Masking()) == [])
    }

    /// A key is often none: then what it holds tells.
    @Test func aKeyThatLooksDrawn() throws {
        let text =
            #"{"STRIPE_KEY":"a8f5f167f44f4964e6c998dee827110c","key":"ctrl+k","sort_key":"created_at","keys":"1234567890123456"}"#
        #expect(try masked(text, Masking()) == ["STRIPE_KEY"])
    }

    /// `auth` is often a method: a user with a password tells it apart.
    @Test func usersWithPasswords() throws {
        let text = #"{"sst_auth":"root:pw","auth":"dXNlcjpwYXNz","basic_auth":"plain","x_auth":"https://h","y":"a:b"}"#
        #expect(try masked(text, Masking()) == ["auth", "sst_auth"])
    }

    /// A group that is named after an address with a password is left with all that is in it.
    @Test func namesWithPasswords() throws {
        let text = "[core]\n\tbare = true\n[url \"https://u:tok@h/\"]\n\tinsteadOf = x:\n\tbare = true\n"
        var imported = try GitConfigFormat.read([".gitconfig": text])
        #expect(imported.secrets.map(\.name) == ["bare", "insteadOf"])
        imported.leave(imported.secrets)
        #expect(imported.settings.options.keys.map(\.description) == ["core.bare"])
        #expect(imported.settings.groups.keys.map(\.description).filter { $0.contains("u") } == [])
    }

    @Test(arguments: [
        ("dsn", ["db.dsn"]), ("*dsn*", ["db.dsn", "db.old_dsns"]), ("db.*", ["db.dsn", "db.old_dsns"]), ("D?N", ["db.dsn"]),
        ("*", ["db.dsn", "db.old_dsns", "host"]), ("db", []), ("*.dsn", ["db.dsn"]), ("h*o*t", ["host"]), ("h*o*tt", []),
    ])
    func patterns(_ pattern: String, _ keys: [String]) throws {
        let text = #"{"db":{"dsn":"x","old_dsns":"y"},"host":"z"}"#
        #expect(try masked(text, Masking(patterns: [pattern], looksForSecrets: false)) == keys)
    }

    @Test func patternMatchingTakesAtMostTheProductOfTheLengths() throws {
        let name = String(repeating: "a", count: 128)
        let pattern = String(repeating: "*a", count: 60) + "b"
        #expect(try masked(#"{"\#(name)":"x"}"#, Masking(patterns: [pattern])) == [])
    }
}
