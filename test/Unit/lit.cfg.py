"""The GoogleTest programs of build/unittests."""

import os

import lit.formats

config.name = "Clinch-Unit"
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.suffixes = []
config.test_exec_root = os.path.join(config.clinch_build, "unittests")
config.test_source_root = config.test_exec_root
config.environment["PYTHONPATH"] = os.path.join(config.clinch_build, "python")
config.environment["CLINCH_CACHE_DIR"] = os.path.join(
    config.test_exec_root, "cache")
for name in ("HOME", "PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
if config.sanitize:
    # The engine's threads bring alternate stacks of their own.
    config.environment.setdefault("ASAN_OPTIONS", "use_sigaltstack=0")
