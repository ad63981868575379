#include "runtime/device/memory.hpp"

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/json_text.hpp"
#include "base/system/environment.hpp"

namespace clawperator {
namespace {

constexpr std::size_t kMaxMemoryFile = 4096;      // we write some hundred bytes
constexpr std::uint64_t kMostPixels = 1'000'000;  // above any screen's side; fits 32 bits
constexpr std::array<std::string_view, 4> kRungNames{"abb", "cmd", "am", "shell"};
constexpr std::array kServices{AndroidService::activity, AndroidService::package,
                               AndroidService::settings};

std::filesystem::path memory_file(const std::string& serial) {
  const auto folder = cache_folder();
  if (folder.empty()) return {};
  return folder / "devices" / (file_name_of(serial) + ".json");
}

std::optional<Rung> rung_named(std::string_view name) {
  for (std::size_t i = 0; i < kRungNames.size(); ++i) {
    if (kRungNames[i] == name) return static_cast<Rung>(i);
  }
  return std::nullopt;
}

Rungs read_rungs(const nlohmann::json& json) {
  Rungs rungs;
  for (const AndroidService service : kServices) {
    const auto at = json.find(service_name(service));
    if (at != json.end() && at->is_string()) rungs.set(service, rung_named(at->get<std::string>()));
  }
  return rungs;
}

std::optional<std::chrono::microseconds> read_duration(const nlohmann::json& json,
                                                       const char* key) {
  const auto at = json.find(key);
  if (at == json.end() || !at->is_number_integer() || at->get<std::int64_t>() <= 0) {
    return std::nullopt;
  }
  return std::chrono::microseconds(at->get<std::int64_t>());
}

// 0 for a number that is no length of a screen.
std::uint32_t read_side(const nlohmann::json& json, const char* key) {
  const auto at = json.find(key);
  if (at == json.end() || !at->is_number_unsigned()) return 0;
  const auto side = at->get<std::uint64_t>();
  return side <= kMostPixels ? static_cast<std::uint32_t>(side) : 0;
}

}  // namespace

CaptureMethod DeviceMemory::faster_capture() const {
  if (device_png && raw_frame && *raw_frame < *device_png) return CaptureMethod::raw_frame;
  return CaptureMethod::device_png;
}

std::optional<std::chrono::milliseconds> DeviceMemory::raw_trial() const {
  // Below this the raw frame gains little, and its trial may take twice the PNG's time.
  constexpr auto kLong = std::chrono::milliseconds(150);
  if (raw_frame || !device_png || *device_png < kLong) return std::nullopt;
  return std::chrono::ceil<std::chrono::milliseconds>(*device_png * 2);
}

DeviceMemory recall_device(const std::string& serial) {
  DeviceMemory memory;
  const auto path = memory_file(serial);
  if (path.empty()) return memory;
  const auto text = read_file(path, kMaxMemoryFile);
  if (!text) return memory;
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object()) return memory;
  const auto boot = json.find("bootId");
  if (boot == json.end() || !boot->is_string()) return memory;
  memory.boot_id = boot->get<std::string>();
  if (const auto at = json.find("serialno"); at != json.end() && at->is_string()) {
    memory.serialno = at->get<std::string>();
  }
  if (const auto at = json.find("operatorPackage"); at != json.end() && at->is_string()) {
    memory.operator_package = at->get<std::string>();
  }
  if (const auto at = json.find("operatorChosen"); at != json.end() && at->is_boolean()) {
    memory.operator_was_chosen = at->get<bool>();
  }
  if (const auto at = json.find("operatorVersion"); at != json.end() && at->is_string()) {
    memory.operator_version = parse_version(at->get<std::string>());
  }
  if (const auto at = json.find("sdk"); at != json.end() && at->is_number_integer()) {
    memory.sdk = at->get<int>();
  }
  if (const auto at = json.find("rungs"); at != json.end() && at->is_object()) {
    memory.rungs = read_rungs(*at);
  }
  if (const auto at = json.find("greetsWithDelayedAck"); at != json.end() && at->is_boolean()) {
    memory.greets_with_delayed_ack = at->get<bool>();
  }
  if (const auto at = json.find("severalDisplays"); at != json.end() && at->is_boolean()) {
    memory.several_displays = at->get<bool>();
  }
  memory.screen_width = read_side(json, "screenWidth");
  memory.screen_height = read_side(json, "screenHeight");
  memory.device_png = read_duration(json, "devicePngUs");
  memory.raw_frame = read_duration(json, "rawFrameUs");
  return memory;
}

void remember_device(const std::string& serial, const DeviceMemory& memory) {
  const auto path = memory_file(serial);
  if (path.empty()) return;
  JsonObject json;
  json.text("bootId", memory.boot_id);
  if (!memory.serialno.empty()) json.text("serialno", memory.serialno);
  if (memory.sdk > 0) json.number("sdk", memory.sdk);
  JsonObject rungs;
  for (const AndroidService service : kServices) {
    const auto rung = memory.rungs.of(service);
    if (rung) rungs.text(service_name(service), kRungNames[static_cast<std::size_t>(*rung)]);
  }
  json.json("rungs", rungs.str());
  if (!memory.operator_package.empty()) json.text("operatorPackage", memory.operator_package);
  if (memory.operator_was_chosen) json.boolean("operatorChosen", true);
  if (memory.operator_version) json.text("operatorVersion", to_string(*memory.operator_version));
  if (const auto delayed = memory.greets_with_delayed_ack) {
    json.boolean("greetsWithDelayedAck", *delayed);
  }
  if (memory.several_displays) json.boolean("severalDisplays", true);
  if (memory.screen_width > 0) json.number("screenWidth", memory.screen_width);
  if (memory.screen_height > 0) json.number("screenHeight", memory.screen_height);
  if (memory.device_png) json.number("devicePngUs", memory.device_png->count());
  if (memory.raw_frame) json.number("rawFrameUs", memory.raw_frame->count());
  [[maybe_unused]] const auto written = write_file_atomically(path, json.str());
}

}  // namespace clawperator
