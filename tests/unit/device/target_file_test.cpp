#include "runtime/device/target_file.hpp"

#include <catch2/catch.hpp>

#include "support/print_result.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using adbproto::Errc;

namespace {

struct Home {
  TempFolder folder;
  Variable home{"HOME", folder.path().string()};
  [[nodiscard]] std::filesystem::path file() const {
    return folder.path() / ".clawperator/targets.json";
  }
};

}  // namespace

TEST_CASE("targets: added once, removed once, in order", "[device]") {
  const Home home;
  CHECK(read_targets().empty());
  CHECK(add_target("10.0.0.1:5555"));
  CHECK(add_target("10.0.0.2:5555"));
  CHECK(add_target("10.0.0.1:5555"));
  CHECK(read_targets() == std::vector<std::string>{"10.0.0.1:5555", "10.0.0.2:5555"});
  CHECK(file_text(home.file()) == "{\"targets\":[\"10.0.0.1:5555\",\"10.0.0.2:5555\"]}\n");
  CHECK(remove_target("10.0.0.1:5555") == true);
  CHECK(remove_target("10.0.0.1:5555") == false);
  CHECK(read_targets() == std::vector<std::string>{"10.0.0.2:5555"});
}

TEST_CASE("targets: strange files hold none", "[device]") {
  const Home home;
  const std::string text = GENERATE("", "{", "[]", "{\"targets\":{}}", "{\"targets\":\"a:1\"}");
  INFO(text);
  write_text(home.file(), text);
  CHECK(read_targets().empty());
  CHECK(add_target("a:1"));
  CHECK(read_targets() == std::vector<std::string>{"a:1"});
}

TEST_CASE("targets: entries that are no addresses are skipped, others completed", "[device]") {
  const Home home;
  write_text(home.file(), R"({"targets":[1,"","a b:1","10.0.0.1","x:99999","[::1]:7"]})");
  CHECK(read_targets() == std::vector<std::string>{"10.0.0.1:5555", "[::1]:7"});
}

TEST_CASE("targets: their number is bounded", "[device]") {
  const Home home;
  for (int i = 1; i <= 64; ++i) REQUIRE(add_target("host:" + std::to_string(i)));
  const auto added = add_target("host:65");
  REQUIRE_FALSE(added);
  CHECK(added.error().code() == Errc::limit);
}

TEST_CASE("targets: without a home they cannot be kept", "[device]") {
  const Variable home("HOME", std::nullopt);
  CHECK(read_targets().empty());
  const auto added = add_target("a:1");
  REQUIRE_FALSE(added);
  CHECK(added.error().code() == Errc::io);
}
