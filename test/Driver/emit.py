"""--emit: stages, several of them, of several functions, to a file."""
# RUN: clinch --emit=graph %s | FileCheck %s --check-prefix=TWO
# RUN: clinch --emit=graph --function=f %s | FileCheck %s --check-prefix=ONE
# RUN: clinch --emit=graph,labels,c --function=f %s | FileCheck %s --check-prefix=THREE
# RUN: clinch --emit c --emit blocks --function f %s | FileCheck %s --check-prefix=LAST
# RUN: clinch --emit=llvm,llvm-opt,asm --function=f %s | FileCheck %s --check-prefix=BACK
# RUN: clinch --emit=llvm --tier=fast --no-cache --function=f %s | FileCheck %s --check-prefix=LLVM

# To a file; the same text, and no colour there.
# RUN: rm -rf %t && mkdir %t
# RUN: clinch --emit=c,labels --function=f -o %t/a --colour=always %s | count 0
# RUN: clinch --emit=c,labels --function=f %s > %t/b
# RUN: diff %t/a %t/b
# RUN: clinch --emit=obj --function=f -o %t/f.o %s
# RUN: clinch --emit=obj --function=f %s > %t/g.o
# RUN: cmp %t/f.o %t/g.o
# RUN: llvm-nm %t/f.o | FileCheck %s --check-prefix=NM

# Colour when it is asked for, and never by itself in a pipe.
# RUN: clinch --emit=c --function=f --colour=always %s | FileCheck %s --check-prefix=COLOUR
# RUN: clinch --emit=c --function=f %s | FileCheck %s --check-prefix=PLAIN

# Names that are not there, files that cannot be written.
# RUN: not clinch --emit=c --function=gg2 %s 2>&1 | FileCheck %s --check-prefix=NEAR
# RUN: not clinch --emit=c -c "1" 2>&1 | FileCheck %s --check-prefix=NONE
# RUN: not clinch --emit=c -o /nowhere/a %s 2>&1 | FileCheck %s --check-prefix=WRITE
x, y = double("x"), double("y")
f = function([x, y], add(x, y))
gg = function([x], neg(x))

# TWO:      === f: graph ===
# TWO-NEXT: inputs: x: Double, y: Double
# TWO:      add(x, y)
# TWO:      === gg: graph ===
# TWO-NEXT: inputs: x: Double
# TWO:      neg(x)

# ONE-NOT:  ===
# ONE:      inputs: x: Double, y: Double
# ONE-NEXT: %2: Double = add(x, y)
# ONE-NEXT: outputs: %2
# ONE-NOT:  neg

# THREE:     === f: graph ===
# THREE:     === f: labels ===
# THREE:     label_4
# THREE:     === f: c ===
# THREE:     label_4:

# The option that comes last counts.
# LAST:     block 1: input `x`, `Double`, V1
# LAST-NOT: failure = 0

# BACK:     === f: llvm ===
# BACK:     define {{.*}} @clinch_run(
# BACK:     === f: llvm-opt ===
# BACK:     define {{.*}} @clinch_run(
# BACK:     fadd double
# BACK:     === f: asm ===
# BACK:     clinch_run:
# BACK:     addsd
# BACK:     ret

# LLVM:     label_4:
# LLVM:     ret i32

# NM-DAG: T clinch_run
# NM-DAG: U PyFloat_FromDouble

# COLOUR: {{.\[}}1;34mdouble{{.\[}}0m V1;
# PLAIN-NOT: {{.\[}}0m
# PLAIN: double V1;

# NEAR: clinch: there is no function `gg2`; did you mean `gg`?
# NONE: clinch: the code makes no function to show or run; bind the result of `function(...)` to a name
# WRITE: FileNotFoundError: [Errno 2] No such file or directory: '/nowhere/a'
