"""What people type is never lost: many tabs, Back, a review that is refused, signed out in the middle, somebody else meanwhile."""
from surroundings import ADA, MARIE, Browser, Server, office, test, until


def turn(page, isAway):
    """As the browser does when another tab is chosen: to one without a window, all of them are visible."""
    page.evaluate("""isAway => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => isAway })
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }""", isAway)


@test
def many_tabs():
    """Ten tabs stay usable, though a browser has six connections: one that is hidden has none, and follows at once when it is shown."""
    store = office()
    with Server(store, ADA) as ada, Browser.page(ada, "/o/general.greeting") as first:
        tabs = [first]
        for _ in range(9):
            turn(tabs[-1], True)
            tabs.append(first.context.new_page())
            tabs[-1].goto(ada.base + "/o/general.greeting", timeout=20_000)
        store.settings("set", "general.greeting", "Hello", "-m", "Friendlier.", person=MARIE)
        field = tabs[-1].get_by_label("Greeting", exact=True)
        until(lambda: field.input_value() == "Hello")
        assert first.get_by_label("Greeting", exact=True).input_value() == "Welcome", "a hidden tab followed"
        turn(tabs[-1], True)
        turn(first, False)
        until(lambda: first.get_by_label("Greeting", exact=True).input_value() == "Hello")
        store.settings("set", "general.greeting", "Bonjour", "-m", "For Paris.", person=MARIE)
        until(lambda: first.get_by_label("Greeting", exact=True).input_value() == "Bonjour")


@test
def many_windows():
    """Eight visible windows stay usable: one without the focus for a minute looks every 30 seconds, and at once when it has it."""
    store = office()
    with Server(store, ADA) as ada, Browser.page(ada) as first:
        def focus(page, hasIt):
            page.evaluate("""hasIt => {
                document.hasFocus = () => hasIt
                dispatchEvent(new Event(hasIt ? 'focus' : 'blur'))
            }""", hasIt)
        windows, clock = [], first.context.clock
        clock.install()
        for _ in range(8):
            page = first.context.new_page()
            page.goto(ada.base + "/o/general.greeting", timeout=20_000)
            focus(page, False)
            clock.run_for(95_000)
            windows.append(page)
        fields = [page.get_by_label("Greeting", exact=True) for page in windows]
        store.settings("set", "general.greeting", "Hello", "-m", "Friendlier.", person=MARIE)
        focus(windows[0], True)
        until(lambda: fields[0].input_value() == "Hello")
        assert fields[1].input_value() == "Welcome", "a window that nobody uses keeps a connection"
        until(lambda: (clock.run_for(1000), all(field.input_value() == "Hello" for field in fields))[1], 30)


def fill(page, greeting="Hello", why=None):
    page.get_by_label("Greeting", exact=True).fill(greeting)
    page.get_by_role("button", name="Review").click()
    page.get_by_role("button", name="Done").wait_for()
    if why:
        page.get_by_label("Why").fill(why)


def one_page():
    store = office()
    for group in ("general", "sound", "display"):
        store.settings("define", group, "--style", "section", "-m", "All on one page.")
    return store


def done(page):
    page.get_by_role("button", name="Done").click()
    page.get_by_text("Recorded:").wait_for()


@test
def back_to_what_was_typed():
    """Back from Done leads to the review with its reason, and from there to the form with what was typed; also without a script."""
    for words in ({}, {"java_script_enabled": False}):
        store = one_page()
        with Server(store, ADA) as ada, Browser.page(ada, **words) as page:
            page.get_by_label("Language").select_option(label="French")
            fill(page, why="Friendlier.")
            done(page)
            page.go_back()
            assert page.get_by_label("Why").input_value() == "Friendlier." and "Hello" in page.inner_text("ul.changes")
            page.go_back()
            assert page.get_by_label("Greeting", exact=True).input_value() == "Hello"
            assert page.get_by_label("Language").input_value() == '"fr"'
            page.goto(ada.base + "/review")
            assert "cannot be opened by its address" in page.inner_text("main")


