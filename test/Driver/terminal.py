"""The prompt at a terminal: banner, editing, history, Ctrl-C, Ctrl-D."""
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s %S/Inputs %t

import fcntl
import os
import signal
import sys
import time

sys.path.insert(0, sys.argv[1])
from terminal import Terminal

state = sys.argv[2]
history = os.path.join(state, "clinch", "history")


def start():
    found = Terminal("clinch", XDG_STATE_HOME=state)
    found.expect(r"Clinch \d.*`:help` lists the commands")
    found.expect(">>> ")
    return found


# Several lines, a Ctrl-C that drops what was typed, one that stops a call.
t = start()
t.send("for i in range(3):\n")
t.expect(r"\.\.\. ")
t.send("    print('n', i)\n")
t.expect(r"\.\.\. ")
t.send("\n")
t.expect("n 0\r\nn 1\r\nn 2\r\n.*>>> ")
t.send("dropped = 1 +\x03")
t.expect("KeyboardInterrupt\r\n.*>>> ")
t.send("'dropped' in globals()\n")
t.expect("False\r\n.*>>> ")
t.send("import time; print('be' + 'gun'); time.sleep(1000)\n")
t.expect("begun")
t.interrupt("KeyboardInterrupt\r\n.*>>> ")

# A signal in the moment after the prompt stands and before Python waits for
# keys: this one readline raises itself, there and nowhere else.
t.send('''import ctypes, readline
strike = clinch.compile("""#include <signal.h>
static int count; int strike(void) { return count++ ? 0 : raise(SIGINT); }
""")
hook = ctypes.c_void_p.in_dll(ctypes.CDLL(readline.__file__), "rl_pre_input_hook")
hook.value = strike.lookup("strike"); print("hook", "set")
''')
t.expect(r"hook set\r\n.*>>> [^K]*KeyboardInterrupt\r\n.*>>> ")

# A signal in the moment after a key has come and before readline reads it: the
# terminal throws the key away then, and there is nothing to read.
t.send('''thief = clinch.compile("""#include <signal.h>
#include <termios.h>
int (*reader)(void *);
static int count;
int steal(void *stream) {
  if (!count++) { tcflush(0, TCIFLUSH); raise(SIGINT); }
  return reader(stream);
}
""")
reader = ctypes.c_void_p.in_dll(ctypes.CDLL(readline.__file__), "rl_getc_function")
ctypes.c_void_p.from_address(thief.lookup("reader")).value = reader.value
reader.value = thief.lookup("steal"); print("thief", "set")
''')
t.expect(r"thief set\r\n.*>>> ")
t.send("x")
t.expect(r"KeyboardInterrupt\r\n.*>>> ")

# A Ctrl-C during a compile, which stands still in a header: whoever opens it
# waits for this process, which has a lease on it.
header = os.path.join(state, "header.h")
signal.signal(signal.SIGIO, signal.SIG_IGN)
with open(header, "w") as file:
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    t.send(f"""clinch.compile('#include "{header}"')\n""")
    while fcntl.fcntl(file, fcntl.F_GETLEASE) == fcntl.F_WRLCK:
        time.sleep(0.002)
    t.interrupt("\r\nKeyboardInterrupt\r\n.*>>> ")

# A Ctrl-C during a compile (in a hook), and one during a call of C code that
# asks for signals; afterwards all goes on.
t.send("""class Slow(Op):
    wait = True
    def make_node(self, x):
        return Apply(self, [x], [x.type()])
    def c_code(self, node, name, inputs, outputs, sub):
        if self.wait:
            print("com" + "piling"); time.sleep(1000)
        return 'while (!PyErr_CheckSignals()) ; ' + sub["fail"]

""")
t.expect(">>> ")
t.send("op = Slow(); x = double('x'); f = function([x], op(x))\n")
t.expect("compiling")
t.interrupt("KeyboardInterrupt\r\n(?s:.*)>>> ")
t.send("op.wait = False; f = function([x], op(x))\n")
t.expect(">>> ")
t.send("print('cal' + 'ling'); f(1.0)\n")
t.expect("calling")
t.interrupt("KeyboardInterrupt\r\n(?s:.*)>>> ")
t.send("function([x], add(x, x))(4.0)\n")
t.expect("8.0\r\n.*>>> ")

# One in a loop of C: alone, one that is in the C library most of the time, one that
# Python has called; and a line that asks for more.
t.send("int spin(int n) { for (volatile int k = n;; ++k) ; }\n")
t.expect(">>> ")
t.send("double one = cos(0);\n")
t.expect(r"`cos` is of <math.h>: include it\? \[y\] ")
t.send("n\n")
t.expect("call to undeclared library function 'cos'(?s:.*)>>> ")
t.send("one\n")
t.expect("NameError: name 'one' is not defined(?s:.*)>>> ")
t.send("double one = cos(0);\n")
t.expect(r"\[y\] ")
t.send("\n")
t.expect(">>> ")
t.send("one + cos(0)\n")
t.expect("\r2.0\r\n.*>>> ")
for call in ("spin(1);", "print(spin(1))", "for (;;) free(malloc(100));"):
    t.send(f"puts(\"st\" \"art\"); fflush(stdout); {call}\n" if "print" not in call
           else f"print('st' + 'art'); {call}\n")
    if call == "spin(1);":  # What was agreed to holds, though the call is left.
        t.expect(r"`puts` is of <stdio.h>: include it\? \[y\] ")
        t.send("y\n")
    if "malloc" in call:
        t.expect(r"`\w+` is of <stdlib.h>: include it\? \[y\] ")
        t.send("y\n")
    t.expect("start\r\n")
    t.compute(0.5)
    t.interrupt("KeyboardInterrupt\r\n(?s:.*)>>> ")
