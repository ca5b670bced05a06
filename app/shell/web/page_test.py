"""The web edition in a browser: what it draws is what the program draws, and keys, clicks, fingers, files and links do there
what they do in the window. Of a page from the disk, too, without a network.

Exit code 77, with a reason, where the web edition is not built of these sources, or no Chromium is installed.
usage: page_test.py WARPTREE [FOLDER]    with FOLDER, pictures that differ stay there
"""
import base64
import functools
import http.server
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from web_test import WEB, newest_source, run, skip

PAGE = os.path.join(WEB, "warptree.html")
WIDTH, HEIGHT = 1280, 720
SETTINGS = '[look]\ngreeted = true\nanimate = false\n'
# Every view, at a moment where it has much to show
PLACES = [
    "kernel=pmpp-simple&n=256&view=tree&step=3",
    "kernel=pmpp-simple&n=16&warp-size=4&view=tree&step=2",
    "kernel=brent-kung&n=32&view=network&step=3",
    "kernel=pmpp-segmented&n=4096&view=grid&step=2",
    "kernel=pmpp-convergent&n=256&view=warps&step=4",
    "kernel=pmpp-simple&n=256&view=memory&step=2",
    "kernel=pmpp-shared&n=256&view=hazards&step=3",
    "kernel=pmpp-convergent&n=16&view=order&step=3",
    "kernel=pmpp-coarsened&n=4096&view=coarsening&step=2",
    "kernel=pmpp-simple&n=256&view=tournament&step=2",
    "kernel=pmpp-simple&n=256&view=ladder",
    "kernel=pmpp-simple&n=256&view=accuracy",
    "kernel=all-reduce-ring&n=64&devices=4&view=network&step=7",
    "kernel=pmpp-simple&n=256&compare=pmpp-convergent&step=4",
    "kernel=hillis-steele&n=64&view=tree&step=3",
    "lesson=divergence&scene=3",
]
SAME = """
const [native, callback] = arguments, canvas = document.getElementById('canvas');
const pixels = source => {
    const to = document.createElement('canvas');
    to.width = source.width, to.height = source.height;
    const context = to.getContext('2d', {willReadFrequently: true});
    context.drawImage(source, 0, 0);
    return context.getImageData(0, 0, to.width, to.height).data;
};
const image = new Image();
image.onload = () => {
    const one = pixels(image), other = pixels(canvas);
    let differ = one.length == other.length ? 0 : 1e9;
    for (let i = 0; i < one.length && differ < 1e9; i += 4)
        differ += Math.max(Math.abs(one[i] - other[i]), Math.abs(one[i + 1] - other[i + 1]), Math.abs(one[i + 2] - other[i + 2])) > 24;
    callback(1 - differ / (one.length / 4));
};
image.src = 'data:image/png;base64,' + native;
"""


DROP = """
const given = new DataTransfer();
given.items.add(new File([Uint8Array.from(atob(arguments[0]), c => c.charCodeAt(0))], arguments[1]));
document.getElementById('canvas').dispatchEvent(new DragEvent('drop', {dataTransfer: given, bubbles: true, cancelable: true}));
"""
PASTE = """
const given = new DataTransfer();
given.setData('text/plain', arguments[0]);
document.dispatchEvent(new ClipboardEvent('paste', {clipboardData: given, bubbles: true, cancelable: true}));
"""


