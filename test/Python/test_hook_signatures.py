"""How hooks are called, whatever signature Python sees of them."""

import functools

import pytest

from clinch import Apply, Op, Type, double, function


class Doubles(Op):
    """Twice its input."""

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = TIMES * {inputs[0]};"


def run(hook, make):
    """Runs an Op with that list hook; what it gives defines TIMES."""
    cls = type("Own", (Doubles,), {hook: make})
    return function([x := double("x")], cls()(x))(3.0)


def decorated(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)
    return wrapper


def undeclared(function):
    """Decorates without `functools.wraps`."""
    return lambda *args, **kwargs: function(*args, **kwargs)


def of_compiler(self, c_compiler):
    assert c_compiler == "c"
    return ["-DTIMES=2"]


def of_nothing(self):
    return ["-DTIMES=2"]


def positional_only(self, c_compiler, /):
    return of_compiler(self, c_compiler)


def keyword_only(self, *, c_compiler):
    return of_compiler(self, c_compiler)


def of_three(count, self, c_compiler=None):
    assert c_compiler == "c"
    return [f"-DTIMES={count}"]


class Callable:
    def __call__(self, c_compiler):
        return of_compiler(self, c_compiler)


@pytest.mark.parametrize("make", [
    of_compiler, of_nothing, positional_only, keyword_only,
    functools.lru_cache(of_compiler), functools.lru_cache(of_nothing),
    decorated(of_compiler), decorated(of_nothing), decorated(positional_only),
    undeclared(of_compiler), undeclared(of_nothing),
    functools.partialmethod(of_compiler), Callable(),
    functools.partialmethod(lambda self, n: [f"-DTIMES={n}"], 2)])
def test_signatures_of_list_hooks(make):
    assert run("c_compile_args", make) == 6.0


def test_a_partial_function():
    class Own(Doubles):
        def __init__(self):
            self.c_compile_args = functools.partial(of_three, 2, self)

    assert function([x := double("x")], Own()(x))(3.0) == 6.0


@pytest.mark.parametrize("error", [ValueError, TypeError, NotImplementedError])
def test_the_version_without_c_compiler_is_tried_next(error):
    def hook(self, c_compiler=None):
        if c_compiler is not None:
            raise error("which compiler is that?")
        return ["-DTIMES=5"]

    assert run("c_compile_args", hook) == 15.0


def test_if_neither_works_the_first_says_why():
    def hook(self, c_compiler=None):
        raise ValueError(f"not for {c_compiler}")

    with pytest.raises(ValueError, match="(?m)^not for c$") as error:
        run("c_compile_args", hook)
    assert error.value.__notes__ == [
        "Clinch was calling `Own.c_compile_args`."]

    def with_it(self, c_compiler):
        raise ValueError("with it")

    with pytest.raises(ValueError, match="(?m)^with it$"):
        run("c_compile_args", with_it)


def test_no_second_try_after_a_keyboard_interrupt():
    calls = []

    def hook(self, c_compiler=None):
        calls.append(c_compiler)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run("c_compile_args", hook)
    assert calls == ["c"]


@pytest.mark.parametrize("decorate", [decorated, undeclared, lambda f: f])
def test_decorated_hooks_of_types(decorate):
    class Own(type(double)):
        @decorate
        def c_declare(self, name, sub):
            return f"double {name};"

        @decorate
        def c_extract(self, name, sub, check_input):
            assert check_input is True
            return f"{name} = PyFloat_AsDouble(py_{name});"

    assert function([x := Own()("x")], Doubles2()(x))(3.0) == 6.0


class Doubles2(Doubles):
    def c_compile_args(self):
        return ["-DTIMES=2"]


def test_fewer_arguments_than_the_contract():
    class Half(Op):
        def make_node(self, x):
            return Apply(self, [x], [x.type()])

        def c_code(self, node, inp, out, sub):
            return f"{out[0]} = {inp[0]} / 2;"

    with pytest.raises(TypeError) as error:
        function([x := double("x")], Half()(x))
    line = Half.c_code.__code__.co_firstlineno
    assert str(error.value) == (
        f"`Half.c_code` for `node_3` at {__file__}:{line} takes (node, inp, "
        f"out, sub), and the contract is `def c_code(self, node, name, "
        f"inputs, outputs, sub)`")


def test_fewer_arguments_of_a_type():
    class Own(Type):
        def filter(self, value, strict=False, allow_downcast=None):
            return value

        @functools.lru_cache
        def c_declare(self, name):
            return f"double {name};"

    with pytest.raises(TypeError) as error:
        function([x := Own()("x")], x)
    assert str(error.value) == (
        "`Own.c_declare` for `x` takes (name), and the contract is `def "
        "c_declare(self, name, sub, check_input=True)`")


def test_no_argument_at_all_is_a_template():
    class Half(Doubles):
        def c_var_names(self):
            return [["x"], ["z"]]

        def c_code(self):
            return "%(z)s = %(x)s / 2;"

    assert function([x := double("x")], Half()(x))(3.0) == 1.5


def test_a_key_that_sub_lacks():
    class Half(Doubles):
        def c_code(self, node, name, inputs, outputs, sub):
            return sub["nope"]

    with pytest.raises(KeyError) as error:
        function([x := double("x")], Half()(x))
    assert error.value.args == ("nope",)
    (note,) = error.value.__notes__
    assert note.startswith("Clinch was calling `Half.c_code` for `node_3`, "
                           f"made at {__file__}:")
    assert note.endswith(". The keys of `sub` are `name`, `failure_var`, `id`, "
                         "`fail`.")
