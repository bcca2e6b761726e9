# How everything of ours is compiled and where it lands.
option(CLINCH_TESTS "Build the test suites" ON)
option(CLINCH_WHEEL "Build and install as pip wants it" OFF)
set(CLINCH_SANITIZE "" CACHE STRING "Sanitizers, such as address;undefined")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 17)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET default)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  # What one checkout has compiled serves the others. By each object's list of
  # headers alone: the preprocessed text has nothing of those precompiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_DEPEND=1 CCACHE_PCH_EXTSUM=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
# LLVM's own linker.
find_program(CLINCH_LLD ld.lld PATHS /usr/lib/llvm-22/bin NO_DEFAULT_PATH)
if(CLINCH_LLD)
  cmake_path(GET CLINCH_LLD PARENT_PATH folder)
  add_link_options(-fuse-ld=lld -B${folder})
endif()
# With them, Clinch runs on that system. packaging/old-system/link.sh writes the folder.
set(CLINCH_OLD_SYSTEM "" CACHE PATH "Stub libraries of an older system to link with")
if(CLINCH_OLD_SYSTEM)
  add_link_options(-L${CLINCH_OLD_SYSTEM})
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter
                    -Wno-missing-field-initializers)
# g++ 12 reports copies inside std::string that cannot be.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
                    $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
# Clang reports what libstdc++ 12 itself does in std::stable_sort.
add_compile_options($<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)

if(CLINCH_SANITIZE)
  list(JOIN CLINCH_SANITIZE "," CLINCH_SANITIZERS)
  add_compile_options(-fsanitize=${CLINCH_SANITIZERS} -fno-omit-frame-pointer
                      -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${CLINCH_SANITIZERS})
  # A call through a pointer would read what stands before the function: before
  # compiled code that may be nothing.
  if("undefined" IN_LIST CLINCH_SANITIZE)
    add_compile_options(-fno-sanitize=function)
  endif()
  # One run time for all, which a Python that is not instrumented loads first.
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "CLINCH_SANITIZE needs clang++-22, for its run time")
  endif()
  set(run_time asan)
  if(CLINCH_SANITIZE STREQUAL "thread")
    set(run_time tsan)
  endif()
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-runtime-dir
                  OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(CLINCH_SANITIZER_LIBRARY
      ${folder}/libclang_rt.${run_time}-${CMAKE_SYSTEM_PROCESSOR}.so
      CACHE INTERNAL "The run time that test/sanitizers.py loads")
  add_link_options(-shared-libsan -Wl,-rpath,${folder})
endif()

# Public headers are clinch/..., private ones lib/... and jit/...
include_directories(${CMAKE_CURRENT_SOURCE_DIR}/include
                    ${CMAKE_CURRENT_SOURCE_DIR})

# clinch_component(NAME SOURCE...): objects of one folder, for a library.
function(clinch_component name)
  add_library(${name} OBJECT ${ARGN})
endfunction()

# clinch_let_threads_end(TARGET): for libraries in which Python may end a thread;
# Personality.cpp says why.
function(clinch_let_threads_end target)
  target_sources(${target} PRIVATE
    ${CMAKE_SOURCE_DIR}/lib/Support/Personality.cpp)
  target_link_options(${target} PRIVATE -Wl,--wrap=__gxx_personality_v0)
endfunction()
