"""Functions and texts that come by pickle: what runs, what is compiled anew, and
what is said when neither can be."""

import os
import pickle
import subprocess
import sys
import threading

import numpy
import pytest

import clinch
from clinch import Mode, _clinch, double, function, vector
from clinch.build import pickling
from clinch.source import portable


@pytest.fixture
def arrives(monkeypatch):
    """Loads pickles as a process does that has seen none."""
    def load(data):
        for name in ("programs", "_requests"):
            monkeypatch.setattr(pickling, name, portable.RecentlyUsed())
        return pickle.loads(data)
    return load


@pytest.fixture
def elsewhere(monkeypatch, arrives):
    """Loads pickles as if on another processor, or under another build."""
    def load(data, build=None, processor=None):
        for name in ("code_origin", "text_origin"):
            def origin(of, real=getattr(_clinch, name)):
                made = real(of)
                return build or made[0], made[1] and (processor or made[1])
            monkeypatch.setattr(_clinch, name, origin)
        return arrives(data)
    return load


def half(**options):
    x = double("x")
    return function([x], x / 2.0, Mode(**options))


def without_graph(function):
    """Its pickle, as if its author's modules were not there."""
    load, (_, *rest) = function.__reduce__()
    return pickle.dumps(_Reduced(load, ("its author is away", *rest)))


class _Reduced:
    def __init__(self, *parts):
        self.parts = parts

    def __reduce__(self):
        return self.parts


def compiles():
    return clinch.cache_info()["compiles"]


def test_the_tier_says_whether_the_processor_matters():
    assert half(tier="fast").__reduce__()[1][2]["origin"][1] == ""
    for tier in ("default", "max"):
        optimised = half(tier=tier).__reduce__()[1][2]["origin"][1]
        assert optimised == _clinch.code_origin(None)[1] != ""


def test_what_any_processor_runs_is_not_compiled_again(elsewhere):
    data = pickle.dumps(half(tier="fast"))
    before = compiles()
    assert elsewhere(data, processor="another")(3.0) == 1.5
    assert compiles() == before


@pytest.mark.parametrize("pickled", [pickle.dumps, without_graph])
def test_another_processor_compiles_for_itself(elsewhere, pickled, monkeypatch):
    data = pickled(half(tier="max"))
    loads = []
    real = _clinch.load
    monkeypatch.setattr(_clinch, "load", lambda description, code: (
        loads.append(code), real(description, code))[1])
    assert elsewhere(data, processor="another")(3.0) == 1.5
    assert loads == [b""]  # The machine code was not used.


def test_another_processor_without_a_compiler_is_told(elsewhere, monkeypatch):
    data = without_graph(half(tier="max"))

    def load(description, code):
        raise OSError("The compiler cannot be loaded.")
    monkeypatch.setattr(_clinch, "load", load)
    with pytest.raises(RuntimeError) as caught:
        elsewhere(data, processor="another")
    assert str(caught.value) == (
        "this function cannot run here: its code was made for another "
        "processor, and there is no compiler here: The compiler cannot be "
        "loaded., and its graph, from which it would be compiled anew, cannot "
        "be loaded: its author is away")


def test_another_build_compiles_the_graph(elsewhere):
    f = half()
    g = elsewhere(pickle.dumps(f), build="Clinch 0.0.1")
    assert g(3.0) == 1.5 and g.inputs[0].name == "x"


def test_another_build_without_the_graph_is_told(elsewhere):
    data = without_graph(half())
    build = _clinch.code_origin(None)[0]
    with pytest.raises(RuntimeError) as caught:
        elsewhere(data, build="Clinch 0.0.1")
    assert str(caught.value) == (
        f"this function cannot run here: its code was made by another build of "
        f"Clinch ({build}; here it is Clinch 0.0.1), and its graph, from which "
        f"it would be compiled anew, cannot be loaded: its author is away")


def test_an_older_numpy_is_told(arrives, monkeypatch):
    load, (_, key, code, trust) = half().__reduce__()
    code = {**code, "numpy": "1.99.0"}
    monkeypatch.setattr(numpy, "__version__", "1.98.0")
    assert pickling.unfit(code["origin"], code["origin"], code["numpy"]) == (
        "its code was made for NumPy 1.99.0, and 1.98.0 does not run it")


def test_a_worker_loads_a_piece_once(monkeypatch):
    x = vector("x")
    data = pickle.dumps(function([x], numpy.tanh(x) * 3.0))
    loads = []
    real = _clinch.load
    monkeypatch.setattr(_clinch, "load", lambda *given: (
        loads.append(1), real(*given))[1])
    monkeypatch.setattr(pickling, "programs", portable.RecentlyUsed())
    monkeypatch.setattr(pickling, "_requests", portable.RecentlyUsed())
    for _ in range(50):
        f = pickle.loads(data)
        assert f([0.0]).tolist() == [0.0]
        del f
    assert len(loads) == 1


def test_the_code_is_packed_once(monkeypatch):
    """However often a function is pickled; for other options once more."""
    x = vector("x")
    f = function([x], x * numpy.linspace(0.0, 1.0, 3))
    described = []
    real = _clinch.describe
    monkeypatch.setattr(_clinch, "describe", lambda *given, **options: (
        described.append(options["disk_cache"]), real(*given, **options))[1])
    pickles = [pickle.dumps(f) for _ in range(20)]
    assert described == [True] and set(pickles) == {pickles[0]}
    monkeypatch.setattr(clinch.config, "cache", False)
    assert pickle.loads(pickle.dumps(f))([2.0, 2.0, 2.0]).tolist() == [0, 1, 2]
    assert described == [True, False]


