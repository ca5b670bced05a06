# cmake --install: the program, which has its lessons and what was measured within it, with what desktops and shells have of
# it; and the package for find_package(warptree): libraries and headers to record kernels of one's own with, and to read
# traces. cpack, in the build's folder, makes Debian packages of both.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)

set(parts value json exact log simt probe trace record counters graph replay)
list(TRANSFORM parts PREPEND warptree_ OUTPUT_VARIABLE libraries)
foreach(part IN LISTS parts)
    set_target_properties(warptree_${part} PROPERTIES EXPORT_NAME ${part})
    target_compile_features(warptree_${part} INTERFACE cxx_std_20)
endforeach()
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/warptree)
install(TARGETS ${libraries} EXPORT warptree
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/warptree)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/instrumentation DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/warptree
    FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh" PATTERN "*testing.hpp" EXCLUDE PATTERN testdata EXCLUDE PATTERN judge EXCLUDE PATTERN request EXCLUDE
    PATTERN run EXCLUDE
    PATTERN csv EXCLUDE)
install(EXPORT warptree NAMESPACE warptree:: FILE warptreeTargets.cmake DESTINATION ${package})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/warptreeConfig.cmake.in
    ${PROJECT_BINARY_DIR}/generated/warptreeConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/warptreeConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/warptreeConfig.cmake
    ${PROJECT_BINARY_DIR}/generated/warptreeConfigVersion.cmake DESTINATION ${package})
if(TARGET warptree)
    set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
    install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
    if(TARGET warptree_runner)
        install(TARGETS warptree_runner RUNTIME_DEPENDENCY_SET needed
            RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/warptree/foreign)
        set_target_properties(warptree_runner PROPERTIES INSTALL_RPATH "$ORIGIN/..")
        install(DIRECTORY ${PROJECT_SOURCE_DIR}/instrumentation/foreign/cuda
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/warptree/foreign)
    endif()
    if(TARGET warptree_cuda)
        install(TARGETS warptree_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/warptree)
    endif()
    # The prefix may be /usr, whose libraries Debian has in a folder of the machine's kind
    file(RELATIVE_PATH from_program /usr/${CMAKE_INSTALL_BINDIR} /usr/${CMAKE_INSTALL_LIBDIR}/warptree)
    set_target_properties(warptree PROPERTIES INSTALL_RPATH "$ORIGIN/${from_program}")
    install(TARGETS warptree RUNTIME_DEPENDENCY_SET needed RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    # For other distributions, in an archive: libraries that they have not or have otherwise; those that go with the
    # system's graphics are the system's
    if(CMAKE_SYSTEM_NAME STREQUAL Linux)
        target_link_options(warptree PRIVATE -Wl,--disable-new-dtags)  # they are where those are found that they need
        install(RUNTIME_DEPENDENCY_SET needed
            PRE_EXCLUDE_REGEXES "^(ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\\+\\+|z|expat|fontconfig|freetype|X.*|xcb|GL.*|EGL.*|bsd|md))[.]so"
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/warptree COMPONENT libraries EXCLUDE_FROM_ALL)
    endif()

    # Where the web edition was built, what pages for browsers are made of
    install(FILES ${PROJECT_SOURCE_DIR}/build/web/warptree.html DESTINATION ${CMAKE_INSTALL_DATADIR}/warptree OPTIONAL)

    # What the program says of itself
    set(told ${PROJECT_BINARY_DIR}/generated/told)
    file(MAKE_DIRECTORY ${told})
    foreach(to bash zsh fish man)
        add_custom_command(OUTPUT ${told}/${to} COMMAND warptree completion ${to} > ${told}/${to} DEPENDS warptree VERBATIM)
    endforeach()
    add_custom_target(warptree_told ALL DEPENDS ${told}/bash ${told}/zsh ${told}/fish ${told}/man)
    set(share ${CMAKE_INSTALL_DATADIR})
    install(FILES ${told}/bash DESTINATION ${share}/bash-completion/completions RENAME warptree)
    install(FILES ${told}/zsh DESTINATION ${share}/zsh/vendor-completions RENAME _warptree)
    install(FILES ${told}/fish DESTINATION ${share}/fish/vendor_completions.d RENAME warptree.fish)
    install(FILES ${told}/man DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 RENAME warptree.1)
    set(desktop ${PROJECT_SOURCE_DIR}/assets/desktop)
    install(FILES ${desktop}/warptree.desktop DESTINATION ${share}/applications)
    install(FILES ${desktop}/warptree.xml DESTINATION ${share}/mime/packages)
    install(FILES ${desktop}/warptree.metainfo.xml DESTINATION ${share}/metainfo)
    install(FILES ${desktop}/warptree.svg DESTINATION ${share}/icons/hicolor/scalable/apps)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/archive.cmake)
set(CPACK_PACKAGE_CONTACT "The developers of Warptree <warptree@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME warptree)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "fonts-inter, fonts-jetbrains-mono, libegl1, libgl1-mesa-dri")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS g++)  # for CUDA files of one's own
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS ffmpeg)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Instrumented kernels record active threads, divergent warps and requests to memory, and
Warptree replays them as a tree, with the counters of the textbook and of the hardware beside it. No GPU is needed.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libwarptree-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Libraries and headers to record kernels of one's own with, and to read traces.")
include(CPack)
