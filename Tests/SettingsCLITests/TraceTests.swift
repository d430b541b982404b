import Testing

/// `SETTINGS_TRACE`: what the program does, for whoever finds out why it is slow or hangs.
struct TraceTests {
    private func office() throws -> Home {
        let home = try Home()
        _ = try home.run("settings init -q; settings add -q sound.volume --title Volume --number 40")
        return home
    }

    @Test func aVersionShowsItsLockObjectsReferenceAndFilesWithTimes() throws {
        let home = try office()
        let lines = try home.run("SETTINGS_TRACE=1 settings set -q sound.volume 50")
        let stamp = /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{6}Z [0-9]+\s/
        for line in lines { #expect(try stamp.prefixMatch(in: line) != nil, "\(line)") }
        let text = lines.map { $0.replacing(stamp, with: "") }.joined(separator: "\n")
        let git = "/home/ada/office/.git"
        let wanted: [Regex<Substring>] = [
            /settings .*, command 'set'/, /opened the store \/home\/ada\/office \([0-9]+\.[0-9]{6} s/,
            /opened the repository .*, 0 packs \(/, /wrote [0-9]+ objects \([0-9]+\.[0-9]{6} s/,
            /moved refs\/heads\/main to [0-9a-f]{40} \([0-9]+\.[0-9]{6} s/, /wrote .*\/sound\/volume\.json \(/,
            /performed Request\.edit \([0-9]+\.[0-9]{6} s, objects read: [0-9]+, files read: [0-9]+/, /exit status 0/,
        ]
        for pattern in wanted { #expect(text.contains(pattern), "\(text)") }
        for line in ["locked \(git)/settings/lock (", "unlocked \(git)/settings/lock, held (", "wrote \(git)/index"] {
            #expect(text.contains(line), "\(line) in \(text)")
        }
    }

    @Test func aLockThatSomebodyElseHoldsIsWaitedFor() throws {
        let home = try office()
        let lines = try home.run(
            """
            mkfifo held; flock .git/settings/lock sh -c 'echo > held; sleep 1' & read -r line < held; rm held
            SETTINGS_TRACE=1 settings set -q sound.volume 50; wait
            """)
        let text = lines.joined(separator: "\n")
        #expect(text.contains("waiting for the lock /home/ada/office/.git/settings/lock"), "\(text)")
        #expect(text.contains(/locked \/home\/ada\/office\/\.git\/settings\/lock, waited \([0-9]+\.[0-9]{6} s/), "\(text)")
    }

    @Test func maskedValuesAndPasswordsAreNotShown() throws {
        let home = try office()
        let text = try home.run(
            """
            export SETTINGS_TRACE=1
            settings define -q api.key --title Key --text hunter1 --masked; settings set -q api.key hunter2 -m hunter3
            settings get api.key --at HEAD; settings history -n 2; settings diff --from HEAD~1; settings undo -q
            settings remote add -q origin https://ada:swordfish@127.0.0.1:9/hub.git; settings sync -q
            """
        ).joined(separator: "\n")
        #expect(text.contains(/started [0-9]+: git .*https:\/\/…@127\.0\.0\.1:9\/hub\.git/), "\(text)")
        #expect(text.contains(/[0-9]+ exited with status 128 \(/), "\(text)")
        for line in text.split(separator: "\n") where line.contains(/^[0-9-]{10}T/) {
            #expect(!line.contains("hunter") && !line.contains("swordfish"), "\(line)")
        }
    }

    @Test func goesToAFileAndIsAppended() throws {
        let home = try office()
        let lines = try home.run(
            """
            for value in 50 60; do SETTINGS_TRACE="$PWD/../trace" settings set -q sound.volume $value; done
            grep -c "exit status 0" ../trace
            """)
        #expect(lines == ["2"])
    }

    @Test func printsNothingWhereItIsOff() throws {
        let home = try office()
        for word in ["", "0", "no", "off", "false"] {
            #expect(try home.run("SETTINGS_TRACE=\(word) settings get sound.volume") == ["40"])
        }
    }

    @Test func whatCannotBeObeyedIsOneWarning() throws {
        let home = try office()
        #expect(
            try home.run("SETTINGS_TRACE=/nowhere/trace settings get sound.volume") == [
                "warning: cannot write the trace to '/nowhere/trace': No such file or directory", "40",
            ])
        #expect(
            try home.run("SETTINGS_TRACE=trace settings get sound.volume") == [
                "warning: SETTINGS_TRACE is 'trace': expected 1 or the absolute path of a file", "40",
            ])
    }
}
