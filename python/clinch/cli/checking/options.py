"""The options of `clinch check`."""

from __future__ import annotations

import argparse

FORMATS = ("text", "json", "sarif")


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e6:
        raise ValueError
    return value


_seconds.__name__ = "number of seconds"  # argparse shows it in errors.


def parse(arguments: list[str]) -> argparse.Namespace:
    """Parses the options; exits with status 2 if they are invalid."""
    parser = argparse.ArgumentParser(
        prog="clinch check", allow_abbrev=False,
        description="Looks at the blocks of Types and Ops without compiling "
                    "them.",
        epilog="Status: 0, 1 when something was found, 2 when something could "
               "not be looked at.")
    parser.add_argument(
        "paths", nargs="+", metavar="PATH",
        help="a Python module, an Op's C file, or a folder of them")
    parser.add_argument(
        "--fix", action="store_true",
        help="write what can be mended for certain into C files")
    parser.add_argument(
        "--format", choices=FORMATS, default="text",
        help="how to say it; sarif is what code hosts show beside the lines")
    parser.add_argument(
        "--time-limit", type=_seconds, default=10.0, metavar="SECONDS",
        help="for each step: an import, a make_node, a look at blocks "
             "(default: 10)")
    parser.add_argument(
        "--inputs", metavar="TYPES",
        help="the types that a C file takes, as in float64[:],double")
    parser.add_argument(
        "--outputs", metavar="TYPES", help="the types that a C file gives")
    return parser.parse_args(arguments)
