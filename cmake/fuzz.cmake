# Fuzzing: libFuzzer's targets, *_fuzz.cpp beside what they feed, in builds with sanitizers. ctest runs each for a moment,
# always from the same seed (fuzz_*), and shows libFuzzer what the target itself compares. For cmake/fuzz.sh clang++ builds
# everything, with WARPTREE_SANITIZE=address,undefined,fuzzer-no-link, and libFuzzer sees all code that was reached.
if(NOT WARPTREE_SANITIZE)
    return()
endif()
set(fuzzer)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    set(fuzzer -fsanitize=fuzzer)
else()  # libFuzzer is a part of clang, and needs nothing of it
    file(GLOB found /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-${CMAKE_SYSTEM_PROCESSOR}.a)
    if(found)
        list(GET found -1 fuzzer)
    endif()
endif()

find_program(clang NAMES clang++-14 clang++)  # which cmake/fuzz.sh needs; here it reads the same sources

# fuzz_target(FILE RUNS SEEDS [SOURCES...] [LINK libs...]): FILE is a *_fuzz.cpp; it begins with the files that match SEEDS.
function(fuzz_target file runs seeds)
    cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "LINK")
    get_filename_component(name ${file} NAME_WE)
    string(REGEX REPLACE "(.*)_fuzz" "fuzz_\\1" name ${name})
    if(NOT fuzzer)
        add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "Skipped: libFuzzer was not found.")
        set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "Skipped:")
        return()
    endif()
    add_executable(${name} ${file} ${arg_UNPARSED_ARGUMENTS})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} PRIVATE warptree_options ${arg_LINK} ${fuzzer})
    target_link_options(${name} PRIVATE -no-pie -Wl,--unresolved-symbols=ignore-all)  # what it never calls need not be there
    target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fsanitize-coverage=trace-cmp>)
    if(WARPTREE_PRECOMPILE)
        target_precompile_headers(${name} REUSE_FROM warptree_headers)
    endif()
    file(GLOB seed_files CONFIGURE_DEPENDS ${seeds})
    list(JOIN seed_files "," seed_list)
    add_test(NAME ${name}
        COMMAND ${name} -seed=1 -runs=${runs} -timeout=20 -verbosity=0 -use_value_profile=1 -seed_inputs=${seed_list})
    if(NOT clang)
        add_test(NAME ${name}_by_clang COMMAND ${CMAKE_COMMAND} -E echo "Skipped: clang++ was not found.")
        set_tests_properties(${name}_by_clang PROPERTIES SKIP_REGULAR_EXPRESSION "Skipped:")
        return()
    endif()
    add_test(NAME ${name}_by_clang COMMAND ${clang} -fsyntax-only -std=c++20 -Wall -Wextra -Werror
        "-I$<JOIN:$<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>,;-I>"
        "-D$<JOIN:$<TARGET_PROPERTY:${name},COMPILE_DEFINITIONS>,;-D>" ${file} ${arg_UNPARSED_ARGUMENTS}
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} COMMAND_EXPAND_LISTS)
endfunction()

find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
fuzz_target(instrumentation/replay/load_fuzz.cpp 300 "assets/traces/*-2.wtrace;instrumentation/trace/testdata/*.wtrace"
    LINK warptree_replay warptree_graph warptree_counters ZLIB::ZLIB)
fuzz_target(instrumentation/trace/manifest_fuzz.cpp 800 "instrumentation/trace/testdata/*.json" LINK warptree_trace)
fuzz_target(instrumentation/request/values_fuzz.cpp 5000 "instrumentation/request/testdata/values/*" LINK warptree_request)
fuzz_target(instrumentation/foreign/rewrite/rewrite_fuzz.cpp 300 "instrumentation/foreign/testdata/*.cu" LINK warptree_foreign)
set(asks app/lesson/comparison.cpp app/lesson/facts.cpp app/lesson/run_question.cpp)
fuzz_target(app/lesson/lesson_fuzz.cpp 300 "assets/lessons/*.toml" ${asks} app/lesson/lesson.cpp app/lesson/append.cpp app/kit/rooms.cpp app/views/compare/figures.cpp app/views/memory/access.cpp app/subject/words.cpp
    app/kit/layout.cpp app/views/choices.cpp app/results/recognised.cpp LINK warptree_kernels warptree_toml)
fuzz_target(app/exercise/exercise_fuzz.cpp 300 "assets/exercises/*/*.toml" ${asks} app/exercise/exercise.cpp
    app/exercise/condition.cpp app/results/recognised.cpp LINK warptree_kernels warptree_toml)
fuzz_target(app/results/results_fuzz.cpp 2000 "app/results/testdata/*" app/results/measurements.cpp
    app/results/recognised.cpp app/results/results.cpp app/results/results_csv.cpp LINK warptree_kernels warptree_csv)
fuzz_target(app/state/settings_fuzz.cpp 800 "app/state/testdata/*.toml" app/state/settings.cpp app/state/fields.cpp app/state/marks.cpp
    app/state/app_state.cpp app/results/measurements.cpp app/results/recognised.cpp app/paint/theme.cpp app/kit/layout.cpp
    app/kit/rooms.cpp app/views/choices.cpp LINK warptree_kernels warptree_toml)
