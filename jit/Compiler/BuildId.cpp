// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Clinch was built of.

#include "BuildId.h"
#include "BuildFingerprint.h"
#include "jit/Engine/Engine.h"
#include "jit/Engine/Options/Processor.h"

#include "llvm/Object/BuildID.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <sys/stat.h>

using namespace clinch;
using llvm::expectedToOptional;
using llvm::object::ELF64LEFile;
using llvm::object::ObjectFile;

/// Maps the file; of a large one little is read.
static std::unique_ptr<llvm::MemoryBuffer> map(const std::string &Path) {
  auto Bytes = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false);
  return Bytes ? std::move(*Bytes) : nullptr;
}

/// Whether the file has the headers that llvm::object::getBuildID() takes for
/// granted.
static bool hasHeaders(const llvm::MemoryBuffer &Bytes) {
  const auto File = expectedToOptional(ELF64LEFile::create(Bytes.getBuffer()));
  return File && expectedToOptional(File->sections()) &&
         expectedToOptional(File->program_headers());
}

std::string clinch::buildId(const std::string &Path) {
  const auto Bytes = map(Path);
  struct stat S;
  if (!Bytes || stat(Path.c_str(), &S) != 0)
    return {};
  const auto File = hasHeaders(*Bytes)
                        ? expectedToOptional(ObjectFile::createELFObjectFile(
                              *Bytes, /*InitContent=*/false))
                        : std::nullopt;
  if (File)
    if (const auto Id = llvm::object::getBuildID(File->get()); !Id.empty())
      return {Id.begin(), Id.end()};
  return std::to_string(S.st_size) + " " + std::to_string(S.st_mtim.tv_sec) +
         "." + std::to_string(S.st_mtim.tv_nsec);
}

bool clinch::isCutShort(const std::string &Path) {
  const auto Bytes = map(Path); // Loading it reports what is wrong.
  const auto File =
      Bytes ? expectedToOptional(ELF64LEFile::create(Bytes->getBuffer()))
            : std::nullopt;
  const auto Segments =
      File ? expectedToOptional(File->program_headers()) : std::nullopt;
  return Segments && llvm::any_of(*Segments, [&](const auto &S) {
           return S.p_offset + S.p_filesz > Bytes->getBufferSize();
         });
}

std::string clinch::buildFingerprint() { return CLINCH_BUILD_FINGERPRINT; }

std::string clinch::hostCPUFingerprint() {
  return engine::Processor::host().text();
}
