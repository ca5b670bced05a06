# The web edition's program. The functions of kernels' threads, which may wait, are made able to: see fibre_wasm.cpp. They
# are found from it up; two calls on the way are by pointer, and named.
set(waits "*simt*lane_entry*,*simt*Body*__invoke*")
set(linked ${CMAKE_BINARY_DIR}/linked)  # before that
set_target_properties(warptree PROPERTIES SUFFIX .js RUNTIME_OUTPUT_DIRECTORY ${linked})
target_link_options(warptree PRIVATE -O1 -g2 -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB -sTOTAL_STACK=1MB
    -sEXIT_RUNTIME=1 -sENVIRONMENT=web,node -lnodefs.js
    --js-library=${CMAKE_CURRENT_LIST_DIR}/asyncify.js --pre-js=${CMAKE_CURRENT_LIST_DIR}/start.js)
set_target_properties(warptree PROPERTIES LINK_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/asyncify.js;${CMAKE_CURRENT_LIST_DIR}/start.js")
find_program(WARPTREE_WASM_OPT wasm-opt REQUIRED NO_CMAKE_FIND_ROOT_PATH)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/warptree.wasm ${CMAKE_BINARY_DIR}/warptree.js
    COMMAND ${WARPTREE_WASM_OPT} ${linked}/warptree.wasm --all-features --asyncify --pass-arg=asyncify-ignore-imports
            --pass-arg=asyncify-ignore-indirect "--pass-arg=asyncify-addlist@${waits}" -O1 --strip-debug
            -o ${CMAKE_BINARY_DIR}/warptree.wasm
    COMMAND ${CMAKE_COMMAND} -E copy ${linked}/warptree.js ${CMAKE_BINARY_DIR}/warptree.js
    DEPENDS warptree COMMENT "Making kernels' threads able to wait" VERBATIM)
add_custom_target(warptree_web ALL DEPENDS ${CMAKE_BINARY_DIR}/warptree.js)
