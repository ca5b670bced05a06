# Fuzzing: libFuzzer's targets, *_fuzz.cpp beside what they feed, built by clang++ whatever builds the rest. ctest runs each
# for a moment, always from the same seed (fuzz_*); cmake/fuzz.sh goes on for as long as is wanted.
set(WARPTREE_FUZZ_LEVEL -O0 CACHE STRING "Optimisation of libFuzzer's targets; without any they build in half the time")
find_program(WARPTREE_CLANGXX NAMES clang++-14 clang++)
set(fuzz_folder ${PROJECT_BINARY_DIR}/fuzz)
set(fuzz_flags -std=c++20 ${WARPTREE_FUZZ_LEVEL} -gline-tables-only -fsanitize=address,undefined ${WARPTREE_SANITIZE_FLAGS}
    -fno-sanitize-address-use-after-scope
    -DTOML_HEADER_ONLY=0 -DTOML_SHARED_LIB=1)
# What is compared with what is not followed: it took a third of the time, and the targets have changes of their own
set(fuzz_compile ${WARPTREE_CLANGXX} ${fuzz_flags} -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp
    -I${PROJECT_SOURCE_DIR} -I${PROJECT_BINARY_DIR}/generated)
# What a target never calls need not be there: the kernels alone take a minute
set(fuzz_link ${WARPTREE_CLANGXX} ${fuzz_flags} -fsanitize=fuzzer -no-pie -Wl,--unresolved-symbols=ignore-all)
set(fuzz_libraries -lzip -lz -lfmt -ltomlplusplus)

# libFuzzer is a part of clang that may be missing, and the libraries may be where clang does not look.
if(NOT DEFINED CACHE{WARPTREE_CAN_FUZZ})
    set(can OFF)
    if(WARPTREE_CLANGXX)
        file(WRITE ${fuzz_folder}/probe.cpp "#include <fmt/format.h>\n#include <nlohmann/json.hpp>\n#include <tl/expected.hpp>\n"
            "#include <toml++/toml.h>\n#include <zip.h>\n#include <zlib.h>\n"
            "extern \"C\" int LLVMFuzzerTestOneInput(const std::uint8_t*, std::size_t) { return 0; }\n")
        execute_process(COMMAND ${fuzz_link} ${fuzz_folder}/probe.cpp ${fuzz_libraries} -o ${fuzz_folder}/probe
            RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
        if(NOT failed)
            set(can ON)
        endif()
    endif()
    set(WARPTREE_CAN_FUZZ ${can} CACHE INTERNAL "Whether clang++ can build libFuzzer's targets")
endif()

# fuzz_object(NAME SOURCES...): these, of one library, compiled as one.
function(fuzz_object name)
    set(text "")
    foreach(source IN LISTS ARGN)
        string(APPEND text "#include \"${source}\"\n")
    endforeach()
    set(together ${fuzz_folder}/${name}.cpp)
    file(CONFIGURE OUTPUT ${together} CONTENT "${text}")
    add_custom_command(OUTPUT ${together}.o DEPFILE ${together}.d DEPENDS ${together}
        COMMAND ${fuzz_compile} -MD -MF ${together}.d -c ${together} -o ${together}.o
        COMMENT "Building ${name} for libFuzzer")
endfunction()
# fuzz_library(FOLDER): all sources of instrumentation/FOLDER.
function(fuzz_library folder)
    get_target_property(sources warptree_${folder} SOURCES)
    list(TRANSFORM sources PREPEND instrumentation/${folder}/)
    fuzz_object(${folder} ${sources})
endfunction()

# fuzz_target(FILE RUNS SEEDS OBJECTS...): FILE is a *_fuzz.cpp; it begins with the files that match SEEDS.
function(fuzz_target file runs seeds)
    get_filename_component(name ${file} NAME_WE)
    string(REPLACE _fuzz "" name ${name})
    if(NOT WARPTREE_CAN_FUZZ)
        add_test(NAME fuzz_${name} COMMAND ${CMAKE_COMMAND} -E echo "Skipped: clang++ with libFuzzer was not found.")
        set_tests_properties(fuzz_${name} PROPERTIES SKIP_REGULAR_EXPRESSION "Skipped:")
        return()
    endif()
    fuzz_object(fuzz_${name} ${file})
    set(program ${fuzz_folder}/${name})
    list(TRANSFORM ARGN REPLACE "(.+)" "${fuzz_folder}/\\1.cpp.o" OUTPUT_VARIABLE objects)
    list(PREPEND objects ${fuzz_folder}/fuzz_${name}.cpp.o)
    add_custom_command(OUTPUT ${program} DEPENDS ${objects}
        COMMAND ${fuzz_link} ${objects} ${fuzz_libraries} -o ${program} COMMENT "Linking ${name} for libFuzzer")
    add_custom_target(fuzz_${name} ALL DEPENDS ${program})
    file(GLOB seed_files CONFIGURE_DEPENDS ${seeds})
    list(JOIN seed_files "," seed_list)
    add_test(NAME fuzz_${name} WORKING_DIRECTORY ${fuzz_folder}
        COMMAND ${program} -seed=1 -runs=${runs} -timeout=20 -verbosity=0 -seed_inputs=${seed_list})
endfunction()

if(WARPTREE_CAN_FUZZ)
    fuzz_library(json)
    fuzz_library(value)
    fuzz_library(trace)
    fuzz_library(counters)
    fuzz_library(graph)
    fuzz_library(replay)
    fuzz_object(kernels kernels/catalog.cpp kernels/inputs.cpp kernels/input_text.cpp kernels/operators.cpp kernels/options.cpp
        kernels/order.cpp kernels/world_cup.cpp)
    fuzz_object(results app/study/measurements.cpp app/study/results.cpp kernels/timed.cpp)
    fuzz_object(settings app/state/settings.cpp app/paint/theme.cpp app/scene/layout.cpp)
endif()
fuzz_target(instrumentation/replay/load_fuzz.cpp 300 "assets/traces/*-2.wtrace;instrumentation/trace/testdata/*.wtrace"
    json value trace counters graph replay)
fuzz_target(instrumentation/trace/manifest_fuzz.cpp 800 "instrumentation/trace/testdata/*.json" json value trace)
fuzz_target(kernels/values_fuzz.cpp 5000 "kernels/testdata/values/*" json value trace kernels)
fuzz_target(app/study/results_fuzz.cpp 2000 "app/study/testdata/*" json value trace counters results)
fuzz_target(app/state/settings_fuzz.cpp 800 "app/state/testdata/*.toml" json value trace kernels settings)
