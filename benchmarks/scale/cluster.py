"""A PyTensor function on workers of Dask, as on machines that share no folder."""

import os
import pickle
import sys
import tempfile
import time

import distributed

WORKERS = 8
# Our linker, and what it is compared with: its name, how often ours must fit into it.
RIVALS = {"cvm": ("g++", 20), "NUMBA": ("Numba", 10)}


def prepare(folder, mode):
    """Gives a worker caches of its own, and imports what it needs."""
    assert "pytensor" not in sys.modules
    own = os.path.join(folder, f"worker-{os.getpid()}")
    os.environ["CLINCH_CACHE_DIR"] = os.path.join(own, "clinch")
    os.environ["PYTENSOR_FLAGS"] = f"base_compiledir={own},numba__cache=False"
    __import__({"CLINCH": "clinch.pytensor", "NUMBA": "numba"}.get(mode, "pytensor"))
    import pytensor.tensor  # noqa: F401
    if mode == "NUMBA":
        import pytensor.link.numba.dispatch  # noqa: F401


def compute(data, values):
    """What a task does: the function as it was sent, called once."""
    return [float(result.sum()) for result in pickle.loads(data)(*values)]


def made(mode):
    """A pickle of the function, and the values to call it with."""
    import pytensor
    from model import hierarchical_regression
    if mode == "CLINCH":
        import clinch.pytensor  # noqa: F401
    inputs, outputs, values = hierarchical_regression()
    function = pytensor.function(inputs, outputs, mode=mode)
    expected = [float(result.sum()) for result in function(*values)]
    return pickle.dumps(function), values, expected


def until_all_compute(mode):
    """Seconds from the submission until each worker has computed."""
    data, values, expected = made(mode)
    with (
        tempfile.TemporaryDirectory() as folder,
        distributed.LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.wait_for_workers(WORKERS)
        client.run(prepare, folder, mode)
        workers = list(client.scheduler_info(n_workers=-1)["workers"])
        begin = time.perf_counter()
        tasks = [
            client.submit(compute, data, values, workers=[worker], pure=False)
            for worker in workers
        ]
        results = client.gather(tasks)
        elapsed = time.perf_counter() - begin
    for result in results:
        for item, wanted in zip(result, expected, strict=True):
            assert abs(item - wanted) <= 1e-9 * abs(wanted)
    assert len(results) == WORKERS
    return elapsed


def measure(table):
    ours = until_all_compute("CLINCH")
    for mode, (rival, target) in RIVALS.items():
        table.add(
            f"a PyTensor function on {WORKERS} Dask workers",
            ours, until_all_compute(mode), rival, target, "s",
        )
