# What every target of the project shares: warnings, sanitizers, tests, and whether CUDA is built.
include(CTest)

find_package(fmt REQUIRED)
find_package(Threads REQUIRED)

add_library(warptree_options INTERFACE)
target_compile_options(warptree_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Winvalid-pch>
    # GCC 12 warns of parts of variants and strings where there is nothing to warn of
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-maybe-uninitialized -Wno-restrict -Wno-array-bounds
        -Wno-stringop-overflow>)
target_link_libraries(warptree_options INTERFACE fmt::fmt Threads::Threads)
# GCC tidies up its memory all the time, a twelfth of what it takes to compile: not before it holds 1 GB
add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-heapsize=1000000>")
if(WARPTREE_WERROR)
    target_compile_options(warptree_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
# ASan sees bad pointers; UBSan's checks of them would double the build's time, and half of all code would be theirs
set(WARPTREE_SANITIZE_FLAGS -fno-sanitize-recover=all -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow)
if(WARPTREE_SANITIZE)
    target_compile_options(warptree_options INTERFACE
        "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${WARPTREE_SANITIZE};${WARPTREE_SANITIZE_FLAGS};-fno-omit-frame-pointer>")
    target_link_options(warptree_options INTERFACE -fsanitize=${WARPTREE_SANITIZE})
endif()

# The libraries' headers cost most of a build's time: they are compiled once, for the sources and for the tests. Each
# source includes what it uses nevertheless, so that it builds without (WARPTREE_PRECOMPILE=OFF).
set(headers <algorithm> <array> <bit> <chrono> <cmath> <cstdint> <filesystem> <fstream> <functional> <map> <memory>
    <optional> <set> <span> <sstream> <string> <thread> <unordered_map> <variant> <vector> <fmt/format.h>)
function(warptree_precompile name)
    set(empty ${PROJECT_BINARY_DIR}/generated/${name}.cpp)
    file(CONFIGURE OUTPUT ${empty} CONTENT "// Empty: its target holds precompiled headers\n")
    add_library(${name} OBJECT ${empty})
    target_link_libraries(${name} PRIVATE warptree_options)
    target_precompile_headers(${name} PRIVATE ${headers} ${ARGN})
endfunction()
if(WARPTREE_PRECOMPILE)
    warptree_precompile(warptree_headers)
endif()

# warptree_layer(NAME [FILE]): the headers of this folder are found by target NAME and by those that link it, and by nobody
# else: an include that goes against the flow of data does not build. FILE: one header alone.
function(warptree_layer name)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    set(root ${PROJECT_BINARY_DIR}/layers/${folder}/include)
    get_filename_component(within ${root}/${folder}/${ARGN} DIRECTORY)
    file(MAKE_DIRECTORY ${within})
    if(ARGN)
        file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${ARGN} ${root}/${folder}/${ARGN} SYMBOLIC)
    elseif(NOT EXISTS ${root}/${folder})
        file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/${folder} SYMBOLIC)
    endif()
    get_target_property(type ${name} TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
        target_include_directories(${name} INTERFACE $<BUILD_INTERFACE:${root}>)
    else()
        target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${root}>)
    endif()
endfunction()

# warptree_library(NAME SOURCES... [LINK libs...] [BY_NAME] [FAST]): where several sources are compiled as one
# (CMAKE_UNITY_BUILD), a library's all are; BY_NAME: those that begin with letters of the same quarter. So a
# new file meets the same neighbours each time. FAST: its own code takes the time that a user waits; it is optimised as
# WARPTREE_FAST says.
function(warptree_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "BY_NAME;FAST" "" "LINK")
    add_library(${name} STATIC ${arg_UNPARSED_ARGUMENTS})
    set_target_properties(${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 0)
    if(arg_BY_NAME)
        set_target_properties(${name} PROPERTIES UNITY_BUILD_MODE GROUP)
        foreach(letters a-c d-k l-o p-z)
            set(group ${arg_UNPARSED_ARGUMENTS})
            list(FILTER group INCLUDE REGEX "^[${letters}]")
            set_source_files_properties(${group} PROPERTIES UNITY_GROUP ${letters})
        endforeach()
    endif()
    target_link_libraries(${name} PUBLIC $<BUILD_INTERFACE:warptree_options> ${arg_LINK})
    warptree_layer(${name})
    if(arg_FAST AND WARPTREE_FAST)
        target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${WARPTREE_FAST}>)
    elseif(WARPTREE_PRECOMPILE)
        target_precompile_headers(${name} REUSE_FROM warptree_headers)
    endif()
