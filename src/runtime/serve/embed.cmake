# openapi_schemas.json becomes a string literal of the serve library.
set(schemas_file ${CMAKE_CURRENT_LIST_DIR}/openapi_schemas.json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${schemas_file})
file(READ ${schemas_file} schemas_text)
string(CONCAT schemas_source "#include \"runtime/serve/route_table.hpp\"\n\nnamespace clawperator::serve {\n\n"
  "const std::string_view kOpenApiSchemas = R\"JSON(${schemas_text})JSON\";\n\n}  // namespace clawperator::serve\n")
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/openapi_schemas.cpp CONTENT "${schemas_source}" @ONLY)
target_sources(serve PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/openapi_schemas.cpp)
