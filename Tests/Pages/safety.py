"""What other sites, other names and odd requests get."""

from surroundings import ADA, Browser, Server, office, test


def form(store, **words):
    return {"version": store.head(), "value:general.greeting": '"Hello"', "back": "/"} | words


@test
def other_hosts():
    """A name that is not ours is refused, so that no page elsewhere can rebind its name to this address."""
    store = office()
    with Server(store, ADA, "--url", "http://settings.example.org") as ada:
        cookie = ada.cookie()
        for host in ("attacker.example", f"attacker.example:{ada.port}", "127.0.0.1.nip.io", "127.0.0.1:1", None, ""):
            status = ada.request("/", headers={"Host": host} if host is not None else {"Host": "x"}, cookie=cookie)[0]
            assert status in (400, 421), (host, status)
        for host in (f"127.0.0.1:{ada.port}", f"localhost:{ada.port}", f"LOCALHOST:{ada.port}", "settings.example.org"):
            assert ada.request("/", headers={"Host": host}, cookie=cookie)[0] == 200, host


@test
def other_sites():
    """Forms from other sites, with Origin null, or from nowhere are refused; nothing is recorded."""
    store = office()
    head = store.head()
    with Server(store, ADA) as ada:
        cookie = ada.cookie()
        for headers in ({"Origin": "null"}, {"Origin": "http://attacker.example"}, {"Origin": None}, {"Sec-Fetch-Site": "cross-site"},
                        {"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "none"},
                        {"Origin": f"http://127.0.0.1:{ada.port}.attacker.example"}, {"Origin": "http://127.0.0.1:1"},
                        {"Origin": ada.base.replace("http:", "https:")}):
            for path in ("/done", "/undo", "/logout", "/login"):
                status = ada.request(path, form(store), headers=headers, cookie=cookie)[0]
                assert status == 403, (headers, path, status)
        assert store.head() == head
        assert ada.request("/done", form(store), cookie=cookie)[0] == 303
        assert store.head() != head


@test
def another_site_in_a_browser():
    """A page of another site posts a form with the person's cookie: Chromium sends it, the server refuses it."""
    store = office()
    head = store.head()
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        other = page.context.new_page()
        other.route("http://attacker.example/**", lambda route: route.fulfill(content_type="text/html", body=f"""
            <form method=post action="{ada.base}/done"><input name=version value={head}>
            <input name="value:general.greeting" value='"Caught"'></form><script>document.forms[0].submit()</script>"""))
        with other.expect_response(f"{ada.base}/**") as answer:
            other.goto("http://attacker.example/")
        assert answer.value.status in (303, 403), answer.value.status
        other.wait_for_load_state()
        assert store.head() == head
        framed = page.context.new_page()
        framed.route("http://attacker.example/**", lambda route: route.fulfill(
            content_type="text/html", body=f'<iframe src="{ada.base}/"></iframe>'))
        framed.goto("http://attacker.example/")
        framed.wait_for_timeout(300)
        assert "Office display" not in "".join(frame.content() for frame in framed.frames[1:])


@test
def name_that_is_not_loopback():
    """Over plain http under a name that is not loopback, where Chromium sends no Sec-Fetch-Site, forms work."""
    store = office()
    with Server(store, ADA) as first:
        port = first.port
        first.stop()
        first.words = ("--url", f"http://settings.example.org:{port}")
        first.start(port)
        browser = Browser.launch("--host-resolver-rules=MAP settings.example.org 127.0.0.1")
        try:
            page = browser.new_page()
            page.goto(f"http://settings.example.org:{port}/login#{first.token}")
            page.wait_for_url(f"http://settings.example.org:{port}/")
            page.goto(f"http://settings.example.org:{port}/o/general.greeting")
            page.get_by_label("Greeting", exact=True).fill("Hello")
            page.get_by_role("button", name="Review").click()
            page.get_by_role("button", name="Done").click()
            page.get_by_text("Recorded:").wait_for()
            assert store.get("general.greeting") == "Hello"
        finally:
            browser.close()


@test
def who_is_not_signed_in():
    """Without a cookie, or with a false one, nothing but the sign-in is to be had; signing out ends it."""
    store = office()
    with Server(store, ADA) as ada:
        cookie = ada.cookie()
        name = cookie.split("=")[0]
        parts = cookie.split(".")
        for wrong in (None, f"{name}=x", f"{name}=alone.9999999999.{'0' * 64}", f"{parts[0]}.{int(parts[1]) + 1}.{parts[2]}"):
            for path in ("/", "/history", "/o/general.greeting", f"/v/{store.head()}", "/search?q=a", "/compare", "/conflicts"):
                status, head, text = ada.request(path, cookie=wrong)
                assert status == 303 and "/login" in head["Location"] and "Welcome" not in text, (path, status)
            for path in ("/events", f"/news?since={store.head()}"):
                status, _, text = ada.request(path, cookie=wrong)
                assert status in (303, 401) and "recorded" not in text, (path, status)
            assert ada.request("/done", form(store), cookie=wrong)[0] == 401
        assert ada.request("/login", {"token": "0" * 48})[0] == 401
        for away in ("//attacker.example/", "/\\attacker.example/", "/\t/attacker.example/", "/\n/attacker.example/",
                     "https://attacker.example/"):
            status, head, _ = ada.request("/login", {"token": ada.token, "next": away})
            assert status == 303 and head["Location"] == "/", head["Location"]
            status, head, _ = ada.request("/review", {"version": store.head(), "back": away}, cookie=cookie)
            assert status == 303 and head["Location"] == "/?unchanged=", head["Location"]
        with Browser.page(ada) as page:
            page.get_by_role("button", name="Sign out").click()
            page.goto(ada.base + "/history")
            assert "/login" in page.url
            page.get_by_label("Token").fill(ada.token)
            page.get_by_role("button", name="Sign in").click()
            page.wait_for_url("**/history")


@test
def heads_of_answers():
    """Every answer has the policy for its content, and none is kept by a cache."""
    with Server(office(), ADA) as ada:
        cookie = ada.cookie()
        for path in ("/", "/login", "/history", "/nothing", "/page.js"):
            _, head, _ = ada.request(path, cookie=cookie)
            policy = head["Content-Security-Policy"]
            assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy, path
            assert head["X-Content-Type-Options"] == "nosniff" and head["Referrer-Policy"] == "same-origin", path
            assert head["Cache-Control"] in ("no-store", "no-cache", "private, no-cache"), path


@test
def odd_forms():
    """Forms that no page of ours has are 400 with a page that says so, never git's words; too large ones are 413."""
    store = office()
    head = store.head()
    with Server(store, ADA) as ada:
        cookie = ada.cookie()
        for body in ("version=%zz", "version=a&version=b", "a=%ff", "", "version=", "version=" + "0" * 40, "version=HEAD",
                     "&".join(f"a{i}=1" for i in range(1_001)), f"version={head}&option:nothing=1", f"version={head}&option:..%2Fx=1",
                     f"version={'1' * 40}&option:general.greeting=x"):
            for path in ("/review", "/done", "/edit"):
                status, _, text = ada.request(path, body, cookie=cookie)
                assert status == 400 and "Open the page again" in text, (path, body[:50], status, text[-300:])
                for words in ("odb", "libgit2", "object not found", "fatal"):
                    assert words not in text
        assert ada.request("/review", "a=" + "x" * (1 << 20), cookie=cookie)[0] == 413
        for path in ("/revert", "/restore"):
            for body in ("of=" + "0" * 40, "of=x", ""):
                status = ada.request(path, body, cookie=cookie)[0]
                assert status in (400, 404, 422), (path, body, status)
        status, _, text = ada.request("/review", {"version": head, "option:general.greeting": "x", "back": "https://attacker.example/"},
                                      cookie=cookie)
        assert status == 200 and "attacker" not in text
        assert store.head() == head
        for path in ("/history?before=x", "/history?since=never", "/history?until=%zz", "/compare?from=nothing", "/history?key=..",
                     "/compare?from=--help", "/g/..", "/o/%00", "/g/flat?start=x", "/?start=99999999999999999999", "/news", "/news?since=x",
                     f"/news?since={'0' * 40}", "/?done=x"):
            status, _, text = ada.request(path, cookie=cookie)
            assert status < 500, (path, status, text[-300:])
