//===- ObjectLoader.cpp - From object to code ----------------------------===//
//
// Part of Clinch, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ObjectLoader.h"
#include "DebugRegistration.h"
#include "FrameRegistration.h"
#include "ImageLayout.h"
#include "Initializers.h"
#include "Relocator.h"
#include "SymbolResolver.h"

#include <algorithm>
#include <cstring>

using namespace clinch;

namespace clinch {
/// One load: the steps in the order in which run() takes them.
class ObjectLoader {
public:
  ObjectLoader(const LoadRequest &R, const ElfObject &Object)
      : R(R), Object(Object), Layout(Object, R.CanThrow),
        Addresses(Object.symbols().size()),
        Loaded(std::make_shared<LoadedCode>()) {}

  Expected<std::shared_ptr<LoadedCode>> run();

private:
  Status refuseThreadLocals() const;
  Status resolveExternals();
  const void *middleExternal() const;
  Status allocate();
  void copySections();
  void addressSymbols();
  Status link();
  void collectSymbols();
  void collectVariables();
  void registerFrames();
  void registerDebug();
  Status initialize();

  char *base(ImageLayout::Place P) const {
    bool IsCode = P.In == ImageLayout::Range::Code;
    return (IsCode ? Memory.code() : Memory.data()) + P.Offset;
  }

  const LoadRequest &R;
  const ElfObject &Object;
  ImageLayout Layout;
  MemoryBlock Memory;
  std::vector<uint64_t> Addresses;
  std::shared_ptr<LoadedCode> Loaded;
};
} // namespace clinch

static uint64_t addressOf(const void *P) {
  return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(P));
}

Expected<std::shared_ptr<LoadedCode>> ObjectLoader::run() {
  for (auto Step : {&ObjectLoader::resolveExternals, &ObjectLoader::allocate,
                    &ObjectLoader::link, &ObjectLoader::initialize}) {
    Status S = (this->*Step)();
    if (!S.ok())
      return S.takeError();
  }
  return Loaded;
}

Status ObjectLoader::refuseThreadLocals() const {
  for (size_t I = 0; I < Object.symbols().size(); ++I)
    if (ELF64_ST_TYPE(Object.symbols()[I].st_info) == STT_TLS)
      return Error(ErrorKind::Link,
                   "A thread-local variable cannot be loaded: `" +
                       std::string(Object.symbolName(I)) +
                       "` is one; expected one for the whole process.");
  return {};
}

Status ObjectLoader::resolveExternals() {
  if (Status S = refuseThreadLocals(); !S.ok())
    return S;
  auto Libraries = openLibraries(R.Libraries, R.LibraryDirs);
  if (!Libraries)
    return Libraries.takeError();
  Loaded->Libraries = std::move(*Libraries);
  SymbolResolver Resolver(R.Symbols, Loaded->Libraries);
  std::vector<std::string> Missing;
  for (size_t I = 1; I < Object.symbols().size(); ++I) {
    const Elf64_Sym &S = Object.symbols()[I];
    std::string_view Name = Object.symbolName(I);
    // These two are the object's own, and known once it has a place.
    if (S.st_shndx != SHN_UNDEF || Name.empty() || Name == "__dso_handle" ||
        Name == "_GLOBAL_OFFSET_TABLE_")
      continue;
    void *Address = Resolver.find(Name);
    Addresses[I] = addressOf(Address);
    if (!Address && ELF64_ST_BIND(S.st_info) != STB_WEAK)
      Missing.emplace_back(Name);
  }
  if (!Missing.empty())
    return missingSymbols(std::move(Missing));
  return {};
}

/// The middle one of what is called: most of the others are near it.
const void *ObjectLoader::middleExternal() const {
  std::vector<uint64_t> Outside;
  for (size_t I = 1; I < Addresses.size(); ++I)
    if (Object.symbols()[I].st_shndx == SHN_UNDEF && Addresses[I])
      Outside.push_back(Addresses[I]);
  if (Outside.empty())
    return nullptr;
  auto Middle = Outside.begin() + std::ptrdiff_t(Outside.size() / 2);
  std::nth_element(Outside.begin(), Middle, Outside.end());
  return reinterpret_cast<const void *>(*Middle);
}

