#include <clinch-c/clinch.h>

#include <stdio.h>

int main(void) {
  clinch_session *session = clinch_session_new();
  clinch_unit *unit = clinch_unit_new(session);
  clinch_unit_set_text(unit, "square.c", "int square(int x) { return x * x; }");
  clinch_module *module = clinch_compile(unit);
  if (!module) {
    fputs(clinch_unit_error_text(unit, 0), stderr);
    return 1;
  }
  int (*square)(int) = (int (*)(int))clinch_module_symbol(module, "square");
  printf("C: %d\n", square(8));
  clinch_module_release(module);
  clinch_unit_release(unit);
  clinch_session_release(session);
  return 0;
}
