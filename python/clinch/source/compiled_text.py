"""Compiles C text to functions, without a graph."""

from __future__ import annotations

import os

from .. import _clinch
from ..base.annotations import Any, Diagnostic, Isolation, Language, Mapping, Sequence, Tier
from .c_text import CompiledText
from ..base.configuration import config, limits
from .saving import put
from .text_pickling import described
from .text_warnings import warn_of_text



def _settled(*, prefix: Any, remarks: bool, time_limit: Any, memory_limit: Any,
             isolation: Any, trace: Any = None, **options: Any) -> Any:
    """Returns the options of a compile, with what `config` says of those not given."""
    if options["language"] == "cuda":
        raise ValueError('`language="cuda"` is of the blocks of a graph; '
                         "`clinch.cuda.compile` compiles kernels")
    if prefix is not None:
        options = prefix.joined(options)
    if remarks:
        options["keep"] = [*options["keep"], "remarks"]
    debug = options["debug"]
    return {**options, "language": options["language"] or config.language,
            "tier": options["tier"] or config.tier,
            "symbols": options["symbols"] or {}, "disk_cache": config.cache,
            "debug": config.debug if debug is None else debug,
            **limits(time_limit, memory_limit, isolation)}


def compile(text: str, name: str = "text", *, language: Language | None = None,
            tier: Tier | None = None, cpu: str = "", python: bool = False,
            prefix: Any = None, include_dirs: Sequence[str] = (),
            defines: Sequence[str] = (), flags: Sequence[str] = (),
            libraries: Sequence[str] = (), library_dirs: Sequence[str] = (),
            objects: Sequence[bytes] = (), symbols: Mapping[str, int] | None = None,
            keep: Sequence[str] = (), remarks: bool = False, debug: bool | None = None,
            key: str = "", trace: str | os.PathLike[str] | None = None,
            time_limit: float | None = None, memory_limit: int | None = None,
            isolation: Isolation | None = None) -> CompiledText:
    """Compiles C (or C++) text; returns a CompiledText.

    name: what diagnostics call the text. python: whether to include Python.h
    and NumPy's headers. prefix: a `Prefix`, whose options it has too. objects:
    what compile_object() returned, to link with. symbols: {name: address} to link
    with. keep: stages ("llvm", "llvm-opt", "asm", "obj") that stage() returns. remarks:
    whether the attribute `remarks` has what the inliner and the vectorisers say.
    key: stands for the text in the caches, for a caller who knows that texts of one key
    mean the same. trace: a file for the times of this compile, which no cache answers.
    time_limit (seconds), memory_limit (bytes), isolation: as for `function`.
    """
    if not isinstance(text, str):
        raise TypeError(f"compile() needs text, not a {type(text).__name__}")
    if not isinstance(key, str):
        raise TypeError(f"key= needs a str, not a {type(key).__name__}")
    options = _settled(
        language=language, tier=tier, cpu=cpu, python=python, prefix=prefix,
        include_dirs=include_dirs, defines=defines, flags=flags, libraries=libraries,
        library_dirs=library_dirs, objects=objects, symbols=symbols, keep=keep,
        remarks=remarks, debug=debug, key=key, time_limit=time_limit, memory_limit=memory_limit,
        isolation=isolation)
    asked = options if trace is None else _traced(options)
    made = CompiledText(_clinch.Text(text, name, {**asked, "own_variables": True}),
                        (text, name, options))
    if trace is not None:
        put({os.fspath(trace): made.stage("trace").encode()})
    warn_of_text(made.stats["warnings"])
    return made


def _traced(options: Any) -> Any:
    return {**options, "keep": [*options["keep"], "trace"]}


#: The options of compile().
KNOWN = compile.__kwdefaults__ or {}


def compile_object(text: str, name: str = "text", **options: Any) -> bytes:
    """Compiles C (or C++) text to machine code that `compile(objects=)` links with
    another text: the two share inline and thread-local variables as the files of one
    program do. options: as for `compile`."""
    return describe(text, name, **options)[3]


def describe(text: str, name: str = "text", **options: Any) -> tuple[Any, ...]:
    """Compiles text as compile_object() does; returns what described() returns."""
    if not isinstance(text, str):
        raise TypeError(f"compile_object() needs text, not a {type(text).__name__}")
    for option in options.keys() - KNOWN.keys():
        raise TypeError(f"compile_object() has no option {option!r}")
    return described(text, name, settled(options), object_of(text, name, **options)[0])


def settled(options: dict[str, Any]) -> Any:
    """Returns the options of a compile with what is known of those not given."""
    return _settled(**{**KNOWN, **options})


def object_of(text: str, name: str, **options: Any) -> tuple[bytes, Sequence[Diagnostic]]:
    """Returns the machine code of a text, and what Clang warns of."""
    made_by, trace = settled(options), options.get("trace")
    code, kept, warnings, _ = _clinch.compile_object(
        text, name, made_by if trace is None else _traced(made_by))
    if trace is not None:
        put({os.fspath(trace): kept.encode()})
    return code, warnings
