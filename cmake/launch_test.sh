#!/usr/bin/env bash
# Tests of the script `launch`, on a copy of it, with stand-ins for the tools that it calls: no package is installed
# and nothing is compiled. Needs bash and the core utilities.
# shellcheck disable=SC2016
set -u

source_root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# expect WHAT TEXT PATTERN: the text has a line that matches.
expect() {
    if ! grep -qE -e "$3" <<<"$2"; then
        printf 'FAILED: %s: nothing matches "%s" in:\n%s\n' "$1" "$3" "$2"
        failures=$((failures + 1))
    fi
}

# expect_none WHAT TEXT PATTERN: it has none.
expect_none() {
    if grep -qE -e "$3" <<<"$2"; then
        printf 'FAILED: %s: "%s" should not be in:\n%s\n' "$1" "$3" "$2"
        failures=$((failures + 1))
    fi
}

# expect_equal WHAT IS WANTED: the two are equal.
expect_equal() {
    if [[ $2 != "$3" ]]; then
        printf 'FAILED: %s: "%s", not "%s"\n' "$1" "$2" "$3"
        failures=$((failures + 1))
    fi
}

# tool NAME: a stand-in, its body read from standard input. Every call is noted in $repo/calls.
tool() {
    { printf '#!%s\necho "%s $*" >>"%s/calls"\n' "$(command -v bash)" "$1" "$repo"; cat; } >"$repo/bin/$1"
    chmod +x "$repo/bin/$1"
}

# new_repository: a fresh copy of the script, and a PATH on which no package manager, compiler or CMake is found.
new_repository() {
    repo=$(mktemp -d "$work/XXXXXX")
    mkdir "$repo/bin"
    cp "$source_root/launch" "$source_root/CMakePresets.json" "$repo/"
    local name
    for name in awk bash cat cut dirname env grep head mkdir nproc rm sed sleep tail touch tput tr uname; do
        ln -s "$(command -v "$name")" "$repo/bin/$name"
    done
}

# Every package is there; the build gives a program that says what it was asked.
all_is_well() {
    tool apt-get <<<'exit 1'
    tool sudo <<<'while [[ $1 == -* ]]; do shift; done; (($# == 0)) || exec "$@"'
    tool dpkg-query <<<'shift 2; for name; do echo "$name installed"; done'
    tool ctest <<<'echo "100% tests passed, 0 tests failed out of 7"'
    tool cmake <<END
if [[ \$* == *--preset* ]]; then mkdir -p "$repo/build/\${!#}" && touch "$repo/build/\${!#}/build.ninja"; fi
if [[ \$1 == --build ]]; then printf '#!%s\necho program "\$@"\n' "$(command -v bash)" >"\$2/warptree"; fi
if [[ \$1 == --build ]]; then echo '[2/2] Linking'; /bin/chmod +x "\$2/warptree"; fi
END
}

# launch ARGS...: runs the copy; leaves its output in $said and its status in $status.
launch() {
    said=$(cd "$work" && env -i PATH="$repo/bin" HOME="$work" "${with[@]}" bash "$repo/launch" "$@" 2>&1)
    status=$?
}
with=(LC_ALL=C)

# --help and wrong usage
new_repository
launch --help
expect_equal "--help" "$status" 0
expect "--help" "$said" 'launch test'
launch test everything
expect_equal "test with an argument" "$status" 1
expect "test with an argument" "$said" '^launch: test takes no further arguments'

# No apt-get: the libraries are named, and CMake is tried
launch
expect_equal "neither apt-get nor cmake" "$status" 1
expect "neither apt-get nor cmake" "$said" 'no apt-get.*Warptree needs'
expect "neither apt-get nor cmake" "$said" 'Dear ImGui.*tl-expected'
expect "neither apt-get nor cmake" "$said" 'vcpkg\.json'
expect "neither apt-get nor cmake" "$said" '^launch: cmake was not found'
tool cmake <<<'echo "CMake Error at cmake/glad.cmake:8 (message):"; echo "  The program glad was not found."; exit 1'
launch
expect_equal "CMake misses a library" "$status" 1
expect "CMake misses a library" "$said" '^launch: CMake could not configure.*The program glad was not found.*configure-release\.log'

# A package that cannot be installed is named, in one sentence
new_repository
all_is_well
tool dpkg-query <<<'shift 2; for name; do [[ $name == libimgui-dev ]] || echo "$name installed"; done'
tool apt-get <<<'echo "E: Unable to locate package libimgui-dev"; exit 100'
tool dpkg </dev/null
launch
expect_equal "no such package" "$status" 1
expect "no such package" "$said" 'Installing 1 package: libimgui-dev$'
expect "no such package" "$said" '^launch: Could not install the package libimgui-dev; the whole output is in build/logs/install\.log\.$'
expect "no such package" "$(cat "$repo/calls")" '^apt-get .*--no-install-recommends libimgui-dev$'
tool apt-get <<<'echo "E: Failed to fetch http://deb.debian.org/pool/g++_12_amd64.deb  Temporary failure resolving a name"; exit 100'
launch
expect "no network" "$said" '^launch: Could not download g\+\+: the package server cannot be reached'

