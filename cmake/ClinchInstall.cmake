# make install, find_package(Clinch), pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# A wheel has the libraries inside the package, and nothing beside it.
if(CLINCH_WHEEL)
  set(CLINCH_INSTALL_PYTHONDIR .)
  set(CMAKE_INSTALL_LIBDIR clinch/_lib)
endif()

set(CLINCH_LICENCES ${CMAKE_INSTALL_DATADIR}/doc/clinch/licences)
if(CLINCH_WHEEL)
  set(CLINCH_LICENCES clinch/_lib/licences)
endif()
set(CLINCH_CONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Clinch)
if(NOT CLINCH_INSTALL_PYTHONDIR)
  set(CLINCH_INSTALL_PYTHONDIR ${CMAKE_INSTALL_LIBDIR}/clinch/python)
endif()
set(CLINCH_PACKAGE_DIR ${CLINCH_INSTALL_PYTHONDIR}/clinch)
file(RELATIVE_PATH CLINCH_LIB_FROM_PACKAGE
     /prefix/${CLINCH_PACKAGE_DIR} /prefix/${CMAKE_INSTALL_LIBDIR})

set_target_properties(Clinch PROPERTIES EXPORT_NAME Clinch)
# Wheels keep no symbolic links: each name would be a file.
if(NOT CLINCH_WHEEL)
  set_target_properties(Clinch ClinchCompiler PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
endif()
set_target_properties(Clinch ClinchCompiler ClinchEngine ClinchEngineProgram
  PROPERTIES
  INSTALL_RPATH "$ORIGIN")
set_target_properties(_clinch PROPERTIES
  INSTALL_RPATH "$ORIGIN/${CLINCH_LIB_FROM_PACKAGE}")

# The engine is found beside the compile core, and linked by nobody.
install(TARGETS ClinchCompiler Clinch EXPORT ClinchTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT python
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS ClinchOrc EXPORT ClinchOrcTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS ClinchEngine LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        COMPONENT python)
install(TARGETS ClinchEngineProgram
        RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT python)
if(CLINCH_OLD_SYSTEM) # SymbolResolver.cpp loads it there.
  install(FILES ${CLINCH_OLD_SYSTEM}/libclinch-newer.so
          DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT python)
  # GccDriver.cpp takes them where the system has none.
  install(DIRECTORY ${CLINCH_OLD_SYSTEM}/sysroot
          DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT python)
  install(DIRECTORY ${Python3_INCLUDE_DIRS}/
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/sysroot/usr/include/host
          COMPONENT python FILES_MATCHING PATTERN *.h)
  # Debian's has a part by processor.
  set(folder include/${CMAKE_LIBRARY_ARCHITECTURE}/python${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR})
  if(CMAKE_LIBRARY_ARCHITECTURE AND EXISTS /usr/${folder})
    install(DIRECTORY /usr/${folder}/ COMPONENT python
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/sysroot/usr/${folder})
  endif()
  # Modules are linked with -lpython, and find its functions in their process.
  set(stub libpython${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}.so)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${stub} "INPUT ( )\n")
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${stub} COMPONENT python DESTINATION
          ${CMAKE_INSTALL_LIBDIR}/sysroot/usr/lib/${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
endif()
install(DIRECTORY include/clinch include/clinch-c
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
install(TARGETS _clinch clinch_arrays LIBRARY DESTINATION ${CLINCH_PACKAGE_DIR}
        COMPONENT python)
install(DIRECTORY python/clinch/ DESTINATION ${CLINCH_PACKAGE_DIR}
        COMPONENT python PATTERN __pycache__ EXCLUDE)
install(DIRECTORY python/start/ DESTINATION ${CLINCH_INSTALL_PYTHONDIR}
        COMPONENT python PATTERN __pycache__ EXCLUDE)

# The licences of what is inside, as the packages it came from give them; those
# of CPython and NumPy lie with the ones whose headers these are.
function(clinch_licence name text)
  install(FILES ${text} RENAME ${name}.txt
          DESTINATION ${CLINCH_LICENCES} COMPONENT python OPTIONAL)
endfunction()
foreach(package llvm-22-dev zlib1g-dev
        libzstd-dev libstdc++-12-dev libc6-dev linux-libc-dev)
  clinch_licence(${package} /usr/share/doc/${package}/copyright)
endforeach()
clinch_licence(cpython ${Python3_STDLIB}/LICENSE.txt)
list(GET Python3_NumPy_INCLUDE_DIRS 0 folder)
cmake_path(SET folder NORMALIZE ${folder}/../../..)
set(dist ${folder}/numpy-${Python3_NumPy_VERSION}.dist-info)
find_file(numpy_licence NAMES LICENSE.txt copyright NO_CACHE NO_DEFAULT_PATH
          PATHS ${dist}/licenses ${dist} /usr/share/doc/python3-numpy)
clinch_licence(numpy ${numpy_licence})

target_compile_features(Clinch INTERFACE cxx_std_20)
target_compile_features(ClinchCompiler INTERFACE cxx_std_20)
install(EXPORT ClinchTargets NAMESPACE Clinch::
        DESTINATION ${CLINCH_CONFIG_DIR})
# Apart from the others: who does not ask for it needs no LLVM.
install(EXPORT ClinchOrcTargets NAMESPACE Clinch::
        DESTINATION ${CLINCH_CONFIG_DIR})
math(EXPR CLINCH_PYTHON_NEXT "${Python3_VERSION_MINOR} + 1")
configure_package_config_file(cmake/ClinchConfig.cmake.in ClinchConfig.cmake
  INSTALL_DESTINATION ${CLINCH_CONFIG_DIR}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(ClinchConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ClinchConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/ClinchConfigVersion.cmake
        DESTINATION ${CLINCH_CONFIG_DIR})

# pkg-config --cflags --libs clinch-compiler (or clinch, with Python).
file(RELATIVE_PATH CLINCH_PREFIX_FROM_PC
     /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
function(clinch_pkgconfig name description requires libraries)
  set(PC_NAME ${name})
  set(PC_DESCRIPTION ${description})
  set(PC_REQUIRES ${requires})
  set(PC_LIBRARIES ${libraries})
  configure_file(cmake/clinch.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
clinch_pkgconfig(clinch-compiler
  "C and C++ text in, addresses of machine code out" "" "-lclinch-compiler")
clinch_pkgconfig(clinch
  "Blocks of C compiled in process into something you can call"
  "clinch-compiler, python-${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR}-embed"
  "-lclinch")

# cpack, in the build folder: the prefix as one archive.
set(CPACK_GENERATOR TZST)
set(CPACK_PACKAGE_VENDOR Clinch)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
    "Blocks of C compiled in process into something you can call")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
include(CPack)
