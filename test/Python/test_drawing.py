"""Pictures of graphs: what is cut is not looked at again and again."""

import clinch
from clinch.base import walks
from clinch.cli.drawing import as_mermaid, model, text


class Counting(set):
    """A set that counts how often somebody looks into it."""

    looks = 0

    def __contains__(self, item):
        Counting.looks += 1
        return super().__contains__(item)


def chain(length):
    x = clinch.double("x")
    result = x
    for _ in range(length):
        result = result + x
    return clinch.function([x], result, mode="fast")


def test_each_name_is_found_in_a_few_looks(monkeypatch):
    f = chain(1000)
    names = model.Names(f.inputs, [])
    monkeypatch.setattr(names, "taken", Counting(names.taken))
    Counting.looks = 0
    for node in walks.applies(f.inputs, f.outputs):
        for variable in node.outputs:
            names(variable)
    assert Counting.looks <= 3 * 1000
    assert len(set(names.by_id.values())) == 1001


def test_only_what_is_shown_becomes_a_rung(monkeypatch):
    f, made = chain(1000), []
    rung = model._rung
    monkeypatch.setattr(model, "_rung",
                        lambda *args: made.append(1) or rung(*args))
    picture = as_mermaid.mermaid(model.of_function(f, 60))
    assert len(made) == 120
    assert '["… 940 more …"]' in picture
    assert "⋮ 970 more" in text(f)


def test_a_variable_is_written_as_what_computes_it():
    x, y = clinch.double("x"), clinch.double("y")
    assert repr(x + 1) == "add(x, 1.0)"
    assert repr(clinch.double() + x) == "add(<double>, x)"
    assert repr(clinch.tanh(x * y) * 2 - y) == \
        "sub(mul(tanh(mul(...)), 2.0), y)"
    named = x + 1
    named.name = "z"
    assert repr(named * y) == "mul(z, y)"
    for _ in range(100):  # As long as ever.
        x = x + x
    assert len(repr(x)) < 200


def test_mermaid():
    x = clinch.vector("x<y")
    made = clinch.tensor.max(x + 1)
    f = clinch.function([x], [made, x], mode=clinch.Mode(fuse=False))
    drawn = model.of_function(f, 60)
    assert as_mermaid.mermaid(drawn).splitlines() == [
        "flowchart TD", '  n1("x#60;y")', '  n2("array(1.)")', '  n3["t1 = Elemwise{add}"]',
        "  n1 --> n3", "  n2 --> n3", '  n6(["t2 = Reduce{maximum, 0}"])', "  n3 --> n6",
        '  n8(["t3 = DeepCopyOp"])', "  n1 --> n8"]
    assert as_mermaid.markdown(drawn).count("```") == 4
