"""Children of `fork` compile, whatever their parent was doing at that moment.

Each script forks again and again while its threads work. A child that hangs is
ended by its own alarm, which is a failure.
"""

import os
import subprocess
import sys

import pytest

BEGINNING = """
import os, random, signal, sys, threading, time
sys.path.insert(0, {folder!r})
import clinch
from clinch import double, function
from ways import CText
clinch.config.cache = False
random.seed({seed})

class Flagged(CText):
    def __init__(self, text, support, struct):
        super().__init__(text, support, struct)
        self.number = struct[4:-1]

    def c_compile_args(self, **kwargs):
        return ["-DNUMBER_" + self.number]

def make(number, length=1, op=CText, **how):
    x = double("x")
    text = "z = x + %d;" % number + "if (z < 0) z += 1;" * length
    return function([x], op(text)(x), clinch.Mode(**{{"tier": "fast", **how}}))

def child(number):
    signal.alarm(300)
    right = make(number)(1.0) == number + 1.0
    # What a crash of the host would meet is the host's again.
    mine = all(signal.getsignal(s) is signal.SIG_DFL for s in
               (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGABRT))
    with open("/proc/self/status") as status:
        caught = next(int(line.split()[1], 16) for line in status
                      if line.startswith("SigCgt"))
    ours = sum(caught >> (s - 1) & 1 for s in (4, 5, 6, 7, 8, 11))
    os._exit(0 if right and mine and not ours else 1)

def fork(number):
    made = os.fork()
    if not made:
        try:
            child(number)
        finally:
            os._exit(2)
    return made

def wait(children):
    ends = [os.waitpid(made, 0)[1] for made in children]
    assert not any(ends), ends

over = threading.Event()
def again(work):
    def run():
        number = 0
        while not over.is_set():
            number += 1
            work(number)
    thread = threading.Thread(target=run)
    thread.start()
    return thread
"""

ENDING = """
over.set()
print("end")
"""

# The first compile loads the engine.
LOADING = """
loading = threading.Thread(target=make, args=(-1,))
loading.start()
time.sleep({seed} * 0.003)
wait([fork(1)])
loading.join()
"""

COMPILING = """
make(-1)
threads = [again(lambda n: make(1000 * (t + 1) + n, 200)) for t in range(2)]
for n in range(12):
    time.sleep(random.uniform(0, 0.02))
    wait([fork(n)])
over.set()
for t in threads: t.join()
"""

# Flags that make Python's headers others have them precompiled once more.
HEADERS = """
make(-1)
def headers(n):
    make(1000 + n, op=lambda text: Flagged(text, "", "int i%d;" % n))
threads = [again(headers)]
for n in range(6):
    time.sleep(random.uniform(0, 0.3))
    wait([fork(n)])
over.set()
for t in threads: t.join()
"""

UPGRADING = """
for n in range(8):
    f = make(2000 + n, 500, tier="max", first_tier="fast")
    f(1.0), f(1.0)
    time.sleep(random.uniform(0, 0.05))
    made = os.fork()
    if not made:
        signal.alarm(300)
        ok = f.wait() and f.stats["code"] == "max" and f(1.0) == 2001.0 + n
        child(n) if ok else os._exit(1)
    wait([made])
"""

# Some go while others come; a child drops what it has, too.
RELEASING = """
kept = [make(-1 - n) for n in range(20)]
lock = threading.Lock()
def renew(n):
    with lock:
        kept[random.randrange(20)] = make(3000 + n)
threads = [again(renew), again(lambda n: make(-9000 - n % 3))]
for n in range(12):
    time.sleep(random.uniform(0, 0.02))
    made = os.fork()
    if not made:
        signal.alarm(300)
        kept = kept[0]
        child(n)
    wait([made])
over.set()
for t in threads: t.join()
"""


def run(text, seed):
    script = BEGINNING.format(folder=os.path.dirname(__file__), seed=seed)
    # From 3.12 on Python warns of what is done here.
    quiet = "ignore:This process:DeprecationWarning"
    return subprocess.run(
        [sys.executable, "-W", quiet, "-c", script + text.replace("{seed}", str(seed)) + ENDING],
        capture_output=True, text=True, timeout=600)


@pytest.mark.parametrize("seed", range(12))
def test_while_the_engine_is_loaded(seed):
    ended = run(LOADING, seed)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "end\n", "")


@pytest.mark.parametrize("text", [COMPILING, HEADERS, UPGRADING, RELEASING],
                         ids=["compiling", "headers", "upgrading", "releasing"])
def test_while_threads_work(text):
    ended = run(text, 1)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "end\n", "")


# Nothing of Clinch has run before: a child must not need what the parent's thread imports.
FIRST = """
import os, signal, sys, threading, time
import clinch
thread = threading.Thread(target=clinch.compile, args=("int f(void) { return 1; }",))
thread.start()
time.sleep(float(sys.argv[1]))
made = os.fork()
if not made:
    signal.alarm(300)
    os._exit(clinch.compile("int g(void) { return 2; }").g())
print(os.waitstatus_to_exitcode(os.waitpid(made, 0)[1]))
thread.join()
"""


@pytest.mark.parametrize("delay", ["0", "0.005", "0.01", "0.02", "0.04"])
def test_during_the_first_compile_of_a_process(delay):
    ended = subprocess.run([sys.executable, "-W", "ignore:This process:DeprecationWarning", "-c",
                            FIRST, delay], capture_output=True, text=True, timeout=600)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "2\n", "")
