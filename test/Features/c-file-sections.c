// Every section of an Op's C file, and the macros of each; a section that
// comes twice is joined in order.
// RUN: clinch %s --inputs=double --outputs=double --emit=c --form=struct | FileCheck %s --check-prefix=TEXT
// RUN: clinch %s --inputs=double --outputs=double --run 2.0 | FileCheck %s
// RUN: clinch %s --inputs=double --outputs=double --run 2.0 --language=c++ | FileCheck %s
// RUN: not clinch %s --inputs=double --outputs=double --run -1.0 2>&1 | FileCheck %s --check-prefix=FAILS

// TEXT: static int calls;
// TEXT: static int more_calls;
// TEXT: static const char *{{.*}}whose
// TEXT: int {{.*}}runs{{.*}};

// CHECK:      init_code
// CHECK-NEXT: init_code_apply whose
// CHECK-NEXT: init_code_struct
// CHECK-NEXT: code 1 2.0
// CHECK-NEXT: code_cleanup
// CHECK-NEXT: 3.0
// CHECK-NEXT: cleanup_code_struct
// FAILS:      code 1 -1.0
// FAILS-NEXT: code_cleanup
// FAILS-NEXT: ValueError: as asked
// FAILS:      cleanup_code_struct

#section support_code
#include <stdio.h>
static int calls;
#section support_code_apply
static const char *const APPLY_SPECIFIC(whose) = "whose";
#section support_code_struct
int APPLY_SPECIFIC(runs);
#section init_code
printf("init_code\n");
#section init_code_apply
printf("init_code_apply %s\n", APPLY_SPECIFIC(whose));
#section init_code_struct
printf("init_code_struct\n");
APPLY_SPECIFIC(runs) = 0;
if (APPLY_SPECIFIC(runs)) {
  FAIL;
}
#section cleanup_code_struct
printf("cleanup_code_struct\n");
#section code
calls++;
more_calls++;
APPLY_SPECIFIC(runs)++;
printf("code %d %.1f\n", APPLY_SPECIFIC(runs), INPUT_0);
if (INPUT_0 < 0) {
  PyErr_SetString(PyExc_ValueError, "as asked");
  FAIL
}
OUTPUT_0 = INPUT_0;
#section code_cleanup
printf("code_cleanup\n");
#section support_code
static int more_calls;
#section code
OUTPUT_0 += calls == more_calls;
