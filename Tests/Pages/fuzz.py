"""Whatever is sent, to every address: nothing that the server has no words for, and a store that is whole afterwards."""
import http.client
import json
import os
import random
import re
import socket
import string
import urllib.parse

from surroundings import ADA, Server, office, test

KEYS = ["general.language", "sound.volume", "display.dark", "general.greeting", "net.key", "general", "sound/", "sound/volume.json",
        "/", "", ".", "a..b", "nope", "general.langage", "é", "a" * 300, ".".join("a" * 20), "CON", "x.lock", "-x", "\0", "%", "../x"]
TIMES = ["HEAD", "HEAD~1", "HEAD~99", "yesterday", "3 days ago", "2026-13-45", "2026-11-20 18:00", "99999999999999", "v1", "@{-1}",
         "HEAD^{tree}", ":/x", "-1", "main..main", "", "\u202e", "0" * 40, "f" * 41]
VALUES = [None, True, False, 0, -1, 5, 60, 60.0, 0.1, 1e300, 10 ** 400, "", "en", "fr", "x" * 5000, "\u0000", "\ud800", "\u202eabc", [], {},
          [None], {"label": "French"}, {"label": 3}, {"label": "French", "x": 1}, {"a": {"b": [1, 2]}}]
FIELDS = ["set", "unset", "why", "requestedBy", "tickets", "if", "ifVersion", "dryRun", "versions", "only", "keys", "from", "count",
          "context", "author", ""]
PARAMETERS = ["group", "at", "key", "author", "requestedBy", "ticket", "since", "until", "q", "became", "limit", "before", "from", "to",
              "flagConfigEtag", "start", "next", "done", "already", "x"]
# Each with the parameters or the members that it knows.
GETS = {"/api/v1/options": "group at", "/api/v1/options/{key}": "at", "/api/v1/diff": "from to key", "/api/v1/versions/{time}": "",
        "/api/v1/versions": "key author requestedBy ticket since until q became limit before", "/health": "", "/": "start",
        "/g/{key}": "start done", "/o/{key}": "done already", "/search": "q start", "/history": "key author ticket since until q before",
        "/news": "since", "/v/{time}": "done", "/compare": "from to", "/conflicts": "", "/login": "next", "/api/v1/{key}": "", "/{key}": ""}
POSTS = {"/api/v1/done": "set unset if why ifVersion dryRun", "/api/v1/revert": "versions only", "/api/v1/undo": "count why",
         "/api/v1/restore": "keys from", "/ofrep/v1/evaluate/flags": "context", "/ofrep/v1/evaluate/flags/{key}": "context",
         "/review": "", "/edit": "", "/done": "", "/undo": "", "/confirm": "", "/revert": "", "/restore": "", "/conflicts": "",
         "/login": "", "/ofrep/{key}": ""}
STREAMS = {"/events": "", "/api/v1/events": "since", "/ofrep/v1/stream": ""}
METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "QUERY"]
TYPES = ["application/json"] * 6 + ["application/json; charset=utf-8", "text/plain", "application/x-www-form-urlencoded", "", "x/y; a=\"b"]
HEADERS = ["If-None-Match", "If-Match", "Last-Event-ID", "Accept", "Range", "If-Modified-Since", "X-HTTP-Method-Override", "Expect"]

# What is put somewhere into a request.
BROKEN = [
    b"\r\n", b"\n", b"\0", b" ", b"\xff" * 9, b"99999999999999999999", b"\r\nContent-Length: 5\r\n", b"\r\nHost: evil.example\r\n",
    b"\r\nTransfer-Encoding: chunked\r\n", b"\r\nExpect: 100-continue\r\n", b"\r\nConnection: upgrade\r\nUpgrade: h2c\r\n"]


