"""A web service whose greeting and colours are flags of OpenFeature: `welcome.py PORT`.

SETTINGS_URL: where the server is; SETTINGS_TOKEN: the last line of `settings serve user add`.
Needs openfeature-sdk and openfeature-provider-ofrep.
"""
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider

api.set_provider(OFREPProvider(
    os.environ["SETTINGS_URL"], headers_factory=lambda: {"Authorization": f"Bearer {os.environ['SETTINGS_TOKEN']}"}))
flags = api.get_client()


class Welcome(BaseHTTPRequestHandler):
    def do_GET(self):
        # Where the server does not answer, the defaults count.
        greeting = flags.get_string_value("general.greeting", "Hello")
        colours = "dark" if flags.get_boolean_value("display.dark", False) else "light"
        text = f"{greeting} ({colours})\n".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Welcome).serve_forever()
