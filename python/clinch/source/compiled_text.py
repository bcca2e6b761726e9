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
    """Compiles C or C++ source and returns an object with its functions and data.

    The attributes of the object are the functions, variables, structs, unions and enums
    that the source defines. Clang reports their types, so you declare nothing in Python.

    Parameters
    ----------
    text : str
        The source.
    name : str, default "text"
        The name of the source in error messages.
    language : {"c", "c++"}, optional
        The language of the source, by default `config.language`.
    tier : {"fast", "default", "max"}, optional
        How long compiling may take, by default `config.tier`.
    cpu : str, default ""
        The processor that the code is for, such as "x86-64-v3", or "host" for this
        machine's. By default it is "host", and "x86-64" in the tier "fast".
    python : bool, default False
        Whether to include the headers of Python and NumPy before the source.
    prefix : PrecompiledHeaders, optional
        Precompiled headers. The source also gets the options of the prefix.
    include_dirs : sequence of str, default ()
        Folders to search for headers.
    defines : sequence of str, default ()
        Macros, each "NAME" or "NAME=VALUE".
    flags : sequence of str, default ()
        Options of Clang or gcc, such as "-ffast-math".
    libraries : sequence of str, default ()
        Libraries to link with, by name ("m") or path.
    library_dirs : sequence of str, default ()
        Folders to search for the libraries.
    objects : sequence of bytes, default ()
        Object files to link with, for example results of `compile_object`.
    symbols : mapping of str to int, optional
        Addresses of functions and variables that the source declares and uses.
    keep : sequence of {"llvm", "llvm-opt", "asm", "obj"}, default ()
        Stages of the compile to keep. The method `stage` of the result returns them.
    remarks : bool, default False
        Whether to keep the remarks of LLVM's inliner and vectorisers, in `remarks`.
    debug : bool, optional
        Whether gdb and perf can show the source, by default `config.debug`.
    key : str, default ""
        Look the code up in the cache under this key instead of the source. All sources
        with one key must be equivalent.
    trace : path, optional
        A file to write with the times of each step of the compile, as JSON for
        `chrome://tracing`. A traced compile does not use the cache.
    time_limit : float, optional
        Seconds that the compile may take, by default `config.time_limit`.
    memory_limit : int, optional
        Bytes that the compile may use, by default `config.memory_limit`.
    isolation : {"process"}, optional
        Compile in a separate process, which ends if the source exceeds a limit or crashes
        the compiler. The default is `config.isolation`.

    Returns
    -------
    CompiledText
        The compiled source. Each function keeps the code loaded.

    Raises
    ------
    CompileError
        If the source has errors. The message shows the lines.
    LinkError
        If a symbol or a library is missing, or a symbol is defined twice.
    LimitError
        If the compile exceeds a limit.
    CompilerCrash
        If the compiler crashes.
    TypeError
        If `text` or `key` is not a str.

    Examples
    --------
    >>> import clinch
    >>> import numpy
    >>> code = clinch.compile('''
    ...     struct point { double x, y; };
    ...     double product(const struct point *p) { return p->x * p->y; }
    ...     void scale(double *x, long n, double by) {
    ...         for (long i = 0; i < n; ++i)
    ...             x[i] *= by;
    ...     }
    ... ''')
    >>> code.product(code.point(3, 4))
    12.0
    >>> x = numpy.arange(3.0)
    >>> code.scale(x, len(x), 10)
    >>> print(x)
    [ 0. 10. 20.]
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
