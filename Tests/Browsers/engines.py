"""What tests with real browsers share: an authority, origins on loopback, the daemon, and the three engines.

Standard library only. A page reports by POST to its origin, so nothing here drives a browser: an engine is started with a URL and
stopped again. Needs openssl, certutil, and the engines that are to be tested: chromium, firefox-esr, and WebKitGTK's MiniBrowser with
xvfb-run and dbus-run-session.
"""

import base64
import contextlib
import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time
from pathlib import Path

# Nothing listens there: what a browser asks of its maker goes nowhere.
NOWHERE = "127.0.0.1:9"


def run(*command):
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def end(process):
    """Ends a process that was started in a session of its own, with its children."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)
            if number == signal.SIGKILL:
                return


class Authority:
    """A root made by openssl in `folder`, and certificates for origins."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.root = self.folder / "root.pem"
        self.key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        run("openssl", "req", "-x509", *self.key, "-keyout", str(self.folder / "root.key"), "-out", str(self.root), "-days", "30", "-subj", "/CN=Browser Test Root",
            "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign")

    def context(self, *names):
        """A TLS context for an origin with these names."""
        base = self.folder / names[0]
        extension = Path(f"{base}.ext")
        extension.write_text("subjectAltName=" + ",".join("DNS:" + n for n in names) + "\nextendedKeyUsage=serverAuth\nkeyUsage=digitalSignature\n")
        run("openssl", "req", *self.key, "-keyout", f"{base}.key", "-out", f"{base}.csr", "-subj", f"/CN={names[0]}")
        run("openssl", "x509", "-req", "-in", f"{base}.csr", "-CA", str(self.root), "-CAkey", str(self.folder / "root.key"), "-CAcreateserial", "-days", "20",
            "-extfile", str(extension), "-out", f"{base}.pem")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{base}.pem", f"{base}.key")
        return context


class Request:
    """A request as it arrived, byte by byte."""

    def __init__(self, method, path, fields, body):
        self.method, self.path, self.fields, self.body = method, path, fields, body

    def field(self, name):
        """The first value of a field, or None."""
        return next((v for n, v in self.fields if n.lower() == name), None)


class Origin:
    """An HTTP/1.1 origin in TLS. `handle(request, write)` answers by writing raw bytes; it runs on the connection's thread.

    The connection stays open if `handle` returns True."""

    def __init__(self, context, handle):
        self.handle = handle
        self.context = context
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with contextlib.suppress(OSError, ValueError), connection:
            connection.settimeout(60)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.context.wrap_socket(connection, server_side=True) as secured:
                stream = secured.makefile("rb")
                while request := self.read(stream):
                    if not self.handle(request, secured.sendall):
                        break
                with contextlib.suppress(OSError):
                    secured.unwrap()

    @staticmethod
    def read(stream):
        line = stream.readline(65536).decode("latin-1").split(" ")
        if len(line) != 3:
            return None
        fields = []
        while (text := stream.readline(1 << 20).decode("latin-1").rstrip("\r\n")):
            name, _, value = text.partition(":")
            fields.append((name, value.strip()))
        request = Request(line[0], line[1], fields, b"")
        if (request.field("transfer-encoding") or "").lower() == "chunked":
            while size := int(stream.readline(100).split(b";")[0], 16):
                request.body += stream.read(size)
                stream.readline(10)
            while stream.readline(65536) not in (b"\r\n", b""):
                pass
        elif length := int(request.field("content-length") or 0):
            request.body = stream.read(length)
            if len(request.body) < length:
                return None
        return request

    def close(self):
        self.listener.close()


