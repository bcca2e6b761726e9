"""Memory whose neighbours are no memory: who reads or writes beyond it dies."""

import ctypes
import mmap

import numpy

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.mmap.restype = ctypes.c_void_p
_LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int,
                       ctypes.c_int, ctypes.c_int, ctypes.c_long]
_LIBC.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_FILLED = 0xA5
_NO_ACCESS = 0


class Region:
    """Bytes between two pages that nobody may touch."""

    def __init__(self, size):
        page = mmap.PAGESIZE
        self.size = -(-size // page) * page
        base = _LIBC.mmap(None, self.size + 2 * page, _NO_ACCESS,
                          mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
        if base in (None, ctypes.c_void_p(-1).value):
            raise MemoryError("no memory between guarded pages")
        self.address = base + page
        access = mmap.PROT_READ | mmap.PROT_WRITE
        if _LIBC.mprotect(self.address, self.size, access):
            raise OSError(ctypes.get_errno(), "mprotect")
        self.bytes = numpy.frombuffer(
            (ctypes.c_ubyte * self.size).from_address(self.address), "uint8")

    def place(self, array, edge, moved):
        """The array's copy at an edge, or `moved` items from the middle: its
        address and a function that gives (the array as it is now, whether what
        lies around it is untouched)."""
        size = array.nbytes
        start = {"low": 0, "high": self.size - size}.get(
            edge, min((self.size // 2 & -64) + moved * array.itemsize,
                      self.size - size))
        self.bytes[:] = _FILLED
        self.bytes[start:start + size] = array.view("uint8")

        def look():
            now = self.bytes[start:start + size].view(array.dtype).copy()
            whole = (self.bytes[:start] == _FILLED).all() and (
                self.bytes[start + size:] == _FILLED).all()
            return now, bool(whole)
        return self.address + start, look


class Regions:
    """Regions to be used again."""

    def __init__(self):
        self._kept = []

    def get(self, number, size):
        while len(self._kept) <= number:
            self._kept.append(Region(size))
        if self._kept[number].size < 2 * size:
            self._kept[number] = Region(4 * size)
        return self._kept[number]
