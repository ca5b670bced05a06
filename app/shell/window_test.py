#!/usr/bin/env python3
"""The window, driven as a lecturer drives it: real key events and clicks on a virtual display.

usage: window_test.py PROGRAM [ARGUMENT...]     the program that opens the window; --announce is added
Needs Xvfb and xdotool; without them it says so and exits with 77 (skipped).
"""
import concurrent.futures
import ctypes
import json
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

SKIPPED = 77
FROZEN = 0.25  # seconds for a frame that are too many, also where it is painted without a graphics card


class Display:
    """A virtual screen of its own."""

    def __init__(self, size="1600x900x24", *more):
        read, write = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", size, "-nolisten", "tcp", *more],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as pipe:  # up to the line's end: closed earlier, it would end the server
            self.name = ":" + pipe.readline().strip()

    def close(self):
        self.process.terminate()
        self.process.wait()


class Window:
    """One run of the program; its announcements are read as they come."""

    def __init__(self, command, display, config, past_start=True, **more):
        self.display = display
        self.environment = dict(os.environ, DISPLAY=display.name, XDG_CONFIG_HOME=str(config), LIBGL_ALWAYS_SOFTWARE="1", LP_NUM_THREADS="0")
        self.environment.pop("WAYLAND_DISPLAY", None)
        self.lines = queue.Queue()
        self.state = {}
        self.started = time.monotonic()
        self.process = subprocess.Popen(command + ["--announce"], env={**self.environment, **more}, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, cwd=config)
        threading.Thread(target=self._read, daemon=True).start()
        self.wait(lambda s: "position" in s, "the first announcement", seconds=20)
        self.first_frame = time.monotonic() - self.started
        for last in (False, False, True):  # asked for before the server is ready for it, the focus never comes
            try:
                self.id = self.xdotool("search", "--onlyvisible", "--class", "warptree").split()[-1]
                self.xdotool("windowfocus", "--sync", self.id, seconds=5)
                break
            except subprocess.TimeoutExpired:
                if last:
                    raise
        if past_start and self.state["menu"] == "start":
            self.key("Escape")
            self.expect("the first screen is gone", menu="")

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))

    def xdotool(self, *arguments, seconds=20):
        return subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, check=True, capture_output=True, text=True, timeout=seconds).stdout

    def wait(self, wanted, what, seconds=8):
        end = time.monotonic() + seconds
        while not (self.state and wanted(self.state)):
            try:
                self.state = self.lines.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"{what}: not within {seconds} s; last announced: {self.state}") from None
        return self.state

    def quiet(self, seconds=0.5):
        """Reads announcements until none comes for a while."""
        while True:
            try:
                self.state = self.lines.get(timeout=seconds)
            except queue.Empty:
                return self.state

    def key(self, *keys, delay=12):
        self.xdotool("key", "--clearmodifiers", "--delay", delay, *keys)

    def expect(self, what, seconds=8, **wanted):
        return self.wait(lambda s: all(s.get(k) == v for k, v in wanted.items()), what, seconds)

    def move(self, x, y):
        self.xdotool("mousemove", "--window", self.id, x, y)

    def click(self, x, y):
        self.move(x, y)
        self.xdotool("click", 1)

    def quit(self):
        self.key("ctrl+q")
        assert self.process.wait(timeout=10) == 0, self.process.stderr.read()

    def saved(self, config, *wanted, seconds=15):
        """Waits until the settings on the disk say what is wanted."""
        path, end = config / "warptree" / "settings.toml", time.monotonic() + seconds
        while not all("\n" + line in path.read_text() for line in wanted):
            assert time.monotonic() < end, f"{wanted}: not saved within {seconds} s:\n{path.read_text()}"
            time.sleep(0.05)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class Xlib:
    """What xdotool of Debian 12 cannot do: ask a window to close, look at its pixels."""

    class ClientMessage(ctypes.Structure):
        _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
                    ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong), ("format", ctypes.c_int), ("data", ctypes.c_long * 5), ("rest", ctypes.c_long * 24)]

    def __init__(self, display):
        self.x = ctypes.CDLL("libX11.so.6")
        for name in ("XOpenDisplay", "XGetImage"):
            getattr(self.x, name).restype = ctypes.c_void_p
        for name in ("XInternAtom", "XGetPixel"):
            getattr(self.x, name).restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(display.name.encode()))

    def ask_to_close(self, window):
        atom = lambda name: self.x.XInternAtom(self.display, name, 0)
        event = self.ClientMessage(type=33, window=window, message_type=atom(b"WM_PROTOCOLS"), format=32)
        event.data[0] = atom(b"WM_DELETE_WINDOW")
        self.x.XSendEvent(self.display, ctypes.c_ulong(window), 0, 0, ctypes.byref(event))
        self.x.XSync(self.display, 0)

    def dots_an_inch(self, dpi):
        """As a desktop tells programs of a screen with many pixels."""
        self.x.XDefaultRootWindow.restype = ctypes.c_ulong
        root, text = ctypes.c_ulong(self.x.XDefaultRootWindow(self.display)), f"Xft.dpi:\t{dpi}\n".encode()
        self.x.XChangeProperty(self.display, root, ctypes.c_ulong(23), ctypes.c_ulong(31), 8, 0, text, len(text))  # RESOURCE_MANAGER, a string
        self.x.XSync(self.display, 0)

    def colours(self, window, width, height):
        image = ctypes.c_void_p(self.x.XGetImage(self.display, ctypes.c_ulong(window), 0, 0, width, height, ctypes.c_ulong(0xFFFFFF), 2))
        return {self.x.XGetPixel(image, x, y) for x in range(0, width, 3) for y in range(0, height, 3)}


