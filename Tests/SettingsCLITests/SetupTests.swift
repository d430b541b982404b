import Surroundings
import Testing

/// How a clone gets its merge driver: by 'setup', by 'setup --global', or not yet, which is reported once.
@Suite struct SetupTests {
    @Test(arguments: BadInput.userSetups) func user(_ row: BadInput) throws { try row.check() }
    @Test(arguments: BadInput.undoneSetups) func undone(_ row: BadInput) throws { try row.check() }
    @Test(arguments: BadInput.missingSetups) func reportedOnce(_ row: BadInput) throws { try row.check() }
}

extension BadInput {
    private static let nobody = Surroundings.isRoot ? "setpriv --reuid 65534 --regid 65534 --clear-groups " : ""
    private static let driver = "git config --global merge.settings.driver"
    private static let home = "~/.gitconfig"
    private static let shown = " | sed \"s:$HOME:~:\""
    private static let homeless = "env -u HOME -u XDG_CONFIG_HOME -u GIT_CONFIG_GLOBAL "

    /// A clone by git in which two branches add a label at the same place: text conflicts there, meaning does not.
    private static let clone = """
        git clone -q . ../clone && cd ../clone && git switch -qc other &&
        settings label add general.language Arabic --at 0 --value ar -q && git switch -q main &&
        settings label add general.language Dutch --at 0 --value nl -q
        """

