// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks an object and lists its symbols.

#include "ObjectReader.h"

#include "clinch/Compiler/Options.h"
#include "lib/Support/AlignmentLimits.h"
#include "lib/Support/FunctionsSection.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/ELF.h"

#include <algorithm>

using namespace clinch;
namespace elf = llvm::ELF;
using llvm::StringRef;
using llvm::object::ELF64LE;
using File = llvm::object::ELFFile<ELF64LE>;

namespace {

Error damaged(const std::string &What) {
  return Error(Error::Kind::Link, "The object file cannot be loaded: " + What);
}

/// Returns how many bytes a relocation of \p Type changes; 0 if none. JITLink
/// refuses types that it does not know.
unsigned widthOf(unsigned Type) {
  switch (Type) {
  case elf::R_X86_64_8:
  case elf::R_X86_64_PC8:
    return 1;
  case elf::R_X86_64_16:
  case elf::R_X86_64_PC16:
    return 2;
  case elf::R_X86_64_64:
  case elf::R_X86_64_PC64:
  case elf::R_X86_64_GOTPC64:
  case elf::R_X86_64_GOT64:
  case elf::R_X86_64_GOTOFF64:
  case elf::R_X86_64_GOTPCREL64:
  case elf::R_X86_64_SIZE64:
    return 8;
  case elf::R_X86_64_NONE:
    return 0;
  default:
    return 4;
  }
}

/// Returns how many bytes before the relocation JITLink reads, for relaxation.
unsigned readBefore(unsigned Type) {
  switch (Type) {
  case elf::R_X86_64_GOTPCRELX:
    return 2;
  case elf::R_X86_64_REX_GOTPCRELX:
    return 3;
  default:
    return 0;
  }
}

/// Reads what jit/Engine/Frontend/Signatures.cpp wrote.
void readFunctions(llvm::ArrayRef<uint8_t> Bytes, ObjectSummary &Out) {
  StringRef All(reinterpret_cast<const char *>(Bytes.data()), Bytes.size());
  // The functions' lines may be none.
  size_t End = All.starts_with("\n") ? 0 : All.find("\n\n");
  Out.Types = All.substr(End).ltrim('\n').str();
  llvm::SmallVector<StringRef, 8> Lines, Fields;
  All.substr(0, End).split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines) {
    Fields.clear();
    Line.split(Fields, '\t');
    if (Fields.size() < 6 || Fields.size() % 2)
      continue;
    auto TypeAt = [&](size_t I) {
      return clinch::Module::CType{Fields[I].str(), Fields[I + 1].str()};
    };
    clinch::Module::Function F;
    F.Symbol = Fields[0].str();
    F.Name = Fields[1].str();
    F.Type = Fields[2].str();
    F.IsVariadic = !Fields[3].empty();
    F.Result = TypeAt(4);
    for (size_t I = 6; I < Fields.size(); I += 2)
      F.Parameters.push_back(TypeAt(I));
    Out.Functions.push_back(std::move(F));
  }
}

/// Returns whether a linker keeps one of several definitions.
bool isMerged(const File::Elf_Sym &S) {
  return S.getBinding() == elf::STB_WEAK ||
         S.getBinding() == elf::STB_GNU_UNIQUE;
}

/// Reads one object, section by section.
class Reader {
public:
  explicit Reader(const File &Object) : Object(Object) {}
  Expected<ObjectSummary> run();

private:
  Status readSections();
  Status readSection(const File::Elf_Shdr &S);
  Status readSymbols();
  Status readSymbol(const File::Elf_Sym &S, StringRef Name);
  Status checkDefinition(const File::Elf_Sym &S, StringRef Name) const;
  Status checkRelocations(const File::Elf_Shdr &S) const;
  Status checkThreadLocal(const File::Elf_Rela &R) const;
  bool isOfThreadLocals(unsigned Index) const;
  bool isOwn(StringRef Name) const;
  bool isVariable(const File::Elf_Sym &S) const;

  const File &Object;
  File::Elf_Shdr_Range Sections;
  std::vector<StringRef> Names; ///< Of the sections.
  File::Elf_Sym_Range Symbols;
  const File::Elf_Shdr *SymbolTable = nullptr;
  ObjectSummary Summary;
};