t.send("int more(int n) {\n")
t.expect(r"\.\.\. ")
t.send("return n + 1; }\n")
t.expect(">>> ")
t.send("more(41)\n")
t.expect("\r42\r\n.*>>> ")
t.send("struct where { int left, right; } wherever_it_is = {4, 5};\n")
t.expect(">>> ")
t.send("wherever_i\t.lef\t + 40\n")
t.expect("\r44\r\n.*>>> ")
t.send("struct where *to_it = &wherever_it_is;\n")
t.expect(">>> ")
t.send("to_it->ri\t * 2\n")
t.expect("\r10\r\n.*>>> ")
t.send("struct where its_twin(void) { return wherever_it_is; }\n")
t.expect(">>> ")
t.send("its_twin().lef\t * 11\n")
t.expect("\r44\r\n.*>>> ")
t.send("BUFSI\t / 1024\n")
t.expect("\r8\r\n.*>>> ")
t.send("#include <complex.\t\n")
t.expect("complex.h>\r\n.*>>> ")
t.send("cimag(2.0 + 3.0i)\n")
t.expect("\r3.0\r\n.*>>> ")
t.send(":c\n")
t.expect("c>> ")
t.send(":auto\n")
t.expect(">>> ")

# The tab key.
t.send(":emi\t")
t.expect(":emit ?")
t.send("llvm-o\t")
t.expect("llvm-opt")
t.send("\x03")
t.expect("KeyboardInterrupt\r\n.*>>> ")
t.send(":set tier ma\t\n")
t.expect(":set tier max\\s*\r\n.*>>> ")
t.send(":set\n")
t.expect("  tier       max\r\n(?s:.*)>>> ")

# What is pasted is one piece: a class with a blank line in it does not end
# there, and what comes behind it is of its own.
t.send("\x1b[200~class Pasted:\n    one = 40\n\n    two = 2\n\n"
       "print(Pasted.one + Pasted.two)\x1b[201~\n")
t.expect("\r42\r\n.*>>> ")
t.send("\x1b[200~def pasted():\n    return 40 + 3\x1b[201~\n")
t.expect(">>> ")
t.send("pasted()\n")
t.expect("\r43\r\n.*>>> ")
t.send("\x1b[200~both = [1,\n2,\x1b[201~\n")
t.expect(r"\.\.\. ")
t.send("3]; print(len(both) + 40)\n")
t.expect("\r43\r\n.*>>> ")

# Somebody waits: long compiles show a bar.
t.send("clinch.base.progress.at_terminal(__import__('sys').stderr)\n")
t.expect("True\r\n.*>>> ")

# However many Ctrl-C come, and while the first of them is reported.
for round in range(3):
    t.send("for (;;);\n")
    for _ in range(150):
        t.send("\x03")
    t.interrupt(">>> ")
t.send("\n1000 + 2340\n")
t.expect("3340\r\n.*>>> ")

# Names are completed, too.
t.send("unmistakable_name = 5\n")
t.expect(">>> ")
t.send("unmist\t + 1\n")
t.expect("unmistakable_name \\+ 1\r\n.*6\r\n.*>>> ")

# Ctrl-D leaves, with a line of its own.
t.send("\x04")
assert t.status() == 0
with open(history) as file:
    lines = file.read().splitlines()
assert "unmistakable_name = 5" in lines, lines
assert os.stat(os.path.dirname(history)).st_mode & 0o077 == 0

# The next run remembers: Ctrl-P brings the last line, whose name is new
# there. :quit leaves too.
t = start()
t.send("\x10\n")
t.expect("unmistakable_name \\+ 1\r\n")
t.expect("NameError: name 'unmistakable_name' is not defined\r\n.*>>> ")
t.send(":quit\n")
assert t.status() == 0

# A run that is killed, as one whose block crashes, remembers its last line.
t = start()
t.send("killed = 'by itself'\n")
t.expect(">>> ")
t.send("__import__('os').kill(__import__('os').getpid(), 9)\n")
assert t.status() == -9
with open(history) as file:
    assert file.read().splitlines()[-3:] == [
        ":quit", "killed = 'by itself'",
        "__import__('os').kill(__import__('os').getpid(), 9)"]

# No history can be written: nothing is said.
open(os.path.join(state, "file"), "w").close()
t = Terminal("clinch", XDG_STATE_HOME=os.path.join(state, "file"))
t.expect(">>> ")
t.send("1 + 1\n")
t.expect("2\r\n.*>>> ")
t.send("exit(5)\n")
assert t.status() == 5

# A Ctrl-C amid the import of NumPy, which cannot be imported twice, waits for its end.
with open(os.path.join(state, "sitecustomize.py"), "w") as file:
    file.write("""import os, signal, sys
class Striking:
    def find_spec(self, name, *_):
        if name in ("numpy.ma", "numpy.linalg"):
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Striking())
""")
t = Terminal("clinch", XDG_STATE_HOME=state,
             PYTHONPATH=state + os.pathsep + os.environ.get("PYTHONPATH", ""))
t.expect(">>> ")
t.send("[k for k in range(41, 43)]\n")
t.expect("KeyboardInterrupt\r\n.*>>> ")
t.send("[k for k in range(41, 43)]\n")
t.expect(r"\[41, 42\]\r\n.*>>> ")
t.send(":quit\n")
assert t.status() == 0