def settings(config, text):
    path = config / "warptree" / "settings.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


WIDE = "[window]\nwidth = 1600\nheight = 900\nx = 0\ny = 0\n"
STILL = "[look]\nanimate = false\n"


def steps_by_keys(start, config):
    settings(config, WIDE + STILL)
    w = start()
    assert w.state["kernel"] == "pmpp-simple" and w.state["n"] == 16 and w.state["steps"] == 5, w.state
    assert w.first_frame < 5, w.first_frame
    print(f"    first frame after {w.first_frame * 1000:.0f} ms")
    for press, position in [("Right", 1), ("Next", 2), ("space", 3), ("Left", 2), ("Prior", 1), ("End", 5), ("Home", 0)]:
        w.key(press)
        w.expect(f"after {press}", position=position)
    w.key("Left")  # before the beginning there is nothing
    w.key("Right")
    w.expect("still counting", position=1)
    assert "threads" in w.state["caption"].lower(), w.state["caption"]
    w.key("Home")
    w.xdotool("keydown", "Next")  # held down, it stays with the kernel
    w.wait(lambda s: s["position"] == s["steps"], "the last step, by a key that is held")
    state = w.quiet(1)
    w.xdotool("keyup", "Next")
    assert (state["kernel"], state["card"]) == ("pmpp-simple", False), state
    w.quit()


def quick_taps(start, config):
    settings(config, WIDE + "[run]\nkernel = \"sequential\"\nn = 64\nwarp_size = 32\n")
    w = start()
    w.key("r")  # each repetition a step
    w.key("Home")
    w.expect("before the first step", position=0)
    assert w.state["steps"] >= 20, w.state
    w.key(*["Right"] * 20, delay=5)
    w.expect("twenty taps forward, five milliseconds apart", position=20)
    assert w.quiet()["position"] == 20, w.state
    w.key(*["Prior"] * 20, delay=5)
    w.expect("twenty taps back", position=0)
    w.quit()


def idle_draws_nothing(start, config):
    settings(config, WIDE + STILL)
    w = start()
    before = w.quiet(1.0)["frames"]
    time.sleep(2)
    w.key("Right")
    after = w.expect("one step", position=1)["frames"]
    assert after - before <= 3, f"{after - before} frames in two idle seconds and one step"
    w.key("a")  # animation on: a step takes several frames, and then rest
    w.expect("animation on", animate=True)
    w.key("Right")
    w.expect("a step", position=2)
    time.sleep(1.5)
    w.key("a")
    moved = w.expect("animation off", animate=False)["frames"]
    assert moved - after >= 8, f"only {moved - after} frames in an animated step"
    time.sleep(1.5)
    w.key("a")
    rested = w.expect("animation on", animate=True)["frames"]
    assert rested - moved <= 3, f"{rested - moved} frames while nothing moved"
    w.quit()


def play_and_pause(start, config):
    settings(config, WIDE + "[look]\nspeed = 4.0\n")
    w = start()
    w.key("p")
    w.expect("playing", playing=True)
    w.expect("the end, and at rest", position=5, playing=False, seconds=20)
    w.quit()


def keys_of_the_hall(start, config):
    settings(config, WIDE + STILL)
    w = start()
    w.key("2")
    w.expect("second kernel", kernel="pmpp-convergent")
    w.key("t")
    w.expect("the book's size", n=256, warp=32)
    w.key("ctrl+z")
    w.expect("undone", n=16, warp=4)
    w.key("period")
    w.expect("blank", blank=True)
    w.key("Next")
    w.expect("back, and no step skipped", blank=False, position=0)
    w.key("question")
    w.expect("all keys", help=True)
    w.key("Escape")
    w.expect("closed", help=False)
    w.key("Escape", "Escape", "Escape")
    w.key("ctrl+plus")
    w.expect("Esc did not quit, text is larger", scale=1.1)
    w.key("ctrl+0")
    w.expect("usual text", scale=1)
    w.key("shift+c")
    w.expect("next theme", theme="light")
    w.key("Tab", "Return")
    w.expect("the first control is the first tab", kernel="pmpp-simple")
    w.key("f")
    w.expect("full screen", full_screen=True)
    w.wait(lambda s: s["width"] == 1600 and s["height"] == 900, "the whole screen")
    w.key("F11")
    w.expect("a window again", full_screen=False)
    w.quit()


def clicks_and_drags(start, config):
    settings(config, WIDE + STILL)
    w = start()
    # Places on a window of 1600 x 900 with units of 5/6 pixel; the tab beside the first one.
    scale = 900 / 1080
    w.click(int(370 * scale), int(38 * scale))
    w.expect("the second tab", kernel="pmpp-convergent")
    w.move(int(700 * scale), int(1000 * scale))  # in the strip of steps
    w.xdotool("mousedown", 1)
    first = w.wait(lambda s: s["position"] >= 1, "a press goes to a step")["position"]
    for x in range(700, 1860, 40):
        w.move(int(x * scale), int(1000 * scale))
    w.expect("dragged to the end", position=5)
    w.move(int(480 * scale), int(1000 * scale))
    w.wait(lambda s: s["position"] <= 1 and s["position"] <= first, "dragged back")
    w.xdotool("mouseup", 1)
    w.move(int(960 * scale), int(500 * scale))
    for _ in range(3):
        w.xdotool("click", 4)
    w.wait(lambda s: s["zoom"] > 1.2, "the wheel zooms the tree")
    w.key("0")
    w.expect("the whole tree", zoom=1)
    w.quit()


