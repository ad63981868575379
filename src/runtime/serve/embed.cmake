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

# embed_page(LIBRARY): the files of web/dist become the bytes of runtime/serve/page_files.hpp, compressed where the name ends with
# Gzip.
function(embed_page library)
  set(source "#include \"runtime/serve/page_files.hpp\"\n\nnamespace clawperator::serve {\n\n")
  foreach(pair index.html=kPageHtml app.js=kPageScriptGzip app.css=kPageStyleGzip icon.svg=kPageIcon)
    string(REPLACE "=" ";" pair ${pair})
    list(GET pair 0 name)
    list(GET pair 1 constant)
    set(file ${PROJECT_SOURCE_DIR}/web/dist/${name})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    if(constant MATCHES "Gzip$")
      set(packed ${CMAKE_CURRENT_BINARY_DIR}/${name}.gz)
      file(ARCHIVE_CREATE OUTPUT ${packed} PATHS ${file} FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
      file(READ ${packed} bytes HEX)
      # RFC 1952: the bytes 4 to 7 are the time of the packing, which every build has another of.
      string(SUBSTRING "${bytes}" 0 8 head)
      string(SUBSTRING "${bytes}" 16 -1 rest)
      set(bytes "${head}00000000${rest}")
    else()
      file(READ ${file} bytes HEX)
    endif()
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND source "constexpr unsigned char ${constant}Bytes[] = {${bytes}};\n"
      "const std::string_view ${constant}{reinterpret_cast<const char*>(${constant}Bytes), sizeof ${constant}Bytes};\n")
  endforeach()
  string(APPEND source "\n}  // namespace clawperator::serve\n")
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${library}_page.cpp)
  file(GENERATE OUTPUT ${output} CONTENT "${source}")
  target_sources(${library} PRIVATE ${output})
endfunction()
