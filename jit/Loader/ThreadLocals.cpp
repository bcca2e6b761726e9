//===- ThreadLocals.cpp - Native thread-local variables -------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadLocals.h"

#include "llvm/ExecutionEngine/JITLink/x86_64.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace clinch;
namespace jitlink = llvm::jitlink;
namespace elf = llvm::ELF;
namespace orc = llvm::orc;
using File = llvm::object::ELFFile<llvm::object::ELF64LE>;
using jitlink::Block;
using jitlink::Edge;
using jitlink::LinkGraph;
using jitlink::Section;
using jitlink::Symbol;

// NOLINTNEXTLINE(bugprone-reserved-identifier): of libgcc
extern "C" void *__emutls_get_address(EmulatedVariable *Variable);

namespace {

constexpr llvm::StringRef JoinedSection = "clinch.threadlocals",
                          VariableSection = "clinch.emulated",
                          PlacesSection = "$__TLSINFO"; // JITLink's.

constexpr auto Writable = static_cast<orc::MemProt>(int(orc::MemProt::Read) |
                                                    int(orc::MemProt::Write));

/// Marks, in the addend, a place of the object's variables as a whole.
constexpr int64_t Whole = int64_t(1) << 40;

void *addressOf(const ThreadLocalPlace *Place) {
  return static_cast<char *>(__emutls_get_address(Place->Of)) +
         (Place->Initial - Place->Of->Initial);
}

bool isOfThreadLocals(const Section &S) {
  return S.getName().starts_with(".tdata") || S.getName().starts_with(".tbss");
}

/// Lays out all blocks as one, and moves their contents, edges and symbols.
Block &join(LinkGraph &G, const std::vector<Block *> &Blocks) {
  std::vector<uint64_t> Places;
  uint64_t Size = 0, Alignment = 1;
  for (const Block *B : Blocks) {
    Places.push_back(llvm::alignTo(Size, B->getAlignment()));
    Size = Places.back() + B->getSize();
    Alignment = std::max(Alignment, B->getAlignment());
  }
  Section &Joined = G.createSection(JoinedSection, Writable);
  // One byte more: an address behind the last is of this block, too.
  Block &All = G.createMutableContentBlock(Joined, Size + 1,
                                           orc::ExecutorAddr(), Alignment, 0);
  for (size_t I = 0; I < Blocks.size(); ++I) {
    Block &B = *Blocks[I];
    if (!B.isZeroFill())
      llvm::copy(B.getContent(),
                 All.getAlreadyMutableContent().begin() + Places[I]);
    for (const Edge &E : B.edges())
      All.addEdge(E.getKind(), Edge::OffsetT(Places[I] + E.getOffset()),
                  E.getTarget(), E.getAddend());
    std::vector<Symbol *> Own;
    for (Symbol *S : B.getSection().symbols())
      if (&S->getBlock() == &B)
        Own.push_back(S);
    for (Symbol *S : Own)
      G.transferDefinedSymbol(*S, All, Places[I] + S->getOffset(),
                              std::nullopt);
    G.removeBlock(B);
  }
  return All;
}

void defineVariable(LinkGraph &G, Block &All, Symbol &First) {
  Section &S = G.createSection(VariableSection, Writable);
  Block &B = G.createMutableContentBlock(
      S, sizeof(EmulatedVariable), orc::ExecutorAddr(), alignof(void *), 0);
  const EmulatedVariable Made = {All.getSize(), All.getAlignment(), nullptr,
                                 nullptr};
  std::memcpy(B.getAlreadyMutableContent().data(), &Made, sizeof Made);
  B.addEdge(jitlink::x86_64::Pointer64, offsetof(EmulatedVariable, Initial),
            First, 0);
  G.addAnonymousSymbol(B, 0, sizeof Made, false, true);
}

/// Returns a relocation that JITLink knows, in place of another.
File::Elf_Rela known(File::Elf_Rela R) {
  switch (R.getType(false)) {
  case elf::R_X86_64_TLSLD:
    R.setType(elf::R_X86_64_TLSGD, false);
    R.r_addend = R.r_addend + Whole;
    break;
  case elf::R_X86_64_DTPOFF32:
    R.setType(elf::R_X86_64_32S, false);
    break;
  case elf::R_X86_64_DTPOFF64: // For a debugger.
    R.setType(elf::R_X86_64_NONE, false);
    break;
  default:
    break;
  }
  return R;
}

/// Writes the offsets in \p All that \p B has. They need nothing that is not
/// known yet.
void writeOffsets(LinkGraph &G, Block &B, const Block &All, Symbol &First) {
  using namespace jitlink::x86_64;
  for (auto At = B.edges().begin(); At != B.edges().end();) {
    Edge &E = *At;
    if (E.getKind() == RequestTLSDescInGOTAndTransformToDelta32 &&
        E.getAddend() >= Whole / 2) {
      E.setTarget(First);
      E.setAddend(E.getAddend() - Whole);
    }
    if (E.getKind() != Pointer32Signed || !E.getTarget().isDefined() ||
        &E.getTarget().getBlock() != &All) {
      ++At;
      continue;
    }
    llvm::support::endian::write32le(
        B.getMutableContent(G).data() + E.getOffset(),
        uint32_t(int64_t(E.getTarget().getOffset()) + E.getAddend()));
    At = B.removeEdge(At);
  }
}

} // namespace