def places_do_what_they_say(start, config):
    """A button, a slider and a strip, clicked where they are seen; and where they are seen when the window has another size."""
    settings(config, WIDE + STILL + 'view = "tournament"\n[run]\nkernel = "tournament"\nn = 8\nop = "beats"\ninput = "teams"\ntype = "int32"\nwarp_size = 4\n')
    w = start()
    w.expect("the cup", kernel="tournament", n=8, view="tournament")
    w.key("Tab")
    w.wait(lambda s: s.get("focused", "").startswith("pmpp-simple"), "the place with the focus is told")
    w.key("Escape")
    seen = {(1600, 900): dict(cup=(550, 88), accuracy=(645, 88), stops=(1039, 1212, 1385, 1557), slider=145,
                              pills=123, worst=(40, 86), rms=(103, 142), bandwidth=(156, 226), steps=(525, 822, 1120), strip=(800, 866)),
            (1280, 720): dict(cup=(529, 85), accuracy=(619, 85), stops=(831, 967, 1103, 1239), slider=139,
                              pills=119, worst=(38, 84), rms=(100, 136), bandwidth=(150, 230), steps=(472, 695, 917), strip=(622, 688))}
    for size in [(1600, 900), (1280, 720), (1600, 900)]:
        at = seen[size]
        if (w.state["width"], w.state["height"]) != size:
            w.xdotool("windowsize", "--sync", w.id, *size)
            w.expect("the window's other size", width=size[0], height=size[1])
        for venues in (2, 1, 3):
            w.click(at["stops"][venues - 1], at["slider"])
            w.expect("a stop of the slider", block=venues)
        w.move(at["stops"][2], at["slider"])
        w.xdotool("mousedown", 1)
        w.move(at["stops"][3] + 9, at["slider"] + 200)
        w.expect("the finger draws it on", block=4)
        w.xdotool("mouseup", 1)
        w.click(at["stops"][0], at["slider"] + 40)
        for y in at["strip"]:
            for step in (3, 1, 2):
                w.click(at["steps"][step - 1], y)
                w.expect("a bar of the strip", position=step, block=4)
        w.click(*at["accuracy"])
        w.expect("the tab of the accuracy", view="accuracy", accuracy="worst")
        for picture in ("rms", "bandwidth", "worst", "bandwidth", "rms", "worst"):
            for x in at[picture]:  # at both ends of the button
                w.click(x, at["pills"])
                w.expect("a button", accuracy=picture)
        w.click(at["rms"][0], at["pills"] + 26)
        w.click(*at["cup"])
        w.expect("the tab of the cup", view="tournament", position=2)
        w.click(*at["accuracy"])
        w.expect("nothing below a button was clicked", view="accuracy", accuracy="worst")
        w.click(*at["cup"])
        w.expect("and back", view="tournament")
    w.quit()


def scans_at_three_sizes(start, config):
    run = '[run]\nkernel = "{}"\nn = {}\nblock = {}\nwarp_size = {}\n'
    for width, height in [(1600, 900), (1280, 720), (800, 600)]:
        for scan in [("brent-kung", 16, 8, 4), ("kogge-stone", 64, 16, 4), ("look-back", 1024, 32, 32)]:
            settings(config, f"[window]\nwidth = {width}\nheight = {height}\nx = 0\ny = 0\n" + STILL + run.format(*scan))
            w = start()
            assert w.state["kernel"] == scan[0] and w.state["n"] == scan[1], w.state
            w.key("s")
            w.wait(lambda s: s["view"] in ("network", "tree"), "the network, or back from it")
            if w.state["view"] == "tree":
                w.key("s")
            w.expect("the network", view="network")
            w.key("End")
            w.expect("its end", position=w.state["steps"])
            w.key("Home", "Next", "Next", "Next")
            w.expect("three steps", position=3)
            w.key("l")
            w.expect("the grid", view="grid")
            w.quit()


def values_are_typed(start, config):
    settings(config, WIDE + STILL)
    w = start()
    w.key("i")
    w.expect("the menu of inputs", menu="input")
    w.key("5", "comma", "minus", "4", "comma", "3", "comma", "2")
    w.expect("what is typed", typed="5,-4,3,2")
    w.key("Return")
    w.expect("four values are the input", input="5,-4,3,2", n=4, steps=3)
    w.key("ctrl+v")
    w.wait(lambda s: "clipboard" in s["message"], "an empty clipboard is said")
    w.key("Right", "ctrl+c")
    w.wait(lambda s: s["message"] == "Copied: #kernel=pmpp-simple&n=4&warp-size=4&input=5,-4,3,2&step=1", "a link is copied")
    w.key("2", "End", "ctrl+v")
    w.expect("the link leads back", kernel="pmpp-simple", input="5,-4,3,2", position=1)
    w.quit()


def keys_are_the_users_own(start, config):
    settings(config, WIDE + STILL)
    file = config / "warptree" / "keys.toml"
    file.write_text('forward = "J"\n')
    w = start()
    w.key("j")
    w.expect("a key of the file", position=1, message="")
    w.key("Right")
    file.write_text('forward = "F7"\nback = "F7"\n')
    w.wait(lambda s: "keys.toml, line 2, column 1: F7 is forward's key already, so back keeps ←." in s["message"], "what is wrong in it", 10)
    w.key("F7")
    w.expect("a key that was saved meanwhile", position=2)
    file.unlink()
    w.wait(lambda s: "keys.toml is gone" in s["message"], "the file is gone", 10)
    file.mkdir()
    w.wait(lambda s: "keys.toml cannot be read" in s["message"], "a folder ends no window", 10)
    file.rmdir()
    w.wait(lambda s: "keys.toml is gone" in s["message"], "the folder is gone, too", 10)
    w.key("Right")
    w.expect("the usual key", position=3)
    w.key("ctrl+o")
    w.expect("the files that were opened", menu="recent")
    w.quit()


