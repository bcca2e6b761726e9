"""The phases of random kernels, as plain data: `device` are lines of CUDA C++; `host`,
where it is there, the steps of which each is done by all threads before the next; `uses`
says how it uses which memory that threads share, `array`, `step` and `from` where."""

import ctypes
import math

Pair = [("first", ctypes.c_int), ("second", ctypes.c_double)]
#: The shared variables of a kernel, of blocks of SIZE threads; sd has as many items.
SHARED = """__shared__ int si[SIZE], sw[SIZE];
__shared__ unsigned count[8];
extern __shared__ double sd[];
"""
WARP_BARRIER = "__syncwarp(warp);"
_INTEGERS = ["a", "b", "c", "t", "g", "p.first", "(int)threadIdx.x", "(int)blockIdx.y",
             "in[g]", "whole(x)", "whole(y)", "7", "-3", "1000003"]
_FLOATS = ["x", "y", "p.second", "fin[g]", "(float)a", "(double)b", "0.5f", "-1.25", "3.0f"]
_REGISTERS = {"a": "int", "b": "unsigned", "c": "long long"}


def integer(draw, depth):
    """Returns an expression of integers."""
    if depth == 0 or draw.random() < 0.1:
        return draw.choice(_INTEGERS)
    one, two = integer(draw, depth - 1), integer(draw, depth - 1)
    return draw.choice([
        f"({one} {draw.choice('+-*&|^')} {two})", f"({one} {draw.choice('+-*&|^')} {two})",
        f"({one} {draw.choice('/%')} {draw.choice([3, 7, 16, 1001])})",
        f"((unsigned)({one}) {draw.choice('/%')} ((unsigned)({two}) | 1u))",
        f"({one} {draw.choice(['<<', '>>'])} ({two} & 15))",
        f"({one} {draw.choice(['<', '>=', '=='])} {two} ? {two} : {one})",
        f"mixed((int)({one}), (unsigned)({two}))", f"(int)__popc((unsigned)({one}))",
        f"(int)__brev((unsigned)({one}))", f"powers<unsigned, {draw.randint(1, 5)}>({one})",
        f"turned(p, (int)({one})).first", f"whole({real(draw, depth - 1)})"])


def real(draw, depth):
    """Returns an expression of floats or doubles."""
    if depth == 0 or draw.random() < 0.1:
        return draw.choice(_FLOATS)
    one, two = real(draw, depth - 1), real(draw, depth - 1)
    return draw.choice([
        f"({one} {draw.choice('+-*/')} {two})", f"({one} {draw.choice('+-*')} {two})",
        f"({one} < {two} ? {two} : {one})", f"sqrt(fabs((double)({one})))",
        f"sqrtf(fabsf((float)({one})))", f"fma((double)({one}), (double)({two}), 0.25)",
        f"tanh((double)({one}))", f"powers<float, {draw.randint(1, 3)}>((float)({one}))",
        f"turned(p, {draw.randint(-5, 5)}).second", f"floor((double)({one}))",
        f"(float)({integer(draw, depth - 1)})"])


def statement(draw, depth=2):
    """Returns one that changes variables of its thread."""
    kind = draw.random() if depth else 0
    if kind < 0.5:
        name = draw.choice("aabcxy")
        if name in _REGISTERS:
            return f"{name} {draw.choice(['+=', '-=', '^='])} {integer(draw, 3)};"
        return f"{name} {draw.choice('+-')}= {real(draw, 3)};"
    inner = statement(draw, depth - 1)
    if kind < 0.7:
        return f"if ({integer(draw, 2)} & {draw.choice([1, 2, 4])}) {{ {inner} }} " \
               f"else {{ {statement(draw, depth - 1)} }}"
    if kind < 0.8:
        return f"switch ((unsigned)({integer(draw, 1)}) % 3) {{ case 0: {inner} break; " \
               f"case 1: {statement(draw, depth - 1)} }}"
    stop = f"if ({integer(draw, 1)} > 5) {draw.choice(['break', 'continue'])};"
    return f"for (int i{depth} = 0, e = {integer(draw, 1)} & 7; i{depth} < e; ++i{depth}) " \
           f"{{ {inner} {draw.choice(['', stop])} b += i{depth}; }}"


