"""What pages say: long texts, edits of files, reasons, roles, branches, mistyped dates, open conflicts."""
import contextlib
import subprocess

from looks import options
from story import open_conflict
from surroundings import ADA, FOLDER, MARIE, PROGRAMS, Browser, Server, Store, office, surroundings, test, until

HOURS = ("Welcome to the office of the Royal Institution, which is open from 9 to 17 on all days but Sunday. "
         "Please leave your coat at the door.")


@test
def long_texts():
    """Of a long text, and of one of several lines, each page that tells a change has the words that differ."""
    store = Store(("banner", "--title", "Banner", "--text", HOURS), ("note", "--title", "Note", "--text", "one\ntwo\nthree"),
                  ("data", "--title", "Data", "--data", '{"list": [' + ", ".join(map(str, range(40))) + "]}"))
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        def check(selector):
            text = " ".join(page.text_content(selector).split())
            assert "open from removed: 9; added: 10; to" in text and "leave your removed: coat; added: hat; at" in text, text
            assert "Welcome to the office" not in text, text
            assert page.locator(f"{selector} del").all_text_contents()[:2] == ["removed: 9; ", "removed: coat; "]
            assert "oneremoved: two; added: 2; three" in text, text
            assert page.locator(f"{selector} .difference br").count() == 2

        page.get_by_label("Banner", exact=True).fill(HOURS.replace("9 to", "10 to").replace("coat", "hat"))
        page.get_by_label("Note", exact=True).fill("one\n2\nthree")
        page.get_by_role("button", name="Review").click()
        check("ul.changes")
        page.get_by_role("button", name="Done").click()
        page.get_by_text("Recorded:").wait_for()
        check(".bar")
        page.goto(ada.base + "/history")
        check("ol.versions li:first-child .sentences")
        page.goto(ada.base + "/v/" + store.head())
        check("ul.changes")
        page.goto(ada.base + "/compare?from=HEAD~1")
        check("ul.changes")
        page.goto(ada.base + "/")
        store.settings("set", "banner", HOURS, "-m", "x")
        until(lambda: "recorded Banner: “10” → “9”, and more." in page.inner_text("#news"))
        store.settings("set", "data", '{"list": [' + ", ".join(map(str, range(1, 41))) + "]}", "-m", "x")
        page.goto(ada.base + "/v/" + store.head())
        assert page.locator("ul.changes ins").count() > 0 and "20" not in page.text_content("ul.changes")


@test
def line_breaks_of_a_browser():
    """A text with CR, CR LF, NUL or line breaks that no browser sends back is unchanged where nobody changed it."""
    texts = {"cr": "one\rtwo", "crlf": "one\r\ntwo\r\n", "mixed": "a\rb\nc\r\nd\n\re", "last": "x\r", "first": "\r\nx", "nul": "a\0b",
             "nfd": "e\u0301", "other": "a\u2028b\u0085c\fd\ve", "spaces": "  a  "}
    store = Store(("plain", "--title", "Plain", "--text", "x"))
    options(store, {name: {"title": name, "value": text} for name, text in texts.items()})
    for script in (True, False):
        with Server(store, ADA) as ada, Browser.page(ada, java_script_enabled=script) as page:
            page.get_by_label("Plain", exact=True).fill("y" if script else "z")
            with page.expect_navigation():
                page.locator("form.settings").evaluate("form => form.requestSubmit()") if script \
                    else page.get_by_role("button", name="Review").click()
            assert page.locator("ul.changes li").count() == 1, page.inner_text("ul.changes")
            page.get_by_role("button", name="Done").click()
            page.get_by_text("Recorded:").wait_for()
            # Line breaks that are all alike stay what they are.
            page.goto(ada.base + "/o/crlf")
            page.get_by_label("crlf", exact=True).fill("one\nthree\n" if script else "one\ntwo\n")
            page.get_by_role("button", name="Review").click()
            page.get_by_role("button", name="Done").click()
            page.get_by_text("Recorded:").wait_for()
            value = store.git("show", "HEAD:crlf.json")
            assert f'"one\\r\\n{"three" if script else "two"}\\r\\n"' in value, value
            page.goto(ada.base + "/o/nfd")
            page.get_by_label("nfd", exact=True).fill("\u00e9" if script else "e\u0301")
            page.get_by_role("button", name="Review").click()
            assert page.locator("ul.changes li").count() == 1, "another writing of the same character is a change"
            page.get_by_role("button", name="Done").click()
            page.get_by_text("Recorded:").wait_for()


