"""OpenFeature's clients that can't be installed from PyPI: the checks that they make of each answer, as strict as theirs.

JavaScript's `@openfeature/ofrep-core` and `ofrep-web-provider` look at the status, the type and the members; what they don't expect, they
throw away. Swift's `swift-ofrep` is generated from the protocol's schema: a member of another type, or a missing one, fails the request.
"""
import json
import re
import urllib.parse

from surroundings import ADA, GREETING, LANGUAGE, VOLUME, Server, Store, test, until

FLAGS = "/ofrep/v1/evaluate/flags"
CODES = {"PARSE_ERROR", "TARGETING_KEY_MISSING", "INVALID_CONTEXT", "GENERAL"}


class Unexpected(Exception):
    """What the client throws where an answer has another form."""


class JavaScript:
    """`fetch` sends a text as text/plain unless it is told otherwise, and the key of a flag as it is."""

    def __init__(self, server):
        self.server, self.tag = server, None

    def post(self, path, body, headers=()):
        head = {"Authorization": f"Bearer {self.server.token}", "Content-Type": "text/plain;charset=UTF-8", "Origin": None} | dict(headers)
        status, fields, text = self.server.request(path, body, "POST", head)
        if status in (401, 403, 429):
            return status, fields, None
        if status == 200 and not re.search(r"application/[^+]*[+]?(json);?.*", fields["Content-Type"] or "", re.I):
            raise Unexpected(fields["Content-Type"])
        try:
            return status, fields, json.loads(text)
        except ValueError:
            return status, fields, None

    def one(self, key, context=None):
        status, _, body = self.post(f"{FLAGS}/{key}", json.dumps({"context": context} if context else {}))
        if status in (401, 403):
            return "refused"
        # Since OFREP 0.3.0, an answer may leave the value to the program.
        if status == 200 and isinstance(body, dict) and ("value" in body or body["reason"] in ("UNKNOWN", "DISABLED", "DEFAULT")):
            return body
        if status in (400, 404, 500) and isinstance(body, dict) and isinstance(body.get("key"), str) \
                and isinstance(body.get("errorCode"), str):
            return body["errorCode"]
        raise Unexpected((status, body))

    def all(self, told=()):
        query = "?" + urllib.parse.urlencode(told) if told else ""
        status, fields, body = self.post(FLAGS + query, "{}", {"If-None-Match": self.tag} if self.tag else {})
        if status == 304:
            return None
        if status != 200 or not isinstance(body.get("flags"), list):
            raise Unexpected((status, body))
        self.tag = fields["ETag"]
        # One entry says for all where changes are told: an address, or what follows the origin of the server.
        self.streams = [
            one.get("url") or urllib.parse.urljoin(one["endpoint"].get("origin") or self.server.base, one["endpoint"]["requestUri"])
            for one in body["eventStreams"] if one["type"] == "sse"]
        return {one["key"]: one for one in body["flags"]}


class Swift:
    """Every member as the schema has it, and `Accept: application/json`."""

    def __init__(self, server):
        self.server = server

    def post(self, path, body, headers=()):
        head = {"Authorization": f"Bearer {self.server.token}", "Content-Type": "application/json; charset=utf-8",
                "Accept": "application/json", "Origin": None} | dict(headers)
        status, fields, text = self.server.request(path, json.dumps(body), "POST", head)
        if status in (304, 401, 403):
            return status, fields, None
        if fields["Content-Type"].split(";")[0] != "application/json":
            raise Unexpected(fields["Content-Type"])
        return status, fields, json.loads(text)

    def success(self, flag):
        if not (isinstance(flag["key"], str) and isinstance(flag.get("variant", ""), str)
                and flag["reason"] in ("STATIC", "TARGETING_MATCH", "SPLIT", "DISABLED", "UNKNOWN", "DEFAULT")
                and all(isinstance(value, (bool, str, int, float)) for value in flag.get("metadata", {}).values())
                and ("value" not in flag or isinstance(flag["value"], (bool, str, int, float, dict, list)))):
            raise Unexpected(flag)
        return flag

    def failure(self, fault, codes, hasKey=True):
        if hasKey and not isinstance(fault["key"], str) or fault["errorCode"] not in codes \
                or not isinstance(fault.get("errorDetails", ""), str):
            raise Unexpected(fault)
        return fault["errorCode"]

    def one(self, key, body=None):
        status, _, answer = self.post(f"{FLAGS}/{key}", body or {"context": {"targetingKey": "5c3d8535"}})
        if status == 200:
            return self.success(answer)
        if status in (400, 404):
            return self.failure(answer, CODES if status == 400 else {"FLAG_NOT_FOUND"})
        if status in (401, 403):
            return "refused"
        raise Unexpected((status, answer))

    def all(self):
        status, fields, answer = self.post(FLAGS, {"context": {"targetingKey": "5c3d8535"}})
        if status != 200 or not isinstance(fields["ETag"], str):
            raise Unexpected((status, answer))
        for flag in answer["flags"]:
            if "errorCode" in flag:
                self.failure(flag, CODES | {"FLAG_NOT_FOUND"})
            else:
                self.success(flag)
        return {flag["key"]: flag for flag in answer["flags"]}


