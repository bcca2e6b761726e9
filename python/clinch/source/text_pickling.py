"""Pickles C text that was compiled: the text, and its machine code."""

from __future__ import annotations

import copyreg
import pickle

from .. import _clinch
from ..base.annotations import Any
from .c_text import CompiledText
from .portable import digest, made_for_numpy, programs, unfit


def _reduced(made: CompiledText) -> Any:
    text, name, options = made._made_of
    if options["symbols"]:
        raise TypeError("a text that was linked with addresses of this process "
                        "(symbols=) cannot be pickled")
    options = {**options, "keep": (*options["keep"], "obj")}
    return load_described, described(text, name, options,
                                     _clinch.Text(text, name, options).stage("obj"))


def described(text: str, name: str, options: Any, machine_code: Any) -> Any:
    """Returns plain data that load_described() makes a CompiledText of."""
    return (text, name, options, machine_code, _sum(machine_code, options),
            _clinch.text_origin(options), made_for_numpy())


def _sum(machine_code: Any, options: Any) -> Any:
    return digest(b"".join([machine_code, *options.get("objects", ())]))


def load_described(text: str, name: str, options: Any, machine_code: Any, sum_: Any,
                   origin: Any, numpy_version: Any) -> Any:
    known = programs.get((sum_, text))
    if known is not None and not known._text.has_variables:
        return known  # Else it has variables of its own, as an equal text has.
    if _sum(machine_code, options) != sum_:
        raise pickle.UnpicklingError(
            "the machine code of this text was damaged on its way")
    why = unfit(origin, _clinch.text_origin(options), numpy_version)
    if why and options.get("objects"):
        raise OSError(f"linked texts cannot run here: {why}; link them again")
    here = {**options, "own_variables": True, **({} if why else {"object": machine_code})}
    try:
        made = CompiledText(_clinch.Text(text, name, here),
                            (text, name, options))
    except OSError as error:
        raise OSError(f"this text cannot run here: {why}, and there is no "
                      f"compiler here: {error}" if why else str(error)) from None
    programs.put((sum_, text), made)
    return made


copyreg.pickle(CompiledText, _reduced)