/// Returns the value, or nullopt. LLVM's error is dropped for our own message.
template <typename T> std::optional<T> valueOf(llvm::Expected<T> E) {
  if (E)
    return std::move(*E);
  llvm::consumeError(E.takeError());
  return std::nullopt;
}

Expected<ObjectSummary> Reader::run() {
  auto Found = valueOf(Object.sections());
  if (!Found)
    return damaged("its section table is incomplete.");
  Sections = *Found;
  CLINCH_TRY(readSections());
  CLINCH_TRY(readSymbols());
  for (const File::Elf_Shdr &S : Sections)
    if (S.sh_type == elf::SHT_RELA)
      CLINCH_TRY(checkRelocations(S));
  std::sort(Summary.Variables.begin(), Summary.Variables.end());
  return std::move(Summary);
}

Status Reader::readSections() {
  auto Table = valueOf(Object.getSectionStringTable(Sections));
  if (!Table || Table->empty())
    return damaged("its section names are missing.");
  for (const File::Elf_Shdr &S : Sections) {
    auto Name = valueOf(Object.getSectionName(S, *Table));
    if (!Name)
      return damaged("the name of a section is outside of the file.");
    Names.push_back(*Name);
    CLINCH_TRY(readSection(S));
  }
  return {};
}

Status Reader::readSection(const File::Elf_Shdr &S) {
  std::string Name = "`" + Names.back().str() + "`";
  constexpr uint64_t LargestAlignment = PageAlignment;
  constexpr uint64_t Reach = uint64_t(1) << 31;
  const bool IsEmpty = S.sh_type == elf::SHT_NOBITS;
  if (S.sh_type != elf::SHT_NULL && !IsEmpty &&
      !valueOf(Object.getSectionContents(S)))
    return damaged("the section " + Name + " is outside of the file.");
  if (S.sh_size >= Reach)
    return Error(Error::Kind::Limit,
                 "The code is too large: expected less than 2147483648 bytes "
                 "of code and data, found " +
                     std::to_string(S.sh_size) + ".");
  constexpr uint64_t MostOfThread = uint64_t(1) << 26;
  if (S.sh_size > MostOfThread && isOfThreadLocals(Names.size() - 1))
    return Error(Error::Kind::Limit,
                 "The thread-local variables are too large: expected at most " +
                     std::to_string(MostOfThread) + " bytes, found " +
                     std::to_string(S.sh_size) + ".");
  if (S.sh_addralign & (S.sh_addralign - 1) ||
      S.sh_addralign > LargestAlignment)
    return damaged("expected sections at multiples of 1 to 4096, found " +
                   Name + " at multiples of " + std::to_string(S.sh_addralign) +
                   ".");
  if (isOfThreadLocals(Names.size() - 1))
    Summary.ThreadLocalBytes += S.sh_size + S.sh_addralign;
  if (S.sh_addr)
    return damaged("expected sections without an address, found one of " +
                   Name + ".");
  if (S.sh_flags & elf::SHF_WRITE && S.sh_flags & elf::SHF_EXECINSTR)
    return damaged("the section " + Name + " is written and run.");
  if (Names.back() == FunctionsSection && !IsEmpty)
    readFunctions(*valueOf(Object.getSectionContents(S)), Summary);
  Summary.HasInitializers |= Names.back().starts_with(".init_array");
  if (Names.back().starts_with(".ctors") || Names.back().starts_with(".dtors"))
    return Error(Error::Kind::Link,
                 "Functions of the section " + Name +
                     " would not be run: expected them in `.init_array` and "
                     "`.fini_array` (-fuse-init-array).");
  if (S.sh_type == elf::SHT_SYMTAB_SHNDX)
    return damaged("it has more than 65279 sections.");
  if (S.sh_type == elf::SHT_SYMTAB) {
    if (SymbolTable)
      return damaged("it has two tables of symbols.");
    SymbolTable = &S;
  }
  return {};
}

