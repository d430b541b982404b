"""Programs that record through /api/v1: many at once, a server that is killed among them, and a disk that is full."""
import contextlib
import http.client
import itertools
import json
import shutil
import signal
import subprocess
import threading
import time

from programs import send
from surroundings import ADA, FOLDER, Server, Skipped, Store, office, test

CLIENTS, STEPS = 8, 50


def pair(number, name="pair"):
    """Two values that one version has together."""
    return {f"{name}.left": number, f"{name}.right": -number}


def options(*names):
    """Numbers that are 0."""
    return [(name, "--title", name, "--number", "0") for name in names]


def values(store, id, *keys):
    return [json.loads(store.git("show", f"{id}:{key.replace('.', '/')}.json"))["value"] for key in keys]


def is_sound(store):
    """Nothing of it is half: what git has, what the options are, and the files."""
    store.git("fsck", "--strict")
    store.settings("verify")
    assert store.git("status", "--porcelain") == ""
    assert not list(store.folder.glob(".git/**/*.lock"))


@test
def many_who_record_at_once():
    """8 programs with 50 Dones each: each answer is true, each version that was answered is there once, and no other one."""
    own = [f"own.option{number}" for number in range(CLIENTS)]
    store = Store(*options("shared", *own))
    start = store.head()
    answers = []
    with Server(store, ADA, "-q") as ada:
        def record(number):
            for step in range(STEPS):
                body = {"set": {own[number]: step + 1}, "why": f"Step {number}.{step}."}
                shared, version = None, None
                if step % 5 in (1, 2):
                    # Whoever raises the same number was perhaps faster.
                    shared = send(ada, "/api/v1/options/shared")[2]["option"]["effective"]
                    body |= {"set": body["set"] | {"shared": shared + 1}, "if": {"shared": shared}}
                elif step % 5 == 3:
                    version = send(ada, "/api/v1/versions?limit=1")[2]["versions"][0]["id"]
                    body |= {"ifVersion": version}
                answers.append((number, step, shared, version, *send(ada, "/api/v1/done", body)))
        clients = [threading.Thread(target=record, args=(number,)) for number in range(CLIENTS)]
        for one in clients:
            one.start()
        for one in clients:
            one.join()
        assert len(answers) == CLIENTS * STEPS, "a client has failed"
        ids = store.git("rev-list", "--reverse", f"{start}..HEAD").split()
        parents = dict(line.split() for line in store.git("rev-list", "--parents", f"{start}..HEAD").splitlines())
        whys = dict(zip(ids, store.git("log", "--reverse", "--format=%B%x00", f"{start}..HEAD").split("\0")))
        done, refused = {}, 0
        for number, step, shared, version, status, head, answer in answers:
            if status == 201:
                id = answer["version"]["id"]
                assert id in parents and id not in done and f"Step {number}.{step}." in whys[id], answer
                assert head["Location"] == f"/api/v1/versions/{id}"
                assert values(store, id, own[number]) == [step + 1]
                assert shared is None or (values(store, parents[id], "shared"), values(store, id, "shared")) == ([shared], [shared + 1])
                assert version is None or parents[id] == version, "another version came in between"
                done[id] = True
                continue
            refused += 1
            assert not any(f"Step {number}.{step}." in why for why in whys.values()), answer
            assert answer["exitStatus"] == 2, answer
            if status == 409:
                assert shared is not None and "Shared is" in answer["detail"] and "nothing was changed" in answer["detail"], answer
            else:
                assert status == 412 and version is not None and answer["version"] in ids, (status, answer)
                assert answer["version"] != version and answer["changes"], answer
        assert done.keys() == set(ids) and len(ids) + refused == CLIENTS * STEPS
        # Whoever set nothing but an option of its own was never refused.
        assert sum(shared is None and version is None for _, _, shared, version, *_ in answers) == CLIENTS * STEPS * 2 // 5
        assert all(status == 201 for _, _, shared, version, status, *_ in answers if shared is None and version is None)
        assert refused > 0, "nobody was in anybody's way"
        is_sound(store)
        assert ada.stop() == 0


