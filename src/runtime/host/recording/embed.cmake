# The parts of the page (web/recording) become string literals of the host library. The page names
# the hash of its style sheet in its Content-Security-Policy.
set(page_folder ${PROJECT_SOURCE_DIR}/web/recording)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page_folder}/page.html ${page_folder}/style.css)
file(READ ${page_folder}/page.html page_text)
file(READ ${page_folder}/style.css style_text)

# Base64 of the SHA-256: CMake only prints it in hex.
set(base64_digits "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
string(SHA256 style_hex "${style_text}")
string(APPEND style_hex "00")  # 32 bytes are 10 groups of three and two bytes
set(style_hash "")
foreach(group RANGE 10)
  math(EXPR at "${group} * 6")
  string(SUBSTRING "${style_hex}" ${at} 6 group_hex)
  foreach(shift 18 12 6 0)
    math(EXPR digit "(0x${group_hex} >> ${shift}) & 63")
    string(SUBSTRING "${base64_digits}" ${digit} 1 letter)
    string(APPEND style_hash "${letter}")
  endforeach()
endforeach()
string(REGEX REPLACE ".$" "=" style_hash "${style_hash}")

set(page_source "#include \"runtime/host/recording/page_parts.hpp\"\n\nnamespace clawperator {\n\n")
string(APPEND page_source "const std::string_view kPageFrame = R\"PART(${page_text})PART\";\n\n")
string(APPEND page_source "const std::string_view kPageStyle = R\"PART(${style_text})PART\";\n\n")
string(APPEND page_source "const std::string_view kPageStyleHash = \"sha256-${style_hash}\";\n\n}  // namespace clawperator\n")
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/recording_page_parts.cpp CONTENT "${page_source}" @ONLY)
target_sources(host PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/recording_page_parts.cpp)
