"""What is changed in PyMC and nutpie, in both orders of import, and that it is gone."""

import subprocess
import sys

import pytest

NAMES = """
def ours():
    import pymc.sampling.mcmc as mcmc, nutpie
    print(*(hasattr(f, "__wrapped__") for f in
            (mcmc._sample_external_nuts, nutpie.compile_pymc_model)))
"""
SCRIPT = """
{imports}
ours()
import sys
awaits = [type(finder).__name__ for finder in sys.meta_path].count("_Finder")
clinch.pytensor.unuse()
ours()
print(awaits, [type(finder).__name__ for finder in sys.meta_path].count("_Finder"))
clinch.pytensor.use()
ours()
text = open("docs/internals/upstream.md").read()
print([place for place, *_ in clinch.pytensor.patches()
       if not place.startswith("pytensor.") and f"`{{place}}`" not in text])
"""


@pytest.mark.parametrize(
    "imports",
    [
        "import clinch.pytensor, pymc, nutpie",
        "import pymc, nutpie, clinch.pytensor",
        # As PyMC 6.4 does where it is imported.
        "import clinch.pytensor, importlib.util\n"
        "assert importlib.util.find_spec('nutpie').loader.get_source('nutpie')\n"
        "import pymc, nutpie",
    ],
)
def test_what_is_changed_is_undone(imports):
    done = subprocess.run(
        [sys.executable, "-c", NAMES + SCRIPT.format(imports=imports)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    first = int(imports.startswith("import clinch"))
    assert done.stdout.splitlines() == [
        "True True",
        "False False",
        f"{first} 0",
        "True True",
        "['sys.meta_path']",
    ]
