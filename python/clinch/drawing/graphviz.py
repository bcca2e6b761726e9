"""Uses Graphviz as a library in this process."""

import ctypes
import functools

_NAMES = (("libcgraph.so.6", "libgvc.so.6"), ("libcgraph.so", "libgvc.so"))


@functools.lru_cache(maxsize=None)
def _libraries():
    """Returns (libcgraph, libgvc, a context), or None."""
    for cgraph_name, gvc_name in _NAMES:
        try:
            cgraph = ctypes.CDLL(cgraph_name)
            gvc = ctypes.CDLL(gvc_name)
        except OSError:
            continue
        cgraph.agmemread.restype = ctypes.c_void_p
        cgraph.agclose.argtypes = [ctypes.c_void_p]
        gvc.gvContext.restype = ctypes.c_void_p
        gvc.gvLayout.argtypes = [ctypes.c_void_p, ctypes.c_void_p,
                                 ctypes.c_char_p]
        gvc.gvRenderData.argtypes = [
            ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p,
            ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_uint)]
        gvc.gvFreeRenderData.argtypes = [ctypes.c_void_p]
        gvc.gvFreeLayout.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        context = gvc.gvContext()
        return (cgraph, gvc, context) if context else None
    return None


def render(source, kind):
    """Renders DOT text as the bytes of an `svg` or `png` picture."""
    found = _libraries()
    if found is None:
        raise ValueError("PNG needs Graphviz (Debian: apt-get install "
                         "graphviz); without it there are .svg and .txt")
    cgraph, gvc, context = found
    graph = cgraph.agmemread(source.encode())
    if not graph:
        raise ValueError("Graphviz does not read the drawing")
    try:
        return _render(gvc, context, graph, kind)
    finally:
        cgraph.agclose(graph)


def _render(gvc, context, graph, kind):
    if gvc.gvLayout(context, graph, b"nop2") != 0:
        raise ValueError("Graphviz cannot lay the drawing out")
    data, size = ctypes.c_void_p(), ctypes.c_uint()
    try:
        if gvc.gvRenderData(context, graph, kind.encode(), ctypes.byref(data),
                            ctypes.byref(size)) != 0:
            raise ValueError(f"this Graphviz draws no {kind}")
        return ctypes.string_at(data, size.value)
    finally:
        if data:
            gvc.gvFreeRenderData(data)
        gvc.gvFreeLayout(context, graph)
