"""A daemon between a client and origins on loopback, with an authority of its own: what a browser test looks at."""

import http.client
import http.server
import json
import shutil
import signal
import socket
import sqlite3
import ssl
import struct
import subprocess
import tempfile
import threading
import time
import urllib.request
import zlib
from pathlib import Path

TOKEN = "browser-test-token-0123456789"
NAMES = ["good.test", "pinned.test", "blind.test", "expired.test", "stranger.test", "old.test"]


def png(width=160, height=90):
    """A picture: a gradient."""
    rows = b"".join(b"\0" + bytes(v for x in range(width) for v in (40 + x, 90 + y, 200 - x)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


ORDER = {"order": 4711, "paid": True, "total": 19.9, "note": None, "customer": {"name": "Zoë", "city": "Köln"}, "items": [{"sku": f"A-{i}", "count": i} for i in range(1, 9)]}
BODIES = {
    "/orders": ("application/json; charset=utf-8", json.dumps(ORDER, ensure_ascii=False).encode(), None),
    "/packed": ("application/json", zlib.compress(json.dumps({"packed": list(range(40))}).encode(), wbits=31), "gzip"),
    "/news": ("text/html; charset=gb18030", "<html><title>新闻</title><p>中文网页，编码是 GB18030。</p></html>".encode("gb18030"), None),
    "/logo.png": ("image/png", png(), None),
    "/blob": ("application/octet-stream", bytes(range(256)) * 3, None),
    "/evil": ("text/html", b"<script>document.title='stolen'</script><img src=x onerror=alert(1)>", None),
}


class Origin(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        length = int(self.headers.get("Content-Length", 0))
        received = self.rfile.read(length)
        path = self.path.split("?")[0]
        kind, body, coding = BODIES.get(path, ("text/plain", b"hello from " + self.headers["Host"].encode(), None))
        if self.command == "POST":
            kind, body = "application/json", json.dumps({"received": len(received)}).encode()
        if path == "/slow":
            time.sleep(0.12)
        self.send_response(404 if path == "/missing" else 200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if coding:
            self.send_header("Content-Encoding", coding)
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *_):
        pass


class Stage:
    def __init__(self, binary):
        self.binary = str(Path(binary).resolve())
        self.folder = Path(tempfile.mkdtemp(prefix="pinwarden-browser."))
        self.state = self.folder / "state"
        self.process = None
        self.servers = []
        self.make_certificates()
        self.https = self.serve([n for n in NAMES if n != "old.test"])
        self.old = self.serve(["old.test"], old=True)
        self.http = self.serve([])
        self.dead = self.free_port()
        self.proxy = self.free_port()
        self.onboarding = self.free_port()
        self.console = self.free_port()
        self.configure()

    # certificates

    def openssl(self, *arguments):
        subprocess.run(["openssl", *map(str, arguments)], cwd=self.folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def make_certificates(self):
        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        for root in ("root", "stranger-root"):
            self.openssl("req", "-x509", *key, "-keyout", f"{root}.key", "-out", f"{root}.pem", "-days", 30, "-subj", f"/CN=Browser Test {root}",
                         "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign")
        for name in NAMES:
            root = "stranger-root" if name == "stranger.test" else "root"
            (self.folder / f"{name}.ext").write_text(f"subjectAltName=DNS:{name}\nextendedKeyUsage=serverAuth\nkeyUsage=digitalSignature\n")
            self.openssl("req", *key, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
            days = ["-days", "-1"] if name == "expired.test" else ["-days", "20"]
            self.openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{root}.pem", "-CAkey", f"{root}.key", "-CAcreateserial", *days, "-extfile", f"{name}.ext", "-out", f"{name}.pem")

    # origins

    def serve(self, names, old=False):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Origin)
        server.daemon_threads = True
        if names:
            contexts = {}
            for name in names:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                if old:
                    context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
                    context.set_ciphers("ALL:@SECLEVEL=0")
                context.load_cert_chain(self.folder / f"{name}.pem", self.folder / f"{name}.key")
                contexts[name] = context
            first = contexts[names[0]]
            first.sni_callback = lambda sock, name, _: setattr(sock, "context", contexts.get(name, first))
            server.socket = first.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        server.handle_error = lambda *_: None
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.servers.append(server)
        return server.server_address[1]

    @staticmethod
    def free_port():
        with socket.create_server(("127.0.0.1", 0)) as s:
            return s.getsockname()[1]

    # the daemon

    def configure(self):
        ports = {f"{n}:443": self.https for n in NAMES} | {"old.test:443": self.old, "dead.test:443": self.dead, "plain.test:80": self.http, "open.test:80": self.http}
        config = {
            "listeners": [{"address": f"127.0.0.1:{self.proxy}"}],
            "console": {"address": f"127.0.0.1:{self.console}", "token": {"env": "CONSOLE_TOKEN"}},
            "stateDirectory": str(self.state),
            "upstream": {"anchors": str(self.folder / "root.pem"), "resolve": {k: f"127.0.0.1:{v}" for k, v in ports.items()}},
            "ats": {"dictionary": {"NSAllowsArbitraryLoads": False, "NSExceptionDomains": {
                "open.test": {"NSExceptionAllowsInsecureHTTPLoads": True},
                "www.good.test.": {"NSExceptionMinimumTLSVersion": "TLSv1.2", "NSIncludesSubdomains": True}}}},
            "rules": {"whitelist": ["https://blind.test"],
                      "hosts": [{"host": "tracker.test", "action": "reject"}, {"host": "pinned.test", "action": "intercept", "trust": "partner"},
                                {"host": "open.test", "action": "bypass"}]},
            "trust": {"partner": {"pins": ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]}},
            "store": {"bytes": "512MiB", "exchanges": 150000},
            "log": {"format": "json", "level": "warning"},
        }
        (self.folder / "pinwarden.json5").write_text(json.dumps(config, indent=1))

    def start(self):
        log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen([self.binary, "run", "--config", str(self.folder / "pinwarden.json5")], stdout=log, stderr=log, env={"CONSOLE_TOKEN": TOKEN, "PATH": "/usr/bin"})
        for _ in range(150):
            try:
                if urllib.request.urlopen(f"http://127.0.0.1:{self.console}/readyz", timeout=1).status == 200:
                    return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("the daemon does not start: " + (self.folder / "log").read_text()[-2000:])

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(15)
            self.process = None

    def close(self):
        self.stop()
        for server in self.servers:
            server.shutdown()
        shutil.rmtree(self.folder, ignore_errors=True)

    # traffic

    def request(self, url, method="GET", body=None, headers={}):
        """One request through the proxy; the status, or None where the connection failed."""
        scheme, _, rest = url.partition("://")
        host, _, path = rest.partition("/")
        try:
            if scheme == "https":
                context = ssl.create_default_context(cafile=self.state / "authority.pem")
                if host == "blind.test":
                    context = ssl.create_default_context(cafile=self.folder / "root.pem")
                connection = http.client.HTTPSConnection("127.0.0.1", self.proxy, timeout=10, context=context)
                connection.set_tunnel(host, 443)
                connection.request(method, "/" + path, body, headers)
            else:
                connection = http.client.HTTPConnection("127.0.0.1", self.proxy, timeout=10)
                connection.request(method, url, body, headers)
            response = connection.getresponse()
            response.read()
            connection.close()
            return response.status
        except OSError:
            return None

    def traffic(self):
        agent = {"User-Agent": "Shop/7.1 CFNetwork/1494.0.7 Darwin/23.4.0"}
        for path in ("orders?page=2&sort=date", "packed", "news", "logo.png", "blob", "evil", "slow", "missing"):
            self.request(f"https://good.test/{path}", headers=agent)
        self.request("https://good.test/checkout", "POST", json.dumps({"card": "4111", "amount": 19.9}), {**agent, "Content-Type": "application/json", "Authorization": "Bearer secret-marker"})
        for url in ("http://plain.test/catalogue", "http://open.test/help", "https://tracker.test/pixel.gif", "https://pinned.test/login", "https://expired.test/", "https://stranger.test/", "https://old.test/",
                    "https://dead.test/status", "https://blind.test/update", "https://nowhere.invalid/"):
            self.request(url, headers=agent)

    def api(self, path, method="GET", body=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.console}{path}", body, {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=20) as response:
            return json.load(response)

    def multiply(self, count):
        """Fills the store, while no daemon runs, with copies of what it has, spread over the last hour."""
        database = sqlite3.connect(self.state / "history.sqlite")
        database.execute("PRAGMA synchronous = OFF")
        kept = "status, failed, action, ats, lane, host, port, client, client_port"
        database.execute(f"CREATE TEMP TABLE patterns AS SELECT 0 AS place, {kept}, search, record FROM exchanges LIMIT 0")
        place = 0
        for *columns, text in database.execute(f"SELECT {kept}, record FROM exchanges ORDER BY sequence").fetchall():
            record = json.loads(text)
            record["timing"]["total"] = "@total@"
            record.update(time="@time@", started="@time@", id="@id@", url=record["url"] + ("&" if "?" in record["url"] else "?") + "n=@n@")
            row = (*columns, record["url"].lower(), json.dumps(record, separators=(",", ":"), ensure_ascii=False))
            # What went wrong is the exception.
            for _ in range(1 if columns[1] else 12):
                database.execute(f"INSERT INTO patterns VALUES ({','.join('?' * 12)})", (place, *row))
                place += 1
        database.execute("CREATE INDEX temp.places ON patterns (place)")
        now = int(time.time() * 1000)
        with database:
            database.execute(
                f"""WITH RECURSIVE numbers (n, start) AS (VALUES (0, ?1 - 3600000) UNION ALL SELECT n + 1, ?1 - (?2 - n - 1) * 3600000 / ?2 FROM numbers WHERE n + 1 < ?2)
                INSERT INTO exchanges (identifier, started, {kept}, search, record)
                SELECT n + 1, start, {kept}, replace(search, '@n@', n), replace(replace(replace(replace(record, '@time@', strftime('%Y-%m-%dT%H:%M:', start / 1000, 'unixepoch')
                  || printf('%02d.%03dZ', start / 1000 % 60, start % 1000)), '@id@', printf('%016x', n + 1)), '@n@', n), '"@total@"', 2 + (n * 7919 % 1000) * (n * 7919 % 1000) / 4000.0)
                FROM numbers CROSS JOIN patterns ON place = n * 2654435761 % ?3""", (now, count, place))
        database.close()
