"""Types of C, their values in C and in Python, for data_search.py.

A type is the name of one of C's own, `enum e`, ["array", count, type],
["vector", count, type], or ["record", number]. A record is a dict of its kind, attributes and fields; a field has a
name or is an unnamed record, a type, perhaps a width.
"""

import random
import struct

import numpy

INTEGERS = {"signed char": (8, True), "unsigned char": (8, False), "short": (16, True),
            "unsigned short": (16, False), "int": (32, True), "unsigned": (32, False),
            "long": (64, True), "unsigned long": (64, False), "long long": (64, True),
            "__int128": (128, True), "unsigned __int128": (128, False),
            "_BitInt(7)": (7, True), "unsigned _BitInt(37)": (37, False),
            "_BitInt(100)": (100, True)}
PLAIN = [*INTEGERS][:9]
INTEGER_CODES = {kind: f"{'iu'[not signed]}{bits // 8}"
                 for kind, (bits, signed) in INTEGERS.items() if kind in PLAIN}
REALS = ["float", "double", "long double", "_Float16"]
OTHERS = ["bool", "enum e", "void *", "char"]
COMPLEX = [f"_Complex {name}" for name in REALS[:3]]
ATOMIC = {f"_Atomic({name})": name for name in [*PLAIN, "double", "float"]}
VECTORS = {(name, count): f"{name.replace(' ', '_')}_{count}"
           for name in [*PLAIN, "float", "double"] for count in (2, 4)}


def scalar(rng):
    return rng.choice([rng.choice(PLAIN), rng.choice(PLAIN), rng.choice(REALS),
                       rng.choice([*INTEGERS]), rng.choice(OTHERS), "double", "int",
                       rng.choice(COMPLEX) if rng.random() < 0.3 else "float"])


def any_type(rng, records):
    able = [n for n in range(len(records)) if not is_flexible(["record", n], records)
            and not has_vector(records[n], records)]
    return ["record", rng.choice(able)] if able and rng.random() < 0.5 else scalar(rng)


def records(rng, count):
    made = []
    for n in range(count):
        made.append(_record(rng, made, f"m{n}_"))
    return made


def _record(rng, before, prefix, depth=0):
    kind = "union" if rng.random() < 0.2 else "struct"
    fields = []
    for n in range(rng.randint(1, rng.choice([2, 3, 5, 9]))):
        name, chance = f"{prefix}{n}", rng.random()
        if chance < 0.3:
            base = rng.choice([*PLAIN, "bool", "enum e"])
            width = rng.randint(1, {"bool": 1, "enum e": 20}.get(base) or INTEGERS[base][0])
            fields.append({"name": name, "type": base, "width": width})
            if rng.random() < 0.15 and base != "enum e":
                fields.append({"name": "", "type": base, "width": rng.choice([0, 1, width])})
        elif chance < 0.4 and before:
            fields.append({"name": name, "type": ["record", rng.randrange(len(before))]})
        elif chance < 0.55:
            item = scalar(rng)
            for _ in range(rng.randint(1, 2)):
                item = ["array", rng.randint(1, 3), item]
            fields.append({"name": name, "type": item})
        elif chance < 0.63 and depth < 2:
            fields.append({"name": None, "type": _record(rng, before, name + "_", depth + 1)})
        else:
            fields.append({"name": name, "type": scalar(rng)})
        if rng.random() < 0.06 and "width" not in fields[-1] and fields[-1]["name"]:
            fields[-1]["align"] = rng.choice([16, 32])
    fields = [f for f in fields if not (isinstance(f["type"], list)
                                        and is_flexible(f["type"], before))]
    if not any(field["name"] for field in fields):
        fields.append({"name": prefix + "x", "type": scalar(rng)})
    if kind == "struct" and not depth and rng.random() < 0.06:
        fields.append({"name": prefix + "end", "type": ["array", -3, rng.choice(PLAIN)]})
    return {"kind": kind, "fields": fields, "attribute": rng.choice(
        ["", "", "", "", "", "packed", "aligned(16)", "aligned(32)", "aligned(64)",
         "packed, aligned(4)"]), "pack": rng.choice([0] * 9 + [2])}


