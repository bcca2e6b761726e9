// RUN: gcc -std=c17 -pedantic -Wall -Wextra -Werror -I%source/include %s -o %t -L%build/lib -lclinch-compiler -Wl,-rpath,%build/lib
// RUN: %t | FileCheck %s
// The C interface from a C17 program, over the real compiler.
#include <clinch-c/clinch.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(const clinch_diagnostic *d, const char *indent) {
  unsigned begin, end;
  size_t i;
  printf("%s%d %s:%u:%u: %s | %s\n", indent, (int)clinch_diagnostic_severity(d),
         clinch_diagnostic_origin(d), clinch_diagnostic_line(d),
         clinch_diagnostic_column(d), clinch_diagnostic_message(d),
         clinch_diagnostic_source_line(d));
  for (i = 0; i < clinch_diagnostic_fixit_count(d); ++i) {
    const char *text = clinch_diagnostic_fixit(d, i, &begin, &end);
    printf("%s  fix %u-%u '%s'\n", indent, begin, end, text);
  }
  for (i = 0; i < clinch_diagnostic_note_count(d); ++i)
    show(clinch_diagnostic_note(d, i), "  ");
}

static int add(int a, int b) { return a + b; }

int main(void) {
  clinch_session *session = clinch_session_new();
  clinch_unit *unit = clinch_unit_new(session);
  clinch_module *module;
  int (*f)(int);
  size_t i, size;
  clinch_session_set_cache_dir(session, NULL);

  // CHECK: f(20) = 42
  clinch_unit_set_text(unit, "f.c",
                       "int add(int, int);\n"
                       "int f(int x) { return add(x, x) + TWO; }\n");
  clinch_unit_add_define(unit, "TWO=2");
  clinch_unit_add_symbol(unit, "add", (void *)(size_t)add);
  clinch_unit_set_tier(unit, CLINCH_FAST);
  clinch_unit_keep(unit, CLINCH_LLVM);
  clinch_unit_keep(unit, CLINCH_ASM);
  module = clinch_compile(unit);
  if (!module) {
    fputs(clinch_unit_error_text(unit, 0), stdout);
    return 1;
  }
  f = (int (*)(int))(size_t)clinch_module_symbol(module, "f");
  printf("f(20) = %d\n", f(20));
  // CHECK-NEXT: llvm 1 asm 1 object 0
  printf("llvm %d asm %d object %d\n",
         strstr(clinch_module_stage(module, CLINCH_LLVM, &size), "define") != 0,
         strstr(clinch_module_stage(module, CLINCH_ASM, NULL), "retq") != 0,
         clinch_module_stage(module, CLINCH_OBJ, NULL) != 0);
  // CHECK-NEXT: miss, steps:{{.*}} parse{{.*}} codegen{{.*}} load
  printf("%s, steps:", clinch_module_cache_result(module) ? "hit" : "miss");
  for (i = 0; i < clinch_module_step_count(module); ++i)
    printf(" %s", clinch_module_step(module, i, NULL));
  putchar('\n');
  clinch_module_release(module);

  // CHECK-NEXT: 1: The text does not compile: 1 error.
  // CHECK-NEXT: 2 bad.c:2:23: expected ';' after return statement | int f(void) { return 1 }
  // CHECK-NEXT: fix 23-23 ';'
  clinch_unit_set_text(unit, "bad.c", "int x;\nint f(void) { return 1 }\n");
  if (!clinch_compile(unit)) {
    printf("%d: %s\n", (int)clinch_unit_error(unit),
           clinch_unit_error_message(unit));
    for (i = 0; i < clinch_unit_diagnostic_count(unit); ++i)
      show(clinch_unit_diagnostic(unit, i), "");
  }

  // CHECK-NEXT: 1 warn.c:7:19: unused variable 'n' | int f(void) { int n; return 3; }
  clinch_unit_set_text(unit, "warn.c",
                       "#line 7\nint f(void) {"
                       " int n; return 3; }\n");
  clinch_unit_add_flag(unit, "-Wunused-variable");
  module = clinch_compile(unit);
  for (i = 0; i < clinch_module_warning_count(module); ++i)
    show(clinch_module_warning(module, i), "");
  clinch_module_release(module);

  // CHECK-NEXT: 2 compiles, 0 live
  printf("%zu compiles, %zu live\n",
         clinch_session_count(session, CLINCH_COMPILES),
         clinch_session_count(session, CLINCH_LIVE_MODULES));
  clinch_unit_release(unit);
  clinch_session_release(session);
  return 0;
}
