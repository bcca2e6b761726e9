"""Functions in the hands of what spreads work: nothing of ours is in between."""

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import dask
import dask.array
import joblib
import numpy
import pytest
from distributed import Client, LocalCluster, as_completed
from dying import call, dying

import clinch
from clinch import function, vector


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """A cluster of two processes, each of one thread, killed ones made anew."""
    folder = str(tmp_path_factory.mktemp("dask"))
    dask.config.set({"distributed.scheduler.allowed-failures": 100})
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                      dashboard_address=None, local_directory=folder,
                      protocol="tcp") as cluster:
        with Client(cluster) as client:
            yield client


@pytest.fixture(scope="module")
def tanh():
    x = vector("x")
    return function([x], numpy.tanh(x) * 2.0, name="tanh2")


def counts():
    """What this process has compiled, and whether it has a compiler at all."""
    with open("/proc/self/maps") as maps:
        return clinch.cache_info()["compiles"], "libclinch-engine" in maps.read()


def test_map_blocks(client, tanh):
    values = numpy.linspace(-3.0, 3.0, 100_000)
    blocks = dask.array.from_array(values, chunks=1_000)
    result = blocks.map_blocks(tanh, dtype="float64").compute()
    assert (result == tanh(values)).all()


def test_workers_load_and_never_compile(client, tanh):
    client.gather(client.map(tanh, [numpy.ones(3)] * 20, pure=False))
    assert set(client.run(counts).values()) == {(0, False)}


def test_a_text(client):
    text = clinch.compile("double cube(double x) { return x * x * x; }")

    def cube(x):
        return text["double cube(double)"](x)
    assert client.gather(client.map(cube, [1.0, 2.0, 3.0])) == [1.0, 8.0, 27.0]
    assert set(client.run(counts).values()) == {(0, False)}


def running_worker(cluster):
    """The process of a worker that runs; one that was killed is made anew."""
    while True:
        for nanny in cluster.workers.values():
            if nanny.pid:
                return nanny.pid
        time.sleep(0.1)


def test_twenty_thousand_tasks_while_workers_are_killed(client, tanh):
    """Every result is there and right, whoever had to compute it again."""
    def task(n):
        return float(tanh(numpy.full(2, float(n % 200)))[1])
    futures = client.map(task, range(20_000), batch_size=1_000)
    for _ in range(3):
        done = as_completed(futures)
        for _ in range(100):
            next(done)
        os.kill(running_worker(client.cluster), signal.SIGKILL)
    results = client.gather(futures)
    expected = [float(tanh([float(n)])[0]) for n in range(200)]
    assert results == expected * 100


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_worker_that_dies_while_it_loads(client, tanh, tmp_path, moment):
    """The scheduler gives the task to another one."""
    mark = tmp_path / "died"
    value = numpy.linspace(-1.0, 1.0, 5)
    result = client.submit(call, dying(tanh, mark, moment), value).result()
    assert result.tolist() == tanh(value).tolist()
    assert mark.exists()


def test_a_pool_whose_worker_died_while_it_loaded(tanh, tmp_path):
    """That pool is broken and says so; the function goes to the next one."""
    function = dying(tanh, tmp_path / "died", "before")
    spawn = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=spawn) as pool:
        with pytest.raises(concurrent.futures.process.BrokenProcessPool):
            pool.submit(call, function, numpy.ones(2)).result()
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=spawn) as pool:
        result = pool.submit(call, function, numpy.ones(2)).result()
    assert result.tolist() == tanh(numpy.ones(2)).tolist()


def test_loky(tanh):
    results = joblib.Parallel(n_jobs=2, backend="loky")(
        joblib.delayed(tanh)(numpy.full(2, float(n))) for n in range(50))
    numpy.testing.assert_allclose([r[0] for r in results],
                                  2.0 * numpy.tanh(numpy.arange(50.0)),
                                  rtol=1e-14)


@pytest.mark.parametrize("start", ["spawn", "forkserver", "fork"])
def test_concurrent_futures(tanh, start):
    with concurrent.futures.ProcessPoolExecutor(
            2, mp_context=multiprocessing.get_context(start)) as pool:
        results = list(pool.map(tanh, [numpy.full(2, float(n))
                                       for n in range(50)]))
    numpy.testing.assert_allclose([r[0] for r in results],
                                  2.0 * numpy.tanh(numpy.arange(50.0)),
                                  rtol=1e-14)


def test_the_example_computes_in_processes():
    script = Path(__file__).parents[2] / "examples" / "dask_workers.py"
    result = subprocess.run([sys.executable, script], text=True, capture_output=True)
    assert (result.returncode, result.stdout) == (0, "[0.5, 1.0, 1.5]\n"), result.stderr