class Browser:
    """Chromium, by the protocol of its driver."""

    def __init__(self, downloads):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = f"http://127.0.0.1:{port}"
        until(lambda: self.call("GET", "/status")["ready"], "the driver")
        options = ["--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                   "--disable-dev-shm-usage", f"--window-size={WIDTH},{HEIGHT + 200}"]
        wants = {"goog:loggingPrefs": {"browser": "ALL"}, "goog:chromeOptions": {"args": options}, "timeouts": {"script": 60000}}
        self.base += "/session/" + self.call("POST", "/session", {"capabilities": {"alwaysMatch": wants}})["sessionId"]
        self.devtools("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False)
        self.devtools("Browser.setDownloadBehavior", behavior="allow", downloadPath=downloads)

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            return json.load(urllib.request.urlopen(request, timeout=90))["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()[:500]) from error

    def script(self, text, *arguments):
        return self.call("POST", "/execute/sync", {"script": text, "args": arguments})

    def later(self, text, *arguments):
        return self.call("POST", "/execute/async", {"script": text, "args": arguments})

    def devtools(self, command, **parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def errors(self):
        return [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"}) if entry["level"] == "SEVERE"]

    def open(self, address, settings=SETTINGS):
        """A page of its own, from these settings."""
        self.call("POST", "/url", {"url": address.split("#")[0] + "?empty"})
        self.script("try { localStorage.warptree = arguments[0] } catch {}", settings)
        self.call("POST", "/url", {"url": address})
        return self.said(lambda state: True, "the first picture of " + address)

    def said(self, holds, what):
        """The state, once it is so and nothing moves."""
        return until(lambda: (lambda state: state and holds(state) and not state["working"] and state)(
            self.script("return window.Module && Module.said || null")), what)

    def keys(self, text):
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]}]})

    def control(self, key):
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": "\ue009"}, {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key},
            {"type": "keyUp", "value": "\ue009"}]}]})

    def click(self, x, y):
        self.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}]})

    def touch(self, kind, *points):
        self.devtools("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)])

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()


RIGHT, LEFT, ESCAPE, ENTER, PAGE_DOWN = "\ue014", "\ue012", "\ue00c", "\ue007", "\ue00f"


def until(made, what, seconds=60):
    end = time.monotonic() + seconds
    while True:
        try:
            value = made()
        except OSError:
            value = None
        if value:
            return value
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.03)


def serve(folder):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def same_picture(browser, program, words, folder, name):
    """How much of the page is as the program draws what these words say: at least 999 of 1,000 pixels."""
    picture = os.path.join(folder, f"{name}.png")
    code, _, told = run(program, "render", *words, "--size", f"{WIDTH}x{HEIGHT}", "--out", picture)
    assert code == 0, (words, told)
    with open(picture, "rb") as file:
        native = base64.b64encode(file.read()).decode()
    same, end = 0, time.monotonic() + 5
    while same < 0.999 and time.monotonic() < end:  # it may still be on its way
        same = browser.later(SAME, native)
    if same < 0.999:
        with open(os.path.join(folder, f"{name}-browser.png"), "wb") as file:
            file.write(base64.b64decode(browser.call("GET", "/screenshot")))
    assert same >= 0.999, f"{words}: {100 * same:.3f} % of the pixels are the program's; see {picture}"
    return same


def check_pictures(browser, site, program, folder):
    """Each view as the program draws it."""
    worst = 1
    for i, place in enumerate(PLACES):
        browser.open(f"{site}/index.html#{place}")
        words = ["--lesson", "divergence", "--scene", "3", "--step", "0"] if place.startswith("lesson") else ["#" + place]
        worst = min(worst, same_picture(browser, program, words, folder, str(i)))
    return worst


