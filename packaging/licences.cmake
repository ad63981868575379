# The licence texts of what is linked in come from the system that builds it.
foreach(program clawperator simdroid)
  string(TOUPPER ${program} upper)
  install(CODE "
    include(\"${packaging}/copy_licences.cmake\")
    copy_licences(\"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/doc/${program}/linked\"
      \"${LINKED_INTO_${upper}}\")
  " COMPONENT ${program})
endforeach()