@test
def back_after_news():
    """A form that the browser has to ask for again shows what is recorded, and takes no choice of another version for a change."""
    store = one_page()
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        fill(page)
        store.settings("set", "general.language", "German", "-m", "For Berlin.", person=MARIE)
        until(lambda: "German" in ada.request("/", cookie=ada.cookie())[2].split('selected')[1])
        page.context.new_cdp_session(page).send("Network.clearBrowserCache")
        page.go_back()
        page.wait_for_load_state()
        assert page.get_by_label("Language").input_value() == '"de"'
        assert page.get_by_label("Greeting", exact=True).input_value() == "Welcome"


@test
def back_after_signing_out():
    """Back after signing out shows nothing of the store, where the browser trusts the address and over plain http at a name."""
    store = one_page()
    with Server(store, ADA, "--url", "http://settings.example.org") as ada:
        port = ada.port
        ada.stop()
        ada.words = ("--url", f"http://settings.example.org:{port}")
        ada.start(port)
        for keepsPages in (False, True):
            browser = Browser.launch("--host-resolver-rules=MAP settings.example.org 127.0.0.1", keepsPages=keepsPages)
            try:
                for host in ("127.0.0.1", "settings.example.org"):
                    sign_out_and_go_back(browser.new_context().new_page(), f"http://{host}:{port}", ada.token)
            finally:
                browser.close()


def sign_out_and_go_back(page, base, token):
    page.goto(f"{base}/login#{token}")
    page.wait_for_url(base + "/")
    page.goto(base + "/history")
    assert "Volume" in page.inner_text("main")
    page.goto(base + "/")
    page.get_by_label("Greeting", exact=True).fill("Hello")
    page.goto(base + "/o/sound.volume")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/login*")
    for _ in range(3):
        page.go_back(wait_until="commit")
        page.get_by_label("Token").wait_for()
        assert "Volume" not in page.content(), page.url


@test
def passwords_are_not_given_back():
    """What was typed for a masked option is gone on the page that one goes back to."""
    store = one_page()
    store.settings("add", "key", "--title", "API key", "--text", "x", "--masked", "-m", "For the lab.")
    with Server(store, ADA) as ada:
        for keepsPages in (False, True):
            browser = Browser.launch(keepsPages=keepsPages)
            try:
                page = browser.new_context().new_page()
                page.goto(ada.address)
                page.wait_for_url(ada.base + "/")
                page.goto(ada.base + "/o/key")
                page.get_by_label("New value").fill("S3CRET")
                page.get_by_label("Why").fill("Rotated.")
                page.goto(ada.base + "/history")
                page.go_back(wait_until="commit")
                until(lambda: page.get_by_label("Why").input_value() == "Rotated.")
                assert page.get_by_label("New value").input_value() == ""
            finally:
                browser.close()


def refused(page, words, status):
    """Done is refused with its reason and what was typed; the same button works once nothing is in the way."""
    with page.expect_response("**/done") as answer:
        page.get_by_role("button", name="Done").click()
    assert answer.value.status == status, answer.value.status
    assert words in page.get_by_role("alert").inner_text(), page.inner_text("main")
    assert page.get_by_label("Why").input_value() == "Friendlier."
    assert "Hello" in page.inner_text("main")


@test
def refusals_keep_the_review():
    """A lock, an edit by hand, a merge of git and a missing folder: the review stays with all that was typed, and Done works again."""
    store = one_page()
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        page.set_default_timeout(20000)
        fill(page, why="Friendlier.")
        lock = store.folder / ".git/index.lock"
        lock.write_text("")
        refused(page, "Another program is using the store", 503)
        lock.unlink()
        path = store.folder / "general/greeting.json"
        text = path.read_text()
        path.write_text(text.replace("Welcome", "By hand"))
        refused(page, "greeting", 409)
        path.write_text(text)
        merge = store.folder / ".git/MERGE_HEAD"
        merge.write_text(store.head() + "\n")
        refused(page, "merge", 409)
        merge.unlink()
        moved = store.folder.with_name(store.folder.name + ".away")
        store.folder.rename(moved)
        refused(page, "o", 507)
        moved.rename(store.folder)
        done(page)
        assert store.get("general.greeting") == "Hello" and "Friendlier." in store.message()


