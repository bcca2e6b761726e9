// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens of any text.

#include "lib/Support/Declarations.h"
#include "lib/Support/Lexer.h"

#include <cstdint>
#include <cstdlib>

using namespace clinch;

/// Tokens stand in the text, in order, each behind the one before.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::string_view Text(reinterpret_cast<const char *>(Data), Size);
  Lexer L(Text);
  size_t End = 0;
  for (Token T = L.next(); T.What != Token::End; T = L.next()) {
    if (T.Text.empty() || T.Offset < End ||
        T.Text.data() != Text.data() + T.Offset ||
        T.Text.size() > Text.size() - T.Offset)
      std::abort();
    End = T.Offset + T.Text.size();
  }
  readDeclarations(Text);
  return 0;
}