def keyboards_of_other_layouts(start, config, command):
    """The keys of the places that an American keyboard has 1.5 and -3 at, in other countries."""
    display = Display()
    settings(config, WIDE + STILL)
    layout = lambda *words: subprocess.run(["setxkbmap", "-display", display.name, *words], check=True, capture_output=True)
    try:
        layout("us")
        w = Window(command, display, config)

        def press(*codes):
            for one in codes:
                shift, key = str(one).startswith("S"), str(one).lstrip("S")
                w.xdotool(*(["keydown", "50"] if shift else ["key", key]), *(["key", key, "keyup", "50"] if shift else []))

        layout("fr")
        w.quiet()
        press(31)  # i
        w.expect("the menu of inputs", menu="input")
        press("S10", "S59", "S14", 58, 15, "S12")  # 1 . 5 , - 3
        w.expect("typed in France", typed="1.5,-3")
        w.key("Return")
        w.expect("two values", input="1.5,-3", n=2)
        press(25)  # printed z, where an American keyboard has w
        assert w.quiet()["view"] == "tree", w.state
        press(52)
        w.expect("printed w", view="warps")
        press(52, 11)  # é, without Shift
        w.expect("the second kernel", kernel="pmpp-convergent", view="tree")
        layout("ru")
        w.quiet()
        press(25)  # ц
        w.expect("the place of W", view="warps")
        press(25, 57)  # т
        w.expect("the place of N", menu="n")
        press(11, "S15", 13)  # 2, :, 4
        w.expect("digits alone", typed="24")
        w.key("Escape")
        layout("de")
        w.quiet()
        press("S20")  # ?
        w.expect("all keys", help=True)
        w.key("Escape")
        press(31, 61, 12, 60, 14)  # - 3 . 5
        w.expect("typed in Germany", typed="-3.5")
        w.key("Escape")
        w.quit()
    finally:
        w.kill()
        display.close()


def asks_where_to_save(start, config):
    settings(config, WIDE + STILL + f'[save]\nfolder = "{config}"\n')
    w = start()
    w.key("ctrl+s")
    w.expect("a name is proposed", saving=f"{config}/pmpp-simple-n16-w4.wtrace")
    w.key("f", "F11", "BackSpace", "BackSpace")
    w.wait(lambda s: s["saving"].endswith("-w.wtrace"), "letters are text, and Backspace erases them")
    w.key("9", "Return")
    w.wait(lambda s: "saving" not in s and "Saved as" in s["message"], "saved")
    assert (config / "pmpp-simple-n16-w9.wtrace").stat().st_size > 1000
    w.key("f", "ctrl+s")
    w.wait(lambda s: s.get("saving") and s["full_screen"], "on the full screen, too")
    w.key("Return")
    w.wait(lambda s: "saving" not in s, "another file")
    w.key("ctrl+s", "BackSpace", "BackSpace", "Escape")
    w.wait(lambda s: "saving" not in s, "cancelled")
    assert len(list(config.glob("*.wtrace"))) == 2, list(config.iterdir())
    w.key("2")
    w.expect("another kernel", kernel="pmpp-convergent")
    w.key("ctrl+z")
    w.expect("taken back", kernel="pmpp-simple")
    w.key("ctrl+y")
    w.expect("made again", kernel="pmpp-convergent")
    w.key("ctrl+z", "ctrl+shift+z")
    w.expect("made again, by other keys", kernel="pmpp-convergent")
    w.quit()


def exports_beside_the_window(start, config):
    settings(config, WIDE + STILL + f'[save]\nfolder = "{config}"\n')
    w = start()
    w.key("ctrl+e")
    w.expect("a name is proposed", saving=f"{config}/pmpp-simple-n16.pdf")
    w.key("Return")
    w.wait(lambda s: s["working"], "it is said that it goes on")
    w.key("Right")
    w.wait(lambda s: s["position"] == 1, "the window goes on")
    w.wait(lambda s: s["message"].endswith("has 6 pages."), "written", seconds=60)
    assert (config / "pmpp-simple-n16.pdf").read_bytes().startswith(b"%PDF")
    w.key("t", "ctrl+e", "End", "BackSpace", "BackSpace", "BackSpace", "p", "n", "g", "Return")
    w.wait(lambda s: s["working"].endswith("drawn"), "it says how far it is", seconds=60)
    w.key("Escape")
    w.wait(lambda s: s["message"] == "The export was stopped.", "stopped")
    assert (config / "pmpp-simple-n256-001.png").exists() and not (config / "pmpp-simple-n256-010.png").exists()
    w.key("ctrl+e", "End", "BackSpace", "BackSpace", "BackSpace", "h", "t", "m", "l", "Return")
    w.wait(lambda s: "./launch web" in s["message"] or "any browser" in s["message"], "a page for browsers, or why there is none", seconds=60)
    w.quit()


def a_large_trace_is_opened_in_the_window(start, config, command):
    settings(config, WIDE + STILL)
    trace = config / "large.wtrace"
    subprocess.run([*command, "record", "pmpp-coarsened", "--n", "2^19", "--keep", "all", "--out", trace], check=True, capture_output=True)
    w = start(str(trace))
    assert w.state["steps"] == 0, "the window is there before the file is read"
    w.expect("the trace", seconds=30, n=2**19, working="")
    w.key("Right", "ctrl+s")
    w.wait(lambda s: s.get("saving"), "where to save")
    w.key("End", *["BackSpace"] * len(w.state["saving"]), delay=4)
    w.xdotool("type", "--delay", 4, f"{config}/again.wtrace")
    w.key("Return")
    w.wait(lambda s: "Saved as" in s["message"], "it is saved", 30)
    assert (config / "again.wtrace").stat().st_size == trace.stat().st_size
    w.quit()


