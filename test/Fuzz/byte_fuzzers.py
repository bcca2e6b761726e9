#!/usr/bin/env python3
"""Bytes of any kind into all that reads them, under the sanitizers: the programs
of unittests/Fuzzers, one after another.

    byte_fuzzers.py [--seconds N | --inputs N] [--seed N] [--build FOLDER]
                    [--longest N]

They are built in FOLDER-fuzzers. What one dies of is kept in FOLDER/fuzz.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
#: What a program begins with; the others begin with nothing.
SEEDS = {
    "LexerFuzzer": (".c", ".h"),
    "COpFileFuzzer": (".c",),
}
#: What runs, and which share of --inputs is its: the quicker it is, the more.
PROGRAMS = {"LexerFuzzer": 0.015, "COpFileFuzzer": 0.03, "AssemblerFuzzer": 0.01,
            "BytesFuzzer": 0.945}


def build(folder):
    configure = ["cmake", "--preset", "fuzzers", "-B", folder,
                 f"-DPython3_EXECUTABLE={sys.executable}"]
    for command in (configure, ["cmake", "--build", folder, "--target", "Fuzzers"]):
        made = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True)
        if made.returncode:
            sys.exit(made.stdout[-4000:] + made.stderr[-4000:])


def seeds(endings, folder, longest):
    """Files of the tests and of the build up to that size, copied there by number."""
    found = subprocess.run(["git", "ls-files"], cwd=SOURCE, capture_output=True,
                           text=True).stdout.split()
    paths = [os.path.join(SOURCE, name) for name in found
             if name.endswith(endings) and "Fuzzers" not in name]
    for number, path in enumerate(sorted(paths)):
        if os.path.getsize(path) <= longest:
            with open(path, "rb") as file:
                text = file.read()
            with open(os.path.join(folder, f"seed-{number}"), "wb") as file:
                file.write(text)


def run(name, folder, options):
    """How many inputs it took, and whether it lived."""
    kept = os.path.join(options.build, "fuzz")
    os.makedirs(kept, exist_ok=True)
    with tempfile.TemporaryDirectory() as corpus:
        if name in SEEDS:
            seeds(SEEDS[name], corpus, options.longest)
        amount = f"-runs={int(options.inputs * PROGRAMS[name])}"
        if not options.inputs:
            part = max(1, options.seconds // len(PROGRAMS))
            amount = f"-max_total_time={part}"
        ended = subprocess.run(
            [os.path.join(folder, "bin", name), corpus,
             amount, f"-seed={options.seed % 2**32}",
             f"-max_len={options.longest}",
             f"-artifact_prefix={kept}/{name}-", "-rss_limit_mb=4096",
             "-timeout=20"], capture_output=True, text=True, errors="replace")
    done = re.search(r"Done (\d+) runs", ended.stderr)
    if ended.returncode or not done:
        print(ended.stderr[-4000:], flush=True)
        return 0, False
    return int(done[1]), True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--inputs", type=int, default=0,
                        help="in all, instead of --seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", default="build")
    parser.add_argument("--longest", type=int, default=512,
                        help="bytes of an input; short ones are many")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    folder = options.build + "-fuzzers"
    build(folder)
    died = 0
    for name in PROGRAMS:
        count, lived = run(name, folder, options)
        died += not lived
        print(f"  {count:>12,} inputs: {name}" + ("" if lived else ", DIED"),
              flush=True)
    return 1 if died else 0


if __name__ == "__main__":
    sys.exit(main())
