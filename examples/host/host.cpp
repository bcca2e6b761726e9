#include <clinch/Clinch.h>
#include <cstdio>

using namespace clinch;

int main() {
  Py_Initialize();
  auto T = floatType();
  Expr X = input(T, "x"), Y = input(T, "y"), Z = input(T, "z");
  auto F = function<double(double, double, double)>({X, Y, Z}, {(X + Y) * Z});
  auto Value = F ? (*F)(1, 2, 3) : F.takeError();
  if (!Value)
    return std::fputs(Value.error().render().c_str(), stderr);
  std::printf("%g\n", *Value);
}
