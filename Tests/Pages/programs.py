"""What programs get: OpenFeature's own client, streams of versions and of flags, and what many who write at once leave behind."""
import json
import http.client
import select
import socket
import subprocess
import threading
import time

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext
from openfeature.flag_evaluation import ErrorCode, Reason

from surroundings import ADA, GREETING, LANGUAGE, MARIE, PROGRAMS, VOLUME, Server, Store, office, surroundings, test, until

# Flags of flagd's own tests, whose values its scenarios name.
FLAGS = {
    "boolean-flag": ({"on": True, "off": False}, "on"), "string-flag": ({"greeting": "hi", "parting": "bye"}, "greeting"),
    "integer-flag": ({"one": 1, "ten": 10}, "ten"), "float-flag": ({"tenth": 0.1, "half": 0.5}, "half"),
    "boolean-zero-flag": ({"zero": False, "non-zero": True}, "zero"), "string-zero-flag": ({"zero": "", "non-zero": "str"}, "zero"),
    "integer-zero-flag": ({"zero": 0, "non-zero": 1}, "zero"), "float-zero-flag": ({"zero": 0.0, "non-zero": 1.0}, "zero"),
    "wrong-flag": ({"one": "uno", "two": "dos"}, "one"), "null-default-flag": ({"on": True, "off": False}, None),
    "undefined-default-flag": ({"small": 10, "big": 1000}, None), "metadata-flag": ({"true": True, "false": False}, "false"),
}
DISABLED = {"disabled-flag": ({"on": True, "off": False}, "on"), "disabled-string-flag": ({"greeting": "hi", "parting": "bye"}, "greeting")}
METADATA = {"string": "a", "integer": 1, "float": 1.2, "boolean": True}


def token(server):
    return {"Authorization": f"Bearer {server.token}"}


def send(server, path, body=None, headers=(), method=None):
    """The status, the head, and the JSON that a program gets."""
    head = token(server) | ({"Content-Type": "application/json"} if body is not None else {}) | dict(headers)
    # Nothing that a browser adds.
    head["Origin"] = None
    text = body if body is None or isinstance(body, (str, bytes)) else json.dumps(body)
    status, fields, answer = server.request(path, text, method, head)
    return status, fields, json.loads(answer) if answer.strip() else None


def client(server):
    api.set_provider(OFREPProvider(server.base, headers_factory=lambda: token(server)))
    return api.get_client()


class Stream:
    """A stream of events, read as a browser's EventSource does it."""

    def __init__(self, server, path, last=None):
        self.socket = socket.create_connection(("127.0.0.1", server.port), 10)
        more = f"Last-Event-ID: {last}\r\n" if last else ""
        head = f"Host: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\n{more}"
        self.socket.sendall(f"GET {path} HTTP/1.1\r\n{head}\r\n".encode())
        self.text, self.id, self.events = b"", last, []
        until(lambda: self.read(0.1) and b"\r\n\r\n" in self.text)
        self.head, self.text = self.text.split(b"\r\n\r\n", 1)
        self.status = int(self.head.split()[1])
        self.chunks, self.lines = b"", {}

    def read(self, seconds):
        if not select.select([self.socket], [], [], seconds)[0]:
            return bool(self.text)
        piece = self.socket.recv(1 << 16)
        self.text += piece
        return bool(piece or self.text)

    def look(self, seconds=0.0):
        """Takes what has come: pairs of the id that was valid then and the data."""
        self.read(seconds)
        while b"\r\n" in self.text:
            size, rest = self.text.split(b"\r\n", 1)
            length = int(size, 16)
            if len(rest) < length + 2:
                break
            self.chunks += rest[:length]
            self.text = rest[length + 2:]
        while b"\n\n" in self.chunks:
            block, self.chunks = self.chunks.split(b"\n\n", 1)
            data = []
            for line in block.decode().split("\n"):
                name, _, value = line.partition(": ")
                if name == "id":
                    self.id = value
                elif name == "data":
                    data.append(value)
            if data:
                self.events.append((self.id, json.loads("\n".join(data))))
        return self.events

    def close(self):
        self.socket.close()


