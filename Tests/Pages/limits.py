"""What those get who send slowly, much, or too often, and that nobody else waits for them."""
import collections
import resource
import selectors
import socket
import time

from surroundings import ADA, Server, Skipped, office, test, until


# Where a body may be sent, and what may be followed, by people and by programs.
BODIES = ("/done", "/api/v1/done", "/ofrep/v1/evaluate/flags")
STREAMS = ("/events", "/api/v1/events", "/ofrep/v1/stream")


def connect(server):
    connection = socket.create_connection(("127.0.0.1", server.port), 10)
    connection.settimeout(20)
    return connection


def head(server, line, cookie, *more):
    words = [line, f"Host: 127.0.0.1:{server.port}", f"Origin: {server.base}", f"Cookie: {cookie}", *more]
    return ("\r\n".join(words) + "\r\n\r\n").encode()


def closed_in(server, connections, byte, cookie):
    """Sends a byte a second to each. Returns after how many seconds the first and the last one was closed; others are served."""
    begin, ends = time.monotonic(), []
    left, sent = set(connections), begin
    with selectors.DefaultSelector() as selector:
        for one in connections:
            one.setblocking(False)
            selector.register(one, selectors.EVENT_READ)
        while left and time.monotonic() - begin < 45:
            for key, _ in selector.select(0.2):
                try:
                    isOver = not key.fileobj.recv(4096)
                except OSError:
                    isOver = True
                if isOver:
                    selector.unregister(key.fileobj)
                    key.fileobj.close()
                    left.discard(key.fileobj)
                    ends.append(time.monotonic() - begin)
            if time.monotonic() - sent >= 1:
                sent = time.monotonic()
                for one in left:
                    try:
                        one.send(byte)
                    except OSError:
                        pass
                assert server.request("/", cookie=cookie)[0] == 200
                assert time.monotonic() - sent < 2, "others wait for those who are slow"
    assert not left, f"{len(left)} are still open"
    return ends[0], ends[-1]


@test
def slow_heads():
    """300 connections that send their heads a byte a second are closed after 10 seconds; others are served meanwhile."""
    with Server(office(), ADA) as ada:
        cookie = ada.cookie()
        slow = [connect(ada) for _ in range(300)]
        for one in slow:
            one.sendall(b"GET / HTTP/1.1\r\nX: ")
        first, last = closed_in(ada, slow, b"x", cookie)
        assert first > 8 and last < 14, (first, last)


@test
def slow_bodies():
    """20 forms that come a byte a second are closed after 30 seconds; others are served, and nothing is recorded."""
    store = office()
    start = store.head()
    with Server(store, ADA) as ada:
        cookie = ada.cookie()
        slow = [connect(ada) for _ in range(20)]
        for number, one in enumerate(slow):
            line = f"POST {BODIES[number % 3]} HTTP/1.1"
            one.sendall(head(ada, line, cookie, "Content-Type: application/json", "Content-Length: 100000"))
        first, last = closed_in(ada, slow, b"x", cookie)
        assert first > 25 and last < 36, (first, last)
        assert store.head() == start


