"""The examples of `Tests/Examples`, as their readers run them: somebody changes a value, and the program follows."""
import contextlib
import os
import signal
import subprocess
import sys
import urllib.request

from proxies import free_port
from surroundings import ADA, FOLDER, PROGRAMS, ROOT, Server, Skipped, office, run, surroundings, test, until

EXAMPLES = ROOT / "Tests/Examples"


class Example:
    """An example, while it runs."""

    def __init__(self, *words, **more):
        self.text = b""
        self.process = subprocess.Popen(
            [str(word) for word in words], env=surroundings() | more, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True)
        os.set_blocking(self.process.stdout.fileno(), False)

    def lines(self):
        self.text += self.process.stdout.read() or b""
        assert self.process.poll() is None, f"it ended: {self.text.decode()}"
        return self.text.decode().split("\n")[:-1]

    def prints(self, end):
        until(lambda: any(line.endswith(end) for line in self.lines()), 10)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # Also what a script has started.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(8)
        self.process.stdout.close()


def page(port):
    def text():
        with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as answer:
            return answer.read().decode()
    return text


@test
def shell_script_with_curl():
    """follow.sh prints a value and what it becomes, not what others become; also what it became while the server was away."""
    store = office()
    users = FOLDER / f"{store.folder.name}.users"
    token = run(PROGRAMS / "settings-serve", "user", "add", "Display <display@example.org>", "--role", "read", "--users", users,
                cwd=FOLDER).splitlines()[-1]
    with Server(store, ADA, "--users", users) as ada, \
            Example(EXAMPLES / "follow.sh", "sound.volume", SETTINGS_URL=ada.base, SETTINGS_TOKEN=token) as script:
        script.prints("40")
        store.settings("set", "general.greeting", "Bonjour", "-m", "None of its business.")
        store.settings("set", "sound.volume", "60", "-m", "Louder.")
        script.prints("60")
        ada.stop()
        store.settings("set", "sound.volume", "65", "-m", "While it was away.")
        ada.start(ada.port)
        script.prints("65")
        assert [line for line in script.lines() if line.isdigit()] == ["40", "60", "65"], script.text


@test
def python_service_with_openfeature():
    """welcome.py greets as the store says, at the next request after somebody changed it."""
    store, port = office(), free_port()
    with Server(store, ADA) as ada, \
            Example(sys.executable, EXAMPLES / "welcome.py", port, SETTINGS_URL=ada.base, SETTINGS_TOKEN=ada.token):
        text = page(port)
        until(lambda: text() == "Welcome (light)\n", 15)
        store.settings("set", "general.greeting", "Bonjour", "display.dark", "on", "-m", "Paris, by night.")
        until(lambda: text() == "Bonjour (dark)\n")
        ada.stop()
        assert text() == "Hello (light)\n", "the defaults count where the server is away"


@test
def swift_server_with_swift_configuration():
    """shop answers with the store's value, tells what it watches, and gives a variable of its environment precedence."""
    if not (PROGRAMS / "shop").exists():
        raise Skipped("the example is not built: SETTINGS_SERVER=1 swift build --product shop")
    store, port = office(), free_port()
    with Example(PROGRAMS / "shop", store.folder, port):
        text = page(port)
        until(lambda: text() == "Welcome\n", 15)
        store.settings("set", "general.greeting", "Bonjour", "-m", "For Paris.")
        until(lambda: text() == "Bonjour\n")
    with Example(PROGRAMS / "shop", store.folder, port, GENERAL_GREETING="From outside") as shop:
        until(lambda: page(port)() == "From outside\n", 15)
        store.settings("set", "sound.volume", "60", "-m", "Louder.")
        shop.prints("The volume is 60 now.")