@test
def values_of_flags():
    """OpenFeature's client gets flagd's values, its zero values with their types, metadata and errors, whatever its context is."""
    store = Store()
    flags = {"flags": {
        name: {"state": "DISABLED" if name in DISABLED else "ENABLED", "variants": variants, "defaultVariant": chosen}
        | ({"metadata": METADATA} if name == "metadata-flag" else {}) for name, (variants, chosen) in (FLAGS | DISABLED).items()}}
    path = store.folder.parent / f"{store.folder.name}.flagd.json"
    path.write_text(json.dumps(flags))
    store.settings("import", str(path), "--format", "flagd", "-m", "From flagd.")
    store.settings("add", "secret", "--title", "Secret", "--text", "S3CRET", "--masked")
    store.settings("add", "ratio", "--title", "Ratio", "--number", "0.5", "--range", "0..1:0.25")
    store.settings("add", "shape", "--title", "Shape", "--data", '{"sides": [1, 2.5, null], "name": "x"}')
    store.settings("add", "nothing", "--title", "Nothing", "--text", "x")
    store.settings("unset", "nothing")
    with Server(store, ADA) as ada:
        flags = client(ada)
        reads = {bool: flags.get_boolean_details, str: flags.get_string_details, int: flags.get_integer_details,
                 float: flags.get_float_details, dict: flags.get_object_details}

        def check(key, default, value, reason=Reason.STATIC, error=None, context=None):
            found = reads[type(default)](key, default, context)
            assert (found.value, type(found.value)) == (value, type(value)), (key, found)
            assert (found.reason, found.error_code) == (reason, error), (key, found)
            return found
        for key, default, value in [
            ("boolean-flag", False, True), ("string-flag", "bye", "hi"), ("integer-flag", 1, 10), ("float-flag", 0.1, 0.5),
            ("boolean-zero-flag", True, False), ("string-zero-flag", "hi", ""), ("integer-zero-flag", 1, 0),
            ("float-zero-flag", 0.1, 0.0),
        ]:
            check(key, default, value)
        for context in [EvaluationContext("5c3d8535"), EvaluationContext(attributes={"email": "ballmer@none.com", "age": 29}),
                        EvaluationContext("", {"nested": {"a": [None, 1.5]}, "empty": ""})]:
            check("boolean-zero-flag", True, False, context=context)
        found = check("metadata-flag", True, False)
        assert METADATA.items() <= found.flag_metadata.items() and found.flag_metadata["changedBy"] == ADA[0], found
        assert check("string-flag", "bye", "hi").flag_metadata["label"] == "greeting"
        check("null-default-flag", True, True, Reason.UNKNOWN)
        check("undefined-default-flag", 100, 100, Reason.UNKNOWN)
        # As flagd has it: the program's own default, which is no error.
        check("disabled-flag", False, False, Reason.DISABLED)
        check("disabled-string-flag", "code", "code", Reason.DISABLED)
        check("nothing", "code", "code", Reason.UNKNOWN)
        check("shape", {}, {"sides": [1, 2.5, None], "name": "x"})
        check("no-such-flag", 3, 3, Reason.ERROR, ErrorCode.FLAG_NOT_FOUND)
        check("wrong-flag", 3, 3, Reason.ERROR, ErrorCode.TYPE_MISMATCH)
        check("secret", "code", "code", Reason.ERROR, ErrorCode.GENERAL)
        # A number that may have a fraction has one always.
        for word in ("0.25", "1", "0"):
            store.settings("set", "ratio", word)
            until(lambda: reads[float]("ratio", 0.1).value == float(word))
            check("ratio", 0.1, float(word))
        # A file that can't be read is an error of that flag alone.
        (store.folder / "string-flag.json").write_text("{")
        store.git("commit", "-q", "-a", "-m", "By hand")
        until(lambda: reads[str]("string-flag", "code").error_code == ErrorCode.PARSE_ERROR)
        check("integer-flag", 1, 10)
        store.git("revert", "--no-edit", "HEAD")
        until(lambda: reads[str]("string-flag", "code").value == "hi")


