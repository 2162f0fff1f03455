"""A headless Chromium, driven through its own debugging pipe: nothing to install but the browser.

    browser = Browser(path)                 raises BrowserMissing when no browser starts
    browser.open("file:///tmp/page.html")
    browser.run("document.title")           the value of a JavaScript expression; promises are awaited
    browser.move(x, y); browser.click(x, y); browser.key("ArrowRight"); browser.type("fusion")

The protocol: https://chromedevtools.github.io/devtools-protocol/, messages in JSON, each ended by a NUL, written to the
browser's file descriptor 3 and read from its 4.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
PATIENCE = 20  # seconds for any one answer


class BrowserMissing(Exception):
    pass


class BrowserError(Exception):
    pass


class Browser:
    def __init__(self, width=1440, height=1000, scale=1):
        self.home = tempfile.mkdtemp(prefix="memview-page-")
        self.errors = []  # what the page threw or logged as an error
        self.events = []
        self.last_id = 0
        self.pending = b""
        self.session = None
        reasons = []
        for name in filter(None, [os.environ.get("CHROMIUM")] + NAMES):
            path = shutil.which(name)
            if path is None:
                continue
            try:
                self._start(path, width, height, scale)
                return
            except (OSError, BrowserError) as error:
                self._stop()
                reasons.append(f"{path}: {error}")
        shutil.rmtree(self.home, ignore_errors=True)
        raise BrowserMissing("; ".join(reasons) or "there is none of " + ", ".join(NAMES))

    def _start(self, path, width, height, scale):
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def wire():  # the browser expects its ends as 3 and 4: move them out of the way first
            a, b = os.dup(to_browser), os.dup(from_browser)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--no-first-run", "--disable-extensions", "--remote-debugging-pipe", f"--user-data-dir={self.home}/profile",
             f"--window-size={width},{height}", "about:blank"],
            preexec_fn=wire, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.size(width, height, scale)
        self.downloads = os.path.join(self.home, "downloads")
        os.mkdir(self.downloads)
        session, self.session = self.session, None
        self.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.downloads)
        self.session = session

    # --- the pipe ---

    def _read(self, deadline):
        while b"\0" not in self.pending:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.read_end], [], [], left)[0]:
                raise BrowserError("no answer")
            data = os.read(self.read_end, 1 << 20)
            if not data:
                raise BrowserError("it ended at once" if self.session is None else "it crashed")
            self.pending += data
        message, self.pending = self.pending.split(b"\0", 1)
        message = json.loads(message)
        method = message.get("method")
        if method == "Runtime.exceptionThrown":
            details = message["params"]["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
            self.errors.append(message["params"]["entry"]["text"])
        if method:
            self.events.append(message)
        return message

    def send(self, method, **params):
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        try:
            os.write(self.write_end, json.dumps(message).encode() + b"\0")
        except BrokenPipeError:
            raise BrowserError("it ended at once") from None
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self._read(deadline)
            if answer.get("id") == self.last_id:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    # --- the page ---

    def open(self, url):
        self.events.clear()
        self.send("Page.navigate", url=url)
        deadline = time.monotonic() + PATIENCE
        while not any(e["method"] == "Page.loadEventFired" for e in self.events):
            self._read(deadline)

    def requests(self):
        """The addresses the page asked for since it was opened."""
        return [e["params"]["request"]["url"] for e in self.events if e["method"] == "Network.requestWillBeSent"]

    def run(self, expression):
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def settle(self):
        """Wait until the page has drawn what it was told."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def size(self, width, height, scale=1):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def prefer(self, scheme):
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def _mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def move(self, x, y):
        self._mouse("mouseMoved", x, y)
        self.settle()

    def click(self, x, y, count=1):
        self._mouse("mouseMoved", x, y)
        for n in range(1, count + 1):
            self._mouse("mousePressed", x, y, button="left", buttons=1, clickCount=n)
            self._mouse("mouseReleased", x, y, button="left", clickCount=n)
        self.settle()

    def drag(self, x, y, to_x, to_y):
        self._mouse("mouseMoved", x, y)
        self._mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        for step in range(1, 6):
            self._mouse("mouseMoved", x + (to_x - x) * step / 5, y + (to_y - y) * step / 5, button="left", buttons=1)
        self._mouse("mouseReleased", to_x, to_y, button="left", clickCount=1)
        self.settle()

    def wheel(self, x, y, delta):
        self._mouse("mouseWheel", x, y, deltaX=0, deltaY=delta)
        self.settle()

    def key(self, key, shift=False):
        codes = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
                 "Home": 36, "End": 35}
        text = "\r" if key == "Enter" else key if len(key) == 1 else ""
        common = {"key": key, "code": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0].upper())),
                  "modifiers": 8 if shift else 0}
        self.send("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)
        self.settle()

    def type(self, text):
        self.send("Input.insertText", text=text)
        self.settle()

    def screenshot(self, path, whole=False):
        data = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def download(self, seconds=10):
        """The next file that is saved: its name and text."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            names = [n for n in os.listdir(self.downloads) if not n.endswith(".crdownload") and not n.startswith(".")]
            if names:
                path = os.path.join(self.downloads, names[0])
                with open(path, encoding="utf-8", newline="") as file:
                    text = file.read()
                os.remove(path)
                return names[0], text
            time.sleep(0.05)
        raise BrowserError("nothing was saved")

    # --- the end ---

    def _stop(self):
        for end in ("write_end", "read_end"):
            if hasattr(self, end):
                os.close(getattr(self, end))
                delattr(self, end)
        if hasattr(self, "process"):
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            del self.process
        self.session = None
        self.pending = b""

    def close(self):
        try:
            session, self.session = self.session, None
            if session:
                self.send("Browser.close")
        except BrowserError:
            pass
        self._stop()
        shutil.rmtree(self.home, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
