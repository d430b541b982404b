"""Measures settings-serve: pages and flags beside nginx, which returns the same bytes, and Dones beside `settings set`."""

import asyncio
import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.parse
from typing import Iterator

from measure import Unavailable, median, quietly
from stores import Place


def processor_time(*ids: int) -> float:
    """The seconds of processor time of all threads of processes."""
    took = 0
    for id in ids:
        for thread in os.listdir(f"/proc/{id}/task"):
            with open(f"/proc/{id}/task/{thread}/schedstat") as stream:
                took += int(stream.read().split()[0])
    return took / 1e9


class Server:
    """`settings-serve` on a store, and a client that is signed in."""

    def __init__(self, store: str, state: str):
        self.store = store
        start = time.perf_counter()
        words = ["settings-serve", "--listen", "127.0.0.1:0", "--store", store, "--quiet"]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, env={**os.environ, "XDG_STATE_HOME": state})
        address = self.process.stdout.readline().decode().strip()
        if not address:
            raise SystemExit(f"settings-serve did not start on {store}")
        self.port = int(address.split("/login")[0].rsplit(":", 1)[1])
        self.base = f"http://127.0.0.1:{self.port}"
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.head: dict[str, str] = {}
        token = address.split("#")[1]
        answer = self.send("POST", "/login", {"token": token, "next": "/"}, 303)
        self.head = {"Cookie": answer.headers["Set-Cookie"].split(";")[0]}
        self.get("/")
        self.started = time.perf_counter() - start
        self.bearer = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def send(self, method: str, path: str, form: dict[str, str] | None, status: int) -> http.client.HTTPResponse:
        body = urllib.parse.urlencode(form) if form else None
        head = {**self.head, "Origin": self.base, "Content-Type": "application/x-www-form-urlencoded"} if form else self.head
        self.connection.request(method, path, body, head)
        answer = self.connection.getresponse()
        self.text = answer.read()
        if answer.status != status:
            raise SystemExit(f"{method} {path}: {answer.status}\n{self.text.decode()[-500:]}")
        return answer

    def get(self, path: str) -> bytes:
        self.send("GET", path, None, 200)
        return self.text

    def version(self) -> str:
        return re.search(r'data-version="(\w+)"', self.get("/g/group0").decode()).group(1)

    def done_time(self, number: int) -> float:
        """The seconds in which a value is set as the form of the page does it, which was looked at before."""
        form = {"version": self.version(), "value:group0.option1": str(number), "why": "why", "back": "/"}
        start = time.perf_counter()
        self.send("POST", "/done", form, 303)
        return time.perf_counter() - start

    def ask(self, path: str, document: object, status: int) -> http.client.HTTPResponse:
        """What a program sends and gets."""
        self.connection.request("POST", path, json.dumps(document), self.bearer)
        answer = self.connection.getresponse()
        self.text = answer.read()
        if answer.status != status:
            raise SystemExit(f"{path}: {answer.status}\n{self.text.decode()[-500:]}")
        return answer

    def set_time(self, number: int) -> float:
        """The seconds in which a program sets a value."""
        start = time.perf_counter()
        self.ask("/api/v1/done", {"set": {"group0.option1": number}, "why": "why"}, 201)
        return time.perf_counter() - start

    def memory(self) -> float:
        """The memory of the process, in MiB."""
        with open(f"/proc/{self.process.pid}/smaps_rollup") as stream:
            return int(re.search(r"^Rss:\s+(\d+)", stream.read(), re.M).group(1)) / 1024

    def stop(self) -> float:
        """The seconds until it has ended after SIGTERM."""
        start = time.perf_counter()
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(60)
        if status != 0:
            raise SystemExit(f"settings-serve: {status} after SIGTERM")
        return time.perf_counter() - start


@contextlib.contextmanager
def served(store: str) -> Iterator[Server]:
    server = Server(store, os.path.join(os.environ["HOME"], "state"))
    try:
        yield server
        server.stop()
    finally:
        server.process.kill()


@contextlib.contextmanager
def nginx(folder: str) -> Iterator[tuple[int, int]]:
    """nginx that serves the files of a folder: its port, and the process that answers."""
    if not shutil.which("nginx"):
        raise Unavailable("nginx is missing")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with open(f"{folder}/nginx.conf", "w") as stream:
        stream.write(
            f"daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/errors;\n"
            f"events {{}}\nhttp {{ access_log off; keepalive_requests 1000000; default_type text/html;\n"
            f"server {{ listen 127.0.0.1:{port}; root {folder}; }} }}\n")
    main = subprocess.Popen(["nginx", "-c", f"{folder}/nginx.conf", "-p", folder], stderr=subprocess.DEVNULL)
    try:
        workers = ""
        while not workers:
            time.sleep(0.05)
            with open(f"/proc/{main.pid}/task/{main.pid}/children") as stream:
                workers = stream.read()
        yield port, int(workers.split()[0])
    finally:
        main.terminate()
        main.wait()


