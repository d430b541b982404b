"""Runs a command at a terminal and prints one number: terminal.py MEASURE MARK COMMAND…

first    the seconds until MARK appears
key      after MARK, the most seconds from a key to the end of its frame
memory   the peak memory in MB after those keys, information and a history
idle     the seconds of processor time in 10 s without a key
"""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

measure, mark, *command = sys.argv[1:]
MORE_KEYS = [b"i", b"h", b"H", b"h"]
KEYS = [b"j", b"j", b"G", b"k", b"\x1b[5~", b"g", b"j", b"\x1b[6~", b"+", b"u", b"?", b"h"]
# How a frame ends: the cursor is hidden again, or shown.
END = (b"\x1b[?25l", b"\x1b[?25h")

start = time.perf_counter()
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    os.execvpe(command[0], command, {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PAGER": "cat"})


def wait(is_there) -> float:
    """The moment when what the command has written since the last time is as wanted."""
    written = b""
    while not is_there(written):
        if not select.select([terminal], [], [], 30)[0]:
            raise SystemExit(f"nothing comes any more after {written!r}")
        try:
            written += os.read(terminal, 1 << 16)
        except OSError:
            raise SystemExit(f"ended after {written!r}") from None
    return time.perf_counter()


def frame(key: bytes) -> float:
    begin = time.perf_counter()
    os.write(terminal, key)
    return wait(lambda written: written.count(END[0]) > 1 and written.endswith(END)) - begin


result = wait(lambda written: mark.encode() in written) - start
if measure == "idle":
    def processor_time() -> float:
        with open(f"/proc/{child}/schedstat") as stream:
            return int(stream.read().split()[0]) / 1e9

    # What is done after a pause is not measured.
    start = -1.0
    while processor_time() > start:
        start = processor_time()
        time.sleep(2)
    time.sleep(10)
    result = processor_time() - start
elif measure != "first":
    # The first key waits until everything is read.
    frame(b"j")
    result = max(frame(key) for key in KEYS)
    if measure == "memory":
        for key in MORE_KEYS:
            frame(key)
os.kill(child, signal.SIGKILL)
use = os.wait4(child, 0)[2]
print(use.ru_maxrss / 1024 if measure == "memory" else result)
