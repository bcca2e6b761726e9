"""A loop over arrays: its text in C. `loop_reference.py` has its meaning.

A case is plain data:
arrays: name -> {kind, buffer, shift, stride, row, walk, written}
  The item of an iteration i in row j is number shift + stride*i + row*j of the
  buffer, plus what is written at the place of use. `walk` is how the text says
  so; see WALKS.
buffers: name -> {kind, values, edge}
parameters: name -> {kind, value};  locals: name -> {kind, start}
loop: {form, index, step, rows};  body: statements;  wraps: -fwrapv or not
strides: the kind of those given when called
"""

from kinds import KINDS
from terms import MATHEMATICAL, EXACT, SAFE, NotC, Scope, leaves

#: How an array is walked through:
#: index    x[2 * i + 1], the stride in the text
#: runtime  x[i * s_x + 1], the stride given when called, a long or an int
#: bytes    an address made of bytes, as NumPy's strides are
#: mirror   x[m - i]
#: pointer  *p, moved in the loop's header; `runtime pointer`: by an argument
#: step     *p++ or, backwards, *--p: once in each iteration
#: gather   x[k[i]]
WALKS = ("index", "runtime", "bytes", "mirror", "pointer", "runtime pointer",
         "step", "gather")
POINTERS = ("pointer", "runtime pointer", "step")
FORMS = ("up", "down", "down to", "while", "do", "not equal")
#: What the values in a buffer are, where something is known of them.
VALUES = {"small": (-100, 100), "unit": (0, 1)}


def terms_of(statement):
    """All terms that stand in a statement, and in those within it."""
    head = statement[0]
    if head == "if":
        yield statement[1]
        for inner in statement[2] + statement[3]:
            yield from terms_of(inner)
    else:
        yield statement[-1]


def statements_of(body):
    for statement in body:
        yield statement
        if statement[0] == "if":
            yield from statements_of(statement[2] + statement[3])


class LoopScope(Scope):
    """The names in a loop's body."""

    def __init__(self, case):
        self.arrays = case["arrays"]
        self.loop = case["loop"]
        kinds = {"i": KINDS[self.loop["index"]]}
        ranges = {"i": (0, 100000)}
        written = {a["buffer"] for a in self.arrays.values() if a["written"]}
        for name, array in self.arrays.items():
            kinds[name] = KINDS[array["kind"]]
            known = VALUES.get(case["buffers"][array["buffer"]]["values"])
            if known and array["buffer"] not in written:
                if kinds[name].family == "u":
                    known = 0, known[1]
                ranges[name] = known
        for name, given in case["parameters"].items():
            kinds[name] = KINDS[given["kind"]]
            ranges[name] = given["value"], given["value"]
        for name, given in case["locals"].items():
            kinds[name] = KINDS[given["kind"]]
        super().__init__(kinds, ranges, case["wraps"])

    @property
    def index(self):
        """The index where it has to be able to be negative."""
        return "i" if self.kinds["i"].family == "i" else "(long)i"

    def c_item(self, array, offset):
        a = self.arrays[array]
        walk = a["walk"]
        if walk == "step":
            return f"v_{array}"
        if walk in POINTERS:
            return f"p_{array}[{offset}]" if offset else f"*p_{array}"
        if walk == "bytes":
            const = "" if a["written"] else "const "
            name = f"{const}{self.kinds[array].c_name}"
            at = f"(char *){array} + {self.index} * b_{array}"
            if self.loop["rows"] > 1:
                at += f" + j * r_{array} * {self.kinds[array].size}"
            offset *= self.kinds[array].size
            return f"*({name} *)({at}{_plus(offset)})"
        row = f"j * r_{array} + " if self.loop["rows"] > 1 else ""
        return f"{array}[{row}{self._place(array, a, offset)}{_plus(offset)}]"

    def _place(self, name, a, offset):
        if a["walk"] == "mirror":
            return f"m - {self.index}"
        if a["walk"] == "runtime":
            return f"{self.index} * s_{name}"
        if a["walk"] == "gather":
            return f"k_{name}[i]"
        stride = a["stride"]
        index = "i" if stride > 0 and offset >= 0 else self.index
        if stride == 1:
            return index
        return f"-{index}" if stride == -1 else f"{index} * {stride}"


def _plus(offset):
    return f" {'-' if offset < 0 else '+'} {abs(offset)}" if offset else ""


