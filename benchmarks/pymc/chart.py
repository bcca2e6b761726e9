#!/usr/bin/env python3
"""Draws the chart of the page PyMC from the catalogue's table in docs/internals/pymc.md.

`chart.py` writes docs/guide/pymc-first-value.svg; a test compares it with the table.
"""

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
TABLE = DOCS / "internals" / "pymc.md"
CHART = DOCS / "guide" / "pymc-first-value.svg"
ROW = re.compile(r"^\| (\w+) \| ([\d.]+) s \| ([\d.]+) s \| [\d.]+ \|", re.MULTILINE)
LEFT, SCALE, STEP = 330, 4.4, 22  # Pixels: of the names, a second, a row.

HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"
     font-family="system-ui, sans-serif" font-size="13">
<title>Seconds from a PyMC model to its first log-density and gradient</title>
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="16" y="26" font-size="16" font-weight="600">Seconds from a model to its first
log-density and gradient</text>
<rect x="{left}" y="42" width="12" height="12" fill="#1f6feb"/>
<text x="{label}" y="53">Clinch</text>
<rect x="{second}" y="42" width="12" height="12" fill="#c9ccd1"/>
<text x="{second_label}" y="53">Numba</text>
"""
BARS = """<text x="{end}" y="{middle}" text-anchor="end">{name}</text>
<rect x="{left}" y="{top}" width="{numba_width:.1f}" height="8" fill="#c9ccd1"/>
<rect x="{left}" y="{bottom}" width="{clinch_width:.1f}" height="8" fill="#1f6feb"/>
<text x="{number:.1f}" y="{middle}" fill="#57606a">{clinch:.2f} s, Numba {numba:.2f} s</text>
"""


def chart() -> str:
    """The chart as SVG, the slowest model first."""
    rows = [(name, float(clinch), float(numba))
            for name, clinch, numba in ROW.findall(TABLE.read_text(encoding="utf-8"))]
    rows.sort(key=lambda row: -row[2])
    svg = HEAD.format(width=920, height=72 + STEP * len(rows), left=LEFT, label=LEFT + 18,
                      second=LEFT + 90, second_label=LEFT + 108)
    for index, (name, clinch, numba) in enumerate(rows):
        top = 66 + STEP * index
        svg += BARS.format(
            name=name, left=LEFT, end=LEFT - 8, top=top, bottom=top + 8, middle=top + 13,
            clinch=clinch, numba=numba, clinch_width=clinch * SCALE,
            numba_width=numba * SCALE, number=LEFT + numba * SCALE + 8)
    return svg + "</svg>\n"


if __name__ == "__main__":
    CHART.write_text(chart(), encoding="utf-8")
