"""How the page looks and is used: accessibility, a keyboard alone, narrow screens, hostile and foreign texts, many rows."""
import functools
import json

from axe_playwright_python.sync_playwright import Axe
from surroundings import ADA, MARIE, Browser, Server, Store, office, run, test, until
from story import open_conflict, sections

LONG = "A title that is much longer than anybody would give to a setting, and has_one_word_that_cannot_be_broken_anywhere_at_all_" * 3


def options(store, files):
    """Writes options as files, which is quicker than a command for each, and records them."""
    for path, option in files.items():
        file = store.folder / f"{path}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"title": path, "type": "text", "value": ""} | option, ensure_ascii=False, indent=2) + "\n")
    store.settings("done", "-m", "More settings.")


@functools.cache
def everything():
    """A store with one of everything that is hard to show."""
    store = open_conflict()
    store.settings("define", "general", "--style", "section", "--footer", "For all the rooms.", "-m", "One page.")
    store.settings("add", "wide.city", "--title", "City", "--choice", *[f"c{i}=City number {i}" for i in range(800)], "-m", LONG[:300])
    store.settings("add", "key", "--title", "API key", "--text", "hunter2", "--masked", "-m", "Needed.")
    store.settings("add", "fixed", "--title", "Fixed", "--text", "stone", "--read-only", "--help-text", "Carved.", "-m", "Fixed.")
    store.settings("add", "data", "--title", "Data", "--data", json.dumps({"list": list(range(100))}), "-m", "Data.")
    store.settings("add", "edited", "--title", "Edited", "--text", "before", "-m", "Edited.")
    store.settings("add", "unset", "--title", "Unset", "--choice", "A", "B", "--unset", "-m", "Unset.")
    options(store, {
        "long": {"title": LONG, "value": LONG}, "word": {"title": "w" * 300, "value": "v" * 10_000},
        "lines": {"title": "Lines", "value": "one\ntwo\nthree"},
        "arabic": {"title": "لغة الواجهة المعروضة على الشاشة الرئيسية في القاعة الكبرى", "value": "العربية"},
        "japanese": {"title": "メイン画面に表示される言語の設定とその他の詳細な設定項目についての説明", "value": "日本語"},
        "half": {"title": "Half", "type": "number", "value": 0.5, "minimum": 0, "maximum": 1},
        "twin/a": {"title": "Twin"}, "twin/b": {"title": "Twin"},
    })
    store.settings("set", "sound.volume=55", "--confirm", "10m", "-m", "A trial.")
    (store.folder / "edited.json").write_text((store.folder / "edited.json").read_text().replace("before", "after"))
    (store.folder / "broken.json").write_text("{ this is no JSON\n")
    store.git("add", "broken.json")
    store.git("commit", "-q", "-m", "Something else", "--", "broken.json")
    return store


@functools.cache
def empty():
    return Store(title="Empty")


def many():
    store = Store(title="Many")
    options(store, {f"flat/o{i:04}": {"title": f"Option {i}"} for i in range(1_000)})
    return store


PATHS = ["/", "/g/wide", "/g/sound", "/g/twin", "/o/general.language", "/o/sound.volume", "/o/wide.city", "/o/key", "/o/fixed", "/o/data",
         "/o/long", "/o/word", "/o/edited", "/search", "/search?q=l", "/search?q=nothing+at+all", "/history", "/history?q=nothing+at+all",
         "/history?key=general.language", "/compare", "/compare?from=start", "/conflicts", "/nothing", "/login"]


def answers(page, server):
    """The pages that answer forms: the review, a refusal, both sides, a revert."""
    def press(name):
        # Until the new page has its style.
        with page.expect_navigation():
            page.get_by_role("button", name=name).first.click()

    page.goto(server.base + "/o/general.greeting")
    page.get_by_label("Greeting", exact=True).fill("Hello")
    press("Review")
    yield "review"
    page.goto(server.base + "/o/half")
    page.evaluate("document.getElementById('row-half').type = 'text'")
    page.get_by_label("Half", exact=True).fill("7")
    press("Review")
    page.get_by_role("alert").wait_for()
    yield "a refused value"
    page.goto(server.base + "/o/japanese")
    page.get_by_label("メイン").fill("英語")
    press("Review")
    server.store.settings("set", "japanese", "中国語" + str(len(server.store.head())), "-m", LONG, person=MARIE)
    server.store.settings("set", "japanese", server.store.head(), "-m", LONG, person=MARIE)
    page.get_by_label("Why").fill(LONG)
    press("Done")
    page.get_by_text("Nothing has been recorded").wait_for()
    yield "both sides"
    page.goto(server.base + "/history")
    press("Revert")
    yield "a revert"


