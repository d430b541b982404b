"""What the tests of the page stand on: stores of their own, the programs as they are built, a browser, and the list of tests."""
import atexit
import contextlib
import http.client
import multiprocessing
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import traceback
import urllib.parse

from playwright.sync_api import Locator, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ.get("SETTINGS_PROGRAMS") or ROOT / ".build/debug")
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")

FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="settings-pages."))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
(FOLDER / "home").mkdir()

ADA, MARIE = ("Ada Lovelace", "ada@example.org"), ("Marie Curie", "marie@example.org")

TESTS = []
WORKERS = 3
# Seconds for one test, several times what the longest takes.
LIMIT = 120


class Skipped(Exception):
    """What a test needs is not installed."""


def test(function):
    """Adds a test. Its sentence is the first line of its documentation."""
    TESTS.append(function)
    return function


def surroundings(person=ADA):
    """Without the user's name, configuration and store."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LD_LIBRARY_PATH") if name in os.environ}
    return kept | {
        "HOME": str(FOLDER / "home"), "XDG_STATE_HOME": str(FOLDER / "state"), "GIT_CONFIG_GLOBAL": "/dev/null", "TZ": "UTC",
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": person[0], "GIT_AUTHOR_EMAIL": person[1], "GIT_COMMITTER_NAME": person[0],
        "GIT_COMMITTER_EMAIL": person[1],
    }


def run(*words, cwd, person=ADA, input=None, statuses=(0,)):
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=surroundings(person), input=input, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    if done.returncode not in statuses:
        raise AssertionError(f"{' '.join(map(str, words))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Store:
    """A store in a folder of its own."""

    def __init__(self, *options, title="Office display"):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="store.", dir=FOLDER))
        self.settings("init", "--title", title)
        for option in options:
            self.settings("add", *option, "-m", "The first settings.")

    def settings(self, *words, person=ADA, statuses=(0,)):
        return run(PROGRAMS / "settings", *words, cwd=self.folder, person=person, statuses=statuses)

    def git(self, *words, person=ADA):
        return run("git", *words, cwd=self.folder, person=person)

    def get(self, key):
        return self.settings("get", key).strip()

    def head(self):
        return self.git("rev-parse", "HEAD").strip()

    def message(self):
        """Who recorded the last version, and all that it says."""
        return self.git("log", "-1", "--format=%an <%ae>%n%B")


LANGUAGE = ("general.language", "--title", "Language", "--choice", "en=English", "fr=French", "es=Spanish", "de=German")
VOLUME = ("sound.volume", "--title", "Volume", "--number", "40", "--range", "0..100:5")
DARK = ("display.dark", "--title", "Dark mode", "--switch")
GREETING = ("general.greeting", "--title", "Greeting", "--text", "Welcome")


def office():
    return Store(LANGUAGE, VOLUME, DARK, GREETING)


class Server:
    """`settings-serve` on a store, in the name of a person."""

    def __init__(self, store, person=ADA, *words):
        self.store, self.person, self.words = store, person, words
        self.start()

    def start(self, port=0):
        if not port and "--url" in self.words:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
        self.errors = tempfile.TemporaryFile("w+", dir=FOLDER)
        # The last --listen counts.
        self.process = subprocess.Popen(
            [PROGRAMS / "settings-serve", "--listen", f"127.0.0.1:{port}", "--store", self.store.folder, *self.words],
            env=surroundings(self.person), stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            self.errors.seek(0)
            raise AssertionError(f"settings-serve did not start: {self.errors.read()}")
        # With --url, the address is how others reach it.
        self.port = port or int(self.address.split("/login")[0].rstrip("/").rsplit(":", 1)[1])
        self.base = f"http://127.0.0.1:{self.port}"
        # With --users or behind a proxy, there is none.
        self.token = self.address.partition("#")[2]

    def stop(self, signal=signal.SIGTERM, wait=8):
        if self.process.poll() is None:
            self.process.send_signal(signal)
        status = self.process.wait(timeout=wait)
        self.process.stdout.close()
        self.errors.close()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def request(self, path, form=None, method=None, headers=(), cookie=None):
        """What a program that is no browser gets: the status, the head, the text."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        head = {"Host": f"127.0.0.1:{self.port}"}
        body = None
        if form is not None:
            body = form if isinstance(form, (bytes, str)) else urllib.parse.urlencode(form)
            head |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.base}
        if cookie:
            head["Cookie"] = cookie
        head |= dict(headers)
        connection.request(method or ("GET" if form is None else "POST"), path, body,
                           {name: value for name, value in head.items() if value is not None})
        answer = connection.getresponse()
        text = answer.read().decode("utf-8", "replace")
        connection.close()
        return answer.status, answer.headers, text

    def cookie(self):
        status, head, _ = self.request("/login", {"token": self.token, "next": "/"})
        assert status == 303, status
        return head["Set-Cookie"].split(";")[0]


