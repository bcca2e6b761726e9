# Clang and LLVM, linked in from their archives: what holds them needs neither
# libLLVM.so nor libclang-cpp.so where it runs, starts in half the time, and
# lives beside any other LLVM of its process, for it shows nothing of its own.

# Debian's headers mark what libLLVM.so exports; nothing is to be exported here.
set(CLINCH_LLVM_DEFINITIONS LLVM_BUILD_STATIC CLANG_BUILD_STATIC)

# All of Clang but its tools: a tool that is wanted is one more name here.
set(CLINCH_CLANG_LIBRARIES
  clangAPINotes clangAST clangASTMatchers clangAnalysis
  clangAnalysisLifetimeSafety clangBasic clangCodeGen clangDriver clangEdit
  clangFormat clangFrontend clangLex clangOptions clangParse clangSema
  clangSerialization clangSupport clangToolingCore clangToolingInclusions)

# All of LLVM, of its processors X86 and NVPTX: the linker takes what is used.
set(CLINCH_LEFT_OUT ${LLVM_TARGETS_TO_BUILD})
list(REMOVE_ITEM CLINCH_LEFT_OUT X86 NVPTX)
list(JOIN CLINCH_LEFT_OUT "|" others)
set(CLINCH_LLVM_LIBRARIES "")
foreach(library IN LISTS LLVM_AVAILABLE_LIBS)
  if(TARGET ${library} AND library MATCHES "^LLVM." AND
     NOT library MATCHES "^LLVM(${others})[A-Z]")
    list(APPEND CLINCH_LLVM_LIBRARIES ${library})
  endif()
endforeach()

# ORC and what it stands on: the linker of every piece of machine code. Where
# ORC deals with IR it names LLVMCore, the passes and more; nothing of that is
# used, and linkers ask for nothing that only unused sections name. With those
# archives came 60 static constructors, and half of what loading took.
set(CLINCH_ORC_LIBRARIES
  LLVMOrcDebugging LLVMOrcJIT LLVMOrcShared LLVMOrcTargetProcess LLVMJITLink
  LLVMRuntimeDyld LLVMDebugInfoDWARF LLVMDebugInfoDWARFLowLevel LLVMObject LLVMBinaryFormat LLVMTargetParser LLVMOption
  LLVMSupport LLVMDemangle)

# clinch_compile_with_llvm(TARGET): its sources include LLVM's headers.
function(clinch_compile_with_llvm target)
  target_include_directories(${target} SYSTEM PRIVATE
    ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
  target_compile_definitions(${target} PRIVATE ${CLINCH_LLVM_DEFINITIONS})
endfunction()

# What LLVM compresses with, from archives too where there are: then whoever
# runs this needs none of them. No symbol of theirs is shown, so code that was
# made for programs alone goes into a library as well.
function(clinch_archive_or result name fallback)
  find_library(CLINCH_ARCHIVE_${name} lib${name}.a)
  if(CLINCH_ARCHIVE_${name})
    set(${result} ${CLINCH_ARCHIVE_${name}} PARENT_SCOPE)
  else()
    set(${result} ${fallback} PARENT_SCOPE)
  endif()
endfunction()
clinch_archive_or(CLINCH_ZLIB z ZLIB::ZLIB)
clinch_archive_or(CLINCH_ZSTD zstd zstd::libzstd_shared)

# clinch_link_llvm(TARGET LIBRARY...): these archives, and of them what is used.
# Files, for the targets of Clang would bring libLLVM.so with them. A library
# has a version script beside, which hides them.
function(clinch_link_llvm target)
  list(TRANSFORM ARGN REPLACE ".+" "$<TARGET_FILE:\\0>" OUTPUT_VARIABLE files)
  list(JOIN files "," files)
  target_link_libraries(${target} PRIVATE "$<LINK_GROUP:RESCAN,${files}>"
    ${CLINCH_ZLIB} ${CLINCH_ZSTD})
  target_link_options(${target} PRIVATE
    -Wl,--as-needed -Wl,--gc-sections -Wl,-z,defs
    $<$<CONFIG:Release>:-Wl,--strip-debug>)
endfunction()

# clinch_link_lld(TARGET): LLD for ELF. It names every back end that LLVM was built
# with, and prepares all of them; of those that are left out there is one function
# that does nothing.
function(clinch_link_lld target)
  set(nothing "")
  foreach(other IN LISTS CLINCH_LEFT_OUT)
    foreach(part TargetInfo Target TargetMC AsmPrinter AsmParser)
      list(APPEND nothing -Wl,--defsym=LLVMInitialize${other}${part}=clinch_no_target)
    endforeach()
  endforeach()
  target_link_options(${target} PRIVATE ${nothing})
  target_link_libraries(${target} PRIVATE
    "$<LINK_GROUP:RESCAN,$<TARGET_FILE:lldELF>,$<TARGET_FILE:lldCommon>>")
endfunction()
