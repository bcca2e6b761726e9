"""Sessions and emitted text, checked with FileCheck. One case is one file."""

import os
import subprocess

import lit.formats

config.name = "Clinch"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".clinch", ".py", ".c", ".cpp", ".txt"]
config.excludes = ["Inputs", "CMakeLists.txt", "Unit", "Python", "PyTensor",
                   "lit.cfg.py", "lit.site.cfg.py"]
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
config.substitutions.append(("%source", config.clinch_source))
config.substitutions.append(("%build", config.clinch_build))
if config.sanitize:
    # Programs that are not instrumented load libraries that are. Python and
    # what it starts keep memory to their end: only the unit tests look for
    # leaks.
    config.available_features.add("sanitize")
    config.environment["LD_PRELOAD"] = " ".join(
        subprocess.run(["gcc", "-print-file-name=" + name],
                       capture_output=True, text=True).stdout.strip()
        for name in ("libasan.so", "libubsan.so"))
    # The engine's threads bring alternate stacks of their own.
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0:use_sigaltstack=0"
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
