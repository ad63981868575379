# `cpack --config build/release/CPackConfig.cmake`: Debian packages for the release and architecture of the system that
# runs it. packaging/debian has what they contain beside what is installed; debian/at_packaging.cmake reads the names
# of packages from the system.
set(CLAWPERATOR_MAINTAINER "Clawperator's authors <clawperator@packages.invalid>" CACHE STRING
  "Who answers for the packages: Name <address>")
set(CLAWPERATOR_HOMEPAGE "" CACHE STRING "URL that the packages name; empty: none")

file(STRINGS /etc/os-release debian_release REGEX "^VERSION_ID=")
string(REGEX REPLACE "[^0-9]" "" debian_release "${debian_release}0")
string(REGEX REPLACE "0$" "" debian_release "${debian_release}")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME clawperator)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_DEBIAN_PACKAGE_RELEASE 1+deb${debian_release})
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}-packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_CONTACT "${CLAWPERATOR_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "${CLAWPERATOR_HOMEPAGE}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL clawperator simdroid)

set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
if(CMAKE_CROSSCOMPILING)
  string(REPLACE aarch64 arm64 CPACK_DEBIAN_PACKAGE_ARCHITECTURE ${CMAKE_SYSTEM_PROCESSOR})
endif()

set(CPACK_DEBIAN_CLAWPERATOR_PACKAGE_NAME clawperator)
set(CPACK_DEBIAN_CLAWPERATOR_PACKAGE_SECTION utils)
set(CPACK_COMPONENT_CLAWPERATOR_DESCRIPTION "hand of an agent on Android devices
Looks at the screens of phones and acts on them: taps, texts, screenshots,
plans of several steps, by the command line, HTTP or the Model Context
Protocol. It speaks adb's protocols itself, over USB, Wi-Fi and TCP, beside
an adb server or without one.")
set(CPACK_DEBIAN_CLAWPERATOR_PACKAGE_SUGGESTS "clawperator-simdroid, nodejs")
set(CPACK_DEBIAN_CLAWPERATOR_PACKAGE_CONTROL_EXTRA
  ${packaging}/debian/postinst ${packaging}/debian/prerm ${packaging}/debian/postrm)

set(CPACK_DEBIAN_SIMDROID_PACKAGE_NAME clawperator-simdroid)
set(CPACK_DEBIAN_SIMDROID_PACKAGE_SECTION devel)
set(CPACK_COMPONENT_SIMDROID_DESCRIPTION "simulated Android phone
A program that is a phone as far as adb can see, with a shell, a log, files,
packages and screens that answer to fingers. It is for trying clawperator
out, and for the tests of programs that drive phones.")

set(CPACK_PROJECT_CONFIG_FILE ${packaging}/debian/at_packaging.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${packaging}/debian/complete_tree.cmake)
# For these two.
set(CPACK_CLAWPERATOR_RUN ${CMAKE_CROSSCOMPILING_EMULATOR} ${CMAKE_BINARY_DIR}/clawperator)
set(CPACK_CLAWPERATOR_DATE ${CLAWPERATOR_VERSION_DATE})
set(CPACK_CLAWPERATOR_SOURCE ${PROJECT_SOURCE_DIR})
include(CPack)