@test
def large_and_ambiguous_requests():
    """A form of 100 MB is refused before it is sent; a request with two lengths is none."""
    with Server(office(), ADA) as ada:
        cookie = ada.cookie()
        lengths = (["Content-Length: 104857600"], ["Transfer-Encoding: chunked"])
        for path, more in [(path, more) for path in BODIES for more in lengths]:
            one, sent, answer = connect(ada), 0, b""
            one.sendall(head(ada, f"POST {path} HTTP/1.1", cookie, "Content-Type: application/json", *more))
            piece = b"x" * 65536 if more[0].startswith("C") else b"10000\r\n" + b"x" * 65536 + b"\r\n"
            one.settimeout(0.2)
            while not answer and sent < 100 << 20:
                try:
                    one.sendall(piece)
                    sent += 65536
                except TimeoutError:
                    pass
                try:
                    answer = one.recv(4096)
                except TimeoutError:
                    pass
            assert answer.startswith(b"HTTP/1.1 413") and sent < 16 << 20, (sent, answer[:100])
            one.close()
            memory = int(open(f"/proc/{ada.process.pid}/status").read().split("VmHWM:")[1].split()[0])
            assert memory < 100_000, f"{memory} kB"
        for more in (["Content-Length: 3", "Content-Length: 4"], ["Content-Length: 3", "Transfer-Encoding: chunked"]):
            one = connect(ada)
            one.sendall(head(ada, "POST /review HTTP/1.1", cookie, *more) + b"a=b")
            assert one.recv(4096).startswith(b"HTTP/1.1 400"), more
            one.close()
        assert ada.request("/", cookie=cookie)[0] == 200


@test
def too_many_who_wait():
    """While 256 requests wait for the store, more are told to come again; those that wait are answered, and streams are not counted."""
    store = office()
    with Server(store, ADA) as ada:
        cookie = ada.cookie()
        stream = connect(ada)
        stream.sendall(head(ada, "GET /events HTTP/1.1", cookie))
        assert b"200" in stream.recv(4096).split(b"\r\n")[0]
        lock = store.folder / ".git" / "index.lock"
        lock.write_text("")
        form = f"version={store.head()}&value:general.greeting=%22Hello%22&why=x".encode()
        kind = "Content-Type: application/x-www-form-urlencoded"
        waiting = [connect(ada) for _ in range(270)]
        for one in waiting:
            one.sendall(head(ada, "POST /done HTTP/1.1", cookie, kind, f"Content-Length: {len(form)}") + form)
        begin = time.monotonic()
        status, fields, text = until(lambda: (lambda answer: answer[0] == 503 and answer)(ada.request("/", cookie=cookie)))
        assert fields["Retry-After"] == "1" and "The server is busy" in text and fields["Content-Security-Policy"]
        assert time.monotonic() - begin < 6
        lock.unlink()
        # The page that was asked for may have taken a place as well.
        statuses = collections.Counter(one.recv(4096).split(b" ")[1] for one in waiting)
        assert statuses.keys() == {b"303", b"503"} and statuses[b"303"] in (255, 256), statuses
        assert ada.request("/", cookie=cookie)[0] == 200
        assert store.git("rev-list", "--count", "HEAD").strip() == "6", "more than one Done was recorded"
        stream.close()
        for one in waiting:
            one.close()


@test
def too_many_streams():
    """2,000 pages may be open; one more is told to come again, until one of them is closed."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 3000:
        raise Skipped("fewer than 3,000 files may be open")
    resource.setrlimit(resource.RLIMIT_NOFILE, (3000, hard))
    store = office()
    with Server(store, ADA) as ada:
        cookie = ada.cookie()

        def opened(path=STREAMS[0]):
            one = connect(ada)
            one.sendall(head(ada, f"GET {path} HTTP/1.1", cookie))
            return one, int(one.recv(4096).split(b" ")[1])
        streams = [opened(STREAMS[number % 3]) for number in range(2000)]
        assert {status for _, status in streams} == {200}
        refused, status = opened()
        assert status == 503
        refused.close()
        assert ada.request("/", cookie=cookie)[0] == 200
        streams.pop()[0].close()

        def isLetIn():
            one, status = opened()
            if status == 200:
                streams.append((one, status))
            else:
                one.close()
            return status == 200
        until(isLetIn)
        store.settings("set", "general.greeting", "Hello", "-m", "News.")
        version = store.head().encode()
        begin = time.monotonic()
        for one, _ in streams:
            text = b""
            while version not in text and b"refetchEvaluation" not in text:
                text = text[-60:] + one.recv(4096)
        assert time.monotonic() - begin < 5
        for one, _ in streams:
            one.close()
        assert ada.stop() == 0
