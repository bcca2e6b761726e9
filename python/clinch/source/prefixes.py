"""Headers that are precompiled once for many texts."""

from __future__ import annotations

from ..base.annotations import Any, Language, Sequence
from .compiled_text import compile_object
from ..base.configuration import config


class PrecompiledHeaders:
    """C or C++ text that stands before others, precompiled at once, and on disk.

    text: the text itself, or a list of headers as `#include` names them. language,
    include_dirs, defines, flags, python: as for `compile`; each text that names the
    prefix has them too. A header that changes is noticed.
    """

    def __init__(self, text: str | Sequence[str], *, language: Language | None = None,
                 include_dirs: Sequence[str] = (), defines: Sequence[str] = (),
                 flags: Sequence[str] = (), python: bool = False) -> None:
        if not isinstance(text, str):
            text = "".join(f"#include {header}\n" if header[:1] in ("<", '"')
                           else f"#include <{header}>\n" for header in text)
        self.text = text
        self.options: dict[str, Any] = dict(
            language=language or config.language, include_dirs=tuple(include_dirs),
            defines=tuple(defines), flags=tuple(flags), python=python)
        compile_object("", "prefix", prefix=self)  # Not linked: libraries are the texts'.

    def __repr__(self) -> str:
        return f"PrecompiledHeaders({self.text!r}, language={self.options['language']!r})"

    def joined(self, options: dict[str, Any]) -> dict[str, Any]:
        """Returns a text's options with those of the prefix."""
        own = self.options
        if options["language"] not in (None, own["language"]):
            raise ValueError(f"the prefix is {own['language']}, and the text is to be "
                             f"{options['language']}")
        # The text's own folders are none of the prefix's.
        folders = [f"-I{folder}" for folder in options["include_dirs"]]
        return {**options, **own, "prefix": self.text,
                "defines": [*own["defines"], *options["defines"]],
                "flags": [*own["flags"], *folders, *options["flags"]],
                "python": own["python"] or options["python"]}


#: The name in version 0.1, which its pickles have.
Prefix = PrecompiledHeaders
