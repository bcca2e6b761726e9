# Which compiler builds Clinch, unless somebody says: LLVM's own, where it is
# installed. It instantiates the templates of LLVM's headers once, when it
# precompiles them, and g++ in each source that reads them, which takes three
# times as long.
if(NOT CMAKE_CXX_COMPILER AND NOT DEFINED ENV{CXX} AND NOT DEFINED ENV{CC})
  find_program(CLINCH_CLANGXX clang++-22)
  find_program(CLINCH_CLANG clang-22)
  if(CLINCH_CLANGXX AND CLINCH_CLANG)
    set(CMAKE_C_COMPILER ${CLINCH_CLANG})
    set(CMAKE_CXX_COMPILER ${CLINCH_CLANGXX})
  endif()
endif()
