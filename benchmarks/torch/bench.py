"""PyTorch's first calls for the processor, on Clinch and on g++.

  bench.py [--output FILE] [a model]

Each model is compiled in a process of its own with empty caches ("cold"), and in a second
one that finds what the first left on the disk ("warm"); `load_inline` of two functions
likewise. Seconds of a call, wall and processor's, and microseconds of a later call.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

INLINE = """
torch::Tensor twice(torch::Tensor x) { return x * 2; }
torch::Tensor less(torch::Tensor x, double y) { return x - y; }
"""


def processor_time():
    return sum(os.times()[:4])


def compiled(name):
    import torch
    from models import MODELS
    torch.manual_seed(0)
    if name == "load_inline":
        from torch.utils.cpp_extension import load_inline
        made = load_inline("measured", INLINE, functions=["twice", "less"])
        return lambda x: made.less(made.twice(x), 1.0), (torch.ones(10),)
    function, given = MODELS[name]()
    return torch.compile(function), given


def measure(name, compiler):
    """Prints what the process of one model measures."""
    import torch
    if compiler == "clinch":
        import clinch.torch  # noqa: F401
    torch.set_num_threads(2)
    torch._dynamo.reset()
    wall, used = time.perf_counter(), processor_time()
    function, given = compiled(name)
    function(*given)
    wall, used = time.perf_counter() - wall, processor_time() - used
    times = []
    for _ in range(30):
        start = time.perf_counter()
        for _ in range(10):
            function(*given)
        times.append((time.perf_counter() - start) / 10)
    print(json.dumps({"wall": wall, "used": used, "call": statistics.median(times) * 1e6}))


def run(name, compiler, folder):
    environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": f"{folder}/inductor",
                   "TORCH_EXTENSIONS_DIR": f"{folder}/extensions", "CCACHE_DISABLE": "1",
                   "CLINCH_CACHE_DIR": f"{folder}/clinch", "HOME": folder}
    ran = subprocess.run([sys.executable, __file__, "--measure", compiler, name],
                         check=True, env=environment, stdout=subprocess.PIPE)
    return json.loads(ran.stdout.splitlines()[-1])


def main():
    from models import MODELS
    parser = argparse.ArgumentParser()
    parser.add_argument("--output")
    parser.add_argument("--measure")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    if given.measure:
        return measure(given.names[0], given.measure)
    results = {}
    print(f"{'':15}{'cold':>18}{'warm':>18}{'call, us':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for name in given.names or [*MODELS, "load_inline"]:
            for compiler in ("clinch", "g++"):
                cold, warm = (run(name, compiler, f"{folder}/{compiler}")
                              for _ in range(2))
                results[f"{name}/{compiler}"] = cold, warm
                print(f"{name if compiler == 'clinch' else '':15}{compiler:>7}"
                      f"{cold['wall']:6.2f}{cold['used']:6.2f}{warm['wall']:8.2f}"
                      f"{warm['used']:6.2f}{warm['call']:12.1f}", flush=True)
    if given.output:
        with open(given.output, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
