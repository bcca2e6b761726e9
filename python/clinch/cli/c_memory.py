"""Bytes of this process, and how C writes them."""

from __future__ import annotations

import os

_ESCAPES = {0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f",
            13: "\\r", 34: '\\"', 92: "\\\\"}


def read(address: int, size: int) -> bytes | None:
    """Returns bytes of this process, or None where it has no memory."""
    try:
        with open("/proc/self/mem", "rb", buffering=0) as memory:
            found = os.pread(memory.fileno(), size, address)
    except (OSError, OverflowError):
        return None
    return found if len(found) == size else None


def quoted(text: bytes) -> str:
    try:
        inner = "".join(escaped(ord(c), '"') if ord(c) < 128 else c
                        for c in text.decode())
    except UnicodeDecodeError:
        inner = "".join(escaped(c, '"') for c in text)
    return f'"{inner}"'


def escaped(code: int, quote: str) -> str:
    if code == ord(quote):
        return "\\" + quote
    if code in _ESCAPES and code != 34:
        return _ESCAPES[code]
    return chr(code) if 32 <= code < 127 else f"\\x{code:02x}"
