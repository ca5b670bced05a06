# The web edition's compiler: Debian's Emscripten, with what its C++ library lacks read before each source.
find_program(WARPTREE_EMCXX em++)
if(NOT WARPTREE_EMCXX)
    message(FATAL_ERROR "The web edition needs Emscripten, and em++ was not found; ./launch web installs it (Debian: emscripten).")
endif()
file(REAL_PATH ${WARPTREE_EMCXX} emscripten)
get_filename_component(emscripten ${emscripten} DIRECTORY)
include(${emscripten}/cmake/Modules/Platform/Emscripten.cmake)
set(CMAKE_CXX_FLAGS_INIT "-fwasm-exceptions -Wno-c++11-narrowing -include ${CMAKE_CURRENT_LIST_DIR}/missing.hpp")
set(CMAKE_PROJECT_TOP_LEVEL_INCLUDES ${CMAKE_CURRENT_LIST_DIR}/libraries.cmake)
set(CMAKE_DISABLE_FIND_PACKAGE_OpenMP ON)  # there is none, and it would be looked for long
set(CMAKE_DISABLE_FIND_PACKAGE_benchmark ON)
set(CMAKE_DISABLE_FIND_PACKAGE_Python3 ON)