def is_flexible(kind, records):
    return (kind[0] == "record" and any(
        field["type"][0] == "array" and field["type"][1] < 0
        for field in records[kind[1]]["fields"] if isinstance(field["type"], list)))


def has_vector(record, records):
    """Whether it is not passed by value."""
    types = [field["type"] for field in record["fields"]]
    return any(has_vector(t, records) if isinstance(t, dict) else
               t[0] == "vector" or t[0] == "record" and has_vector(records[t[1]], records)
               for t in types)


def definition(n, records):
    """The C of a record."""
    head = "" if n else "enum e { ZERO, ONE, BIG = 70000, LESS = -5 };\n" + "".join(
        f"typedef {item} {name} __attribute__((vector_size({count} * sizeof({item}))));\n"
        for (item, count), name in VECTORS.items())
    record = records[n]
    text = _body(record, f"r{n}", records) + ";"
    if record["pack"]:
        text = f"#pragma pack(push, {record['pack']})\n{text}\n#pragma pack(pop)"
    return head + text


def _body(record, name, records):
    attribute = f"__attribute__(({record['attribute']})) " if record["attribute"] else ""
    lines = []
    for field in record["fields"]:
        if isinstance(field["type"], dict):
            lines.append(_body(field["type"], "", records) + ";")
            continue
        align = f"__attribute__((aligned({field['align']}))) " if "align" in field else ""
        width = f" : {field['width']}" if "width" in field else ""
        lines.append(f"{align}{declared(field['type'], field['name'], records)}{width};")
    return f"{record['kind']} {attribute}{name} {{ {' '.join(lines)} }}"


def declared(kind, name, records):
    """The C of a declaration."""
    if isinstance(kind, str):
        return f"{kind} {name}".rstrip()
    if kind[0] == "record":
        return f"{records[kind[1]]['kind']} r{kind[1]} {name}".rstrip()
    if kind[0] == "vector":
        return f"{VECTORS[kind[2], kind[1]]} {name}".rstrip()
    count = "" if kind[1] < 0 else kind[1]
    inner, sizes = kind[2], f"[{count}]"
    while isinstance(inner, list) and inner[0] == "array":
        inner, sizes = inner[2], f"{sizes}[{inner[1]}]"
    return declared(inner, name + sizes, records)


def value(rng, kind, records, width=0):
    """A random value: a number, [real, imaginary], a list, or {path of names: value}."""
    if isinstance(kind, dict) or kind[0] == "record":
        record = kind if isinstance(kind, dict) else records[kind[1]]
        fields = [field for field in record["fields"] if field["name"] != ""]
        if record["kind"] == "union":
            fields = [rng.choice(fields)]
        made = {}
        for field in fields:
            inner = value(rng, field["type"], records, field.get("width", 0))
            made.update({field["name"]: inner} if field["name"] else inner)
        return made
    kind = _plain(kind)
    if kind[0] in ("array", "vector"):
        return [value(rng, kind[2], records) for _ in range(abs(kind[1]))]
    if kind == "enum e":
        return rng.choice([0, 1, 70000, -5] if width in (0, 20) else [0])
    if kind == "bool":
        return rng.choice([False, True])
    if kind == "char":
        return rng.choice([rng.randint(1, 127), rng.randint(-128, -1)])
    if kind == "void *":
        return rng.randint(1, 2**47)
    if kind in COMPLEX:
        return [_real(rng, kind.removeprefix("_Complex ")) for _ in range(2)]
    if kind in REALS:
        return _real(rng, kind)
    bits, signed = INTEGERS[kind]
    bits = width or bits
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return rng.choice([low, high, rng.randint(low, high), rng.randint(low, high)])


def _plain(kind):
    return ATOMIC.get(kind, kind) if isinstance(kind, str) else kind


