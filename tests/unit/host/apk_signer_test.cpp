#include "runtime/host/operator/apk_signer.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>

#include "support/print_result.hpp"
#include "support/signed_apk.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;

namespace {

using Digests = std::vector<std::string>;

Result<ApkSigners> read_bytes(const std::string& bytes) {
  const auto read = [&bytes](std::uint64_t offset, std::size_t size) -> Result<Bytes> {
    REQUIRE(offset <= bytes.size());
    REQUIRE(size <= bytes.size() - offset);
    return to_bytes(std::string_view(bytes).substr(offset, size));
  };
  return read_apk_signers({bytes.size(), read});
}
Result<ApkSigners> read_apk(const SignedApk& apk) { return read_bytes(apk.bytes()); }

Digests digests_of(const std::string& pairs) {
  const auto read = read_apk({.block = block_of(pairs)});
  REQUIRE(read);
  return read->sha256;
}

void refused(const std::string& bytes, const std::string& why) {
  const auto read = read_bytes(bytes);
  INFO(why);
  REQUIRE_FALSE(read);
  CHECK(read.error().code() == errc::protocol);
  CHECK(read.error().message() == why);
}

std::string with(std::string bytes, std::size_t at, const std::string& piece) {
  return bytes.replace(at, piece.size(), piece);
}

}  // namespace

TEST_CASE("APK signer: the first certificate of each signer of each scheme, once, in order",
          "[host][S14]") {
  const std::string a = scheme_of({{"a certificate", "its issuer"}});
  const std::string b = scheme_of({{"b certificate"}});
  const std::string ca = scheme_of({{"c certificate"}, {"a certificate"}});
  CHECK(digests_of(pair_of(kSchemeV2, a)) == Digests{kDigestA});
  CHECK(digests_of(pair_of(kSchemeV3, a)) == Digests{kDigestA});
  CHECK(digests_of(pair_of(kSchemeV31, a)) == Digests{kDigestA});
  CHECK(digests_of(pair_of(kSchemeV2, a) + pair_of(kSchemeV3, a)) == Digests{kDigestA});
  Digests all{kDigestA, kDigestB, kDigestC};
  std::ranges::sort(all);
  CHECK(digests_of(pair_of(0x42726577, "padding") + pair_of(kSchemeV2, ca) +
                   pair_of(kSchemeV31, b)) == all);
  CHECK(digests_of(pair_of(kSchemeV2, a) + pair_of(kSchemeV2, b) + pair_of(kSchemeV2, ca)) == all);
  CHECK(digests_of(pair_of(0x42726577, a)).empty());
  CHECK(digests_of("").empty());
}

TEST_CASE("APK signer: the package of the binary manifest, stored or deflated", "[host][S14]") {
  const std::string longest(255, 'p');
  for (const bool deflated : {false, true}) {
    for (const bool utf8 : {false, true}) {
      for (const std::string& package : {std::string("com.example_1.App"), longest}) {
        const auto read = read_apk({.manifest = manifest_of(package, utf8), .deflated = deflated});
        REQUIRE(read);
        CHECK(read->package == package);
        CHECK(read->sha256 == Digests{kDigestA});
      }
    }
  }
}

TEST_CASE("APK signer: a file without such a block has no digest", "[host][S14]") {
  const auto read = read_apk({.block = ""});
  REQUIRE(read);
  CHECK(*read == ApkSigners{.package = "com.example.app"});
}

