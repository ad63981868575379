#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <thread>

#include "adbproto/client/pairing.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto;
using namespace adbproto::testing;

using Guids = std::vector<std::string>;

namespace {

struct Home {
  TempFolder folder;

  [[nodiscard]] GetEnvironment environment() const {
    return [path = folder.path().string()](const char* name) -> std::optional<std::string> {
      if (std::string_view(name) == "HOME") return path;
      return std::nullopt;
    };
  }
  [[nodiscard]] std::filesystem::path file() const {
    return folder.path() / ".android" / "adb_known_hosts.pb";
  }
};

}  // namespace

TEST_CASE("known hosts file: is made at the first pairing, readable by the user only", "[client]") {
  const Home home;
  CHECK(read_known_hosts(home.environment()) == Guids{});
  REQUIRE(run_task(add_known_host(home.environment(), "adb-SIM0001-abcdef")));
  CHECK(file_text(home.file()) ==
        "\x0a\x14\x0a\x12"
        "adb-SIM0001-abcdef");
  struct stat status{};
  REQUIRE(::stat(home.file().c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("known hosts file: a device is listed once, others stay", "[client]") {
  const Home home;
  for (const char* guid : {"one", "two", "one"})
    REQUIRE(run_task(add_known_host(home.environment(), guid)));
  CHECK(read_known_hosts(home.environment()) == Guids{"one", "two"});
}

TEST_CASE("known hosts file: what other versions wrote is kept", "[client]") {
  const Home home;
  const std::string before("\x10\x05\x0a\x03\x0a\x01g", 7);
  write_text(home.file(), before);
  REQUIRE(run_task(add_known_host(home.environment(), "h")));
  CHECK(file_text(home.file()) == before + "\x0a\x03\x0a\x01h");
}

TEST_CASE("known hosts file: a damaged one is begun anew and kept aside", "[client][S12]") {
  const Home home;
  write_text(home.file(), "\x0a\x7f broken");
  CHECK(read_known_hosts(home.environment()).error().code() == errc::protocol);
  const auto aside = run_task(add_known_host(home.environment(), "h"));
  REQUIRE(aside);
  CHECK(file_text(home.file()) == "\x0a\x03\x0a\x01h");
  CHECK(file_text(home.file().parent_path() / *aside) == "\x0a\x7f broken");
  const auto folder = std::filesystem::directory_iterator(home.file().parent_path());
  CHECK(std::distance(begin(folder), end(folder)) == 3);  // and the lock
}

TEST_CASE("known hosts file: one that is too large is an error and stays", "[client]") {
  const Home home;
  const std::string before((1 << 20) + 1, '\x0a');
  write_text(home.file(), before);
  CHECK(run_task(add_known_host(home.environment(), "h")).error().code() == errc::limit);
  CHECK(file_text(home.file()) == before);
}

TEST_CASE("known hosts file: of pairings at the same time none is lost", "[client]") {
  const Home home;
  constexpr std::size_t kPairings = 40;
  const auto pair_all = [&home](const std::string& prefix) {
    for (std::size_t i = 0; i < kPairings; ++i) {
      static_cast<void>(run_task(add_known_host(home.environment(), prefix + std::to_string(i))));
    }
  };
  {
    const std::jthread one(pair_all, "one-");
    const std::jthread two(pair_all, "two-");
  }
  const auto known = read_known_hosts(home.environment());
  REQUIRE(known);
  CHECK(known->size() == 2 * kPairings);
}

TEST_CASE("known hosts file: no folder is an error", "[client]") {
  const Home home;
  write_text(home.folder.path() / ".android", "a file");
  CHECK(run_task(add_known_host(home.environment(), "h")).error().code() == errc::io);
}
