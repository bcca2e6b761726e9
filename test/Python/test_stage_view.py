"""The stage view: which lines of each stage belong to which block."""

import json
import re

import numpy
import pytest

from clinch import Mode, double, function, vector
from clinch.testing import TextOp
from clinch.cli.drawing import stages
from clinch.cli.interleave import interleave


@pytest.fixture(scope="module")
def mean():
    x, y = double("x"), double("y")
    return function([x, y], (x + y) / 2.0)


def lines_of(page, block):
    """Title of a stage -> the texts of a block's lines."""
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])
    return {title: [text.strip() for text, of in lines if of == block]
            for title, lines in data[0]["stages"]}


def test_a_block_is_found_in_all_stages(mean):
    page = stages.page({"mean": mean})
    (number,) = re.findall(r"block (\d+): code `\w+`, `add`", mean.emit("blocks"))
    found = lines_of(page, int(number))
    assert [re.sub(r"  //.*", "", t) for t in found["graph"]] == [
        "%2: Double = add(x, y)"]
    assert found["blocks"][0].startswith(f"block {number}: code ")
    assert any(re.fullmatch(r"V\d+ = V\d+ \+ V\d+;", t) for t in found["C"])
    for stage in ("LLVM IR", "LLVM IR, optimised"):
        assert sum("fadd double" in t for t in found[stage]) == 1
        assert not any("fdiv" in t or "fmul" in t for t in found[stage])
    assert len([t for t in found["assembly"] if "addsd" in t]) == 1


def test_what_costs_what_and_what_runs(mean):
    page = stages.page({"mean": mean})
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])
    assert ["runs now", "default"] in data[0]["facts"]
    assert [name for name, _ in data[0]["times"]] == [
        stage["name"] for stage in mean.stats["stages"]]


def test_the_page_is_alone(mean):
    page = stages.page({"mean": mean})
    assert not re.search(r'(?:src|href)\s*=|@import|url\(', page)
    assert "http" not in page


def test_no_text_ends_the_script():
    ends = TextOp("/* </script><!-- */ {z} = {x};")

    x = double("x")
    page = stages.page({"f": function([x], ends(x))})
    assert page.count("</script>") == 2 and "<!-- *" not in page
    assert "/* </script><!-- */" in "".join(
        sum(lines_of(page, 3).values(), []))


#: Written with what ends a line for `str.splitlines`, and not for Clang.
paged = TextOp("\f /* \v \x1c \u2028 */ " * 9 + "\n{z} = {x} * 7.25;\r\n")


def test_lines_are_those_of_clang():
    x = double("x")
    f = function([x], paged(x))
    found = lines_of(stages.page({"f": f}), 3)
    assert any(text.endswith("* 7.25;") for text in found["C"])
    assert any("mulsd" in text for text in found["assembly"])
    shown = interleave(f.emit("asm", lines=True), f.emit("c"), "asm")
    above = shown[:shown.index("mulsd")].splitlines()
    assert [line for line in above if line.startswith("#")][-1] == (
        "# `TextOp.c_code` for `node_3`:2: V2 = V1 * 7.25;")


def test_long_stages_are_folded(monkeypatch, mean):
    monkeypatch.setattr(stages, "MOST_LINES", 20)
    page = stages.page({"mean": mean})
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])
    for title, lines in data[0]["stages"]:
        assert len(lines) <= 21, title
    assert any(re.fullmatch(r"… \d+ more lines …", text)
               for _, lines in data[0]["stages"] for text, _ in lines)


def test_show_writes_and_opens(mean, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert mean.show(tmp_path / "page.html") == str(tmp_path / "page.html")
    assert opened == []
    path = mean.show()
    assert opened == ["file://" + path]
    with open(path, encoding="utf-8") as file:
        assert file.read().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("mode", [
    Mode(linker="op"), Mode(form="function"), "max", Mode(language="c++")])
def test_every_kind_has_a_page(mode):
    x = vector("x")
    f = function([x], numpy.tanh(x) + 1.0, mode)
    assert "assembly" in lines_of(stages.page({"f": f}), 1)
