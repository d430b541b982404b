"""The story: a person changes a value in a browser, and git says that person's name and reason."""
from surroundings import ADA, GREETING, LANGUAGE, MARIE, Browser, Server, Store, office, test, until


def change_language_and_volume(page, store):
    page.get_by_label("Language").select_option(label="German")
    page.get_by_label("Volume", exact=True).fill("60")
    page.get_by_role("button", name="Review").click()
    text = page.inner_text("main")
    assert "Language: English → German" in text and "Volume: 40 → 60" in text, text
    head = store.head()
    page.get_by_label("Why").fill("The Berlin office opens.")
    page.get_by_label("Ticket").fill("FEAT-12")
    page.get_by_label("Requested by").fill("Alan Turing <alan@example.org>")
    assert store.head() == head, "a review recorded something"
    page.get_by_role("button", name="Done").click()
    page.get_by_text("Recorded:").wait_for()


def check_recorded(store):
    said = store.message()
    assert said.startswith("Marie Curie <marie@example.org>\n"), said
    assert "The Berlin office opens." in said and "FEAT-12" in said and "Alan Turing" in said, said
    assert store.get("general.language") == "de" and store.get("sound.volume") == "60"


@test
def story_of_marie_and_ada():
    """Marie records with a reason and a ticket; Ada's open page follows, and she reverts it from the history."""
    store = sections()
    with Server(store, MARIE) as marie, Server(store, ADA) as ada, Browser.page(ada) as hers, Browser.page(marie) as page:
        hers.evaluate("window.isTheSame = true")
        hers.get_by_label("Greeting").focus()
        change_language_and_volume(page, store)
        check_recorded(store)
        until(lambda: hers.get_by_label("Language").input_value() == '"de"')
        assert hers.evaluate("window.isTheSame"), "the page was loaded again"
        assert hers.evaluate("document.activeElement.id") == "row-general.greeting", "the focus went away"
        assert "Marie Curie recorded" in until(lambda: hers.inner_text("#news"))
        hers.get_by_role("link", name="History").click()
        item = hers.locator("ol.versions li").first
        text = item.inner_text()
        assert "Marie Curie" in text and "The Berlin office opens." in text and "FEAT-12" in text, text
        item.get_by_role("button", name="Revert").click()
        assert "Volume: 60 → 40" in hers.inner_text("main")
        hers.get_by_label("Why").fill("It opens next year.")
        hers.get_by_role("button", name="Done").click()
        hers.wait_for_url("**/history*")
        assert store.get("general.language") == "en" and store.get("sound.volume") == "40"
        said = store.message()
        assert said.startswith("Ada Lovelace") and "It opens next year." in said, said
        until(lambda: page.get_by_label("Language").input_value() == '"en"')


def sections():
    """An office whose groups are all on the first page."""
    store = office()
    for group in ("general", "sound", "display"):
        store.settings("define", group, "--style", "section", "-m", "All on one page.")
    return store


@test
def story_without_a_script():
    """The same with JavaScript off: change, review, Done, history, revert, undo, a conflict."""
    store = sections()
    off = {"java_script_enabled": False}
    with Server(store, MARIE) as marie, Server(store, ADA) as ada, \
            Browser.page(marie, **off) as page, Browser.page(ada, **off) as hers:
        change_language_and_volume(page, store)
        check_recorded(store)
        # Her page is old: she chose another language on it.
        hers.get_by_label("Language").select_option(label="French")
        hers.get_by_role("button", name="Review").click()
        hers.get_by_label("Why").fill("Paris first.")
        hers.get_by_role("button", name="Done").click()
        both_sides(hers)
        hers.get_by_label("French").check()
        hers.get_by_role("button", name="Review").click()
        assert hers.get_by_label("Why").input_value() == "Paris first."
        hers.get_by_role("button", name="Done").click()
        assert store.get("general.language") == "fr" and store.get("sound.volume") == "60"
        hers.get_by_role("button", name="Undo").click()
        assert store.get("general.language") == "de"
        hers.get_by_role("link", name="History").click()
        hers.locator("ol.versions li").nth(2).get_by_role("button", name="Revert").click()
        hers.get_by_label("Why").fill("It opens next year.")
        hers.get_by_role("button", name="Done").click()
        assert store.get("sound.volume") == "40" and "It opens next year." in store.message()


