# What we build on. Debian's Python is meant unless another is named: the
# Makefile passes PYTHON as Python3_EXECUTABLE.
if(NOT Python3_EXECUTABLE)
  set(Python3_EXECUTABLE /usr/bin/python3)
endif()
set(CLINCH_PYTHON_PARTS Interpreter Development.Module NumPy)
if(NOT CLINCH_WHEEL)
  list(APPEND CLINCH_PYTHON_PARTS Development.Embed) # For the driver alone.
endif()
find_package(Python3 REQUIRED COMPONENTS ${CLINCH_PYTHON_PARTS})
find_package(LLVM 22.1 REQUIRED CONFIG
             HINTS /usr/lib/llvm-22/lib/cmake/llvm)
find_package(Clang REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/clang)
find_package(LLD REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/lld)
find_package(Threads REQUIRED)
# What the engine precompiles, and its key has of that.
set(CLINCH_PREFIX_FOLDERS ${Python3_NumPy_INCLUDE_DIRS} ${Python3_INCLUDE_DIRS})
# The headers of ours that texts over arrays include.
set(CLINCH_OWN_HEADERS ${CMAKE_SOURCE_DIR}/python/clinch/include)
set(CLINCH_PREFIX_VERSIONS
    "Python ${Python3_VERSION} NumPy ${Python3_NumPy_VERSION}")
message(STATUS "Clinch: Python ${Python3_VERSION} (${Python3_EXECUTABLE}), "
               "NumPy ${Python3_NumPy_VERSION}, LLVM ${LLVM_PACKAGE_VERSION}")
