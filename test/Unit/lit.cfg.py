"""The GoogleTest programs of build/unittests."""

import os
import sys

import lit.formats

sys.path.insert(0, os.path.join(config.clinch_source, "test"))
import sanitizers

config.name = "Clinch-Unit"
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.suffixes = []
config.test_exec_root = os.path.join(config.clinch_build, "unittests")
config.test_source_root = config.test_exec_root
config.environment["PYTHONPATH"] = os.path.join(config.clinch_build, "python")
config.environment["CLINCH_CACHE_DIR"] = os.path.join(
    config.test_exec_root, "cache")
for name in ("HOME", "PATH"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.environment.update(
    sanitizers.environment(config.clinch_build, leaks=True))
