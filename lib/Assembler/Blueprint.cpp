// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks and their names.

#include "Blueprint.h"

#include "Builder.h"

#include "lib/Contract/CNames.h"
#include "lib/Support/Text.h"

#include <algorithm>

using namespace clinch;

std::string clinch::failLabel(unsigned Number) {
  return failLabel(std::to_string(Number));
}

std::string clinch::syncFailLabel(unsigned Number) {
  return failLabel(Number) + "_synced";
}

std::string clinch::failTo(unsigned Number, const std::string &Label) {
  return failTo(std::to_string(Number), Label);
}

std::shared_ptr<const std::string> clinch::fileOf(const Piece &P) {
  if (!P.Source || P.Source->File.empty())
    return nullptr;
  return std::make_shared<const std::string>(P.Source->File);
}

std::string Block::origin(const Piece &P) const {
  return pieceOrigin(*Provider, P, Subject);
}

Author Block::author(const Piece &P) const {
  return {Provider, P.Hook, Subject, Number, Apply, fileOf(P)};
}

std::string Block::failing() const {
  const PieceSource *Source = Behaviour.Source.get();
  return Source && Source->MadeOf
             ? hookOrigin(*Provider, Source->MadeOf, Subject)
             : origin(Behaviour);
}

std::string clinch::pieceOrigin(const CodeProvider &C, const Piece &P,
                                const std::string &Subject) {
  std::string Out = hookOrigin(C, P.Hook, Subject);
  if (P.Source && !P.Source->File.empty())
    Out += " in " + P.Source->File;
  return Out;
}

std::string clinch::hookOrigin(const CodeProvider &P, const char *Hook,
                               const std::string &Subject) {
  std::string Out = "`" + P.className() + "." + Hook + "`";
  if (!Subject.empty()) {
    Out += " for ";
    Out += Subject;
  }
  return Out;
}

std::string clinch::displayName(const std::string &Name) {
  constexpr size_t Longest = 60;
  static constexpr char Hex[] = "0123456789abcdef";
  std::string Out;
  for (size_t I = 0; I < Name.size();) {
    if (I >= Longest)
      return Out + "...";
    unsigned char C = Name[I];
    size_t Length = C < 0x20 || C == 0x7f ? 0 : utf8Length(Name, I);
    if (C == '`') {
      Out += '\'';
      ++I;
    } else if (Length) {
      Out.append(Name, I, Length);
      I += Length;
    } else {
      Out += "\\x";
      Out += Hex[C >> 4];
      Out += Hex[C & 15];
      ++I;
    }
  }
  return Out;
}
