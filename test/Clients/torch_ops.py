"""PyTorch's own table of operators, compiled by Inductor beside what runs uncompiled.

  torch_ops.py [--compiler clinch|g++] [--part K/N, K from 0] [a name, or part of one ...]

The first sample of each operator for float32 whose results do not depend on a random
number, with expecttest of PyPI's; prints how many are equal, and the names of the others.
"""

import argparse

import torch
from torch.testing._internal.common_methods_invocations import op_db

#: Their results are random or memory that nobody has set.
RANDOM = ("rand", "bernoulli", "multinomial", "normal", "dropout", "empty", "cauchy",
          "exponential", "geometric", "uniform", "rrelu", "resize", "new_empty")


def same(made, right):
    torch.testing.assert_close(made, right, equal_nan=True, atol=1e-4, rtol=1e-4)


def outcome(op):
    """Returns "equal", "skipped", or what is wrong."""
    if torch.float32 not in op.dtypes or any(name in op.name for name in RANDOM):
        return "skipped"
    try:
        sample = next(iter(op.sample_inputs("cpu", torch.float32)))
        right = op(sample.input, *sample.args, **sample.kwargs)
    except Exception:
        return "skipped"  # It has no sample that runs here.
    torch._dynamo.reset()
    try:
        made = torch.compile(op.op)(sample.input, *sample.args, **sample.kwargs)
        same(made, right)
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0][:100]}"
    return "equal"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", default="clinch")
    parser.add_argument("--part", default="0/1")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    if given.compiler == "clinch":
        import clinch.torch  # noqa: F401
    part, parts = map(int, given.part.split("/"))
    equal, skipped, wrong = 0, 0, []
    for number, op in enumerate(op_db):
        if number % parts != part or given.names and not any(
                name in op.name for name in given.names):
            continue
        torch.manual_seed(0)
        said = outcome(op)
        equal += said == "equal"
        skipped += said == "skipped"
        if said not in ("equal", "skipped"):
            wrong.append(op.name)
            print(f"{op.name}: {said}", flush=True)
    print(f"{equal} equal, {len(wrong)} not, {skipped} skipped")


if __name__ == "__main__":
    main()
