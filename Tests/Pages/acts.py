"""What is recorded is what was reviewed, and the page says what became of every act."""
from surroundings import ADA, GREETING, LANGUAGE, MARIE, PROGRAMS, VOLUME, Browser, Server, Store, run, test, until

OFF = {"java_script_enabled": False}
KEY = ("net.key", "--title", "API key", "--text", "hunter2", "--masked")


def one_page(*options):
    store = Store(*(options or (LANGUAGE, VOLUME, GREETING)))
    for group in {option[0].split(".")[0] for option in options or (LANGUAGE, VOLUME)}:
        store.settings("define", group, "--style", "section", "-m", "All on one page.")
    return store


def click(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def recorded(page):
    try:
        page.get_by_role("status").get_by_text("Recorded:").wait_for()
    except Exception as error:
        raise AssertionError(f"nothing was recorded at {page.url}: {page.inner_text('main')}") from error
    assert page.get_by_role("button", name="Undo").count() == 1


def said(page, words):
    page.get_by_text(words).first.wait_for()


@test
def enter_means_the_main_button():
    """Enter in a field means Review on a form of settings and Done on every review, with and without a script; it never unsets."""
    from story import open_conflict
    for words in ({}, OFF):
        store = one_page(KEY, GREETING)
        with Server(store, ADA) as ada, Browser.page(ada, "/o/net.key", **words) as page:
            head = store.head()
            page.get_by_label("Ticket").press("Enter")
            said(page, "Type the new value. Nothing was recorded.")
            assert store.head() == head and store.get("net.key") == "hunter2"
            page.get_by_label("New value").fill("other5")
            page.get_by_label("Requested by").press("Enter")
            recorded(page)
            assert store.get("net.key") == "other5"
            page.goto(ada.base + "/")
            page.get_by_label("Greeting", exact=True).fill("Hello")
            page.get_by_label("Greeting", exact=True).press("Enter")
            page.get_by_label("Ticket").press("Enter")
            recorded(page)
            assert store.get("general.greeting") == "Hello"
            page.goto(ada.base + "/v/" + store.head())
            click(page, "Revert these")
            page.get_by_label("Ticket").press("Enter")
            recorded(page)
            assert store.get("general.greeting") == "Welcome"
        store = open_conflict()
        with Server(store, ADA) as ada, Browser.page(ada, "/conflicts", **words) as page:
            page.get_by_label("German").check()
            page.get_by_label("German").press("Enter")
            page.get_by_label("Ticket").press("Enter")
            recorded(page)
            assert store.get("general.language") == "de"


@test
def first_button_is_the_main_one():
    """In every form with several buttons, the first one in the document is the one that Enter means, and stands last on the page."""
    store = one_page(KEY, GREETING)
    with Server(store, ADA) as ada, Browser.page(ada, "/o/net.key") as page:
        def buttons():
            return page.evaluate("""[...document.querySelectorAll('main form .review button')]
                .map(one => [one.innerText, one.getBoundingClientRect().x])""")
        (main, right), (other, left) = buttons()
        assert (main, other) == ("Done", "Unset") and right > left, buttons()
        click(page, "Unset")
        (main, right), (other, left) = buttons()
        assert (main, other) == ("Done", "Change again") and right > left, buttons()


@test
def unset_is_reviewed():
    """That a masked option is to have no value is reviewed first; its reason is kept on the way back and where Done refuses it."""
    for words in ({}, OFF):
        store = one_page(KEY)
        with Server(store, ADA) as ada, Browser.page(ada, "/o/net.key", **words) as page:
            head = store.head()
            page.get_by_label("New value").fill("S3CRET")
            page.get_by_label("Why").fill("Nobody needs it.")
            click(page, "Unset")
            said(page, "API key: •••••• → not set")
            assert store.head() == head and "S3CRET" not in page.content()
            click(page, "Change again")
            assert page.get_by_label("Why").input_value() == "Nobody needs it."
            assert page.get_by_label("New value").input_value() == ""
            click(page, "Unset")
            page.get_by_label("Revert unless").fill("soon")
            click(page, "Done")
            said(page, "Invalid duration")
            assert page.get_by_label("Why").input_value() == "Nobody needs it."
            page.get_by_label("Revert unless").fill("")
            click(page, "Done")
            recorded(page)
            assert "not set" in store.settings("show", "net.key") and "Nobody needs it." in store.message()


@test
def masked_without_a_value():
    """Done on a masked page without a value says so, and keeps the reason; also where somebody signed in between."""
    store = one_page(KEY)
    with Server(store, ADA) as ada, Browser.page(ada, "/o/net.key") as page:
        page.get_by_label("Why").fill("It leaked.")
        click(page, "Done")
        said(page, "Type the new value. Nothing was recorded.")
        assert page.get_by_label("Why").input_value() == "It leaked."
        page.get_by_label("New value").fill("S3CRET")
        page.context.clear_cookies()
        click(page, "Done")
        page.get_by_label("Token").fill(ada.token)
        click(page, "Sign in")
        assert "S3CRET" not in page.content()
        click(page, "Continue")
        said(page, "Type the new value. Nothing was recorded.")
        assert page.get_by_label("Why").input_value() == "It leaked."


@test
def left_out_at_done():
    """What was reviewed and can't be recorded any more stops Done once: the review says what is left out, and why."""
    for act, words in ((("remove", "sound.volume"), "Volume was removed by Marie Curie: “No more.”"),
                       (("define", "general.greeting", "--masked"), "Greeting is now masked.")):
        store = one_page()
        with Server(store, ADA) as ada, Browser.page(ada) as page:
            page.get_by_label("Language").select_option(label="French")
            page.get_by_label("Volume", exact=True).fill("60")
            page.get_by_label("Greeting", exact=True).fill("Hello")
            click(page, "Review")
            page.get_by_label("Why").fill("Paris.")
            store.settings(*act, "-m", "No more.", person=MARIE)
            head = store.head()
            with page.expect_response("**/done") as answer:
                click(page, "Done")
            assert answer.value.status == 409 and store.head() == head
            said(page, words)
            assert page.get_by_label("Why").input_value() == "Paris."
            click(page, "Done")
            recorded(page)
            assert store.get("general.language") == "fr"


@test
def conflict_left_out_at_done():
    """Of two conflicts, one was settled by somebody else since the review: Done says so, and records the other one when asked again."""
    store = one_page()
    start = store.head()
    store.settings("set", "general.language=French", "sound.volume=60", "-m", "Paris.")
    store.git("branch", "ours")
    store.git("reset", "-q", "--hard", start)
    store.settings("set", "general.language=German", "sound.volume=20", "-m", "Berlin.", person=MARIE)
    store.git("branch", "theirs")
    store.git("reset", "-q", "--hard", "ours")
    store.settings("merge", "theirs", "--keep", "--in-force", "ours", "-m", "Both.")
    with Server(store, ADA) as ada, Browser.page(ada, "/conflicts", **OFF) as page:
        page.get_by_label("German").check()
        page.locator("input[name*=volume][value=theirs]").check()
        click(page, "Review")
        page.get_by_label("Why").fill("Berlin is larger.")
        store.settings("resolve", "sound.volume", "--ours", "-m", "Loud.", person=MARIE)
        head = store.head()
        with page.expect_response("**/done") as answer:
            click(page, "Done")
        assert answer.value.status == 409 and store.head() == head
        said(page, "The conflict on Volume is no longer open.")
        assert page.get_by_label("Why").input_value() == "Berlin is larger."
        click(page, "Done")
        recorded(page)
        assert store.get("general.language") == "de" and store.get("sound.volume") == "60"


@test
def conflict_changed_since_the_review():
    """A conflict that another merge left open with other sides since the review is asked about once more."""
    from story import open_conflict
    store = open_conflict()
    with Server(store, ADA) as ada, Browser.page(ada, "/conflicts") as page:
        page.get_by_label("German").check()
        click(page, "Review")
        page.get_by_label("Why").fill("Berlin is larger.")
        merge(store, MARIE)
        head = store.head()
        with page.expect_response("**/done") as answer:
            click(page, "Done")
        assert answer.value.status == 409 and store.head() == head
        said(page, "The conflict on Language has changed since the review.")
        said(page, "Language: resolved to Spanish (Marie Curie")
        assert page.get_by_label("Why").input_value() == "Berlin is larger."
        click(page, "Done")
        recorded(page)
        assert store.get("general.language") == "es"


def merge(store, person):
    """Another merge that leaves the same option open, with other sides."""
    store.settings("resolve", "general.language", "--ours", "-m", "Paris.", person=person)
    start = store.head()
    store.settings("set", "general.language", "Spanish", "-m", "Madrid.", person=person)
    store.git("branch", "spanish")
    store.git("reset", "-q", "--hard", start)
    store.settings("set", "general.language", "English", "-m", "London.", person=person)
    store.settings("merge", "spanish", "--keep", "--in-force", "ours", "-m", "Both.", person=person)


@test
def already_beside_others():
    """What somebody else set to the same value meanwhile is said after Done, beside what was recorded."""
    store = one_page()
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        page.get_by_label("Language").select_option(label="French")
        page.get_by_label("Volume", exact=True).fill("60")
        click(page, "Review")
        store.settings("set", "sound.volume", "60", "-m", "Louder.", person=MARIE)
        click(page, "Done")
        recorded(page)
        said(page, "Volume is already 60, chosen by Marie Curie: “Louder.”")


@test
def taking_back_what_changed_since():
    """Restore and revert ask once more where somebody changed the same option since the review, and not where it was another one."""
    for act, button in (("restore", "Restore this version"), ("revert", "Revert these")):
        store = one_page()
        start = store.head()
        store.settings("set", "sound.volume", "60", "-m", "Louder.")
        with Server(store, ADA) as ada, Browser.page(ada, f"/v/{start if act == 'restore' else store.head()}") as page:
            click(page, button)
            said(page, "Volume: 60 → 40")
            page.get_by_label("Why").fill("Too loud.")
            store.settings("set", "sound.volume", "20", "-m", "Quiet.", person=MARIE)
            head = store.head()
            with page.expect_response("**/done") as answer:
                click(page, "Done")
            assert answer.value.status == 409 and store.head() == head
            said(page, "Volume has been changed in the meantime by Marie Curie: “Quiet.”")
            if act == "revert":
                said(page, "Nothing was recorded.")
                continue
            said(page, "Volume: 20 → 40")
            assert page.get_by_label("Why").input_value() == "Too loud."
            click(page, "Done")
            recorded(page)
            assert store.get("sound.volume") == "40"
    store.settings("set", "sound.volume", "60", "-m", "Louder.")
    with Server(store, ADA) as ada, Browser.page(ada, "/v/" + store.head()) as page:
        click(page, "Revert these")
        store.settings("set", "general.language", "German", "-m", "Berlin.", person=MARIE)
        click(page, "Done")
        recorded(page)
        assert store.get("general.language") == "de" and store.get("sound.volume") == "20"


@test
def bar_after_every_act():
    """Conflicts, a restored moment, a renamed group, Keep and Revert now: each says what was recorded."""
    from story import open_conflict
    store = open_conflict()
    with Server(store, ADA) as ada, Browser.page(ada, "/conflicts") as page:
        page.get_by_label("German").check()
        click(page, "Review")
        click(page, "Done")
        recorded(page)
    store = one_page()
    start = store.head()
    store.settings("set", "general.greeting", "Hello", "-m", "Friendlier.")
    with Server(store, ADA) as ada, Browser.page(ada, "/v/" + start) as page:
        click(page, "Restore this version")
        click(page, "Done")
        recorded(page)
        page.goto(ada.base + "/o/general.greeting")
        page.get_by_label("Greeting", exact=True).fill("Bonjour")
        click(page, "Review")
        store.settings("rename", "general", "common", "-m", "A better name.", person=MARIE)
        click(page, "Done")
        recorded(page)
        assert "/o/common.greeting" in page.url and store.get("common.greeting") == "Bonjour"
        store.settings("set", "sound.volume", "60", "--confirm", "10m", "-m", "A trial.")
        page.goto(ada.base + "/")
        click(page, "Confirm")
        said(page, "Confirmed: Volume: 40 → 60")
        assert page.get_by_role("button", name="Confirm").count() == 0
        store.settings("set", "sound.volume", "20", "--confirm", "10m", "-m", "A trial.")
        page.goto(ada.base + "/")
        click(page, "Revert now")
        recorded(page)
        assert store.get("sound.volume") == "60"


@test
def nothing_changed():
    """Review of a form that nobody changed says so."""
    store = one_page()
    with Server(store, ADA) as ada, Browser.page(ada, **OFF) as page:
        click(page, "Review")
        said(page, "Nothing was changed.")


@test
def read_only_at_review():
    """An option that was made read-only meanwhile is refused at Review, by its title; the rest of the form is kept."""
    store = one_page()
    with Server(store, ADA) as ada, Browser.page(ada, **OFF) as page:
        page.get_by_label("Volume", exact=True).fill("60")
        page.get_by_label("Language").select_option(label="French")
        store.settings("define", "sound.volume", "--read-only", "-m", "Fixed.", person=MARIE)
        with page.expect_response("**/review") as answer:
            click(page, "Review")
        assert answer.value.status == 422
        said(page, "Volume: It is read-only.")
        assert page.get_by_label("Language").input_value() == '"fr"'
        click(page, "Review")
        click(page, "Done")
        recorded(page)
        assert store.get("general.language") == "fr" and store.get("sound.volume") == "40"


@test
def broken_by_a_commit():
    """A commit that breaks a file is said to, in the history and on its page; the option can't be changed until that is mended."""
    store = one_page()
    (store.folder / "sound/volume.json").write_text('{"title": "Volume", "type": "number", "value": ')
    store.git("commit", "-qam", "Broken.")
    with Server(store, ADA) as ada, Browser.page(ada, "/v/" + store.head(), **OFF) as page:
        for path in ("/v/" + store.head(), "/history"):
            page.goto(ada.base + path)
            text = page.inner_text("main")
            assert "sound/volume.json cannot be read in this version" in text and "no setting" not in text, text
        page.goto(ada.base + "/o/general.greeting")
        assert page.get_by_role("button", name="Review").count() == 1
    store = one_page()
    with Server(store, ADA) as ada, Browser.page(ada, **OFF) as page:
        page.get_by_label("Volume", exact=True).fill("60")
        (store.folder / "sound/volume.json").write_text('{"title": "Volume", "type": "number", "value": ')
        store.git("commit", "-qam", "Broken.")
        until(lambda: "cannot be read" in ada.request("/o/sound.volume", cookie=ada.cookie())[2])
        with page.expect_response("**/review") as answer:
            click(page, "Review")
        assert answer.value.status == 422
        said(page, "Its file cannot be read")
        page.goto(ada.base + "/o/sound.volume")
        assert page.get_by_role("button", name="Review").count() == 0
        assert "cannot be changed until the file is fixed" in page.inner_text("main")


@test
def busy_without_a_terminal():
    """While git has the index locked, the page asks to try again, and names no file."""
    store = one_page()
    with Server(store, ADA) as ada, Browser.page(ada, **OFF) as page:
        page.get_by_label("Volume", exact=True).fill("60")
        click(page, "Review")
        (store.folder / ".git/index.lock").touch()
        page.set_default_timeout(30000)
        click(page, "Done")
        said(page, "Another program is using the store. Nothing was recorded. Try again in a moment.")
        assert "index.lock" not in page.content() and str(store.folder) not in page.content()
        (store.folder / ".git/index.lock").unlink()
        click(page, "Done")
        recorded(page)


@test
def words_of_what_stays():
    """Restoring what has the same values says what it leaves alone; masking is said in words; a reverted version says so."""
    store = one_page()
    start = store.head()
    store.settings("label", "add", "general.language", "Arabic", "-m", "Opened.")
    store.settings("define", "general.greeting", "--masked", "-m", "A secret.")
    with Server(store, ADA) as ada, Browser.page(ada, "/v/" + store.head(), **OFF) as page:
        assert "Greeting: made masked" in page.inner_text("main"), page.inner_text("main")
        page.goto(ada.base + "/v/" + start)
        click(page, "Restore this version")
        said(page, "All options already have the values of that version.")
        page.goto(ada.base + "/v/" + store.head())
        click(page, "Restore this version")
        said(page, "Nothing has changed since then.")
    store.git("checkout", "-q", "--detach")
    with Server(store, ADA) as ada, Browser.page(ada, **OFF) as page:
        page.get_by_label("Volume", exact=True).fill("60")
        click(page, "Review")
        said(page, "No branch is checked out. A version recorded now will not belong to any branch.")


@test
def text_of_another_person():
    """What somebody typed before signing out is given to nobody else who signs in, and to the same person it is."""
    store = one_page()
    users = store.folder.parent / (store.folder.name + ".users")
    tokens = [run_users(users, *person) for person in (ADA, MARIE)]
    with Server(store, ADA, "--users", str(users)) as server:
        def sign_in(page, token):
            page.get_by_label("Token").fill(token)
            click(page, "Sign in")
        for second, isKept in ((1, False), (0, True)):
            context = Browser.chromium.new_context(java_script_enabled=False)
            context.set_default_timeout(8000)
            page = context.new_page()
            page.goto(server.base + "/login")
            sign_in(page, tokens[0])
            page.get_by_label("Greeting", exact=True).fill("Dear Marie")
            click(page, "Review")
            page.get_by_label("Why").fill("A surprise.")
            context.clear_cookies()
            click(page, "Done")
            sign_in(page, tokens[second])
            assert ("A surprise." in page.content()) == isKept and ("Dear Marie" in page.content()) == isKept, page.content()
            context.close()


@test
def another_person_in_another_tab():
    """What one person filled in is not recorded as somebody else's who signed in meanwhile in another tab."""
    store = one_page()
    users = store.folder.parent / (store.folder.name + ".users")
    tokens = [run_users(users, *person) for person in (ADA, MARIE)]
    with Server(store, ADA, "--users", str(users)) as server:
        context = Browser.chromium.new_context(java_script_enabled=False)
        context.set_default_timeout(8000)
        page, other = context.new_page(), context.new_page()

        def sign_in(page, token):
            page.goto(server.base + "/login")
            page.get_by_label("Token").fill(token)
            click(page, "Sign in")
        sign_in(page, tokens[0])
        page.get_by_label("Greeting", exact=True).fill("Dear Marie")
        click(page, "Review")
        page.get_by_label("Why").fill("A surprise.")
        before = store.head()
        other.goto(server.base)
        click(other, "Sign out")
        sign_in(other, tokens[1])
        click(page, "Done")
        page.get_by_text("Ada Lovelace filled in this form, and Marie Curie is signed in now.").wait_for()
        assert store.head() == before
        # The same person again goes on with all that was typed.
        page.get_by_label("Token").fill(tokens[0])
        click(page, "Sign in")
        click(page, "Continue")
        click(page, "Done")
        assert "A surprise." in store.git("log", "-1", "--format=%an %b"), page.content()
        context.close()


def run_users(users, name, mail):
    return run(PROGRAMS / "settings-serve", "user", "add", f"{name} <{mail}>", "--users", users,
               cwd=users.parent).strip().split()[-1].rsplit("#")[-1]