def each(page, server, paths=PATHS):
    for path in paths:
        page.goto(server.base + path)
        yield path
    page.goto(server.base + "/v/" + server.store.head())
    yield "a version"


@test
def axe_finds_nothing():
    """axe finds no violation on any page, in light and in dark."""
    axe, found = Axe(), []
    for scheme in ("light", "dark"):
        with Server(everything(), ADA) as ada, Browser.page(ada, color_scheme=scheme) as page:
            def look(name):
                result = axe.run(page, options={"resultTypes": ["violations"]})
                for violation in result.response["violations"]:
                    nodes = [node["html"][:200] + " " + str([one.get("message") for one in node["any"] + node["all"] + node["none"]])
                             for node in violation["nodes"][:3]]
                    found.append(f"{scheme} {name}: {violation['id']}: {nodes}")
            for name in each(page, ada):
                look(name)
            for name in answers(page, ada):
                look(name)
        with Server(empty(), ADA) as ada, Browser.page(ada, color_scheme=scheme) as page:
            for path in ("/", "/history", "/conflicts", "/search?q=x"):
                page.goto(ada.base + path)
                look("empty " + path)
    assert not found, "\n".join(found)


@test
def narrow_screens():
    """Nothing goes beyond a screen of 320 px, nor is cut off at its edge."""
    wide = []
    beyond = """() => [...document.querySelectorAll('main *, header *')].filter(one => {
        const box = one.getBoundingClientRect()
        return box.width > 0 && box.right > innerWidth + 1 && getComputedStyle(one).clipPath === 'none'
          && !one.closest('a.who, .opens, .side, .foot')
    }).slice(0, 3).map(one => one.outerHTML.slice(0, 120))"""
    for script in (True, False):
        size = {"viewport": {"width": 320, "height": 640}, "java_script_enabled": script}
        with Server(everything(), ADA) as ada, Browser.page(ada, **size) as page:
            def look(name):
                width = page.evaluate("document.documentElement.scrollWidth")
                out = page.evaluate(beyond)
                if width > 320 or out:
                    wide.append(f"{name}: {width} px {out}")
            for name in each(page, ada):
                look(name)
            if script:
                for name in answers(page, ada):
                    look(name)
        with Server(empty(), ADA) as ada, Browser.page(ada, **size) as page:
            for path in ("/", "/history", "/conflicts"):
                page.goto(ada.base + path)
                look("empty " + path)
                assert page.locator("main p").count() == 1 or path == "/history", path
    assert not wide, "\n".join(wide)


@test
def header_is_small():
    """At 320 px the header has two lines: the pages with the name, the search field with Sign out; also with conflicts."""
    with Server(open_conflict(), ADA) as ada, Browser.page(ada, viewport={"width": 320, "height": 640}) as page:
        assert page.get_by_role("link", name="Conflicts").bounding_box()["y"] < 25 > page.locator(".you").bounding_box()["y"]
        search, out = page.get_by_role("searchbox").bounding_box(), page.get_by_role("button", name="Sign out").bounding_box()
        assert abs(search["y"] + search["height"] / 2 - out["y"] - out["height"] / 2) < 4, (search, out)
        assert page.locator("h1").bounding_box()["y"] < 130


@test
def targets_are_large_enough():
    """What is pressed is at least 24 px high, and at least 44 px where a finger does it."""
    small = """least => [...document.querySelectorAll(':is(a, button, input, select, textarea, summary):not(.skip, [type=hidden])')]
        .map(one => one.closest('label') ?? one).filter(one => {
            const { height } = one.getBoundingClientRect()
            return height > 0 && height < least
        }).map(one => `${one.outerHTML.slice(0, 120)} ${one.getBoundingClientRect().height}`).slice(0, 5)"""
    found = []
    for least, isTouched in ((24, False), (44, True)):
        size = {"viewport": {"width": 320, "height": 640}, "has_touch": isTouched, "is_mobile": isTouched}
        with Server(everything(), ADA) as ada, Browser.page(ada, **size) as page:
            assert page.evaluate("matchMedia('(pointer: coarse)').matches") == isTouched
            for name in each(page, ada):
                found += [f"{name}: {one}" for one in page.evaluate(small, least)]
    assert not found, "\n".join(found)


