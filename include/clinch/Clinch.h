//===- Clinch.h - Graph, Session, Function ----------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Includes all that a program needs that embeds Python and runs graphs. To
// compile text only, include clinch/Compiler/Session.h instead.
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_CLINCH_H
#define CLINCH_CLINCH_H

#include "clinch/Runtime/Function.h"

#endif // CLINCH_CLINCH_H
