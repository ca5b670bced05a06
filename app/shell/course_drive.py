#!/usr/bin/env python3
"""A course driven through the real window by Page Down, each question answered wrongly, the program killed now and then.

usage: course_drive.py PROGRAM COURSE [KILLS [SEED]]     needs Xvfb and xdotool; minutes long, so no test of ctest
Prints how many keys, questions, lessons and kills there were; ends with 1 where anything is not as it should be.
"""
import collections
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

from window_test import Display, Window

PLACE = ("course", "part", "lesson", "scene", "position", "kernel", "n")


def answers_of(program, course):
    """(lesson, question) -> what is right; lessons by their titles."""
    shown = lambda name: subprocess.run([program, "lesson", "show", name], check=True, capture_output=True, text=True).stdout
    names = [line.split(",")[0].split(None, 1) for line in
             subprocess.run([program, "lesson", "list"], check=True, capture_output=True, text=True).stdout.splitlines()[::2]]
    titles = re.findall(r"^from +\d+, +\d+ min: (.*), \d+ (?:scenes|questions)", shown(course), re.M)
    right = {}
    for name, title in names:
        if title in titles:
            for ask, answer in re.findall(r"^before step \d+: (.*)\nanswer: (.*) \(", shown(name), re.M):
                right[title, ask.split("?")[0]] = answer
    return titles, right


def main(program, course, kills=20, seed=1):
    random.seed(seed)
    display = Display("1920x1080x24")
    try:
        with tempfile.TemporaryDirectory() as config:
            drive(program, course, kills, display, pathlib.Path(config))
    finally:
        display.close()  # which ends the window, too


def drive(program, course, kills, display, config):
    titles, right = answers_of(program, course)
    (config / "warptree").mkdir()
    (config / "warptree" / "settings.toml").write_text("[look]\nanimate = false\ngreeted = true\n[lecture]\nspeaker = \"no\"\n")
    window = Window([program, "--lesson", course], display, config)
    counts, seen, recent = collections.Counter(), [], collections.deque(maxlen=4)
    place = lambda state: tuple(state.get(key) for key in PLACE)
    kill_at = set(random.sample(range(20, 400), kills))
    while True:
        state = window.quiet(0.08)
        assert state.get("course") and not state["message"], state
        if not seen or seen[-1] != state["lesson"]:
            seen.append(state["lesson"])
        if state["over"] and state["part"] == len(titles):
            break
        if state["question"] and not state["given"]:
            counts["questions"] += 1
            answer = right[state["lesson"], state["question"].split("?")[0]]
            window.key("9", "9") if not state["choices"] else window.key("12"[state["choices"][0] == answer])
            state = window.wait(lambda s: s["given"], "an answer")
            assert state["given"] != answer, state
        if counts["keys"] in kill_at:
            kill_at.discard(counts["keys"])
            settled = random.random() < 0.5
            if settled:
                time.sleep(0.6)
            recent.append(place(window.quiet(0.05)))
            window.kill()
            counts["kills"] += 1
            window = Window([program], display, config)
            state = window.quiet(0.3)
            assert place(state) in ([recent[-1]] if settled else recent), (settled, recent, place(state))
            recent.clear()
            continue
        recent.append(place(state))
        window.key("Next")
        counts["keys"] += 1
        window.wait(lambda s: s is not state, "the next place") if not state["over"] else window.wait(lambda s: not s["over"], "the next lesson")
    assert seen == titles, seen
    assert state["right"] == 0, state
    window.quit()
    print(f"{course}: {counts['keys']} keys, {counts['questions']} questions answered wrongly, {len(seen)} lessons, {counts['kills']} kills")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
