"""The kernels of Inputs/kernels.cu, and what each is run with."""

import re
from pathlib import Path

import numpy

TEXT = (Path(__file__).parent / "Inputs" / "kernels.cu").read_text()
#: The name, grid, block and arguments of each, what is wrong with it, and its text.
CASES = [(*(field.strip() for field in head.split(";")), text) for head, text in
         re.findall(r"^//# ([^\n]*)\n(.*?)(?=^//#|\Z)", TEXT, re.M | re.S)]


def argument(written):
    """Returns the array that `zeros:int32:256` is, or the number."""
    if ":" not in written:
        return int(written)
    make, dtype, count = written.split(":")
    return getattr(numpy, make)(int(count), dtype)
