# Which compilers may build this, and the flags of our own code.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  message(FATAL_ERROR "g++ ${CMAKE_CXX_COMPILER_VERSION} miscompiles coroutines; use clang-19 (Debian package clang-19) or g++ 13.")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
  message(FATAL_ERROR "clang ${CMAKE_CXX_COMPILER_VERSION} lacks <expected> with libstdc++; use clang-19 (Debian package clang-19).")
endif()

add_library(warnings INTERFACE)
target_compile_options(warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # What g++ 14 makes of std::expected in a coroutine's frame is no warning of ours.
  target_compile_options(warnings INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds)
endif()
if(CLAWPERATOR_WERROR)
  target_compile_options(warnings INTERFACE -Werror)
endif()

# The same for libraries and programs, so that they share precompiled headers.
add_compile_options(-fPIC)
set(FUZZING_COVERAGE "")
if(CLAWPERATOR_FUZZ AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_FLAGS MATCHES "fsanitize=address")
  set(FUZZING_COVERAGE -fsanitize=fuzzer-no-link)  # of all that a fuzz target may reach
endif()

# Four checks are left out, for they would be the greater part of UBSan's code, and each start of a program reads it. ASan stops
# at a null pointer and at most of what object-size looks for. A misaligned access and an object of the wrong type (vptr) are
# looked for by nothing else: bytes become numbers by load_le() alone, and downcasts are few.
if(CMAKE_CXX_FLAGS MATCHES "undefined")
  add_compile_options(-fno-sanitize=null,alignment,object-size,vptr)
endif()

# UBSan watches the product, and the product is optimised. In the tests' own code, which is a third of all, UBSan
# would be a quarter of the compiler's work, and optimising the greater part of it.
set(TESTS_OPTIONS "")
if(CMAKE_CXX_FLAGS MATCHES "undefined")
  set(TESTS_OPTIONS -fno-sanitize=undefined)
elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(TESTS_OPTIONS -O0)
endif()

# The program has to fit 11 MiB. What each command runs through, but for short, is compact: as fast code that is inlined and unrolled
# little. What few commands need is as small as it can be; its precompiled headers are those of the fast rest, and without the last
# flag their __OPTIMIZE_SIZE__, which they do not read, would differ.
set(COMPACT_OPTIONS -O2 "SHELL:-mllvm -inline-threshold=5" "SHELL:-mllvm -unroll-threshold=0" -fno-vectorize -fno-slp-vectorize)
set(SMALL_OPTIONS -Oz "SHELL:-Xclang -fno-validate-pch")
function(compile_as options)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    foreach(target ${ARGN})
      target_compile_options(${target} PRIVATE ${${options}})
    endforeach()
  endif()
endfunction()

find_program(LLD NAMES ld.lld-19 ld.lld)
if(LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_link_options(-fuse-ld=${LLD})
endif()

# The binary does not depend on the folder that it was built in: tools/reproducible compares two.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
endif()

# What makes a memory error harder to use. tools/footprint.py looks for it in the binary.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  add_compile_options(-fstack-protector-strong -fstack-clash-protection -ftrivial-auto-var-init=zero
    -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -D_GLIBCXX_ASSERTIONS)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    add_compile_options(-fcf-protection=full)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    add_compile_options(-mbranch-protection=standard)
  endif()
  add_compile_options(-ffunction-sections -fdata-sections)
  add_link_options(-Wl,--gc-sections -Wl,-z,relro -Wl,-z,now)
  if(LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_link_options(-Wl,--icf=safe)  # functions of equal code are there once: 2 % of the size
  endif()
endif()

find_program(CCACHE ccache)
if(CCACHE)
  # Without these two it does not keep what was compiled with precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
