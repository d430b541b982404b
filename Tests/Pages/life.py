"""What happens beside the server: git's upkeep, resets and checkouts, other machines, signals, and a death in a Done."""
import signal
import socket
import threading
import time

from surroundings import ADA, FOLDER, MARIE, Browser, Server, Store, office, run, test, until


def form(store, value, version=None):
    return {"version": version or store.head(), "value:general.greeting": f'"{value}"', "back": "/", "why": "A reason."}


@test
def version_that_is_gone():
    """A form whose version git has dropped: 400 and a page that says what to do. The next page works."""
    store = office()
    start = store.head()
    store.settings("set", "general.greeting", "Bonjour", "-m", "For Paris.")
    gone = store.head()
    with Server(store, ADA) as ada:
        cookie = ada.cookie()
        assert "Bonjour" in ada.request("/o/general.greeting", cookie=cookie)[2]
        store.git("reset", "-q", "--hard", start)
        store.git("reflog", "expire", "--expire=now", "--all")
        store.git("gc", "-q", "--prune=now")
        until(lambda: "Welcome" in ada.request("/o/general.greeting", cookie=cookie)[2], 8)
        for path in ("/review", "/done"):
            status, _, text = ada.request(path, form(store, "Hello", gone), cookie=cookie)
            assert status == 400 and "Open the page again" in text, (path, status, text[-300:])
            assert "odb" not in text and "object" not in text
        assert ada.request(f"/v/{gone}", cookie=cookie)[0] == 404
        assert ada.request("/done", form(store, "Hello"), cookie=cookie)[0] == 303
        assert store.get("general.greeting") == "Hello"


@test
def git_beside_it():
    """git reset, checkout, commit and gc beside the server: open pages follow each, and Done goes on."""
    store = Store(("greeting", "--title", "Greeting", "--text", "Welcome"))
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        def shows(text):
            until(lambda: page.get_by_label("Greeting", exact=True).input_value() == text, 8)
        first = store.head()
        store.settings("set", "greeting", "Bonjour", "-m", "For Paris.", person=MARIE)
        shows("Bonjour")
        store.git("reset", "-q", "--hard", first)
        shows("Welcome")
        store.git("checkout", "-q", "-b", "other")
        store.settings("set", "greeting", "Hola", "-m", "For Madrid.", person=MARIE)
        shows("Hola")
        store.git("gc", "-q", "--prune=now")
        file = store.folder / "greeting.json"
        file.write_text(file.read_text().replace("Hola", "Ciao"))
        store.git("commit", "-q", "-a", "-m", "By hand", person=MARIE)
        shows("Ciao")
        store.git("checkout", "-q", "@{-1}")
        shows("Welcome")
        page.get_by_label("Greeting", exact=True).fill("Hello")
        page.get_by_role("button", name="Review").click()
        page.get_by_role("button", name="Done").click()
        page.get_by_text("Recorded:").wait_for()
        assert store.get("greeting") == "Hello"
        store.git("fsck", "--strict")


@test
def edits_by_hand():
    """A file that is edited by hand beside the server: its option can't be changed until git has it back, in new groups, too."""
    store = office()
    words = "Its file has an edit that is not recorded"
    with Server(store, ADA) as ada:
        cookie = ada.cookie()

        def is_edited(key):
            return words in ada.request(f"/o/{key}", cookie=cookie)[2]
        for _ in range(2):
            assert not is_edited("general.greeting")
            path = store.folder / "general/greeting.json"
            path.write_text(path.read_text().replace("Welcome", "Typed"))
            until(lambda: is_edited("general.greeting"), 2)
            assert not is_edited("sound.volume")
            assert ada.request("/done", form(store, "Hello"), cookie=cookie)[0] != 303
            store.git("checkout", "-q", "--", "general/greeting.json")
            until(lambda: not is_edited("general.greeting"), 2)
        store.settings("add", "network.proxy", "--title", "Proxy", "--text", "none", "-m", "For the office.")
        assert not is_edited("network.proxy")
        path = store.folder / "network/proxy.json"
        path.write_text(path.read_text().replace("none", "typed"))
        until(lambda: is_edited("network.proxy"), 2)