class Cases:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def one(self, choices):
        return self.random.choice(choices)

    def word(self):
        kind = self.random.random()
        if kind < 0.3:
            return self.one(KEYS[:5])
        if kind < 0.5:
            return self.one(KEYS)
        if kind < 0.6:
            return self.one(TIMES[:5])
        if kind < 0.85:
            return self.one(TIMES)
        return "".join(self.one(string.printable + "é日\u2028") for _ in range(self.random.randrange(12)))

    def value(self, depth=0):
        kind = self.random.random()
        if kind < 0.5 or depth > 3:
            return self.one(VALUES)
        if kind < 0.7:
            return [self.value(depth + 1) for _ in range(self.random.randrange(3))]
        if kind < 0.9:
            return {self.word(): self.value(depth + 1) for _ in range(self.random.randrange(4))}
        return self.word()

    def plausible(self, name):
        """A value of the kind that a member has, most of the time."""
        if self.random.random() < 0.1:
            return self.value()
        if name in ("set", "if") and self.random.random() < 0.6:
            return {self.one(KEYS[:4]): self.one([5, 60, "en", "fr", True, False, "Hello"])}
        if name in ("set", "if", "context"):
            return {self.word(): self.value() for _ in range(self.random.randrange(1, 3))}
        if name in ("unset", "requestedBy", "tickets", "versions", "only", "keys"):
            return [self.word() for _ in range(self.random.randrange(3))]
        return self.random.random() < 0.8 if name == "dryRun" else self.one([1, 2, 0, 10 ** 30]) if name == "count" else self.word()

    def body(self, known):
        kind = self.random.random()
        if kind < 0.1:
            return self.one([b"", b"{", b"[" * 5000, b"\xff\xfe", b"null", b"{\"set\":{\"a\":1,\"a\":2}}", b"\xef\xbb\xbf{}", b"NaN",
                             b"1e999999"])
        names = self.random.sample(known, self.random.randrange(len(known) + 1)) if known else []
        if self.random.random() < 0.4:
            names = known[:1]
        elif kind < 0.4:
            names += self.random.sample(FIELDS, self.random.randrange(3))
        text = json.dumps({name: self.plausible(name) for name in names}).encode()
        if kind < 0.3:
            piece = bytearray(text)
            for _ in range(self.random.randrange(1, 4)):
                piece[self.random.randrange(len(piece))] = self.random.randrange(256)
            text = bytes(piece)
        return text

    def form(self):
        names = ["version", "why", "back", "act", "of", "boxes", "confirm", "next", "token", "person", "masked:net.key", "unset"]
        names += [f"{kind}:{self.one(KEYS)}" for kind in ("value", "option", "only:option", "conflict")]
        fields = [(self.one(names), self.word()) for _ in range(self.random.randrange(6))]
        return urllib.parse.urlencode([(name, text.encode("utf-8", "replace")) for name, text in fields]).encode()

    def request(self):
        def quoted(text):
            if self.random.random() < 0.1:
                return self.one(["%", "%zz", "%FF%FE", "%00", "%2F..%2F"])
            return urllib.parse.quote(text.encode("utf-8", "replace"), safe="")
        method = self.one(["GET", "POST"])
        place = self.one(list(GETS if method == "GET" else POSTS))
        known = (GETS if method == "GET" else POSTS)[place].split()
        isOdd = self.random.random() < 0.3
        path = place.replace("{key}", quoted(self.one(KEYS if isOdd else KEYS[:5]))).replace(
            "{time}", quoted(self.one(TIMES if isOdd else TIMES[:2])))
        names = PARAMETERS if isOdd else known if method == "GET" else []
        fields = [f"{self.one(names)}={quoted(self.word())}" for _ in range(self.one([0, 0, 1, 1, 2, 3])) if names]
        if self.random.random() < 0.1:
            method = self.one(METHODS)
        isForm = not path.startswith(("/api", "/ofrep")) and self.random.random() < 0.8
        head = {}
        if self.random.random() < 0.3:
            head[self.one(HEADERS)] = self.one(["*", "\"x\"", "W/\"x\", y", "0" * 40, ",,", "bytes=0-1", "text/html"])
        body = None
        if method not in ("GET", "HEAD") or self.random.random() < 0.05:
            body = self.form() if isForm else self.body(known)
            head["Content-Type"] = "application/x-www-form-urlencoded" if isForm else self.one(TYPES)
        return method, path + ("?" + "&".join(fields) if fields else ""), body, head


@test
def any_request():
    """Thousands of odd requests to every address, by whoever may and whoever may not: none is answered by 500."""
    seed = int(os.environ.get("SETTINGS_SEED") or random.randrange(1 << 32))
    cases = Cases(seed)
    store = office()
    store.settings("add", "net.key", "--title", "Key", "--text", "S3CRET", "--masked")
    statuses = {}
    with Server(store, ADA) as ada:
        connection = http.client.HTTPConnection("127.0.0.1", ada.port, timeout=20)
        for number in range(int(os.environ.get("SETTINGS_CASES") or 3000)):
            method, path, body, head = cases.request()
            head.pop("Expect", None)
            isKnown = cases.random.random() < 0.9
            if isKnown:
                head["Authorization"] = f"Bearer {ada.token}"
            what = f"SETTINGS_SEED={seed}, request {number}: {method} {path[:200]} {head} {body[:300] if body else body}"
            try:
                connection.request(method, path, body, head)
                answer = connection.getresponse()
                text = answer.read().decode("utf-8", "replace")
            except (OSError, http.client.HTTPException) as error:
                raise AssertionError(f"{what}: {error!r}") from error
            statuses[answer.status] = statuses.get(answer.status, 0) + 1
            assert answer.status < 500, f"{what}: {answer.status} {text[:500]}"
            assert "S3CRET" not in text, what
            if not isKnown and path.split("?")[0] not in ("/login", "/health"):
                assert answer.status in (303, 400, 401, 403, 404), f"{what}: {answer.status}"
            kind = answer.headers["Content-Type"] or ""
            if path.startswith("/api/") and answer.status >= 400 and method != "HEAD":
                assert kind == "application/problem+json" and json.loads(text)["status"] == answer.status, f"{what}: {kind} {text}"
            if path.startswith("/ofrep/") and answer.status >= 400 and method != "HEAD":
                fault = json.loads(text)
                assert kind == "application/json" and fault["errorCode"] and fault["errorDetails"], f"{what}: {text}"
        # Enough of them were understood.
        assert statuses.get(200, 0) > 200 and statuses.get(201, 0) > 0, (seed, statuses)
        assert ada.request("/", cookie=ada.cookie())[0] == 200
        assert ada.stop() == 0
    store.git("fsck", "--strict")
    store.settings("verify")


