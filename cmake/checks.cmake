# Checks of the repository itself, run by ctest beside the tests: formatting, links of the texts, the script that builds
# from nothing, and that the kernels' table is the catalog's. A build with sanitizers fuzzes instead.
if(WARPTREE_SANITIZE)
    include(cmake/fuzz.cmake)
    return()
endif()

find_program(WARPTREE_CLANG_FORMAT NAMES clang-format-14 clang-format)
add_test(NAME format
    COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DCLANG_FORMAT=${WARPTREE_CLANG_FORMAT}
            -P ${PROJECT_SOURCE_DIR}/cmake/format.cmake)
set_tests_properties(format PROPERTIES SKIP_REGULAR_EXPRESSION "Skipped:")

find_program(WARPTREE_CLANG_TIDY NAMES clang-tidy-14)
if(WARPTREE_CLANG_TIDY)  # of a source a folder, of those that change rarely: seconds each
    add_test(NAME tidy COMMAND ${WARPTREE_CLANG_TIDY} --quiet instrumentation/value/column.cpp instrumentation/log/raw.cpp
        instrumentation/counters/counters.cpp instrumentation/graph/graph.cpp instrumentation/trace/layout.cpp
        instrumentation/trace/derive.cpp -- -std=c++20 -I. WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endif()

add_test(NAME texts COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/texts.cmake)

add_test(NAME package_test
    COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DBUILD=${PROJECT_BINARY_DIR} -DCXX=${CMAKE_CXX_COMPILER}
            -DGENERATOR=${CMAKE_GENERATOR} -P ${PROJECT_SOURCE_DIR}/cmake/package_test.cmake)

find_program(WARPTREE_BASH bash)
if(WARPTREE_BASH)
    add_test(NAME launch_script COMMAND ${WARPTREE_BASH} ${PROJECT_SOURCE_DIR}/cmake/launch_test.sh)
endif()

find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
    add_test(NAME mutate_test COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/cmake/mutate_test.py)
endif()

if(TARGET warptree)
    add_test(NAME ladder_table
        COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DPROGRAM=$<TARGET_FILE:warptree>
                -P ${PROJECT_SOURCE_DIR}/cmake/ladder.cmake)
endif()
