"""`%%op`: an Op whose C file is a cell."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile

from ...base.annotations import Any, Callable
from ..c_file import file_op, parse_type, split
from ...build.functions import function

USAGE = ("say %%op NAME INPUTS -> OUTPUTS [--function=FUNCTION], such as "
         "`%%op scale float64[:], double -> float64[:]`")
_LINE = re.compile(r"([A-Za-z_]\w*)\s+(.*?)\s*->\s*(.*?)\s*"
                   r"(?:--function=(\w+)\s*)?")
_folder = None


def without_frames(body: Callable[..., Any], *arguments: Any) -> Any:
    """Calls what a cell is for; of an error, a notebook shows no frame of ours."""
    try:
        return body(*arguments)
    except Exception as error:
        text = error.render() if hasattr(error, "render") else \
            f"{type(error).__name__}: {error}"
        text = re.sub(rf"{_folder}/\w+/(\w+)\.c:", r"%%op \1:", text)
        vars(error)["_render_traceback_"] = text.rstrip("\n").split("\n").copy
        raise


def op_of_cell(namespace: dict[str, Any], line: str, cell: str) -> None:
    """Makes the Op, tries whether it compiles, and binds its name."""
    match = _LINE.fullmatch(line.strip())
    if not match:
        raise ValueError(USAGE)
    name, inputs, outputs, function_name = match.groups()
    takes = [parse_type(spec) for spec in split(inputs)]
    gives = [parse_type(spec) for spec in split(outputs)]
    op = file_op(_written(name, cell), function_name, gives, takes)
    # Report errors in this cell, not where the Op is used.
    variables = [kind(f"x{number}") for number, kind in enumerate(takes)]
    function(variables, op(*variables), "fast")
    namespace[name] = op


def _written(name: str, text: str) -> str:
    """Writes the text to a file and returns its path. Each run of a cell writes a
    new file, because the Op of an earlier run may still be in use."""
    global _folder
    if _folder is None:
        _folder = tempfile.mkdtemp(prefix="clinch-cells-")
        atexit.register(shutil.rmtree, _folder, ignore_errors=True)
    path = os.path.join(tempfile.mkdtemp(dir=_folder), name + ".c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path
