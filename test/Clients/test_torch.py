"""PyTorch for the processor with `clinch.torch`; each test is a process of its own, where
no program can be found."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

MODELS = Path(__file__).parents[2] / "benchmarks" / "torch"
BEFORE = """
import json, os, sys
import torch
import clinch.torch
torch.manual_seed(0)
"""


@pytest.fixture
def ran(tmp_path):
    def run(code, *arguments, check=True, **environment):
        made = subprocess.run(
            [sys.executable, "-c", BEFORE + code, *arguments], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, cwd=tmp_path,
            env={**os.environ, "PATH": str(tmp_path / "empty"), "HOME": str(tmp_path),
                 "TORCHINDUCTOR_CACHE_DIR": str(tmp_path / "inductor"),
                 "TORCH_EXTENSIONS_DIR": str(tmp_path / "extensions"), **environment})
        assert made.returncode == 0 or not check, made.stderr
        return json.loads(made.stdout.splitlines()[-1]) if check else made.stderr
    return run


@pytest.mark.parametrize("name", ["mlp", "cnn", "black_scholes", "reductions", "encoder",
                                  "training"])
def test_a_model_gives_what_it_gives_uncompiled(ran, name):
    assert ran("""
sys.path.insert(0, sys.argv[1])
from models import MODELS
function, given = MODELS[sys.argv[2]]()
right, made = function(*given), torch.compile(function)(*given)
for one, other in zip(made, right, strict=True) if isinstance(right, tuple) else [(made, right)]:
    torch.testing.assert_close(one, other, atol=2e-4, rtol=1e-4 if one.dtype != torch.bfloat16 else 1e-2)
print("true")
""", str(MODELS), name)


def test_many_threads_compute_and_compile(ran):
    """Two loops on two threads of torch's OpenMP, compiled on threads of its own."""
    threads, files = ran("""
torch.set_num_threads(3)
torch._inductor.config.compile_threads = 3
x = torch.randn(300000)
f = torch.compile(lambda x: (torch.sin(x) + 1, torch.cos(x).cumsum(0), x.sum()))
torch.testing.assert_close(f(x), (torch.sin(x) + 1, torch.cos(x).cumsum(0), x.sum()),
                           atol=1e-2, rtol=1e-4)
with open("/proc/self/maps") as file:
    files = sorted({line.split()[-1] for line in file if "omp" in line.split()[-1][-14:]})
print(json.dumps([torch.get_num_threads(), files]))
""")
    assert threads == 3
    assert len(files) == 1 and "libgomp" in files[0]


def test_a_second_process_compiles_nothing(ran):
    code = """
from clinch import _clinch
f = torch.compile(lambda x: torch.tanh(x) * 2)
x = torch.linspace(0, 1, 1000)
torch.testing.assert_close(f(x), torch.tanh(x) * 2)
with open("/proc/self/maps") as file:
    print(json.dumps("libclinch-engine" in file.read()))
"""
    assert ran(code) is True
    assert ran(code) is False


def test_the_wrapper_in_cpp(ran):
    """Inductor's `cpp_wrapper` is two texts that are linked."""
    assert ran("""
torch._inductor.config.cpp_wrapper = True
f = torch.compile(lambda x, y: (x @ y).relu() + 1)
x, y = torch.randn(5, 6), torch.randn(6, 7)
torch.testing.assert_close(f(x, y), (x @ y).relu() + 1)
print("true")
""")


INLINE = '''
torch::Tensor twice(torch::Tensor x) {
  TORCH_CHECK(x.dim() == 1, "one dimension, not ", x.dim());
  return x * 2;
}
'''


def test_load_inline(ran):
    twice, message, again = ran("""
from torch.utils.cpp_extension import load_inline
m = load_inline("inline_one", sys.argv[1], functions=["twice"])
try:
    m.twice(torch.ones(2, 2))
except RuntimeError as error:
    message = str(error)
n = load_inline("inline_one", sys.argv[1].replace("* 2", "* 3"), functions=["twice"])
print(json.dumps([m.twice(torch.ones(2)).tolist(), message.splitlines()[0],
                  n.twice(torch.ones(2)).tolist()]))
""", INLINE)
    assert (twice, message, again) == ([2.0, 2.0], "one dimension, not 2", [3.0, 3.0])


def test_load_inline_of_operators(ran):
    """A library that is no module registers them when it is loaded."""
    assert ran("""
from torch.utils.cpp_extension import load_inline
load_inline("operators", sys.argv[1] + '''
TORCH_LIBRARY(clinch_test, m) { m.def("twice", twice); }
''', is_python_module=False)
print(json.dumps(torch.ops.clinch_test.twice(torch.ones(2)).tolist()))
""", INLINE) == [2.0, 2.0]


@pytest.mark.parametrize("code, said", [
    ("load_inline('wrong', 'int f() { return nothing; }', functions=['f'])",
     ["Error building extension 'wrong'", "undeclared identifier 'nothing'", "main.cpp"]),
    ("load_inline('device', '', cuda_sources='', with_cuda=True)",
     ["Clinch compiles C++ for the processor"]),
])
def test_errors_of_load_inline(ran, code, said):
    message = ran("from torch.utils.cpp_extension import load_inline\n" + code, check=False)
    for part in said:
        assert part in message