def answer(write, status="200 OK", fields=(), body=b""):
    """Writes a whole answer with a length."""
    head = [f"HTTP/1.1 {status}", *(f"{n}: {v}" for n, v in fields), f"Content-Length: {len(body)}"]
    write("\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + body)
    return True


class Daemon:
    """pinwarden with a configuration of its own. `names` maps `host:port` to the address of an origin; `more` is JSON5."""

    def __init__(self, binary, folder, root, names, more=""):
        self.folder = Path(folder) / "daemon"
        self.folder.mkdir()
        configuration = self.folder / "pinwarden.json5"
        resolve = ", ".join(f"{json.dumps(name)}: {json.dumps(address)}" for name, address in names.items())
        configuration.write_text(f"""{{ listeners: [{{ address: "127.0.0.1:0" }}], console: null, store: null, stateDirectory: "{self.folder}",
          upstream: {{ anchors: "{root}", resolve: {{ {resolve} }} }}, limits: {{ drain: "1s" }}, log: {{ format: "json" }}, {more} }}""")
        self.log = self.folder / "log"
        with open(self.log, "wb") as log, open(self.folder / "errors", "wb") as errors:
            self.process = subprocess.Popen([binary, "run", "--config", str(configuration)], stdin=subprocess.DEVNULL, stdout=log, stderr=errors, start_new_session=True)
        self.address = self.listening()
        self.authority = self.folder / "authority.pem"

    def events(self):
        for line in self.log.read_text(errors="replace").splitlines():
            with contextlib.suppress(ValueError):
                yield json.loads(line)

    def listening(self):
        limit = time.monotonic() + 20
        while time.monotonic() < limit and self.process.poll() is None:
            for event in self.events():
                if event.get("event") == "listening":
                    return event["address"]
            time.sleep(0.05)
        raise SystemExit("the daemon does not listen:\n" + (self.folder / "errors").read_text() + self.log.read_text())

    def stop(self):
        end(self.process)


class Engine:
    """A browser in a home of its own, which trusts one authority and sends `.test` to a proxy. Subclasses say how it is started."""

    name = ""
    tools = []

    def __init__(self, proxy, authority):
        self.home = tempfile.TemporaryDirectory(prefix=f"{self.name}.", ignore_cleanup_errors=True)
        self.proxy, self.authority = proxy, str(authority)
        self.process = None

    @classmethod
    def is_installed(cls):
        return all(shutil.which(tool) for tool in cls.tools)

    def start(self, url):
        """Opens `url` in a new process."""
        home = self.home.name
        environment = {**os.environ, "HOME": home, "XDG_CACHE_HOME": home + "/cache", "XDG_CONFIG_HOME": home + "/config", "XDG_DATA_HOME": home + "/data",
                       "XDG_RUNTIME_DIR": home, "NO_AT_BRIDGE": "1", "MOZ_CRASHREPORTER_DISABLE": "1"}
        with open(home + "/log", "ab") as log:
            self.process = subprocess.Popen(self.command(url), stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, start_new_session=True)

    def stop(self):
        if self.process:
            end(self.process)
        self.home.cleanup()

    def pac(self):
        script = f"function FindProxyForURL(u, h) {{ return dnsDomainIs(h, '.test') ? 'PROXY {self.proxy}' : 'PROXY {NOWHERE}' }}"
        return "data:application/x-ns-proxy-autoconfig;base64," + base64.b64encode(script.encode()).decode()

    def trust(self, folder):
        Path(folder).mkdir(parents=True, exist_ok=True)
        run("certutil", "-N", "-d", f"sql:{folder}", "--empty-password")
        run("certutil", "-A", "-d", f"sql:{folder}", "-n", "test", "-t", "C,,", "-i", self.authority)


class Chromium(Engine):
    name = "chromium"
    tools = ["chromium", "certutil"]

    def command(self, url):
        home = self.home.name
        self.trust(home + "/.pki/nssdb")
        return ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-sync", "--disable-background-networking",
                "--disable-component-update", "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,HttpsFirstBalancedMode", f"--user-data-dir={home}/profile",
                "--remote-debugging-port=0", f"--proxy-pac-url={self.pac()}", url]


class Firefox(Engine):
    name = "firefox"
    tools = ["firefox-esr", "certutil"]
    preferences = {
        "network.proxy.type": 2, "app.update.enabled": False, "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.enabled": False,
        "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False, "services.settings.server": "data:,",
        "extensions.update.enabled": False, "dom.security.https_first": False, "dom.security.https_first_schemeless": False, "network.dns.native_https_query": False,
        "security.OCSP.enabled": 0, "browser.shell.checkDefaultBrowser": False, "browser.aboutwelcome.enabled": False, "dom.disable_open_during_load": False,
        "browser.startup.homepage_override.mstone": "ignore", "browser.sessionstore.resume_from_crash": False,
    }

    def command(self, url):
        profile = Path(self.home.name) / "profile"
        self.trust(profile)
        preferences = {**self.preferences, "network.proxy.autoconfig_url": self.pac()}
        (profile / "user.js").write_text("".join(f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in preferences.items()))
        return ["firefox-esr", "--headless", "--no-remote", "--profile", str(profile), url]


class WebKit(Engine):
    """MiniBrowser reads no other authorities than the system's, so it is told to accept any."""

    name = "webkit"
    tools = ["xvfb-run", "dbus-run-session"]

    @staticmethod
    def browsers():
        return sorted(Path("/usr").glob("lib*/*/webkit2gtk-4.*/MiniBrowser"))

    @classmethod
    def is_installed(cls):
        return super().is_installed() and bool(cls.browsers())

    def command(self, url):
        return ["dbus-run-session", "--", "xvfb-run", "-a", str(self.browsers()[-1]), f"--proxy=http://{self.proxy}", "--ignore-tls-errors", url]


ENGINES = [Chromium, Firefox, WebKit]
