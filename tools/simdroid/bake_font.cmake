# The letters that the simulated phone's screens are drawn with become a source of the simdroid library.
add_executable(bake_font ${PROJECT_SOURCE_DIR}/tools/bake_font.cpp)
target_compile_options(bake_font PRIVATE -iquote${PROJECT_SOURCE_DIR}/tools)
target_link_libraries(bake_font PRIVATE stb warnings)
set(baked_font ${CMAKE_CURRENT_BINARY_DIR}/baked_font.cpp)
add_custom_command(OUTPUT ${baked_font} COMMAND bake_font ${DEJAVU_FONT} ${baked_font}
  DEPENDS bake_font ${DEJAVU_FONT} VERBATIM)
target_sources(simdroid PRIVATE ${baked_font})