def test_states_of_loaded_functions_are_their_own():
    x = vector("x")
    data = pickle.dumps(function([x], x + 1.0))
    f, g = pickle.loads(data), pickle.loads(data)
    a, b = f([1.0]), g([5.0])
    assert (a.tolist(), b.tolist()) == ([2.0], [6.0]) and f.thunk is not g.thunk


def test_what_is_kept_is_bounded():
    kept = portable.RecentlyUsed()
    for number in range(portable.KEPT + 5):
        kept.put(number, str(number))
    assert kept.get(4) is None and kept.get(5) == "5"


def test_threads_share_what_is_kept(monkeypatch):
    """One looks for what another is about to forget."""
    monkeypatch.setattr(portable, "KEPT", 2)
    kept, failures = portable.RecentlyUsed(), []

    def work():
        try:
            for number in range(3000):
                assert kept.get(number % 5) in (None, number % 5)
                kept.put(number % 5, number % 5)
        except BaseException as error:
            failures.append(error)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(before)
    assert failures == [] and len(kept._things) <= 2 + len(threads)


def test_an_op_of_no_module_leaves_its_graph_behind():
    class Local(clinch.COp):
        __props__ = ()

        def make_node(self, x):
            return clinch.Apply(self, [x], [x.type()])

        def c_code(self, node, name, inputs, outputs, sub):
            return f"{outputs[0]} = 7 * {inputs[0]};"

    x = double("x")
    g = pickle.loads(pickle.dumps(function([x], Local()(x))))
    assert g(2.0) == 14.0
    with pytest.raises(RuntimeError, match="this function was loaded without "
                       "its graph: Can't (pickle|get) local object"):
        g.emit("c")


def test_size():
    x, y = vector("x"), vector("y")
    f = function([x, y], numpy.tanh(x * y + numpy.exp(-x)))
    assert len(pickle.dumps(f)) <= 20_000


LOAD_AND_DIE = """if 1:
    import os, pickle, signal, sys
    import clinch, clinch.build.pickling
    data = open("pickle", "rb").read()
    assert "libclinch-engine" not in open("/proc/self/maps").read()

    def load(steps):
        '''Loads it in a child, which is killed after so many calls and returns of
        pickling.py; returns how it ended.'''
        child = os.fork()
        if child:
            return os.waitpid(child, 0)[1]

        def step(frame, event, argument):
            nonlocal steps
            steps -= frame.f_code.co_filename == clinch.build.pickling.__file__
            if steps == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        sys.setprofile(step)
        f = pickle.loads(data)
        sys.setprofile(None)
        os._exit(0 if f([0.0]).tolist() == [2.0] else 1)

    ends = []
    while not ends or ends[-1] != 0:
        ends.append(load(len(ends) + 1))
    print(set(ends[:-1]) == {signal.SIGKILL}, len(ends) > 20)
    print(pickle.loads(data)([0.0]).tolist(), clinch.cache_info()["compiles"])
"""


def test_a_worker_that_dies_at_any_step_of_a_load(tmp_path):
    """What it shares with the others, the cache's folder, is as it was."""
    x = vector("x")
    (tmp_path / "pickle").write_bytes(pickle.dumps(
        function([x], numpy.exp(x) + 1.0)))
    package = os.path.dirname(os.path.dirname(clinch.__file__))
    out = subprocess.run(
        [sys.executable, "-c", LOAD_AND_DIE], cwd=tmp_path, text=True,
        check=True, capture_output=True,
        env={**os.environ, "PYTHONPATH": package,
             "CLINCH_CACHE_DIR": str(tmp_path / "c")})
    assert out.stdout == "True True\n[2.0] 0\n"
    assert not any(os.scandir(tmp_path / "c"))


TEXT = "double twice(double x) { return 2 * x; }"


def test_a_text_travels_with_its_code(arrives):
    made = pickle.dumps(clinch.compile(TEXT, tier="max"))
    before = compiles()
    text = arrives(made)
    assert text["double twice(double)"](4.0) == 8.0
    assert compiles() == before
    assert pickle.loads(made) is text


def test_a_text_is_compiled_for_another_processor(elsewhere):
    made = pickle.dumps(clinch.compile(TEXT, tier="max"))
    assert elsewhere(made, processor="x")["double twice(double)"](4.0) == 8.0


def test_a_text_with_addresses_stays():
    text = clinch.compile("int f(void) { extern int here; return here; }",
                          symbols={"here": id(TEXT)})
    with pytest.raises(TypeError, match="a text that was linked with addresses "
                       "of this process"):
        pickle.dumps(text)


def test_a_worker_without_the_engine(tmp_path):
    """The library with Clang and LLVM is not there at all."""
    x = vector("x")
    f = function([x], numpy.exp(x) + 1.0)
    text = clinch.compile(TEXT)
    (tmp_path / "pickle").write_bytes(pickle.dumps((f, text)))
    script = """if 1:
        import pickle, sys
        import clinch
        f, text = pickle.load(open("pickle", "rb"))
        print(f([0.0]).tolist(), text["double twice(double)"](4.0))
        print("libclinch-engine" in open("/proc/self/maps").read())
    """
    package = os.path.dirname(os.path.dirname(clinch.__file__))
    out = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, text=True, check=True,
        capture_output=True, env={**os.environ, "PYTHONPATH": package,
                                  "CLINCH_CACHE_DIR": str(tmp_path / "c")})
    assert out.stdout == "[2.0] 8.0\nFalse\n"
