"""Debian's Chromium without a window, driven over a pair of pipes: what `scripts/pages` looks through."""

import json, os, select, shutil, subprocess, sys, tempfile, time

BROWSER = "chromium-headless-shell"


class Browser:
    """The browser, driven over its debugging pipe: it reads file descriptor 3 and writes 4."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="pages-")
        for name in ("to", "from"):
            os.mkfifo(os.path.join(self.folder, name))
        flags = "--no-sandbox --disable-gpu --hide-scrollbars --disable-ipc-flooding-protection --remote-debugging-pipe"
        self.process = subprocess.Popen(["sh", "-c", f"exec {BROWSER} {flags} 3<to 4>from"], cwd=self.folder,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.to = os.open(os.path.join(self.folder, "to"), os.O_WRONLY)
        self.source = os.open(os.path.join(self.folder, "from"), os.O_RDONLY)
        self.buffer, self.number, self.events = b"", 0, []

    def receive(self):
        while b"\0" not in self.buffer:
            if not select.select([self.source], [], [], 300)[0]:
                sys.exit("pages: the browser says nothing")
            part = os.read(self.source, 1 << 20)
            if not part:
                sys.exit("pages: the browser went away; is chromium-headless-shell installed?")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params} | ({"sessionId": session} if session else {})
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        while (answer := self.receive()).get("id") != self.number:
            self.events.append(answer)
        if "error" in answer:
            sys.exit(f"pages: {method}: {answer['error']}")
        return answer["result"]

    def close(self):
        self.call("Browser.close")
        self.process.wait()
        shutil.rmtree(self.folder)


class Page:
    def __init__(self, browser, width=1280, height=800, scale=1):
        self.browser, self.base = browser, "file://"
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Performance"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def eval(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            sys.exit(f"pages: {expression[:200]}: {json.dumps(answer['exceptionDetails'])[:500]}")
        return answer["result"].get("value")

    def wait(self, condition):
        begun = time.monotonic()
        while not self.eval(f"Boolean({condition})"):
            if time.monotonic() - begun > 60:
                sys.exit(f"pages: never: {condition}: {self.eval('location.href')}: {self.messages()[:3]}")
            time.sleep(0.005)

    def open(self, path, ready="document.readyState === 'complete'"):
        self.call("Page.navigate", url="about:blank")
        self.wait("location.href === 'about:blank'")
        self.call("Page.navigate", url=self.base + os.path.abspath(path))
        self.wait(f"location.href !== 'about:blank' && {ready}")

    def keys(self, *keys):
        for key in keys:
            self.call("Input.dispatchKeyEvent", type="keyDown", key=key)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def messages(self):
        said = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        return [e["params"] for e in self.browser.events if e.get("sessionId") == self.session and e["method"] in said]

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
