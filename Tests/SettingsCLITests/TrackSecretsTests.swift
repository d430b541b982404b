import Foundation
import Surroundings
import Testing

/// What looks like a secret in files that only their owner may read, and in those that git ignores.
@Suite struct TrackSecretsTests {
    @Test func aPrivateFileIsNotRecordedWithItsSecrets() throws {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write("debug: false\npassword: hunter2\n", "config/private.yaml", home)
        #expect(
            try home.run("chmod 600 config/private.yaml && settings track config/private.yaml 2>&1") == [
                "settings: password in config/private.yaml looks like a secret, but would be recorded",
                "hint: if git ignores the file, secrets stay in it; --with-secrets records them, and every clone gets them",
                "[exit status: 2]",
            ])
        #expect(
            try home.run("git status --porcelain; settings get debug 2> /dev/null") == [
                "?? config/private.yaml", "[exit status: 66]",
            ])
        let lines = try home.run("echo config/private.yaml > .git/info/exclude; settings track config/private.yaml 2>&1")
        #expect(lines.contains("left in the file, because it looks like a secret: password; --with-secrets makes it an option"))
        #expect(
            try home.run("settings get password 2> /dev/null; git log -p -- conf | grep -c hunter2") == ["0", "[exit status: 1]"])
    }

    /// Nor is what is written into it later.
    @Test func aSecretOfLaterStaysInAPrivateFile() throws {
        let home = try TrackTests.office(tracking: false)
        _ = try home.run("chmod 600 config/app.yaml && settings track config/app.yaml -q")
        try TrackTests.write(
            TrackTests.app.replacingOccurrences(of: "debug: false", with: "debug: true\npassword: hunter2"), "config/app.yaml",
            home)
        let refused = try home.run("settings done -m x 2>&1")
        #expect(refused.first == "settings: password in config/app.yaml looks like a secret, but would be recorded")
        #expect(refused.last == "[exit status: 2]")
        #expect(
            try home.run("settings done debug -q -m x; settings get debug; git log -p | grep hunter2; git diff | grep '^[+-]p'")
                == [
                    "true", "+password: hunter2",
                ])
        #expect(
            try home.run("settings track config/app.yaml --with-secrets -q; settings get password; git status -s") == ["hunter2"])
    }

    /// Lists and objects can't be masked, so that they are not recorded unless somebody asks for it.
    @Test func secretsInListsStayInAnIgnoredFile() throws {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write(
            "users:\n  - name: joe\n    password: x1\nhosts:\n  - name: h\n", "users.yaml", home)
        #expect(
            try home.run(
                """
                echo users.yaml > .git/info/exclude; settings track users.yaml --into u -q; settings import -q
                settings list u --json | grep -c x1
                """) == ["0", "[exit status: 1]"])
        _ = try home.run("sed -i 's/name: h/name: h\\n    password: x2/' users.yaml")
        for command in ["done -m x", "done u.hosts -m x", "import", "import --overwrite"] {
            let lines = try home.run("settings \(command) 2>&1")
            #expect(lines.first == "settings: u.hosts in /home/ada/office/users.yaml looks like a secret, but would be recorded")
            #expect(lines.last == "[exit status: 2]")
        }
        #expect(try home.run("git log -p | grep -c 'x[12]'") == ["0", "[exit status: 1]"])
    }

    /// An import makes the same of them, of each file by itself; what is an option already is imported as ever.
    @Test func anImportLeavesThemInPrivateFilesToo() throws {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write("PORT=80\nPASSWORD=hunter2\n", ".env", home)
        try TrackTests.write("api_token: hunter3\n", "open.yaml", home)
        let lines = try home.run("echo .env > .git/info/exclude; settings import .env open.yaml --into app 2>&1")
        #expect(
            lines.contains("left in the file, because it looks like a secret: app.PASSWORD; --with-secrets makes it an option"))
        #expect(lines.contains("masked, but not encrypted: app.api_token; --no-mask imports them unmasked"))
        #expect(
            try home.run("settings get app.PORT; settings get app.PASSWORD 2> /dev/null; git log -p | grep -c hunter2") == [
                "80", "0", "[exit status: 1]",
            ])
        #expect(
            try home.run("mkdir d; mv .env open.yaml d; chmod 600 d/.env; settings import d -n --json | grep -A1 '\"left\"'").last
                == "    \"env.PASSWORD\"")
        _ = try home.run("settings import d/.env --into app --with-secrets -q; sed -i s/hunter2/hunter4/ d/.env")
        #expect(
            try home.run("settings import d/.env --into app --prune -q && settings get app.PASSWORD") == ["hunter4"])
    }
}