@test
def all_flags():
    """All flags at once: each as it is alone, without what is masked; 304 for a known tag, never where a newer one was told."""
    store = office()
    store.settings("add", "net.key", "--title", "Key", "--text", "S3CRET", "--masked")
    path = "/ofrep/v1/evaluate/flags"
    with Server(store, ADA) as ada:
        status, head, flags = send(ada, path, {"context": {"targetingKey": "x"}})
        assert status == 200 and head["Cache-Control"] == "no-cache"
        assert [flag["key"] for flag in flags["flags"]] == ["display.dark", "general.greeting", "general.language", "sound.volume"]
        assert flags["eventStreams"] == [{"type": "sse", "endpoint": {"requestUri": "/ofrep/v1/stream"}}]
        for flag in flags["flags"]:
            assert send(ada, f"{path}/{flag['key']}", {})[2] == flag
            assert flag["reason"] == "STATIC" and flag["variant"] and all(
                isinstance(value, (str, bool, int, float)) for value in flag["metadata"].values())
        tag = head["ETag"]
        assert tag.startswith('"') and tag.endswith('"')
        for body in ("", "{}", '{"context": null}', "[]", '{"context": {"targetingKey": 3, "x": [{}]}}'):
            assert send(ada, path, body)[0] == 200, body
            assert send(ada, path, body, {"If-None-Match": tag})[0] == 304, body
        status, _, fault = send(ada, path, "{")
        assert status == 400 and fault["errorCode"] == "PARSE_ERROR" and fault["errorDetails"], fault
        word = tag.strip('"')
        for told, status in ((word, 304), (f"%22{word}%22", 304), ("0123", 200), ("%220123%22", 200)):
            answer = send(ada, f"{path}?flagConfigEtag={told}&flagConfigLastModified=1771622898", {}, {"If-None-Match": tag})
            assert answer[0] == status, (told, answer)
        store.settings("set", "sound.volume", "60", "-m", "Loud.")
        until(lambda: send(ada, path, {}, {"If-None-Match": tag})[0] == 200)
        status, head, flags = send(ada, path, {})
        assert status == 200 and head["ETag"] != tag
        volume = [flag for flag in flags["flags"] if flag["key"] == "sound.volume"][0]
        assert volume["value"] == 60 and volume["metadata"]["version"] == store.head()
        # Whoever had chosen it before is named again.
        store.settings("undo")
        until(lambda: send(ada, path, {})[1]["ETag"] == tag)
        # The same value of another person is another answer.
        store.settings("set", "sound.volume", "60", "-m", "Loud.")
        store.settings("set", "sound.volume", "40", "-m", "Quiet.", person=MARIE)
        until(lambda: MARIE[0] in str(send(ada, path, {})[2]))
        status, head, flags = send(ada, path, {})
        volume = [flag for flag in flags["flags"] if flag["key"] == "sound.volume"][0]
        assert head["ETag"] != tag and volume["value"] == 40 and volume["metadata"]["changedBy"] == MARIE[0]
        # A group with a new name, an option that is gone, another branch.
        store.settings("rename", "sound/", "audio/")
        store.settings("remove", "display.dark")
        keys = ["audio.volume", "general.greeting", "general.language"]
        until(lambda: [flag["key"] for flag in send(ada, path, {})[2]["flags"]] == keys)
        assert send(ada, f"{path}/sound.volume", {})[2]["errorCode"] == "FLAG_NOT_FOUND"
        store.git("checkout", "-q", "HEAD~6")
        until(lambda: send(ada, path, {})[1]["ETag"] == tag)


