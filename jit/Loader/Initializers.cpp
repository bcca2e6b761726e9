//===- Initializers.cpp - What runs before the code is used --------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one file here that is compiled with exceptions: what a text's global
// objects throw must not pass through the rest.
//
//===----------------------------------------------------------------------===//

#include "Initializers.h"

#include <algorithm>
#include <cstdlib>
#include <exception>

using namespace clinch;

/// The number in `.init_array.00101`; none is the last of all.
static unsigned long priorityOf(std::string_view Section) {
  size_t Dot = Section.rfind('.');
  if (Dot == 0 || Dot == std::string_view::npos)
    return ~0UL;
  return std::strtoul(Section.data() + Dot + 1, nullptr, 10);
}

std::vector<size_t> clinch::arraysInOrder(const ElfObject &Object,
                                          unsigned Type) {
  std::vector<size_t> Sections;
  for (size_t I = 0; I < Object.sections().size(); ++I)
    if (Object.sections()[I].sh_type == Type && Object.isLoaded(I))
      Sections.push_back(I);
  std::stable_sort(Sections.begin(), Sections.end(), [&](size_t A, size_t B) {
    return priorityOf(Object.sectionName(A)) <
           priorityOf(Object.sectionName(B));
  });
  return Sections;
}

static Error thrown(const std::string &What) {
  return Error(ErrorKind::Host,
               "The initialiser of a global object threw " + What + ".");
}

Status clinch::runInitializer(void (*Function)()) {
  try {
    Function();
  } catch (const std::exception &E) {
    return thrown(std::string("`") + E.what() + "`");
  } catch (...) {
    return thrown("something that is no std::exception");
  }
  return {};
}
