"""Every C hook of a Type, where it is called and for which variables."""
# RUN: clinch --emit=c --form=function %s | FileCheck %s --check-prefix=C
# RUN: %every-way %s | FileCheck %s


class Count(Type):
    """A Python int, as a long."""

    def filter(self, value, strict=False, allow_downcast=None):
        return int(value)

    def c_declare(self, name, sub, check_input=True):
        return f"long {name};"

    def c_init(self, name, sub):
        return f"{name} = -1; say(\"init\", {name});"

    def c_extract(self, name, sub, check_input=True):
        return f"""
            {name} = PyLong_AsLong(py_{name});
            if ({name} == -1 && PyErr_Occurred()) {{
                {sub['fail']}
            }}
            say("extract", {name});
        """

    def c_sync(self, name, sub):
        return f"""
            say("sync", {name});
            Py_XDECREF(py_{name});
            py_{name} = PyLong_FromLong({name});
            if (!py_{name}) {{
                Py_INCREF(Py_None);
                py_{name} = Py_None;
            }}
        """

    def c_cleanup(self, name, sub):
        return f"say(\"cleanup\", {name});"

    def c_is_simple(self):
        return True

    def c_headers(self):
        return ["<stdio.h>", "limits.h"]

    def c_compile_args(self):
        return ["-DPREFIX=count", "-DUNWANTED"]

    def c_no_compile_args(self):
        return ["-DUNWANTED"]

    def c_support_code(self):
        return ["""
            #ifdef UNWANTED
            #error "a flag that was forbidden is there"
            #endif
            #define TEXT2(x) #x
            #define TEXT(x) TEXT2(x)
            static void say(const char *what, long value);
        """, """
            static int is_ready;
            static void say(const char *what, long value)
            {
                printf("%s %s %ld%s\\n", TEXT(PREFIX), what, value,
                       is_ready ? "" : " before the module was ready");
            }
        """]

    def c_init_code(self):
        return "is_ready = LONG_MAX > 0;"

    def c_code_cache_version(self):
        return (1,)


class AddOne(Op):
    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = {inputs[0]} + 1;"

    def c_code_cache_version(self):
        return (1,)


count = Count()
x = count("x")
f = function([x], AddOne()(AddOne()(x)))
print(f(5))

# C: #include <stdio.h>
# C: #include "limits.h"
# C: static void say(const char *what, long value);
# C: static int is_ready;

# An input is extracted, a temporary and an output are initialized.
# C: { // Block 1: `x`, an input.
# C: long V1;
# C: { // c_extract
# C: V1 = PyLong_AsLong(py_V1);
# C: { // Block 2: `V2`, a temporary.
# C: { // c_init
# C: V2 = -1; say("init", V2);
# C: { // Block 3: `V3`, an output.
# Only the output is synced; each is cleaned up, the last one first.
# C: label_3:
# C: if (!failure) {
# C: say("sync", V3);
# C: say("cleanup", V3);
# C: label_2:
# C-NOT: sync
# C: say("cleanup", V2);
# C: label_1:
# C-NOT: sync
# C: say("cleanup", V1);
# C: is_ready = LONG_MAX > 0;

# CHECK:      count extract 5
# CHECK-NEXT: count init -1
# CHECK-NEXT: count init -1
# CHECK-NEXT: count sync 7
# CHECK-NEXT: count cleanup 7
# CHECK-NEXT: count cleanup 6
# CHECK-NEXT: count cleanup 5
# CHECK-NEXT: 7