@test
def signed_out_in_the_middle():
    """Review and Done of somebody who is signed out lead to the page to sign in, and from there on with what was typed."""
    store = one_page()
    for words in ({}, {"java_script_enabled": False}):
        head = store.head()
        with Server(store, ADA) as ada, Browser.page(ada, **words) as page:
            fill(page, "Hello" if not words else "Bonjour", why="Friendlier.")
            page.context.clear_cookies()
            with page.expect_response("**/done") as answer:
                page.get_by_role("button", name="Done").click()
            assert answer.value.status == 401
            page.get_by_label("Token").fill("wrong")
            page.get_by_role("button", name="Sign in").click()
            page.get_by_text("not valid").wait_for()
            page.get_by_label("Token").fill(ada.token)
            page.get_by_role("button", name="Sign in").click()
            page.get_by_role("button", name="Continue").click()
            assert page.get_by_label("Why").input_value() == "Friendlier." and store.head() == head
            done(page)
            assert "Friendlier." in store.message()


@test
def renamed_meanwhile():
    """What was changed goes to the new name of its option, and the review says what that is; also while Done waits."""
    store = one_page()
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        page.get_by_label("Language").select_option(label="French")
        store.settings("rename", "general.greeting", "office.welcome", "-m", "A better name.", person=MARIE)
        fill(page, why="Friendlier.")
        text = page.inner_text("main")
        assert "Greeting (general.greeting) was renamed to Greeting (office.welcome)." in text and "French" in text, text
        store.settings("rename", "office.welcome", "office.hello", "-m", "A third name.", person=MARIE)
        done(page)
        assert store.get("office.hello") == "Hello" and store.get("general.language") == "fr"


@test
def removed_meanwhile():
    """The review says who removed an option and why; the rest of the form is recorded. Nothing else left, there is no Done."""
    store = one_page()
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        page.get_by_label("Language").select_option(label="French")
        page.get_by_label("Volume", exact=True).fill("60")
        store.settings("remove", "sound.volume", "-m", "Nobody hears it.", person=MARIE)
        fill(page, why="Friendlier.")
        assert "Volume was removed by Marie Curie: “Nobody hears it.”" in page.inner_text("main"), page.inner_text("main")
        assert "Volume" not in page.inner_text("ul.changes")
        store.settings("remove", "general.language", "-m", "English alone.", person=MARIE)
        page.get_by_role("button", name="Done").click()
        page.get_by_text("Language was removed by Marie Curie: “English alone.”").wait_for()
        done(page)
        assert store.get("general.greeting") == "Hello"
        page.go_back()
        store.settings("remove", "general.greeting", "-m", "No more.", person=MARIE)
        page.get_by_role("button", name="Done").click()
        page.get_by_text("There is nothing else to record").wait_for()
        text = page.inner_text("main")
        assert "Greeting was removed by Marie Curie: “No more.”" in text, text
        assert page.get_by_role("button", name="Done").count() == 0


@test
def label_removed_meanwhile():
    """A label that was removed meanwhile is said beside its field, which has the labels of now; the rest is kept."""
    store = one_page()
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        page.get_by_label("Language").select_option(label="Spanish")
        page.get_by_label("Greeting", exact=True).fill("Hello")
        store.settings("label", "remove", "general.language", "Spanish", "-m", "Closed.", person=MARIE)
        store.settings("label", "add", "general.language", "Arabic", "-m", "Opened.", person=MARIE)
        page.get_by_role("button", name="Review").click()
        page.locator("#row-general\\.language-note").get_by_text("“Spanish” is no longer one of the labels.").wait_for()
        assert page.get_by_label("Greeting", exact=True).input_value() == "Hello"
        labels = page.get_by_label("Language").locator("option").all_inner_texts()
        assert labels == ["English", "French", "German", "Arabic"], labels
        page.get_by_label("Language").select_option(label="French")
        page.get_by_role("button", name="Review").click()
        store.settings("label", "remove", "general.language", "French", "-m", "Closed.", person=MARIE)
        page.get_by_role("button", name="Done").click()
        page.locator("#row-general\\.language-note").get_by_text("“French” is no longer one of the labels.").wait_for()
        page.get_by_label("Language").select_option(label="Arabic")
        page.get_by_role("button", name="Review").click()
        done(page)
        assert store.get("general.language") == "arabic" and store.get("general.greeting") == "Hello"