def _real(rng, kind):
    format_ = {"_Float16": "e", "float": "f"}.get(kind, "d")
    number = rng.choice([rng.uniform(-9, 9), rng.uniform(-9, 9), -0.0, float(rng.randint(
        -2000, 2000)), 1.5e-5])
    return struct.unpack(format_, struct.pack(format_, number))[0]


def literal(kind, number):
    """The C of a number. A `long double` is a third of it, with all of its bits."""
    kind = _plain(kind)
    if kind in COMPLEX:
        real = kind.removeprefix("_Complex ")
        return f"__builtin_complex({', '.join(literal(real, part) for part in number)})"
    if kind in REALS:
        return f"(({kind}){number.hex()}L{' / 3' * (kind == 'long double')})"
    high, low = number >> 64 & (1 << 64) - 1, number & (1 << 64) - 1
    if "128" in kind or kind == "_BitInt(100)":
        return f"(({kind})((unsigned __int128){high}u << 64 | {low}u))"
    return f"(({kind}){low}u)"


def _leaves(place, kind, made, records):
    """The places in C of a value's numbers, with their types."""
    if isinstance(made, dict):
        for name, inner in made.items():
            field = _field(name, kind, records)
            yield from _leaves(f"{place}.{name}", field["type"], inner, records)
    elif isinstance(made, list) and kind not in COMPLEX:
        for n, inner in enumerate(made):
            yield from _leaves(f"{place}[{n}]", kind[2], inner, records)
    else:
        yield place, kind, made


def _field(name, kind, records):
    record = kind if isinstance(kind, dict) else records[kind[1]]
    for field in record["fields"]:
        if field["name"] == name:
            return field
        if isinstance(field["type"], dict) and (found := _field(
                name, field["type"], records)):
            return found
    return None


def checks(place, kind, made, records):
    """Statements that note a value which is another."""
    return " ".join(f"if (!({at} == {literal(t, number)})) bad = __LINE__ * 1000 + {n};"
                    for n, (at, t, number) in enumerate(_leaves(place, kind, made, records)))


def stores(place, kind, made, records):
    """Statements that store a value."""
    return " ".join(f"{at} = {literal(t, number)};"
                    for at, t, number in _leaves(place, kind, made, records))


def local(name, kind, made, records):
    """Statements that define a variable."""
    if isinstance(kind, str):
        return f"{declared(kind, name, records)} = {literal(kind, made)};"
    return (f"{declared(kind, name, records)}; __builtin_memset(&{name}, 0x5a, sizeof {name});"
            f" {stores(name, kind, made, records)}")


def argument(text, kind, made, records):
    """The value in Python that C gets."""
    kind = _plain(kind)
    if isinstance(made, dict):
        return getattr(text, f"r{kind[1]}")(**{
            name: argument(text, _field(name, kind, records)["type"], inner, records)
            for name, inner in made.items()})
    if kind in COMPLEX:
        return _third(made).view("G")[0] if "long" in kind else complex(*made)
    if kind == "long double":
        return _third(made)
    if isinstance(made, list):
        return [argument(text, kind[2], inner, records) for inner in made]
    if made % 3 == 0 and kind in PLAIN[:6]:
        return numpy.dtype(INTEGER_CODES[kind]).type(made)
    return made


def _third(number):
    return numpy.array(number, "g") / 3


def equal(found, made, kind, records):
    """Whether a value in Python is this one."""
    if isinstance(made, dict):
        return all(equal(getattr(found, name), inner, _field(name, kind, records)["type"],
                         records) for name, inner in made.items())
    if kind in COMPLEX:
        return [found.real, found.imag] == [*(_third(made) if "long" in kind else made)]
    if kind == "long double":
        return found == _third(made)
    if isinstance(made, list):
        if isinstance(found, bytes):  # Up to a zero, of which there is none.
            found = [bytes([byte]) for byte in found]
        return all(equal(found[n], inner, kind[2], records) for n, inner in enumerate(made))
    if isinstance(found, bytes):
        return found[0] == made & 255
    return found == made
