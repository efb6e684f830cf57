"""A browser by the W3C's WebDriver protocol, as chromedriver speaks it: nothing but HTTP and JSON."""

import base64
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "ArrowDown": "\ue015", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowLeft": "\ue012", "End": "\ue010", "Home": "\ue011", "Tab": "\ue004",
        "PageDown": "\ue00f", "Control": "\ue009"}


class Fault(Exception):
    pass


class Browser:
    """Chromium without a window. `proxy`: host:port for names below pinwarden.internal."""

    def __init__(self, proxy=None, width=1440, height=900):
        self.home = Path(tempfile.mkdtemp(prefix="pinwarden-chromium."))
        with socket.create_server(("127.0.0.1", 0)) as s:
            port = s.getsockname()[1]
        self.driver = subprocess.Popen([shutil.which("chromedriver") or "chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       env={**os.environ, "HOME": str(self.home)}, start_new_session=True)
        self.base = f"http://127.0.0.1:{port}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={self.home}/profile", "--no-first-run", "--disable-sync", "--hide-scrollbars",
                     "--disable-background-networking", "--disable-component-update", "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable", f"--window-size={width},{height}", "--lang=en"]
        if proxy:
            pac = f"function FindProxyForURL(u, h) {{ return h == 'pinwarden.internal' ? 'PROXY {proxy}' : 'DIRECT' }}"
            arguments.append("--proxy-pac-url=data:application/x-ns-proxy-autoconfig;base64," + base64.b64encode(pac.encode()).decode())
        capabilities = {"browserName": "chrome", "goog:chromeOptions": {"binary": shutil.which("chromium") or "chromium", "args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}
        self.session = ""
        for attempt in range(100):
            try:
                answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
                break
            except (OSError, Fault) as fault:
                if attempt == 99 or isinstance(fault, Fault):
                    raise
                time.sleep(0.1)
        self.session = f"/session/{answer['sessionId']}"

    def call(self, method, path, body=None):
        data = None if method == "GET" or method == "DELETE" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=40) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as fault:
            raise Fault(json.load(fault)["value"]["message"].split("\n")[0]) from None

    def do(self, method, path, body=None):
        return self.call(method, self.session + path, body)

    def close(self):
        try:
            self.do("DELETE", "")
        except (OSError, Fault):
            pass
        # The driver was started as the first of a group of its own; what it started is in it.
        try:
            os.killpg(self.driver.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        self.driver.wait(10)
        shutil.rmtree(self.home, ignore_errors=True)

    # pages

    def go(self, url):
        self.do("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        return self.do("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def until(self, script, *arguments, what=None, timeout=8):
        """Waits until a script gives something that counts as true, and gives it."""
        end = time.monotonic() + timeout
        while True:
            value = self.run(script, *arguments)
            if value:
                return value
            if time.monotonic() > end:
                raise Fault(f"it did not come to be: {what or script}")
            time.sleep(0.04)

    def find(self, selector, timeout=8):
        return self.until("const e = document.querySelector(arguments[0]); return e && e.checkVisibility() ? e : null", selector, what=f"an element {selector}", timeout=timeout)

    def text(self, selector):
        self.find(selector)
        return self.run("return document.querySelector(arguments[0]).innerText", selector)

    def sees(self, selector, words, timeout=8):
        """Waits for words in the text of an element, in any case of letters."""
        self.until("const e = document.querySelector(arguments[0]); return e && e.innerText.toLowerCase().includes(arguments[1].toLowerCase())", selector, words, what=f"“{words}” in {selector}", timeout=timeout)

    def click(self, selector):
        self.click_on(self.find(selector))

    def click_on(self, element):
        self.do("POST", f"/element/{element[ELEMENT]}/click")

    def click_text(self, selector, words):
        element = self.until("return [...document.querySelectorAll(arguments[0])].find((e) => e.checkVisibility() && e.innerText.trim() === arguments[1]) ?? null", selector, words, what=f"{selector} “{words}”")
        self.click_on(element)

    def type(self, selector, words):
        element = self.find(selector)
        self.do("POST", f"/element/{element[ELEMENT]}/clear")
        self.do("POST", f"/element/{element[ELEMENT]}/value", {"text": words})

    def press(self, *keys):
        """Presses keys one after the other, on whatever has the focus."""
        actions = []
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self.do("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def size(self, width, height):
        self.do("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}})

    def scheme(self, name):
        """`dark` or `light`, as the system would say."""
        self.do("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": [{"name": "prefers-color-scheme", "value": name}]}})

    def picture(self, path):
        Path(path).write_bytes(base64.b64decode(self.do("GET", "/screenshot")))

    def complaints(self):
        """What the browser wrote to its console since it was last asked: errors of scripts, violations of the policy, failed loads."""
        entries = self.do("POST", "/se/log", {"type": "browser"})
        return [e["message"] for e in entries if e["level"] in ("SEVERE", "WARNING")]