TEST_CASE("APK signer: a comment of any length", "[host][S14]") {
  for (const std::size_t size : {1U, 1000U, 65'535U}) {
    const auto read = read_apk({.comment = std::string(size, 'c')});
    REQUIRE(read);
    CHECK(read->sha256 == Digests{kDigestA});
  }
}

TEST_CASE("APK signer: what Android might read in another way is refused", "[host][S14]") {
  refused(SignedApk{.manifests = 2}.bytes(), "it has two manifests");
  refused(SignedApk{.manifests = 0}.bytes(), "it has no manifest");
  refused(SignedApk{.manifest_name = "androidmanifest.xml"}.bytes(), "it has no manifest");
  // Which of the two end records is it?
  refused(SignedApk{.comment = SignedApk{}.bytes()}.bytes(), "its end record is damaged");
  refused(SignedApk{.comment = "PK\5\6"}.bytes(), "its end record is damaged");
  refused(SignedApk{}.bytes() + "x", "its end record is damaged");
  const std::string apk = SignedApk{}.bytes();
  const auto row = apk.rfind("AndroidManifest.xml") - 46;
  refused(with(apk, row + 10, le16(7)), "its manifest is out of bounds");  // the method
  const auto local = apk.find("AndroidManifest.xml") - 30;
  refused(with(apk, local + 30, "B"), "its manifest is out of bounds");
  refused(with(apk, local + 8, le16(0)), "its manifest is out of bounds");
  const std::string name = "its manifest names no package";
  const auto manifest = [](const std::vector<ManifestAttribute>& attributes) {
    return SignedApk{.manifest = binary_manifest(attributes, false)}.bytes();
  };
  refused(manifest({}), name);
  refused(manifest({{"package", "a.b", true}}), name);
  refused(manifest({{"package", "a.b"}, {"package", "a.c"}}), name);
  refused(manifest({{"package", ""}}), name);
  refused(manifest({{"package", "a b"}}), name);
  refused(manifest({{"package", "a\xC3\xA9.b"}}), name);
  refused(manifest({{"package", std::string(256, 'p')}}), name);
  refused(manifest({{"package", std::string("a.b\0c", 5)}}), name);
  refused(SignedApk{.manifest = binary_manifest({{"package", "a.b"}}, true, "application")}.bytes(),
          name);
  refused(SignedApk{.manifest = "<manifest package=\"a.b\"/>"}.bytes(), name);
}

TEST_CASE("APK signer: numbers that lie are refused", "[host][S14]") {
  refused("", "it is no ZIP archive");
  refused("no archive", "it is no ZIP archive");
  refused("PK\5\6", "its end record is damaged");
  const std::string apk = SignedApk{}.bytes();
  const auto end = apk.rfind("PK\5\6");
  for (const std::size_t at : {4U, 6U, 12U, 16U, 20U}) {
    refused(with(apk, end + at, le16(0xFFFF)), "its end record is damaged");
  }
  const auto row = apk.rfind("AndroidManifest.xml") - 46;
  refused(with(apk, row, "PK\1\3"), "its directory is damaged");
  for (const std::size_t at : {28U, 30U, 32U}) {
    refused(with(apk, row + at, le16(0xFFFF)), "its directory is damaged");
  }
  for (const std::size_t at : {20U, 24U, 42U}) {
    refused(with(apk, row + at, le32(0xFFFFFFFF)), "its manifest is out of bounds");
    refused(with(apk, row + at, le32(0x7FFFFFFF)), "its manifest is out of bounds");
  }
  refused(with(apk, row + 24, le32(kMaxManifest + 1)), "its manifest is out of bounds");
  refused(with(apk, row + 24, le32(1)), "its manifest cannot be unpacked");
  refused(with(apk, row + 24, le32(kMaxManifest)), "its manifest cannot be unpacked");
  const std::string damaged = "its signing block is damaged";
  const auto block = [](std::string bytes) { return SignedApk{.block = std::move(bytes)}.bytes(); };
  const std::string good = SignedApk{}.block;
  const std::size_t footer = good.size() - 24;
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{23}, ~std::uint64_t{0},
                                   std::uint64_t{footer}, std::uint64_t{kMaxApkSection} + 1}) {
    refused(block(with(good, footer, le64(size))), damaged);
    refused(block(with(good, 0, le64(size))), damaged);
  }
  refused(block(with(good, 8, le64(~std::uint64_t{0}))), damaged);
  refused(block(block_of("x")), damaged);
  refused(block(block_of(le64(3) + "xyz")), damaged);
  const std::string scheme = scheme_of({{"a certificate"}});
  for (std::size_t size = 0; size < scheme.find("a certificate") + 13; ++size) {
    refused(block(block_of(pair_of(kSchemeV3, scheme.substr(0, size)))), damaged);
  }
  refused(block(block_of(pair_of(kSchemeV2, scheme_of({})))), damaged);
  refused(block(block_of(pair_of(kSchemeV2, scheme_of({{}})))), damaged);
  refused(block(block_of(pair_of(kSchemeV2, scheme_of({{"a certificate"}, {""}})))), damaged);
  std::vector<std::vector<std::string>> crowd;
  for (std::size_t i = 0; i <= kMaxSigners; ++i)
    crowd.push_back({"certificate " + std::to_string(i)});
  refused(block(block_of(pair_of(kSchemeV2, scheme_of(crowd)))), damaged);
  crowd.pop_back();
  CHECK(digests_of(pair_of(kSchemeV2, scheme_of(crowd))).size() == kMaxSigners);
}

TEST_CASE("APK signer: cut anywhere it is refused", "[host][S14]") {
  const std::string apk = SignedApk{.comment = "a comment"}.bytes();
  for (std::size_t size = 0; size < apk.size(); ++size) {
    CHECK_FALSE(read_bytes(apk.substr(0, size)));
  }
}

TEST_CASE("APK signer: many attributes with one long name are read to their end", "[host][S14]") {
  // 65,535 that name the same 2 MiB: to copy it for each would take for ever.
  const std::string manifest =
      binary_manifest({{std::string(1 << 20, 'n'), "v"}}, false, "manifest", 65'535);
  REQUIRE(manifest.size() < kMaxManifest);
  refused(SignedApk{.manifest = manifest}.bytes(), "its manifest names no package");
}

TEST_CASE("APK signer: a file, and what is none", "[host][S14]") {
  TempFolder folder;
  const std::string path = folder.file("a.apk");
  std::ofstream(path, std::ios::binary) << SignedApk{}.bytes();
  CHECK(read_apk_signers(path) == ApkSigners{"com.example.app", {kDigestA}});
  CHECK(read_apk_signers(folder.path()).error().code() == errc::io);
  CHECK(read_apk_signers(folder.path() / "none").error().code() == errc::io);
}
