"""Sessions and emitted text, checked with FileCheck. One case is one file."""

import glob
import os
import shutil
import sys

import lit.formats

sys.path.insert(0, os.path.join(config.clinch_source, "test"))
import sanitizers

config.name = "Clinch"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".clinch", ".py", ".c", ".cpp", ".txt"]
config.excludes = ["Inputs", "CMakeLists.txt", "Clients", "Dask", "Fuzz", "Gpu", "Unit", "PyMC", "Wheel",
                   "Python", "PyTensor",
                   "lit.cfg.py", "lit.site.cfg.py", "sanitizers.py"]
config.test_source_root = os.path.join(config.clinch_source, "test")
config.test_exec_root = os.path.join(config.clinch_build, "test")

bin_dir = os.path.join(config.clinch_build, "bin")
config.environment["PATH"] = os.pathsep.join(
    [bin_dir, config.llvm_tools, "/usr/bin", "/bin"])
config.environment["CLINCH_CACHE_DIR"] = os.path.join(
    config.test_exec_root, "cache")
config.environment["PYTHONPATH"] = os.path.join(config.clinch_build, "python")
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
config.environment["LC_ALL"] = "C.UTF-8"
config.substitutions.append(("%python", config.python))
# The driver in both forms and languages, which must print the same.
config.substitutions.append(
    ("%every-way", f"{config.python} {config.clinch_source}/test/Inputs/every_way.py"))
config.substitutions.append(("%source", config.clinch_source))
config.substitutions.append(("%build", config.clinch_build))
config.substitutions.append(("%llvm-headers", glob.glob(os.path.join(
    config.llvm_tools, "..", "lib", "clang", "*", "include"))[0]))
environment = sanitizers.environment(config.clinch_build)
config.environment.update(environment)
if environment:
    config.available_features.add("sanitize")
config.substitutions.append(
    ("%preload", "LD_PRELOAD=" + environment.get("LD_PRELOAD", "")))

# A real browser for the pages that Clinch writes.
if shutil.which("chromium"):
    config.available_features.add("chromium")
