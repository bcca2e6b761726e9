"""Builds the site: `make docs`. Sphinx reads these settings.

index.md holds the order of the pages. Its headings become the captions of the
navigation, and their lists the pages under each.
"""

import os
import re
import sys

import sphinx.application

BUILD = os.environ["CLINCH_BUILD"]
sys.path.insert(0, os.path.join(BUILD, "python"))

project = "Clinch"
author = "the authors of Clinch"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon",
              "sphinx_copybutton", "breathe"]
html_theme = "furo"
html_title = "Clinch"
html_copy_source = False
exclude_patterns = ["demo.py"]

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

autodoc_member_order = "groupwise"
autodoc_typehints = "description"
napoleon_google_docstring = False

breathe_projects = {"clinch": os.path.join(BUILD, "docs", "xml")}
breathe_default_project = "clinch"
breathe_default_members = ("members",)

copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True

HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
PAGE = re.compile(r"\[([^\]]+)\]\(([a-z0-9/_-]+)\.(?:md|rst)\)")


def add_navigation(app: sphinx.application.Sphinx, page: str, source: list[str]) -> None:
    """Appends a hidden toctree for each heading of index.md."""
    if page != "index":
        return
    parts = HEADING.split(source[0])
    for caption, body in zip(parts[1::2], parts[2::2]):
        pages = "\n".join(f"{title} <{page}>" for title, page in PAGE.findall(body))
        source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{pages}\n```\n"


# A fence may carry words for the test that runs the blocks.
WORDS = re.compile(r"^( *```[a-z+]+) (?:unchecked|output|file=).*$", re.MULTILINE)
# Code, which stays as it is, or a link.
LINK = re.compile(r"^ *```.*?^ *```|`[^`]+`|(?<!!)\[([^\]]+)\]\(([^)#:]+)(?:#[^)]*)?\)",
                  re.MULTILINE | re.DOTALL)


def fit_to_site(app: sphinx.application.Sphinx, page: str, source: list[str]) -> None:
    """Removes the words of fences, and links to files that are not pages."""
    folder = os.path.join(app.srcdir, os.path.dirname(page))

    def link(match: re.Match[str]) -> str:
        if not match[1]:
            return match[0]
        path = os.path.normpath(os.path.join(folder, match[2]))
        is_page = path.startswith(str(app.srcdir)) and os.path.isfile(path)
        return match[0] if is_page else match[1]

    source[0] = LINK.sub(link, WORDS.sub(r"\1", source[0]))


def setup(app: sphinx.application.Sphinx) -> None:
    app.connect("source-read", fit_to_site)
    app.connect("source-read", add_navigation)