def make_phases(draw, size):
    """Returns the phases of a kernel for blocks of this many threads."""
    written, phases = set(), [dict(uses={"count": "write"}, device=[
        "for (int i = t; i < 8; i += n) count[i] = i;"])]
    operation = draw.choice(["atomicAdd", "atomicXor", "atomicMax"])
    for _ in range(draw.randint(3, 9)):
        kind = draw.choice(["compute", "memory", "memory", "memory", "warp", "atomic"])
        if kind == "compute":
            made = dict(uses={}, device=[statement(draw)
                                         for _ in range(draw.randint(1, 3))])
        elif kind == "memory":
            made = _memory(draw, size, written)
        elif kind == "warp":
            made = draw.choice([_shuffle, _vote, _exchange])(draw, size)
        else:
            made = _atomic(draw, operation)
        phases.append(made)
    return phases


def _memory(draw, size, written):
    """Every thread writes an item of an array, or reads one of those written."""
    array = draw.choice(sorted(written)) if written and draw.random() < 0.6 else \
        draw.choice(["si", "sd", "mid"])
    step = draw.choice([k for k in (1, 1, 3, 5, 11, size - 1) if math.gcd(k, size) == 1])
    where = dict(array=array, step=step, **{"from": draw.randint(0, size - 1)})
    offset = "first + " if array == "mid" else ""
    at = f"{array}[{offset}(t * {step} + {where['from']}) % n]"
    if array in written and draw.random() < 0.7:
        line = f"y = y * 0.5 + {at};" if array == "sd" else f"a = a * 5 + {at};"
        return dict(where, uses={array: "read"}, device=[line])
    written.add(array)
    value = real(draw, 2) if array == "sd" else integer(draw, 2)
    return dict(where, uses={array: "write"}, device=[f"{at} = {value};"])


def _shuffle(draw, size):
    """Of an integer or a double, from a lane that is there."""
    by, width = draw.randint(1, 15), draw.choice([32, 16, 8])
    ways = [(f"__shfl_sync(warp, {{}}, (lane * 5 + {by}) % lanes)",
             f"t - lane + (lane * 5 + {by}) % lanes")]
    if size % 32 == 0:
        ways += [(f"__shfl_xor_sync(warp, {{}}, {by})", f"t ^ {by}"),
                 (f"__shfl_up_sync(warp, {{}}, {by}, {width})",
                  f"(lane % {width} >= {by} ? t - {by} : t)"),
                 (f"__shfl_down_sync(warp, {{}}, {by}, {width})",
                  f"(lane % {width} + {by} < {width} ? t + {by} : t)")]
    device, source = draw.choice(ways)
    if draw.random() < 0.3:
        value = f"(double)({real(draw, 2)})"
        return dict(uses={}, device=[f"y = y - {device.format(value)};"],
                    host=[[f"gx[t] = {value};"], [f"y = y - gx[{source}];"]])
    name = draw.choice(sorted(_REGISTERS))
    value = f"({_REGISTERS[name]})({integer(draw, 2)})"
    return dict(uses={}, device=[f"{name} ^= {device.format(value)};"],
                host=[[f"gi[t] = {value};"],
                      [f"{name} ^= ({_REGISTERS[name]})gi[{source}];"]])


def _vote(draw, size):
    """Of all lanes, or of the odd ones."""
    odd = draw.random() < 0.3
    value, name = f"(({integer(draw, 2)} & 3) == 1)", draw.choice(["ballot", "any", "all"])
    mask, only = ("warp & 0xaaaaaaaa", "if (lane & 1) ") if odd else ("warp", "")
    result = {"ballot": "votes", "any": "votes != 0",
              "all": f"votes == ({mask})"}[name]
    counted = "unsigned votes = 0; for (int i = 0; i < lanes; ++i) " \
              "votes |= (unsigned)gi[t - lane + i] << i; "
    return dict(uses={}, device=[f"{only}b += 3u * __{name}_sync({mask}, {value});"],
                host=[["gi[t] = 0;", f"{only}gi[t] = {value};"],
                      [f"{counted}{only}b += 3u * ({result});"]])


def _exchange(draw, size):
    """In shared memory, within a warp."""
    write = f"sw[t] = {integer(draw, 2)};"
    read = f"a += sw[t - lane + (lane * 3 + {draw.randint(0, 31)}) % lanes];"
    return dict(uses={"sw": "write"}, device=[write, WARP_BARRIER, read],
                host=[[write], [read]])


def _atomic(draw, operation):
    """On counters of the block, which are then read, or of the grid."""
    if draw.random() < 0.4:
        return dict(uses={"count": "read"}, device=[
            f"b ^= count[(unsigned)({integer(draw, 1)}) % 8];"])
    array = draw.choice(["count", "total"])
    return dict(uses={array: "atomic"}, device=[
        f"{operation}(&{array}[(unsigned)({integer(draw, 1)}) % 8], "
        f"(unsigned)({integer(draw, 2)}));"])