@test
def stream_of_flags():
    """Whoever follows flags is told once of a burst, by the tag that the answer has then; of nothing that changes no flag."""
    store = office()
    with Server(store, ADA) as ada:
        stream = Stream(ada, "/ofrep/v1/stream")
        assert stream.status == 200 and b"text/event-stream" in stream.head
        tag = send(ada, "/ofrep/v1/evaluate/flags", {})[1]["ETag"]
        until(lambda: stream.look(0.1) or stream.id == tag.strip('"'))
        # As fast as programs can be.
        writers = [threading.Thread(target=send, args=(ada, "/api/v1/done", {"set": {"sound.volume": 5 * number}}))
                   for number in range(10)]
        for one in writers:
            one.start()
        for one in writers:
            one.join()
        until(lambda: stream.look(0.1))
        time.sleep(0.5)
        tag = send(ada, "/ofrep/v1/evaluate/flags", {})[1]["ETag"]
        events = stream.look()
        assert len(events) < 8 and events[-1][0] == tag.strip('"'), events
        data = events[-1][1]
        assert data["type"] == "refetchEvaluation" and data["etag"] == tag, data
        assert data["lastModified"] == int(store.git("log", "-1", "--format=%ct")), data
        count = len(events)
        store.settings("define", "sound.volume", "--help-text", "How loud.")
        time.sleep(0.5)
        assert len(stream.look()) == count
        # Whoever was cut off and missed something is told at once, and nobody else.
        again = Stream(ada, "/ofrep/v1/stream", "0123")
        until(lambda: again.look(0.1))
        assert [event[1]["etag"] for event in again.look()] == [tag]
        same = Stream(ada, "/ofrep/v1/stream", tag.strip('"'))
        same.look(0.5)
        assert same.events == []
        for one in (stream, again, same):
            one.close()


@test
def each_version_once():
    """Programs that write, a stream that breaks again and again, another that is slow: each version once, in order, as watch has it."""
    store = Store(LANGUAGE, VOLUME, GREETING)
    start = store.head()
    with Server(store, ADA) as ada:
        whole, broken, slow = (Stream(ada, "/api/v1/events") for _ in range(3))
        until(lambda: whole.look(0.1) is not None and whole.id == start)

        def write(person, number):
            for step in range(25):
                if number % 2:
                    store.settings("set", "general.greeting", f"{number}.{step}", person=person)
                else:
                    status = send(ada, "/api/v1/done", {"set": {"general.greeting": f"{number}.{step}"}})[0]
                    assert status == 201, status
        writers = [threading.Thread(target=write, args=(person, number)) for number, person in enumerate((ADA, MARIE, ADA, MARIE))]
        for one in writers:
            one.start()
        seen = []
        while any(one.is_alive() for one in writers):
            broken.look(0.02)
            whole.look()
            if broken.events:
                seen += broken.events
                last = broken.id
                broken.close()
                broken = Stream(ada, "/api/v1/events", last)
        for one in writers:
            one.join()
        wanted = store.git("rev-list", "--reverse", f"{start}..HEAD").split()
        assert len(wanted) == 100

        def ids(events):
            return [event["id"] for _, event in events if event["event"] == "version"]
        until(lambda: len(ids(whole.look(0.1))) >= 100, 15)
        until(lambda: broken.look(0.1) is not None and len(ids(seen + broken.events)) >= 100, 15)
        until(lambda: len(ids(slow.look(0.1))) >= 100, 15)
        assert ids(whole.events) == wanted and ids(seen + broken.events) == wanted and ids(slow.events) == wanted
        assert [id for id, _ in whole.events] == wanted
        since = Stream(ada, f"/api/v1/events?since={start}")
        until(lambda: len(since.look(0.1)) >= 100, 15)
        watched = subprocess.run(
            [PROGRAMS / "settings", "watch", "--jsonl", "--since", start, "--bookmark", "0", "--once"], cwd=store.folder,
            env=surroundings(), stdout=subprocess.PIPE, text=True, timeout=20).stdout
        assert since.events[0][1] == json.loads(watched.split("\n")[0])
        assert ids(since.events) == wanted
        for one in (whole, broken, slow, since):
            one.close()


