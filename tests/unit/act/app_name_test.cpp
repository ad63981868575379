#include "runtime/act/app_name.hpp"

#include <catch2/catch.hpp>

using namespace clawperator::act;

TEST_CASE("app name: each of its words is a part of the package") {
  const std::vector<std::string> packages{
      "com.android.chrome", "com.google.android.apps.maps", "com.google.android.apps.youtube.music",
      "com.google.android.deskclock", "com.google.android.youtube"};
  using Named = std::vector<std::string>;
  CHECK(packages_named("Chrome", packages) == Named{packages[0]});
  CHECK(packages_named(" google  MAPS ", packages) == Named{packages[1]});
  CHECK(packages_named("YouTube Music", packages) == Named{packages[2]});
  CHECK(packages_named("youtube", packages) == Named{packages[2], packages[4]});
  CHECK(packages_named("clock", packages).empty());
  CHECK(packages_named("", packages).empty());
  CHECK(packages_named("google", {"com.google.android.apps.maps"}).empty());
}

TEST_CASE("app name: what has a dot is a package") {
  CHECK(is_app_name("Google Chrome"));
  CHECK_FALSE(is_app_name("com.android.chrome"));
}