    static let userSetups: [BadInput] = [
        BadInput(
            "a clone that never ran setup", clone,
            .works("cd ../clone; git merge -q --no-edit other >/dev/null; echo $?; git merge --abort", prints: "1\n"),
            .works("cd ../clone; settings doctor | grep merging", prints: nil),
            .works(
                "settings setup --global" + shown,
                prints: "git now merges stores by meaning in all your clones: \(home) has the merge driver\n"),
            .works("cd ../clone; git config --local --get-regexp 'merge[.]' || echo none", prints: "none\n"),
            .works("cd ../clone; settings doctor | grep -c 'by meaning, in all your clones'", prints: "1\n"),
            .works("cd ../clone; git merge -q --no-edit other >/dev/null; settings verify -q; echo $?", prints: "0\n"),
            .works("cd ../clone; settings get general.language; grep -c Arabic $file; grep -c Dutch $file", prints: "fr\n1\n1\n")),
        BadInput(
            "a configuration that a person wrote",
            """
            printf '# Mine.\\n[user]\\nname=Ada ; her name\\n\\n[Merge "other"]\\n\\tdriver = "x \\\\"y\\\\""\\n[alias] st = status\\n' \
              > ~/.gitconfig
            printf '# caf\\351\\n[core]\\n' >> ~/.gitconfig; chmod 640 ~/.gitconfig; cp -p ~/.gitconfig ~/before
            """,
            .works("settings setup --global --dry-run" + shown, prints: "would write the merge driver into \(home)\n"),
            .works("cmp ~/before ~/.gitconfig; settings setup --global -q; grep -c '' ~/.gitconfig", prints: nil),
            .works("stat -c %a ~/.gitconfig; cat ~/before | cmp -n $(stat -c %s ~/before) - ~/.gitconfig", prints: "640\n"),
            .works(
                "cp ~/.gitconfig ~/after; settings setup --global\(shown); cmp ~/after ~/.gitconfig",
                prints: "nothing to do: \(home) already has the merge driver\n"),
            .works("git config --global user.name; git config --global merge.other.driver", prints: "Ada\nx \"y\"\n"),
            .works("settings setup --global --undo --dry-run" + shown, prints: "would remove the merge driver from \(home)\n"),
            .works("settings setup --global --undo" + shown, prints: "the merge driver was removed from \(home)\n"),
            .works("cmp ~/before ~/.gitconfig && stat -c %a ~/.gitconfig && ls -A ~ | grep -c gitconfig", prints: "640\n1\n"),
            .works("settings setup --global --undo" + shown, prints: "nothing to do: \(home) has no merge driver of settings\n")),
        BadInput(
            "a driver that a person chose", "\(driver) 'my-merge %O %A %B'",
            .fails("settings setup --global", 2, "'my-merge %O %A %B', which settings did not write", hints: true),
            .fails("settings setup --global --undo", 2, "did not write", hints: true),
            .works("\(driver)", prints: "my-merge %O %A %B\n")),
        BadInput(
            "the driver of this program elsewhere, and of an earlier version",
            "settings setup --global -q; \(driver) > ~/wanted; \(driver) 'settings merge-driver %O %A %B %P'",
            .works("settings setup --global -q; \(driver) | cmp - ~/wanted", prints: ""),
            .works(
                "\(driver) \"$(sed \"s:v settings :v '/opt/new s/settings' :; s:; then settings :; then '/opt/new s/settings' :\" "
                    + "~/wanted)\"; \(driver) | grep -c 'opt.*opt'; settings setup --global -q; \(driver) | cmp - ~/wanted",
                prints: "1\n"),
            .works("git config --global --get-all merge.settings.driver | grep -c ''", prints: "1\n")),
        BadInput(
            "in an included file",
            "settings setup --global -q; mv ~/.gitconfig ~/more; echo '[include]\npath=more' > ~/.gitconfig",
            .works("settings setup --global" + shown, prints: "nothing to do: \(home) already has the merge driver\n"),
            .works("cat ~/.gitconfig", prints: "[include]\npath=more\n")),
        BadInput(
            "in an included file that comes last, by an earlier version",
            "settings setup --global -q; mv ~/.gitconfig ~/more; printf '[merge \"settings\"]\\n\\tname = x\\n' > ~/.gitconfig; "
                + "printf '[include]\\n\\tpath = more\\n' >> ~/.gitconfig; cp ~/.gitconfig ~/before; "
                + "git config --file ~/more merge.settings.driver 'settings merge-driver %O %A %B %P'",
            mending: nil,
            .fails("settings setup --global", 74, "merge.settings.driver is set in a file that is included there", hints: true),
            .fails("settings setup --global --undo", 74, "it is set in a file that is included there"),
            .works("cmp ~/before ~/.gitconfig; ls -A ~ | grep -c gitconfig", prints: "1\n")),
        BadInput(
            "behind a link", "touch ~/.gitconfig; mkdir ~/dots; mv ~/.gitconfig ~/dots/git; ln -s dots/git ~/.gitconfig",
            .works("settings setup --global -q; readlink ~/.gitconfig; grep -c merge-driver ~/dots/git", prints: "dots/git\n1\n")),
        BadInput(
            "behind a link that leads nowhere yet", "rm -f ~/.gitconfig; mkdir ~/dots; ln -s dots/git ~/.gitconfig", mending: nil,
            .works("settings setup --global -q; readlink ~/.gitconfig; grep -c merge-driver ~/dots/git", prints: "dots/git\n1\n")),
        BadInput(
            "a file that was made for it", "rm -f ~/.gitconfig", mending: nil,
            .works("settings setup --global -q; settings setup --global --undo -q; ls ~/.gitconfig 2>/dev/null; true", prints: "")
        ),
        BadInput(
            "a section that a person wrote in another way",
            "printf '[user]\\n\\tname = Ada\\n\\temail = a@x\\n' > ~/.gitconfig; cp ~/.gitconfig ~/before; settings setup --global -q",
            .works(
                "sed -i 's/^.merge \"settings\"./[Merge  \"settings\"] # ours/; s/name = settings/NAME=settings/' ~/.gitconfig; "
                    + "settings setup --global --undo -q; diff ~/before ~/.gitconfig; true",
                prints: "3a4\n> [Merge  \"settings\"] # ours\n"),
            .works("git config --global --get-regexp '^merge' || echo none", prints: "none\n")),
        BadInput(
            "in the other of two files", "echo '# mine' > ~/.gitconfig; mkdir -p ~/conf/git; mv ~/.gitconfig ~/conf/git/config",
            mending: nil,
            .works(
                "unset GIT_CONFIG_GLOBAL; export XDG_CONFIG_HOME=~/conf; settings setup --global -q; touch ~/.gitconfig; "
                    + "settings setup --global --undo | sed \"s:$HOME:~:\"; cat ~/conf/git/config",
                prints: "the merge driver was removed from ~/conf/git/config\n# mine\n")),
        BadInput(
            "a driver of somebody else's, in a file that is included",
            "printf '[merge \"settings\"]\\n\\tdriver = foo\\n' > ~/more; printf '[include]\\npath = more\\n' >> ~/.gitconfig",
            .fails("settings setup --global", 2, "or in what it includes, is 'foo'", hints: true)),
        BadInput(
            "that may not be read", "touch ~/.gitconfig; chmod 000 ~/.gitconfig; chmod 755 ~", mending: "chmod 644 ~/.gitconfig",
            needsRoot: true, .fails("cd /; \(nobody)settings setup --global", 74, "Permission denied", hints: true)),
        BadInput(
            "a program that is moved later, from a folder of an odd name",
            "\(clone); cd ../store; mkdir '../a %O %% b' ../new; cp \"$(command -v settings)\" '../a %O %% b/settings'",
            .works(
                "cd ../clone; '../a %O %% b/settings' setup -q; git merge -q --no-edit other >/dev/null; echo $?; "
                    + "settings verify -q; echo $?; git reset -q --hard HEAD^; "
                    + "settings doctor | grep -c 'merges the store.s files by meaning'",
                prints: "0\n0\n1\n"),
            .works("mv '../a %O %% b/settings' ../new", prints: ""),
            .works(
                "cd ../clone; settings doctor | grep -c 'as text, because its merge driver runs .*/a %O %% b/settings, which'",
                prints: "1\n"),
            .works("cd ../clone; settings verify --deep | grep -c 'which does not exist, so git merges'", prints: "1\n"),
            .works(
                "cd ../clone; settings setup -q; settings doctor | grep -c 'merges the store.s files by meaning'", prints: "1\n")),
        BadInput(
            "a program of another name, and a link to it",
            "\(clone); mkdir ../new; cp \"$(command -v settings)\" ../new/settings-0.1; ln -s settings-0.1 ../new/s",
            .works(
                "cd ../clone; ../new/settings-0.1 setup -q; git config merge.settings.driver | grep -c \"/new/settings-0.1' merge\"; "
                    + "settings doctor | grep -c 'merges the store.s files by meaning'",
                prints: "1\n1\n"),
            .works(
                "cd ../clone; ../new/s setup -q; git config merge.settings.driver | grep -c \"/new/s' merge\"; "
                    + "PATH=$PWD/../new:$PATH s setup --global -q; \(driver) | grep -c \"/new/s' merge\"",
                prints: "1\n1\n"),
            .works(
                "cd ../clone; git merge -q --no-edit other >/dev/null; echo $?; settings verify -q; echo $?", prints: "0\n0\n")),
        BadInput(
            "what a person wrote beside it",
            "git config --global merge.settings.name Mine; git config --global merge.settings.recursive text; "
                + "cp ~/.gitconfig ~/before",
            .works("settings setup --global -q; git config --global merge.settings.name", prints: "Mine\n"),
            .works(
                "settings setup --global --undo 2>&1 | grep -c 'remove-section merge.settings'; cmp ~/before ~/.gitconfig",
                prints: "1\n")),
        BadInput(
            "an empty file", "rm -f ~/.gitconfig; touch ~/.gitconfig", mending: nil,
            .works("settings setup --global -q; settings setup --global --undo -q; wc -c < ~/.gitconfig", prints: "0\n")),
        BadInput(
            "a link into a folder that is missing", "rm -f ~/.gitconfig; ln -s dots/git ~/.gitconfig",
            mending: "rm ~/.gitconfig; mkdir ~/dots",
            .fails("settings setup --global", 74, "dots", hints: true),
            .fails("settings setup --global --dry-run", 74, "dots", hints: true),
            .works("readlink ~/.gitconfig", prints: "dots/git\n")),
        BadInput(
            "a store that does not name the driver", "git rm -q .gitattributes; git commit -qm x",
            .works("settings setup --global 2>&1 | grep -c 'gitattributes does not name.*settings setup. adds'", prints: "1\n"),
            .works("settings setup --global 2>&1 | grep -c 'gitattributes does not name.*settings setup. adds'", prints: "1\n"),
            .works(
                "settings doctor | grep merging | grep -c 'gitattributes does not name.*settings setup. to merge'", prints: "1\n"),
            .works("settings setup -q >/dev/null; settings doctor | grep merging | grep -c 'by meaning'", prints: "1\n")),
        BadInput(
            "in the folder of configuration",
            "touch ~/.gitconfig; mkdir -p ~/conf/git; mv ~/.gitconfig ~/conf/git/config", mending: nil,
            .works(
                "unset GIT_CONFIG_GLOBAL; XDG_CONFIG_HOME=~/conf settings setup --global -q; ls ~/.gitconfig 2>/dev/null; "
                    + "grep -c merge-driver ~/conf/git/config", prints: "1\n"),
            .works(
                "unset GIT_CONFIG_GLOBAL; rm ~/conf/git/config; XDG_CONFIG_HOME=~/conf settings setup --global -q; "
                    + "grep -c merge-driver ~/.gitconfig", prints: "1\n")),
        BadInput(
            "without a home folder", "",
            .fails("\(homeless)settings setup --global", 66, "HOME is not set", hints: true),
            .works("\(homeless)GIT_CONFIG_GLOBAL=$HOME/own settings setup --global -q; grep -c merge-driver ~/own", prints: "1\n")
        ),
        BadInput(
            "a folder that may not be written", "chmod 755 ~; rm -f ~/.gitconfig", needsRoot: true,
            .fails("cd /; \(nobody)settings setup --global", 74, "Permission denied", hints: true)),
        BadInput(
            "locked by git", "touch ~/.gitconfig.lock", mending: "rm ~/.gitconfig.lock",
            .fails("settings setup --global", 75, ".gitconfig.lock exists", hints: true)),
        BadInput(
            "not a file", "rm -f ~/.gitconfig; mkdir ~/.gitconfig", mending: "rmdir ~/.gitconfig",
            .fails("settings setup --global", 65, ".gitconfig', which is a directory"),
            .fails("unset GIT_CONFIG_GLOBAL; settings setup --global", 74, ".gitconfig: it is not a regular file", hints: true),
            .fails("unset GIT_CONFIG_GLOBAL; cd ..; settings init new", 74, "cannot read", ".gitconfig: it is a directory")),
        BadInput(
            "not git's syntax", "touch ~/.gitconfig; cp ~/.gitconfig ~/good; echo '[broken' >> ~/.gitconfig",
            mending: "mv ~/good ~/.gitconfig",
            .fails("settings setup --global", 65, ".gitconfig")),
        BadInput(
            "for programs, and outside every store", "",
            .works(
                "cd /; settings setup --global --json | tr -d '\\n '" + shown,
                prints: "{\"format_version\":\"1.0\",\"status\":\"written\",\"file\":\"\(home)\","
                    + "\"driver\":\"settingsmerge-driver\"}"),
            .works("cd /; settings setup --global --undo --json | grep -c '\"removed\"'", prints: "1\n"),
            .works("cd /; settings setup --global --undo --json | grep -c '\"unchanged\"'", prints: "1\n"),
            .fails("settings setup --undo --ci", 64, "--ci and --undo cannot be combined", hints: true),
            .fails("settings setup --undo -m why", 64, "does not take -m", hints: true),
            .fails("settings setup --global --ci", 64, "cannot be combined", hints: true),
            .fails("settings setup --global -m why", 64, "does not take -m", hints: true)),
    ]

