"""Thread-local variables: whose memory they are, and the variables of shared libraries."""

import ctypes
import gc
import queue
import threading

import pytest

import clinch


def megabytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4 // 1024


BUFFER = """
static _Thread_local char buffer[4 << 20];
static _Thread_local int count = 7;
int f(void) {
  for (int i = 0; i < sizeof buffer; i += 4096)
    buffer[i] = NUMBER;
  return ++count;
}
"""


@pytest.fixture
def worker():
    """Calls functions on a thread that goes on."""
    calls, results = queue.Queue(), queue.Queue()

    def run():
        while (call := calls.get()) is not None:
            results.put(call())
            del call

    thread = threading.Thread(target=run)
    thread.start()
    yield lambda call: (calls.put(call), results.get(timeout=300))[1]
    calls.put(None)
    thread.join()


def test_memory_goes_with_the_code(worker):
    """It was kept until the thread ended: 4 MB for each text."""
    def load(number):
        code = clinch.compile(BUFFER.replace("NUMBER", str(number)), tier="fast")
        assert (code.f(), code.f()) == (8, 9)
        assert worker(lambda: code.f()) == 8
        assert code.f() == 10

    load(1)
    gc.collect()
    before = megabytes()
    for number in range(2, 12):
        load(number)
        gc.collect()
    assert megabytes() - before < 40  # Of 80.


def test_code_that_stays_keeps_its_values(worker):
    text = "static _Thread_local int count = BEGIN; int f(void) { return ++count; }"
    stays = clinch.compile(text.replace("BEGIN", "10"))
    assert (stays.f(), worker(stays.f)) == (11, 11)
    for begin in (20, 30, 40):
        goes = clinch.compile(text.replace("BEGIN", str(begin)))
        assert (goes.f(), worker(goes.f)) == (begin + 1, begin + 1)
        del goes
        gc.collect()
    assert (stays.f(), worker(stays.f)) == (12, 12)


def test_of_the_cxx_library():
    """`std::call_once` and futures have some in libstdc++.so."""
    code = clinch.compile("""
        #include <future>
        #include <mutex>
        extern "C" int once() {
          std::once_flag flag;
          int n = 0;
          for (int i = 0; i < 3; ++i)
            std::call_once(flag, [&] { ++n; });
          return n;
        }
        extern "C" int async() {
          return std::async(std::launch::async, [] { return 3; }).get();
        }
        extern "C" int promise() {
          std::promise<int> p;
          p.set_value(4);
          return p.get_future().get();
        }
    """, language="c++")
    assert (code.once(), code.async_() if hasattr(code, "async_") else code["async"](),
            code.promise()) == (1, 3, 4)


def test_each_thread_has_its_own_of_a_library(worker):
    text = "extern _Thread_local int errno; int *f(void) { return &errno; }"
    code = clinch.compile(text)
    location = ctypes.CDLL(None).__errno_location
    location.restype = ctypes.c_void_p
    address = ctypes.cast(code.lookup("f"), ctypes.c_void_p).value
    place = ctypes.CFUNCTYPE(ctypes.c_void_p)(address)
    assert place() == location()
    assert worker(lambda: (place() == location(), place())) != (True, place())


def test_what_no_thread_has_is_missing():
    with pytest.raises(clinch.LinkError, match="`__emutls_v.environ`"):
        clinch.compile("extern _Thread_local char **environ; char **f(void) { return environ; }")
