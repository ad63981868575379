# embed_schemas(LIBRARY FOLDER NAMESPACE NAME HEADER): FOLDER/openapi_schemas.json becomes the string literal NAMESPACE::NAME
# of a library; HEADER declares it.
function(embed_schemas library folder namespace name header)
  set(file ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/openapi_schemas.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  string(CONCAT source "#include \"${header}\"\n\nnamespace ${namespace} {\n\n"
    "const std::string_view ${name} = R\"JSON(${text})JSON\";\n\n}  // namespace ${namespace}\n")
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${library}_schemas.cpp)
  file(CONFIGURE OUTPUT ${output} CONTENT "${source}" @ONLY)
  target_sources(${library} PRIVATE ${output})
endfunction()