def check_input(browser, site, program, folder):
    """Keys, clicks, fingers, links, settings and files."""
    start = f"{site}/index.html#kernel=pmpp-simple&n=16&warp-size=4"
    at = lambda position: lambda state: state["position"] == position
    browser.open(start)
    browser.keys(RIGHT + RIGHT + LEFT)
    browser.said(at(1), "two keys on and one back")
    browser.click(212, 655)  # the transport's step on
    browser.said(at(2), "a click on the next step")
    browser.touch("touchStart", (700, 330))
    for x in (660, 600, 520):
        browser.touch("touchMove", (x, 330))
    browser.touch("touchEnd")
    browser.said(at(3), "a finger that wipes")
    browser.touch("touchStart", (600, 330), (680, 330))
    for by in (10, 40, 80):
        browser.touch("touchMove", (600 - by, 330), (680 + by, 330))
    browser.touch("touchEnd")
    browser.said(lambda state: state["zoom"] > 1.2, "two fingers that spread")
    browser.keys("2")
    browser.said(lambda state: state["kernel"] == "pmpp-convergent", "the second kernel")
    browser.script("location.hash = arguments[0]", "kernel=harris-3&n=64&view=warps&step=2")
    browser.said(lambda state: (state["kernel"], state["view"], state["position"]) == ("harris-3", "warps", 2), "a link")
    # Files that are dropped, values that are pasted
    trace = os.path.join(folder, "dropped.wtrace")
    code, _, told = run(program, "record", "kahan", "--n", "32", "--out", trace)
    assert code == 0, told
    with open(trace, "rb") as file:
        browser.script(DROP, base64.b64encode(file.read()).decode(), "dropped.wtrace")
    browser.said(lambda state: (state["kernel"], state["n"]) == ("kahan", 32), "a dropped file")
    browser.script("location.hash = ''")
    browser.script("location.hash = arguments[0]", "kernel=harris-3&n=64&view=warps&step=2")
    browser.said(lambda state: state["kernel"] == "harris-3", "the link again")
    browser.script(PASTE, "#kernel=pmpp-simple&n=8&warp-size=4")
    browser.said(lambda state: state["n"] == 8, "a pasted link")
    browser.script(PASTE, "3, 1, 7, 0")
    browser.said(lambda state: state["n"] == 4, "pasted values")
    browser.script(PASTE, "#kernel=harris-3&n=64&view=warps&step=2")
    browser.said(lambda state: (state["kernel"], state["n"]) == ("harris-3", 64), "the run before")
    # A lesson of one's own
    lesson = 'title = "Mine"\nteaches = "One."\n[[scene]]\nkernel = "pmpp-shared"\nn = 32\ncaption = "Mine."\n'
    browser.script(DROP, base64.b64encode(lesson.encode()).decode(), "mine.toml")
    browser.said(lambda state: (state.get("says"), state["kernel"]) == ("Mine.", "pmpp-shared"), "a dropped lesson")
    browser.script(PASTE, "#kernel=harris-3&n=64&view=warps&step=2")
    browser.said(lambda state: (state["kernel"], state.get("lesson")) == ("harris-3", None), "the run before the lesson")
    # Whoever cannot see it hears the caption
    browser.keys(RIGHT)
    caption = browser.said(at(3), "one more step")["caption"]
    assert caption, "a step without a caption"
    until(lambda: browser.script("return document.getElementById('live').textContent") == caption, "the caption for screen readers")
    # The whole screen, and back
    full = lambda: browser.script("return document.fullscreenElement !== null")
    browser.keys("f")
    until(full, "the full screen")
    browser.keys("f")
    until(lambda: not full(), "the window again")
    browser.keys(LEFT)
    browser.said(at(2), "the step before")
    # What is not there says so
    browser.script(PASTE, "__global__ void f(float* a) { a[0] = 1; }\nint main() { f<<<1, 1>>>(0); }")
    browser.said(lambda state: state["message"], "what becomes of a program")
    # What is remembered comes back
    browser.keys("\ue008C")
    theme = browser.said(lambda state: state["theme"] != "dark", "another theme")["theme"]
    until(lambda: theme in browser.script("return localStorage.warptree"), "kept settings")
    browser.call("POST", "/url", {"url": f"{site}/index.html?again"})
    state = browser.said(lambda state: True, "the page again")
    assert (state["theme"], state["kernel"], state["n"]) == (theme, "harris-3", 64), state
    # The run, saved, is what the program records
    browser.control("s")
    browser.keys(ENTER)
    name = os.path.join(folder, "harris-3-n64-w32.wtrace")
    until(lambda: os.path.exists(name), "the download")
    ours = os.path.join(folder, "ours.wtrace")
    code, _, told = run(program, "record", "harris-3", "--n", "64", "--out", ours)
    assert code == 0, told
    assert run(program, "diff", ours, name)[:2] == (0, b"equal\n"), run(program, "diff", ours, name)


def check_lost_graphics(browser, site, program, folder):
    """What the browser takes away, and gives back."""
    shown = lambda: browser.script("return getComputedStyle(document.getElementById('words')).display != 'none'")
    browser.open(f"{site}/index.html#{PLACES[1]}")
    assert not shown(), "words over the picture"
    browser.script("window.lose = document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context'); lose.loseContext()")
    until(shown, "words about lost graphics")
    browser.keys(RIGHT)
    browser.script("lose.restoreContext()")
    browser.said(lambda state: state["position"] == 3, "the step that was taken meanwhile")
    same_picture(browser, program, ["#" + PLACES[1].replace("step=2", "step=3")], folder, "restored")
    assert not shown(), "words that stay"


