#include "runtime/host/operator/release.hpp"

#include <catch2/catch.hpp>

#include "runtime/contract/operator_app.hpp"
#include "runtime/host/errc.hpp"

using namespace clawperator;
using namespace adbproto;

namespace {

const std::string kUrl(family_of(kReleaseOperatorPackage).metadata_url);
const std::string kDigest(64, 'a');

}  // namespace

TEST_CASE("release: a version's package stands beside the metadata by the published scheme") {
  const OperatorRelease release = release_of("0.5.3", kUrl);
  CHECK(release.apk_url == "https://downloads.clawperator.com/operator/v0.5.3/operator-v0.5.3.apk");
  CHECK(release.checksum_url == release.apk_url + ".sha256");
  CHECK(release_of("1.2.3", "https://mirror.example/a/latest.json?x=/y").apk_url ==
        "https://mirror.example/a/v1.2.3/operator-v1.2.3.apk");
}

TEST_CASE("release: the metadata names version, package and checksum; the rest is ignored") {
  const auto release = parse_release(
      R"({"version":" 0.6.1 ","apk_url":"https://x.example/o.apk","sha256_url":"https://x.example/o.sum",)"
      R"("released":1,"notes":{}})",
      kUrl);
  REQUIRE(release);
  CHECK(release->version == "0.6.1");
  CHECK(release->apk_url == "https://x.example/o.apk");
  CHECK(release->checksum_url == "https://x.example/o.sum");
  CHECK(release->sha256.empty());
}

TEST_CASE("release: other spellings, and what is left out") {
  const auto other = parse_release(
      R"({"version":"0.6.1","apkUrl":"https://x.example/o.apk","checksumUrl":"https://x.example/s"})",
      kUrl);
  REQUIRE(other);
  CHECK(other->apk_url == "https://x.example/o.apk");
  CHECK(other->checksum_url == "https://x.example/s");
  CHECK(
      parse_release(R"({"version":"0.6.1","url":"https://x.example/o.apk"})", kUrl)->checksum_url ==
      "https://x.example/o.apk.sha256");
  CHECK(parse_release(R"({"version":"0.6.1"})", kUrl) == release_of("0.6.1", kUrl));
  CHECK(parse_release(R"({"version":"0.6.1","sha256":null})", kUrl)->sha256.empty());
  CHECK(parse_release(R"({"version":"0.6.1","sha256":")" + std::string(64, 'A') + "\"}", kUrl)
            ->sha256 == kDigest);
}

TEST_CASE("release: metadata that cannot be used is OPERATOR_METADATA_INVALID") {
  const auto text = GENERATE(values<std::string>({
      "",
      "<html>log in first</html>",
      "[]",
      "{}",
      R"({"version":5})",
      R"({"version":""})",
      R"({"version":"latest"})",
      R"({"version":"../../etc"})",
      R"({"version":"0.5.3","url":"ftp://x.example/o.apk"})",
      R"({"version":"0.5.3","url":"http://x.example/o.apk"})",
      R"({"version":"0.5.3","url":"http://127.0.0.1:1/o.apk"})",
      R"({"version":"0.5.3","url":"https://u:p@x.example/o.apk"})",
      R"({"version":"0.5.3","url":"file:///etc/passwd"})",
      R"({"version":"0.5.3","url":"https://x.example/o.apk\r\nHost: y"})",
      R"({"version":"0.5.3","url":["https://x.example/o.apk"]})",
      R"({"version":"0.5.3","sha256_url":"o.sha256"})",
      R"({"version":"0.5.3","url":"https://x.example:1"})",  // no place beside it for a checksum
      R"({"version":"0.5.3","sha256":"abc"})",
      R"({"version":"0.5.3","sha256":12})",
      R"({"version":"0.5.3"} trailing)",
  }));
  CAPTURE(text);
  const auto release = parse_release(text, kUrl);
  REQUIRE_FALSE(release);
  CHECK(release.error().code() == errc::operator_metadata_invalid);
  CHECK_THAT(release.error().message(), Catch::Contains(kUrl));
}

TEST_CASE("release: a mirror on this computer may name its own plain addresses") {
  const auto release = parse_release(R"({"version":"0.5.3","url":"http://127.0.0.1:8/o.apk"})",
                                     "http://127.0.0.1:8/latest.json");
  REQUIRE(release);
  CHECK(release->apk_url == "http://127.0.0.1:8/o.apk");
}

TEST_CASE("release: what a version looks like") {
  for (const char* good : {"0.5.3", "10.20.30", "1.0.0-rc.1", "0.5.3-d"}) {
    CHECK(is_release_version(good));
  }
  for (const char* bad : {"", "1", "1.2", "1.2.3.4", "v1.2.3", "1.2.x", "1.2.3-", "1.2.3-a/b",
                          "1.2.3 ", "-1.2.3", "1.2.3-a b", "1234567890.1.1", "1..3"}) {
    CAPTURE(bad);
    CHECK_FALSE(is_release_version(bad));
  }
  CHECK_FALSE(is_release_version("1.2.3-" + std::string(40, 'a')));
}

TEST_CASE("checksum: the line of sha256sum, with or without a name") {
  const std::string name = "operator-v0.5.3.apk";
  CHECK(parse_checksum(kDigest + "  " + name + "\n", name) == kDigest);
  CHECK(parse_checksum(kDigest + " *" + name + "\r\n", name) == kDigest);
  CHECK(parse_checksum(kDigest + "  ./out/" + name, name) == kDigest);
  CHECK(parse_checksum(kDigest, name) == kDigest);
  CHECK(parse_checksum(std::string(64, 'A') + "\n", name) == kDigest);
  CHECK(parse_checksum("\n" + kDigest + "  another-name.apk\n\n", name) == kDigest);
}

TEST_CASE("checksum: of several lines the one with the name counts") {
  const std::string other(64, 'b');
  CHECK(parse_checksum(other + "  a.apk\n" + kDigest + "  b.apk\n", "b.apk") == kDigest);
  CHECK_FALSE(parse_checksum(other + "  a.apk\n" + kDigest + "  b.apk\n", "c.apk"));
}

TEST_CASE("checksum: anything else is OPERATOR_CHECKSUM_FAILED") {
  const auto text = GENERATE(values<std::string>(
      {"", "\n", "404 not found", std::string(63, 'a'), std::string(65, 'a'),
       std::string(64, 'g') + "  o.apk", "<html>", "o.apk  " + std::string(64, 'a')}));
  CAPTURE(text);
  const auto digest = parse_checksum(text, "o.apk");
  REQUIRE_FALSE(digest);
  CHECK(digest.error().code() == errc::operator_checksum_failed);
}
