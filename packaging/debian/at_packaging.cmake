# Read by cpack before it packs. The libraries that are loaded by name are recommended, by the names that this release
# of Debian has for them.
set(ENV{TZ} UTC)
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(COMMAND date -u -d "${CPACK_CLAWPERATOR_DATE}" +%s
    OUTPUT_VARIABLE epoch OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(ENV{SOURCE_DATE_EPOCH} ${epoch})
endif()

if(NOT CPACK_DEBIAN_PACKAGE_ARCHITECTURE)
  execute_process(COMMAND dpkg --print-architecture
    OUTPUT_VARIABLE CPACK_DEBIAN_PACKAGE_ARCHITECTURE OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()
execute_process(COMMAND ${CPACK_CLAWPERATOR_RUN} version --json OUTPUT_VARIABLE facts COMMAND_ERROR_IS_FATAL ANY)
string(JSON count LENGTH "${facts}" libraries loaded)
math(EXPR last "${count} - 1")
set(recommended "")
foreach(at RANGE ${last})
  string(JSON file GET "${facts}" libraries loaded ${at} file)
  execute_process(COMMAND dpkg-query -S "*/${file}" OUTPUT_VARIABLE owners COMMAND_ERROR_IS_FATAL ANY)
  # "libssl3:amd64: /usr/lib/x86_64-linux-gnu/libcrypto.so.3", of each architecture
  if(NOT owners MATCHES "(^|\n)([^:\n]+):${CPACK_DEBIAN_PACKAGE_ARCHITECTURE}: ")
    message(FATAL_ERROR "No package of ${CPACK_DEBIAN_PACKAGE_ARCHITECTURE} has ${file}: ${owners}")
  endif()
  list(APPEND recommended ${CMAKE_MATCH_2})
endforeach()
list(REMOVE_DUPLICATES recommended)
list(SORT recommended)
list(JOIN recommended ", " CPACK_DEBIAN_CLAWPERATOR_PACKAGE_RECOMMENDS)
