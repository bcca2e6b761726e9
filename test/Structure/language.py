"""language.py reports long sentences and words that a reader does not know, at their line."""
# RUN: %python %s %source

import os
import subprocess
import sys
import tempfile

source = sys.argv[1]
script = f"{source}/scripts/language.py"
LONG = "word " * 36


def findings(name, page):
    """What the script prints of one page; it fails if it prints anything."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(page)
        ran = subprocess.run([sys.executable, script], cwd=folder, text=True,
                             capture_output=True)
    assert ran.returncode == bool(ran.stdout) and not ran.stderr, ran
    return ran.stdout.splitlines()


assert findings("README.md", "Short. " * 40) == []
assert findings("docs/a.md", f"# Title\n\nShort.\n{LONG}.\n") == [
    "docs/a.md:4: a sentence of 36 words"]
assert findings("CONTRIBUTING.md", f"Short.\n\n- {LONG}.\n") == [
    "CONTRIBUTING.md:3: a sentence of 36 words"]
# Code, tables, headings and the targets of links are no prose.
for code in (f"```text\n{LONG}that of\n```\n", f"| {LONG} | those of |\n", f"# {LONG}\n",
             "`that\nof`\n", "[a page](that of)\n"):
    assert findings("docs/a.md", code) == [], code
assert findings("docs/a.md", "`a\nb` c.\nThe bits are those\nof the processor.\n") == [
    "docs/a.md:3: 'those of': repeat the noun"]
for word, advice in (("The door is open.", "'door': integration"),
                     ("It is at hand.", "'at hand': available"),
                     ("It stands there.", "'stands': is, exists"),
                     ("It is told.", "'is told': say who reports it"),
                     ("It is beside it.", "'beside': next to"),
                     ("Each text of C.", "'text': source"),
                     ("Only the apply fails.", "'the apply': node"),
                     ("What fails is seen.", "'What fails is seen.': begin with the subject")):
    assert findings("docs/internals/a.md", word + "\n") == [
        f"docs/internals/a.md:1: {advice}"], word
assert findings("docs/a.md", "What is it? It stands for `if`, and it stands out.\n") == []
# Reports may say what a page for users may not.
assert findings("docs/internals/a.md", "The target was missed by the ladder.\n") == []
assert findings("docs/guide/a.md", "It was missed by the ladder.\n") == [
    "docs/guide/a.md:1: 'missed': a word of reports",
    "docs/guide/a.md:1: 'ladder': cleanup chain"]

# The pages of this project have none.
ran = subprocess.run([sys.executable, script], cwd=source, text=True, capture_output=True)
assert ran.returncode == 0, ran.stdout
