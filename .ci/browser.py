"""Controls a headless Chromium through its DevTools pipe, for the tests of web pages. Needs only Python."""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


class Failure(Exception):
    """The page does not behave as expected."""


def expect(holds, what):
    if not holds:
        raise Failure(what)


class Browser:
    """A headless Chromium. The messages are JSON on file descriptors 3 and 4, each ended by a zero byte."""

    def __init__(self, program, home):
        to_browser, commands = os.pipe()
        answers, from_browser = os.pipe()
        self.commands, self.answers = os.fdopen(commands, "wb"), os.fdopen(answers, "rb")
        wiring = f"exec 3<&{to_browser} 4>&{from_browser}; exec \"$@\""
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
                 "--disable-dev-shm-usage", "--no-first-run", f"--user-data-dir={home}", "about:blank"]
        self.process = subprocess.Popen(["bash", "-c", wiring, "bash", program, *flags], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        pass_fds=[to_browser, from_browser])
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.problems, self.session, self.pending = 0, [], None, b""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Network", "Log"]:
            self.call(f"{domain}.enable")

    def receive(self):
        while b"\0" not in self.pending:
            more = self.answers.read1(1 << 16)
            expect(more, "the browser has ended")
            self.pending += more
        message, self.pending = self.pending.split(b"\0", 1)
        message = json.loads(message)
        method, told = message.get("method"), message.get("params", {})
        if method in {"Runtime.exceptionThrown", "Page.javascriptDialogOpening"}:
            self.problems.append(f"{method}: {json.dumps(told)[:300]}")
        if method == "Network.requestWillBeSent" and not told["request"]["url"].startswith(("file:", "data:", "about:")):
            self.problems.append(f"asks for {told['request']['url'][:100]}")
        return message

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.commands.write(json.dumps(message).encode() + b"\0")
        self.commands.flush()
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                expect("error" not in answer, f"{method}: {answer.get('error')}")
                return answer["result"]

    def open(self, path, mark=""):
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=path.resolve().as_uri() + mark)
        while self.receive().get("method") != "Page.loadEventFired":
            pass
        while self("document.readyState") != "complete" or not self("location.protocol === 'file:'"):
            pass

    def __call__(self, expression):
        """The value of a JavaScript expression in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        expect("exceptionDetails" not in result, f"{expression}: {json.dumps(result.get('exceptionDetails'))[:300]}")
        return result["result"].get("value")

    def press(self, key):
        for kind in ["keyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, text=key if len(key) == 1 else "")

    def place(self, selector, across=0.5, down=0.5):
        """Scrolls to the first visible element that matches `selector` and returns a point in it."""
        return self(f"""(() => {{
            const all = [...document.querySelectorAll({json.dumps(selector)})].filter(one => one.getClientRects().length);
            if (!all.length) throw new Error('no ' + {json.dumps(selector)});
            all[0].scrollIntoView({{ block: 'center' }});
            const box = all[0].getBoundingClientRect();
            return [box.left + {across} * box.width, box.top + {down} * box.height];
        }})()""")

    def mouse(self, kind, point):
        self.call("Input.dispatchMouseEvent", type=kind, x=point[0], y=point[1], button="left", buttons=1, clickCount=1)

    def click(self, selector, across=0.5, down=0.5):
        point = self.place(selector, across, down)
        self.mouse("mousePressed", point)
        self.mouse("mouseReleased", point)

    def size(self, width, height, theme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def photograph(self, path):
        picture = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        path.write_bytes(picture)

    def close(self):
        self.process.terminate()
        self.process.wait()


def use(name, test, done):
    """Calls `test` with a browser and a temporary folder, and prints `done` or the failure. Without Chromium (Debian's package
    `chromium`, or CHROMIUM=path) nothing is tested, and a line says so."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        print("not run: there is no Chromium here (apt-get install chromium)")
        return
    # Chromium's other processes may still write after the first one has ended.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        folder = pathlib.Path(folder)
        browser = Browser(chromium, folder / "browser")
        try:
            test(browser, folder)
            expect(not browser.problems, f"problems: {browser.problems}")
        except Failure as failure:
            sys.exit(f"{name}: {failure}")
        finally:
            browser.close()
    print(done)