class LoopText:
    """The C of a case."""

    def __init__(self, case):
        self.case = case
        self.scope = LoopScope(case)
        self.arrays = case["arrays"]
        self.loop = case["loop"]
        self._check()

    def _check(self):
        """That the parts go together, however they were made."""
        up = self.loop["form"] not in ("down", "down to")
        jumps = [s for s in statements_of(self.case["body"])
                 if s[0] == "continue"]
        if jumps and self.loop["form"] in ("while", "do"):
            raise NotC("what counts is at the end of the body")
        signed = KINDS[self.loop["index"]].family == "i"
        if self.loop["step"] != 1 and self.loop["form"] not in (
                "up", "while", "do") or (
                    self.loop["form"] == "down" and not signed):
            raise NotC("such a loop would not end where it should")
        for name, a in self.arrays.items():
            if a["walk"] == "mirror" and a["stride"] != -1:
                raise NotC("a mirrored array has stride -1")
            if a["walk"] in POINTERS and not up:
                raise NotC("a pointer begins at the first item")
            if a["walk"] == "step":
                self._check_step(name, a, jumps)

    def _check_step(self, name, a, jumps):
        uses = [t for s in self.case["body"] for top in terms_of(s)
                for t in leaves(top) if t[0] == "at" and t[1] == name]
        stores = [s for s in statements_of(self.case["body"])
                  if s[0] == "store" and s[1] == name]
        if (abs(a["stride"]) != 1 or self.loop["step"] != 1
                or any(t[2] for t in uses)):
            raise NotC("*p++ goes from item to item")
        if a["written"] and (uses or jumps or len(stores) != 1 or
                             stores[0] not in self.case["body"] or
                             stores[0][2]):
            raise NotC("*p++ = is done once")

    # -- what is called

    def parameters(self):
        """(kind or "pointer", name) in order; `run` gives the values."""
        made = []
        for name, a in self.arrays.items():
            made.append(("pointer", name))
            if a["walk"] == "gather":
                made.append(("indices", f"k_{name}"))
        for name in self.case["locals"]:
            made.append(("result", f"o_{name}"))
        made.append((self.loop["index"], "n"))
        if self.loop["rows"] > 1:
            made.append(("i64", "rows"))
        for name, a in self.arrays.items():
            if a["walk"] in ("runtime", "runtime pointer"):
                made.append((self.case["strides"], f"s_{name}"))
            if a["walk"] == "bytes":
                made.append((self.case["strides"], f"b_{name}"))
            if self.loop["rows"] > 1:
                made.append(("i64", f"r_{name}"))
        if any(a["walk"] == "mirror" for a in self.arrays.values()):
            made.append(("i64", "m"))
        made += [(p["kind"], name)
                 for name, p in self.case["parameters"].items()]
        return made

    def _declared(self, kind, name):
        if kind == "pointer":
            a = self.arrays[name]
            const = "" if a["written"] else "const "
            restrict = "__restrict " if self.case["restrict"] else ""
            return f"{const}{KINDS[a['kind']].c_name} *{restrict}{name}"
        if kind == "indices":
            return f"const {KINDS[self.case['indices']].c_name} *{name}"
        if kind == "result":
            own = self.case["locals"][name[2:]]["kind"]
            return f"{KINDS[own].c_name} *{name}"
        return f"{KINDS[kind].c_name} {name}"

    def text(self):
        parts = [self._declared(*p) for p in self.parameters()]
        head = f"void f({', '.join(parts)})"
        body = ["{", *self._before(), *self._rows(), *self._after(), "}"]
        return "\n".join([*self._support(), head, *body]) + "\n"

    def _support(self):
        """Prototypes of libm, and conversions that are always defined."""
        yield "#ifdef __cplusplus\nextern \"C\" {\n#endif"
        used = sorted({(t[1], t[2]) for t in self._all_terms()
                       if t[0] == "call"})
        for name, kind in used:
            c_name = KINDS[kind].c_name
            count = {**EXACT, **MATHEMATICAL}[name]
            suffix = "f" if kind == "f32" else ""
            yield (f"{c_name} {name}{suffix}"
                   f"({', '.join([c_name] * count)});")
        yield f"void f({', '.join(self._declared(*p) for p in self.parameters())});"
        yield "#ifdef __cplusplus\n}\n#endif"
        for own in ("f32", "f64"):
            for kind, (least, most) in SAFE.items():
                name = f"{own}_to_{kind}"
                if name in self._body_text():
                    yield (f"static inline {KINDS[kind].c_name} {name}"
                           f"({KINDS[own].c_name} v) {{ return v >= {least}.0 "
                           f"&& v <= {most}.0 ? ({KINDS[kind].c_name})v : 0; }}")

    def _all_terms(self):
        tops = [t for s in self.case["body"] for t in terms_of(s)]
        tops += [given["start"] for given in self.case["locals"].values()]
        return [t for top in tops for t in leaves(top)]

    def _body_text(self):
        return "\n".join([*self._before(), *self._rows()])

    def _before(self):
        for name, given in self.case["locals"].items():
            kind = KINDS[given["kind"]]
            start = self.scope.c_assigned(given["start"], kind)
            yield f"    {kind.c_name} {name} = {start};"

    def _after(self):
        for name in self.case["locals"]:
            yield f"    *o_{name} = {name};"

    def _rows(self):
        if self.loop["rows"] == 1:
            yield from self._loop("    ")
            return
        yield "    for (long j = 0; j < rows; ++j) {"
        yield from self._loop("        ")
        yield "    }"

    def _loop(self, indent):
        for name, a in self.arrays.items():
            if a["walk"] in POINTERS:
                yield indent + self._pointer(name, a)
        form, step = self.loop["form"], self.loop["step"]
        kind = KINDS[self.loop["index"]].c_name
        count = "++i" if step == 1 else f"i += {step}"
        moves = "".join(f", {m}" for m in self._moves())
        body = list(self._block(self.case["body"], indent + "    "))
        loads = [f"{indent}    const {KINDS[a['kind']].c_name} v_{name} = "
                 f"{self._stepped(name, a)};"
                 for name, a in self.arrays.items()
                 if a["walk"] == "step" and not a["written"]]
        body = loads + body
        if form == "while":
            yield f"{indent}{kind} i = 0;\n{indent}while (i < n) {{"
            yield from body
            yield f"{indent}    {count}{moves};\n{indent}}}"
        elif form == "do":
            yield f"{indent}if (n > 0) {{\n{indent}    {kind} i = 0;"
            yield f"{indent}do {{"
            yield from body
            yield f"{indent}}} while ({count}{moves}, i < n);\n{indent}}}"
        else:
            header = {
                "up": f"{kind} i = 0; i < n; {count}{moves}",
                "not equal": f"{kind} i = 0; i != n; ++i{moves}",
                "down": f"{kind} i = n - 1; i >= 0; --i",
                "down to": f"{kind} i = n; i-- > 0;"}[form]
            yield f"{indent}for ({header}) {{"
            yield from body
            yield f"{indent}}}"

    def _pointer(self, name, a):
        const = "" if a["written"] else "const "
        row = f" + j * r_{name}" if self.loop["rows"] > 1 else ""
        past = " + 1" if a["walk"] == "step" and a["stride"] < 0 else ""
        return f"{const}{KINDS[a['kind']].c_name} *p_{name} = {name}{row}{past};"

    def _moves(self):
        for name, a in self.arrays.items():
            by = a["stride"] * self.loop["step"]
            if a["walk"] == "runtime pointer":
                yield f"p_{name} += s_{name}"
            elif a["walk"] == "pointer" and abs(by) == 1:
                yield f"{'++' if by > 0 else '--'}p_{name}"
            elif a["walk"] == "pointer":
                yield f"p_{name} += {by}"

    def _stepped(self, name, a):
        return f"*p_{name}++" if a["stride"] > 0 else f"*--p_{name}"

    def _block(self, body, indent):
        for statement in body:
            yield from self._statement(statement, indent)

    def _statement(self, statement, indent):
        head = statement[0]
        if head == "if":
            yield f"{indent}if ({self.scope.c(statement[1])}) {{"
            yield from self._block(statement[2], indent + "    ")
            if statement[3]:
                yield f"{indent}}} else {{"
                yield from self._block(statement[3], indent + "    ")
            yield f"{indent}}}"
        elif head in ("continue", "break"):
            yield f"{indent}if ({self.scope.c(statement[1])})"
            yield f"{indent}    {head};"
        elif head == "store":
            _, array, offset, term = statement
            a = self.arrays[array]
            place = (self._stepped(array, a) if a["walk"] == "step"
                     else self.scope.c_item(array, offset))
            value = self.scope.c_assigned(term, self.scope.kinds[array])
            yield f"{indent}{place} = {value};"
        else:  # set, add
            yield f"{indent}{self._assignment(*statement)};"

    def _assignment(self, head, name, *rest):
        kind = self.scope.kinds[name]
        if head == "set":
            return f"{name} = {self.scope.c_assigned(rest[0], kind)}"
        operator, term = rest
        whole = [operator, ["var", name], term]
        text = self.scope.c_assigned(whole, kind)
        if text == f"{name} {operator} {self.scope.c(term)}":
            return f"{name} {operator}= {self.scope.c(term)}"
        return f"{name} = {text}"
