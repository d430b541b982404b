"""nginx and Caddy in front, with the lines that the article for administrators gives, at a root and under a path."""
import contextlib
import os
import re
import shutil
import socket
import subprocess

from surroundings import ADA, FOLDER, PROGRAMS, ROOT, Browser, Server, Skipped, office, run, surroundings, test, until

ARTICLE = ROOT / "Sources/SettingsServer/SettingsServer.docc/RunningAServer.md"
HOST = "settings.example.org"


def lines(heading):
    """The lines that the article has beneath a heading of its own, such as `nginx:`."""
    found = re.search(rf"^{re.escape(heading)}\n\n((?:    .*\n|\n)+)", ARTICLE.read_text(), re.M)
    assert found, f"the article has no lines for {heading}"
    return re.sub(r"^    ", "", found.group(1), flags=re.M).strip("\n")


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextlib.contextmanager
def running(folder, port, *words):
    """A proxy until the test is over."""
    log = open(folder / "log", "w+")
    process = subprocess.Popen(words, cwd=folder, stdout=log, stderr=log, env=surroundings() | {
        "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)})
    try:
        def answers():
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                return True
            if process.poll() is not None:
                log.seek(0)
                raise AssertionError(f"{words[0]} ended: {log.read()}")
        until(answers, 15)
        yield
    finally:
        process.terminate()
        process.wait(10)
        log.close()


@contextlib.contextmanager
def nginx(text, port, name, http=""):
    if not (program := shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")):
        raise Skipped("nginx is missing")
    folder = FOLDER / name
    folder.mkdir()
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", "2",
        "-subj", f"/CN={HOST}", cwd=folder)
    user = "user root;" if os.geteuid() == 0 else ""
    temporary = "\n".join(f"{what}_temp_path {folder};" for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(f"""
        {user} daemon off; pid {folder}/pid; error_log stderr; events {{}}
        http {{
          access_log off; gzip on; {temporary} {http}
          server {{
            listen 127.0.0.1:{port} ssl http2; server_name {HOST}; ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;
            {text}
          }}
        }}""")
    with running(folder, port, program, "-p", folder, "-c", folder / "nginx.conf", "-e", "stderr"):
        yield


@contextlib.contextmanager
def caddy(text, port, name):
    if not (program := shutil.which("caddy")):
        raise Skipped("Caddy is missing")
    folder = FOLDER / name
    folder.mkdir()
    # Its own certificates, and other ports than 80 and 443.
    start = f"{{\n  admin off\n  local_certs\n  skip_install_trust\n  http_port {free_port()}\n  https_port {port}\n}}\n"
    (folder / "Caddyfile").write_text(start + text)
    with running(folder, port, program, "run", "--adapter", "caddyfile", "--config", folder / "Caddyfile"):
        yield


def signed_in(page, url, token):
    page.goto(f"{url}/login#{token}")
    page.wait_for_url(f"{url}/")


@contextlib.contextmanager
def chromium(**words):
    browser = Browser.launch(f"--host-resolver-rules=MAP {HOST} 127.0.0.1")
    try:
        context = browser.new_context(ignore_https_errors=True, **words)
        context.set_default_timeout(8000)
        yield context.new_page()
    finally:
        browser.close()


def change(store, page, url):
    """What somebody else records is on the open page at once, and what the person records is in the store."""
    store.settings("set", "sound.volume", "60", "-m", "Louder.", person=ADA)
    until(lambda: "Ada Lovelace recorded Volume: 40 → 60" in page.inner_text("#news"), 3)
    page.goto(f"{url}/o/general.greeting")
    page.get_by_label("Greeting", exact=True).fill("Hello")
    page.get_by_role("button", name="Review").click()
    page.get_by_label("Why").fill("For Paris.")
    page.get_by_role("button", name="Done").click()
    page.get_by_text("Recorded:").wait_for()
    assert page.url.startswith(f"{url}/o/general.greeting"), page.url
    assert store.get("general.greeting") == "Hello"


def story(proxy, name, heading, path=""):
    """Marie signs in through a proxy, sees what Ada records, records something herself, and signs out."""
    store, port, behind = office(), free_port(), free_port()
    users, url = FOLDER / f"{name}.users", f"https://{HOST}:{port}{path}"
    token = run(PROGRAMS / "settings-serve", "user", "add", "Marie Curie <marie@example.org>", "--users", users,
                cwd=FOLDER).splitlines()[-1]
    text = lines(heading)
    assert "127.0.0.1:8080" in text
    with proxy(text.replace("127.0.0.1:8080", f"127.0.0.1:{behind}"), port, name), \
            Server(store, ADA, "--listen", f"127.0.0.1:{behind}", "--url", url, "--users", users) as server, chromium() as page:
        assert server.address == f"{url}/", server.address
        signed_in(page, url, token)
        assert page.context.cookies()[0]["secure"] and page.context.cookies()[0]["name"].startswith("__Host-")
        change(store, page, url)
        assert "Marie Curie <marie@example.org>" in store.message()
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url(f"{url}/login")


@test
def nginx_at_a_root():
    """Through nginx with the article's lines: signing in, what others record at once, a Done, signing out."""
    story(nginx, "nginx-root", "nginx:")


@test
def nginx_under_a_path():
    """Through nginx under a path, with the article's lines."""
    story(nginx, "nginx-path", "nginx, under a path:", "/settings")


@test
def caddy_at_a_root():
    """Through Caddy with the article's lines: signing in, what others record at once, a Done, signing out."""
    story(caddy, "caddy-root", "Caddy:")


@test
def caddy_under_a_path():
    """Through Caddy under a path, with the article's lines."""
    story(caddy, "caddy-path", "Caddy, under a path:", "/settings")


@test
def nginx_that_signs_people_in():
    """nginx asks for a password and says who is there, through the socket: the author is that person, whatever the browser says."""
    store, port, socket_path = office(), free_port(), f"/tmp/settings-{os.getpid()}.sock"
    url, passwords = f"https://{HOST}:{port}", FOLDER / "nginx-passwords"
    passwords.write_text("marie:" + run("openssl", "passwd", "-apr1", "secret", cwd=FOLDER))
    passwords.chmod(0o644)
    text = lines("nginx, which asks for a password:")
    assert "/etc/nginx/passwords" in text and "/run/settings/page.sock" in text
    text = text.replace("/etc/nginx/passwords", str(passwords)).replace("/run/settings/page.sock", socket_path)
    with nginx(text, port, "nginx-socket"), \
            Server(store, ADA, "--listen", f"unix:{socket_path}", "--url", url, "--user-header", "X-Remote-User", "--email-domain",
                   "example.org"), \
            chromium(http_credentials={"username": "marie", "password": "secret"},
                     extra_http_headers={"X-Remote-User": "eve"}) as page:
        page.goto(f"{url}/")
        assert page.locator("header .you").inner_text() == "marie" and page.get_by_role("button", name="Sign out").count() == 0
        change(store, page, url)
        assert "marie <marie@example.org>" in store.message()
        assert run("curl", "-sk", "-o", "/dev/null", "-w", "%{http_code}", "--resolve", f"{HOST}:{port}:127.0.0.1", f"{url}/",
                   cwd=FOLDER) == "401"


@test
def unit_of_the_package():
    """The article shows the unit of the package, whose options and directives are understood."""
    unit = (ROOT / "Scripts/packaging/debian/settings-serve.service").read_text()
    assert lines("The unit:") == unit.strip("\n")
    options = re.search(r'^OPTIONS="(.*)"$', (ROOT / "Scripts/packaging/debian/settings-serve.default").read_text(), re.M).group(1)
    store, folder = office(), FOLDER / "unit"
    folder.mkdir()
    words = options.replace("/srv/settings", str(store.folder)).replace("/etc/settings", str(folder)).replace(":8080", ":0").split()
    run(PROGRAMS / "settings-serve", "user", "add", "Marie Curie <marie@example.org>", "--users", folder / "users", cwd=FOLDER)
    with Server(store, ADA, *words) as server:
        assert server.address == f"https://{HOST}/", server.address
    if analyze := shutil.which("systemd-analyze"):
        (folder / "settings-serve.service").write_text(unit.replace("/usr/bin/settings", str(PROGRAMS / "settings")))
        run(analyze, "verify", "--man=no", folder / "settings-serve.service", cwd=folder)
