"""Random blocks of C that mean something, and what becomes of them when somebody
slips: a token that is missing, doubled, elsewhere, another, or an ending."""

import re

#: What a slip puts where it does not belong.
STRANGE = [
    "{", "}", "(", ")", "[", "]", ";", ",", "#", "\n#define y", "\n#undef z\n",
    "\n#if 0\n", "\n#endif\n", "\n#line 7 \"x.c\"\n", "\n#include <stdio.h>\n",
    "\n#include \"none.h\"\n", "/*", "*/", "//", "\\\n", "\"", "'", "return",
    "return 1;", "goto", "goto label_1;", "label_1:", "else", "if (", "do",
    "while (1)", "for (;;", "case 1:", "break;", "continue;", "switch", "int",
    "static", "extern", "typedef", "struct s {", "__attribute__((aligned(64)))",
    "__attribute__((", "asm(\"nop\");", "asm(\".byte\")", "__asm__(\"",
    "_Pragma(\"pack(1)\")", "\n#pragma pack(1)\n", "namespace n {", "template <",
    "class C {", "throw 1;", "try {", "catch (...) {}", "extern \"C\" {",
    "decltype(x)", "operator", "??=", "<%", "%>", "u8\"", "R\"(", "0x", "1e",
    "'\\", "\u00e4", "$", "@", "`", "x", "z", "FAIL", "failure", "V1", "__FILE__",
    "__COUNTER__", "PyErr_SetString(PyExc_ValueError, \"no\");", "_Generic(",
    "__builtin_trap();", "__builtin_unreachable();", "sizeof(", "&x", "*x", "[]",
    "%", "%%", "%(x)s", "%(", "\\u0041", "1'0", "_Atomic", "__thread",
]
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\w+|\s+|.', re.DOTALL)


class Block:
    """Statements over `a`, `b` and `x`, as C and as Python at the same time."""

    def __init__(self, draw):
        self.draw = draw
        self.c = ["double a = x, b = 1;"]
        self.python = ["a, b = x, 1.0"]
        for _ in range(draw.randint(1, 5)):
            draw.choice([self._assign, self._choose, self._repeat, self._jump,
                         self._define, self._comment])()
        self.c.append("z = a + 2 * b;")
        self.python.append("z = a + 2 * b")

    def _term(self):
        draw = self.draw
        return (f"{draw.choice('abx')} {draw.choice('+-*')} "
                f"{draw.choice(['a', 'b', 'x', '2', '3', '0.5'])}")

    def _assign(self):
        name, term = self.draw.choice("ab"), self._term()
        self.c.append(f"{name} = {term};")
        self.python.append(f"{name} = {term}")

    def _choose(self):
        name, one, two = self.draw.choice("ab"), self._term(), self._term()
        limit = self.draw.randint(-3, 3)
        self.c.append(f"if ({name} > {limit}) {{ {name} = {one}; }}\n"
                      f"else\n  {name} = {two};")
        self.python.append(f"{name} = ({one}) if {name} > {limit} else ({two})")

    def _repeat(self):
        name, times = self.draw.choice("ab"), self.draw.randint(0, 4)
        head = self.draw.choice([
            "for (int i = 0; i < {n}; ++i) {{", "int i = 0; while (i++ < {n}) {{",
            "for (int i = {n}; i--;) {{"]).format(n=times)
        self.c.append(f"{{ {head} {name} = {name} * 0.5 + x; }} }}")
        self.python.append(f"for _ in range({times}): {name} = {name} * 0.5 + x")

    def _jump(self):
        number = len(self.c)
        self.c.append(f"switch ({number % 3}) {{ case 0: a = a + 1; break; "
                      f"default: b = b - 1; }}")
        self.python.append("a = a + 1" if number % 3 == 0 else "b = b - 1")

    def _define(self):
        term = self._term()
        self.c.append(f"#define TERM ({term})\nb = TERM;\n#undef TERM")
        self.python.append(f"b = {term}")

    def _comment(self):
        self.c.append("/* a } comment */ { const char *s = \"} // ;\"; (void)s; }"
                      " // end")

    def text(self):
        return "\n".join(self.c)

    def value(self, x):
        names = {"x": x}
        exec("\n".join(self.python), {}, names)
        return names["z"]


def slip(draw, text, other):
    """The text after one slip; `other` is what it may be spliced with."""
    tokens = _TOKEN.findall(text) or [""]
    at = draw.randrange(len(tokens))
    kind = draw.randrange(8)
    if kind == 0:
        del tokens[at]
    elif kind == 1:
        tokens.insert(at, draw.choice(tokens))
    elif kind == 2:
        to = draw.randrange(len(tokens))
        tokens[at], tokens[to] = tokens[to], tokens[at]
    elif kind == 3:
        tokens[at] = draw.choice(STRANGE)
    elif kind == 4:
        tokens.insert(at, draw.choice(STRANGE))
    elif kind == 5:
        del tokens[at:]
    elif kind == 6:
        tokens[at:] = _TOKEN.findall(other)[draw.randrange(20):]
    else:
        tokens[at] = "".join(chr(draw.choice([draw.randrange(1, 128), 0xfffd]))
                             for _ in range(draw.randint(1, 4)))
    return "".join(tokens)
