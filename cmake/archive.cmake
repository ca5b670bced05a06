# What an archive has, as cpack reads it for each generator: the program and libraries that other distributions may not have.
if(CPACK_GENERATOR STREQUAL TXZ)
    set(CPACK_COMPONENTS_ALL program libraries)
    set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
    set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
    set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
    set(CPACK_PACKAGING_INSTALL_PREFIX /)
endif()