@test
def keyboard_alone():
    """The whole story without a mouse: the skip link, a choice, the review, why, Done, Undo; the focus is always to be seen."""
    store = sections()
    with Server(store, MARIE) as marie, Browser.page(marie) as page:
        def focused():
            return page.evaluate("""() => { const one = document.activeElement, look = getComputedStyle(one)
                return [one.id || one.textContent.trim(), look.outlineStyle, parseFloat(look.outlineWidth)] }""")

        def tab_to(name, most=60):
            for _ in range(most):
                page.keyboard.press("Tab")
                words, style, width = focused()
                assert words == "" or (style != "none" and width >= 3), f"the focus on {words} is not to be seen"
                if words.startswith(name):
                    return
            raise AssertionError(f"Tab does not come to {name}")

        page.keyboard.press("Tab")
        assert focused()[0] == "Skip to content"
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('main') !== null"), focused()
        page.reload()
        tab_to("row-general.language")
        page.keyboard.press("G")
        tab_to("row-sound.volume")
        page.keyboard.press("ArrowUp")
        tab_to("Review")
        page.keyboard.press("Enter")
        page.wait_for_url("**/review")
        tab_to("why")
        page.keyboard.type("The Berlin office opens.")
        tab_to("Done")
        page.keyboard.press("Enter")
        page.get_by_text("Recorded:").wait_for()
        assert store.get("general.language") == "de" and store.get("sound.volume") == "45"
        tab_to("Undo")
        page.keyboard.press("Enter")
        until(lambda: store.get("general.language") == "en")


@test
def marks_of_changes():
    """A changed row has a word and a colour, the bar counts, and leaving asks; put back, all of that goes away."""
    with Server(sections(), ADA) as ada, Browser.page(ada) as page:
        row = page.locator(".row", has=page.locator("[id='row-general.greeting']"))
        review = page.get_by_role("button", name="Review")
        plain = row.evaluate("one => getComputedStyle(one).backgroundColor")
        assert not review.is_visible() and not row.get_by_text("changed").is_visible()
        page.get_by_label("Greeting").fill("Hello")
        assert review.is_visible() and row.get_by_text("changed").is_visible()
        assert row.evaluate("one => getComputedStyle(one).backgroundColor") != plain
        box = page.locator(".review").bounding_box()
        assert box["y"] + box["height"] <= 801, "the bar is beyond the end of the screen"
        page.get_by_label("Slider for Volume").fill("75")
        assert page.get_by_label("Volume", exact=True).input_value() == "75"
        page.locator("#count").filter(has_text="2 changes").wait_for()
        assert page.locator("#count").get_attribute("role") == "status"
        asked = []
        page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
        page.evaluate("location.href = '/history'")
        until(lambda: asked == ["beforeunload"])
        page.get_by_label("Volume", exact=True).fill("40")
        page.get_by_label("Greeting").fill("Welcome")
        assert not review.is_visible() and not row.get_by_text("changed").is_visible()
        page.get_by_role("link", name="History").click()
        page.wait_for_url("**/history")


@test
def follows_in_place():
    """A new version is shown where one is: the place on the page stays, what was typed stays, the history grows."""
    store = Store(*[(f"o{i:02}", "--title", f"Option {i}", "--text", "x") for i in range(40)])
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        page.evaluate("window.isTheSame = true")
        page.get_by_role("link", name="Option 30:").focus()
        top = page.evaluate("scrollY")
        assert top > 0
        store.settings("set", "o35", "new", "-m", "News.", person=MARIE)
        until(lambda: page.get_by_label("Option 35", exact=True).input_value() == "new")
        assert page.evaluate("scrollY") == top and page.evaluate("isTheSame")
        assert "Option 30" in page.evaluate("document.activeElement.textContent")
        assert page.locator("#news").get_attribute("role") == "status"
        assert page.inner_text("#news").startswith("Marie Curie recorded Option 35: ")
        page.get_by_label("Option 30", exact=True).fill("mine")
        store.settings("set", "o36", "newer", "-m", "News.", person=MARIE)
        store.settings("set", "o37", "newest", "-m", "News.", person=MARIE)
        until(lambda: "Option 37" in page.inner_text("#news") and "Option 36" in page.inner_text("#news"))
        assert "Your changes are kept." in page.inner_text("#news")
        assert page.get_by_label("Option 30", exact=True).input_value() == "mine"
        assert page.get_by_label("Option 36", exact=True).input_value() == "x"
        page.get_by_role("button", name="Review").click()
        assert page.locator("ul.changes li").count() == 1, page.inner_text("ul.changes")


