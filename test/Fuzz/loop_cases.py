"""Random loops."""

from kinds import KINDS
from loops import FORMS, LoopText
from random_terms import RandomTerms, choose, number
from terms import NotC

PLAIN = {"f64": 8, "f32": 4, "i64": 4, "i32": 4}
#: Numbers of iterations: around the widths of vectors, and where arrays are
#: longer than what code may do differently for long ones.
SHORT = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17]
MIDDLE = [31, 33, 47, 63, 64, 65, 70, 127, 257]
LONG = [500, 1029, 2051, 4100, 8200]
#: Places in a buffer, relative to the array that it was made for.
SHIFTS = [0, 0, 0, 1, -1, 2, -2, 4, -8, 9, 100]


def make(draw):
    """A case that has a text."""
    while True:
        case = LoopMaker(draw).case()
        try:
            LoopText(case).text()
        except NotC:
            continue
        return case


class LoopMaker:
    def __init__(self, draw):
        self.draw = draw
        #: Half of the loops are such as people write, and can be vectorised.
        self.plain = draw.random() < 0.5
        self.mathematical = draw.random() < 0.3
        self.pool = self._pool()
        self.terms = RandomTerms(draw, self.pool, self.mathematical)

    def _pool(self):
        pool = list(KINDS)
        if self.plain or self.draw.random() < 0.5:
            pool = [choose(self.draw, PLAIN)]
            if self.draw.random() < 0.6:
                pool.append(self.draw.choice(list(KINDS)))
        if self.mathematical and not {"f32", "f64"} & set(pool):
            pool.append(self.draw.choice(["f32", "f64"]))
        return pool

    def case(self):
        draw = self.draw
        self.loop = self._loop()
        self.buffers, self.arrays = {}, {}
        for n in range(draw.randint(1, 4)):
            self._add_array(f"x{n}", written=False)
        for n in range(choose(draw, {0: 2, 1: 8, 2: 3})):
            self._add_array(f"z{n}", written=True)
        self.parameters = {
            f"a{n}": self._parameter() for n in range(draw.randint(0, 2))}
        self.locals = {}
        outputs = any(a["written"] for a in self.arrays.values())
        for n in range(max(choose(draw, {0: 5, 1: 4, 2: 2}), not outputs)):
            kind = draw.choice(self.pool)
            self.locals[f"t{n}"] = dict(
                kind=kind, start=number(kind, draw.choice([0, 0, 1, 3])))
        self.terms.variables = [*self.parameters, *self.locals, "i"]
        self.terms.arrays = {name: self._offsets(a)
                             for name, a in self.arrays.items()
                             if not a["written"] or (a["walk"] != "step" and
                                                     draw.random() < 0.3)}
        alone = len(self.buffers) == len(self.arrays)
        return dict(
            arrays=self.arrays, buffers=self.buffers, loop=self.loop,
            parameters=self.parameters, locals=self.locals, body=self._body(),
            wraps=draw.random() < 0.3, indices=draw.choice(["i64", "i32"]),
            restrict=alone and draw.random() < 0.3,
            lengths=sorted([*draw.sample(SHORT, 2), *draw.sample(MIDDLE, 2),
                            draw.choice(LONG)]),
            data=draw.randrange(1 << 30), strides=draw.choice(["i64", "i32"]))

    def _loop(self):
        form = choose(self.draw, dict.fromkeys(FORMS, 1) | {"up": 6})
        index = choose(self.draw, {"i64": 8, "i32": 4, "u64": 2, "u32": 2,
                                   "i16": 1, "u16": 1})
        if form == "down" and KINDS[index].family == "u":
            index = "i64"
        step = 1
        if self.plain:
            form, index = "up", self.draw.choice(["i64", "i64", "i32"])
        elif form in ("up", "while", "do"):
            step = choose(self.draw, {1: 8, 2: 1, 3: 1})
        return dict(form=form, index=index, step=step,
                    rows=choose(self.draw, {1: 10, 2: not self.plain, 3: 1}))

    def _add_array(self, name, written):
        draw = self.draw
        kind, shift = draw.choice(self.pool), 0
        buffer = f"b{len(self.buffers)}"
        if written and self.buffers and draw.random() < 0.35:
            buffer = draw.choice(list(self.buffers))
            kind = self.buffers[buffer]["kind"]
            shift = draw.choice(SHIFTS)
        else:
            self.buffers[buffer] = dict(
                kind=kind, values=self._values(kind), moved=draw.randint(0, 9),
                edge=choose(draw, {"middle": 4, "low": 1, "high": 2}))
        walk, stride = self._walk()
        self.arrays[name] = dict(
            kind=kind, buffer=buffer, shift=shift, stride=stride, walk=walk,
            row=draw.choice([0, 1, 5, 64, -7]), written=written)

    def _values(self, kind):
        if KINDS[kind].is_float:
            return choose(self.draw, {"small": 6, "unit": 2, "wide": 2,
                                      "special": 1})
        return choose(self.draw, {"small": 5, "any": 4, "unit": 1})

    def _walk(self):
        walk = choose(self.draw, {
            "index": 10, "runtime": 3, "bytes": 4, "mirror": 2, "pointer": 2,
            "runtime pointer": 2, "step": 4, "gather": 1})
        stride = choose(self.draw, {1: 12, -1: 3, 2: 2, 3: 1, -2: 1, 4: 1,
                                    0: 0.3})
        if self.plain:
            walk = choose(self.draw, {"index": 6, "bytes": 2, "step": 2,
                                      "mirror": 1, "runtime": 1})
            stride = choose(self.draw, {1: 10, -1: 2, 2: 1})
        if walk == "step" and self.loop["step"] != 1:
            walk = "index"
        if self.loop["form"].startswith("down") and (
                "pointer" in walk or walk == "step"):
            walk = "bytes"
        if walk == "mirror":
            stride = -1
        elif walk == "step":
            stride = self.draw.choice([1, -1])
        elif walk == "index":
            stride = stride or 1
        return walk, stride

    def _parameter(self):
        kind = self.draw.choice(self.pool)
        value = {"f64": self.draw.uniform(-4, 4),
                 "f32": self.draw.randint(1, 60) / 4}.get(
                     kind, self.draw.randint(1, 100))
        return dict(kind=kind, value=value)

    def _offsets(self, array):
        if array["walk"] == "step" or self.draw.random() < 0.6:
            return [0]
        return [0, 0, self.draw.choice([-2, -1, 1, 2, 3])]

    # -- statements

    def _body(self):
        body = []
        if self.draw.random() < 0.08:
            body.append([self.draw.choice(["continue", "break"]),
                         self.terms.condition(1)])
        for name in self.locals:
            body.append(self._maybe(self._local(name)))
        for name, a in self.arrays.items():
            if not a["written"]:
                continue
            store = ["store", name, 0, self.terms.term(self._depth())]
            body.append(store if a["walk"] == "step" else self._maybe(store))
        if self.draw.random() < 0.3:
            self.draw.shuffle(body)
        return body

    def _depth(self):
        if self.plain:
            return choose(self.draw, {1: 3, 2: 5, 3: 1})
        return choose(self.draw, {1: 2, 2: 5, 3: 4, 4: 2})

    def _maybe(self, statement):
        """The statement, perhaps under a condition."""
        if self.draw.random() > 0.15:
            return statement
        other = []
        if self.draw.random() < 0.4:
            other = [statement[:-1] + [self.terms.term(1)]]
        return ["if", self.terms.condition(1), [statement], other]

    def _local(self, name):
        """A sum, a least or greatest item, a number of those that are so, a
        value from the iteration before, or anything."""
        draw, term = self.draw, self.terms.term(self._depth())
        kind, own = self.locals[name]["kind"], ["var", name]
        way = choose(draw, {"add": 6, "bits": 2, "most": 2, "count": 1,
                            "set": 2})
        if way == "bits" and not KINDS[kind].is_float:
            return ["add", name, draw.choice("&|^"), self.terms.whole(2)]
        if way == "most":
            item = ["cast", kind, term]
            return ["set", name, ["?", [draw.choice("<>"), item, own], item,
                                  own]]
        if way == "count":
            return ["add", name, "+", self.terms.condition(1)]
        if way == "set":
            return ["set", name, term]
        return ["add", name, draw.choice("+++-*"), term]
