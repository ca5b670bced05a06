"""A picture whose further runs take minutes says how far it is, and Ctrl-C ends it at once.

usage: interrupt_test.py WARPTREE
"""
import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time

SOON = 20.0  # seconds, on a busy machine too


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        picture = os.path.join(folder, "order.png")
        terminal, theirs = pty.openpty()
        words = [program, "render", "shuffle-atomic", "--n", "2^20", "--view", "order", "--out", picture]
        command = subprocess.Popen(words, stderr=theirs)
        os.close(theirs)
        said, begun = b"", time.monotonic()
        while b"Recording what Order compares" not in said and time.monotonic() - begun < 10 * SOON:
            if select.select([terminal], [], [], 0.1)[0]:
                said += os.read(terminal, 4096)
        assert b"Recording what Order compares" in said, said[-200:]
        command.send_signal(signal.SIGINT)
        code = command.wait(SOON)
        assert code == 130, code
        assert not os.listdir(folder), "nothing was written"


if __name__ == "__main__":
    main(*sys.argv[1:])