@test
def versions_of_another_machine():
    """`settings sync` beside the server brings versions of another machine to the open page, and takes its own there."""
    shared = FOLDER / "shared.git"
    store = office()
    run("git", "init", "-q", "--bare", "-b", store.git("branch", "--show-current").strip(), shared, cwd=FOLDER)
    store.settings("define", "general", "--style", "section", "-m", "One page.")
    store.git("remote", "add", "origin", str(shared))
    store.settings("sync")
    run("git", "clone", "-q", shared, FOLDER / "elsewhere", cwd=FOLDER)
    other = Store.__new__(Store)
    other.folder = FOLDER / "elsewhere"
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        other.settings("set", "general.greeting", "Bonjour", "-m", "For Paris.", person=MARIE)
        other.settings("sync", person=MARIE)
        page.get_by_label("Language").select_option(label="German")
        page.get_by_role("button", name="Review").click()
        page.get_by_role("button", name="Done").click()
        page.get_by_text("Recorded:").wait_for()
        store.settings("sync")
        until(lambda: page.get_by_label("Greeting").input_value() == "Bonjour")
        other.settings("sync", person=MARIE)
        assert other.get("general.language") == "de" and other.get("general.greeting") == "Bonjour"


@test
def end_with_open_streams():
    """SIGTERM with 51 open streams: each ends, the status is 0, all within 5 seconds; the page says that nobody answers."""
    store = office()
    with Server(store, ADA) as ada, Browser.page(ada) as page:
        cookie = ada.cookie()
        streams = []
        for number in range(51):
            stream = socket.create_connection(("127.0.0.1", ada.port))
            path = ("/events", "/api/v1/events", "/ofrep/v1/stream")[number % 3]
            stream.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{ada.port}\r\nCookie: {cookie}\r\n\r\n".encode())
            stream.settimeout(6)
            streams.append(stream)
        for stream in streams:
            assert b"200" in stream.recv(4096).split(b"\r\n")[0]
        port, begin = ada.port, time.monotonic()
        assert ada.stop() == 0
        took = time.monotonic() - begin
        assert took < 5, f"{took:.1f} s"
        for stream in streams:
            while stream.recv(4096):
                pass
            stream.close()
        until(lambda: "does not answer" in page.inner_text("#news"), 10)
        ada.start(port)
        until(lambda: page.inner_text("#news") == "", 15)
        store.settings("set", "general.greeting", "Hello", "-m", "News.", person=MARIE)
        until(lambda: "Marie Curie recorded Greeting" in page.inner_text("#news"), 10)


@test
def end_while_a_done_waits():
    """SIGTERM while a Done waits for the store's lock: it is awaited or refused, and nothing is half recorded."""
    store = office()
    with Server(store, ADA) as ada:
        cookie = ada.cookie()
        head, answer = store.head(), []
        lock = store.folder / ".git" / "index.lock"
        lock.write_text("")

        def done():
            try:
                answer.append(ada.request("/done", form(store, "Hello", head), cookie=cookie)[0])
            except OSError:
                answer.append(0)
        thread = threading.Thread(target=done)
        thread.start()
        time.sleep(0.5)
        ada.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        lock.unlink(missing_ok=True)
        assert ada.process.wait(timeout=12) == 0
        thread.join()
        assert (store.head() != head) == (answer[0] == 303), answer
        store.git("fsck", "--strict")
        store.settings("verify")


@test
def killed_in_a_done():
    """kill -9 in the middle of Dones, then a new start: every version that was answered is there, people stay signed in."""
    store = office()
    server = Server(store, ADA)
    with server:
        for number in range(6):
            cookie = server.cookie()
            answered = []

            def record():
                try:
                    for step in range(50):
                        value = f"Hello {number}.{step}"
                        status = server.request("/done", form(store, value), cookie=cookie)[0]
                        if status == 303:
                            answered.append(value)
                except (OSError, ConnectionError, Exception):  # noqa: BLE001 - the server is gone
                    pass
            thread = threading.Thread(target=record)
            thread.start()
            time.sleep(0.25 + 0.11 * number)
            server.stop(signal.SIGKILL)
            thread.join()
            server.start(server.port)
            assert server.request("/", cookie=cookie)[0] == 200, "signed out by a restart"
            log = store.git("log", "--format=%B")
            assert all(value in log for value in answered), answered
            assert server.request("/done", form(store, f"After {number}"), cookie=cookie)[0] == 303
            assert store.get("general.greeting") == f"After {number}"
        store.git("fsck", "--strict")
        store.settings("verify")
