// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who calls the initialisers of texts.

#pragma once

namespace clinch {

/// Keeps an initialiser for later, unless it returns false.
using DeferInitializerFn = bool (*)(void (*Initializer)());

/// From now on, \p Defer may keep those of what is linked from being called.
void setInitializerDefer(DeferInitializerFn Defer);

} // namespace clinch
