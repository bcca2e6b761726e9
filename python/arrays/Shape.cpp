// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broadcasting, and the order of dimensions.

#include "Array.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

using namespace clinch::arrays;

void clinch::arrays::shapeText(char *Text, size_t Size, const Py_ssize_t *Shape,
                               int Dims, const char *Separator) {
  size_t At = size_t(snprintf(Text, Size, "("));
  for (int D = 0; D < Dims && At + 32 < Size; ++D)
    At += size_t(
        snprintf(Text + At, Size - At, "%s%zd", D ? Separator : "", Shape[D]));
  snprintf(Text + At, Size - At, Dims == 1 ? ",)" : ")");
}

/// Sets the ValueError that NumPy raises.
static int mismatch(const clinch_loop &L, void *const *In,
                    unsigned long long Mask) {
  char Text[4096];
  size_t At = 0;
  for (int I = 0; I < L.inputs && At + 256 < sizeof Text; ++I) {
    if (!(Mask >> I & 1) || L.operands[I].number)
      continue;
    const auto *A = static_cast<const Array *>(In[I]);
    shapeText(Text + At, std::min<size_t>(240, sizeof Text - At), A->Shape,
              A->Dims, ",");
    At += strlen(Text + At);
    Text[At++] = ' ';
  }
  Text[At] = 0;
  PyErr_Format(PyExc_ValueError,
               "operands could not be broadcast together with shapes %s", Text);
  return -1;
}

/// Sets NumPy's ValueError if there are more items than can be counted.
static int checkSize(const Py_ssize_t *Shape, int Dims) {
  if (std::find(Shape, Shape + Dims, 0) != Shape + Dims)
    return 0;
  Py_ssize_t Items = 1;
  for (int D = 0; D < Dims; ++D)
    if (__builtin_mul_overflow(Items, Shape[D], &Items)) {
      PyErr_SetString(PyExc_ValueError, "iterator is too large");
      return -1;
    }
  return 0;
}

int clinch::arrays::broadcast(const clinch_loop &L, void *const *In,
                              unsigned long long Mask, Py_ssize_t *Shape,
                              int &Dims) {
  Dims = 0;
  for (int I = 0; I < L.inputs; ++I)
    if ((Mask >> I & 1) && !L.operands[I].number)
      Dims = std::max(Dims, static_cast<const Array *>(In[I])->Dims);
  std::fill_n(Shape, Dims, 1);
  for (int I = 0; I < L.inputs; ++I) {
    if (!(Mask >> I & 1) || L.operands[I].number)
      continue;
    const auto *A = static_cast<const Array *>(In[I]);
    Py_ssize_t *At = Shape + (Dims - A->Dims);
    for (int D = 0; D < A->Dims; ++D) {
      if (A->Shape[D] == At[D] || A->Shape[D] == 1)
        continue;
      if (At[D] != 1)
        return mismatch(L, In, Mask);
      At[D] = A->Shape[D];
    }
  }
  return checkSize(Shape, Dims);
}

void clinch::arrays::spread(Operand &O, const Array &A, int Dims) {
  O.Data = A.Data;
  const int Missing = Dims - A.Dims;
  for (int D = 0; D < Dims; ++D)
    O.Strides[D] =
        D < Missing || A.Shape[D - Missing] == 1 ? 0 : A.Strides[D - Missing];
}

void clinch::arrays::spreadInputs(const clinch_loop &L, void *const *In,
                                  Loop &Out) {
  for (int I = 0; I < L.inputs; ++I) {
    Operand &O = Out.Of[I];
    O.Size = L.operands[I].size;
    O.Single = L.operands[I].single != 0;
    O.Output = false;
    if (!L.operands[I].number) {
      spread(O, *static_cast<const Array *>(In[I]), Out.Dims);
      continue;
    }
    O.Data = static_cast<char *>(In[I]);
    std::fill_n(O.Strides, Out.Dims, 0);
  }
}

static void bounds(const Array &A, int Size, const char *&Low,
                   const char *&High) {
  Low = High = A.Data;
  for (int D = 0; D < A.Dims; ++D) {
    if (A.Shape[D] == 0) {
      High = Low;
      return;
    }
    Py_ssize_t Reach = A.Strides[D] * (A.Shape[D] - 1);
    (Reach < 0 ? Low : High) += Reach;
  }
  High += Size;
}

bool clinch::arrays::mayOverlap(const Array &A, int SizeA, const Array &B,
                                int SizeB) {
  const char *LowA, *HighA, *LowB, *HighB;
  bounds(A, SizeA, LowA, HighA);
  bounds(B, SizeB, LowB, HighB);
  return LowA < HighB && LowB < HighA;
}