endfunction()

# warptree_embed(LIBRARY NAME FILES...): a library that holds the files' text as the array NAME: see instrumentation/embedded.hpp.
# Paths from the root, or what the build makes.
function(warptree_embed library name)
    set(out ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    set(paths)
    foreach(file IN LISTS ARGN)
        file(REAL_PATH ${file} path BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
        list(APPEND paths ${path})
    endforeach()
    list(JOIN ARGN "," files)
    add_custom_command(OUTPUT ${out}
        COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DOUT=${out} -DNAME=${name} "-DFILES=${files}"
                -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
        DEPENDS ${paths} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
        COMMENT "Embedding ${name}")
    add_library(${library} STATIC ${out})
    target_link_libraries(${library} PUBLIC warptree_options)
endfunction()

# warptree_test(NAME SOURCES... [LINK libs...]): one GoogleTest program, its cases listed one by one, or, for ./launch test,
# in a few parts.
# Tests run from the source tree's root, so that goldens are found at their repository paths.
if(WARPTREE_TESTS)
    find_package(GTest REQUIRED)
    add_library(warptree_test_options INTERFACE)
    target_link_libraries(warptree_test_options INTERFACE warptree_options)
    if(NOT MSVC)  # what they test is optimised and checked in full; they themselves need not be, and build in half the time
        target_compile_options(warptree_test_options INTERFACE $<$<CONFIG:Release>:-O1>)
        if(WARPTREE_SANITIZE)
            target_compile_options(warptree_test_options INTERFACE -fno-sanitize=undefined -fno-sanitize-address-use-after-scope)
        endif()
    endif()
    include(GoogleTest)
    if(WARPTREE_PRECOMPILE)
        warptree_precompile(warptree_test_headers <gmock/gmock.h> <gtest/gtest.h>)
        target_link_libraries(warptree_test_headers PRIVATE warptree_test_options GTest::gmock GTest::gtest)
    endif()
endif()
function(warptree_test name)
    if(NOT WARPTREE_TESTS)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK")
    # What ./launch test runs under sanitizers is not run without them too, but for the cases that these are spared a part
    # of (kSanitized); a GPU is there without them alone
    set(filter "*")
    if(WARPTREE_TESTS STREQUAL "app" AND NOT CMAKE_CURRENT_SOURCE_DIR MATCHES "/app(/|$)" AND NOT name MATCHES "cuda")
        set(filter)
        set(spared)
        foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
            get_filename_component(file ${source} ABSOLUTE)
            file(STRINGS ${file} lines REGEX "^TEST|kSanitized")
            set(case "")
            set(each OFF)  # above the first case: it concerns all
            foreach(line IN LISTS lines)
                if(line MATCHES "^TEST[_PF]*\\(([A-Za-z0-9_]+), *([A-Za-z0-9_]+)\\)")
                    set(case "*${CMAKE_MATCH_1}.${CMAKE_MATCH_2}*")
                elseif(line MATCHES kSanitized)
                    list(APPEND spared ${source})
                    string(COMPARE EQUAL "${case}" "" each)
                endif()
                if(case AND (each OR line MATCHES kSanitized))
                    list(APPEND filter ${case})
                endif()
            endforeach()
        endforeach()
        list(REMOVE_DUPLICATES filter)
        list(REMOVE_DUPLICATES spared)
        list(JOIN filter ":" filter)
        set(arg_UNPARSED_ARGUMENTS ${spared})
        if(NOT spared)
            return()
        elseif(NOT filter)
            message(FATAL_ERROR "${name}: no case was found that kSanitized stands in; see the filter above this line.")
        endif()
    endif()
    add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
    target_link_libraries(${name} PRIVATE warptree_options warptree_test_options GTest::gtest_main GTest::gmock ${arg_LINK})
    set_target_properties(${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 12)  # helpers of one program need names of their own
    if(WARPTREE_PRECOMPILE)
        target_precompile_headers(${name} REUSE_FROM warptree_test_headers)
    endif()
    if(WARPTREE_SANITIZE OR (WARPTREE_TESTS STREQUAL "app" AND NOT name MATCHES "cuda"))
        # Many cases in one process: what one leaves behind is there for the next, as in the app, and a start costs once
        cmake_host_system_information(RESULT shards QUERY NUMBER_OF_LOGICAL_CORES)
        if(WARPTREE_SANITIZE OR shards GREATER 4)  # sanitizers are slow in processes that have grown
            set(shards 4)
        endif()
        list(LENGTH arg_UNPARSED_ARGUMENTS cost)  # the longest begin first
        foreach(shard RANGE 1 ${shards})
            math(EXPR index "${shard} - 1")
            add_test(NAME ${name}_${shard} COMMAND ${name} --gtest_brief=1 "--gtest_filter=${filter}"
                WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
            set_tests_properties(${name}_${shard} PROPERTIES
                COST ${cost} ENVIRONMENT "GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index}")
        endforeach()
        return()
    endif()
    gtest_discover_tests(${name} TEST_FILTER "${filter}" WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} DISCOVERY_TIMEOUT 60)
endfunction()

# warptree_bench(NAME SOURCES... [LINK libs...]): one program of Google Benchmark.
function(warptree_bench name)
    if(NOT WARPTREE_BENCH)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK")
    find_package(benchmark REQUIRED)
    add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
    target_link_libraries(${name} PRIVATE ${arg_LINK} benchmark::benchmark)
    if(WARPTREE_PRECOMPILE)
        target_precompile_headers(${name} REUSE_FROM warptree_headers)
    endif()
endfunction()

# CUDA: found by its compiler, or by the usual folder. Everything else builds without it.
set(WARPTREE_HAS_CUDA OFF)
if(NOT WARPTREE_CUDA STREQUAL "OFF")
    include(CheckLanguage)
    if(NOT CMAKE_CUDA_COMPILER AND EXISTS /usr/local/cuda/bin/nvcc)
        set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
    endif()
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
            # For any GPU from 7.5 on, and native code for those at hand: some kernels need its instructions. Where none is
            # at hand, the program may go to any: 9.0 has all these instructions, and newer GPUs translate it when it
            # starts. Not WARPTREE_PORTABLE: it will not go anywhere, and one kind of code shows what does not compile
            set(native "")
            find_program(nvidia_smi nvidia-smi)
            if(nvidia_smi)
                execute_process(COMMAND ${nvidia_smi} --query-gpu=compute_cap --format=csv,noheader
                    OUTPUT_VARIABLE capabilities ERROR_QUIET)
                string(REGEX MATCHALL "[^\r\n]+" capabilities "${capabilities}")
                foreach(capability IN LISTS capabilities)
                    if(capability MATCHES "^([0-9]+)\\.([0-9]+)$" AND capability VERSION_GREATER_EQUAL 7.5)
                        list(APPEND native ${CMAKE_MATCH_1}${CMAKE_MATCH_2}-real)
                    endif()
                endforeach()
                list(REMOVE_DUPLICATES native)
            endif()
            set(CMAKE_CUDA_ARCHITECTURES 75-virtual ${native})
            set(WARPTREE_PLAIN_ARCHITECTURES ${native})  # of what needs no instruction of later ones
            if(NOT native)
                set(CMAKE_CUDA_ARCHITECTURES 75-virtual 90-virtual)
                set(WARPTREE_PLAIN_ARCHITECTURES 75-virtual)
                if(NOT WARPTREE_PORTABLE)
                    set(CMAKE_CUDA_ARCHITECTURES 90-virtual)
                endif()
            endif()
        endif()
        enable_language(CUDA)
        if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that newer nvcc speak C++20
            set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
            set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
        endif()
        set(CMAKE_CUDA_STANDARD 20)
        string(APPEND CMAKE_CUDA_FLAGS " --expt-relaxed-constexpr -diag-suppress=445")
        set(WARPTREE_HAS_CUDA ON)
    elseif(WARPTREE_CUDA STREQUAL "ON")
        message(FATAL_ERROR "WARPTREE_CUDA is ON, but no CUDA compiler (nvcc) was found; put it on the PATH.")
    endif()
endif()
message(STATUS "CUDA backend: ${WARPTREE_HAS_CUDA}")