def a_screen_of_many_pixels_an_inch(start, config, command):
    for size, dpi, wanted in [("3840x2160x24", 192, (3200, 1800)), ("1920x1080x24", 192, (1920, 1080)), ("1920x1080x24", 96, (1600, 900))]:
        shutil.rmtree(config / "warptree", ignore_errors=True)
        display = Display(size)
        Xlib(display).dots_an_inch(dpi)
        w = None
        try:
            w = Window(command, display, config)
            assert (w.state["width"], w.state["height"]) == wanted, (size, dpi, w.state["width"], w.state["height"])
            w.quit()
            w = Window(command, display, config)
            assert (w.state["width"], w.state["height"]) == wanted, "remembered in pixels"
            w.quit()
        finally:
            if w:
                w.kill()
            display.close()


def a_file_that_shows_nothing_yet_is_shown_when_it_is_saved(start, config, command):
    settings(config, WIDE + STILL)
    file = config / "my.cu"
    subprocess.run([command[0], "new", str(file), "--exercise", "simple"], check=True, stdout=subprocess.DEVNULL)
    exercise = pathlib.Path(__file__).resolve().parents[2] / "assets/exercises/01-simple/tests.toml"
    (was, now), = tomllib.loads(exercise.read_text())["solution"]
    w = start(str(file), "--exercise", "simple")
    w.wait(lambda s: "cannot be shown" in s["message"] and "Saved again" in s["message"], "what is wrong")
    file.write_text(file.read_text().replace(was, now))
    w.expect("the kernel that was written", kernel="my.cu", n=64, seconds=30)
    w.wait(lambda s: "all 4 conditions hold" in s["message"], "the conditions")
    file.write_text(file.read_text().replace("        __syncthreads();", ""))
    w.wait(lambda s: "of 4 conditions hold." in s["message"] and "\n✗ " in s["message"], "what holds no longer", 30)
    w.quit()


def a_lesson_is_read_again_when_it_is_saved(start, config):
    settings(config, WIDE + STILL)
    file = config / "my.toml"
    scene = '[[scene]]\nkernel = "pmpp-simple"\nn = 16\nview = "tree"\n'
    file.write_text('title = "T"\nteaches = "One thing."\n' + scene)
    w = start("--lesson", str(file))
    w.expect("the lesson", kernel="pmpp-simple", view="tree")
    file.write_text('title = "T"\nteaches = "One thing."\n' + scene.replace("tree", "warps"))
    w.expect("the lesson that was saved", view="warps", seconds=30)
    w.quit()


def a_program_is_run_again_when_it_is_saved(start, config, command):
    settings(config, WIDE + STILL)
    file = config / "sum.cu"
    subprocess.run([command[0], "new", str(file)], check=True, stdout=subprocess.DEVNULL, timeout=20)
    text = file.read_text()
    w = start(str(file))
    w.expect("the program", kernel="sum.cu", n=16, position=0)
    w.key("Right", "Right")
    w.expect("its second step", position=2)
    file.write_text(text.replace("2 * threadIdx.x", "2 * (blockDim.x - 1 - threadIdx.x)"))
    w.expect("the version that was saved, at the same step", kernel="sum.cu #2", position=2, seconds=30)
    w.key("c")
    w.expect("the version before beside it", view="compare", compared_with=["sum.cu"])
    file.write_text(text.replace("stride *= 2", "stride *= two"))
    w.wait(lambda s: "two" in s["message"], "the compiler's word", 30)
    assert w.state["kernel"] == "sum.cu #2", "the version before stays"
    w.key("ctrl+z")
    w.expect("the first version", kernel="sum.cu", position=2)
    w.quit()


def a_header_that_is_saved_with_an_older_time_is_noticed(start, config, command):
    settings(config, WIDE + STILL)
    file, header = config / "sum.cu", config / "size.h"
    file.write_text("#include \"size.h\"\n" + TWO_RESULTS.replace("{1, 2, 3, 4, 5, 6, 7, 8}", "{}").replace("8", "SIZE"))
    header.write_text("#define SIZE 8\n")
    os.utime(header, (1, 1))
    w = start(str(file))
    w.expect("the program", kernel="sum.cu", n=8)
    header.write_text("#define SIZE 4\n")  # as long as it was
    for saved in range(2, 12):  # the first look may come after the first of them
        os.utime(header, (saved, saved))
        try:
            w.expect("the version with the other header", n=4, seconds=5)
            break
        except AssertionError:
            if saved == 11:
                raise
    w.quit()


TWO_RESULTS = """__global__ void first(const int* in, int* out) { atomicAdd(out, in[threadIdx.x]); }
__global__ void second(const int* in, int* out) {
    int sum = 0;
    for (int i = 0; i < 8; i++) sum += in[i];
    *out = sum;
}
int main() {
    int h[8] = {1, 2, 3, 4, 5, 6, 7, 8}, r = 0, *in, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof r);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(out, &r, sizeof r, cudaMemcpyHostToDevice);
    first<<<1, 8>>>(in, out);
    cudaMemcpy(&r, out, sizeof r, cudaMemcpyDeviceToHost);
    second<<<1, 1>>>(in, out);
    cudaMemcpy(&r, out, sizeof r, cudaMemcpyDeviceToHost);
}
"""


