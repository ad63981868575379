#include "runtime/host/operator/known_signers.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/json_document.hpp"
#include "runtime/host/errc.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/signed_apk.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;

namespace {

const std::string kSignedApp = "com.example.app";

std::string signed_by(const std::string& certificate, const std::string& package = kSignedApp) {
  return SignedApk{.manifest = manifest_of(package),
                   .block = block_of(pair_of(kSchemeV2, scheme_of({{certificate}})))}
      .bytes();
}
const std::string kUnsigned = SignedApk{.block = ""}.bytes();

struct SignersHome {
  TempFolder folder;
  Variable home{"HOME", folder.path().string()};
  std::string said{};

  [[nodiscard]] std::filesystem::path file() const {
    return folder.path() / ".clawperator/operator_signers.json";
  }
  Result<void> meet(const std::string& bytes, std::optional<std::string> package = {},
                    bool accept_new = false) {
    const std::string apk = folder.file("the.apk");
    std::ofstream(apk, std::ios::binary) << bytes;
    return run_task(meet_signers({apk, "the.apk", std::move(package), accept_new,
                                  [this](std::string_view line) { said += line; }}));
  }
  void refuses(const std::string& bytes, std::optional<std::string> package = {}) {
    const std::string before = file_text(file());
    const auto met = meet(bytes, std::move(package));
    REQUIRE_FALSE(met);
    CHECK(met.error().code() == errc::operator_signer_changed);
    CHECK(file_text(file()) == before);
  }
};

std::string stored(const std::string& package, const std::string& digest) {
  return R"({"package":")" + package + R"(","sha256":[")" + digest + R"("]})";
}

}  // namespace

TEST_CASE("known signers: the first is remembered, another one refused until it is accepted",
          "[host][S14]") {
  SignersHome home;
  REQUIRE(home.meet(signed_by("a certificate")));
  CHECK(file_text(home.file()) == R"({"packages":[)" + stored(kSignedApp, kDigestA) + "]}\n");
  CHECK(home.meet(signed_by("a certificate")));
  home.refuses(signed_by("b certificate"));
  REQUIRE(home.meet(signed_by("b certificate"), {}, true));
  CHECK(file_text(home.file()) == R"({"packages":[)" + stored(kSignedApp, kDigestB) + "]}\n");
  home.refuses(signed_by("a certificate"));
  CHECK(home.said.empty());
}

TEST_CASE("known signers: the refusal names the package, both signers and the flag",
          "[host][S14]") {
  SignersHome home;
  REQUIRE(home.meet(signed_by("a certificate")));
  const auto met = home.meet(signed_by("b certificate"));
  REQUIRE_FALSE(met);
  CHECK(met.error().message() == "the.apk is signed by " + kDigestB +
                                     "; com.example.app was signed by " + kDigestA +
                                     " before. The file was not taken.");
  const Json members = Json::parse(met.error().members());
  CHECK(members["hint"].get<std::string>().contains("--accept-new-signer"));
  CHECK(members["details"].dump() == R"({"package":"com.example.app","expected":[")" + kDigestA +
                                         R"("],"found":[")" + kDigestB +
                                         R"("],"apk":"the.apk","apkPackage":"com.example.app"})");
}

TEST_CASE("known signers: each package has its own; a second signer is another signer",
          "[host][S14]") {
  SignersHome home;
  REQUIRE(home.meet(signed_by("a certificate")));
  REQUIRE(home.meet(signed_by("b certificate", "com.example.other")));
  home.refuses(signed_by("a certificate", "com.example.other"));
  CHECK(home.meet(signed_by("a certificate")));
  const auto both = [](std::size_t scheme, const std::vector<std::vector<std::string>>& signers) {
    const std::string pairs =
        pair_of(kSchemeV2, scheme_of({{"a certificate"}})) + pair_of(scheme, scheme_of(signers));
    return SignedApk{.block = block_of(pairs)}.bytes();
  };
  home.refuses(both(kSchemeV3, {{"b certificate"}}));
  home.refuses(both(kSchemeV31, {{"b certificate"}}));
  home.refuses(both(kSchemeV2, {{"a certificate"}, {"b certificate"}}));
  CHECK(home.meet(both(kSchemeV3, {{"a certificate"}})));
}

TEST_CASE("known signers: the requested package has its signer, whatever the file contains",
          "[host][S14]") {
  SignersHome home;
  REQUIRE(home.meet(signed_by("a certificate")));
  home.refuses(signed_by("b certificate", "com.example.other"), kSignedApp);
  CHECK(home.meet(signed_by("a certificate", "com.example.other"), kSignedApp));
  CHECK(home.meet(signed_by("b certificate", "com.example.third"), "com.example.fourth"));
}