def both_sides(page):
    text = page.inner_text("main")
    for words in ("Nothing has been recorded", "Marie Curie", "The Berlin office opens.", "Ada Lovelace", "Paris first."):
        assert words in text, f"no {words!r} in {text}"


@test
def race_on_the_same_option():
    """Both change one option: the second is asked with both names and reasons, and the rest of the form is kept."""
    store = sections()
    with Server(store, MARIE) as marie, Server(store, ADA) as ada, Browser.page(marie) as page, Browser.page(ada) as hers:
        hers.get_by_label("Language").select_option(label="French")
        hers.get_by_label("Dark mode").select_option(label="On")
        change_language_and_volume(page, store)
        news = until(lambda: hers.inner_text("#news"))
        assert "Marie Curie recorded Language: English → German" in news and "Your changes are kept." in news, news
        assert hers.get_by_label("Language").input_value() == '"fr"'
        hers.get_by_role("button", name="Review").click()
        hers.get_by_label("Why").fill("Paris first.")
        hers.get_by_role("button", name="Done").click()
        both_sides(hers)
        assert store.get("general.language") == "de", "the first one was overwritten"
        hers.get_by_label("French").check()
        hers.get_by_role("button", name="Review").click()
        text = hers.inner_text("main")
        assert "Language: German → French" in text and "Dark mode: Off → On" in text, text
        hers.get_by_role("button", name="Done").click()
        hers.get_by_text("Recorded:").wait_for()
        assert [store.get(key) for key in ("general.language", "display.dark", "sound.volume")] == ["fr", "true", "60"]


@test
def race_on_different_options():
    """Both change different options from the same version: both stay."""
    store = sections()
    with Server(store, MARIE) as marie, Server(store, ADA) as ada, Browser.page(marie) as page, Browser.page(ada) as hers:
        hers.get_by_label("Greeting").fill("Hello")
        change_language_and_volume(page, store)
        hers.get_by_role("button", name="Review").click()
        assert "Language" not in hers.inner_text("ul.changes")
        hers.get_by_role("button", name="Done").click()
        hers.get_by_text("Recorded:").wait_for()
        assert [store.get(key) for key in ("general.language", "general.greeting", "sound.volume")] == ["de", "Hello", "60"]


@test
def change_again_keeps_everything():
    """Change again leads back to what was typed, also where somebody recorded the same meanwhile: Done still asks."""
    store = sections()
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        page.get_by_label("Language").select_option(label="French")
        page.get_by_role("button", name="Review").click()
        store.settings("set", "general.language", "German", "-m", "The Berlin office opens.", person=MARIE)
        page.get_by_role("button", name="Change again").click()
        assert page.get_by_label("Language").input_value() == '"fr"'
        page.locator("#count").filter(has_text="1 change").wait_for()
        page.get_by_label("Greeting").fill("Bonjour")
        page.locator("#count").filter(has_text="2 changes").wait_for()
        page.get_by_role("button", name="Review").click()
        page.get_by_label("Why").fill("Paris first.")
        page.get_by_role("button", name="Done").click()
        both_sides(page)
        page.get_by_role("button", name="Review").click()
        page.get_by_role("button", name="Done").click()
        page.get_by_text("Recorded:").wait_for()
        assert store.get("general.language") == "de" and store.get("general.greeting") == "Bonjour"


