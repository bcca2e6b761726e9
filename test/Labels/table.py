"""The table of labels: what fails where, what is released, where it goes."""
# RUN: clinch --emit=labels --form=function %s | FileCheck %s --check-prefix=CALL --match-full-lines --strict-whitespace
# RUN: clinch --emit=labels --form=struct %s | FileCheck %s --check-prefix=STRUCT --match-full-lines --strict-whitespace
# RUN: clinch --emit=blocks --form=struct %s | FileCheck %s --check-prefix=BLOCKS --match-full-lines --strict-whitespace


class Kept(Type):
    """A double that is kept from run to run."""

    def c_declare(self, name, sub):
        return f"double {name};"

    def c_init(self, name, sub):
        return f"{name} = 0.0;"

    def c_extract(self, name, sub):
        return f"{name} = PyFloat_AsDouble(py_{name});"

    def c_sync(self, name, sub):
        return f"Py_XDECREF(py_{name}); py_{name} = PyFloat_FromDouble({name});"

    def c_cleanup(self, name, sub):
        return f"{name} = -1.0;"

    def filter(self, value, strict=False, allow_downcast=None):
        return float(value)


class Counted(Op):
    __props__ = ()

    def make_node(self, x, y):
        return Apply(self, [x, y], [x.type()])

    def c_validate_update(self, node, name, inputs, outputs, sub):
        return f"if ({inputs[0]} < 0) {sub['fail']}"

    def c_support_code_struct(self, node, name):
        return f"long runs_{name};"

    def c_init_code_struct(self, node, name, sub):
        return f"runs_{name} = 0;"

    def c_code(self, node, name, inputs, outputs, sub):
        return f"{outputs[0]} = {inputs[0]} + {inputs[1]} + ++runs_{name};"


kept = Kept()
x = kept("x")
total = Counted()(Counted()(x, x), x)
total.name = "total"
f = function([x], total)

# CALL:in    number  label    what fails there                           its cleanup releases                        then
# CALL-NEXT:call  1       label_1  `Kept.c_extract` for `x`                   c_cleanup, py_V1                            return
# CALL-NEXT:call  2       label_2  `Kept.c_init` for `V2`                     c_cleanup                                   label_1
# CALL-NEXT:call  3       label_3  `Kept.c_extract` for `total`               c_sync if nothing failed, c_cleanup, py_V3  label_2
# CALL-NEXT:call  4       label_4  `Counted.c_init_code_struct` for `node_4`  nothing                                     label_3
# CALL-NEXT:call  5       label_5  `Counted.c_validate_update` for `node_4`   nothing                                     label_4
# CALL-NEXT:call  6       label_6  `Counted.c_code` for `node_4`              nothing                                     label_5
# CALL-NEXT:call  7       label_7  `Counted.c_init_code_struct` for `node_7`  nothing                                     label_6
# CALL-NEXT:call  8       label_8  `Counted.c_validate_update` for `node_7`   nothing                                     label_7
# CALL-NEXT:call  9       label_9  `Counted.c_code` for `node_7`              nothing                                     label_8

# STRUCT:in    number  label    what fails there                           its cleanup releases                        then
# STRUCT-NEXT:init  2       label_2  `Kept.c_init` for `V2`                     c_cleanup                                   return
# STRUCT-NEXT:init  4       label_4  `Counted.c_init_code_struct` for `node_4`  nothing                                     label_2
# STRUCT-NEXT:init  7       label_7  `Counted.c_init_code_struct` for `node_7`  nothing                                     label_4
# STRUCT-NEXT:run   1       label_1  `Kept.c_extract` for `x`                   c_cleanup, py_V1                            return
# STRUCT-NEXT:run   3       label_3  `Kept.c_extract` for `total`               c_sync if nothing failed, c_cleanup, py_V3  label_1
# STRUCT-NEXT:run   5       label_5  `Counted.c_validate_update` for `node_4`   nothing                                     label_3
# STRUCT-NEXT:run   6       label_6  `Counted.c_code` for `node_4`              nothing                                     label_5
# STRUCT-NEXT:run   8       label_8  `Counted.c_validate_update` for `node_7`   nothing                                     label_6
# STRUCT-NEXT:run   9       label_9  `Counted.c_code` for `node_7`              nothing                                     label_8

# BLOCKS:block 1: input `x`, `Kept`, V1
# BLOCKS-NEXT:  declare c_declare
# BLOCKS-NEXT:    | double V1;
# BLOCKS-NEXT:  behaviour c_extract
# BLOCKS-NEXT:    | V1 = PyFloat_AsDouble(py_V1);
# BLOCKS-NEXT:  cleanup c_cleanup
# BLOCKS-NEXT:    | V1 = -1.0;
# BLOCKS-NEXT:block 2: temporary `V2`, `Kept`, in init
# BLOCKS:block 4: struct `node_4`, `Counted`, in init
# BLOCKS-NEXT:  behaviour c_init_code_struct
# BLOCKS-NEXT:    | runs_node_4 = 0;
# BLOCKS-NEXT:block 5: validate `node_4`, `Counted`
# BLOCKS-NEXT:  behaviour c_validate_update
# BLOCKS-NEXT:    | if (V1 < 0) {failure = 5; goto label_5;}
# BLOCKS-NEXT:block 6: code `node_4`, `Counted`
