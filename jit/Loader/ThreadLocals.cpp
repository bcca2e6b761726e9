// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native thread-local variables.

#include "ThreadLocals.h"

#include "lib/Support/AlignmentLimits.h"

#include "llvm/ExecutionEngine/JITLink/x86_64.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdlib>
#include <new>

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

namespace {

constexpr llvm::StringRef JoinedSection = "clinch.threadlocals",
                          PlacesSection = "$__TLSINFO"; // JITLink's.

constexpr auto Writable = static_cast<orc::MemProt>(int(orc::MemProt::Read) |
                                                    int(orc::MemProt::Write));

/// Marks, in the addend, a place of the object's variables as a whole.
constexpr int64_t Whole = int64_t(1) << 40;

void *addressOf(const ThreadLocalPlace *Place) {
  return static_cast<char *>(emulatedAddress(Place->Of)) +
         (Place->Initial - Place->Of->Initial);
}

bool isOfThreadLocals(const Section &S) {
  return S.getName().starts_with(".tdata") || S.getName().starts_with(".tbss");
}

/// Lays out all blocks as one, and moves their contents and edges there. Their
/// symbols are in the place that it is copied to, which is returned.
char *join(LinkGraph &G, const std::vector<Block *> &Blocks,
           ThreadLocals &All) {
  std::vector<uint64_t> Places;
  size_t Size = 0, Alignment = 1;
  for (const Block *B : Blocks) {
    Places.push_back(llvm::alignTo(Size, B->getAlignment()));
    Size = Places.back() + B->getSize();
    Alignment = std::max<size_t>(Alignment, B->getAlignment());
  }
  char *Base = All.reserve(Size, Alignment);
  Section &Joined = G.createSection(JoinedSection, Writable);
  Block &Made = G.createMutableContentBlock(Joined, Size, orc::ExecutorAddr(),
                                            Alignment, 0);
  for (size_t I = 0; I < Blocks.size(); ++I) {
    Block &B = *Blocks[I];
    if (!B.isZeroFill())
      llvm::copy(B.getContent(),
                 Made.getAlreadyMutableContent().begin() + Places[I]);
    for (const Edge &E : B.edges())
      Made.addEdge(E.getKind(), Edge::OffsetT(Places[I] + E.getOffset()),
                   E.getTarget(), E.getAddend());
    std::vector<Symbol *> Own;
    for (Symbol *S : B.getSection().symbols())
      if (&S->getBlock() == &B)
        Own.push_back(S);
    for (Symbol *S : Own)
      G.makeAbsolute(
          *S, orc::ExecutorAddr::fromPtr(Base + Places[I] + S->getOffset()));
    G.removeBlock(B);
  }
  G.addAnonymousSymbol(Made, 0, 0, false, true);
  return Base;
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
    R.r_addend = R.r_addend + Whole;
    break;
  case elf::R_X86_64_DTPOFF64: // For a debugger.
    R.setType(elf::R_X86_64_NONE, false);
    break;
  default:
    break;
  }
  return R;
}

/// Says what marked places and offsets are from.
void fromBegin(Block &B, Symbol &Begin) {
  using namespace jitlink::x86_64;
  for (Edge &E : B.edges()) {
    if (E.getAddend() < Whole / 2)
      continue;
    if (E.getKind() == RequestTLSDescInGOTAndTransformToDelta32) {
      E.setTarget(Begin);
      E.setAddend(E.getAddend() - Whole);
    } else if (E.getKind() == Pointer32Signed) {
      E.setAddend(E.getAddend() - Whole -
                  int64_t(Begin.getAddress().getValue()));
    }
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

char *clinch::joinThreadLocals(LinkGraph &G, ThreadLocals &All) {
  std::vector<Block *> Blocks;
  for (Section &S : G.sections())
    if (isOfThreadLocals(S))
      Blocks.insert(Blocks.end(), S.blocks().begin(), S.blocks().end());
  Symbol &Begin = G.addAbsoluteSymbol(
      "clinch.threadlocals", orc::ExecutorAddr::fromPtr(All.begin()), 0,
      jitlink::Linkage::Strong, jitlink::Scope::Local, true);
  for (Block *B : G.blocks())
    fromBegin(*B, Begin);
  return Blocks.empty() ? nullptr : join(G, Blocks, All);
}

char *ThreadLocals::reserve(size_t Size, size_t AlignedTo) {
  const size_t Place = llvm::alignTo(Used, AlignedTo);
  if (Size > Capacity || Place > Capacity - Size) {
    IsTooLarge = true;
    return begin();
  }
  Used = Place + Size;
  Alignment = std::max(Alignment, AlignedTo);
  return begin() + Place;
}

/// The variable is in front of what it is of.
char *ThreadLocals::begin() {
  static_assert(sizeof(EmulatedVariable) <= PageAlignment);
  if (!Memory)
    Memory.reset(static_cast<char *>(std::aligned_alloc(
                     PageAlignment,
                     PageAlignment + llvm::alignTo(Capacity, PageAlignment))),
                 std::free);
  if (!Memory)
    throw std::bad_alloc();
  return Memory.get() + PageAlignment;
}

Status ThreadLocals::connect() {
  if (!Memory)
    return {};
  if (IsTooLarge)
    return Error(Error::Kind::Link,
                 "The object file cannot be loaded: it has more thread-local "
                 "variables than its sections.");
  All = new (Memory.get()) EmulatedVariable{Used + 1, Alignment, 0, begin()};
  for (const Image &I : Images)
    std::memcpy(I.Place, I.Linked, I.Size);
  for (ThreadLocalPlace *P : Places) {
    if (EmulatedVariable *V = asVariableOfLibrary(P->Initial)) {
      *P = {V, V->Initial};
      continue;
    }
    if (!has(P->Initial))
      return Error(Error::Kind::Link,
                   "The object file cannot be loaded: it asks for the place of "
                   "a variable that is not thread-local.");
    P->Of = All;
  }
  return {};
}

bool ThreadLocals::has(const char *Address) const {
  return Memory && Address >= Memory.get() + PageAlignment &&
         Address <= Memory.get() + PageAlignment + Used;
}

void clinch::makePlacesWritable(LinkGraph &G) {
  if (Section *Places = G.findSectionByName(PlacesSection))
    Places->setMemProt(Writable);
}

void clinch::recordThreadLocals(LinkGraph &G, char *Place, ThreadLocals &All) {
  if (Section *S = G.findSectionByName(JoinedSection))
    for (const Block *B : S->blocks())
      All.Images.push_back(
          {Place, B->getAddress().toPtr<const char *>(), B->getSize()});
  if (Section *S = G.findSectionByName(PlacesSection))
    for (const Block *B : S->blocks())
      All.Places.push_back(B->getAddress().toPtr<ThreadLocalPlace *>());
}
void *clinch::findThreadLocalAccess(std::string_view Name) {
  return Name == "__tls_get_addr" ? reinterpret_cast<void *>(&addressOf)
                                  : nullptr;
}