def wrk(
    folder: str, port: int, id: int, path: str, method: str, head: dict[str, str], known: str | None
) -> tuple[float, float]:
    """Microseconds of processor time for each answer over 64 connections, and how many answers come in a second."""
    with open(f"{folder}/wrk.lua", "w") as stream:
        for name, value in (head | ({"If-None-Match": known} if known else {})).items():
            stream.write(f"wrk.headers[{json.dumps(name)}] = {json.dumps(value)}\n")
        stream.write(f"wrk.method = {json.dumps(method)}\n" + ("wrk.body = '{}'\n" if method == "POST" else ""))
    start = processor_time(id)
    words = ["wrk", "-t1", "-c64", "-d2s", "-s", f"{folder}/wrk.lua", f"http://127.0.0.1:{port}{path}"]
    output = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
    took = processor_time(id) - start
    if "Non-2xx" in output:
        raise SystemExit(f"{path}: answers of another status\n{output}")
    return took / int(re.search(r"(\d+) requests in", output).group(1)) * 1e6, float(
        re.search(r"Requests/sec:\s+([\d.]+)", output).group(1))


class Table:
    def __init__(self, pairs: int):
        self.pairs = pairs

    def row(self, what: str, against: str, ours: list[float], theirs: list[float], unit: str, aim: str) -> None:
        """An aim is of our own time ('≤ 40 MiB') or of the ratio ('≤ 1.2 ×', '≥ 0.15 ×')."""
        ratios = [one / other for one, other in zip(ours, theirs)]
        sign, bound, of = aim.split() if aim else ("≤", "inf", "")
        found = median(ratios if of == "×" else ours)
        verdict = "" if not aim else "yes" if (found <= float(bound) if sign == "≤" else found >= float(bound)) else "NO"
        other, ratio = (f"{median(theirs):9.2f}", f"{median(ratios):6.2f}") if theirs else (" " * 9, " " * 6)
        print(f"{what:44} {against:40} {median(ours):9.2f} {other} {unit:7} {ratio}  {aim:11} {verdict}", flush=True)

    def page(self, place: Place, options: int, path: str, aim: str) -> None:
        """Processor time for each answer, over one connection, beside nginx with the same bytes in a file."""
        with served(place.store(options, "served")) as server:
            folder = place.folder("nginx", os.mkdir)
            with open(f"{folder}/page.html", "wb") as stream:
                stream.write(server.get(path))
            size = len(server.text)
            try:
                with nginx(folder) as (port, worker):
                    theirs = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

                    def each(id: int, connection: http.client.HTTPConnection, path: str, head: dict[str, str]) -> float:
                        count, start = 200, processor_time(id)
                        for _ in range(count):
                            connection.request("GET", path, None, head)
                            answer = connection.getresponse()
                            assert answer.status == 200 and len(answer.read()) == size
                        return (processor_time(id) - start) / count * 1e6

                    both = [
                        (each(server.process.pid, server.connection, path, server.head), each(worker, theirs, "/page.html", {}))
                        for _ in range(self.pairs)
                    ]
            except Unavailable as reason:
                print(f"{path}: {reason}")
                return
        what = f"page of {size // 1024} KiB, {options:,} options: processor"
        self.row(what, "nginx, the same bytes", [one for one, _ in both], [other for _, other in both], "µs", aim)

    def flags(self, place: Place, options: int, what: str, path: str, aim: str, share: str = "", isKnown: bool = False) -> None:
        """Processor time for each answer over 64 connections, and answers a second, beside nginx with the same bytes in a file."""
        with served(place.store(options, "served")) as server:
            tag = server.ask(path, {}, 200).headers["ETag"]
            folder = place.folder("nginx", os.mkdir)
            with open(f"{folder}/flags", "wb") as stream:
                stream.write(server.text)
            try:
                if not shutil.which("wrk"):
                    raise Unavailable("wrk is missing")
                with nginx(folder) as (port, worker):
                    theirs = http.client.HTTPConnection("127.0.0.1", port)
                    theirs.request("GET", "/flags")
                    known = theirs.getresponse().headers["ETag"]
                    both = [
                        (wrk(folder, server.port, server.process.pid, path, "POST", server.bearer, tag if isKnown else None),
                         wrk(folder, port, worker, "/flags", "GET", {}, known if isKnown else None))
                        for _ in range(min(self.pairs, 5))
                    ]
            except Unavailable as reason:
                print(f"{what}: {reason}")
                return
        what = f"{what}, {options:,} options"
        for part, name, unit, aim in ((0, "processor", "µs", aim), (1, "a second", "", share)):
            ours, theirs = [one[part] for one, _ in both], [other[part] for _, other in both]
            self.row(f"{what}: {name}", "nginx, the same bytes", ours, theirs, unit, aim)

    def done(self, place: Place, options: int, isByProgram: bool = False) -> None:
        store, other = place.store(options, "served"), place.store(options, "set")
        what, first = ("Done by a program", 3000) if isByProgram else ("Done", 1000)
        with served(store) as server:
            ours, theirs = [], []
            for number in range(first, first + self.pairs + 2):
                ours.append((server.set_time if isByProgram else server.done_time)(number) * 1000)
                start = time.perf_counter()
                quietly(other, "settings", "set", "group0.option1", str(number), "-m", "why", "--quiet")
                theirs.append((time.perf_counter() - start) * 1000)
        self.row(f"{what}, {options:,} options", "settings set", ours[2:], theirs[2:], "ms", "≤ 1.2 ×")

    def start(self, place: Place, options: int, time_aim: str, memory_aim: str) -> None:
        took, memory, flags = [], [], []
        for _ in range(min(self.pairs, 7)):
            with served(place.store(options, "served")) as server:
                took.append(server.started * 1000)
                time.sleep(1)
                memory.append(server.memory())
                server.ask("/ofrep/v1/evaluate/flags", {}, 200)
                flags.append(server.memory())
        self.row(f"start to the first page, {options:,} options", "", took, [], "ms", time_aim)
        self.row(f"memory after the first page, {options:,}", "", memory, [], "MiB", memory_aim)
        self.row(f"memory after all flags, {options:,}", "", flags, [], "MiB", memory_aim)

    def growth(self, place: Place) -> None:
        with served(place.store(100, "served")) as server:
            before = server.memory()
            for number in range(650):
                server.done_time(5000 + number)
            # Stores are opened anew every minute.
            time.sleep(65)
            self.row("memory that 650 Dones leave, a minute later", "", [server.memory() - before], [], "MiB", "≤ 3 MiB")

    def streams(self, place: Place, count: int, path: str) -> None:
        with served(place.store(100, "served")) as server:
            before = server.memory()
            took = asyncio.run(self.follow(server, count, before, path))
        self.row(f"{count} streams of {path}: until all know", "end of 'settings set'", took, [], "ms", "≤ 50 ms")

    async def follow(self, server: Server, count: int, before: float, path: str) -> list[float]:
        request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {server.head['Cookie']}\r\n\r\n".encode()
        readers, writers = [], []
        for _ in range(count):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(request)
            await reader.readuntil(b"retry: 2000\nid: ")
            await reader.readuntil(b"\n\n")
            readers.append(reader)
            writers.append(writer)
        await asyncio.sleep(1)
        self.row("memory of a stream", "", [(server.memory() - before) / count * 1024], [], "KiB", "≤ 40 KiB")
        took = []
        for number in range(self.pairs):
            waiting = [asyncio.create_task(self.told(reader)) for reader in readers]
            words = ["settings", "set", "group0.option2", str(7000 + number), "-m", "why", "--quiet"]
            writer = await asyncio.create_subprocess_exec(*words, cwd=server.store)
            await writer.wait()
            end = time.perf_counter()
            told = await asyncio.gather(*waiting)
            took.append(max(0.0, (max(told) - end) * 1000))
        start = processor_time(server.process.pid)
        await asyncio.sleep(10)
        idle = (processor_time(server.process.pid) - start) / 10 * 1000
        self.row(f"idle with {count} streams: processor a second", "", [idle], [], "ms", "")
        self.row(f"SIGTERM with {count} streams", "", [server.stop() * 1000], [], "ms", "")
        for writer in writers:
            writer.close()
        return took

    async def told(self, reader: asyncio.StreamReader) -> float:
        await reader.readuntil(b"data: ")
        return time.perf_counter()


def table(place: Place, pairs: int) -> None:
    table = Table(pairs)
    print(f"\nThe page, {place.kind}\n{'settings-serve':44} {'against':40} {'ours':>9} {'other':>9} {'':7} {'ratio':>6}  aim")
    table.page(place, 1_000, "/g/group0", "≤ 250 µs")
    table.page(place, 10_000, "/g/group0", "")
    one, all = "/ofrep/v1/evaluate/flags/group0.option1", "/ofrep/v1/evaluate/flags"
    table.flags(place, 100, "a flag", one, "≤ 40 µs", "≥ 0.15 ×")
    table.flags(place, 10_000, "a flag", one, "≤ 40 µs")
    table.flags(place, 1_000, "all flags", all, "≤ 60 µs")
    table.flags(place, 1_000, "all flags, known", all, "≤ 40 µs", isKnown=True)
    for options, time_aim, memory_aim in ((100, "≤ 60 ms", "≤ 40 MiB"), (10_000, "≤ 400 ms", "≤ 80 MiB")):
        table.done(place, options)
        table.done(place, options, isByProgram=True)
        table.start(place, options, time_aim, memory_aim)
    table.growth(place)
    for path in ("/events", "/api/v1/events"):
        table.streams(place, 400, path)
