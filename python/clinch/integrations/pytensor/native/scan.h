/* What a loop of `Scan` needs to know; `scan.py` has the same as a ctypes
   structure. Part of Clinch, under the Apache License v2.0 with LLVM
   Exceptions. */
typedef struct Loop Loop;
struct Loop {
  int (*run)(const Loop *, PyObject **inputs, PyObject **outputs);
  PyObject *step;    /* makes one step, from cells to cells */
  PyObject *explain; /* is called with what a step raised; or null */
  PyObject *finish;  /* is called behind the last step; or null */
  int sequences, mitMots, mitSots, sitSots, nitSots, states, mitMotOuts;
  int innerInputs, innerOutputs, isWhile, updates;
  const int *minTaps;   /* of each output */
  const int *tapsBegin; /* of each output that has some; one more */
  const int *taps;
  const int *outTapsBegin; /* of each mit-mot; one more */
  const int *outTaps;
  const int *outTapInput; /* the inner input that is updated, or -1 */
  const int *inPlace, *types, *dims; /* of each output */
  PyObject **inCells, **outCells;    /* lists of one */
  PyObject **updateFrom, **updateTo;
};
