"""Random edits of what compiles look at: headers that change, come, go, hide others or
are asked for, files for `#embed` and the assembler, links, libraries, precompiled
headers, options. After each edit the result is that of the same compile with empty
caches; so it is with `clinch cc`.
"""

import functools
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

import clinch
import life

LIMIT = 300
EDITS = 60
#: Then stamps count, and not contents alone: see FileStamp::of().
SETTLES = 3.2
FOLDERS = ["a", "b", "b/below", "system", "link"]
HEADERS = ["one.h", "two.h", "three.h", "below/one.h"]
VALUES = range(4)


def make(seed):
    return dict(edits=[seed * 1000 + number for number in range(EDITS)])


@functools.cache
def libraries():
    """A folder of libraries that define value(): an archive and a shared one for each
    number."""
    folder = tempfile.mkdtemp(prefix="clinch-libraries-")
    for number in VALUES:
        path = os.path.join(folder, str(number))
        with open(path + ".c", "w", encoding="utf-8") as file:
            file.write(f"int value(void) {{ return {number}; }}\n")
        cc("-fPIC", "-c", path + ".c", "-o", path + ".o")
        cc("-shared", path + ".o", "-o", path + ".so")
        subprocess.run(["ar", "rcs", path + ".a", path + ".o"], check=True)
    return folder


def cc(*words, cache=None):
    """(status, messages) of `clinch cc`."""
    environment = dict(os.environ)
    if cache:
        environment["CLINCH_CACHE_DIR"] = cache
    ran = subprocess.run([sys.executable, "-m", "clinch", "cc", *words], text=True,
                         env=environment, capture_output=True, check=False)
    return ran.returncode, ran.stderr


