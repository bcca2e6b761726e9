//===- CNames.h - Names that C takes ---------------------------*- C++ -*-===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLINCH_LIB_CONTRACT_CNAMES_H
#define CLINCH_LIB_CONTRACT_CNAMES_H

#include <string_view>

namespace clinch {

/// Letters of ASCII, digits and underscores, and no digit first.
bool isIdentifier(std::string_view Name);

/// A word that C (gnu23) or C++ (gnu++20) keeps for itself: a name must do in
/// both, for the language is not its author's choice alone.
bool isKeyword(std::string_view Name);

} // namespace clinch

#endif // CLINCH_LIB_CONTRACT_CNAMES_H