@test
def beside_git():
    """Streams beside git gc, reset, checkout and commits of plain git: what a version does not build on is told as such."""
    store = office()
    with Server(store, ADA) as ada:
        stream = Stream(ada, "/api/v1/events")

        def told(count):
            until(lambda: len(stream.look(0.1)) >= count, 10)
            return stream.events[-1][1]
        first = store.head()
        store.settings("set", "sound.volume", "60", "-m", "Loud.")
        gone = store.head()
        assert told(1)["why"] == "Loud."
        store.git("gc", "-q", "--prune=now")
        file = store.folder / "sound/volume.json"
        file.write_text(file.read_text().replace("60", "65"))
        store.git("commit", "-q", "-a", "-m", "By hand", person=MARIE)
        assert told(2)["author"]["name"] == MARIE[0]
        store.git("reset", "-q", "--hard", first)
        event = told(3)
        assert (event["event"], event["from"] != event["to"], event["to"]) == ("rewritten", True, first), event
        assert [change["after"] for change in event["changes"]] == [40]
        store.git("checkout", "-q", "-b", "other")
        store.settings("set", "sound.volume", "20")
        assert told(4)["changes"][0]["after"] == 20
        stream.look(0.3)
        assert len(stream.events) == 4
        # A version that git has dropped can't be followed from.
        store.git("reflog", "expire", "--expire=now", "--all")
        store.git("gc", "-q", "--prune=now")

        def isGone():
            status, head, fault = send(ada, f"/api/v1/events?since={gone}")
            return status == 410 and head["Content-Type"] == "application/problem+json" and fault["exitStatus"] == 66
        assert isGone()
        assert send(ada, "/api/v1/events", headers={"Last-Event-ID": gone})[0] == 410
        assert send(ada, "/api/v1/events?since=yesterday")[0] == 400
        assert send(ada, f"/api/v1/done", {"set": {"sound.volume": 5}, "ifVersion": gone})[0] == 412
        stream.close()


@test
def many_followers():
    """400 programs that follow versions know of one within a moment; those of a person who is removed end at once."""
    store = office()
    users = store.folder.parent / f"{store.folder.name}.users"
    tokens = {}
    for person in (ADA, MARIE):
        words = [PROGRAMS / "settings-serve", "user", "add", f"{person[0]} <{person[1]}>", "--users", users]
        tokens[person] = subprocess.run(words, env=surroundings(), stdout=subprocess.PIPE, text=True).stdout.split()[-1]
    with Server(store, ADA, "--users", users) as ada:
        streams = {}
        for number in range(400):
            person = (ADA, MARIE)[number % 2]
            ada.token = tokens[person]
            streams.setdefault(person, []).append(Stream(ada, "/api/v1/events"))
        store.settings("set", "sound.volume", "60")
        begin = time.monotonic()
        for one in streams[ADA] + streams[MARIE]:
            until(lambda: one.look(0.05))
        assert time.monotonic() - begin < 2, "it took long"
        subprocess.run([PROGRAMS / "settings-serve", "user", "remove", MARIE[1], "--users", users], env=surroundings(),
                       check=True, stderr=subprocess.DEVNULL)
        for one in streams[MARIE]:
            one.socket.settimeout(5)
            while one.socket.recv(4096):
                pass
        ada.token = tokens[MARIE]
        assert send(ada, "/api/v1/options")[0] == 401
        ada.token = tokens[ADA]
        store.settings("set", "sound.volume", "65")
        for one in streams[ADA]:
            until(lambda: len(one.look(0.05)) == 2)
        # Who has written is said of each version: the person whose token it is.
        assert send(ada, "/api/v1/done", {"set": {"sound.volume": 5}})[2]["version"]["author"]["email"] == ADA[1]
        assert ada.stop() == 0
