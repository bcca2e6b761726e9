"""What a compile looked at decides whether its code is used again, in memory and on disk."""

import os
import shutil
import subprocess
import sys
import time

import pytest

import clinch


@pytest.fixture(params=["memory", "disk"])
def compiled(request, tmp_path, monkeypatch):
    """Compiles a text; what f returns, and how the cache answered. Either the code of
    before is alive, or it is only on disk."""
    monkeypatch.setattr(clinch.config, "cache_dir", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    alive = []

    def compile_text(text, include_dirs=(".",), **options):
        made = clinch.compile(text, include_dirs=list(include_dirs), **options)
        if request.param == "memory":
            alive.append(made)
        return made.f(), made.stats["cache"]
    return compile_text


def write(**files):
    """Replaces files, as editors and linkers do: `a_h` is `a.h`."""
    for name, content in files.items():
        path = name.replace("__", "/").replace("_", ".")
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(content)
        os.rename(path + ".new", path)


def command(*words):
    subprocess.run([sys.executable, "-m", "clinch", *words], check=True)


OWN = '#include "own.h"\nint f(void) { return OWN; }\n'


def test_headers_that_change_appear_and_go(compiled):
    folders = {"include_dirs": ["first", "second"]}
    write(second__own_h="#define OWN 1\n")
    assert compiled(OWN, **folders) == (1, "miss")
    assert compiled(OWN, **folders) == (1, "hit")
    write(second__own_h="#define OWN 2\n")
    assert compiled(OWN, **folders) == (2, "miss")
    write(first__own_h="#define OWN 3\n")
    assert compiled(OWN, **folders) == (3, "miss")
    os.unlink("first/own.h")
    assert compiled(OWN, **folders)[0] == 2


def test_a_header_of_the_same_content_and_another_time(compiled):
    write(own_h="#define OWN 1\n")
    assert compiled(OWN) == (1, "miss")
    write(own_h="#define OWN 1\n")
    os.utime("own.h", (1, 1))
    assert compiled(OWN) == (1, "hit")


def test_a_header_that_keeps_its_time(compiled):
    """Copies keep the time of a file, but not that of its last change."""
    write(own_h="#define OWN 1\n")
    long_ago = time.time() - 3600
    os.utime("own.h", (long_ago, long_ago))
    assert compiled(OWN) == (1, "miss")
    with open("own.h", "w", encoding="utf-8") as file:
        file.write("#define OWN 2\n")
    os.utime("own.h", (long_ago, long_ago))
    assert compiled(OWN) == (2, "miss")


@pytest.mark.parametrize("question", [
    "__has_include(<asked.h>)", '__has_embed("asked.h")', 'HAS("asked.h")'])
def test_files_that_are_asked_for_and_not_read(compiled, question):
    text = f"""#include <has.h>
        #if {question}\nint f(void) {{ return 1; }}\n#else\nint f(void) {{ return 0; }}\n#endif"""
    options = {"flags": ["-std=c23", "-isystem", "system"]}
    options["flags"] += ["--embed-dir=system"]
    os.mkdir("system")
    write(system__has_h="#define HAS(file) __has_embed(file)\n")
    assert compiled(text, **options) == (0, "miss")
    assert compiled(text, **options) == (0, "hit")
    write(system__asked_h="x")
    assert compiled(text, **options) == (1, "miss")
    os.unlink("system/asked.h")
    assert compiled(text, **options)[0] == 0


def test_a_header_that_is_installed_later(compiled):
    """`/usr/local/include` comes before `/usr/include`."""
    path = f"/usr/local/include/clinch-test-{os.getpid()}.h"
    text = (f"#if __has_include(<{os.path.basename(path)}>)\nint f(void) {{ return 1; }}\n"
            "#else\nint f(void) { return 0; }\n#endif")
    if not os.access(os.path.dirname(path), os.W_OK):
        pytest.skip("only root can install headers")
    try:
        assert compiled(text) == (0, "miss")
        assert compiled(text) == (0, "hit")
        with open(path, "w", encoding="utf-8"):
            pass
        assert compiled(text) == (1, "miss")
    finally:
        if os.path.exists(path):
            os.unlink(path)


def test_a_folder_that_a_link_led_to(compiled):
    """Clang searches a folder once; here `link` is `first` and then another."""
    write(first__x_h="", last__own_h="#define OWN 1\n", other__own_h="#define OWN 2\n")
    os.symlink("first", "link")
    folders = {"include_dirs": ["first", "link", "last"]}
    assert compiled(OWN, **folders) == (1, "miss")
    os.unlink("link")
    os.symlink("other", "link")
    assert compiled(OWN, **folders) == (2, "miss")


ASSEMBLED = ('__asm__(".data\\nmine: %s\\n.text");\n'
             "extern const int mine; int f(void) { return mine; }")


@pytest.mark.parametrize("directive, one, two", [
    ('.incbin \\"./in.txt\\"', "\1\0\0\0", "\2\0\0\0"),
    ('.include \\"./in.txt\\"', ".long 1\n", ".long 2\n"),
])
def test_files_that_the_assembler_reads(compiled, directive, one, two):
    text = ASSEMBLED % directive
    write(in_txt=one)
    assert compiled(text) == (1, "miss")
    assert compiled(text) == (1, "hit")
    write(in_txt=two)
    assert compiled(text) == (2, "miss")


def test_the_assembler_reads_no_device(compiled):
    with pytest.raises(clinch.CompileError, match="Could not find incbin file '/dev/zero'"):
        compiled(ASSEMBLED % '.incbin \\"/dev/zero\\"')


@pytest.mark.parametrize("macro", ["__DATE__", "__TIME__", "__TIMESTAMP__"])
def test_the_clock_makes_code_that_is_used_once(compiled, macro):
    write(now_h=f"static const char now[] = {macro};\n")
    for text in (f"int f(void) {{ return {macro}[0] != 0; }}",
                 '#include "now.h"\nint f(void) { return now[0] != 0; }'):
        assert compiled(text) == (1, "miss")
        assert compiled(text) == (1, "miss")
    unused = f"#define LATER {macro}\nint f(void) {{ return 1; }}"
    assert compiled(unused) == (1, "miss")
    assert compiled(unused) == (1, "hit")


def test_the_clock_in_a_prefix(compiled):
    prefix = clinch.PrecompiledHeaders("static const char now[] = __TIME__;\n")
    for _ in range(2):
        assert compiled("int f(void) { return now[0] != 0; }", prefix=prefix) == (1, "miss")


@pytest.mark.parametrize("ending", [
    pytest.param("a", marks=pytest.mark.skipif(not shutil.which("ar"), reason="needs ar")),
    "so"])
def test_a_library_that_is_built_again(tmp_path, monkeypatch, ending):
    monkeypatch.setattr(clinch.config, "cache_dir", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)

    def build(folder, value):
        write(f_c=f"int value(void) {{ return {value}; }}\n")
        os.makedirs(folder, exist_ok=True)
        path = f"{folder}/libvalue.{ending}"
        if ending == "so":
            command("cc", "-shared", "-fPIC", "f.c", "-o", path + ".new")
        else:
            command("cc", "-c", "-fPIC", "f.c", "-o", "f.o")
            subprocess.run(["ar", "rcs", path + ".new", "f.o"], check=True)
        os.rename(path + ".new", path)

    def use():
        made = clinch.compile("int value(void); int f(void) { return value(); }",
                              libraries=["value"], library_dirs=["first", "second"])
        alive.append(made)
        return made.f(), made.stats.get("cache_from")
    alive = []
    build("second", 1)
    assert [use(), use()] == [(1, None), (1, "memory")]
    build("second", 2)
    assert [use(), use()] == [(2, "disk"), (2, "memory")]
    build("first", 3)
    assert [use(), use()] == [(3, "disk"), (3, "memory")]
    os.unlink(f"first/libvalue.{ending}")
    assert use() == (2, "disk")
    assert [made.f() for made in alive] == [1, 1, 2, 2, 3, 3, 2]
