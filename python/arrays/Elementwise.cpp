// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop from broadcast to result.

#include "Threads.h"
#include "Walk.h"

#include <algorithm>

using namespace clinch::arrays;

namespace {
/// One call of clinch_run_loop.
class Elementwise {
public:
  Elementwise(void **Table, const clinch_loop &Spec, void *const *In,
              void *const *Out)
      : Api(Table), Spec(Spec), In(In), Out(Out) {
    L.Of = Operands;
    L.Operands = Spec.inputs + Spec.outputs;
    L.AnyOrder = Spec.any_order;
  }
  int run();

private:
  static constexpr int MostOperands = 80;
  bool runStraight();
  int shape();
  int prepareOutput(int K, const int *Permutation);
  int takeMemory(int K, const Py_ssize_t *Want, int Dims);
  /// Sets the strides of a new output in the order in which it is walked.
  void layOut(int K, const Py_ssize_t *Want, int Dims, const int *Permutation,
              Py_ssize_t *Strides) const;
  bool canUseAgain(Array *A, int K, const Py_ssize_t *Want, int Dims) const;
  static void computeTask(void *Self, Py_ssize_t Task);
  int compute();
  int computeAlone(int K);
  int fail(Py_ssize_t Item, const int *Permutation, const Loop &Whole);
  const clinch_operand &output(int K) const {
    return Spec.operands[Spec.inputs + K];
  }
  Array *&held(int K) const { return *static_cast<Array **>(Out[K]); }
  Array *array(int I) const {
    return Spec.operands[I].number ? nullptr : static_cast<Array *>(In[I]);
  }

  NumPy Api;
  const clinch_loop &Spec;
  void *const *In;
  void *const *Out;
  Loop L;
  Operand Operands[MostOperands];
  int Permutation[MaxDims];
};
} // namespace

/// The fast path, for arrays of one shape in C order. Returns false if it does
/// not apply.
bool Elementwise::runStraight() {
  const Array *First = nullptr;
  char *P[MostOperands];
  auto Fits = [&](const Array *A) {
    if (!(A->Flags & Array::InC) || !(A->Flags & Array::Aligned))
      return false;
    if (!First) {
      First = A;
      return true;
    }
    return A->Dims == First->Dims &&
           std::equal(A->Shape, A->Shape + A->Dims, First->Shape);
  };
  for (int I = 0; I < Spec.inputs; ++I) {
    if (Spec.operands[I].number) {
      P[I] = static_cast<char *>(In[I]);
      continue;
    }
    const Array *A = array(I);
    P[I] = A->Data;
    if (!(Spec.operands[I].single && A->Dims == 0) && !Fits(A))
      return false;
  }
  if (!First)
    return false;
  Py_ssize_t Items = 1;
  for (int D = 0; D < First->Dims; ++D)
    Items *= First->Shape[D];
  if (hasThreads(Spec, Items))
    return false;
  for (int K = 0; K < Spec.outputs; ++K) {
    const unsigned long long All = ~0ull >> (64 - Spec.inputs);
    if (output(K).in_place_of >= 0 || output(K).shaped_by != All)
      return false;
    Array *&A = held(K);
    if (A && !canUseAgain(A, K, First->Shape, First->Dims))
      Py_CLEAR(A);
    if (!A)
      A = Api.make(First->Dims, First->Shape, output(K).typenum, nullptr);
    // If make() failed, run() sees its exception.
    if (!A || !(A->Flags & Array::InC))
      return false;
    P[Spec.inputs + K] = A->Data;
  }
  L.Items = Items;
  L.Dims = First->Dims;
  std::copy_n(First->Shape, First->Dims, L.Shape);
  Py_ssize_t Failed = Spec.kernel(P, Items);
  for (int D = 0; D < L.Dims; ++D)
    Permutation[D] = D;
  L.Items = Failed; // For run() to report.
  return true;
}

bool Elementwise::canUseAgain(Array *A, int K, const Py_ssize_t *Want,
                              int Dims) const {
  if (A->Dims != Dims || !std::equal(Want, Want + Dims, A->Shape) ||
      !(A->Flags & Array::Writeable) || !(A->Flags & Array::Aligned))
    return false;
  for (int D = 0; D < Dims; ++D)
    if (A->Shape[D] > 1 && A->Strides[D] == 0)
      return false;
  for (int I = 0; I < Spec.inputs; ++I)
    if (const Array *B = array(I))
      if (mayOverlap(*A, output(K).size, *B, Spec.operands[I].size))
        return false;
  return true;
}

