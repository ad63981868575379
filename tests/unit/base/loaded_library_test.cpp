#include "base/loaded_library.hpp"

#include <link.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "support/temp_folder.hpp"

using namespace adbproto;
namespace fs = std::filesystem;

namespace {

// The file that a library was loaded from.
fs::path file_of(void* handle) {
  link_map* map = nullptr;
  REQUIRE(handle != nullptr);
  REQUIRE(::dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) == 0);
  return map->l_name;
}

}  // namespace

TEST_CASE("loaded library: a function that is there can be called") {
  LoadedLibrary library("libm.so.6");
  double (*root)(double) = nullptr;
  library.bind(root, "sqrt");
  REQUIRE(library.complete("libc6"));
  CHECK(root(9.0) == 3.0);
}

TEST_CASE("loaded library: one that is missing names the package to install") {
  LoadedLibrary library("libnowhere.so.7");
  double (*root)(double) = nullptr;
  library.bind(root, "sqrt");
  const auto complete = library.complete("libnowhere7");
  REQUIRE_FALSE(complete);
  CHECK(complete.error().code() == errc::unsupported);
  CHECK(complete.error().message() ==
        "libnowhere.so.7 cannot be loaded; install the package libnowhere7");
  CHECK(root == nullptr);
}

TEST_CASE("loaded library: one that lacks a function says which") {
  LoadedLibrary library("libm.so.6");
  double (*root)(double) = nullptr;
  library.bind(root, "sqrt_of_tomorrow");
  const auto complete = library.complete("libc6");
  REQUIRE_FALSE(complete);
  CHECK(complete.error().message() ==
        "libm.so.6 is too old: it lacks sqrt_of_tomorrow; install the package libc6");
}

TEST_CASE("loaded library: the program's own folder comes before the system's") {
  const testing::TempFolder folder;
  const fs::path system = file_of(open_library({}, "libm.so.6"));
  fs::copy_file(system, folder.file("libnowhere.so.7"));
  CHECK(file_of(open_library(folder.path(), "libnowhere.so.7")) == folder.file("libnowhere.so.7"));
  CHECK(file_of(open_library(folder.path(), "libm.so.6")) == system);
}

TEST_CASE("loaded library: one that does not fit is passed over") {
  const testing::TempFolder folder;
  testing::write_text(folder.file("libm.so.6"), "no library");
  CHECK(file_of(open_library(folder.path(), "libm.so.6")) ==
        file_of(open_library({}, "libm.so.6")));
  CHECK(open_library(folder.path(), "libnowhere.so.7") == nullptr);
}