Status Reader::readSymbols() {
  if (!SymbolTable)
    return {};
  auto Found = valueOf(Object.symbols(SymbolTable));
  auto Strings =
      valueOf(Object.getStringTableForSymtab(*SymbolTable, Sections));
  if (!Found || !Strings)
    return damaged("its table of symbols is incomplete.");
  Symbols = *Found;
  for (const File::Elf_Sym &S : Symbols) {
    auto Name = valueOf(S.getName(*Strings));
    if (!Name)
      return damaged("the name of a symbol is outside of the file.");
    if (&S != Symbols.begin())
      CLINCH_TRY(readSymbol(S, *Name));
  }
  return {};
}

Status Reader::readSymbol(const File::Elf_Sym &S, StringRef Name) {
  if (S.getType() == elf::STT_FILE && Summary.File.empty())
    Summary.File = {Name.data(), Name.size()};
  Summary.HasThreadLocals |= S.getType() == elf::STT_TLS;
  if (S.getType() == elf::STT_GNU_IFUNC)
    return Error(Error::Kind::Link,
                 "An ifunc, which chooses its address when it is loaded, "
                 "cannot be linked: `" +
                     Name.str() +
                     "` is one (target_clones makes them); expected a plain "
                     "function.");
  if (S.getType() > elf::STT_TLS || S.getBinding() == 3)
    return damaged("the kind of the symbol `" + Name.str() + "` is unknown.");
  if (S.st_shndx != elf::SHN_UNDEF) {
    // A hidden one is once in what is linked, as in a shared library.
    if (StringRef Own = Name;
        isMerged(S) && S.getVisibility() == elf::STV_DEFAULT &&
        (S.getType() == elf::STT_TLS || Own.consume_front("__emutls_v.")) &&
        !Own.starts_with("_ZGV"))
      Summary.SharedThreadLocals.push_back(llvm::demangle(Own));
    if (isVariable(S))
      Summary.Variables.push_back(Name.str());
    if (S.getBinding() != elf::STB_LOCAL)
      Summary.Definitions.emplace_back(Name.data(), Name.size());
    return checkDefinition(S, Name);
  }
  if (!Name.empty() && !isOwn(Name))
    Summary.Imports.push_back({{Name.data(), Name.size()},
                               S.getBinding() == elf::STB_WEAK,
                               S.getType() == elf::STT_TLS});
  return {};
}

Status Reader::checkDefinition(const File::Elf_Sym &S, StringRef Name) const {
  if (S.st_shndx == elf::SHN_ABS)
    return {};
  if (S.st_shndx == elf::SHN_COMMON) {
    if (!llvm::isPowerOf2_64(S.st_value) || S.st_value > PageAlignment)
      return damaged("the place of the symbol `" + Name.str() +
                     "` is no power of two.");
    return {};
  }
  if (S.st_shndx >= Sections.size())
    return damaged("the symbol `" + Name.str() + "` is in no section.");
  uint64_t Size = Sections[S.st_shndx].sh_size;
  if (S.st_value > Size || S.st_size > Size - S.st_value)
    return damaged("the symbol `" + Name.str() + "` ends behind its section.");
  if (S.getType() == elf::STT_TLS && !isOfThreadLocals(S.st_shndx))
    return damaged("the thread-local `" + Name.str() +
                   "` is in a section of others.");
  return {};
}

bool Reader::isOfThreadLocals(unsigned Index) const {
  return Names[Index].starts_with(".tdata") ||
         Names[Index].starts_with(".tbss");
}