@test
def edits_of_files():
    """A file that can't be read, an edit, a removed file: the row says so, and who chose the recorded value and why stays."""
    store = office()
    for name in ("broken", "edited", "removed", "secret", "lost"):
        masked = ["--masked"] if name in ("secret", "lost") else []
        text = "hunter1" if masked else "recorded"
        store.settings("add", name, "--title", name.capitalize(), "--text", text, *masked, "-m", f"For {name}.")

    def write(name, old, new):
        file = store.folder / f"{name}.json"
        file.write_text(file.read_text().replace(old, new))

    write("broken", '"recorded"', '"recorded')
    write("edited", "recorded", "by hand")
    write("secret", "hunter1", "hunter2")
    write("lost", '"hunter1"', 'hunter2')
    (store.folder / "removed.json").unlink()
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        until(lambda: (page.reload(), "cannot be read" in page.inner_text("main"))[1])
        notes = {
            "broken": "Its file cannot be read: broken.json:4:",
            "edited": "Its file has an edit that is not recorded: “by hand”.",
            "removed": "Its file was removed, but the removal is not recorded.",
        }
        for name, words in notes.items():
            page.goto(ada.base + "/")
            field = page.get_by_label(name.capitalize(), exact=True)
            assert field.is_disabled() and field.input_value() == "recorded", name
            note = page.locator(f"[id='row-{name}-note']").inner_text()
            assert words in note, note
            assert f"“For {name}.”" in page.locator(".row", has=field).inner_text()
            page.goto(ada.base + f"/o/{name}")
            text = page.inner_text("main")
            assert words in text and f"For {name}." in text and "Ada Lovelace" in text, text
        for path in ("/", "/o/secret", "/o/lost", "/search?q=s"):
            page.goto(ada.base + path)
            assert "hunter" not in page.content(), path
        page.goto(ada.base + "/o/lost")
        assert "Its file cannot be read: line 4." in page.inner_text("main")


@test
def reasons_of_several_lines():
    """A reason is shown with its lines, as it was typed, and without what a squash says for the program."""
    store = office()
    store.settings("set", "sound.volume", "60", "-m", "First.\n\nVia: the door\n# number one")
    store.settings("set", "sound.volume", "65", "display.dark", "on", "-m", "Second.")
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        page.goto(ada.base + "/v/" + store.git("rev-parse", "HEAD~1").strip())
        why = page.locator("dd").nth(2).inner_text()
        assert why == "First.\n\nVia: the door\n# number one", why
        message = store.git("log", "-2", "--reverse", "--format=%B")
        store.git("reset", "-q", "--soft", "HEAD~2")
        store.git("commit", "-q", "-m", "Both\n\n" + message)
        page.goto(ada.base + "/v/" + store.head())
        why = page.locator("dd").nth(2).inner_text()
        assert "First." in why and "Second." in why and "Changes:" not in why and "Change-Id" not in why, why


@contextlib.contextmanager
def reading():
    """A server whose only person may read; the page of that person."""
    store = open_conflict()
    people = FOLDER / f"people.{store.folder.name}"
    words = ["user", "add", "Marie Curie <marie@example.org>", "--role", "read", "--users", people]
    done = subprocess.run([PROGRAMS / "settings-serve", *words], env=surroundings(), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=True)
    assert done.stderr == "Added Marie Curie <marie@example.org>; may read\n", done.stderr
    with Server(store, ADA, "--users", people) as server:
        server.token = done.stdout.strip()
        server.address = f"{server.base}/login#{server.token}"
        with Browser.page(server) as page:
            yield store, server, page, people