class Tree:
    """Files below the working folder. Each edit draws from its own seed, so that a
    case without some of its edits is a case."""

    def __init__(self):
        self.defines, self.folders = [], ["a", "b"]
        self.prefix, self.language, self.library = None, "c", False
        self.text = '#include "one.h"\nint f(void) { return ONE; }\n'

    def header(self, draw):
        """Some text of a header, which may ask for others."""
        name = draw.choice(["ONE", "TWO", "THREE"])
        other = draw.choice(HEADERS)
        return draw.choice([
            f"#undef {name}\n#define {name} {draw.randrange(10)}\n",
            f"#pragma once\n#undef {name}\n#define {name} {draw.randrange(10)}\n",
            f'#undef {name}\n#if __has_include("{other}")\n#define {name} 10\n#else\n'
            f"#define {name} 11\n#endif\n",
            f"#undef {name}\n#if __has_include_next(<{other}>)\n#define {name} 12\n#else\n"
            f"#define {name} 13\n#endif\n",
            f'#if __has_include(<{other}>) && !defined IN_{name}\n#define IN_{name}\n'
            f'#include <{other}>\n#undef IN_{name}\n#endif\n',
            f"#ifdef N\n#undef {name}\n#define {name} (20 + N)\n#endif\n",
        ])

    def parts(self, draw):
        """A text: directives, and what f adds up."""
        lines, terms = [], ["0"]
        for header in draw.sample(HEADERS, draw.randint(0, 3)):
            name = os.path.basename(header)[:-2].upper()
            lines.append(draw.choice([
                f'#include "{header}"', f"#include <{header}>", *[
                    f"#if __has_include({named})\n#include {named}\n#endif"
                    for named in (f'"{header}"', f"<{header}>")] * 5]))
            terms.append(f"VALUE_{name}")
            lines.append(f"#ifdef {name}\nenum {{ VALUE_{name} = {name} }};\n#else\n"
                         f"enum {{ VALUE_{name} = 50 }};\n#endif")
        if draw.random() < 0.3:
            lines.append("#if __has_embed(<data.bin>)\nstatic const unsigned char bytes[] = {\n"
                         "#embed <data.bin> if_empty(9)\n};\n#else\n"
                         "static const unsigned char bytes[] = {7};\n#endif")
            terms.append("bytes[0]")
        if draw.random() < 0.15:
            directive = draw.choice(['.incbin \\"a/data.bin\\"', '.include \\"b/data.s\\"'])
            lines.append(f'__asm__(".data\\nmine: {directive}\\n.byte 0, 0, 0, 0\\n.text");\n'
                         "extern const unsigned char mine[];")
            terms.append("mine[0]")
        if draw.random() < 0.05:
            terms.append("(__TIME__[0] != 0)")
        if self.library:
            lines.append("int value(void);")
            terms.append("value()")
        return "\n".join(lines) + f"\nint f(void) {{ return {' + '.join(terms)}; }}\n"

    def options(self, unique=None, for_clinch=True):
        """Of compile(); with something unique, no cache has the result. Without a
        prefix, which may not compile, those of `cc`."""
        made = dict(
            language="c", tier="fast", defines=[*self.defines, *([unique] if unique else [])],
            include_dirs=[name for name in self.folders if name not in ("system", "link")],
            flags=["-std=c23", "--embed-dir=b", *(
                word for name in self.folders if name in ("system", "link")
                for word in ("-isystem" if name == "system" else "-idirafter", name))])
        if self.prefix and for_clinch:
            made["prefix"] = clinch.PrecompiledHeaders(
                self.prefix + (f"enum {{ {unique} }};\n".replace("=", "") if unique else ""),
                language="c", flags=["-std=c23"], include_dirs=made["include_dirs"])
            if unique:
                made["defines"] = self.defines
        if self.library:
            made.update(libraries=["value"], library_dirs=["a", "b"])
        return made

    # Edits.

    def write_header(self, draw):
        self._write(draw, os.path.join(draw.choice(FOLDERS), draw.choice(HEADERS)),
                    self.header(draw))

    def write_data(self, draw):
        if draw.random() < 0.5:
            self._write(draw, os.path.join(draw.choice(["a", "b"]), "data.bin"),
                        draw.choice(["", "A", "B", "CC"]))
        else:
            self._write(draw, "b/data.s", f".byte {draw.randrange(100)}\n")

    def _write(self, draw, path, text):
        """In place or by a name aside; the time may stay."""
        folder = os.path.dirname(path)
        try:
            os.makedirs(folder, exist_ok=True)
            before = os.stat(path).st_mtime if os.path.exists(path) else None
            aside = path + ".new" if draw.random() < 0.5 else path
            with open(aside, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(aside, path)
        except OSError:
            return  # A link that leads nowhere, or a folder of that name.
        if before and draw.random() < 0.5:
            os.utime(path, (before, before))

    def remove(self, draw):
        files = sorted(os.path.join(here, name) for here, _, names in os.walk(".")
                       for name in names)
        if files:
            os.unlink(draw.choice(files))

    def remove_folder(self, draw):
        path = draw.choice(FOLDERS)
        if os.path.islink(path):
            os.unlink(path)
        else:
            shutil.rmtree(path, ignore_errors=True)

    def link_folder(self, draw):
        self.remove_folder(_Always("link"))
        os.symlink(draw.choice(["a", "b", "b/below", "system", "nowhere"]), "link")

    def link_header(self, draw):
        path = os.path.join(draw.choice(["a", "b"]), draw.choice(HEADERS[:3]))
        if os.path.isdir(os.path.dirname(path)) and not os.path.lexists(path):
            os.symlink(os.path.join("..", draw.choice(["a", "b", "system"]),
                                    draw.choice(HEADERS[:3])), path)

    def build_library(self, draw):
        folder, ending = draw.choice(["a", "b"]), draw.choice(["a", "so", "so.1"])
        os.makedirs(folder, exist_ok=True)
        path = f"{folder}/libvalue.{ending}"
        made = f"{libraries()}/{draw.choice(VALUES)}.{ending.removesuffix('.1')}"
        shutil.copyfile(made, path + ".new")
        os.replace(path + ".new", path)

    def use_library(self, draw):
        self.library = not self.library
        self.build_library(draw)
        self.change_text(draw)

    def change_text(self, draw):
        self.text = self.parts(draw)

    def change_folders(self, draw):
        self.folders = draw.sample(FOLDERS, draw.randint(1, len(FOLDERS)))

    def change_defines(self, draw):
        self.defines = draw.choice([[], ["N=1"], ["N=2"], ["N=3", "UNUSED=1"]])

    def change_prefix(self, draw):
        self.prefix = None if self.prefix else "".join(
            f'#if __has_include("{name}")\n#include "{name}"\n#endif\n'
            for name in draw.sample(HEADERS, 2))


class _Always:
    """Draws one thing."""

    def __init__(self, thing):
        self.thing = thing

    def choice(self, _):
        return self.thing


EDIT_KINDS = (["write_header"] * 8 + ["write_data", "remove"] * 3 + ["build_library"] * 3 +
              ["remove_folder", "link_folder", "link_header", "use_library", "change_text",
               "change_folders", "change_defines", "change_prefix"])


def outcome(tree, unique=None):
    """(what f returns or the error, where it came from, the module)."""
    try:
        made = clinch.compile(tree.text, **tree.options(unique))
    except clinch.CompileError as error:
        return type(error).__name__, "errors", None
    return made.f(), made.stats.get("cache_from") or "compiled", made


def objects(tree, number):
    """What `clinch cc` makes of the text: with the cache of before, and with none."""
    with open("text.c", "w", encoding="utf-8") as file:
        file.write(tree.text)
    options = tree.options(for_clinch=False)
    words = ["-c", "text.c", "-o", "text.o", "-w", *options["flags"],
             *(f"-I{name}" for name in options["include_dirs"]),
             *(f"-D{name}" for name in options["defines"])]
    made = []
    for cache in ("../cc", f"../cc-{number}"):
        status, _ = cc(*words, cache=os.path.abspath(cache))
        with open("text.o" if status == 0 else os.devnull, "rb") as file:
            made.append((status, file.read()))
    return made


def run(case):
    before, cache, cached = os.getcwd(), clinch.config.cache_dir, clinch.config.cache
    with tempfile.TemporaryDirectory(prefix="clinch-inputs-") as folder:
        os.mkdir(os.path.join(folder, "tree"))
        os.chdir(os.path.join(folder, "tree"))
        clinch.config.cache, clinch.config.cache_dir = True, os.path.join(folder, "cache")
        try:
            return _run(case)
        finally:
            os.chdir(before)
            clinch.config.cache, clinch.config.cache_dir = cached, cache


def _run(case):
    tree, alive, counts, made = Tree(), [], {}, None

    def count(name):
        counts[name] = counts.get(name, 0) + 1
    for number, seed in enumerate(case["edits"]):
        draw = random.Random(seed)
        kinds = draw.choices(EDIT_KINDS, k=draw.choice([0, 1, 1, 2, 5]) if number else 20)
        for kind in kinds:
            getattr(tree, kind)(draw)
            count("edits")
        if draw.random() < 0.02:
            time.sleep(SETTLES)
        if draw.random() < 0.4:
            alive.clear()
            made = None
        for _ in range(draw.choice([1, 2, 3])):
            found, where, made = outcome(tree)
            alive.append(made)
            count(where)
        expected = outcome(tree, unique=f"UNIQUE_{time.time_ns()}=0")[0]
        count("comparisons")
        if found != expected:
            return {"counts": counts, "finding": dict(
                kind="stale", way=f"edit {number}, {kinds}, {where}",
                detail=f"{found}, expected {expected}, of\n{tree.text}")}
        if draw.random() < 0.05 and "__TIME__" not in tree.text:
            kept, anew = objects(tree, number)
            count("objects of cc")
            if kept != anew:
                return {"counts": counts, "finding": dict(
                    kind="stale object", way=f"edit {number}, {kinds}",
                    detail=f"status {kept[0]}, expected {anew[0]}, of\n{tree.text}")}
    return {"counts": counts}


def script(case, finding):
    return life.script("input_search", case, finding)
