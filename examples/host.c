/* A C program with a compiler inside. Build it with
 * gcc host.c $(pkg-config --cflags --libs clinch-compiler) \
 *     -Wl,-rpath,$(pkg-config --variable=libdir clinch-compiler) */
#include <clinch-c/clinch.h>
#include <stdio.h>

int main(void) {
  clinch_session *session = clinch_session_new();
  clinch_unit *unit = clinch_unit_new(session);
  clinch_unit_set_text(unit, "twice.c", "double twice(double x) { return 2 * x; }");
  clinch_module *module = clinch_compile(unit);
  if (!module) {
    fputs(clinch_unit_error_text(unit, 0), stderr);
    return 1;
  }
  double (*twice)(double) = (double (*)(double))clinch_module_symbol(module, "twice");
  printf("%.1f\n", twice(21)); /* prints: 42.0 */
  clinch_module_release(module);
  clinch_unit_release(unit);
  clinch_session_release(session);
  return 0;
}
