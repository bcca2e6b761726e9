// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel as a loop of a NumPy ufunc.

#include "Walk.h"

using namespace clinch::arrays;

/// Where an operand's items begin and end in memory.
static void bounds(const Operand &O, Py_ssize_t Count, const char *&Low,
                   const char *&High) {
  Low = High = O.Data;
  Py_ssize_t Reach = O.Strides[0] * (Count - 1);
  (Reach < 0 ? Low : High) += Reach;
  High += O.Size;
}

/// Whether an item may depend on one before it: to reduce and accumulate, NumPy
/// passes an output that overlaps an input.
static bool dependsOnResults(const Loop &L, int Inputs) {
  for (int K = Inputs; K < L.Operands; ++K)
    for (int I = 0; I < Inputs; ++I) {
      const Operand &In = L.Of[I], &Out = L.Of[K];
      const bool Same = In.Data == Out.Data && In.Strides[0] == Out.Strides[0];
      if (Same && In.Strides[0] != 0)
        continue;
      const char *LowIn, *HighIn, *LowOut, *HighOut;
      bounds(In, L.Items, LowIn, HighIn);
      bounds(Out, L.Items, LowOut, HighOut);
      if (LowIn < HighOut && LowOut < HighIn)
        return true;
    }
  return false;
}

static Py_ssize_t oneByOne(const Loop &L, clinch_kernel *Kernel) {
  char *P[80];
  for (Py_ssize_t I = 0; I < L.Items; ++I) {
    for (int K = 0; K < L.Operands; ++K)
      P[K] = L.Of[K].Data + I * L.Of[K].Strides[0];
    if (Kernel(P, 1) >= 0)
      return I;
  }
  return -1;
}

extern "C" int clinch_run_ufunc(const clinch_loop *Spec, char **Args,
                                const Py_ssize_t *Count,
                                const Py_ssize_t *Steps) {
  Operand Operands[80];
  Loop L;
  L.Of = Operands;
  L.Operands = Spec->inputs + Spec->outputs;
  L.Dims = 1;
  L.Shape[0] = L.Items = *Count;
  for (int K = 0; K < L.Operands; ++K) {
    Operand &O = Operands[K];
    O.Data = Args[K];
    O.Size = Spec->operands[K].size;
    O.Single = false;
    O.Output = K >= Spec->inputs;
    O.Strides[0] = Steps[K];
  }
  if (L.Items <= 0)
    return 0;
  Py_ssize_t Failed = L.Items > 1 && dependsOnResults(L, Spec->inputs)
                          ? oneByOne(L, Spec->kernel)
                          : Walk(L).run(Spec->kernel, 0, L.Items);
  if (Failed < 0)
    return 0;
  noteIndex(Spec->name, nullptr, -1);
  return -1;
}