std::optional<std::string> clinch::asJITLinkKnows(std::string_view Object) {
  std::optional<std::string> Copy;
  auto Put = [&](const auto &Old, const auto &New) {
    if (!Copy)
      Copy = std::string(Object);
    const auto Place = reinterpret_cast<const char *>(&Old) - Object.data();
    std::memcpy(Copy->data() + Place, &New, sizeof New);
  };
  const File Read =
      llvm::cantFail(File::create({Object.data(), Object.size()}));
  for (const File::Elf_Shdr &S : llvm::cantFail(Read.sections())) {
    if (S.sh_type == elf::SHT_RELA)
      for (const File::Elf_Rela &R : llvm::cantFail(Read.relas(S)))
        if (const File::Elf_Rela New = known(R);
            New.getType(false) != R.getType(false))
          Put(R, New);
    if (S.sh_type == elf::SHT_SYMTAB)
      for (const File::Elf_Sym &Symbol : llvm::cantFail(Read.symbols(&S)))
        if (Symbol.getVisibility() == elf::STV_INTERNAL) {
          File::Elf_Sym New = Symbol; // What GCC has of wrappers.
          New.setVisibility(elf::STV_HIDDEN);
          Put(Symbol, New);
        }
  }
  return Copy;
}

void clinch::joinThreadLocals(LinkGraph &G) {
  std::vector<Block *> Blocks;
  for (Section &S : G.sections())
    if (isOfThreadLocals(S))
      Blocks.insert(Blocks.end(), S.blocks().begin(), S.blocks().end());
  if (Blocks.empty())
    return;
  Block &All = join(G, Blocks);
  Symbol &First = G.addAnonymousSymbol(All, 0, 0, false, true);
  for (Block *B : G.blocks())
    writeOffsets(G, *B, All, First);
  defineVariable(G, All, First);
}

bool clinch::isThreadLocal(const Symbol &S) {
  return S.isDefined() && S.getSection().getName() == JoinedSection;
}

void clinch::makePlacesWritable(LinkGraph &G) {
  if (Section *Places = G.findSectionByName(PlacesSection))
    Places->setMemProt(Writable);
}

void clinch::recordThreadLocals(LinkGraph &G, ThreadLocals &Into) {
  if (Section *S = G.findSectionByName(VariableSection))
    for (const Block *B : S->blocks())
      Into.Variables.push_back(B->getAddress().toPtr<EmulatedVariable *>());
  if (Section *S = G.findSectionByName(PlacesSection))
    for (const Block *B : S->blocks())
      Into.Places.push_back(B->getAddress().toPtr<ThreadLocalPlace *>());
}

Status ThreadLocals::connect() const {
  for (ThreadLocalPlace *P : Places) {
    const auto Of = std::find_if(
        Variables.begin(), Variables.end(), [P](const EmulatedVariable *V) {
          return P->Initial >= V->Initial && P->Initial < V->Initial + V->Size;
        });
    if (Of == Variables.end())
      return Error(Error::Kind::Link,
                   "The object file cannot be loaded: it asks for the place of "
                   "a variable that is not thread-local.");
    P->Of = *Of;
  }
  return {};
}

void *clinch::findThreadLocalAccess(std::string_view Name) {
  return Name == "__tls_get_addr" ? reinterpret_cast<void *>(&addressOf)
                                  : nullptr;
}
