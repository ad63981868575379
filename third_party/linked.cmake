# A file of each Debian package whose code becomes part of our programs. Its version stands in `clawperator version
# --json`, its licence text in share/doc/PROGRAM/linked/PACKAGE.copyright.
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libstdc++.a
  OUTPUT_VARIABLE LIBSTDCXX_ARCHIVE OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libgcc.a
  OUTPUT_VARIABLE LIBGCC_ARCHIVE OUTPUT_STRIP_TRAILING_WHITESPACE)
find_path(JSON_INCLUDE nlohmann/json.hpp)
find_path(CLI11_INCLUDE CLI/CLI.hpp)

set(LINKED_INTO_SIMDROID ${ASIO_INCLUDE}/asio.hpp ${JSON_INCLUDE}/nlohmann/json.hpp ${CLI11_INCLUDE}/CLI/CLI.hpp
  ${PUGIXML_LIBRARY} ${ZLIB_LIBRARY} ${sodium_library_sodium} ${lz4_library_lz4} ${STB_INCLUDE}/stb_easy_font.h
  ${LIBSTDCXX_ARCHIVE} ${LIBGCC_ARCHIVE})
if(XXHASH_LIBRARY)
  list(APPEND LINKED_INTO_SIMDROID ${XXHASH_LIBRARY})
endif()
set(LINKED_INTO_CLAWPERATOR ${LINKED_INTO_SIMDROID} ${SPDLOG_INCLUDE}/spdlog/spdlog.h ${FMT_INCLUDE}/fmt/core.h
  ${BOOST_INCLUDE}/boost/version.hpp)
list(APPEND LINKED_INTO_SIMDROID ${DEJAVU_FONT})