def another_result_of_a_program_is_shown(start, config, command):
    settings(config, WIDE + STILL)
    file = config / "two.cu"
    file.write_text(TWO_RESULTS)
    w = start(str(file))
    w.expect("the last result", kernel="two.cu", n=8, steps=9)
    w.key("shift+r")
    w.expect("the menu of results", menu="results")
    w.key("Up", "Return")
    w.expect("the first one, with fewer steps", kernel="two.cu #2", menu="", steps=1, seconds=30)
    w.key("shift+n")
    w.wait(lambda s: "all that it does is shown" in s["message"], "that nothing has to be smaller", 30)
    w.expect("the same result", kernel="two.cu #3", steps=1)
    w.key("ctrl+z", "ctrl+z")
    w.expect("the last result again", kernel="two.cu", steps=9)
    w.quit()


def long_runs_show_how_far_they_are(start, config):
    settings(config, WIDE + STILL + "[run]\nkernel = \"pmpp-segmented\"\nn = 4096\nwarp_size = 32\n")
    w = start()
    w.expect("the run of the settings", n=4096)
    w.key("n")
    w.expect("the menu of sizes", menu="n")
    w.key(*"16777216", "Return")
    w.wait(lambda s: s["working"].endswith("%"), "it says how far it is")
    w.key("Escape")
    w.expect("cancelled, and the last run stays", working="", n=4096)
    w.key("Right")
    w.expect("it goes on", position=1)
    w.key("n")
    w.key(*"16777216", "Return")
    w.expect("a run of two to the 24th", seconds=120, n=1 << 24, working="")
    w.quit()


def settings_are_remembered(start, config):
    settings(config, "[window]\nwidth = 1200\nheight = 800\nx = 60\ny = 40\n")
    w = start()
    assert (w.state["width"], w.state["height"]) == (1200, 800), w.state
    w.key("3", "shift+c", "ctrl+plus", "a")
    w.expect("all chosen", theme="light", scale=1.1, animate=False)
    kernel = w.state["kernel"]
    w.xdotool("windowsize", "--sync", w.id, 1100, 700)
    w.wait(lambda s: (s["width"], s["height"]) == (1100, 700), "resized")
    w.quit()
    w = start()
    for name, value in dict(kernel=kernel, theme="light", scale=1.1, animate=False, width=1100, height=700).items():
        assert w.state[name] == value, (name, w.state[name], value)
    assert kernel != "pmpp-simple"
    w.quit()


def a_killed_window_comes_back(start, config):
    settings(config, WIDE + STILL)
    w = start()
    w.key("4", "w", "shift+c", "ctrl+plus", "Right", "Right")
    w.expect("two steps", position=2, view="warps", theme="light")
    w.saved(config, "step = 2\n")
    w.kill()
    before = w.state
    w = start()
    for name in ("kernel", "n", "warp", "view", "theme", "scale", "position"):
        assert w.state[name] == before[name], (name, w.state[name], before[name])
    assert len(list((config / "warptree").iterdir())) == 1, "something is left beside the settings"
    w.quit()


def a_lecture_by_remote(start, config):
    settings(config, WIDE + "[look]\nanimate = true\n")
    w = start()
    w.key("F5")
    w.expect("picture and caption alone, on the full screen", lecture=True, full_screen=True, controls=False, theme="projector", text="lecture", width=1600)
    kernels = []
    for _ in range(8):
        kernels.append(w.state["kernel"])
        w.key(*["Next"] * w.state["steps"], delay=5)
        w.expect("every tap was a step", position=w.state["steps"], card=False)
        w.key("Next")
        w.expect("what it removed and what remains", card=True, kernel=kernels[-1])
        w.key("Next")
        w.wait(lambda s: s["kernel"] != kernels[-1] and s["position"] == 0 and not s["card"], "the next kernel")
    assert len(set(kernels)) == 8, kernels
    w.key("Prior")
    w.expect("back to the card", kernel=kernels[-1], card=True)
    w.key("period")
    w.expect("blank", blank=True)
    w.key("Next")
    w.expect("as it was", blank=False, card=True)
    w.key("l")
    w.expect("a spot of light", laser=True)
    w.move(300, 300)
    w.move(700, 400)
    assert not w.quiet()["controls"], "the spot is not the mouse"
    w.key("l")
    w.move(800, 500)
    w.expect("menus and buttons are back", controls=True)
    w.expect("and gone", controls=False)
    w.key("Escape")
    w.expect("the window as it was", lecture=False, full_screen=False, controls=True, theme="dark", text="desk")
    w.quit()


def a_spot_leaves_marks(start, config):
    settings(config, WIDE + STILL)
    w = start()
    w.key("F5", "Right")
    w.expect("a step in the lecture", lecture=True, position=1)
    w.key("l")
    w.expect("a spot of light", laser=True, marks=0)
    for x in (500, 700):
        w.click(x, 300)
    w.expect("two numbers", marks=2)
    w.move(400, 400)
    w.xdotool("mousedown", 1)
    for x in range(420, 900, 20):
        w.move(x, 400 + x % 60)
    w.quiet(0.2)
    assert w.state["marks"] == 2, "the line is still drawn"
    w.xdotool("mouseup", 1)
    w.expect("a line", marks=3)
    w.key("ctrl+s")
    w.wait(lambda s: s.get("saving"), "where to save")
    w.key("End", *["BackSpace"] * len(w.state["saving"]), delay=4)
    w.xdotool("type", "--delay", 4, f"{config}/marks.png")
    w.key("Return")
    w.wait(lambda s: "Saved as" in s["message"], "a picture", 30)
    assert (config / "marks.png").read_bytes().startswith(b"\x89PNG")
    w.key("Next")
    w.expect("another step, painted by the window", position=2, marks=0)
    w.key("Prior")
    w.expect("they come back", position=1, marks=3)
    w.key("ctrl+z")
    w.expect("the line is taken back", marks=2)
    w.key("ctrl+l")
    w.expect("wiped off", marks=0)
    w.quit()


