"""Serves the repositories of a folder by git's smart HTTP, with a password: smart_http.py FOLDER. Prints its port.

What stands before a repository's name says how the server fails:
/stalls/          it accepts and says nothing
/unknown/         it says that its branches are at a version that it doesn't have
/cuts-fetch-N/    it dies after N bytes of what it sends for a fetch
/cuts-push-N/     it dies after N bytes of what it receives by a push
/dies-after-push/ it takes a push and dies without an answer
/forgets-push/    it says that it took a push, and didn't
"""
import base64
import http.server
import os
import re
import subprocess
import sys
import time

ACCESS = "Basic " + base64.b64encode(b"ada:secret").decode()


def packet(text):
    return b"%04x" % (len(text) + 4) + text


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path, _, query = self.path.partition("?")
        failure = re.match(r"/(stalls|unknown|cuts-fetch|cuts-push|dies-after-push|forgets-push)(?:-(\d+))?(?=/)", path)
        kind, bytes_left = (failure[1], int(failure[2] or 0)) if failure else (None, 0)
        path = path[failure.end():] if failure else path
        if kind == "stalls":
            time.sleep(600)
        if self.headers.get("Authorization") != ACCESS:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="test"')
            self.end_headers()
            return
        is_fetch, is_push = path.endswith("/git-upload-pack"), path.endswith("/git-receive-pack")
        if kind == "cuts-push" and is_push:
            self.rfile.read(bytes_left)
            return self.die()
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        if kind == "forgets-push" and is_push and b"report-status" in body:
            return self.forget(body)
        environment = dict(
            os.environ, GIT_PROJECT_ROOT=sys.argv[1], GIT_HTTP_EXPORT_ALL="1", PATH_INFO=path, QUERY_STRING=query,
            REQUEST_METHOD=self.command, REMOTE_USER="ada", CONTENT_TYPE=self.headers.get("Content-Type", ""),
            CONTENT_LENGTH=str(len(body)), HTTP_CONTENT_ENCODING=self.headers.get("Content-Encoding", ""),
            GIT_PROTOCOL=self.headers.get("Git-Protocol", ""))
        answer = subprocess.run(["git", "http-backend"], input=body, env=environment, stdout=subprocess.PIPE).stdout
        if kind == "dies-after-push" and is_push:
            return self.die()
        head, _, rest = answer.partition(b"\r\n\r\n")
        fields = [line.split(": ", 1) for line in head.decode().split("\r\n")]
        status = next((int(value.split()[0]) for name, value in fields if name == "Status"), 200)
        if kind == "unknown":
            rest = re.sub(rb"[0-9a-f]{40}(?= refs/heads/)", b"1" * 40, rest)
        self.send_response(status)
        for name, value in fields:
            if name != "Status":
                self.send_header(name, value)
        self.end_headers()
        if kind == "cuts-fetch" and is_fetch and b"packfile" in rest:
            self.wfile.write(rest[:rest.index(b"packfile") + bytes_left])
            return self.die()
        self.wfile.write(rest)

    do_POST = do_GET

    def die(self):
        self.wfile.flush()
        self.close_connection = True
        self.connection.shutdown(2)

    def forget(self, body):
        names = re.findall(rb"[0-9a-f]{40} [0-9a-f]{40} ([^\0\n]+)", body.split(b"PACK", 1)[0])
        report = packet(b"unpack ok\n") + b"".join(packet(b"ok " + name + b"\n") for name in names) + b"0000"
        self.send_response(200)
        self.send_header("Content-Type", "application/x-git-receive-pack-result")
        self.end_headers()
        self.wfile.write(packet(b"\1" + report) + b"0000")

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
