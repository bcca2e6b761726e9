"""A text sees the support code of the Types around it, and what its apply has."""

import pytest

import clinch
from clinch import Apply, Type, double
from ways import WAYS, CText, results
from whose import TOGETHER, each_of, expect, in_c_and_cxx, not_seen, refusal


class Counted(Type):
    """A double, whose hooks use a macro of its support code."""

    def __init__(self, step=1, said=None):
        self.step = step
        self.said = said or f"#define COUNTED_STEP {step}\n"

    def __eq__(self, other):
        return type(self) is type(other) and self.said == other.said

    def __hash__(self):
        return hash(self.said)

    def filter(self, value, strict=False, allow_downcast=None):
        return float(value)

    def c_support_code(self):
        return self.said

    def c_declare(self, name, sub, check_input=True):
        return f"double {name};"

    def c_init(self, name, sub):
        return f"{name} = 0;"

    def c_extract(self, name, sub, check_input=True):
        return f"{name} = PyFloat_AsDouble(py_{name}) + COUNTED_STEP;"

    def c_sync(self, name, sub):
        return f"Py_SETREF(py_{name}, PyFloat_FromDouble({name}));"

    def c_cleanup(self, name, sub):
        return ""

    def c_code_cache_version(self):
        return (1,)


class FromCounted(CText):
    """From a Counted to a float."""

    def make_node(self, x):
        return Apply(self, [x], [double()])


@in_c_and_cxx
@each_of(WAYS)
def test_an_op_sees_its_types(language, form, linker, tier, first_tier):
    c = Counted()("c")
    op = FromCounted("z = x + COUNTED_STEP;")
    assert results([c], op(c), [1.0], form=form, linker=linker, tier=tier,
                   first_tier=first_tier, language=language) == [3.0] * 3


@in_c_and_cxx
@each_of(WAYS)
def test_an_op_sees_no_other_types(language, form, linker, tier, first_tier):
    c = Counted()("c")
    op = CText("z = x + COUNTED_STEP;")
    graph = [c], op(FromCounted("z = x;")(c))
    how = dict(form=form, tier=tier, first_tier=first_tier, language=language)
    if linker == "op":
        with pytest.raises(clinch.CompileError, match="COUNTED_STEP"):
            clinch.function(*graph, linker="op", **how)
        return
    found = refusal(graph[1], graph[0], **how)
    expect(found, "`CText.c_code`", 4, 9,
           not_seen("COUNTED_STEP", "`Counted.c_support_code`"))


@in_c_and_cxx
@each_of(WAYS)
def test_a_type_sees_no_ops(language, form, linker, tier, first_tier):
    c = Counted(said="/* Nothing. */")("c")
    found = refusal(FromCounted("z = x;", "#define COUNTED_STEP 5\n")(c), [c],
                    form=form, linker=linker, tier=tier, first_tier=first_tier,
                    language=language)
    expect(found, "`Counted.c_extract` for ", 1, 32,
           not_seen("COUNTED_STEP", "`FromCounted.c_support_code`"))


RELEASE = "static double released = 0;\nstatic double release(double *x) " \
    "{ double was = *x; *x = 0; released += 1; return was; }\n"


class Released(Counted):
    """Its hooks call a function that the Ops around it define."""

    def __init__(self, call="release(&NAME)"):
        self.call = call
        super().__init__(said="/* Nothing. */")

    def c_extract(self, name, sub, check_input=True):
        return f"{name} = PyFloat_AsDouble(py_{name});"

    def c_cleanup(self, name, sub):
        return f"(void){self.call.replace('NAME', name)};"


class ToReleased(CText):
    def make_node(self, x):
        return Apply(self, [x], [Released()()])


@pytest.mark.parametrize("call", ["release(&NAME)", "((void *)release == 0)"])
@in_c_and_cxx
@each_of(WAYS)
def test_a_type_calls_what_each_op_of_its_variable_defines(
        language, form, linker, tier, first_tier, call):
    """As `freefunc` of PyTensor's CDataType is."""
    class ToReleased(CText):
        def make_node(self, x):
            return Apply(self, [x], [Released(call)()])

    x = double("x")
    made = ToReleased("z = x + 1;", RELEASE)(x)
    read = FromCounted("z = x * 2;", RELEASE)(made)
    assert results([x], read, [1.0], form=form, linker=linker, tier=tier,
                   first_tier=first_tier, language=language) == [4.0] * 3


