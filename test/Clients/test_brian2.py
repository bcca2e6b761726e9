"""`clinch.brian2`, where no program can be found: slices of Brian2's own tests, and what
they do not ask. `brian2.test(codegen_targets=["clinch"])` is all of them."""

import os
import subprocess
import sys

import pytest

pytest.importorskip("brian2", reason="Brian2 is not installed")

ALL = """
import sys, brian2, clinch.brian2
sys.exit(not brian2.test(codegen_targets=["clinch"], test_codegen_independent=False,
                         additional_args=["-p", "no:cacheprovider", "-k", sys.argv[1]]))
"""
#: All that grows, and no random number: those come in another order in Python.
NETWORK = """
import sys
from brian2 import *
if sys.argv[1] == "clinch":
    import clinch.brian2
prefs.codegen.target = sys.argv[1]
group = NeuronGroup(90, '''dv/dt = (2 - v) / tau : 1 (unless refractory)
                           tau : second (constant)
                           n : integer
                           data = 2 * item : 1''',
                    threshold='v > 1', reset='v = 0; n += 1', refractory=1*ms,
                    method='euler')
item, number, array = 0.75, 2, 7  # Names that the blocks' own header has, too.
group.v, group.tau = 'i / 100', '5*ms + 5*ms * i / N'
synapses = Synapses(group, group, 'w : 1', on_pre='v_post += w', delay=1*ms,
                    multisynaptic_index='k')
synapses.connect(condition='i != j and (i + j) % 9 == 0', n=2)
synapses.connect(i=[1, 2], j=[3, 4])
synapses.connect(j='i + l for l in range(1, 3) if i < number + 3')
synapses.w = '0.001 * (i % 7)'
spikes, states = SpikeMonitor(group, variables='n'), StateMonitor(group, 'v', record=[1, 5])
rates = PopulationRateMonitor(group[:50])
run(20*ms)
run(20*ms)
print(len(synapses), synapses.N_incoming[:4], synapses.k[:], synapses.w['i < 3'][-3:],
      group.data[:2], group.i['i > array * item'][0])
print(spikes.num_spikes, spikes.i[-5:], spikes.n[-5:], rates.rate[-3:], states.v[:, -2:])
print(group.i['v > 0.5 and n % 2 == 1'], group.n[:10])
"""


def ran(tmp_path, code, *arguments, path=""):
    environment = {**os.environ, "PATH": path, "HOME": str(tmp_path)}
    return subprocess.run([sys.executable, "-c", code, *arguments], cwd=tmp_path, text=True,
                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def test_the_numbers_are_those_of_brian2_in_python(tmp_path):
    found = [ran(tmp_path, NETWORK, which) for which in ("clinch", "numpy")]
    assert found[0].returncode == 0, found[0].stdout
    assert found[0].stdout == found[1].stdout


@pytest.mark.parametrize("slice", [
    "test_monitor", "test_spikegenerator or test_stateupdaters", "test_spatialneuron",
    "test_timedarray or test_poissongroup or test_poissoninput or test_subgroup"])
def test_brian2s_own(slice, tmp_path):
    made = ran(tmp_path, ALL, slice)
    assert made.returncode == 0, made.stdout


def test_an_error_is_told(tmp_path):
    code = """
from brian2 import *
import clinch.brian2
prefs.codegen.target = "clinch"
synapses = Synapses(NeuronGroup(3, "v : 1"), NeuronGroup(3, "v : 1"))
synapses.connect(j="i + 2")
"""
    made = ran(tmp_path, code)
    assert made.returncode and "IndexError" in made.stdout, made.stdout
    assert "j=3 outside allowed range 0 to 2" in made.stdout
