#include "runtime/device/memory.hpp"

#include <catch2/catch.hpp>

#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace std::chrono_literals;

namespace {

struct Home {
  TempFolder folder;
  Variable cache{"XDG_CACHE_HOME", folder.path().string()};
  [[nodiscard]] std::filesystem::path file(const std::string& name) const {
    return folder.path() / "clawperator/devices" / name;
  }
};

}  // namespace

TEST_CASE("memory: what was remembered is recalled", "[device]") {
  const Home home;
  const auto rung =
      GENERATE(std::optional<Rung>(), Rung::abb, Rung::cmd, Rung::am, Rung::legacy_shell);
  DeviceMemory memory;
  memory.boot_id = "boot-1";
  memory.rungs.set(AndroidService::package, rung);
  memory.serialno = "SN";
  memory.sdk = 33;
  memory.operator_package = "com.clawperator.operator";
  memory.operator_was_chosen = true;
  memory.operator_version = Version{0, 12, 5};
  memory.several_displays = true;
  memory.screen_width = 1080;
  memory.screen_height = 2400;
  memory.device_png = 250'000us;
  remember_device("phone", memory);
  CHECK(recall_device("phone") == memory);
  CHECK(recall_device("other") == DeviceMemory{});
}

TEST_CASE("memory: strange files are no memory", "[device]") {
  const Home home;
  const std::string text =
      GENERATE("", "[]", "{", "null", "{\"sdk\":33}", "{\"bootId\":7,\"sdk\":33}");
  INFO(text);
  write_text(home.file("phone.json"), text);
  CHECK(recall_device("phone") == DeviceMemory{});
}

TEST_CASE("memory: strange members are left out", "[device]") {
  const Home home;
  write_text(
      home.file("phone.json"),
      R"({"bootId":"b","rungs":{"package":"ladder","activity":7},"sdk":"x","serialno":5,)"
      R"("screenWidth":-1,"screenHeight":99999999999,"devicePngUs":-5,"rawFrameUs":"fast","operatorPackage":7,"operatorVersion":"x","operatorChosen":1})");
  DeviceMemory memory;
  memory.boot_id = "b";
  CHECK(recall_device("phone") == memory);
}

TEST_CASE("memory: a file that is too long is none", "[device]") {
  const Home home;
  write_text(home.file("phone.json"),
             "{\"bootId\":\"" + std::string(5000, 'b') + "\",\"rung\":\"abb\"}");
  CHECK(recall_device("phone") == DeviceMemory{});
}

TEST_CASE("memory: no home is no error", "[device]") {
  const Variable home("HOME", "/dev/null");
  const Variable cache("XDG_CACHE_HOME", "/dev/null");
  remember_device("phone", {});
  CHECK(recall_device("phone") == DeviceMemory{});
}

TEST_CASE("memory: the device's PNG until the raw way was measured faster", "[device]") {
  struct Row {
    const char* name;
    std::optional<std::chrono::microseconds> png, raw;
    CaptureMethod method;
  };
  const auto row = GENERATE(values<Row>({
      {"nothing known", {}, {}, CaptureMethod::device_png},
      {"only PNG", 1us, {}, CaptureMethod::device_png},
      {"only raw", {}, 1us, CaptureMethod::device_png},
      {"raw slower", 5us, 6us, CaptureMethod::device_png},
      {"the same", 5us, 5us, CaptureMethod::device_png},
      {"raw faster", 6us, 5us, CaptureMethod::raw_frame},
  }));
  INFO(row.name);
  DeviceMemory memory;
  memory.device_png = row.png;
  memory.raw_frame = row.raw;
  CHECK(memory.faster_capture() == row.method);
}

TEST_CASE("memory: the raw way is tried where the device's PNG takes long", "[device]") {
  DeviceMemory memory;
  CHECK_FALSE(memory.raw_trial());
  memory.device_png = 149ms;
  CHECK_FALSE(memory.raw_trial());
  memory.device_png = 300ms;
  CHECK(memory.raw_trial() == 600ms);
  memory.raw_frame = 1s;
  CHECK_FALSE(memory.raw_trial());
}
