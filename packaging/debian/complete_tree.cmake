# Run by cpack between installing and packing: what Debian wants of a package beside what is installed, and modes that
# do not depend on who builds.
set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
file(STRINGS /etc/os-release codename REGEX "^VERSION_CODENAME=")
string(REGEX REPLACE ".*=" "" codename "${codename}")
execute_process(COMMAND date -u -R -d "${CPACK_CLAWPERATOR_DATE}"
  OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

# Written and compressed without a time of its own.
function(write_compressed file text)
  file(WRITE ${file} "${text}")
  execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(part clawperator simdroid)
  string(TOUPPER ${part} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(usr ${CPACK_TEMPORARY_DIRECTORY}/${part}/usr)
  set(doc ${usr}/share/doc/${package})
  if(NOT part STREQUAL package)
    file(RENAME ${usr}/share/doc/${part} ${doc})
  endif()
  configure_file(${CMAKE_CURRENT_LIST_DIR}/copyright ${doc}/copyright COPYONLY)
  write_compressed(${doc}/changelog.Debian "${package} (${version}) ${codename}; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}.
    What is new stands in changelog.gz of the package clawperator.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${package}.lintian-overrides ${usr}/share/lintian/overrides/${package} COPYONLY)
  file(GLOB pages ${usr}/share/man/man1/*.1)
  execute_process(COMMAND gzip -9nf ${pages} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND chmod -R u=rwX,go=rX ${usr} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
set(doc ${CPACK_TEMPORARY_DIRECTORY}/clawperator/usr/share/doc/clawperator)
configure_file(${CPACK_CLAWPERATOR_SOURCE}/CHANGELOG.md ${doc}/changelog COPYONLY)
execute_process(COMMAND gzip -9nf ${doc}/changelog COMMAND_ERROR_IS_FATAL ANY)
