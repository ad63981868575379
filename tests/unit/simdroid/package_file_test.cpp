#include "simdroid/device/package_file.hpp"

#include <catch2/catch.hpp>

#include "support/apk.hpp"
#include "support/print_result.hpp"

using namespace adbproto::testing;
using namespace simdroid;

TEST_CASE("package file: name and version of its manifest", "[simdroid]") {
  const auto file = read_package_file(apk_of("com.x.y", "0.5.3-d", 503900));
  REQUIRE(file);
  CHECK(file->name == "com.x.y");
  CHECK(file->version_name == "0.5.3-d");
  CHECK(file->version_code == 503900);
}

TEST_CASE("package file: what Android would not take either", "[simdroid]") {
  struct Row {
    const char* name;
    std::string bytes;
    const char* word;
  };
  const auto row = GENERATE(values<Row>({
      {"nothing", "", "NOT_APK"},
      {"text", "hello", "NOT_APK"},
      {"zeros", std::string(5000, '\0'), "NOT_APK"},
      {"no manifest", zip_of("classes.dex", "x"), "NOT_APK"},
      {"deflated", zip_of("AndroidManifest.xml", "x", 8), "NOT_APK"},
      {"no XML", zip_of("AndroidManifest.xml", "\3\0\10\0"), "BAD_MANIFEST"},
      {"another root", zip_of("AndroidManifest.xml", "<a/>"), "BAD_MANIFEST"},
      {"nameless", zip_of("AndroidManifest.xml", "<manifest/>"), "BAD_PACKAGE_NAME"},
      {"an odd name", apk_of("com.x; rm -rf", "1", 1), "BAD_PACKAGE_NAME"},
      {"a name without a dot", apk_of("com", "1", 1), "BAD_PACKAGE_NAME"},
  }));
  INFO(row.name);
  const auto file = read_package_file(row.bytes);
  REQUIRE_FALSE(file);
  CHECK_THAT(file.error().message(), Catch::StartsWith("INSTALL_PARSE_FAILED_"));
  CHECK_THAT(file.error().message(), Catch::Contains(row.word));
}

TEST_CASE("package file: cut anywhere, or one byte changed, it is refused or read", "[simdroid]") {
  const std::string whole = apk_of("com.x.y", "0.5.3", 503900);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CHECK_FALSE(read_package_file(whole.substr(0, size)));
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = '\xff';
    const auto file = read_package_file(changed);
    if (!file) CHECK_THAT(file.error().message(), Catch::StartsWith("INSTALL_PARSE_FAILED_"));
  }
}
