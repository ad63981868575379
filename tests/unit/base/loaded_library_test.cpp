#include "base/loaded_library.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace adbproto;

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
