# Every library the project stands on: where it is found, its minimum version, and the Debian
# package to install when it is missing. tools/install_packages reads third_party/debian-packages.

set(missing_packages "")
macro(need found package)
  if(NOT ${found})
    list(APPEND missing_packages ${package})
  endif()
endmacro()

# A static archive where Debian has one: a shared library costs 0.1 to 1 ms at every start. Our own shared
# libraries (BUILD_SHARED_LIBS) cannot hold all of them.
function(find_archive variable name)
  if(BUILD_SHARED_LIBS)
    find_library(${variable} NAMES ${name})
  else()
    find_library(${variable} NAMES lib${name}.a ${name})
  endif()
endfunction()

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

# Asio, standalone. 1.22 does not notice that clang has coroutines.
find_path(ASIO_INCLUDE asio/awaitable.hpp)
need(ASIO_INCLUDE libasio-dev)
add_library(asio INTERFACE)
target_include_directories(asio SYSTEM INTERFACE ${ASIO_INCLUDE})
# Asio finds out about aligned_alloc by what was included before it: our sources would not agree on it.
target_compile_definitions(asio INTERFACE ASIO_STANDALONE ASIO_NO_DEPRECATED ASIO_HAS_STD_ALIGNED_ALLOC=1
  $<$<CXX_COMPILER_ID:Clang>:ASIO_HAS_CO_AWAIT=1>)
target_link_libraries(asio INTERFACE Threads::Threads)

find_package(nlohmann_json 3.11 QUIET)
need(nlohmann_json_FOUND nlohmann-json3-dev)
find_package(CLI11 2.1 QUIET)
need(CLI11_FOUND libcli11-dev)

# spdlog and fmt as headers only: their shared libraries would bring a second C++ runtime along.
find_path(SPDLOG_INCLUDE spdlog/spdlog.h)
need(SPDLOG_INCLUDE libspdlog-dev)
find_path(FMT_INCLUDE fmt/core.h)
need(FMT_INCLUDE libfmt-dev)
add_library(spdlog_headers INTERFACE)
target_include_directories(spdlog_headers SYSTEM INTERFACE ${SPDLOG_INCLUDE} ${FMT_INCLUDE})
target_compile_definitions(spdlog_headers INTERFACE SPDLOG_FMT_EXTERNAL FMT_HEADER_ONLY)
target_link_libraries(spdlog_headers INTERFACE Threads::Threads)

find_path(PUGIXML_INCLUDE pugixml.hpp)
find_archive(PUGIXML_LIBRARY pugixml)
need(PUGIXML_LIBRARY libpugixml-dev)
add_library(pugixml_library INTERFACE)
target_include_directories(pugixml_library SYSTEM INTERFACE ${PUGIXML_INCLUDE})
target_link_libraries(pugixml_library INTERFACE ${PUGIXML_LIBRARY})

find_archive(ZLIB_LIBRARY z)
need(ZLIB_LIBRARY zlib1g-dev)

# `header` proves the -dev package.
function(static_library target header package)
  find_path(${target}_INCLUDE ${header})
  set(archives "")
  foreach(name ${ARGN})
    find_archive(${target}_${name} ${name})
    if(NOT ${target}_${name})
      set(${target}_INCLUDE ${target}_INCLUDE-NOTFOUND)
    endif()
    list(APPEND archives ${${target}_${name}})
  endforeach()
  if(NOT ${target}_INCLUDE)
    set(missing_packages ${missing_packages} ${package} PARENT_SCOPE)
  endif()
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${${target}_INCLUDE})
  target_link_libraries(${target} INTERFACE ${archives} ${CMAKE_DL_LIBS} Threads::Threads)
endfunction()

static_library(sodium_library sodium.h libsodium-dev sodium)
static_library(lz4_library lz4frame.h liblz4-dev lz4)
find_archive(XXHASH_LIBRARY xxhash)  # Debian 13's liblz4.a leaves its hash to it
if(XXHASH_LIBRARY)
  target_link_libraries(lz4_library INTERFACE ${XXHASH_LIBRARY})
endif()

# Loaded at run time, where they are needed (base/loaded_library.hpp): only their headers count here.
function(loaded_library target header package)
  find_path(${target}_INCLUDE ${header} PATH_SUFFIXES ${ARGN})
  if(NOT ${target}_INCLUDE)
    set(missing_packages ${missing_packages} ${package} PARENT_SCOPE)
  endif()
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${${target}_INCLUDE})
  target_link_libraries(${target} INTERFACE ${CMAKE_DL_LIBS})