@test
def killed_while_programs_record():
    """kill -9 among Dones of 4 programs, and a new start: each version that was answered is there, whole, and so is each other one."""
    store = Store(*options(*pair(0, "a"), *pair(0, "b"), *pair(0, "c"), *pair(0, "d")))
    start, answered, broken = store.head(), [], 0
    server = Server(store, ADA, "-q")
    with server:
        for round in range(8):
            lost = []

            def record(name):
                for step in range(200):
                    number = 1000 * (round + 1) + step
                    try:
                        status, _, answer = send(server, "/api/v1/done", {"set": pair(number, name), "why": f"{name} {number}"})
                    except (OSError, http.client.HTTPException):
                        return lost.append(number)
                    assert status == 201, answer
                    answered.append((answer["version"]["id"], name, number))
            clients = [threading.Thread(target=record, args=(name,)) for name in "abcd"]
            for one in clients:
                one.start()
            time.sleep(0.3 + 0.037 * round)
            server.stop(signal.SIGKILL)
            for one in clients:
                one.join()
            broken += len(lost)
            server.start(server.port)
            status, _, answer = send(server, "/api/v1/done", {"set": pair(round + 1, "a"), "why": f"a {round + 1}"})
            assert status == 201, answer
            answered.append((answer["version"]["id"], "a", round + 1))
            is_sound(store)
    ids = set(store.git("rev-list", f"{start}..HEAD").split())
    assert broken >= 8 and len(answered) > 30, (broken, len(answered))
    for id, name, number in answered:
        assert id in ids, f"{name} {number} was answered and is not there"
        assert values(store, id, *pair(0, name)) == [number, -number]
    # Those whose answers were lost.
    assert len(ids) - len(answered) <= broken
    for id in ids:
        assert all(values(store, id, f"{name}.left")[0] == -values(store, id, f"{name}.right")[0] for name in "abcd"), id


@contextlib.contextmanager
def small_disk(mebibytes):
    """A folder on a disk of its own."""
    folder = FOLDER / "disk"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "settings-test", folder]
    try:
        mounted = subprocess.run(words, stderr=subprocess.PIPE, text=True)
    except OSError as error:
        raise Skipped(f"no disk can be mounted: {error}") from error
    if mounted.returncode != 0:
        raise Skipped(f"no disk can be mounted: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


@test
def full_disk():
    """On a full disk each Done, revert, restore and undo of a program is recorded or refused with 507; once there is room, all go on."""
    store = office()
    store.settings("set", "sound.volume", "60", "-m", "Loud.")
    with small_disk(4) as disk:
        shutil.copytree(store.folder, disk / "store", symlinks=True)
        store.folder = disk / "store"
        fill = disk / "fill"
        statuses = {}
        with Server(store, ADA, "-q") as ada:
            for free, number in itertools.product(range(9), range(4)):
                head, value = store.head(), store.get("sound.volume")
                with contextlib.suppress(OSError), open(fill, "wb", buffering=0) as stream:
                    while True:
                        stream.write(bytes(4096))
                with open(fill, "r+b") as stream:
                    stream.truncate(max(0, fill.stat().st_size - free * 4096))
                path, body = [
                    ("done", {"set": {"sound.volume": free * 5}, "why": "Room."}), ("undo", {}),
                    ("revert", {"versions": ["HEAD"]}), ("restore", {"keys": ["sound.volume"], "from": "HEAD~1"}),
                ][number]
                status, fields, answer = send(ada, f"/api/v1/{path}", body)
                statuses.setdefault(status, set()).add(path)
                if status in (200, 201):
                    assert (store.head() != head) == (status == 201), answer
                else:
                    assert status == 507 and fields["Content-Type"] == "application/problem+json", (path, answer)
                    assert (answer["title"], answer["exitStatus"]) == ("Insufficient Storage", 74), answer
                    assert "No space left on device" in answer["detail"] and "settings " not in answer["detail"], answer
                    assert (store.head(), store.git("show", "HEAD:sound/volume.json").find(f'"value": {value}') > 0) == (head, True)
                # What programs read comes from memory.
                assert send(ada, "/api/v1/options")[0] == 200
                assert send(ada, "/ofrep/v1/evaluate/flags", {})[0] == 200
                fill.unlink()
                other = 100 if store.get("sound.volume") != "100" else 95
                again = send(ada, "/api/v1/done", {"set": {"sound.volume": other}, "why": "Room."})
                assert again[0] == 201, (free, status, answer, again[2])
                assert store.get("sound.volume") == str(other)
            assert statuses.get(507) == {"done", "undo", "revert", "restore"} and 201 in statuses, statuses
            is_sound(store)
            assert ada.stop() == 0
