#include "runtime/device/target_file.hpp"

#include <catch2/catch.hpp>
#include <thread>

#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace adbproto;

namespace {

struct TargetsHome {
  TempFolder folder;
  Variable home{"HOME", folder.path().string()};
  [[nodiscard]] std::filesystem::path file() const {
    return folder.path() / ".clawperator/targets.json";
  }
};

}  // namespace

TEST_CASE("targets: added once, removed once, in order", "[device]") {
  const TargetsHome home;
  CHECK(read_targets() == TargetList{});
  CHECK(run_task(add_target("10.0.0.1:5555")));
  CHECK(run_task(add_target("10.0.0.2:5555")));
  CHECK(run_task(add_target("10.0.0.1:5555")));
  CHECK(read_targets()->addresses == std::vector<std::string>{"10.0.0.1:5555", "10.0.0.2:5555"});
  CHECK(file_text(home.file()) ==
        "{\"targets\":[\"10.0.0.1:5555\",\"10.0.0.2:5555\"],"
        "\"changes\":{\"10.0.0.1:5555\":1,\"10.0.0.2:5555\":2},\"lastChange\":2}\n");
  CHECK(run_task(remove_target("10.0.0.1:5555")) == true);
  CHECK(run_task(remove_target("10.0.0.1:5555")) == false);
  CHECK(read_targets()->addresses == std::vector<std::string>{"10.0.0.2:5555"});
}

TEST_CASE("targets: a damaged file is kept aside, and its user hears where", "[device][S12]") {
  const TargetsHome home;
  const std::string text = GENERATE("", "{", "[]", "{\"targets\":{}}", "{\"targets\":\"a:1\"}",
                                    "{\"targets\":[\"b:1\",7]}", "{\"targets\":[\"b:1\",\"\"]}");
  INFO(text);
  write_text(home.file(), text);
  std::string said;
  const OnNotice on_notice = [&said](std::string_view line) { said = line; };
  const auto before = read_targets(on_notice);
  REQUIRE(before);
  CHECK(before->is_damaged);
  CHECK_THAT(said, Catch::Contains(home.file().string() + " is damaged"));
  CHECK(run_task(remove_target("a:1", on_notice)) == false);
  CHECK(file_text(home.file()) == text);
  REQUIRE(run_task(add_target("a:1", on_notice)));
  auto wanted = before->addresses;
  wanted.emplace_back("a:1");
  CHECK(read_targets()->addresses == wanted);
  CHECK_FALSE(read_targets()->is_damaged);
  const auto at = said.find("targets.json.damaged-");
  REQUIRE(at != said.npos);
  CHECK(file_text(home.file().parent_path() / said.substr(at, said.find(' ', at) - at)) == text);
}

TEST_CASE("targets: entries that are no addresses are skipped, others completed", "[device]") {
  const TargetsHome home;
  write_text(home.file(), R"({"targets":[1,"","a b:1","10.0.0.1","x:99999","[::1]:7"]})");
  CHECK(read_targets()->addresses == std::vector<std::string>{"10.0.0.1:5555", "[::1]:7"});
}

TEST_CASE("targets: each connecting and disconnecting has its number, removed ones are forgotten",
          "[device][F68]") {
  const TargetsHome home;
  write_text(home.file(), R"({"targets":["a:1"]})");  // as before there were numbers
  const auto change_of = [](const char* name) { return read_targets()->changes[name]; };
  CHECK(read_targets()->changes.empty());
  CHECK(run_task(remove_target("a:1")) == true);
  CHECK(run_task(add_target("a:1")));
  const auto connected = change_of("a:1");
  CHECK(run_task(add_target("a:1")));
  CHECK(run_task(add_target("b:1")));
  CHECK(change_of("a:1") == connected);
  CHECK(run_task(remove_target("a:1")) == true);
  CHECK_FALSE(read_targets()->changes.contains("a:1"));
  CHECK(run_task(remove_target("b:1")) == true);
  CHECK(read_targets()->changes.empty());
  CHECK(run_task(add_target("b:1")));
  CHECK(run_task(add_target("a:1")));
  CHECK(change_of("a:1") > connected);
  CHECK(run_task(note_disconnected("adb-SN1-abcdef")));
  CHECK(change_of("adb-SN1-abcdef") > change_of("a:1"));
  CHECK(read_targets()->addresses == std::vector<std::string>{"b:1", "a:1"});
}

TEST_CASE("targets: strange numbers count as none, and only the last ones are remembered",
          "[device]") {
  const TargetsHome home;
  write_text(home.file(),
             R"({"targets":["a:1"],"changes":{"a:1":-1,"b:1":"2","c:1":1e300,"d:1":7}})");
  CHECK(read_targets()->changes == std::map<std::string, std::uint64_t>{{"d:1", 7}});
  for (int i = 1; i <= 128; ++i) REQUIRE(run_task(note_disconnected("host:" + std::to_string(i))));
  const auto changes = read_targets()->changes;
  CHECK(changes.size() == 128);
  CHECK_FALSE(changes.contains("d:1"));
  CHECK(changes.contains("host:1"));
}

TEST_CASE("targets: a file that cannot be read is no empty one, and never replaced", "[device]") {
  const TargetsHome home;
  const std::string text(70'000, ' ');
  write_text(home.file(), text);
  CHECK_FALSE(read_targets());
  CHECK_FALSE(run_task(add_target("a:1")));
  CHECK_FALSE(run_task(remove_target("a:1")));
  CHECK_FALSE(run_task(note_disconnected("a:1")));
  CHECK(file_text(home.file()) == text);
}

TEST_CASE("targets: a phone may be kept by the name it announces", "[device]") {
  const TargetsHome home;
  CHECK(target_name("adb-SN1-abcdef._adb-tls-connect._tcp") == "adb-SN1-abcdef");
  CHECK(run_task(add_target("adb-SN1-abcdef")));
  CHECK(read_targets()->addresses == std::vector<std::string>{"adb-SN1-abcdef"});
  CHECK(target_name("adb-host:5555") == "adb-host:5555");
  CHECK(target_name("10.0.0.1") == "10.0.0.1:5555");
  for (const char* none : {"a b:1", "adb-", "adb-._adb-tls-connect._tcp", "._adb._tcp"}) {
    CHECK(target_name(none).error().code() == errc::invalid_argument);
  }
}

TEST_CASE("targets: their number is bounded", "[device]") {
  const TargetsHome home;
  for (int i = 1; i <= 64; ++i) REQUIRE(run_task(add_target("host:" + std::to_string(i))));
  const auto added = run_task(add_target("host:65"));
  REQUIRE_FALSE(added);
  CHECK(added.error().code() == errc::limit);
}

TEST_CASE("targets: of connects at the same time none is lost", "[device]") {
  const TargetsHome home;
  constexpr std::size_t kTargets = 30;
  const auto connect_all = [](const std::string& host) {
    for (std::size_t i = 1; i <= kTargets; ++i) {
      [[maybe_unused]] const auto added = run_task(add_target(host + ":" + std::to_string(i)));
      [[maybe_unused]] const auto noted = run_task(note_disconnected(host));
    }
  };
  {
    const std::jthread one(connect_all, "one");
    const std::jthread two(connect_all, "two");
  }
  const auto known = read_targets();
  REQUIRE(known);
  CHECK(known->addresses.size() == 2 * kTargets);
  CHECK(known->changes.size() == 2 * kTargets + 2);
}

TEST_CASE("targets: in a home that is no folder they cannot be kept", "[device]") {
  const Variable home("HOME", "/dev/null");
  CHECK_FALSE(run_task(add_target("a:1")));
}