@test
def hostile_texts():
    """Markup, quotes, bidi characters and 10,000 characters in titles and values are shown as text and come back unchanged."""
    hostile = "</script></title></textarea><script>document.title='caught'</script>\"'><img src=x onerror=\"document.title='caught'\">&amp;"
    turned = "abc\u202edef\u2066\u0007"
    store = Store(title="x")
    options(store, {
        "a": {"title": hostile, "value": hostile, "help": hostile, "placeholder": hostile},
        "b": {"title": turned, "value": turned}, "c": {"title": "t" * 10_000, "value": "v" * 10_000},
        "d": {"title": "Lines", "value": "\n" + hostile + "\n"}, "e": {"title": "Data", "type": "data", "value": {hostile: hostile}},
        "f": {"title": "Choice", "type": "choice", "labels": [hostile, turned], "values": [hostile, "b"], "value": hostile},
        "z": {"title": "Plain"},
    })
    store.settings("define", "/", "--title", hostile, "-m", hostile, "--ticket", "<b>T</b>")
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        for path in ("/", "/history", "/o/a", "/o/b", "/o/c", "/o/d", "/o/e", "/o/f", f"/v/{store.head()}", "/search?q=%3Cscript%3E",
                     "/history?q=%3C/script%3E&author=%22%3E%3Cb%3E", "/compare?from=HEAD~1"):
            page.goto(ada.base + path)
            assert page.title() != "caught", path
            assert page.locator("main script, main img, main b b").count() == 0, path
            shown = page.inner_text("body")
            assert not any(character in shown for character in "\u202e\u2066\u0007"), path
        page.goto(ada.base + "/")
        page.get_by_label("Plain", exact=True).fill(hostile)
        page.get_by_role("button", name="Review").click()
        assert page.locator("ul.changes li").count() == 1, "a field that nobody touched came back otherwise: " + page.inner_text("main")
        page.get_by_label("Why").fill(hostile)
        page.get_by_role("button", name="Done").click()
        page.get_by_text("Recorded:").wait_for()
        assert store.get("z") == hostile and hostile in store.message()


@test
def words_of_a_search():
    """What is searched for stands in the heading, the field and the address as it was typed, percents and pluses too."""
    store = Store(("rate", "--title", "Rate", "--text", "5% + a&b=c"))
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        for words in ("5%", "%41", "a+b", "a b", "a&b=c", "é", "100%25"):
            page.get_by_role("searchbox").fill(words)
            page.get_by_role("searchbox").press("Enter")
            page.get_by_role("heading", name=f"Search: {words}", exact=True).wait_for()
            assert page.get_by_role("searchbox").input_value() == words
        page.get_by_role("searchbox").fill("Rate")
        page.get_by_role("searchbox").press("Enter")
        page.get_by_label("Rate", exact=True).fill("6%")
        page.get_by_role("button", name="Review").click()
        page.get_by_role("button", name="Done").click()
        page.get_by_text("Recorded:").wait_for()
        assert store.get("rate") == "6%"
        page.get_by_role("heading", name="Search: Rate").wait_for()


@test
def many_rows():
    """Of 1,000 options a page has 300, the others are on the pages after it; a change on the last one is recorded."""
    store = many()
    with Server(store, ADA) as ada, Browser.page(ada, "/g/flat", viewport={"width": 320, "height": 640}) as page:
        assert page.locator(".row").count() == 300
        for _ in range(3):
            page.get_by_role("link", name="Next").click()
        assert page.locator(".row").count() == 100 and page.get_by_role("link", name="Next").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        page.get_by_label("Option 999", exact=True).fill("last")
        page.get_by_role("button", name="Review").click()
        page.get_by_role("button", name="Change again").click()
        assert page.get_by_label("Option 999", exact=True).input_value() == "last"
        page.get_by_role("button", name="Review").click()
        page.get_by_role("button", name="Done").click()
        page.get_by_text("Recorded:").wait_for()
        assert store.get("flat.o0999") == "last"
        assert page.get_by_label("Option 999", exact=True).input_value() == "last", "Done led to another part of the page"


@test
def read_only():
    """A server for reading only has no button that records, and refuses forms all the same."""
    store = office()
    with Server(store, ADA, "--read-only") as ada, Browser.page(ada) as page:
        for path in ("/", "/o/general.language", "/history", f"/v/{store.head()}", "/conflicts"):
            page.goto(ada.base + path)
            assert page.locator("main button:not(.filters button)").count() == 0, path
        cookie = ada.cookie()
        for path in ("/review", "/done", "/revert", "/restore", "/undo", "/confirm", "/conflicts", "/conflicts/edit", "/edit"):
            assert ada.request(path, {"version": store.head()}, cookie=cookie)[0] == 403, path