def leading(act):
    """The act of a person, over when the page that it leads to is whole: with its style sheet, and to its last row."""
    def act_and_wait(locator, *words, **others):
        act(locator, *words, **others)
        locator.page.wait_for_load_state()
    return act_and_wait


Locator.click, Locator.press = leading(Locator.click), leading(Locator.press)


class Browser:
    """Chromium, started once."""

    @classmethod
    def start(cls):
        cls.playwright = sync_playwright().start()
        cls.chromium = cls.launch()

    @classmethod
    def launch(cls, *words, keepsPages=False):
        """`keepsPages`: pages that one goes back to are as they were left, as people's browsers have it."""
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        left = ["--disable-back-forward-cache"] if keepsPages else []
        return cls.playwright.chromium.launch(executable_path=CHROMIUM, args=[*words, *sandbox], ignore_default_args=left)

    @classmethod
    @contextlib.contextmanager
    def page(cls, server, path="/", **words):
        """A signed-in page, in a profile of its own. What its scripts and its policy complain about fails the test."""
        complaints = []
        context = cls.chromium.new_context(**({"viewport": {"width": 900, "height": 800}} | words))
        try:
            context.set_default_timeout(8000)
            page = context.new_page()
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("console", lambda line: complaints.append(line.text) if "Content Security Policy" in line.text else None)
            if words.get("java_script_enabled", True):
                page.goto(server.address)
                page.wait_for_url(server.base + "/")
            else:
                page.goto(server.base + "/login")
                page.get_by_label("Token").fill(server.token)
                page.get_by_role("button", name="Sign in").click()
            if path != "/":
                page.goto(server.base + path)
            yield page
        finally:
            context.close()
        assert not complaints, complaints


def until(what, seconds=6):
    """Waits until something is so."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("it did not come to that in time")


def end_browsers(*_):
    """Ends each browser of this process, so that what waits for one fails: a key or a script waits without a limit."""
    def children(process):
        return subprocess.run(["pgrep", "-P", str(process)], stdout=subprocess.PIPE, text=True).stdout.split()

    for driver in children(os.getpid()):
        for browser in children(driver):
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(browser), signal.SIGKILL)


def attempt(number):
    """Runs a test in one of the processes, each of which has a browser."""
    if not hasattr(Browser, "chromium"):
        Browser.start()
    elif not Browser.chromium.is_connected():
        Browser.chromium = Browser.launch()
    start = time.monotonic()
    signal.signal(signal.SIGALRM, end_browsers)
    signal.alarm(LIMIT)
    try:
        TESTS[number]()
        words = None
    except Skipped as reason:
        return number, time.monotonic() - start, f"skipped: {reason}"
    except Exception as error:  # noqa: BLE001 - what it is fails the test
        words = "".join(traceback.format_exception(error)[-3:])
        if not Browser.chromium.is_connected():
            words = f"after {time.monotonic() - start:.0f} s, of {LIMIT}, its browser was gone:\n{words[:3000]}"
    finally:
        signal.alarm(0)
    return number, time.monotonic() - start, words


def main(words):
    chosen = [number for number, one in enumerate(TESTS)
              if not words or any(re.search(word, one.__name__) for word in words)]
    begin = time.monotonic()
    failed, skipped = [], 0
    # Most of them wait for the browser, which waits for the server.
    with multiprocessing.get_context("fork").Pool(min(WORKERS, len(chosen) or 1)) as pool:
        for number, seconds, error in pool.imap_unordered(attempt, chosen, chunksize=1):
            one = TESTS[number]
            sentence = one.__doc__.strip().split("\n")[0]
            isSkipped = error is not None and error.startswith("skipped: ")
            if isSkipped:
                skipped += 1
                sentence, error = error, None
            state = "FAILED" if error else "------" if isSkipped else "passed"
            print(f"{state} {seconds:5.1f} s  {one.__name__}: {sentence}", flush=True)
            if error:
                failed.append((one.__name__, error))
    for name, error in failed:
        print(f"\n{name}\n{error}")
    words = f", {skipped} skipped" if skipped else ""
    print(f"{len(chosen) - len(failed) - skipped} of {len(chosen)} tests of the page passed{words} in {time.monotonic() - begin:.0f} s")
    return 1 if failed or not chosen else 0