@test
def conflict_of_a_merge():
    """What a merge left open is decided on the page, with who and why of both sides."""
    store = open_conflict()
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        page.get_by_role("link", name="Conflicts").click()
        text = page.inner_text("main")
        for words in ("Ada Lovelace", "Paris first.", "Marie Curie", "The Berlin office opens.", "French", "German"):
            assert words in text, f"no {words!r} in {text}"
        page.get_by_label("German").check()
        page.get_by_role("button", name="Review").click()
        page.get_by_label("Why").fill("Berlin is larger.")
        page.get_by_role("button", name="Done").click()
        page.get_by_text("There are no open conflicts.").wait_for()
        assert store.get("general.language") == "de" and "Berlin is larger." in store.message()
        assert "general.language" not in store.settings("conflicts", statuses=(0, 1))


def open_conflict():
    store = office()
    start = store.head()
    store.settings("set", "general.language", "French", "-m", "Paris first.")
    store.git("branch", "ours")
    store.git("reset", "-q", "--hard", start)
    store.settings("set", "general.language", "German", "-m", "The Berlin office opens.", person=MARIE)
    store.git("branch", "theirs")
    store.git("reset", "-q", "--hard", "ours")
    store.settings("merge", "theirs", "--keep", "--in-force", "ours", "-m", "Both.")
    return store


@test
def policy_of_the_store():
    """A store that requires why and ticket: 422, the first missing field has the focus, what was typed stays."""
    store = office()
    store.settings("define", "/", "--require-why", "required", "--require-ticket", "required", "-m", "Rules.", "--ticket", "A-1")
    store.settings("define", "general", "--style", "section", "-m", "One page.", "--ticket", "A-1")
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        page.get_by_label("Greeting").fill("Hello")
        page.get_by_role("button", name="Review").click()
        assert page.get_by_label("Why (required)").count() == 1
        page.get_by_label("Why (required)").fill("Friendlier.")
        page.evaluate("document.querySelectorAll('[required]').forEach(field => { field.required = false })")
        with page.expect_response("**/done") as answer:
            page.get_by_role("button", name="Done").click()
        assert answer.value.status == 422, answer.value.status
        page.get_by_role("alert").wait_for()
        until(lambda: page.evaluate("document.activeElement.id") == "ticket")
        assert page.get_by_label("Why (required)").input_value() == "Friendlier."
        page.get_by_label("Ticket (required)").fill("FEAT-1")
        page.get_by_role("button", name="Done").click()
        page.get_by_text("Recorded:").wait_for()
        assert store.get("general.greeting") == "Hello" and "FEAT-1" in store.message()


@test
def values_that_are_refused():
    """A value that is not allowed: 422, said beside its field, the field has the focus, the other changes stay."""
    store = Store(("name", "--title", "Name", "--text", "abc", "--pattern", "^[a-z]+$"), LANGUAGE,
                  ("size", "--title", "Size", "--number", "5"), ("code", "--title", "Code", "--text", "x1y", "--pattern", "[0-9]"))
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        page.get_by_label("Name").fill("ABC")
        page.get_by_label("Size").evaluate("field => { field.type = 'text' }")
        page.get_by_label("Size").fill("large")
        page.get_by_label("Code").fill("z2z")
        with page.expect_response("**/review") as answer:
            page.get_by_role("button", name="Review").click()
        assert answer.value.status == 422, answer.value.status
        until(lambda: page.evaluate("document.activeElement.id") == "row-name")
        assert "does not match" in page.locator("#row-name-note").inner_text()
        assert page.get_by_label("Code").input_value() == "z2z" and page.get_by_label("Name").input_value() == "ABC"
        assert page.get_by_label("Size").input_value() == "large"
        page.get_by_label("Size").fill("7")
        page.get_by_label("Name").fill("def")
        page.get_by_role("button", name="Review").click()
        page.get_by_role("button", name="Done").click()
        page.get_by_text("Recorded:").wait_for()
        assert store.get("name") == "def" and store.get("size") == "7" and store.get("code") == "z2z"


