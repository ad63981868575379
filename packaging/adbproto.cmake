# The library adbproto as one archive of the rooms that it consists of, with their headers.
if(BUILD_SHARED_LIBS)
  return()
endif()
set(rooms base base_async base_system adbproto_wire adbproto_crypto adbproto_session adbproto_link adbproto_client)
list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
add_library(adbproto STATIC ${objects})
set_target_properties(adbproto PROPERTIES LINKER_LANGUAGE CXX)
install(TARGETS adbproto ARCHIVE COMPONENT adbproto)
foreach(folder base adbproto)
  # What only includes another library's header serves our own sources.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/clawperator
    COMPONENT adbproto FILES_MATCHING PATTERN *.hpp
    PATTERN openssl.hpp EXCLUDE PATTERN libusb_functions.hpp EXCLUDE)
endforeach()

include(CMakePackageConfigHelpers)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/adbproto)
set(has_xxhash OFF)
if(XXHASH_LIBRARY)
  set(has_xxhash ON)
endif()
configure_package_config_file(${packaging}/adbprotoConfig.cmake.in ${CMAKE_BINARY_DIR}/adbprotoConfig.cmake
  INSTALL_DESTINATION ${config_folder} PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/adbprotoConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/adbprotoConfig.cmake ${CMAKE_BINARY_DIR}/adbprotoConfigVersion.cmake
  DESTINATION ${config_folder} COMPONENT adbproto)