@test
def masked_meanwhile():
    """An option that was masked meanwhile is left out and said, with nothing of what was typed for it."""
    store = one_page()
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        page.get_by_label("Language").select_option(label="French")
        store.settings("define", "general.greeting", "--masked", "-m", "A secret.", person=MARIE)
        until(lambda: "Marie Curie" in page.inner_text("#news"))
        fill(page, "S3CRET", why="Friendlier.")
        assert "Greeting is now masked. Set it on its own page." in page.inner_text("main")
        assert "S3CRET" not in page.content()
        done(page)
        assert "S3CRET" not in page.content()
        assert store.get("general.language") == "fr"


@test
def review_of_what_is_replaced():
    """A review says what will really be replaced, and who changed it meanwhile; what is so already is said and not recorded."""
    store = one_page()
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        page.get_by_label("Language").select_option(label="French")
        store.settings("set", "general.language", "German", "-m", "For Berlin.", person=MARIE)
        until(lambda: "Marie Curie" in page.inner_text("#news"))
        page.get_by_role("button", name="Review").click()
        text = page.inner_text("main")
        assert "Language: German → French" in text, text
        assert "Language has been changed in the meantime by Marie Curie: “For Berlin.” Done asks" in text, text
        page.go_back()
        page.get_by_label("Language").select_option(label="German")
        head = store.head()
        page.get_by_role("button", name="Review").click()
        page.get_by_role("status").get_by_text("Language is already German, chosen by Marie Curie: “For Berlin.”").wait_for()
        assert store.head() == head


@test
def same_value_by_two():
    """Done with a value that somebody chose meanwhile says that it is so already, who chose it and why."""
    store = one_page()
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        page.get_by_label("Language").select_option(label="German")
        page.get_by_role("button", name="Review").click()
        store.settings("set", "general.language", "German", "-m", "For Berlin.", person=MARIE)
        head = store.head()
        page.get_by_role("button", name="Done").click()
        page.get_by_role("status").get_by_text("Language is already German, chosen by Marie Curie: “For Berlin.”").wait_for()
        assert store.head() == head


@test
def conflict_settled_meanwhile():
    """A conflict that somebody settled while it was on the page is said, at Review and at Done."""
    from story import open_conflict
    store = open_conflict()
    with Server(store, ADA) as ada, Browser.page(ada, "/conflicts") as page:
        page.get_by_label("German").check()
        page.get_by_role("button", name="Review").click()
        store.settings("resolve", "general.language", "--ours", "-m", "Paris.", person=MARIE)
        page.get_by_role("button", name="Done").click()
        page.get_by_text("The conflict on Language is no longer open.").wait_for()
        form = {"version": store.head(), "conflict:general/language.json:value": "theirs"}
        assert "The conflict on Language is no longer open." in ada.request("/conflicts", form, cookie=ada.cookie())[2]
        assert store.get("general.language") == "fr"


@test
def recorded_is_said_to_its_person():
    """An address with done= says "Recorded" and offers Undo to whoever recorded that version, and to nobody else."""
    store = one_page()
    with Server(store, ADA) as ada, Server(store, MARIE) as marie:
        store.settings("set", "general.language", "German", "-m", "For Berlin.", person=MARIE)
        address = f"/?done={store.head()}"
        for server, isTold in ((ada, False), (marie, True)):
            until(lambda: "For Berlin." in server.request("/", cookie=server.cookie())[2])
            text = server.request(address, cookie=server.cookie())[2]
            assert ("Recorded:" in text and "Undo" in text) == isTold, server.person


@test
def waiting_for_what_is_left():
    """The bar says what is still waiting to be confirmed: not what was changed again since, and nothing where that is all."""
    store = one_page()
    store.settings("set", "general.greeting=Hello", "sound.volume=60", "--confirm", "10m", "-m", "A trial.")
    with Server(store, ADA) as ada:
        def bar():
            return ada.request("/", cookie=ada.cookie())[2].split("<form method=\"post\" action=\"/review\"")[0].split("<h1>")[1]
        assert "Greeting" in bar() and "Volume" in bar() and " reverts " in bar()
        store.settings("set", "sound.volume", "70", "-m", "Louder.", person=MARIE)
        until(lambda: "Volume" not in bar())
        assert "Greeting" in bar() and " reverts " in bar()
        store.settings("set", "general.greeting", "Bonjour", "-m", "For Paris.", person=MARIE)
        until(lambda: " reverts " not in bar())