@test
def masked_values_stay_here():
    """A masked text is set on its own page, and is in no answer, neither the old one nor what was typed."""
    store = Store(("key", "--title", "API key", "--text", "hunter2", "--masked", "--pattern", "^[a-z0-9]+$"), GREETING)
    store.settings("define", "/", "--require-ticket", "required", "-m", "Rules.", "--ticket", "A-1")
    secrets = ("hunter2", "s3cret", "S3CRET", "other5")

    def look(page, searched=""):
        """Looks for the secrets in what the browser got, but for the word that was searched for."""
        text = page.content().replace(f"q={searched}", "").replace(f": {searched}", "").replace(f'"{searched}"', "")
        for secret in secrets:
            assert secret not in text, f"{secret} in {page.url}: {text[max(0, text.find(secret) - 200):][:400]}"

    with Server(store, ADA) as ada, Browser.page(ada) as page:
        page.get_by_role("link", name="API key Set").click()
        page.get_by_label("New value").fill("s3cret")
        page.evaluate("document.querySelectorAll('[required]').forEach(field => { field.required = false })")
        page.get_by_role("button", name="Done").click()
        page.get_by_role("alert").wait_for()
        look(page)
        assert page.get_by_label("New value").input_value() == ""
        page.get_by_label("New value").fill("S3CRET")
        page.get_by_label("Ticket (required)").fill("A-2")
        page.get_by_role("button", name="Done").click()
        page.get_by_text("the value is not allowed").first.wait_for()
        look(page)
        page.get_by_label("New value").fill("s3cret")
        page.get_by_label("Why").fill("Rotated.")
        store.settings("set", "key", "other5", "-m", "At once.", "--ticket", "A-3", person=MARIE)
        page.get_by_role("button", name="Done").click()
        page.get_by_text("Somebody else has changed the option in the meantime").first.wait_for()
        look(page)
        page.get_by_label("New value").fill("s3cret")
        assert page.get_by_label("Why").input_value() == "Rotated."
        page.get_by_role("button", name="Done").click()
        page.get_by_text("Recorded:").wait_for()
        assert store.get("key") == "s3cret"
        page.goto(ada.base + "/history")
        page.locator("ol.versions li").first.get_by_role("button", name="Revert").click()
        look(page)
        head, old = store.head(), store.git("rev-parse", "HEAD~2").strip()
        for path in ("/", "/o/key", "/history", "/history?q=hunter2", "/search?q=s3cret", "/search?q=key", f"/v/{head}", f"/v/{old}",
                     f"/compare?from={old}", "/conflicts", f"/news?since={old}"):
            page.goto(ada.base + path)
            look(page, path.split("q=")[-1])


@test
def masked_later():
    """What was masked later, or renamed before that, is in no answer of any address, nor told by what a search finds."""
    store = Store(("pin", "--title", "Pin", "--text", "hunter2"), GREETING)
    store.settings("set", "pin", "s3cret", "-m", "Rotated.")
    store.settings("rename", "pin", "door.code", "-m", "A better name.")
    store.settings("set", "door.code", "other5", "-m", "Rotated.")
    store.settings("define", "door.code", "--masked", "-m", "Nobody shall see it.")
    versions = store.git("log", "--format=%H").split()
    with Server(store, ADA) as ada:
        cookie = ada.cookie()
        forms = [("/revert", {"of": one}) for one in versions] + [("/restore", {"of": one}) for one in versions]
        paths = ["/", "/g/door", "/o/door.code", "/o/pin", "/history", "/history?key=door.code", "/history?key=pin", "/compare",
                 "/search?q=pin", "/search?q=door", "/conflicts"]
        paths += [f"{path}{one}" for one in versions for path in ("/v/", "/compare?from=", "/news?since=")]
        answers = [ada.request(path, cookie=cookie) for path in paths]
        answers += [ada.request(path, form, cookie=cookie) for path, form in forms]
        for (status, _, text), path in zip(answers, paths + forms):
            assert status < 500, (path, status)
            for secret in ("hunter2", "s3cret", "other5"):
                assert secret not in text, f"{secret} in {path}"
        for secret in ("hunter2", "s3cret", "other5"):
            for path in ("/history?q=", "/search?q="):
                _, _, found = ada.request(path + secret, cookie=cookie)
                _, _, other = ada.request(path + "n0thing", cookie=cookie)
                assert found.replace(secret, "") == other.replace("n0thing", ""), f"{path} tells of {secret}"
        assert "A better name." in ada.request("/history?q=better", cookie=cookie)[2]


