# cmake --install: the program, which has its lessons and what was measured within it, and the package for
# find_package(warptree): libraries and headers to record kernels of one's own with, and to read traces.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

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
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET warptree)
    if(TARGET warptree_runner)
        install(TARGETS warptree_runner RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/warptree/foreign)
        install(DIRECTORY ${PROJECT_SOURCE_DIR}/instrumentation/foreign/cuda
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/warptree/foreign)
    endif()
    if(TARGET warptree_cuda)  # the prefix may be /usr, whose libraries Debian has in a folder of the machine's kind
        install(TARGETS warptree_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/warptree)
        file(RELATIVE_PATH from_program /usr/${CMAKE_INSTALL_BINDIR} /usr/${CMAKE_INSTALL_LIBDIR}/warptree)
        set_target_properties(warptree PROPERTIES INSTALL_RPATH "$ORIGIN/${from_program}")
    endif()
    install(TARGETS warptree RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