TEST_CASE("known signers: what cannot be read or is not signed is refused where one is known",
          "[host][S14]") {
  SignersHome home;
  for (const std::string& bytes : {std::string("no archive"), kUnsigned}) {
    CHECK(home.meet(bytes));
    CHECK(home.meet(bytes, kSignedApp));
    CHECK_FALSE(std::filesystem::exists(home.file()));
  }
  CHECK(home.said.contains("warning: the.apk has no signature of APK Signature Scheme v2"));
  REQUIRE(home.meet(signed_by("a certificate")));
  home.refuses(kUnsigned);
  home.refuses("no archive");
  home.refuses("no archive", kSignedApp);
  CHECK(home.meet("no archive", "com.example.other"));
  CHECK(home.meet("no archive", kSignedApp, true));
  CHECK(home.meet(kUnsigned, {}, true));
  CHECK(home.meet(signed_by("a certificate")));  // and is still the one
}

TEST_CASE("known signers: a damaged file is kept aside, what can be read of it counts",
          "[host][S14]") {
  SignersHome home;
  std::filesystem::create_directories(home.file().parent_path());
  const std::string damaged = R"({"packages":[7,)" + stored(kSignedApp, kDigestA) + "]}";
  std::ofstream(home.file()) << damaged;
  home.refuses(signed_by("b certificate"));
  CHECK(home.said.contains("is damaged"));
  REQUIRE(home.meet(signed_by("b certificate", "com.example.other")));
  CHECK(home.said.contains("was damaged; it is"));
  CHECK(file_text(home.file()) == R"({"packages":[)" + stored(kSignedApp, kDigestA) + "," +
                                      stored("com.example.other", kDigestB) + "]}\n");
  std::size_t aside = 0;
  for (const auto& entry : std::filesystem::directory_iterator(home.file().parent_path())) {
    if (!entry.path().string().contains(".damaged-")) continue;
    CHECK(file_text(entry.path()) == damaged);
    ++aside;
  }
  CHECK(aside == 1);
}

TEST_CASE("known signers: a file that may not be read ends the work, a full disk does not",
          "[host][S14]") {
  SignersHome home;
  std::filesystem::create_directories(home.file());  // a folder is no file
  CHECK_FALSE(home.meet(signed_by("a certificate")));
  std::filesystem::remove_all(home.file().parent_path());
  std::ofstream(home.file().parent_path()) << "no folder";
  CHECK(home.meet(signed_by("a certificate")));
  CHECK(home.said.contains("the signer of com.example.app is not remembered: "));
}

TEST_CASE("known signers: what the file may say", "[host][S14]") {
  const std::string good = stored("a.b", kDigestA);
  const auto list = [](const std::string& entries) { return "{\"packages\":[" + entries + "]}"; };
  CHECK(parse_known_signers(list(good)) == KnownSigners{{{"a.b", {kDigestA}}}});
  CHECK(parse_known_signers(list("")) == KnownSigners{});
  const std::string pair =
      kDigestA < kDigestB ? kDigestA + "\",\"" + kDigestB : kDigestB + "\",\"" + kDigestA;
  const std::string reversed =
      kDigestA < kDigestB ? kDigestB + "\",\"" + kDigestA : kDigestA + "\",\"" + kDigestB;
  CHECK_FALSE(parse_known_signers(list(stored("a.b", pair))).is_damaged);
  for (const std::string& bad :
       {std::string("7"), stored("", kDigestA), stored("a b", kDigestA), stored("a.b", "c0ffee"),
        stored("a.b", std::string(64, 'G')), stored("a.b", reversed),
        stored("a.b", kDigestA + "\",\"" + kDigestA),
        std::string(R"({"package":"a.b","sha256":[]})"), std::string(R"({"package":"a.b"})"),
        std::string(R"({"package":"a.b","sha256":[7]})")}) {
    INFO(bad);
    const KnownSigners known = parse_known_signers(list(bad));
    CHECK(known.is_damaged);
    CHECK(known.entries.empty());
  }
  for (const std::string& bad :
       {std::string(), std::string("7"), std::string("{}"), std::string(R"({"packages":{}})")}) {
    CHECK(parse_known_signers(bad) == KnownSigners{{}, true});
  }
  CHECK(parse_known_signers(list(good + "," + good)).is_damaged);
  std::string many;
  for (std::size_t i = 0; i <= KnownSigners::kMost; ++i) {
    many += (many.empty() ? "" : ",") + stored("p" + std::to_string(i), kDigestA);
  }
  const KnownSigners most = parse_known_signers(list(many));
  CHECK(most.is_damaged);
  CHECK(most.entries.size() == KnownSigners::kMost);
  CHECK(most.find("p0") == nullptr);
  CHECK(most.find("p64") != nullptr);
}