int Elementwise::shape() {
  if (broadcast(Spec, In, ~0ull, L.Shape, L.Dims) < 0)
    return -1;
  L.Items = 1;
  for (int D = 0; D < L.Dims; ++D)
    L.Items *= L.Shape[D];
  return 0;
}

/// Puts the output into the memory of an input.
int Elementwise::takeMemory(int K, const Py_ssize_t *Want, int Dims) {
  Array *A = array(output(K).in_place_of);
  if (!(A->Flags & Array::Writeable)) {
    PyErr_SetString(PyExc_ValueError, "output array is read-only");
    return -1;
  }
  if (A->Dims != Dims || !std::equal(Want, Want + Dims, A->Shape)) {
    char Has[512], Wants[512];
    shapeText(Has, sizeof Has, A->Shape, A->Dims, ",");
    shapeText(Wants, sizeof Wants, Want, Dims, ",");
    PyErr_Format(PyExc_ValueError,
                 "non-broadcastable output operand with shape %s doesn't match "
                 "the broadcast shape %s",
                 Has, Wants);
    return -1;
  }
  if (held(K) != A) {
    Py_INCREF(A);
    Py_XDECREF(held(K));
    held(K) = A;
  }
  return 0;
}

void Elementwise::layOut(int K, const Py_ssize_t *Want, int Dims,
                         const int *Permutation, Py_ssize_t *Strides) const {
  Py_ssize_t Next = output(K).size;
  const int Missing = L.Dims - Dims;
  for (int P = L.Dims - 1; P >= 0; --P) {
    int D = Permutation[P] - Missing;
    if (D < 0)
      continue;
    Strides[D] = Next;
    Next *= std::max<Py_ssize_t>(Want[D], 1);
  }
}

int Elementwise::prepareOutput(int K, const int *Permutation) {
  Py_ssize_t Own[MaxDims];
  int Dims = L.Dims;
  std::copy_n(L.Shape, Dims, Own);
  const unsigned long long All = Spec.inputs ? ~0ull >> (64 - Spec.inputs) : 0;
  if (output(K).shaped_by != All &&
      broadcast(Spec, In, output(K).shaped_by, Own, Dims) < 0)
    return -1;
  if (output(K).in_place_of >= 0) {
    if (takeMemory(K, Own, Dims) < 0)
      return -1;
  } else {
    Py_ssize_t Strides[MaxDims];
    layOut(K, Own, Dims, Permutation, Strides);
    // Its order in memory follows the inputs', not those of an earlier call.
    if (!held(K) || !canUseAgain(held(K), K, Own, Dims) ||
        !std::equal(Strides, Strides + Dims, held(K)->Strides)) {
      Py_XDECREF(held(K));
      held(K) = Api.make(Dims, Own, output(K).typenum, Strides);
      if (!held(K))
        return -1;
    }
  }
  Operand &O = Operands[Spec.inputs + K];
  O.Size = output(K).size;
  O.Single = false;
  O.Output = true;
  spread(O, *held(K), L.Dims);
  return 0;
}

int Elementwise::fail(Py_ssize_t Item, const int *Permutation,
                      const Loop &Whole) {
  Py_ssize_t Index[MaxDims];
  for (int P = Whole.Dims - 1; P >= 0; --P) {
    const int D = Permutation[P];
    Index[D] = Item % Whole.Shape[D];
    Item /= Whole.Shape[D];
  }
  noteIndex(Spec.name, Index, Whole.Dims);
  return -1;
}