class Bytes:
    """Requests as they are sent, with something wrong about them."""

    def __init__(self, seed, server):
        self.cases, self.random = Cases(seed), random.Random(seed)
        self.host, self.token = f"127.0.0.1:{server.port}", server.token

    def sound(self):
        method, path, body, head = self.cases.request()
        if self.random.random() < 0.1:
            method, path, body = "GET", self.random.choice(list(STREAMS)), None
        head = {"Host": self.host, "Authorization": f"Bearer {self.token}"} | head
        if body is not None and self.random.random() < 0.3:
            head["Transfer-Encoding"], body = "chunked", b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
        elif body is not None:
            head["Content-Length"] = str(len(body))
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in head.items())]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + (body or b"")

    def odd(self):
        text = bytearray(self.sound())
        for _ in range(self.random.choice([0, 0, 0, 1, 1, 2])):
            place, kind = self.random.randrange(len(text) + 1), self.random.randrange(6)
            if kind == 0 and place < len(text):
                text[place] = self.random.randrange(256)
            elif kind == 1:
                text[place:place] = self.random.choice(BROKEN)
            elif kind == 2:
                del text[place:place + self.random.randrange(1, 40)]
            elif kind == 3:
                text[place:place] = self.sound()
            elif kind == 4:
                lines = text.split(b"\r\n")
                lines.insert(self.random.randrange(1, len(lines) + 1), self.random.choice(lines))
                text = bytearray(b"\r\n".join(lines))
            else:
                del text[place:]
        return bytes(text)


@test
def any_bytes():
    """Thousands of requests with broken bytes: none is answered by 500, none ends the server or holds it up."""
    seed = int(os.environ.get("SETTINGS_SEED") or random.randrange(1 << 32))
    store = office()
    store.settings("add", "net.key", "--title", "Key", "--text", "S3CRET", "--masked")
    statuses = {}
    with Server(store, ADA, "-q") as ada:
        bytes_ = Bytes(seed, ada)
        count = int(os.environ.get("SETTINGS_CASES") or 2000)
        for number in range(count):
            text, answer = bytes_.odd(), b""
            what = f"SETTINGS_SEED={seed}, request {number}: {text[:1000]}"
            with socket.create_connection(("127.0.0.1", ada.port), 5) as connection:
                try:
                    connection.sendall(text)
                    # Nothing follows: who waits for the rest of a body, or follows a stream, is at the end.
                    connection.shutdown(socket.SHUT_WR)
                    while piece := connection.recv(1 << 16):
                        answer += piece
                except TimeoutError as error:
                    # A stream before another request goes on: the other one waits for its turn.
                    if b"text/event-stream" not in answer:
                        raise AssertionError(f"{what}: neither answered nor closed") from error
                except OSError:
                    # Closed while it was being sent.
                    pass
            for status in re.findall(rb"(?:^|\r\n\r\n|\n)HTTP/1\.1 (\d{3}) ", answer):
                statuses[int(status)] = statuses.get(int(status), 0) + 1
                assert int(status) < 500, f"{what}: {answer[:500]}"
            assert answer == b"" or answer.startswith(b"HTTP/1."), f"{what}: {answer[:500]}"
            assert b"S3CRET" not in answer, what
        assert min(statuses.get(200, 0), statuses.get(400, 0)) > count // 20, (seed, statuses)
        memory = int(open(f"/proc/{ada.process.pid}/status").read().split("VmRSS:")[1].split()[0])
        assert memory < 120_000, f"{memory} kB"
        assert ada.request("/", cookie=ada.cookie())[0] == 200
        assert ada.stop() == 0
    store.git("fsck", "--strict")
    store.settings("verify")
