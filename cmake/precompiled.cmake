# What most of our sources include of the libraries is compiled once and not once in each of them. It
# holds none of our own headers, so a change of ours never compiles everything anew. g++ and clang-tidy
# build without it, and so see an include that somebody forgot.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_DISABLE_PRECOMPILE_HEADERS)
  return()
endif()

file(WRITE ${CMAKE_BINARY_DIR}/precompiled.cpp "")
set(libraries_headers <algorithm> <array> <atomic> <cerrno> <charconv> <chrono> <cstdint> <cstdlib> <deque> <expected>
  <filesystem> <fstream> <functional> <map> <memory> <optional> <set> <span> <string> <string_view> <system_error>
  <utility> <variant> <vector> <nlohmann/json.hpp> <asio/any_io_executor.hpp> <asio/awaitable.hpp>
  <asio/co_spawn.hpp> <asio/io_context.hpp> <asio/posix/stream_descriptor.hpp> <asio/steady_timer.hpp>)

function(precompiled_headers name)
  cmake_parse_arguments(ARG "" "" "OPTIONS;HEADERS;LIBRARIES" ${ARGN})
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(${name} PRIVATE asio nlohmann_json::nlohmann_json ${ARG_LIBRARIES} warnings)
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS} -Xclang=-fno-pch-timestamp)
  target_precompile_headers(${name} PRIVATE ${libraries_headers} ${ARG_HEADERS})
  if(BUILD_SHARED_LIBS)
    code_of_precompiled(${name})
  endif()
endfunction()

# Without optimising, the code of the libraries' inline functions is compiled once, too, into a shared library NAME_code.
function(code_of_precompiled name)
  target_compile_options(${name} PRIVATE -fpch-codegen -fpch-debuginfo)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS}")
  set(header ${CMAKE_BINARY_DIR}/CMakeFiles/${name}.dir/cmake_pch.hxx.pch)
  set(object ${CMAKE_BINARY_DIR}/${name}_code.o)
  add_custom_command(OUTPUT ${object} DEPENDS ${header} COMMAND_EXPAND_LISTS VERBATIM
    COMMAND ${CMAKE_CXX_COMPILER} ${flags} $<TARGET_PROPERTY:${name},COMPILE_OPTIONS> -std=c++2b -c ${header} -o ${object})
  add_library(${name}_code SHARED ${object})
  set_target_properties(${name}_code PROPERTIES LINKER_LANGUAGE CXX)
  # Some of them have no caller, and they call what libstdc++ keeps to itself.
  target_link_options(${name}_code INTERFACE -Wl,--allow-shlib-undefined)
endfunction()

precompiled_headers(precompiled OPTIONS ${FUZZING_COVERAGE})
if(CLAWPERATOR_TESTS)
  precompiled_headers(precompiled_for_tests OPTIONS ${TESTS_OPTIONS} HEADERS <catch2/catch.hpp> LIBRARIES Catch2::Catch2)
endif()

function(reuse_precompiled folder headers only_with)
  get_directory_property(targets DIRECTORY ${folder} BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    get_target_property(libraries ${target} LINK_LIBRARIES)
    if(type MATCHES "LIBRARY|EXECUTABLE" AND NOT type STREQUAL "INTERFACE_LIBRARY" AND libraries MATCHES "${only_with}")
      target_precompile_headers(${target} REUSE_FROM ${headers})
      if(TARGET ${headers}_code)
        target_link_libraries(${target} PUBLIC ${headers}_code)  # for programs without these headers: Asio's variables are one
      endif()
    endif()
  endforeach()
  get_directory_property(subfolders DIRECTORY ${folder} SUBDIRECTORIES)
  foreach(subfolder ${subfolders})
    reuse_precompiled(${subfolder} ${headers} "${only_with}")
  endforeach()
endfunction()

reuse_precompiled(${PROJECT_SOURCE_DIR}/src precompiled "")
reuse_precompiled(${PROJECT_SOURCE_DIR}/tools precompiled "simdroid|nlohmann|image")
if(CLAWPERATOR_TESTS)
  reuse_precompiled(${PROJECT_SOURCE_DIR}/tests precompiled_for_tests "Catch2::")
endif()
if(CLAWPERATOR_FUZZ)
  reuse_precompiled(${PROJECT_SOURCE_DIR}/fuzz precompiled "")
endif()