endfunction()

loaded_library(openssl_headers openssl/ssl.h libssl-dev)
loaded_library(libusb_headers libusb.h libusb-1.0-0-dev libusb-1.0)
loaded_library(spng_headers spng.h libspng-dev)
loaded_library(brotli_headers brotli/encode.h libbrotli-dev)
loaded_library(git2_headers git2.h libgit2-dev)
loaded_library(fyaml_headers libfyaml.h libfyaml-dev)
loaded_library(archive_headers archive.h libarchive-dev)
loaded_library(pcre2_headers pcre2.h libpcre2-dev)

pkg_check_modules(QRENCODE QUIET IMPORTED_TARGET libqrencode)
need(QRENCODE_FOUND libqrencode-dev)
pkg_check_modules(ZSTD QUIET IMPORTED_TARGET libzstd)
need(ZSTD_FOUND libzstd-dev)
pkg_check_modules(CURL QUIET IMPORTED_TARGET libcurl)
need(CURL_FOUND libcurl4-openssl-dev)

# Beast's HTTP parser. Debian names the package by the version that a release has.
find_path(BOOST_INCLUDE boost/beast/http/basic_parser.hpp)
if(BOOST_INCLUDE)
  file(STRINGS ${BOOST_INCLUDE}/boost/version.hpp BOOST_VERSION_LINE REGEX "^#define BOOST_VERSION ")
  string(REGEX REPLACE "[^0-9]" "" BOOST_VERSION "${BOOST_VERSION_LINE}")
endif()
if(NOT BOOST_VERSION OR BOOST_VERSION LESS 108100)
  cmake_host_system_information(RESULT debian QUERY DISTRIB_VERSION_ID)
  if(debian VERSION_GREATER_EQUAL 13)
    list(APPEND missing_packages libboost1.83-dev)
  else()
    list(APPEND missing_packages libboost1.81-dev)
  endif()
endif()
add_library(boost_headers INTERFACE)
target_include_directories(boost_headers SYSTEM INTERFACE ${BOOST_INCLUDE})

if(NOT CLAWPERATOR_CORE)
  loaded_library(turbojpeg_headers turbojpeg.h libturbojpeg0-dev)

  find_path(STB_INCLUDE stb_easy_font.h PATH_SUFFIXES stb)
  need(STB_INCLUDE libstb-dev)
  add_library(stb INTERFACE)
  target_include_directories(stb SYSTEM INTERFACE ${STB_INCLUDE})

  # What the simulated phone writes with; read while building only.
  find_file(DEJAVU_FONT DejaVuSans.ttf PATHS /usr/share/fonts/truetype/dejavu)
  need(DEJAVU_FONT fonts-dejavu-core)
endif()

if(CLAWPERATOR_TESTS)
  # Tests read our pictures by calling libturbojpeg on their own.
  find_library(TURBOJPEG_LIBRARY turbojpeg)
  need(TURBOJPEG_LIBRARY libturbojpeg0-dev)
  add_library(turbojpeg_library INTERFACE)
  target_link_libraries(turbojpeg_library INTERFACE turbojpeg_headers ${TURBOJPEG_LIBRARY})
  # Tests check our keys and certificates by calling OpenSSL on their own.
  find_library(SSL_LIBRARY ssl)
  find_library(CRYPTO_LIBRARY crypto)
  need(CRYPTO_LIBRARY libssl-dev)
  add_library(openssl_library INTERFACE)
  target_link_libraries(openssl_library INTERFACE openssl_headers ${SSL_LIBRARY} ${CRYPTO_LIBRARY})
  find_package(Catch2 2.13 QUIET)
  if(NOT Catch2_FOUND)
    find_package(Catch2 3 QUIET)
    if(Catch2_FOUND)
      set_property(TARGET Catch2::Catch2 APPEND PROPERTY
        INTERFACE_INCLUDE_DIRECTORIES ${CMAKE_CURRENT_LIST_DIR}/catch2_3)
    endif()
  endif()
  need(Catch2_FOUND catch2)
  pkg_check_modules(UMOCKDEV QUIET IMPORTED_TARGET umockdev-1.0)
  need(UMOCKDEV_FOUND libumockdev-dev)
endif()

if(missing_packages)
  list(JOIN missing_packages " " missing_text)
  message(FATAL_ERROR "Missing libraries. Install them with: apt-get install ${missing_text}")
endif()
