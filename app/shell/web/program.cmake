# The web edition's program. The functions of kernels' threads, which may wait, are made able to: see fibre_wasm.cpp. They
# are found from it up; two calls on the way are by pointer, and named.
set(waits "*simt*lane_entry*,*simt*Body*__invoke*")
set(linked ${CMAKE_BINARY_DIR}/linked)  # before that
set_target_properties(warptree PROPERTIES SUFFIX .js RUNTIME_OUTPUT_DIRECTORY ${linked})

# Its fonts, with the letters and signs that texts here have and people may write: Latin, Greek, Cyrillic, arrows, shapes.
find_program(WARPTREE_SUBSET pyftsubset REQUIRED NO_CMAKE_FIND_ROOT_PATH)
set(fonts "")
set(embedded "")
foreach(font opentype/inter/Inter-Regular.otf opentype/inter/Inter-SemiBold.otf truetype/jetbrains-mono/JetBrainsMono-Regular.ttf
        truetype/jetbrains-mono/JetBrainsMono-SemiBold.ttf truetype/dejavu/DejaVuSans.ttf)
    find_file(WARPTREE_FONT_${font} ${font} PATHS /usr/share/fonts REQUIRED NO_CMAKE_FIND_ROOT_PATH)
    get_filename_component(name ${font} NAME)
    set(small ${CMAKE_BINARY_DIR}/fonts/${name})
    set(letters 20-17F,370-3FF,400-45F,2000-22FF,25A0-25FF,2713-271A,FFFD)
    if(name MATCHES DejaVu)
        set(letters 2010-2060,2190-21FF,2200-22FF,2300-23FF,25A0-25FF,2600-2610,2713-271A,FFFD)  # signs that the others have not
    endif()
    add_custom_command(OUTPUT ${small} COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/fonts
        COMMAND ${WARPTREE_SUBSET} ${WARPTREE_FONT_${font}} --unicodes=${letters} --layout-features= --output-file=${small}
        COMMENT "Making ${name} small" VERBATIM)
    list(APPEND fonts ${small})
    list(APPEND embedded "SHELL:--embed-file ${small}@/fonts/${name}")
endforeach()
add_custom_target(warptree_fonts DEPENDS ${fonts})
add_dependencies(warptree warptree_fonts)

set(scripts ${CMAKE_CURRENT_LIST_DIR}/asyncify.js ${CMAKE_CURRENT_LIST_DIR}/start.js ${CMAKE_CURRENT_LIST_DIR}/page.js)
target_link_options(warptree PRIVATE -O1 -g2 -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB -sTOTAL_STACK=1MB
    -sEXIT_RUNTIME=1 -sENVIRONMENT=web,worker,node -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2
    -sEXPORTED_RUNTIME_METHODS=ccall,FS -lnodefs.js --js-library=${CMAKE_CURRENT_LIST_DIR}/asyncify.js
    --pre-js=${CMAKE_CURRENT_LIST_DIR}/start.js --pre-js=${CMAKE_CURRENT_LIST_DIR}/page.js ${embedded})
set_target_properties(warptree PROPERTIES LINK_DEPENDS "${scripts};${fonts}")
find_program(WARPTREE_WASM_OPT wasm-opt REQUIRED NO_CMAKE_FIND_ROOT_PATH)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/warptree.wasm ${CMAKE_BINARY_DIR}/warptree.js
    COMMAND ${WARPTREE_WASM_OPT} ${linked}/warptree.wasm --all-features --asyncify --pass-arg=asyncify-ignore-imports
            --pass-arg=asyncify-ignore-indirect "--pass-arg=asyncify-addlist@${waits}" -O1 --strip-debug
            -o ${CMAKE_BINARY_DIR}/warptree.wasm
    COMMAND ${CMAKE_COMMAND} -E copy ${linked}/warptree.js ${CMAKE_CURRENT_LIST_DIR}/index.html ${CMAKE_BINARY_DIR}
    DEPENDS warptree ${CMAKE_CURRENT_LIST_DIR}/index.html COMMENT "Making kernels' threads able to wait" VERBATIM)
# All of it in one page, into which `warptree export` puts what to open
find_program(WARPTREE_NODE NAMES node nodejs REQUIRED NO_CMAKE_FIND_ROOT_PATH)
set(page ${CMAKE_CURRENT_LIST_DIR}/index.html)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/warptree.html
    COMMAND ${WARPTREE_NODE} ${CMAKE_CURRENT_LIST_DIR}/one_file.js ${page} ${CMAKE_BINARY_DIR}/warptree.js
            ${CMAKE_BINARY_DIR}/warptree.wasm ${CMAKE_BINARY_DIR}/warptree.html
    DEPENDS ${CMAKE_BINARY_DIR}/warptree.js ${CMAKE_CURRENT_LIST_DIR}/one_file.js ${page} COMMENT "Making one page" VERBATIM)
add_custom_target(warptree_web ALL DEPENDS ${CMAKE_BINARY_DIR}/warptree.html)