@test
def clients_of_other_languages():
    """What JavaScript's and Swift's clients check of each answer, of one flag and of all, under a path as well."""
    store = Store(LANGUAGE, VOLUME, GREETING, ("net.key", "--title", "Key", "--text", "S3CRET", "--masked"),
                  ("ratio", "--title", "Ratio", "--number", "1", "--range", "0..1:0.25"), ("unset", "--title", "Unset", "--text", "x"),
                  ("shape", "--title", "Shape", "--data", '{"sides": [1, null]}'), ("broken", "--title", "Broken", "--text", "x"))
    store.settings("unset", "unset")
    with Server(store, ADA) as ada:
        (store.folder / "broken.json").write_text("{")
        store.git("commit", "-q", "-a", "-m", "By hand")
        javascript, swift = JavaScript(ada), Swift(ada)
        until(lambda: javascript.one("broken") == "PARSE_ERROR")
        for client in (javascript, swift):
            assert client.one("general.language")["value"] == "en" and client.one("sound.volume")["value"] == 40
            ratio = client.one("ratio")["value"]
            assert (ratio, type(ratio)) == (1.0, float)
            assert client.one("shape")["value"] == {"sides": [1, None]} and "value" not in client.one("unset")
            assert client.one("nope") == "FLAG_NOT_FOUND" and client.one("broken") == "PARSE_ERROR"
            # Keys that no option can have.
            for key in ("%20", "a..b", "%C3%A9%00", "x" * 300):
                assert client.one(key) == "FLAG_NOT_FOUND", key
            assert client.one("net.key") == "refused"
            flags = client.all()
            assert "net.key" not in flags and flags["general.language"] == client.one("general.language")
            assert flags["broken"]["errorCode"] == "PARSE_ERROR" and flags["ratio"]["value"] == 1.0
        assert javascript.all() is None, "a tag that the client has sent back"
        # What an event names is sent with the next request: as it stands there, with its quotes.
        assert javascript.all({"flagConfigEtag": javascript.tag, "flagConfigLastModified": 1771622898}) is None
        assert javascript.all({"flagConfigEtag": '"0123"'}) is not None
        assert javascript.streams == [f"{ada.base}/ofrep/v1/stream"]
        # A browser on the same origin has the cookie, and nothing else: EventSource sends no header of a program's.
        cookie = ada.cookie()
        assert ada.request(FLAGS, "{}", "POST", {"Content-Type": "text/plain;charset=UTF-8"}, cookie)[0] == 200
        ada.token = "wrong"
        assert javascript.one("sound.volume") == "refused" and swift.one("sound.volume") == "refused"
    with Server(store, ADA, "--url", "http://127.0.0.1:1/lab") as ada:
        ada.base += "/lab"
        javascript = JavaScript(ada)
        ask = ada.request
        ada.request = lambda path, *words: ask(f"/lab{path}", *words)
        assert javascript.one("sound.volume")["value"] == 40 and javascript.all()["sound.volume"]["value"] == 40
        assert javascript.streams == [f"http://127.0.0.1:{ada.port}/lab/ofrep/v1/stream"]
