"""Measures 'settings watch' and prints one number: watching.py MEASURE NUMBER

latency  the seconds from the start of a 'settings set' that sets NUMBER until watch has reported the version
idle     the seconds of processor time that watch takes in NUMBER seconds in which nothing happens
"""

import json
import subprocess
import sys
import time

measure, number = sys.argv[1:]
watch = subprocess.Popen(["settings", "watch", "--jsonl", "--initial"], stdout=subprocess.PIPE)


def next_event(kind: str) -> dict:
    while True:
        event = json.loads(watch.stdout.readline())
        if event["event"] == kind:
            return event


next_event("snapshot")
time.sleep(0.2)
if measure == "latency":
    start = time.perf_counter()
    writer = subprocess.Popen(["settings", "set", "group0.option1", number, "-m", "why", "--quiet"])
    next_event("version")
    print(time.perf_counter() - start)
    writer.wait()
else:
    def processor_time() -> float:
        with open(f"/proc/{watch.pid}/schedstat") as stream:
            return int(stream.read().split()[0]) / 1e9

    time.sleep(1)
    start = processor_time()
    time.sleep(float(number))
    print(processor_time() - start)
watch.terminate()
watch.wait()
