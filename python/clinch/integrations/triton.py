"""Triton's host side without a C compiler: `triton.knobs.build.impl = clinch.triton.build`.

Triton compiles a launcher for each kernel, and stubs of its driver, as extension modules
of Python; `knobs.build.impl` is its place for what compiles them.
"""

from __future__ import annotations

import os
import re
import sysconfig

from . import module_files, source_files
from ..base.annotations import Sequence


def build(name: str, src: str, srcdir: str, library_dirs: Sequence[str],
          include_dirs: Sequence[str], libraries: Sequence[str],
          ccflags: Sequence[str] = (), language: str = "c") -> str:
    """Compiles the file `src`; returns the path of a module's file in `srcdir`, which
    Triton keeps in its cache and imports. language: the file's ending says it."""
    flags = [f"-I{folder}" for folder in (*include_dirs, srcdir) if folder is not None]
    if source_files.LANGUAGES.get(os.path.splitext(src)[1]) == "c++":
        flags.append("-std=c++17")  # As Triton's own way.
    path = os.path.join(srcdir, name + sysconfig.get_config_var("EXT_SUFFIX"))
    source_files.write_module(
        path, [source_files.describe_file(src, [*flags, *ccflags])],
        [_library(one) for one in libraries], library_dirs)
    return path


def _library(name: str) -> str:
    """As Triton's `_library_flag`: a file's name, or what follows `-l`."""
    return ":" + name if re.search(r"\.so(\.\d+)*$|\.a$", name) else name


module_files.import_them()
