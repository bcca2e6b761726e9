"""NVIDIA's compiler of CUDA C++ in process, and its assembler: what ours is measured
against."""

import ctypes
import glob
import os
import shutil
import struct
import subprocess
import sys
import tempfile

SITES = [path for path in sys.path if path.endswith("-packages")]


def _first(*patterns):
    return next((path for pattern in patterns for path in sorted(glob.glob(pattern))), None)


def assembler():
    """Returns the path of ptxas, or None."""
    return shutil.which("ptxas") or _first(
        "/usr/local/cuda*/bin/ptxas",
        *(os.path.join(site, "nvidia", "*", "bin", "ptxas") for site in SITES))


def _library():
    found = _first(*(os.path.join(site, "nvidia", "*", "lib", "libnvrtc.so.1*")
                     for site in SITES), "/usr/local/cuda*/lib*/libnvrtc.so")
    try:
        return ctypes.CDLL(found or "libnvrtc.so.13")
    except OSError:
        return None


class Nvrtc:
    """NVRTC; `found` says whether it is here."""

    def __init__(self):
        self._library = _library()
        self.found = self._library is not None

    def version(self):
        major, minor = ctypes.c_int(), ctypes.c_int()
        self._library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
        return f"{major.value}.{minor.value}"

    def compile(self, text, architecture):
        """Returns PTX, for compute_90 and the like."""
        lib, program = self._library, ctypes.c_void_p()
        lib.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"text.cu", 0, None,
                               None)
        options = (ctypes.c_char_p * 1)(f"--gpu-architecture={architecture}".encode())
        failed = lib.nvrtcCompileProgram(program, 1, options)
        what = "ProgramLog" if failed else "PTX"
        size = ctypes.c_size_t()
        getattr(lib, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
        made = ctypes.create_string_buffer(size.value)
        getattr(lib, f"nvrtcGet{what}")(program, made)
        lib.nvrtcDestroyProgram(ctypes.byref(program))
        if failed:
            raise RuntimeError("NVRTC: " + made.value.decode())
        return made.value


def instructions(ptx, architecture):
    """Returns how many instructions each kernel has after ptxas, by its symbol."""
    with tempfile.TemporaryDirectory() as folder:
        source, made = os.path.join(folder, "a.ptx"), os.path.join(folder, "a.cubin")
        with open(source, "wb") as file:
            file.write(ptx)
        subprocess.run([assembler(), f"-arch={architecture}", source, "-o", made],
                       check=True, capture_output=True)
        with open(made, "rb") as file:
            return {name[len(".text."):]: size // 16
                    for name, size in _sections(file.read()) if name.startswith(".text.")}


def _sections(elf):
    """Yields the name and size of each section of an ELF file of 64 bits."""
    offset, = struct.unpack_from("<Q", elf, 0x28)
    entry, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    heads = [struct.unpack_from("<IIQQQQ", elf, offset + i * entry) for i in range(count)]
    table = heads[names][4]
    for head in heads:
        start = table + head[0]
        yield elf[start:elf.index(b"\0", start)].decode(), head[5]
