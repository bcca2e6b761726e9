"""Texts that authors might write for `z = f(x)`, with all that C allows: each is
to mean what it says, in every way that it is compiled, or to be refused in all.
"""

REFUSED = object()


class Text:
    """`code` with {x}, {z}, {fail} and {name}; `support` for c_support_code;
    `value(x)`: what z is, REFUSED, or None where only the ways are compared.
    clash: of texts with that name one graph has one; together they would mean
    something else, or not compile. by_form: what it keeps from run to run differs between forms.
    renames: it gives a name of its variables another meaning, which C++ takes
    and C refuses."""

    def __init__(self, code, value, support="", language=None, clash=None,
                 by_form=False, renames=False, struct=""):
        self.code = code
        self.value = value
        self.support = support
        self.language = language
        self.clash = clash
        self.by_form = by_form
        self.renames = renames
        self.struct = struct

    def refused(self, language):
        return self.value is REFUSED or self.renames and language == "c"

    def fill(self, text, **names):
        for key, value in names.items():
            text = text.replace("{" + key + "}", value)
        return text


def same(x):
    return x


def more(x):
    return x + 1


TEXTS = {
    # -- types that are taken from names, and names that are hidden
    "typeof": Text("__typeof__({x}) t = {x}; t += 1; {z} = {x};", same),
    "decltype": Text("decltype({x}) t = {x}; t += 1; {z} = {x};", same,
                     language="c++"),
    "auto type": Text("__auto_type t = {x}; t += 1; {z} = {x};", same,
                      language="c"),
    "auto": Text("auto t = {x}; t += 1; {z} = {x} + 0 * t;", same,
                 language="c++"),
    "sizeof": Text("{z} = {x} + (sizeof({x}) - sizeof(double));", same),
    "shadow input": Text("{z} = {x}; { double {x} = 3; (void){x}; }", same,
                         renames=True),
    "shadow output": Text("{ double {z} = 3; (void){z}; } {z} = {x};", same,
                         renames=True),
    "shadow in for": Text("for (int {x} = 0; {x} < 3; ++{x}) ; {z} = {x};",
                          same,
                         renames=True),
    "shadow parameter": Text("double (*p)(double {x}) = 0; (void)p; {z} = {x};",
                             same,
                         renames=True),
    "member of that name": Text(
        "struct { double {x}, {z}; } s = {1, 2}; {z} = {x} + s.{x};", more,
                         renames=True),
    "designator": Text("struct s_{name} { double {x}; } s = {.{x} = 1}; "
                       "{z} = {x} + s.{x};", more, language="c",
                         renames=True),
    "label of that name": Text("goto {x}; {x}: {z} = {x};", same,
                         renames=True),
    "enum": Text("enum { ONE_{name} = 1 }; {z} = {x} + ONE_{name};", more),
    "macro of that name": Text("#define {x} 5\n#undef {x}\n{z} = {x};", same,
                         renames=True),
    "macro asked for": Text("#ifdef {x}\n{z} = 9;\n#else\n{z} = {x};\n#endif",
                            same, renames=True),
    "macro defined": Text("#if defined({x}) || 0\n{z} = 9;\n#else\n{z} = {x};\n"
                          "#endif", same, renames=True),
    "macro declares": Text("#define D_{name}(n) { double n = 3; (void)n; }\n"
                           "D_{name}({x}) {z} = {x};\n#undef D_{name}", same,
                           renames=True),
    "macro parameter": Text("#define F_{name}({x}) ({x} + 1)\n"
                            "{z} = F_{name}({z} = {x});\n#undef F_{name}", more),
    "tag of that name": Text("{ struct {x} { int a; }; } {z} = {x};", same,
                             renames=True),
    "typedef of that name": Text("{ typedef int {x}; {x} a = 1; (void)a; } "
                                 "{z} = {x};", same, renames=True),
    "enumerator of that name": Text("{ enum { {x} = 3 }; } {z} = {x};", same,
                                    renames=True),
    "member by arrow": Text("struct { double {x}; } s = {1}, *p = &s; "
                            "{z} = {x} + p->{x};", more, renames=True),
    "operand of that name": Text(
        "double t = {x}; __asm__ volatile (\"\" : [{x}] \"+x\"(t)); {z} = t;",
        same, renames=True),
    "call without brackets": Text("{z} = nearly_{name} {x};", REFUSED, support=(
        "static double nearly_{name}(double a) { return a; }")),
    "lambda by copy": Text("auto f = [=] { return {x}; }; {z} = f();", same,
                           language="c++"),
    "lambda by copy of all": Text(
        "auto f = [=]() mutable { {x} += 1; return {x}; }; {z} = f() + {x} * 0;",
        more, language="c++"),
    "lambda by name": Text("auto f = [{x}] { return {x}; }; {z} = f();", same,
                           language="c++"),
    "lambda that sets": Text("auto f = [&{z}](double a) { {z} = a; }; f({x});",
                             same, language="c++"),
    "lambda by reference to a name": Text(
        "auto f = [&{x}] { return {x}; }; {z} = f();", same, language="c++"),
    "lambda of a copy": Text(
        "auto f = [t = {x}] { return t + 1; }; {z} = f();", more,
        language="c++"),
    "lambda by copy of its own": Text(
        "double t = {x}; auto f = [=] { return t + 1; }; {z} = f();", more,
        language="c++"),
    "lambda with a parameter": Text(
        "auto f = [=](double {x}) { return {x} + 1; }; {z} = f({x});", more,
        language="c++"),
    # -- addresses
    "address": Text("double *p = &{x}; {z} = *p;", same),
    "address in brackets": Text("double *p = &({x}); {z} = *p;", same),
    "address in a loop": Text(
        "double *p = &({x}); {z} = 0; for (int i = 0; i < 3; ++i) {z} += *p;",
        lambda x: x + x + x),
    "write through": Text("double *p = &{z}; *p = {x};", same),
    "write twice": Text("{z} = {x}; double *p = &{z}; *p += 1;", more),
    "reference": Text("double &r = {z}; r = {x};", same, language="c++"),
    "swap of inputs": Text("double t = {x}; {x} += 1; {z} = {x}; {x} = t;",
                           more),
    "input changed": Text("double t = {x} * 2; {z} = t - {x};",
                          lambda x: x * 2 - x),
    "volatile": Text("volatile double t = {x}; {z} = t;", same),
    "memcpy": Text("__builtin_memcpy(&{z}, &{x}, sizeof {z});", same),
    # -- jumps that stay
    "goto": Text("goto in_{name}; {z} = 9; in_{name}: {z} = {x};", same),
    "goto back": Text("int k = 0; again_{name}: if (++k < 4) goto "
                      "again_{name}; {z} = {x} + (k - 3);", more),
    "computed goto": Text("void *l = &&l_{name}; goto *l; l_{name}: {z} = {x};",
                          None),
    "switch": Text("switch ((int)({x} * 0)) { case 0: {z} = {x}; break; "
                   "default: {z} = 7; }", same),
    "duff": Text("int k = 0; switch (3) { case 4: do { k++; case 3: k++; } "
                 "while (k < 4); } {z} = {x} + (k - 4);", more),
    "loops": Text("{z} = {x}; for (;;) { if ({z} > 0) break; {z} = {x}; break; }"
                  " while (0) continue; do continue; while (0);", same),
    "lambda": Text("auto f = [&](double a) { return a + 1; }; {z} = f({x});",
                   more, language="c++"),
    "try": Text("try { throw 1; } catch (int) { {z} = {x}; }", None,
                language="c++"),
    # -- expressions
    "statement expression": Text("{z} = ({ double t = {x}; t + 1; });", more),
    "comma": Text("{z} = (0, {x});", same),
    "conditional": Text("{z} = {x} > 0 ? {x} : {x};", same),
    "generic": Text("{z} = _Generic({x}, double: {x}, default: 0);", same,
                    language="c"),
    "compound literal": Text("{z} = (double[]){{x}, 1}[0];", same,
                             language="c"),
    "array of names": Text("double a[] = {{x}, {x}}; {z} = a[1];", same),
    "variable length": Text("int k = 3; double a[k]; a[2] = {x}; {z} = a[2];",
                            same),
    "alloca": Text("double *a = (double *)__builtin_alloca(16); a[1] = {x}; "
                   "{z} = a[1];", same),
    "digraphs": Text("<%\n%:define D_{name} 1\n{z} = {x} + D_{name};\n"
                     "%:undef D_{name}\n%>", more),
    "trigraph": Text("const char *s = \"??/\"; {z} = {x} + (s[0] == '?');",
                     more),
    "atomic": Text("_Atomic int k = 1; {z} = {x} + k;", more, language="c"),
    "products": Text("double t = {x} * {x}; {z} = t - 0.1;",
                     lambda x: x * x - 0.1),
    "fused": Text("double t = {x} * 1.1; double u = t * {x}; {z} = u + t;",
                  lambda x: x * 1.1 * x + x * 1.1),
    # -- what a preprocessor sees
    "line": Text("int a = __LINE__;\n\nint b = __LINE__;\n{z} = {x} + (b - a);",
                 lambda x: x + 2),
    "which line": Text("\n\n{z} = {x} + __LINE__;", lambda x: x + 3),
    "counter": Text("int a = __COUNTER__, b = __COUNTER__; {z} = {x} + (b - a);",
                    more),
    "file": Text("{z} = {x} + (__FILE__[0] != 0);", more),
    "function": Text("{z} = {x} + (__func__[0] != 0);", more),
    "line directive": Text("#line 70 \"else.c\"\n{z} = {x};", None),
    "line directive and return": Text("#line 70 \"else.c\"\nreturn 0;",
                                      REFUSED),
    "if 0": Text("#if 0\nreturn; } } { \" '\n#endif\n{z} = {x};", same),
    "else": Text("#ifdef NEVER_{name}\n{z} = 9;\n#else\n{z} = {x};\n#endif",
                 same),
    "splice": Text("{z} \\\n = \\\n {x}; // and \\\n {z} = 9;", same),
    "pragma": Text("#pragma GCC diagnostic push\n{z} = {x};\n"
                   "#pragma GCC diagnostic pop", same),
    "pragma operator": Text("_Pragma(\"clang loop unroll(disable)\") "
                            "for (int i = 0; i < 2; ++i) {z} = {x};", same),
    "crlf": Text("double t = {x};\r\n{z} = t;\r\n", same),
    "form feed": Text("\f\v\t{z} = {x};\f", same),
    "macro used twice": Text("#define M_{name}(a) a + \\\n 1\n"
                             "{z} = M_{name}({x});\n#undef M_{name}", more),
    "pasted": Text("#define P_{name}(a, b) a##b\ndouble P_{name}(t, 1) = {x};"
                   "{z} = t1;\n#undef P_{name}", same),
    "pushed macro": Text("#pragma push_macro(\"NULL\")\n#undef NULL\n"
                         "#define NULL 1\n{z} = {x} + NULL;\n#undef NULL\n"
                         "#pragma pop_macro(\"NULL\")", None),
    "macro left": Text("#define LEFT_{name} 1\n{z} = {x} + LEFT_{name};", more),
    # -- strings and comments
    "braces in a string": Text("const char *s = \"}{ */ // \\\"\"; "
                               "{z} = {x} + (s[0] == '}');", more),
    "names in a string": Text("const char *s = \"{x} {z} label_1 failure\"; "
                              "{z} = {x} + (s != 0);", more),
    "raw string": Text("const char *s = R\"a()\" } return; )a\"; "
                       "{z} = {x} + (s[0] == ')');", more, language="c++"),
    "characters": Text("{z} = {x} + ('}' == 125) * ('\"' == 34) * ('\\'' == 39);",
                       more),
    "wide": Text("{z} = {x} + (L'}' == 125) * (u8\"}\"[0] == 125);", more),
    "comments": Text("/* } // */ {z} = {x}; // } /* \n", same),
    "comment at the end": Text("{z} = {x}; // the end", same),
    "comment with directives": Text("/*\n#line 9 \"a\"\n#define X\n*/ {z} = {x};",
                                    same),
    "digit separators": Text("{z} = {x} + (1'0 - 9);", more),
    "unicode": Text("double \u00e4 = {x}; {z} = \u00e4;", same),
    # -- functions, types and sections of one's own
    "attribute cleanup": Text(
        "__attribute__((cleanup(gone_{name}))) double t = {x}; {z} = t;", same,
        support="static void gone_{name}(double *p) { *p = 0; }"),
    "target": Text("{z} = aimed_{name}({x});", more, support=(
        "static __attribute__((target(\"avx2\"))) double aimed_{name}(double a)"
        " { return a + 1; }")),
    "always inline": Text("{z} = in_{name}({x});", more, support=(
        "static inline __attribute__((always_inline)) double in_{name}(double a)"
        " { return a + 1; }")),
    "weak": Text("{z} = weak_{name}({x});", more, support=(
        "__attribute__((weak)) double weak_{name}(double a) { return a + 1; }")),
    "same helper": Text("{z} = shared_helper({x});", more, support=(
        "static double shared_helper(double a) { return a + 1; }")),
    "other helper": Text("{z} = other_helper({x});", None, clash="helper",
        support=(
        "static double other_helper(double a) { return a + {number}; }")),
    "step defined": Text("{z} = {x} + STEP;", lambda x: x + 100, clash="step",
                         support="#define STEP 100\n"),
    "step asked for": Text("{z} = {x} + STEP;", more, clash="step", support=(
        "#ifndef STEP\n#define STEP 1\n#endif\n")),
    "step asked in the code": Text(
        "#ifdef STEP\n{z} = 9;\n#else\n{z} = {x};\n#endif", same, clash="step"),
    "step undefined": Text("{z} = {x};", same, clash="step",
                           support="#undef STEP\n"),
    "step of one's own": Text(
        "{z} = own_step_{name}({x});", more, support=(
            "#define OWN_STEP 1\nstatic double own_step_{name}(double a) { "
            "return a + OWN_STEP; }\n")),
    "another step of one's own": Text(
        "{z} = own_step_{name}({x});", lambda x: x + 2, support=(
            "#define OWN_STEP 2\nstatic double own_step_{name}(double a) { "
            "return a + OWN_STEP; }\n")),
    "guarded": Text("{z} = guarded({x});", more, support=(
        "#ifndef GUARDED\n#define GUARDED\nstatic double guarded(double a) { "
        "return a + 1; }\n#endif\n")),
    "guarded, and more": Text("{z} = guarded_{name}({x});", more, support=(
        "#ifndef GUARDED\n#define GUARDED\nstatic double guarded(double a) { "
        "return a + 1; }\n#endif\nstatic double guarded_{name}(double a) { "
        "return guarded(a); }\n")),
    "one's own count": Text(
        "clashing_count += 1; {z} = {x} + (clashing_count - clashing_count);",
        same, clash="count", language="c",
        support="static int clashing_count; // {number}\n"),
    "assembly": Text("double t = {x}; __asm__ volatile (\"\" : \"+x\"(t)); "
                     "{z} = t;", same),
    "assembly with a label": Text(
        "int k = 0; __asm__ volatile (\"jmp 1f\\n1: incl %0\" : \"+r\"(k)); "
        "{z} = {x} + k;", more),
    "extern": Text("extern double fabs(double); {z} = {x} + (fabs(-1.0) == 1);",
                   None),
    "kept": Text("kept_{name} += 1; {z} = {x} + kept_{name};", None,
                 by_form=True, struct="int kept_{name};"),
    "failure of one's own": Text("{ int failure = 3; (void)failure; } {z} = {x};",
                                 None),
    # -- what must be refused, and alike
    "return": Text("{z} = {x}; return 0;", REFUSED),
    "break": Text("{z} = {x}; break;", REFUSED),
    "open brace": Text("if ({x} > 0) { {z} = {x};", REFUSED),
    "closed brace": Text("{z} = {x}; }", REFUSED),
    "open comment": Text("{z} = {x}; /* ", REFUSED),
    "open if": Text("#if 1\n{z} = {x};", REFUSED),
    "open string": Text("{z} = {x}; const char *s = \"", REFUSED),
    "no semicolon": Text("{z} = {x}", REFUSED),
    "unknown name": Text("{z} = {x} + nowhere_{name};", REFUSED),
    "goto nowhere": Text("{z} = {x}; goto nowhere_{name};", REFUSED),
    "return in a macro": Text("#define R_{name} return 0\nR_{name};\n"
                              "#undef R_{name}", REFUSED),
}