/// Returns 1 if dimension \p I should come inside \p J, which is inside now,
/// -1 if it should not, 0 if no operand tells.
static int prefers(const Loop &L, int I, int J) {
  int Answer = 0;
  for (int K = 0; K < L.Operands; ++K) {
    Py_ssize_t SI = std::abs(L.Of[K].Strides[I]),
               SJ = std::abs(L.Of[K].Strides[J]);
    if (!SI || !SJ)
      continue;
    if (SJ <= SI)
      Answer = -1; // If operands disagree, C order wins.
    else if (Answer == 0)
      Answer = 1;
  }
  return Answer;
}

void Loop::order(int *Permutation) {
  // An insertion sort from the innermost on, because the order is not total.
  int FromInside[MaxDims];
  for (int D = 0; D < Dims; ++D)
    FromInside[D] = Dims - 1 - D;
  for (int I = 1; I < Dims; ++I) {
    const int Moving = FromInside[I];
    int Place = I;
    for (int J = I - 1; J >= 0; --J) {
      int Answer = prefers(*this, Moving, FromInside[J]);
      if (Answer < 0)
        break;
      if (Answer > 0)
        Place = J;
    }
    std::copy_backward(FromInside + Place, FromInside + I, FromInside + I + 1);
    FromInside[Place] = Moving;
  }
  for (int D = 0; D < Dims; ++D)
    Permutation[D] = FromInside[Dims - 1 - D];
}

void Loop::permute(const int *Permutation) {
  Py_ssize_t Old[MaxDims];
  auto Apply = [&](Py_ssize_t *Values) {
    std::copy_n(Values, Dims, Old);
    for (int D = 0; D < Dims; ++D)
      Values[D] = Old[Permutation[D]];
  };
  Apply(Shape);
  for (int K = 0; K < Operands; ++K)
    Apply(Of[K].Strides);
}

void Loop::dropSingles() {
  int Kept = 0;
  for (int D = 0; D < Dims; ++D) {
    if (Shape[D] == 1)
      continue;
    Shape[Kept] = Shape[D];
    for (int K = 0; K < Operands; ++K)
      Of[K].Strides[Kept] = Of[K].Strides[D];
    ++Kept;
  }
  Dims = Kept;
}

void Loop::coalesce(int First, int Last) {
  int At = First;
  for (int D = First + 1; D < Last; ++D) {
    bool Joins = true;
    for (int K = 0; K < Operands && Joins; ++K)
      Joins = Of[K].Strides[At] == Of[K].Strides[D] * Shape[D];
    if (!Joins)
      ++At;
    Shape[At] = Joins ? Shape[At] * Shape[D] : Shape[D];
    for (int K = 0; K < Operands; ++K)
      Of[K].Strides[At] = Of[K].Strides[D];
  }
  const int Gone = Last > First ? Last - 1 - At : 0;
  if (!Gone)
    return;
  for (int D = Last; D < Dims; ++D) {
    Shape[D - Gone] = Shape[D];
    for (int K = 0; K < Operands; ++K)
      Of[K].Strides[D - Gone] = Of[K].Strides[D];
  }
  Dims -= Gone;
}

/// The scalar Op that last jumped to `fail` in this thread.
static thread_local const char *FailingOp = nullptr;

extern "C" void clinch_failing(const char *Op) { FailingOp = Op; }

void clinch::arrays::noteIndex(const char *Name, const Py_ssize_t *Index,
                               int Dims) {
  char Where[1024], Text[1400];
  if (FailingOp)
    Name = std::exchange(FailingOp, nullptr);
  snprintf(Text, sizeof Text, "Clinch: `%.300s` failed.", Name);
  if (Dims >= 0) {
    shapeText(Where, sizeof Where, Index, Dims, ", ");
    snprintf(Text, sizeof Text, "Clinch: `%.300s` failed at index %s.", Name,
             Where);
  }
  if (!PyErr_Occurred())
    PyErr_Format(PyExc_RuntimeError, "`%s` failed without setting an exception",
                 Name);
  PyObject *Class, *Value, *Traceback;
  PyErr_Fetch(&Class, &Value, &Traceback);
  PyErr_NormalizeException(&Class, &Value, &Traceback);
  PyObject *Done = PyObject_CallMethod(Value, "add_note", "s", Text);
  Py_XDECREF(Done);
  PyErr_Clear(); // An exception that takes no notes stays as it is.
  PyErr_Restore(Class, Value, Traceback);
}