def a_window_for_the_speaker(start, config):
    settings(config, WIDE + STILL + '[lecture]\nspeaker = "yes"\n')
    w = start()
    w.key("F5")
    w.expect("the lecture, and room for the notes", lecture=True, speaker=True, full_screen=False)
    window = notes_of(w)
    w.xdotool("windowfocus", "--sync", window)
    w.key("Next")
    w.expect("a key in it is a key", position=1)
    w.key(*["Next"] * 4, delay=5)
    w.expect("and none is lost", position=5)
    end = time.monotonic() + 8
    while len(Xlib(w.display).colours(window, 800, 450)) <= 20:
        assert time.monotonic() < end, "nothing is drawn in it"
        time.sleep(0.05)
    w.key("shift+l", "Down", "Return")
    w.wait(lambda s: s.get("scene") == 1, "a lesson")
    w.key("Next")
    w.expect("its second scene", scene=2)
    Xlib(w.display).ask_to_close(window)
    w.expect("closed by hand, the lecture goes on", speaker=False, lecture=True, full_screen=True)
    no_notes_of(w)
    w.xdotool("windowfocus", "--sync", w.id)
    w.key("Escape", "F5")
    w.expect("the next lecture has it again", lecture=True, speaker=True)
    w.xdotool("windowfocus", "--sync", notes_of(w))
    w.key("Escape")
    w.expect("Esc closes both", lecture=False, speaker=False)
    no_notes_of(w)
    w.xdotool("windowfocus", "--sync", w.id)
    w.quit()