def check_file(browser, program, folder):
    """One file, from the disk, without a network."""
    browser.devtools("Network.enable")
    browser.devtools("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)
    wanted = {
        "run": (["harris-3", "--n", "64"], lambda s: (s["kernel"], s["n"], s["position"]) == ("harris-3", 64, 0)),
        "compared": (["--compare", "pmpp-simple,pmpp-convergent", "--n", "64"], lambda s: s["view"] == "compare"),
        "lesson": (["--lesson", "divergence"], lambda s: s.get("lesson")),
    }
    if os.path.exists(os.path.join(os.path.dirname(program), "foreign")):
        wanted["own"] = (["assets/programs/block.cu"], lambda s: s["backend"] == "cpu" and s["steps"] > 3)
    for name, (words, holds) in wanted.items():
        page = os.path.join(folder, name + ".html")
        code, told, wrong = run(program, "export", *words, "--out", page)
        assert code == 0, (told, wrong)
        size = os.path.getsize(page)
        assert size < 8e6, f"{page} has {size} bytes"
        state = browser.open("file://" + page)
        assert holds(state), (name, state)
        browser.keys(RIGHT)
        browser.said(lambda s: s["position"] == 1, "a step of " + name)
        if name in ("run", "own"):
            same_picture(browser, program, [*words, "--step", "1"], folder, name)
        if name == "lesson":  # it asks before it shows
            for _ in range(40):
                if browser.script("return Module.said.question"):
                    break
                browser.keys(PAGE_DOWN)
                time.sleep(0.1)
            assert browser.script("return Module.said.question"), "a lesson that asks nothing"
            browser.keys("1")
            browser.said(lambda s: s["given"], "an answer")
    # A worker records, from the disk, too; what it does can be cancelled
    browser.open("file://" + os.path.join(folder, "run.html"))
    browser.script("location.hash = arguments[0]", "kernel=harris-3&n=262144&step=2")
    browser.said(lambda s: (s["n"], s["position"]) == (262144, 2), "a recording in a worker")
    frames = browser.script("return Module.said.frames")
    browser.script("location.hash = arguments[0]", "kernel=harris-3&n=16777216")
    until(lambda: re.search(" [1-9][0-9]* %$", browser.script("return Module.said.working")), "progress of a long recording")
    until(lambda: browser.script("return Module.said.frames") > frames + 2, "further frames meanwhile")
    browser.keys(ESCAPE)
    state = browser.said(lambda s: "cancelled" in s["message"], "the end of that recording")
    assert state["n"] == 262144, state
    wrong = browser.errors()
    assert not wrong, wrong
    refused = browser.later("fetch('https://example.org/').then(() => arguments[0]('reached'), e => arguments[0](e.message))")
    assert refused != "reached"


def main(program, kept=None):
    for tool in ("chromium", "chromedriver"):
        if shutil.which(tool) is None:
            skip(f"{tool} was not found (Debian: chromium-driver).")
    if not os.path.exists(PAGE):
        skip("The web edition is not built; ./launch web builds it.")
    if os.path.getmtime(PAGE) < newest_source():
        skip("The web edition is of earlier sources; ./launch web builds it.")
    program = os.path.abspath(program)
    with tempfile.TemporaryDirectory() as temporary:
        folder = kept or temporary
        os.makedirs(folder, exist_ok=True)
        site = serve(WEB)
        browser = Browser(temporary)
        try:
            worst = check_pictures(browser, site, program, folder)
            check_input(browser, site, program, temporary)
            check_lost_graphics(browser, site, program, folder)
            check_file(browser, program, temporary)
        finally:
            browser.close()
    print(f"{len(PLACES)} places are drawn as by the program, {100 * worst:.2f} % of the pixels at least; input and pages from the disk work.")


if __name__ == "__main__":
    main(*sys.argv[1:])
