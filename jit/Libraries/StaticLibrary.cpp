// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An archive of object files.

#include "StaticLibrary.h"

#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/Archive.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstddef>
#include <elf.h>

using namespace clinch;
using llvm::object::Archive;
using llvm::support::endian::read16le;

static std::string_view viewOf(llvm::StringRef S) {
  return {S.data(), S.size()};
}

static bool isForOtherProcessor(llvm::StringRef Object) {
  return llvm::identify_magic(Object) == llvm::file_magic::elf_relocatable &&
         Object.size() >= sizeof(Elf64_Ehdr) &&
         read16le(Object.data() + offsetof(Elf64_Ehdr, e_machine)) != EM_X86_64;
}

static llvm::Error
index(const Archive &A,
      std::unordered_map<std::string_view, std::string_view> &Objects) {
  if (A.isThin())
    return llvm::createStringError("it has names of files in it, no files");
  if (!A.hasSymbolTable())
    return llvm::createStringError("it has no index (see ranlib)");
  for (const Archive::Symbol &S : A.symbols()) {
    CLINCH_TRY_ASSIGN(auto Member, S.getMember());
    CLINCH_TRY_ASSIGN(auto Object, Member.getBuffer());
    // LLVM does not check the size in an object's header.
    if (Object.end() > A.getData().end())
      return llvm::createStringError("it is cut off in an object");
    if (isForOtherProcessor(Object))
      return llvm::createStringError("it has objects for another processor");
    Objects.try_emplace(viewOf(S.getName()), viewOf(Object));
  }
  return llvm::Error::success();
}

Expected<std::shared_ptr<const StaticLibrary>>
StaticLibrary::open(const std::string &Path) {
  auto Library = std::make_shared<StaticLibrary>();
  auto Read = [&]() -> llvm::Error {
    auto File = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
    if (!File)
      return llvm::errorCodeToError(File.getError());
    Library->Bytes = (*File)->getBuffer().str();
    auto A = Archive::create({Library->Bytes, Path});
    return A ? index(**A, Library->Objects) : A.takeError();
  };
  if (llvm::Error E = Read())
    return Error(Error::Kind::Link, "`" + Path +
                                        "` is no archive of object files: " +
                                        llvm::toString(std::move(E)));
  return std::shared_ptr<const StaticLibrary>(std::move(Library));
}

std::string_view StaticLibrary::objectDefining(std::string_view Name) const {
  auto Found = Objects.find(Name);
  return Found == Objects.end() ? std::string_view() : Found->second;
}