    static let undoneSetups: [BadInput] = [
        BadInput(
            "in one clone", clone + "; cp .git/config ~/before; settings setup -q",
            .works(
                "cd ../clone; settings setup --undo --dry-run; settings setup --undo --dry-run --json | grep -c '\"planned\"'",
                prints: "would remove the merge driver from this clone's configuration\n1\n"),
            .works(
                "cd ../clone; settings setup --undo; settings setup --undo; cmp ~/before .git/config",
                prints: "the merge driver was removed from this clone's configuration\n"
                    + "nothing to do: git was not configured by settings in this clone\n"),
            .works("cd ../clone; git merge -q --no-edit other >/dev/null; echo $?; git merge --abort", prints: "1\n"),
            .works("cd ../clone; settings setup -q; settings setup --undo --json | grep -c '\"removed\"'", prints: "1\n")),
        BadInput(
            "what a person wrote stays",
            clone + "; git config core.fsync all; settings setup -q; git config merge.settings.name Mine",
            .works(
                "cd ../clone; settings setup --undo -q; git config --local --get-regexp 'merge[.]|core.fsync'",
                prints: "core.fsync all\nmerge.settings.name Mine\n"),
            .works("cd ../clone; git config merge.settings.driver 'my-merge %O %A %B'"),
            .fails("cd ../clone; settings setup --undo", 2, "'my-merge %O %A %B', which settings did not write", hints: true),
            .works(
                "cd ../clone; $(settings setup --undo 2>&1 | sed -n \"s/hint: '\\([^']*\\)'.*/\\1/p\") | grep -c my-merge",
                prints: "1\n"),
            .works("cd ../clone; git config merge.settings.driver", prints: "my-merge %O %A %B\n")),
        BadInput(
            "core.fsync as a person wrote it", clone,
            .works(
                "cd ../clone; for words in added none committed,reference committed,reference,index; do git config core.fsync $words; "
                    + "cp .git/config ~/before; settings setup -q; settings setup -q; git config core.fsync; "
                    + "settings setup --undo -q; cmp ~/before .git/config; done",
                prints: "added,reference\nnone,commit-graph,loose-object,pack,pack-metadata,reference\n"
                    + "committed,reference\ncommitted,reference,index\n"),
            .works(
                "cd ../clone; git config core.fsync added; settings setup -q; git config core.fsync all; settings setup --undo -q; "
                    + "git config core.fsync; git config --get-regexp 'settings[.]|merge[.]'; true", prints: "all\n"),
            .works(
                "cd ../clone; git config --unset core.fsync; cp .git/config ~/before; git config --global core.fsync none; "
                    + "settings setup -q; git config core.fsync; settings setup --undo -q; cmp ~/before .git/config",
                prints: "none,commit-graph,loose-object,pack,pack-metadata,reference\n")),
        BadInput(
            "core.fsync in a file that is included",
            clone + "; printf '[core]\\n\\tfsync = none\\n' > .git/more; git config include.path more; cp .git/config ~/before",
            mending: "git config --file ../clone/.git/more core.fsync all",
            .fails("cd ../clone; settings setup", 74, "core.fsync is set in a file that is included there"),
            .works("cd ../clone; cmp ~/before .git/config; ls .git | grep config", prints: "config\n")),
        BadInput(
            "where all clones have it", clone + "; settings setup -q; settings setup --global -q",
            .works(
                "cd ../clone; settings setup --undo 2>&1",
                prints: "the merge driver was removed from this clone's configuration\n"
                    + "hint: your own git configuration has the merge driver, too; 'settings setup --global --undo' removes it\n"),
            .works("cd ../clone; git merge -q --no-edit other >/dev/null; settings verify -q; echo $?", prints: "0\n")),
    ]