/// Code that may be in any library asks where a variable is. Other code counts
/// on those that the process began with.
Status Reader::checkThreadLocal(const File::Elf_Rela &R) const {
  const unsigned Type = R.getType(false);
  const File::Elf_Sym &S = Symbols[R.getSymbol(false)];
  const bool IsOwn = S.st_shndx && S.st_shndx < Sections.size() &&
                     isOfThreadLocals(S.st_shndx);
  switch (Type) {
  case elf::R_X86_64_TLSGD:
  case elf::R_X86_64_TLSLD:
  case elf::R_X86_64_DTPOFF32:
    if (IsOwn || S.getType() == elf::STT_TLS)
      return {};
    return damaged("it asks for the place of what is not thread-local.");
  case elf::R_X86_64_TPOFF32:
  case elf::R_X86_64_TPOFF64:
  case elf::R_X86_64_GOTTPOFF:
  case elf::R_X86_64_DTPOFF64:
  case elf::R_X86_64_GOTPC32_TLSDESC:
  case elf::R_X86_64_TLSDESC_CALL:
    break;
  default:
    return {};
  }
  auto Strings =
      valueOf(Object.getStringTableForSymtab(*SymbolTable, Sections));
  auto Name = Strings ? valueOf(S.getName(*Strings)) : std::nullopt;
  return Error(Error::Kind::Link,
               "The thread-local variable `" +
                   (Name ? llvm::demangle(*Name) : "") + "` of `" +
                   std::string(Summary.File) +
                   "` cannot be loaded: its code counts on a place in a "
                   "program that is linked as a whole; expected that of a "
                   "shared library (-fPIC), or -femulated-tls.");
}

/// Returns whether the link itself defines \p Name: the object's
/// `__dso_handle`, its GOT, or the bounds of one of its sections.
bool Reader::isOwn(StringRef Name) const {
  if (Name == "__dso_handle" || Name == "_GLOBAL_OFFSET_TABLE_")
    return true;
  return (Name.consume_front("__start_") || Name.consume_front("__stop_")) &&
         llvm::is_contained(Names, Name);
}

bool Reader::isVariable(const File::Elf_Sym &S) const {
  if (S.getType() != elf::STT_OBJECT || !S.st_size ||
      S.st_shndx >= Sections.size())
    return false;
  // Only the linker writes to data that is just relocated.
  StringRef Section = Names[S.st_shndx];
  return Sections[S.st_shndx].sh_flags & elf::SHF_WRITE &&
         !Section.starts_with(".data.rel.ro") &&
         !Section.starts_with(".data.DW.ref.");
}

Status Reader::checkRelocations(const File::Elf_Shdr &S) const {
  auto Found = valueOf(Object.relas(S));
  if (!Found || S.sh_info >= Sections.size())
    return damaged("its relocations are incomplete.");
  const File::Elf_Shdr &Target = Sections[S.sh_info];
  for (const File::Elf_Rela &R : *Found) {
    const unsigned Type = R.getType(false);
    if (R.getSymbol(false) >= Symbols.size())
      return damaged("a relocation is to no symbol.");
    if (Target.sh_type == elf::SHT_NOBITS || R.r_offset > Target.sh_size ||
        widthOf(Type) > Target.sh_size - R.r_offset ||
        R.r_offset < readBefore(Type))
      return damaged("a relocation is outside of its section.");
    if (Target.sh_flags & elf::SHF_ALLOC)
      CLINCH_TRY(checkThreadLocal(R));
    const unsigned To = Symbols[R.getSymbol(false)].st_shndx;
    if (Target.sh_flags & elf::SHF_ALLOC && To && To < Sections.size() &&
        !(Sections[To].sh_flags & elf::SHF_ALLOC))
      return damaged("code uses the section `" + Names[To].str() +
                     "`, which is not one that is loaded.");
  }
  return {};
}

} // namespace

Expected<ObjectSummary> clinch::readObject(std::string_view Bytes) {
  constexpr size_t HeaderBytes = sizeof(File::Elf_Ehdr);
  if (Bytes.size() < HeaderBytes)
    return damaged("expected an ELF header of " + std::to_string(HeaderBytes) +
                   " bytes, found " + std::to_string(Bytes.size()) + ".");
  auto Object = valueOf(File::create({Bytes.data(), Bytes.size()}));
  const auto *Header = reinterpret_cast<const File::Elf_Ehdr *>(Bytes.data());
  if (!Object || !Header->checkMagic() ||
      Header->getFileClass() != elf::ELFCLASS64 ||
      Header->getDataEncoding() != elf::ELFDATA2LSB ||
      Header->e_machine != elf::EM_X86_64 || Header->e_type != elf::ET_REL)
    return damaged("expected a relocatable ELF file for x86-64.");
  return Reader(*Object).run();
}
