#!/usr/bin/env python3
"""Runs Clinch's kernels on a GPU, compares what they compute with what the simulator and
this processor do, and measures. Each part is a process of its own with a time limit.

    python3 test/Gpu/device.py --out FOLDER     writes device.txt and device.json
    python3 test/Gpu/device.py --part kernels   one part
    python3 test/Gpu/device.py --simulate       the simulator stands for the device: what
                                                can be run so, with few numbers

Status 77 where there is no driver, or no device: everything is skipped then.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver

SKIPPED = 77
#: Each part, how many seconds it may take, and whether the simulator can do it.
PARTS = {"machine": (30, True), "kernels": (60, True), "host": (60, True),
         "locks": (20, True),
         "errors": (30, False), "mathematics": (60, True), "packages": (60, False),
         "arrays": (60, False), "array_times": (90, False),
         "compile_times": (60, True), "instructions": (30, True),
         "kernel_times": (60, False), "libdevice": (30, False), "mathematics_times": (90, False),
         "all_floats": (90, True)}


def why_not():
    """Returns why no device can be used, or an empty string."""
    try:
        driver.Driver()
    except driver.DriverError as error:
        return str(error)
    return ""


def run_part(name, simulate, seconds):
    """Returns the part's result: its lines, its data and how many checks failed."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result.json")
        command = [sys.executable, os.path.abspath(__file__), "--part", name,
                   "--result", path] + ["--simulate"] * simulate
        start, problem = time.monotonic(), ""
        try:
            done = subprocess.run(command, capture_output=True, text=True,
                                  errors="replace", timeout=seconds, check=False)
            printed = done.stdout + done.stderr
            if done.returncode:
                problem = f"it ended with status {done.returncode}"
        except subprocess.TimeoutExpired as error:
            printed = (error.stdout or b"").decode(errors="replace")
            problem = f"it took more than {seconds} s"
        result = {"lines": [], "data": {}, "failed": 0}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                result = json.load(file)
    if problem:
        result["failed"] += 1
        result["lines"].append(f"FAILED: {problem}\n{printed[-3000:]}")
    result["seconds"] = round(time.monotonic() - start, 2)
    return result


class Report:
    """What a part has found so far, kept in a file in case that it ends early."""

    def __init__(self, path):
        self._path = path
        self.result = {"lines": [], "data": {}, "failed": 0}

    def say(self, line, **data):
        print(line, flush=True)
        self.result["lines"].append(line)
        self.result["data"].update(data)
        if self._path:
            with open(self._path, "w", encoding="utf-8") as file:
                json.dump(self.result, file)

    def check(self, good, line, **data):
        self.result["failed"] += not good
        self.say(("ok      " if good else "FAILED: ") + line, **data)

    def attempt(self, what, work, *arguments):
        """Runs what may fail without hiding what comes after it."""
        try:
            work(self, *arguments)
        except Exception:
            self.check(False, f"{what}\n{traceback.format_exc()}")


def alone(name, path, simulate):
    import parts
    report = Report(path)
    report.attempt(name, parts.PARTS[name], parts.Machine(simulate))
    return 1 if report.result["failed"] else 0


def write(folder, results):
    with open(os.path.join(folder, "device.json"), "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1)
    with open(os.path.join(folder, "device.txt"), "w", encoding="utf-8") as file:
        for name, result in results.items():
            file.write(f"== {name} ({result['seconds']} s)\n")
            file.writelines(line + "\n" for line in result["lines"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default=".")
    parser.add_argument("--part", action="append", choices=list(PARTS))
    parser.add_argument("--result")
    parser.add_argument("--simulate", action="store_true")
    parser.add_argument("--seconds", type=float, default=150)
    options = parser.parse_args()
    reason = "" if options.simulate else why_not()
    if reason:
        print(f"SKIPPED: nothing is run on a GPU: {reason}", file=sys.stderr)
        return SKIPPED
    if options.result:
        return alone(options.part[0], options.result, options.simulate)
    results, end = {}, time.monotonic() + options.seconds
    for name in options.part or PARTS:
        seconds, simulated = PARTS[name]
        left = end - time.monotonic()
        if options.simulate and not simulated:
            continue
        print(f"== {name}", flush=True)
        if left < 3:
            results[name] = {"lines": ["FAILED: no time was left for it"], "data": {},
                             "failed": 1, "seconds": 0}
        else:
            results[name] = run_part(name, options.simulate, min(seconds, left))
        print("\n".join(results[name]["lines"]), flush=True)
        print(f"   {results[name]['seconds']} s", flush=True)
        write(options.out, results)
    failed = sum(one["failed"] for one in results.values())
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