@in_c_and_cxx
@each_of(WAYS)
def test_a_type_calls_nothing_that_one_op_lacks(language, form, linker, tier,
                                                first_tier):
    x = double("x")
    made = ToReleased("z = x + 1;", RELEASE)(x)
    read = FromCounted("z = x * 2;", "/* No such function. */\n")(made)
    how = dict(form=form, tier=tier, first_tier=first_tier, language=language)
    if linker == "op":
        with pytest.raises(clinch.CompileError, match="release"):
            clinch.function([x], read, linker="op", **how)
        return
    found = refusal(read, [x], **how)
    expect(found, "`Released.c_cleanup` for ", 1, 7,
           not_seen("release", "`ToReleased.c_support_code`"))


@pytest.mark.parametrize("text, call", [
    ("#define release(x) *(x) = 0\n", "(release(&NAME), 0)"),
    (RELEASE, "released"),
    (RELEASE + "static int release(int x) { return x; }\n", "release(&NAME)"),
    ("namespace one { inline int release(int) { return 1; } }\n"
     "using namespace one;\n" + RELEASE, "release(&NAME)"),
    ("#include <string>\n"
     "inline int release(const std::string &x) { return x.size(); }\n",
     "release(std::string())"),
    ("template <typename T> T release(T x) { return x; }\n", "release(&NAME)"),
])
def test_a_type_calls_nothing_that_could_mean_something_else(text, call):
    """It would have a meaning without the Op's text, too, and lose it."""
    x = double("x")

    class Making(CText):
        def make_node(self, x):
            return Apply(self, [x], [Released(call)()])

    made = Making("z = x + 1;", text)(x)
    found = refusal(FromCounted("z = x;", text)(made), [x], tier="fast",
                    language="c++")
    assert found["origin"].startswith("`Released.c_cleanup` for ")
    assert "is of `Making.c_support_code`, which this text cannot use" in \
        found["message"]


@in_c_and_cxx
@each_of(TOGETHER)
def test_two_types_with_one_macro(language, form, linker, tier, first_tier):
    """It would be the later one's in the hooks of both."""
    a, b = Counted(1)("a"), Counted(2)("b")
    op = FromCounted("z = x;")
    found = refusal([op(a), op(b)], [a, b], form=form, tier=tier,
                    first_tier=first_tier, language=language)
    expect(found, "`Counted.c_extract` for ", 1, 32,
           not_seen("COUNTED_STEP", "`Counted.c_support_code`"))


class ForEach(CText):
    """With support code of each apply's own."""

    def c_support_code_apply(self, node, name):
        return f"#define MINE_{name} 1\nstatic int mine_{name} = 1;\n"


@in_c_and_cxx
@each_of(TOGETHER)
def test_an_apply_sees_its_own(language, form, linker, tier, first_tier):
    class Reading(ForEach):
        def c_code(self, node, name, inputs, outputs, sub):
            return (f"{outputs[0]} = {inputs[0]} + MINE_{self.code or name}"
                    f" + mine_{self.code or name};")
    x = double("x")
    how = dict(form=form, tier=tier, first_tier=first_tier, language=language)
    own = Reading("")
    assert results([x], own(own(x)), [1.0], linker=linker, **how) == [5.0] * 3
    other = Reading("node_4")
    found = refusal(lambda x: other(own(x)), **how)
    expect(found, "`Reading.c_code` for `node_5`", 1, 11,
           not_seen("MINE_node_4",
                    "`Reading.c_support_code_apply` for `node_4`"))


@in_c_and_cxx
@each_of(TOGETHER)
def test_an_apply_sees_its_own_struct(language, form, linker, tier, first_tier):
    kept = CText("mine = 5; z = x + mine;", struct="int mine;")
    x = double("x")
    how = dict(form=form, tier=tier, first_tier=first_tier, language=language)
    assert results([x], kept(x), [1.0], linker=linker, **how) == [6.0] * 3
    found = refusal(lambda x: CText("z = x + mine;")(kept(x)), **how)
    expect(found, "`CText.c_code`", 4, 9,
           not_seen("mine", "`CText.c_support_code_struct` for `node_4`"))


@in_c_and_cxx
@each_of(TOGETHER)
def test_a_text_that_two_have_sees_what_each_may(language, form, linker, tier,
                                                 first_tier):
    """The text stands once: it may not use what only one of them defines."""
    class Listed(CText):
        def c_support_code(self):
            return list(self.support)

    half = "static double half(double a) { return a / WHOLE; }\n"
    two = Listed("z = half(x);", ("#define WHOLE 2\n", half))
    four = Listed("z = x + half(x);", ("#define WHOLE 4\n", half))
    x = double("x")
    how = dict(form=form, tier=tier, first_tier=first_tier, language=language)
    assert results([x], two(x), [4.0], linker=linker, **how) == [2.0] * 3
    assert results([x], four(two(x)), [4.0], linker="op", **how) == [2.5] * 3
    found = refusal(lambda x: four(two(x)), **how)
    expect(found, "`Listed.c_support_code`", 1, 43,
           not_seen("WHOLE", "`Listed.c_support_code`"))
