"""Many machines: servers that only read, each with a clone that `settings sync --every` keeps in step, and an HTTP cache in front."""
import contextlib
import json
import threading
import time

from examples import Example
from proxies import ARTICLE, free_port, nginx
from surroundings import ADA, FOLDER, PROGRAMS, Server, Store, run, test, until

PAIR = (("a.left", "--title", "Left", "--number", "0"), ("a.right", "--title", "Right", "--number", "0"))


class Machine:
    """A clone beside which a server reads and a sync runs."""

    def __init__(self, origin, name, stack):
        self.folder = FOLDER / name
        run(PROGRAMS / "settings", "clone", "-q", origin, self.folder, cwd=FOLDER)
        self.sync = stack.enter_context(Example(PROGRAMS / "settings", "sync", "--every", "1s", "-q", "--store", self.folder))
        self.server = stack.enter_context(Server(self, ADA, "--read-only", "-q"))
        self.seen = []

    def read(self):
        """The version, and both values, as one answer has them."""
        _, head, text = self.server.request("/api/v1/options?group=a", headers={"Authorization": f"Bearer {self.server.token}"})
        options = {option["key"]: option["effective"] for option in json.loads(text)["options"]}
        return options["a.left"], options["a.right"]


@test
def four_servers_that_follow_a_writer():
    """Each of four servers answers with what a writer recorded; none mixes two versions or goes back; away from the remote all go on."""
    origin = FOLDER / "many.git"
    run("git", "init", "-q", "--bare", "-b", "main", origin, cwd=FOLDER)
    writer = Store(*PAIR)
    writer.git("remote", "add", "origin", origin)
    writer.settings("push", "-q")
    with contextlib.ExitStack() as stack:
        machines = [Machine(origin, f"machine{number}", stack) for number in range(4)]
        isOver = threading.Event()

        def follow(machine):
            while not isOver.is_set():
                machine.seen.append(machine.read())
                time.sleep(0.05)
        readers = [threading.Thread(target=follow, args=(machine,)) for machine in machines]
        for reader in readers:
            reader.start()
        longest = 0
        try:
            for number in range(1, 6):
                writer.settings("set", "a.left", str(number), "a.right", str(-number), "-q", "-m", "Both.")
                writer.settings("push", "-q")
                pushed = time.monotonic()
                until(lambda: all(one.sync.lines() == [] and one.seen and one.seen[-1][0] == number for one in machines), 15)
                longest = max(longest, time.monotonic() - pushed)
            # The remote goes away: what was read stays.
            origin.rename(FOLDER / "away.git")
            before = [len(machine.seen) for machine in machines]
            until(lambda: all(len(machine.seen) > count + 30 for machine, count in zip(machines, before)), 15)
            (FOLDER / "away.git").rename(origin)
            writer.settings("set", "a.left", "6", "a.right", "-6", "-q", "-m", "Back.")
            writer.settings("push", "-q")
            until(lambda: all(machine.seen[-1] == (6, -6) for machine in machines), 15)
        finally:
            isOver.set()
            for reader in readers:
                reader.join()
        print(f"answered by all four at most {longest * 1000:.0f} ms after the push, synced each second", flush=True)
        for machine in machines:
            assert all(left == -right for left, right in machine.seen), "two versions in one answer"
            assert machine.seen == sorted(machine.seen), "a server went back"


@test
def nginx_as_a_cache():
    """nginx, with the article's lines, keeps answers, asks whether they are still right, and gives them to nobody else."""
    store, port, behind = Store(*PAIR), free_port(), free_port()
    text = ARTICLE.read_text().split("An HTTP cache in front")[1]
    http, server = text.split("nginx, in `http`:\n\n")[1], text.split("nginx, in `server`:\n\n")[1]
    block = [part.split("\n\n")[0] for part in (http, server)]
    assert "proxy_cache_path /var/cache/nginx/settings" in block[0] and "127.0.0.1:8080" in block[1]
    cache = FOLDER / "cache"
    with Server(store, ADA, "--listen", f"127.0.0.1:{behind}", "--url", f"https://settings.example.org:{port}", "--read-only",
                "-q") as ada, \
            nginx(block[1].replace("8080", str(behind)), port, "cached", block[0].replace("/var/cache/nginx/settings", str(cache))):
        def ask(path, *more):
            got = run("curl", "-sk", "-D-", "--resolve", f"settings.example.org:{port}:127.0.0.1", "-H",
                      f"Authorization: Bearer {ada.token}", *more, f"https://settings.example.org:{port}{path}", cwd=FOLDER)
            head, _, body = got.partition("\n\n")
            return head.lower(), body
        for path in ("/api/v1/options", "/api/v1/options/a.left"):
            first = ask(path)
            assert "x-cache: miss" in first[0], first
            assert ask(path)[1] == first[1]
            until(lambda: "x-cache: revalidated" in ask(path)[0], 4)
        store.settings("set", "a.left", "7", "-q", "-m", "News.")
        until(lambda: json.loads(ask("/api/v1/options/a.left")[1])["option"]["effective"] == 7, 3)
        bulk = ask("/ofrep/v1/evaluate/flags", "-X", "POST", "-H", "Content-Type: application/json", "-d", "{}")[1]
        assert {flag["key"]: flag["value"] for flag in json.loads(bulk)["flags"]}["a.left"] == 7
        # What one person may read is not given to somebody without a token.
        assert " 401" in run("curl", "-sk", "-D-", "--resolve", f"settings.example.org:{port}:127.0.0.1",
                             f"https://settings.example.org:{port}/api/v1/options", cwd=FOLDER).split("\n")[0]
