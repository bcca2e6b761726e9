"""Functions in the hands of Ray, whose workers get them by pickle as Dask's do."""

import secrets
import shutil
import tempfile

import numpy
import pytest
import ray

import clinch
import dying
from clinch import function, vector


@pytest.fixture(scope="module", autouse=True)
def cluster():
    """Two workers. Paths of sockets are short, so pytest's folders will not do."""
    folder = tempfile.mkdtemp(prefix="ray-")
    ray.cloudpickle.register_pickle_by_value(dying)  # No module of a worker's.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False,
                 _temp_dir=folder)
        yield
        ray.shutdown()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def tanh():
    x = vector("x")
    return function([x], numpy.tanh(x) * 2.0, name="tanh2")


@ray.remote
def call(f, value):
    """A result, what this process has compiled, and whether it has a compiler."""
    with open("/proc/self/maps") as maps:
        return (f(value).tolist(), clinch.cache_info()["compiles"],
                "libclinch-engine" in maps.read())


def test_tasks_load_and_never_compile(tanh):
    values = [numpy.full(2, float(n)) for n in range(200)]
    there = ray.put(tanh)
    results = ray.get([call.remote(there, value) for value in values])
    assert results == [(tanh(value).tolist(), 0, False) for value in values]


def test_a_text():
    text = clinch.compile("double cube(double x) { return x * x * x; }")

    @ray.remote
    def cube(x):
        return text["double cube(double)"](x), clinch.cache_info()["compiles"]
    results = ray.get([cube.remote(x) for x in (1.0, 2.0, 3.0)])
    assert results == [(1.0, 0), (8.0, 0), (27.0, 0)]


def test_an_actor_keeps_its_function(tanh):
    @ray.remote
    class Keeper:
        def __init__(self, f):
            self.f = f

        def call(self, value):
            return self.f(value).tolist()
    keeper = Keeper.remote(tanh)
    value = numpy.linspace(-1.0, 1.0, 5)
    assert ray.get([keeper.call.remote(value)] * 3) == [tanh(value).tolist()] * 3


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_worker_that_dies_while_it_loads(tanh, tmp_path, moment):
    """Ray begins the task again in another one."""
    mark = tmp_path / "died"
    task = call.options(max_retries=1)
    result = ray.get(task.remote(dying.dying(tanh, mark, moment), numpy.ones(2)))
    assert result == (tanh(numpy.ones(2)).tolist(), 0, False)
    assert mark.exists()
