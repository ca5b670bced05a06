# Generates the OpenGL 3.3 core and EGL loader with glad 2, offline, at build time: target warptree_glad.
# Needs the program `glad` (Debian: python3-glad; elsewhere: pip install glad2).
enable_language(C)

find_program(WARPTREE_GLAD glad)
if(NOT WARPTREE_GLAD)
    message(FATAL_ERROR "The program glad was not found. It makes the OpenGL loader: install python3-glad "
        "(Debian, Ubuntu) or `pip install glad2`, or configure with -DWARPTREE_APP=OFF to build without the app.")
endif()

set(warptree_glad_dir ${CMAKE_BINARY_DIR}/glad)
set(warptree_glad_extensions ${warptree_glad_dir}/extensions.txt)
file(CONFIGURE OUTPUT ${warptree_glad_extensions} CONTENT
"EGL_EXT_platform_base
EGL_EXT_platform_device
EGL_EXT_device_base
EGL_EXT_device_enumeration
EGL_EXT_device_query
EGL_KHR_surfaceless_context
EGL_MESA_platform_surfaceless
")
set(warptree_glad_sources ${warptree_glad_dir}/src/gl.c ${warptree_glad_dir}/src/egl.c)
add_custom_command(
    OUTPUT ${warptree_glad_sources} ${warptree_glad_dir}/include/glad/gl.h ${warptree_glad_dir}/include/glad/egl.h
    COMMAND ${WARPTREE_GLAD} --quiet --reproducible --api gl:core=3.3,egl=1.5
            --extensions ${warptree_glad_extensions} --out-path ${warptree_glad_dir} c --loader
    DEPENDS ${warptree_glad_extensions}
    COMMENT "Generating the OpenGL and EGL loader"
    VERBATIM)

add_library(warptree_glad STATIC ${warptree_glad_sources})
target_include_directories(warptree_glad SYSTEM PUBLIC ${warptree_glad_dir}/include)
target_compile_definitions(warptree_glad PUBLIC EGL_NO_X11)
target_link_libraries(warptree_glad PUBLIC ${CMAKE_DL_LIBS})
