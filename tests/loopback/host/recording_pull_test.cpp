#include "runtime/host/recording/recording_files.hpp"

#include <catch2/catch.hpp>

#include "runtime/host/errc.hpp"
#include "support/sim_phone.hpp"
#include "support/temp_folder.hpp"

using namespace clawperator;
using namespace adbproto;
using adbproto::testing::file_text;
using adbproto::testing::SimDevice;
using adbproto::testing::TempFolder;
namespace fs = std::filesystem;

namespace {

constexpr const char* kPulled = "com.clawperator.operator";
const std::string kFolder =
    "/storage/emulated/0/Android/data/com.clawperator.operator/files/recordings/";

struct PullBench : SimDevice {
  TempFolder here;

  Result<PulledRecording> pull(std::optional<std::string> id = std::nullopt) {
    return run(pull_recording(device(), {kPulled, std::move(id), here.path() / "out"}));
  }
  // Everything that lies in the sandbox.
  std::vector<std::string> left_over() {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(here.path())) {
      names.push_back(fs::relative(entry.path(), here.path()));
    }
    return names;
  }
};

}  // namespace

TEST_CASE("recording pull: what was stopped last, byte for byte") {
  PullBench bench;
  bench.files().install(kFolder + "abc.ndjson", std::string("one\r\n\0two", 9));
  bench.files().install(kFolder + "latest", " abc\n");
  const auto pulled = bench.pull();
  REQUIRE(pulled);
  CHECK(pulled->session_id == "abc");
  CHECK(pulled->local_path == bench.here.path() / "out/abc.ndjson");
  CHECK(file_text(pulled->local_path) == std::string("one\r\n\0two", 9));
}

TEST_CASE("recording pull: a pointer cannot lead out of the folder") {
  const std::string pointer = GENERATE(as<std::string>{}, "../../../../etc/passwd", "a/b", "..",
                                       "a b", "x.y", std::string("a\0b", 3));
  PullBench bench;
  bench.files().install(kFolder + "latest", pointer);
  const auto pulled = bench.pull();
  REQUIRE_FALSE(pulled);
  CHECK(pulled.error().code() == errc::recording_session_not_found);
  CHECK(pulled.error().message() == "Invalid session ID format: " + pointer);
  CHECK(bench.left_over().empty());
}

TEST_CASE("recording pull: no pointer, a blank one or an endless one is no session") {
  const std::string pointer = GENERATE(as<std::string>{}, "", " \n", std::string(100'000, 'a'));
  PullBench bench;
  bench.files().install(kFolder + "latest", pointer);
  const auto pulled = bench.pull();
  REQUIRE_FALSE(pulled);
  CHECK(pulled.error().code() == errc::recording_session_not_found);
  CHECK(pulled.error().message() ==
        "No recording session found on device. Start a recording first.");
}

TEST_CASE("recording pull: a recording that is not there leaves nothing behind") {
  PullBench bench;
  const auto pulled = bench.pull("never-was");
  REQUIRE_FALSE(pulled);
  CHECK(pulled.error().code() == errc::recording_session_not_found);
  CHECK(pulled.error().message() ==
        "No recording /sdcard/Android/data/com.clawperator.operator/files/recordings/"
        "never-was.ndjson on the device.");
  CHECK(bench.left_over().empty());
}

TEST_CASE("recording pull: an older file of that name is replaced whole") {
  PullBench bench;
  adbproto::testing::write_text(bench.here.path() / "out/demo-session.ndjson",
                                std::string(100'000, 'x'));
  const auto pulled = bench.pull("demo-session");
  REQUIRE(pulled);
  CHECK(file_text(pulled->local_path).starts_with("{\"type\":\"recording_header\""));
  CHECK(bench.left_over().size() == 2);
}