def notes_of(w, seconds=5):
    """The speaker's window; 0: there is none."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = subprocess.run(["xdotool", "search", "--name", "the speaker's notes"], env=w.environment, capture_output=True, text=True).stdout.split()
        if found:
            return int(found[0])
        time.sleep(0.1)
    return 0


def no_notes_of(w):
    end = time.monotonic() + 8
    while notes_of(w, 0.1):
        assert time.monotonic() < end, "the speaker's window stays"


def a_lesson_by_remote(start, config):
    settings(config, WIDE + STILL)
    w = start()
    w.key("shift+l")
    w.expect("the menu of lessons", menu="lessons")
    w.key("Down", "Return")
    w.expect("the first scene of the first lesson", lesson="What a reduction is", scene=1, position=0)
    w.key("F5")
    w.expect("the lecture", lecture=True)
    presses, questions = 0, 0
    while not w.state["over"]:
        before = w.state
        w.key("Next")
        w.wait(lambda s: any(s[k] != before[k] for k in ("scene", "position", "question", "over")), "the next of the lesson")
        presses += 1
        questions += w.state["question"] != ""
    assert (w.state["scene"], questions) == (12, 5), w.state
    w.key(*["Prior"] * presses, delay=5)
    w.expect("back at the beginning", scene=1, position=0, over=False)
    w.key(*["Next"] * (presses - questions), delay=5)  # what was answered is not asked again
    w.expect("and at the end, no tap lost", over=True, scene=12)
    w.key(*["Prior"] * 8, delay=5)
    w.quiet()
    w.saved(config, f"step = {w.state['position']}\n", f"scene = {w.state['scene'] - 1}\n")
    w.kill()
    before = w.state
    assert before["scene"] < 12, before
    w = start()
    for name in ("lesson", "scene", "position", "kernel", "view"):
        assert w.state[name] == before[name], (name, w.state[name], before[name])
    w.key("Escape")
    w.wait(lambda s: "lesson" not in s, "the lesson is left")
    assert "Ctrl Z" in w.state["message"], w.state["message"]
    w.quit()


def exercises_keep_their_score(start, config):
    settings(config, WIDE + STILL)
    w = start()
    w.key("shift+l", "Up", "Up", "Return")
    w.expect("the last but one in the menu", lesson="Exercises: reductions", scene=1)
    w.wait(lambda s: s["question"], "it asks at once")
    w.key("4")
    w.expect("an answer", given="16")
    w.key("Next")
    w.expect("which is right", right=1, position=5)
    w.key("Next", "2")
    w.wait(lambda s: s["scene"] == 2 and s["given"] != "", "the next one, not shown yet")
    w.saved(config, "scene = 1\n", f"answers = [ '16+', '{w.state['given']}',")
    w.kill()
    before = w.state
    w = start()
    w.wait(lambda s: "lesson" in s, "its run has been recorded")
    for name in ("lesson", "scene", "position", "given", "right"):
        assert w.state[name] == before[name], (name, w.state[name], before[name])
    w.quit()


def a_first_start_on_a_small_screen(start, config, command):
    display = Display("1280x720x24")
    w = Window(command, display, config, past_start=False)
    try:
        assert (w.state["width"], w.state["height"], w.state["menu"]) == (1280, 720, "start"), w.state
        assert not w.state["greeted"], w.state
        w.key("Right")
        w.expect("one key leads past it", menu="", position=0, greeted=True)
        w.key("Right")
        w.expect("the next steps on", position=1)
        w.key("c")
        w.expect("two columns", view="compare")
        w.key("equal")
        w.wait(lambda s: len(s["compared_with"]) == 2, "+ without Shift or a numpad")
        w.key("v", "F1")
        w.quit()
        w = Window(command, display, config)
        assert w.state["greeted"] and w.state["menu"] == "", w.state
        w.quit()
    finally:
        w.kill()
        display.close()


def no_window_is_larger_than_its_screen(start, config):
    settings(config, "[window]\nwidth = 100000\nheight = 100000\n")
    w = start()
    assert (w.state["width"], w.state["height"]) == (1600, 900), w.state
    w.quit()


def damaged_settings_are_set_aside(start, config):
    path = settings(config, "[look]\ntheme = 12\n")
    w = start()
    assert "look.theme" in w.state["message"], w.state
    assert w.state["theme"] == "dark"
    w.quit()
    assert pathlib.Path(str(path) + ".damaged").read_text() == "[look]\ntheme = 12\n"
    assert "theme = 'dark'" in path.read_text() or 'theme = "dark"' in path.read_text(), path.read_text()


def unwritable_settings_are_said(start, config):
    (config / "warptree").write_text("a file where a folder should be")
    w = start()
    assert "will not be remembered" in w.state["message"], w.state
    w.key("Right")
    w.expect("it works all the same", position=1)
    w.quit()


def fails_with(command, config, display, words, **more):
    environment = dict(os.environ, XDG_CONFIG_HOME=str(config), DISPLAY=display, **more)
    environment.pop("WAYLAND_DISPLAY", None)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=20)
    assert done.returncode == 1, done
    assert words in done.stderr and "warptree render" in done.stderr, done.stderr


def no_display(start, config, command):
    fails_with(command, config, ":32000", "isplay")


def no_opengl_or_too_old_a_one(start, config, command):
    for more, environment in [(("-extension", "GLX"), {}), ((), {"LIBGL_ALWAYS_SOFTWARE": "1", "MESA_GL_VERSION_OVERRIDE": "2.1"})]:
        display = Display("1280x720x24", *more)
        try:
            fails_with(command, config, display.name, "A window with OpenGL 3.3 could not be opened.", **environment)
        finally:
            display.close()


def the_system_gives_no_threads(start, config):
    for threads in (0, 1, 3):
        settings(config, WIDE + STILL + "[run]\nkernel = \"pmpp-segmented\"\nn = 4096\nwarp_size = 32\n")
        w = start(LD_PRELOAD=os.environ["WARPTREE_FAULTS"], FAULT_THREADS=str(threads))
        w.key("n")
        w.key(*"65536", "Return")
        w.expect("a run that has no thread of its own", seconds=60, n=65536, working="")
        w.key("Right", "Right")
        w.expect("steps", position=2)
        w.saved(config, "step = 2\n", "n = 65536\n")
        w.quit()


def main():
    command = sys.argv[1:]
    if not command:
        sys.exit(__doc__)
    missing = [tool for tool in ("Xvfb", "xdotool") if not shutil.which(tool)]
    if missing:
        print(f"skipped: {' and '.join(missing)} not installed")
        sys.exit(SKIPPED)
    command[0] = os.path.abspath(command[0])
    tests = [steps_by_keys, quick_taps, idle_draws_nothing, play_and_pause, keys_of_the_hall, clicks_and_drags, places_do_what_they_say, scans_at_three_sizes, values_are_typed, keys_are_the_users_own, asks_where_to_save, exports_beside_the_window, long_runs_show_how_far_they_are,
             settings_are_remembered] + [the_system_gives_no_threads] * ("WARPTREE_FAULTS" in os.environ) + [a_lecture_by_remote, a_spot_leaves_marks, a_window_for_the_speaker, a_lesson_by_remote, exercises_keep_their_score, a_killed_window_comes_back, no_window_is_larger_than_its_screen, damaged_settings_are_set_aside, unwritable_settings_are_said, a_lesson_is_read_again_when_it_is_saved]
    runs_programs = (pathlib.Path(command[0]).parent / "foreign" / "runner").exists()
    alone = [a_large_trace_is_opened_in_the_window] + [a_program_is_run_again_when_it_is_saved, a_header_that_is_saved_with_an_older_time_is_noticed, another_result_of_a_program_is_shown, a_file_that_shows_nothing_yet_is_shown_when_it_is_saved] * runs_programs + [a_first_start_on_a_small_screen, a_screen_of_many_pixels_an_inch, no_display, no_opengl_or_too_old_a_one] + [keyboards_of_other_layouts] * bool(shutil.which("setxkbmap"))  # with programs, or on displays of their own
    displays = queue.Queue()  # two at a time: a test waits more than it works
    for _ in range(2):
        displays.put(Display())

    def passes(test):
        display = displays.get()
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder)
            windows = []

            def start(*arguments, **more):
                windows.append(Window([*command, *arguments], display, config, **more))
                return windows[-1]

            try:
                test(start, config, command) if test in alone else test(start, config)
                longest = max((window.quiet(0.01).get("longest", 0) for window in windows), default=0)
                assert longest < FROZEN, f"it stood still for {longest} s"
                print(f"ok      {test.__name__}, at most {longest:.3f} s for a frame", flush=True)
                return True
            except Exception as error:  # every test gets its turn
                print(f"FAILED  {test.__name__}: {error}", flush=True)
                return False
            finally:
                for window in windows:
                    window.kill()
                displays.put(display)

    try:
        with concurrent.futures.ThreadPoolExecutor(displays.qsize()) as pool:
            failed = [*pool.map(passes, [*tests, *alone])].count(False)
    finally:
        while not displays.empty():
            displays.get().close()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    main()