Status ObjectLoader::allocate() {
  Loaded->Allocator =
      R.Debug ? &CodeMemory::debuggable() : &CodeMemory::process();
  MemoryRequest Request = Layout.request();
  Request.Near = middleExternal();
  auto Block = Loaded->Allocator->allocate(Request);
  if (!Block)
    return Block.takeError();
  Memory = *Block;
  Loaded->Memory = Memory; // From here on it is released with Loaded.
  return {};
}

void ObjectLoader::copySections() {
  // What was there before may be another object's.
  std::memset(Memory.writable(), 0, Layout.request().CodeBytes);
  if (Memory.Data.Size)
    std::memset(Memory.data(), 0, Layout.request().DataBytes);
  for (size_t I = 0; I < Object.sections().size(); ++I) {
    ImageLayout::Place P = Layout.section(I);
    std::string_view Bytes = Object.contents(I);
    if (P.In == ImageLayout::Range::None || Bytes.empty())
      continue;
    bool IsCode = P.In == ImageLayout::Range::Code;
    std::memcpy((IsCode ? Memory.writable() : Memory.data()) + P.Offset,
                Bytes.data(), Bytes.size());
  }
}

void ObjectLoader::addressSymbols() {
  for (size_t I = 1; I < Addresses.size(); ++I) {
    const Elf64_Sym &S = Object.symbols()[I];
    if (isIndirect(S))
      Addresses[I] = addressOf(Memory.code()) + Layout.stub(I);
    else if (S.st_shndx == SHN_ABS)
      Addresses[I] = S.st_value;
    else if (S.st_shndx == SHN_COMMON)
      Addresses[I] = addressOf(Memory.data()) + Layout.common(I);
    else if (S.st_shndx != SHN_UNDEF && S.st_shndx < SHN_LORESERVE) {
      ImageLayout::Place P = Layout.section(S.st_shndx);
      if (P.In != ImageLayout::Range::None)
        Addresses[I] = addressOf(base(P)) + S.st_value;
    } else if (Object.symbolName(I) == "__dso_handle") {
      Loaded->DSOHandle = Memory.code();
      Addresses[I] = addressOf(Memory.code());
    } else if (Object.symbolName(I) == "_GLOBAL_OFFSET_TABLE_")
      Addresses[I] = addressOf(Memory.code()) + Layout.gotOffset();
  }
}

/// Asks each IFUNC for its address.
static void resolveIndirect(const ElfObject &Object, const ImageLayout &Layout,
                            const MemoryBlock &Memory,
                            const Relocator &Relocations) {
  using Chooser = uintptr_t (*)();
  for (size_t I = 0; I < Object.symbols().size(); ++I) {
    const Elf64_Sym &S = Object.symbols()[I];
    if (!isIndirect(S))
      continue;
    char *Code = Memory.code() + Layout.section(S.st_shndx).Offset + S.st_value;
    uintptr_t Chosen = reinterpret_cast<Chooser>(Code)();
    std::memcpy(Relocations.slotWritable(I), &Chosen, sizeof Chosen);
  }
}

Status ObjectLoader::link() {
  copySections();
  addressSymbols();
  Relocator Relocations(Object, Layout, Memory, Addresses);
  if (Status S = Relocations.run(); !S.ok())
    return S;
  if (!Loaded->Allocator->seal(Memory))
    return Error(ErrorKind::Limit, "No memory for code: expected pages that "
                                   "may be run, the system refused.");
  resolveIndirect(Object, Layout, Memory, Relocations);
  collectSymbols();
  collectVariables();
  registerFrames();
  if (R.Debug)
    registerDebug();
  return {};
}

