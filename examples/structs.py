"""Pass a C struct by value and get one back."""

import clinch

code = clinch.compile("""
    struct point { double x, y; };
    struct point middle(struct point a, struct point b) {
        return (struct point){(a.x + b.x) / 2, (a.y + b.y) / 2};
    }
""")
middle = code.middle(code.point(x=0, y=0), code.point(x=4, y=2))
print(middle.x, middle.y)  # prints: 2.0 1.0
