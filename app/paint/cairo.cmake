# The exporter to slides: scenes to PNG, SVG and PDF with Cairo. Knows no Dear ImGui.
if(NOT TARGET warptree_cairo)
    warptree_library(warptree_cairo ${CMAKE_CURRENT_LIST_DIR}/cairo_painter.cpp LINK warptree_theme warptree_scene fmt::fmt PkgConfig::cairo)
endif()
