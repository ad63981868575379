# What `clawperator version --json` knows of its build: the commit, and the packages that are linked in.
set(BUILD_FACTS ${CMAKE_BINARY_DIR}/linked_packages.cpp ${CMAKE_BINARY_DIR}/commit.cpp)

set(dpkg_status "")
if(EXISTS /var/lib/dpkg/status)  # changes with every package
  set(dpkg_status /var/lib/dpkg/status)
endif()
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/linked_packages.cpp
  COMMAND ${CMAKE_COMMAND} "-DFILES=${LINKED_INTO_CLAWPERATOR}" -DOUTPUT=${CMAKE_BINARY_DIR}/linked_packages.cpp
    -P ${CMAKE_CURRENT_LIST_DIR}/write_linked_packages.cmake
  DEPENDS ${CMAKE_CURRENT_LIST_DIR}/write_linked_packages.cmake ${PROJECT_SOURCE_DIR}/cmake/dpkg_owners.cmake
    ${dpkg_status} VERBATIM)

# A custom target, for a commit changes no file that the build knows.
add_custom_target(commit BYPRODUCTS ${CMAKE_BINARY_DIR}/commit.cpp
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} "-DCOMMIT=${CLAWPERATOR_COMMIT}"
    -DOUTPUT=${CMAKE_BINARY_DIR}/commit.cpp -P ${CMAKE_CURRENT_LIST_DIR}/write_commit.cmake VERBATIM)
set_source_files_properties(${BUILD_FACTS} PROPERTIES
  GENERATED ON SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
