# The libraries of the web edition, where find_package() and pkg_check_modules() look for them. Those of headers alone are the
# system's; the others are compiled from Debian's source packages, which apt fetches into the build's folder.
set(sources ${CMAKE_BINARY_DIR}/sources)

# warptree_source(PACKAGE VARIABLE): the folder of a source package, unpacked with Debian's patches.
function(warptree_source package variable)
    file(GLOB found LIST_DIRECTORIES ON ${sources}/${package}/${package}-*)
    if(NOT found)
        set(apt -o Dir::Etc::SourceList=${sources}/apt.list -o Dir::Etc::SourceParts=${sources}/apt -o Dir::State=${sources}/state
            -o Dir::Cache=${sources}/cache -o Acquire::Retries=3 -o APT::Sandbox::User=)
        if(NOT EXISTS ${sources}/apt)  # where the system gets its packages there are their sources, too
            file(MAKE_DIRECTORY ${sources}/apt ${sources}/state/lists/partial ${sources}/cache/archives/partial)
            file(WRITE ${sources}/apt.list "")
            file(GLOB lists /etc/apt/sources.list /etc/apt/sources.list.d/*)
            foreach(list IN LISTS lists)
                file(READ ${list} text)
                string(REGEX REPLACE "(Types: |\n)deb([ \n])" "\\1deb-src\\2" text "\n${text}")
                get_filename_component(name ${list} NAME)
                file(WRITE ${sources}/apt/${name} "${text}")
            endforeach()
            message(STATUS "Fetching the index of source packages")
            execute_process(COMMAND apt-get ${apt} update OUTPUT_QUIET ERROR_QUIET)
        endif()
        message(STATUS "Fetching the source package ${package}")
        file(MAKE_DIRECTORY ${sources}/${package})
        execute_process(COMMAND apt-get ${apt} source --only-source ${package} WORKING_DIRECTORY ${sources}/${package}
            RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE said)
        file(GLOB found LIST_DIRECTORIES ON ${sources}/${package}/${package}-*)
        if(failed OR NOT found)
            file(REMOVE_RECURSE ${sources}/apt ${sources}/${package})
            message(FATAL_ERROR "The source package ${package} could not be fetched; it takes apt-get, dpkg-source (dpkg-dev) and "
                "the network. apt-get says: ${said}")
        endif()
    endif()
    set(${variable} ${found} PARENT_SCOPE)
endfunction()

# A library of sources that are not ours to warn of.
function(warptree_foreign_library name)
    add_library(${name} STATIC EXCLUDE_FROM_ALL ${ARGN})
    set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
    target_compile_options(${name} PRIVATE -w)
endfunction()

# A library of headers in a folder of /usr/include, where much is that is not for the web: a link to that folder alone.
function(warptree_headers name header)
    find_path(WARPTREE_${name} ${header} PATHS /usr/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
    get_filename_component(folder ${header} DIRECTORY)
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/headers/${folder})
    file(CREATE_LINK ${WARPTREE_${name}}/${folder} ${CMAKE_BINARY_DIR}/headers/${folder}/${folder} SYMBOLIC)
    add_library(${name} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${name} INTERFACE ${CMAKE_BINARY_DIR}/headers/${folder})
endfunction()

function(warptree_zlib)
    warptree_source(zlib zlib)
    set(parts adler32 crc32 deflate inffast inflate inftrees trees zutil)
    list(TRANSFORM parts REPLACE "(.+)" "${zlib}/\\1.c")
    warptree_foreign_library(web_zlib ${parts})
    target_include_directories(web_zlib PUBLIC ${zlib})
endfunction()

function(warptree_libzip)
    warptree_zlib()
    warptree_source(libzip libzip)
    file(GLOB parts ${libzip}/lib/*.c)
    list(FILTER parts EXCLUDE REGEX "win32|uwp|crypto_|winzip|algorithm_(bzip2|xz)|libzip_version|clone")
    set(made ${CMAKE_BINARY_DIR}/generated/libzip)
    file(CONFIGURE OUTPUT ${made}/zipconf.h CONTENT "#include <stdint.h>
typedef int8_t zip_int8_t; typedef uint8_t zip_uint8_t; typedef int16_t zip_int16_t; typedef uint16_t zip_uint16_t;
typedef int32_t zip_int32_t; typedef uint32_t zip_uint32_t; typedef int64_t zip_int64_t; typedef uint64_t zip_uint64_t;
#define ZIP_STATIC
#define ZIP_NULLABLE
#define ZIP_INT8_MIN INT8_MIN\n#define ZIP_INT8_MAX INT8_MAX\n#define ZIP_UINT8_MAX UINT8_MAX
#define ZIP_INT16_MIN INT16_MIN\n#define ZIP_INT16_MAX INT16_MAX\n#define ZIP_UINT16_MAX UINT16_MAX
#define ZIP_INT32_MIN INT32_MIN\n#define ZIP_INT32_MAX INT32_MAX\n#define ZIP_UINT32_MAX UINT32_MAX
#define ZIP_INT64_MIN INT64_MIN\n#define ZIP_INT64_MAX INT64_MAX\n#define ZIP_UINT64_MAX UINT64_MAX\n")
    set(has FILENO FSEEKO FTELLO LOCALTIME_R MKSTEMP SNPRINTF STRCASECMP STRDUP STRTOLL STRTOULL STDBOOL_H STRINGS_H UNISTD_H DIRENT_H
        NULLABLE)
    list(TRANSFORM has REPLACE "(.+)" "#define HAVE_\\1 1\n")
    list(JOIN has "" has)
    file(CONFIGURE OUTPUT ${made}/config.h CONTENT "#include <zipconf.h>\n@has@#define SIZEOF_OFF_T 8\n#define SIZEOF_SIZE_T 4\n" @ONLY)
    # The sentences of its errors are comments of its header
    file(STRINGS ${libzip}/lib/zip.h errors REGEX "^#define ZIP_ER_[A-Z_]+ [0-9]+")
    set(rows "")
    set(kinds "")
    foreach(error IN LISTS errors)
        string(REGEX MATCH "/\\* ([NSZ]+) (.*) \\*/" ignored "${error}")
        string(APPEND rows "    \"${CMAKE_MATCH_2}\",\n")
        string(APPEND kinds "    ${CMAKE_MATCH_1},\n")
    endforeach()
    file(CONFIGURE OUTPUT ${made}/zip_err_str.c CONTENT "#include \"zipint.h\"\nconst char * const _zip_err_str[] = {\n@rows@};
const int _zip_nerr_str = sizeof(_zip_err_str) / sizeof(_zip_err_str[0]);
#define N ZIP_ET_NONE\n#define S ZIP_ET_SYS\n#define Z ZIP_ET_ZLIB\nconst int _zip_err_type[] = {\n@kinds@};\n" @ONLY)
    warptree_foreign_library(web_libzip ${parts} ${made}/zip_err_str.c)
    target_include_directories(web_libzip PUBLIC ${libzip}/lib ${made})
    target_compile_definitions(web_libzip PRIVATE HAVE_CONFIG_H)
    target_link_libraries(web_libzip PRIVATE web_zlib)
endfunction()

# Of GMP the small one that comes with it, under gmpxx.h beside this file: the numbers here have a few thousand digits at most.
function(warptree_gmpxx)
    warptree_source(gmp gmp)
    warptree_foreign_library(web_gmpxx ${gmp}/mini-gmp/mini-gmp.c)
    target_include_directories(web_gmpxx PUBLIC ${gmp}/mini-gmp ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/include)
endfunction()

function(warptree_freetype)
    warptree_source(freetype freetype)
    set(made ${CMAKE_BINARY_DIR}/generated/freetype)
    set(modules autofit_module_class,Module sfnt_module_class,Module psaux_module_class,Module psnames_module_class,Module
        pshinter_module_class,Module tt_driver_class,Driver cff_driver_class,Driver ft_smooth_renderer_class,Renderer)
    list(TRANSFORM modules REPLACE "(.+),Module" "FT_USE_MODULE(FT_Module_Class, \\1)\n")
    list(TRANSFORM modules REPLACE "(.+),Driver" "FT_USE_MODULE(FT_Driver_ClassRec, \\1)\n")
    list(TRANSFORM modules REPLACE "(.+),Renderer" "FT_USE_MODULE(FT_Renderer_Class, \\1)\n")
    list(JOIN modules "" modules)
    file(CONFIGURE OUTPUT ${made}/modules.h CONTENT "${modules}")
    file(CONFIGURE OUTPUT ${made}/options.h CONTENT "#include <freetype/config/ftoption.h>\n#undef FT_CONFIG_OPTION_USE_ZLIB
#undef FT_CONFIG_OPTION_USE_LZW\n#undef FT_CONFIG_OPTION_MAC_FONTS\n")
    set(parts base/ftbase base/ftinit base/ftsystem base/ftdebug base/ftbitmap base/ftglyph base/ftmm truetype/truetype cff/cff
        psaux/psaux psnames/psnames pshinter/pshinter sfnt/sfnt smooth/smooth autofit/autofit)
    list(TRANSFORM parts REPLACE "(.+)" "${freetype}/src/\\1.c")
    warptree_foreign_library(web_freetype ${parts})
    target_include_directories(web_freetype PUBLIC ${freetype}/include PRIVATE ${made})
    target_compile_definitions(web_freetype PRIVATE FT2_BUILD_LIBRARY "FT_CONFIG_MODULES_H=<modules.h>"
        "FT_CONFIG_OPTIONS_H=<options.h>")
endfunction()

function(warptree_imgui)
    warptree_source(imgui imgui)
    warptree_foreign_library(web_imgui ${imgui}/imgui.cpp ${imgui}/imgui_draw.cpp ${imgui}/imgui_tables.cpp ${imgui}/imgui_widgets.cpp
        ${imgui}/backends/imgui_impl_opengl3.cpp)
    target_include_directories(web_imgui PUBLIC ${imgui})
    target_compile_definitions(web_imgui PUBLIC ImDrawIdx=unsigned PRIVATE IMGUI_IMPL_OPENGL_ES3)
endfunction()

function(warptree_csv)
    warptree_source(libcsv libcsv)
    warptree_foreign_library(web_csv ${libcsv}/libcsv.c)
    set(csv_headers ${libcsv} CACHE INTERNAL "")
    set(csv_library web_csv CACHE INTERNAL "")
endfunction()

# pkg_check_modules(NAME ...): the target PkgConfig::NAME, where the web has it.
function(pkg_check_modules name)
    if(name MATCHES "^(libzip|gmpxx|imgui|freetype)$")
        if(NOT TARGET web_${name})
            cmake_language(CALL warptree_${name})
        endif()
        add_library(PkgConfig::${name} ALIAS web_${name})
    elseif(name STREQUAL tomlplusplus)
        warptree_headers(PkgConfig::tomlplusplus toml++/toml.h)
    else()
        set(${name}_FOUND "" PARENT_SCOPE)
        return()
    endif()
    set(${name}_FOUND 1 PARENT_SCOPE)
endfunction()

macro(warptree_provide method name)
    if("${name}" STREQUAL "PkgConfig")
        set(${name}_FOUND 1)
    elseif("${name}" STREQUAL "fmt")
        enable_language(C)
        warptree_csv()
        warptree_headers(fmt::fmt fmt/format.h)
        target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
        set(fmt_FOUND 1)
    elseif("${name}" STREQUAL "tl-expected")
        warptree_headers(tl::expected tl/expected.hpp)
        set(tl-expected_FOUND 1)
    elseif("${name}" STREQUAL "nlohmann_json")
        warptree_headers(nlohmann_json::nlohmann_json nlohmann/json.hpp)
        set(nlohmann_json_FOUND 1)
    elseif("${name}" STREQUAL "CLI11")
        warptree_headers(CLI11::CLI11 CLI/CLI.hpp)
        set(CLI11_FOUND 1)
    endif()
endmacro()
cmake_language(SET_DEPENDENCY_PROVIDER warptree_provide SUPPORTED_METHODS FIND_PACKAGE)