@test
def role_read():
    """Who may only read is told so, and no control looks as if it could be changed; who is removed is told so on the command line."""
    with reading() as (store, server, page, people):
        for path in ("/", "/g/general", "/o/general.language", "/o/sound.volume", "/conflicts", "/search?q=l"):
            page.goto(server.base + path)
            assert "You may read the settings, but not change them." in page.inner_text("main"), path
            assert page.locator("main :is(input, select, textarea):not(:disabled, [type=hidden])").count() == 0, path
        words = ["user", "remove", "Marie Curie <marie@example.org>", "--users", people]
        done = subprocess.run([PROGRAMS / "settings-serve", *words], env=surroundings(), stderr=subprocess.PIPE, text=True, check=True)
        assert done.stderr.startswith("Removed Marie Curie <marie@example.org>; "), done.stderr
        page.goto(server.base + "/")
        page.wait_for_url("**/login*")


@test
def branches():
    """The footer says on which branch the store is, or that HEAD is detached, unless that is main or master."""
    store = office()
    store.git("branch", "-M", "main")
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        def says(words):
            until(lambda: (page.reload(), words in page.inner_text("footer"))[1])
        assert "ranch" not in page.inner_text("footer")
        store.git("checkout", "-q", "-b", "night")
        says("On branch night.")
        store.git("checkout", "-q", "--detach")
        says(f"HEAD detached at {store.head()[:7]}.")
        store.git("checkout", "-q", "night")
        says("On branch night.")


@test
def mistyped_versions():
    """A version or a date that is none keeps the form, with what is wrong beside it."""
    with Server(office(), ADA) as ada, Browser.page(ada) as page:
        page.goto(ada.base + "/compare?from=blah&to=also")
        assert page.locator(".faults li").count() == 2 and "'blah' is not a version or a time" in page.inner_text(".faults")
        assert page.get_by_label("From").input_value() == "blah" and page.get_by_label("To").input_value() == "also"
        page.goto(ada.base + "/history?since=blah&author=Ada")
        assert "'blah'" in page.inner_text(".faults") and page.get_by_label("By").input_value() == "Ada"
        page.get_by_role("link", name="'blah'").click()
        assert page.evaluate("document.activeElement.id") == "since"


@test
def conflicts_are_led_to():
    """A bar leads to open conflicts; from their review one comes back to what was chosen."""
    store = open_conflict()
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        assert "A merge left 1 conflict open." in page.inner_text(".bar")
        page.get_by_role("link", name="Resolve it").click()
        page.get_by_label("German").check()
        page.get_by_role("button", name="Review").click()
        assert "Language: resolved to German (Marie Curie, today" in page.inner_text("ul.changes")
        page.get_by_label("Why").fill("Berlin.")
        page.get_by_role("button", name="Change again").click()
        assert page.get_by_label("German").is_checked()
        page.get_by_role("button", name="Review").click()
        assert page.get_by_label("Why").input_value() == "Berlin."
        page.get_by_role("button", name="Done").click()
        page.wait_for_url("**/conflicts*")
        assert store.get("general.language") == "de"
        page.goto(ada.base + "/")
        assert page.locator(".bar").count() == 0
        page.goto(ada.base + "/history")
        page.locator("ol.versions li").first.get_by_role("button", name="Revert").click()
        page.get_by_role("link", name="Cancel").click()
        page.wait_for_url("**/history")


@test
def long_titles_on_a_narrow_screen():
    """At 320 px a long title keeps its words whole beside or above its control."""
    store = Store(("a", "--title", "A title of several words and some more", "--choice", "A label that is quite long, too", "B"),
                  ("b", "--title", "Another title of several words", "--switch"))
    with Server(store, ADA) as ada, Browser.page(ada, viewport={"width": 320, "height": 640}) as page:
        for name in ("A title of", "Another"):
            assert page.locator(".name", has_text=name).bounding_box()["width"] > 110, name
