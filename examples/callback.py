"""Let C call a Python function. An exception in it is raised by the call."""

import clinch

code = clinch.compile("""
    double integral(double (*f)(double), double from, double to, int steps) {
        double width = (to - from) / steps, sum = 0;
        for (int i = 0; i < steps; i++) sum += f(from + (i + 0.5) * width);
        return sum * width;
    }
""")
print(round(code.integral(lambda x: x * x, 0, 3, 1000), 4))  # prints: 9.0
try:
    code.integral(lambda x: 1 / x, -1, 1, 1)
except ZeroDivisionError as error:
    print(error)  # prints: float division by zero
