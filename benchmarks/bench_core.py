"""The compile core against compilers: times, code, cache and memory."""

import os
import statistics
import subprocess
import sys
import sysconfig
import tempfile

from core import texts
from run import row

ROUNDS = 15
CPU_FLAGS = ["-O3", "-march=native"]


class Core:
    """The measuring process; see core/Main.cpp."""

    def __init__(self, build):
        program = os.path.join(build, "benchmarks", "bench-core")
        environment = dict(os.environ, PYTHONHOME=sys.base_prefix)
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, env=environment)

    def ask(self, *words):
        print(*words, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError("bench-core ended at: " + " ".join(words))
        return answer.strip()

    def number(self, *words):
        return float(self.ask(*words))

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def include_flags():
    import numpy
    return ["-I" + sysconfig.get_paths()["include"],
            "-I" + numpy.get_include()]


class Workshop:
    """A folder of texts, each new, and the processes that compile them."""

    def __init__(self, folder):
        self.folder = folder
        self.count = 0

    def file(self, text, ending):
        self.count += 1
        path = os.path.join(self.folder, f"t{self.count}{ending}")
        with open(path, "w") as out:
            out.write(text.replace("UNIQUE", str(self.count)))
        return path

    def library(self, compiler, text, ending, *flags):
        """Compiles in a process; returns the library and the milliseconds."""
        import time
        source = self.file(text, ending)
        target = source + ".so"
        command = [compiler, "-shared", "-fPIC", "-w", *include_flags(),
                   *flags, source, "-o", target]
        begin = time.perf_counter()
        subprocess.run(command, check=True)
        return target, (time.perf_counter() - begin) * 1e3


def compile_rows(core, shop):
    """The same text by ours and by a compiler process, in turns."""
    plans = [("C++ text, fast", "c++", "fast", "g++", 55),
             ("C++ text, default", "c++", "default", "g++", 34),
             ("C text, fast", "c", "fast", "gcc", 28)]
    out = []
    for name, language, tier, rival, target in plans:
        text = texts.block(language)
        ending = ".cpp" if language == "c++" else ".c"
        mine, theirs = [], []
        core.ask("compile", language, tier, "python", shop.file(text, ending))
        for _ in range(ROUNDS):
            # The first one after a compiler process finds cold caches; the
            # next ones are what a program with many texts sees.
            for _ in range(5):
                mine.append(core.number("compile", language, tier, "python",
                                        shop.file(text, ending)))
            theirs.append(shop.library(rival, text, ending, "-O2")[1])
        ours, other = statistics.median(mine), statistics.median(theirs)
        out.append(row(name, ours, other, rival + " -O2 -shared", "ms",
                       f">= {target} times faster", other / ours >= target))
    return out


def tcc_rows(core, shop):
    text = texts.block("c", headers=False)
    mine, theirs = [], []
    core.ask("compile", "c", "fast", "none", shop.file(text, ".c"))
    for _ in range(4 * ROUNDS):
        mine.append(core.number("compile", "c", "fast", "none",
                                shop.file(text, ".c")))
        theirs.append(core.number("tcc", shop.file(text, ".c")))
    ours, other = statistics.median(mine), statistics.median(theirs)
    out = [row("C text without headers, fast", ours, other, "libtcc", "ms",
               "<= 15 times slower", ours / other <= 15)]
    core.ask("load", "fast", "block", "ours", "c", "fast", "none",
             shop.file(text, ".c"))
    core.ask("load", "tcc", "block", "tcc", shop.file(text, ".c"))
    ours, other = in_turns(core, "call-block", "fast", "tcc", 200000)
    out.append(row("its code, one call", ours, other, "libtcc", "ns",
                   "<= 1.0 times the time", ours <= other))
    return out


def in_turns(core, command, mine, theirs, *arguments, rounds=15):
    times = {mine: [], theirs: []}
    for _ in range(rounds):
        for name in (mine, theirs):
            times[name].append(core.number(command, name,
                                           *map(str, arguments)))
    return statistics.median(times[mine]), statistics.median(times[theirs])


def code_rows(core, shop):
    out = []
    text = texts.block("c++")
    library, _ = shop.library("g++", text, ".cpp", "-O2")
    core.ask("load", "g++", "block", "so", library)
    core.ask("load", "ours", "block", "ours", "c++", "default", "python",
             shop.file(text, ".cpp"))
    ours, other = in_turns(core, "call-block", "ours", "g++", 500000)
    out.append(row("code of default, one call of the block", ours, other,
                   "g++ -O2", "ns", "<= 1.0 times the time", ours <= other))
    core.ask("load", "max", "loop", "ours", "c", "max", "none",
             shop.file(texts.loop(), ".c"))
    for flags, target in (([], 4.5), (["-ffast-math"], 0.95)):
        library, _ = shop.library("g++", texts.loop("c++"), ".cpp", *CPU_FLAGS,
                                  *flags)
        name = " ".join(["g++", *CPU_FLAGS, *flags])
        core.ask("load", name.replace(" ", ""), "loop", "so", library)
        ours, other = in_turns(core, "call-loop", "max",
                               name.replace(" ", ""), 100000, 50)
        out.append(row("tanh(x*y+exp(-z)) over 1e5 doubles, max", ours, other,
                       name, "us", f">= {target} times faster",
                       other / ours >= target))
    return out


def cache_rows(core, shop):
    text = texts.block("c")
    library, _ = shop.library("gcc", text, ".c", "-O2")
    source = shop.file(text, ".c")
    memory, disk, rival = [], [], []
    for _ in range(5):
        memory.append(core.number("hit-memory", "c", "default", "python",
                                  source, "300"))
        disk.append(core.number("hit-disk", "c", "default", "python", source,
                                "300", os.path.join(shop.folder, "cache")))
        rival.append(core.number("dlopen", library, "300"))
    memory, disk, rival = map(statistics.median, (memory, disk, rival))
    return [row("cached in memory, key to pointer", memory, rival,
                "dlopen + dlsym", "ms", "<= 0.001 ms", memory <= 0.001),
            row("cached on disk, key to pointer", disk, rival,
                "dlopen + dlsym", "ms", "<= 0.03 ms", disk <= 0.03)]


def memory_rows(build, shop):
    core = Core(build)
    each, mappings, _, kept, left = map(float, core.ask(
        "keep-alive", "c", "default", "python",
        shop.file(texts.block("c"), ".c"), "100000").split())
    core.close()
    count = 100000 if os.environ.get("CLINCH_BENCH_FULL") else 10000
    core = Core(build)
    grown = core.number("churn", "c", "fast", "none",
                        shop.file(texts.block("c", headers=False), ".c"),
                        str(count))
    core.close()
    return [row("memory of a live function, 100,000 live", each, None, None,
                "bytes", "<= 1,500 bytes", each <= 1500),
            row("mappings that 100,000 live functions take", mappings, 200000,
                "JITLink's own memory", "", "< 200", mappings < 200),
            row("resident when they are released", kept / 1e6, left / 1e6,
                "and malloc has trimmed", "MB", "<= 5 MB more than before",
                kept <= 5e6),
            row(f"resident after {count:,} compiled and released", grown / 1e6,
                None, None, "MB", "<= 10 MB more than after 1,000",
                grown <= 10e6)]


def load_rows(build, shop):
    """Loads and releases: one after another, and by several threads."""
    core = Core(build)
    ask = ["load-and-release", "c", "default", "python",
           shop.file(texts.block("c"), ".c")]
    _, grown = map(float, core.ask(*ask, "100000", "1").split())
    times = {1: [], 4: []}
    for _ in range(5):
        for threads, taken in times.items():
            taken.append(float(core.ask(*ask, str(20000 // threads),
                                        str(threads)).split()[0]))
    core.close()
    one, four = (statistics.median(taken) for taken in times.values())
    return [row("resident after 100,000 loaded and released", grown / 1e6,
                None, None, "MB", "<= 1 MB more than after 1,000",
                grown <= 1e6),
            row("load and release by 4 threads at once, each", four, one,
                "by one thread", "us", "<= 1.1 times the time",
                four <= 1.1 * one)]


def warm_rows(build, shop):
    """What cached code costs a new process that does nothing else."""
    command = [os.path.join(build, "benchmarks", "bench-warm"),
               os.path.join(build, "lib", "libclinch-compiler.so"),
               os.path.join(shop.folder, "warm")]
    runs = []
    for _ in range(ROUNDS + 1):
        answer = subprocess.run(command, capture_output=True, text=True,
                                check=True)
        runs.append(list(map(float, answer.stdout.split())))
    # The first run compiled.
    runtime, loading, first, second, megabytes = map(statistics.median,
                                                     zip(*runs[1:]))
    ours = loading + first - second
    return [row("a new process: the library and its first link", ours,
                ours + runtime, "with libstdc++", "ms", "<= 1 ms", ours <= 1),
            row("a new process: all of that, in memory", megabytes, None, None,
                "MB", "<= 4 MB", megabytes <= 4)]


def first_rows(build, shop):
    program = os.path.join(build, "benchmarks", "bench-first")
    text = texts.block("c")
    mine, theirs = [], []
    for _ in range(ROUNDS):
        answer = subprocess.run([program, shop.file(text, ".c"), "fast"],
                                capture_output=True, text=True, check=True)
        mine.append(float(answer.stdout))
        theirs.append(shop.library("gcc", text, ".c", "-O2")[1])
    ours, other = statistics.median(mine), statistics.median(theirs)
    return [row("a process's first compile, from main on", ours, other,
                "gcc -O2 -shared", "ms", "<= 12 ms", ours <= 12)]


def rows(build):
    with tempfile.TemporaryDirectory() as folder:
        shop = Workshop(folder)
        core = Core(build)
        out = compile_rows(core, shop) + tcc_rows(core, shop)
        out += code_rows(core, shop) + cache_rows(core, shop)
        core.close()
        return (out + first_rows(build, shop) + warm_rows(build, shop) +
                memory_rows(build, shop) + load_rows(build, shop))