/// Computes one output over its own shape: if it depends on only some inputs,
/// it may have items although the whole loop has none. The other operands are
/// dummies.
int Elementwise::computeAlone(int K) {
  const unsigned long long Mask = output(K).shaped_by;
  alignas(16) char Nothing[16] = {};
  if (broadcast(Spec, In, Mask, L.Shape, L.Dims) < 0)
    return -1;
  L.Items = 1;
  for (int D = 0; D < L.Dims; ++D)
    L.Items *= L.Shape[D];
  if (L.Items == 0)
    return 0;
  for (int I = 0; I < L.Operands; ++I) {
    Operand &O = Operands[I];
    const bool Shapes = I < Spec.inputs && (Mask >> I & 1);
    if (Shapes && !Spec.operands[I].number) {
      spread(O, *array(I), L.Dims);
    } else if (I == Spec.inputs + K) {
      spread(O, *held(K), L.Dims);
    } else if (!Shapes) {
      O.Data = Nothing;
      std::fill_n(O.Strides, L.Dims, 0);
    }
  }
  L.dropSingles();
  L.coalesce();
  Walk(L).run(Spec.kernel, 0, L.Items);
  return 0;
}

void Elementwise::computeTask(void *Self, Py_ssize_t Task) {
  const auto &Me = *static_cast<const Elementwise *>(Self);
  const Py_ssize_t Begin = Task * TaskItems;
  Walk(Me.L).run(Me.Spec.kernel, Begin,
                 std::min(Begin + TaskItems, Me.L.Items));
}

int Elementwise::compute() {
  if (L.Items == 0) {
    for (int K = 0; K < Spec.outputs; ++K)
      if (computeAlone(K) < 0)
        return -1;
    return 0;
  }
  Loop Whole;
  Whole.Dims = L.Dims;
  std::copy_n(L.Shape, L.Dims, Whole.Shape);
  L.permute(Permutation);
  L.dropSingles();
  L.coalesce();
  if (hasThreads(Spec, L.Items)) {
    runTasks(Spec, (L.Items + TaskItems - 1) / TaskItems, computeTask, this);
    return 0;
  }
  Walk W(L);
  Py_ssize_t Failed = W.run(Spec.kernel, 0, L.Items);
  return Failed < 0 ? 0 : fail(Failed, Permutation, Whole);
}

int Elementwise::run() {
  if (runStraight())
    return L.Items < 0 ? 0 : fail(L.Items, Permutation, L);
  if (PyErr_Occurred() || shape() < 0)
    return -1;
  spreadInputs(Spec, In, L);
  L.Operands = Spec.inputs;
  L.order(Permutation);
  L.Operands = Spec.inputs + Spec.outputs;
  for (int K = 0; K < Spec.outputs; ++K)
    if (prepareOutput(K, Permutation) < 0)
      return -1;
  return compute();
}

/// If an output takes the memory of an input, other inputs that overlap that
/// memory are copied first, as NumPy does.
static int runOnCopies(void **Table, const clinch_loop &Spec, void *const *In,
                       void *const *Out) {
  void *Own[80];
  Array *Copies[80];
  int Count = 0, Result = 0;
  std::copy_n(In, Spec.inputs, Own);
  for (int K = 0; K < Spec.outputs && !Result; ++K) {
    const clinch_operand &O = Spec.operands[Spec.inputs + K];
    if (O.in_place_of < 0)
      continue;
    const auto *Taken = static_cast<const Array *>(In[O.in_place_of]);
    for (int I = 0; I < Spec.inputs && !Result; ++I) {
      auto *A = static_cast<Array *>(Own[I]);
      if (I == O.in_place_of || Spec.operands[I].number ||
          (A->Data == Taken->Data && A->Dims == Taken->Dims &&
           std::equal(A->Shape, A->Shape + A->Dims, Taken->Shape) &&
           std::equal(A->Strides, A->Strides + A->Dims, Taken->Strides)) ||
          !mayOverlap(*A, Spec.operands[I].size, *Taken, O.size))
        continue;
      Array *Copy = NumPy(Table).copy(A);
      if (!Copy) {
        Result = -1;
        break;
      }
      Own[I] = Copies[Count++] = Copy;
    }
  }
  if (!Result)
    Result = Elementwise(Table, Spec, Own, Out).run();
  while (Count)
    Py_DECREF(Copies[--Count]);
  return Result;
}

extern "C" int clinch_run_loop(void **Table, const clinch_loop *Spec,
                               void *const *In, void *const *Out) {
  for (int K = 0; K < Spec->outputs; ++K)
    if (Spec->operands[Spec->inputs + K].in_place_of >= 0)
      return runOnCopies(Table, *Spec, In, Out);
  return Elementwise(Table, *Spec, In, Out).run();
}