# All is well, no display: reports and pictures; a second run configures nothing
new_repository
all_is_well
launch
expect_equal "no display" "$status" 0
expect "no display" "$said" '^No display was found'
for name in pmpp-simple pmpp-convergent pmpp-shared; do
    expect "no display" "$said" "^program report $name --n 256$"
    expect "no display" "$said" "^  build/pictures/$name-step-2\.png$"
done
launch
expect_equal "second run" "$status" 0
expect "second run" "$said" 'Configuring release: nothing changed'
expect "one configuration" "$(grep -c -e --preset "$repo/calls")" '^1$'
tool nvidia-smi <<<'echo "GPU 0: a GPU"'
tool nvcc </dev/null
launch
expect_none "a GPU came" "$said" 'nothing changed'
echo 'build warptree_cuda.so' >"$repo/build/release/build.ninja"
launch
expect "a GPU that is known" "$said" 'Configuring release: nothing changed'

# A display: the window, with nothing else; arguments are passed on
with=(LC_ALL=C DISPLAY=:7)
launch
expect "window" "$said" '^program *$'
expect_none "window" "$said" 'program report'
launch report pmpp-shared --n 16
expect "arguments" "$said" '^program report pmpp-shared --n 16$'
said=$(cd "$work" && env -i PATH="$repo/bin" "${with[@]}" bash "$repo/launch" report pmpp-shared --json 2>/dev/null)
expect_equal "standard output is the program's alone" "$said" 'program report pmpp-shared --json'
with=(LC_ALL=C)

# A failing build names its first error; a moved folder is configured again
tool cmake <<<'echo "FAILED: a.o"; echo "/x/a.cpp:3:5: error: no such thing"; exit 1'
launch
expect_equal "failing build" "$status" 1
expect "failing build" "$said" '^launch: The build failed: .*a\.cpp:3:5: error: no such thing.*build-release\.log\.$'
all_is_well
echo "CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere" >"$repo/build/release/CMakeCache.txt"
launch
expect_equal "moved folder" "$status" 0
expect_none "moved folder" "$said" 'nothing changed'

# Tests: what the programs skipped is counted; the last line is ctest's; a failure is shown, gives 1
launch test
expect_equal "test" "$status" 0
expect_none "no cases" "$said" 'cases passed'
for preset in ci asan tsan; do
    mkdir -p "$repo/build/$preset/Testing/Temporary"
    printf '[  PASSED  ] 20 tests.\na.cpp:3: Skipped\nThere is no GPU.\n[  PASSED  ] 1 test.\n[  SKIPPED ] 1 test.\n' \
        >"$repo/build/$preset/Testing/Temporary/LastTest.log"
done
launch test
expect "cases" "$said" '^63 cases passed, 3 were skipped:$'
expect "cases" "$said" '^  3 times: There is no GPU\.$'
expect "test" "${said##*$'\n'}" '^100% tests passed, 0 tests failed out of 7$'
tool ctest <<<'printf "    Start 1: a\n1/2 Test #1: a ...   Passed    0.01 sec\n2/2 Test #2: b ...***Failed    0.01 sec\nbecause\n"; exit 8'
launch test
expect_equal "failing test" "$status" 1
expect_none "failing test" "$said" 'cases passed'
expect "failing test" "$said" '^because$'
expect_none "failing test" "$said" 'Passed'
expect_none "failing test" "$said" '100% tests passed'

launch deb
expect_equal "no cpack" "$status" 1
expect "no cpack" "$said" '^launch: The packages could not be made: .*cpack.*pack\.log\.$'
tool cpack <<<'echo "CPack: - package: $PWD/warptree_1_amd64.deb generated."'
ln -sf "$(command -v env)" "$repo/bin/env"
launch deb
expect_equal "deb" "$status" 0
expect "deb" "$said" '^build/release/warptree_1_amd64\.deb$'
expect "deb" "$(cat "$repo/calls")" '^cpack -G DEB$'

# web: only it asks for Emscripten
launch web
expect_equal "web" "$status" 0
expect "web" "$said" 'Ready: the site build/web '
expect "web" "$(cat "$repo/calls")" '^cmake .*--preset web$'
expect "web" "$(cat "$repo/calls")" '^dpkg-query .*emscripten'
: >"$repo/calls"
launch list
expect_none "list" "$(cat "$repo/calls")" 'emscripten'
launch web now
expect_equal "web with an argument" "$status" 1
launch clean
expect_equal "clean" "$status" 0
if [[ -e $repo/build/release ]]; then expect "clean" "build/release is still there" '^$'; fi

if ((failures)); then
    echo "$failures expectations failed."
    exit 1
fi
echo "launch: all expectations met."