    private static let set = "settings set general.language"

    /// `settings` on standard error alone.
    private static func reports(_ command: String, _ isReported: Bool) -> Try {
        .works(
            "{ cd ../clone && \(command); } 2>&1 >/dev/null | grep -c 'merges the store.s files as text'; true",
            prints: isReported ? "1\n" : "0\n")
    }

    static let missingSetups: [BadInput] = [
        BadInput(
            "by the first version", "git clone -q . ../clone", reports("\(set) es -q -m x", false),
            reports("\(set) en -m x --json", false), reports("\(set) fr --dry-run", false), reports("\(set) en", false),
            reports("\(set) fr -m x", true), reports("\(set) es -m x", false), reports("settings status", false),
            .works("cd ../clone; settings doctor | grep -c 'setup --global'", prints: "1\n")),
        BadInput(
            "by a merge", "git clone -q . ../clone; cd ../clone; git switch -qc other; \(set) es -q; git switch -q main",
            reports("settings merge other", true), reports("\(set) fr", false)),
        BadInput(
            "by pulling", "git clone -q . ../clone; \(set) es -q", reports("settings pull -q", false),
            reports("settings pull", false),
            .works("\(set) en -q"), reports("settings pull --json", false), .works("\(set) fr -q"),
            reports("settings pull", true), .works("\(set) es -q"), reports("settings sync", false)),
        BadInput(
            "by pages", "git clone -q . ../clone",
            reports("echo General | settings edit --plain", false),
            reports("printf '%s\\n' General Language English done Done | settings edit --plain", true)),
        BadInput(
            "not where all clones are configured", "settings setup --global -q; git clone -q . ../clone",
            reports("\(set) es -m x", false), reports("settings status", false)),
        BadInput(
            "not in a store that names no driver",
            "git rm -q .gitattributes; git commit -qm x; git clone -q . ../clone", reports("\(set) es -m x", false)),
        BadInput("not in a clone by this program", "settings clone -q . ../clone", reports("\(set) es -m x", false)),
        BadInput(
            "not where it cannot be remembered",
            "git clone -q . ../clone; mkdir ../clone/.git/settings; chmod a-w ../clone/.git/settings; chmod -R a+rX ..; "
                + "git config --global safe.directory '*'; chmod a+r ~/.gitconfig",
            mending: "chmod u+w ../clone/.git/settings", needsRoot: true,
            reports("\(nobody)settings status", false)),
    ]
}