@test
def titles_and_places():
    """Each page has one h1, its title first in the window's, the way to the pages above it, a language, and the zone once."""
    store = office()
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        for path, title, above in (("/", "Office display", []), ("/g/sound", "Sound", ["Office display"]),
                                   ("/o/sound.volume", "Volume", ["Office display", "Sound"]), ("/history", "History", [])):
            page.goto(ada.base + path)
            assert page.locator("h1").all_inner_texts() == [title], path
            assert page.title().startswith(title)
            assert page.locator(".places a").all_inner_texts() == above, path
            assert page.locator("html").get_attribute("lang") == "en"
            assert page.inner_text("footer") == "Times are in UTC."


@test
def names_of_groups():
    """A group without a title is called by its name with a capital, on all pages alike, with how many settings it holds."""
    store = office()
    store.settings("add", "net.mail.host", "--title", "Host", "--text", "a", "-m", "Mail.")
    store.settings("add", "net.port", "--title", "Port", "--number", "25", "-m", "Mail.")
    store.settings("define", "net", "--title", "eMail", "-m", "As it is written.")
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        for name in ("General 2 settings", "Sound 1 setting", "eMail 2 settings"):
            assert page.get_by_role("link", name=name, exact=True).count() == 1, page.inner_text("main")
        page.goto(ada.base + "/g/net.mail")
        assert page.inner_text("h1") == "Mail" and page.locator(".places a").all_inner_texts() == ["Office display", "eMail"]
        page.goto(ada.base + "/search?q=host")
        assert page.inner_text("h2") == "eMail › Mail"


@test
def rows_are_of_now():
    """The rows that were made before are shown as long as they are true: not after a Done, an edit of a file, or to somebody else."""
    store = office()
    with Server(store, ADA) as ada, Server(store, ADA, "--read-only") as reading:
        cookie, other = ada.cookie(), reading.cookie()

        def rows(server=ada):
            return server.request("/g/general", cookie=cookie if server is ada else other)[2]
        assert rows() == rows() and "Review" in rows() and 'value="Welcome"' in rows()
        assert "Review" not in rows(reading) and "disabled" in rows(reading)
        store.settings("set", "general.greeting", "Hello", "-m", "News.")
        until(lambda: 'value="Hello"' in rows() and "“News.”" in rows(), 2)
        file = store.folder / "general/greeting.json"
        recorded = file.read_text()
        file.write_text(recorded.replace("Hello", "Typed"))
        until(lambda: "“Typed”" in rows(), 2)
        file.write_text(recorded)
        until(lambda: "“Typed”" not in rows(), 2)
        store.git("checkout", "-q", "-b", "night")
        until(lambda: "On branch night." in rows(), 2)


@test
def filter_of_labels():
    """Of 800 labels, those that hold what is typed are shown, and the one that is chosen; without a script there is no such field."""
    store = Store(("city", "--title", "City", "--choice", *[f"c{i}=City {i}" for i in range(800)]),
                  ("few", "--title", "Few", "--choice", *[f"Label {i}" for i in range(12)]))
    size = {"viewport": {"width": 320, "height": 640}}
    with Server(store, ADA) as ada, Browser.page(ada, "/o/city", **size) as page:
        field = page.get_by_label("Filter 800 labels")
        box = field.bounding_box()
        assert box["y"] < page.get_by_role("radio").first.bounding_box()["y"] and box["x"] >= 0 and box["x"] + box["width"] <= 320
        field.fill("city 79")
        shown = page.get_by_role("radio")
        assert shown.count() == 12, shown.count()
        field.press("Enter")
        assert page.url.endswith("/o/city") and page.locator("#count").inner_text() == ""
        page.get_by_label("City 799", exact=True).check()
        field.fill("no such label")
        assert shown.count() == 1 and page.get_by_label("City 799", exact=True).is_checked()
        field.fill("")
        assert shown.count() == 800
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        page.get_by_role("button", name="Review").click()
        page.get_by_role("button", name="Done").click()
        page.get_by_text("Recorded:").wait_for()
        assert store.get("city") == "c799"
        page.goto(ada.base + "/o/few")
        assert page.locator("#filter").count() == 0
    with Server(store, ADA) as ada, Browser.page(ada, "/o/city", java_script_enabled=False, **size) as page:
        assert not page.locator("#filter").is_visible() and page.get_by_role("radio").count() == 800