void ObjectLoader::collectVariables() {
  for (size_t I = 1; I < Addresses.size(); ++I) {
    const Elf64_Sym &S = Object.symbols()[I];
    if (ELF64_ST_TYPE(S.st_info) != STT_OBJECT || !S.st_size ||
        S.st_shndx == SHN_UNDEF || S.st_shndx >= Object.sections().size())
      continue;
    // What is only relocated is written by the loader alone.
    std::string_view Section = Object.sectionName(S.st_shndx);
    if (Object.sections()[S.st_shndx].sh_flags & SHF_WRITE &&
        !Section.starts_with(".data.rel.ro") &&
        !Section.starts_with(".data.DW.ref."))
      Loaded->Variables.emplace_back(Object.symbolName(I));
  }
  std::sort(Loaded->Variables.begin(), Loaded->Variables.end());
}

void ObjectLoader::collectSymbols() {
  std::vector<LoadedCode::Symbol> &Symbols = Loaded->Symbols;
  for (size_t I = 1; I < Addresses.size(); ++I) {
    const Elf64_Sym &S = Object.symbols()[I];
    if (S.st_shndx == SHN_UNDEF || ELF64_ST_BIND(S.st_info) == STB_LOCAL)
      continue;
    Symbols.push_back({std::string(Object.symbolName(I)),
                       reinterpret_cast<char *>(Addresses[I])});
  }
  Symbols.shrink_to_fit();
  std::sort(Symbols.begin(), Symbols.end(),
            [](const auto &A, const auto &B) { return A.Name < B.Name; });
}

void ObjectLoader::registerFrames() {
  if (size_t Section = Layout.frames())
    Loaded->Frames =
        std::make_unique<FrameRegistration>(base(Layout.section(Section)));
}

void ObjectLoader::registerDebug() {
  std::string Copy(R.Object);
  Elf64_Ehdr Header;
  std::memcpy(&Header, Copy.data(), sizeof Header);
  for (size_t I = 0; I < Object.sections().size(); ++I) {
    Elf64_Shdr S = Object.sections()[I];
    if (Layout.section(I).In == ImageLayout::Range::None)
      continue;
    S.sh_addr = addressOf(base(Layout.section(I)));
    std::memcpy(Copy.data() + Header.e_shoff + I * sizeof S, &S, sizeof S);
  }
  Loaded->Debug = std::make_unique<DebugRegistration>(std::move(Copy));
  for (size_t I = 1; I < Addresses.size(); ++I) {
    const Elf64_Sym &S = Object.symbols()[I];
    if (ELF64_ST_TYPE(S.st_info) == STT_FUNC && S.st_shndx != SHN_UNDEF)
      tellPerf(reinterpret_cast<void *>(Addresses[I]), S.st_size,
               std::string(Object.symbolName(I)));
  }
}

Status ObjectLoader::initialize() {
  auto FunctionsOf = [&](unsigned Type) {
    std::vector<void (*)()> Functions;
    for (size_t I : arraysInOrder(Object, Type)) {
      const char *Begin = base(Layout.section(I));
      size_t Count = Object.sections()[I].sh_size / sizeof(void *);
      size_t Old = Functions.size();
      Functions.resize(Old + Count);
      if (Count)
        std::memcpy(static_cast<void *>(Functions.data() + Old), Begin,
                    Count * sizeof(void *));
    }
    return Functions;
  };
  for (void (*Function)() : FunctionsOf(SHT_INIT_ARRAY))
    if (Status S = runInitializer(Function); !S.ok())
      return S;
  Loaded->Finalizers = FunctionsOf(SHT_FINI_ARRAY);
  return {};
}

Expected<std::shared_ptr<LoadedCode>> clinch::loadObject(const LoadRequest &R) {
  auto Object = ElfObject::parse(R.Object);
  if (!Object)
    return Object.takeError();
  return ObjectLoader(R, *Object).run();
}
