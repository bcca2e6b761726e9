#!/usr/bin/env python3
"""Everything that looks for what nobody thought of, one after another, each for
its part of the time; then what came of each.

    soak.py [--minutes N | --whole] [--seed N] [--build FOLDER] [NAME...]

SEARCHES names them: a search is a command, with {amount}, {seed} and {build} in it,
that ends with status 0 if it found nothing. What it prints last is its figures. With
--whole each goes on until it has done what the table of
docs/internals/reliability.md says, which takes hours.
"""

import argparse
import os
import subprocess
import sys
import time

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
FUZZ = "test/Fuzz/fuzz.py --build {build} {amount} --seed {seed} "
#: Those that run in four ways otherwise: see test/Python/ways.py.
TESTS = "one_text", "cleanup_sees", "python_names", "what_ops_leave"
SEARCHES = {
    "ways": "-m pytest -q -p no:cacheprovider "
            + " ".join(f"test/Python/test_{name}.py" for name in TESTS),
    "loops": FUZZ + "loop_search",
    "graphs": FUZZ + "graph_search",
    "flags": FUZZ + "flag_search",
    "texts": FUZZ + "text_search",
    "data": FUZZ + "data_search",
    "undefined": FUZZ + "undefined_search",
    "kernels": FUZZ + "kernel_search",
    "programs": FUZZ + "csmith_search",
    "forks": FUZZ + "fork_search",
    "cache": FUZZ + "cache_search",
    "inputs": FUZZ + "input_search",
    "pickles": FUZZ + "pickle_search",
    "prompt": FUZZ + "prompt_search",
    "jit": FUZZ + "jit_search",
    "life": FUZZ + "life_search",
    "nomemory": FUZZ + "nomemory_search",
    "bytes": "test/Fuzz/byte_fuzzers.py --build {build} {amount} --seed {seed}",
}
#: What takes long or needs packages of PyPI's runs by its name alone.
OTHERS = {
    "arrays": FUZZ + "array_search",
    "pytensor": "scripts/suite.sh {build} pytensor-search {amount} --seed {seed}",
}
#: The whole of each: a million comparisons of graphs, texts; 10,000 forks; and so on.
WHOLE = {
    "loops": "--cases 1200",
    "graphs": "--cases 2400",
    "flags": "--cases 100000",
    "texts": "--cases 40000",
    "data": "--cases 2000",
    "undefined": "--cases 20000",
    "kernels": "--cases 2000",
    "programs": "--cases 1000",
    "forks": "--cases 500",
    "cache": "--cases 3300",
    "inputs": "--cases 2000",
    "pickles": "--cases 500",
    "prompt": "--cases 35",
    "jit": "--cases 100000",
    "life": "--minutes 60 --jobs 1",
    "nomemory": "--cases 200",
    "bytes": "--inputs 100000000",
}


def amount(name, options):
    """How much of it, as its command line says it."""
    if options.whole:
        return WHOLE.get(name, "--minutes 60")
    part = options.minutes / len(options.names)
    return f"--seconds {int(60 * part)}" if name == "bytes" else f"--minutes {part}"


def run(name, options):
    """The status of one search; what it prints goes on as it comes."""
    environment = dict(os.environ, CLINCH_ALL_WAYS="1",
                       PYTHONPATH=os.path.join(options.build, "python"))
    words = {**SEARCHES, **OTHERS}[name].format(
        build=options.build, seed=options.seed,
        amount=amount(name, options)).split()
    if not words[0].endswith(".sh"):
        words.insert(0, sys.executable)
    print(f"== {name}", flush=True)
    began = time.monotonic()
    status = subprocess.call(words, cwd=SOURCE, env=environment)
    print(f"== {name}: status {status} after "
          f"{time.monotonic() - began:,.0f} s", flush=True)
    return status


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9)
    parser.add_argument("--build", default="build")
    parser.add_argument("names", nargs="*", default=list(SEARCHES))
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    for name in options.names:
        if name not in SEARCHES and name not in OTHERS:
            parser.error(f"there is no search `{name}`; there are "
                         f"{', '.join([*SEARCHES, *OTHERS])}")
    statuses = {name: run(name, options) for name in options.names}
    failed = [name for name in statuses if statuses[name]]
    print(f"seed {options.seed}: {len(options.names) - len(failed)} searches "
          f"found nothing, {len(failed)} found something: "
          f"{', '.join(failed) or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