@test
def long_choices_and_data():
    """A choice of 800 labels and data are changed on their own pages; switches may have other values than true and false."""
    store = Store(("city", "--title", "City", "--choice", *[f"c{i}=City {i}" for i in range(800)]),
                  ("data", "--title", "Data", "--data", '{"a": [1, 2]}'),
                  ("power", "--title", "Power", "--switch", "--off-value", "0", "--on-value", "1"))
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        assert page.locator("option").count() < 10
        page.get_by_role("button", name="Review").wait_for(state="hidden")
        page.get_by_role("link", name="City City 0").click()
        assert page.get_by_role("radio").count() == 800
        page.get_by_label("City 799", exact=True).check()
        page.get_by_role("button", name="Review").click()
        page.get_by_role("button", name="Change again").click()
        assert page.get_by_label("City 799", exact=True).is_checked()
        page.get_by_role("button", name="Review").click()
        page.get_by_role("button", name="Done").click()
        page.wait_for_url("**/o/city*")
        assert store.get("city") == "c799"
        page.goto(ada.base + "/o/data")
        page.get_by_label("Data", exact=True).fill('{"a": [3]}')
        page.get_by_role("button", name="Review").click()
        page.get_by_role("button", name="Done").click()
        assert "3" in store.settings("get", "data")
        page.goto(ada.base + "/")
        page.get_by_label("Power").select_option(label="On")
        page.get_by_role("button", name="Review").click()
        assert page.locator("ul.changes li").count() == 1, page.inner_text("main")
        page.get_by_role("button", name="Done").click()
        page.get_by_text("Recorded:").wait_for()
        assert store.get("power") == "1"


@test
def confirm_within_a_time():
    """A version that reverts unless it is confirmed has a bar on every page: Keep and Revert now."""
    store = sections()
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        for button, kept in (("Revert now", "Welcome"), ("Confirm", "Hello")):
            page.goto(ada.base + "/")
            page.get_by_label("Greeting").fill("Hello")
            page.get_by_role("button", name="Review").click()
            page.get_by_label("Revert unless confirmed within").fill("10m")
            page.get_by_role("button", name="Done").click()
            page.get_by_text("Recorded:").wait_for()
            for path in ("/history", "/v/" + store.head(), "/compare?from=HEAD~1", "/conflicts", "/search?q=greeting",
                         "/o/general.greeting"):
                page.goto(ada.base + path)
                assert " reverts " in page.inner_text("main .bar") and page.get_by_role("button", name=button).count() == 1, path
            page.goto(ada.base + "/history?q=greeting")
            page.get_by_role("button", name=button).click()
            page.wait_for_url("**/history?q=greeting*")
            page.wait_for_load_state()
            assert page.get_by_role("button", name="Confirm").count() == 0
            assert store.get("general.greeting") == kept


@test
def old_names_and_missing_ones():
    """An old key leads on to the new one, what was removed says so, an unknown address is a page with a sentence."""
    store = office()
    store.settings("rename", "general.greeting", "general.welcome", "-m", "A better name.")
    store.settings("remove", "display.dark", "-m", "Nobody uses it.")
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        page.goto(ada.base + "/o/general.greeting")
        assert page.url.endswith("/o/general.welcome"), page.url
        for path, words in (("/o/display.dark", "was removed"), ("/o/nothing", "There is no option nothing"),
                            ("/v/" + "0" * 40, "There is no such version"), ("/xyz", "There is no page at this address"),
                            ("/g/nothing", "There is no group nothing"), ("/o/..%2F..%2Fetc", "no page")):
            answer = page.goto(ada.base + path)
            assert answer.status == 404 and words in page.inner_text("main"), (path, answer.status, page.inner_text("main"))
