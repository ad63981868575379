#include "runtime/host/verbs/battery.hpp"

#include <array>
#include <map>

#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/android/system_commands.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/host/android_services.hpp"

namespace clawperator {
namespace {

// android.os.BatteryManager's numbers, from 1 on.
constexpr auto kStatuses =
    std::to_array<std::string_view>({"unknown", "charging", "discharging", "not_charging", "full"});
constexpr auto kHealths = std::to_array<std::string_view>(
    {"unknown", "good", "overheat", "dead", "over_voltage", "failure", "cold"});

struct Plug {
  std::string_view printed, name;
};
constexpr auto kPlugs = std::to_array<Plug>({{"AC powered", "ac"},
                                             {"USB powered", "usb"},
                                             {"Wireless powered", "wireless"},
                                             {"Dock powered", "dock"}});

using Values = std::map<std::string, std::string, std::less<>>;

// The lines "name: value" below the heading; of a name that stands there twice the first.
Values read_values(std::string_view text) {
  Values values;
  while (!text.empty()) {
    const std::string_view line = take_line(&text);
    const auto colon = line.find(": ");
    if (colon == line.npos) continue;
    values.emplace(line.substr(0, colon), trimmed(line.substr(colon + 2)));
  }
  return values;
}

std::optional<std::int64_t> battery_number(const Values& values, std::string_view name) {
  const auto found = values.find(name);
  return found == values.end() ? std::nullopt : whole_number<std::int32_t>(found->second);
}

template <std::size_t N>
std::string_view battery_word(const std::array<std::string_view, N>& words,
                              std::optional<std::int64_t> number) {
  const bool known = number && *number >= 1 && *number <= static_cast<std::int64_t>(N);
  return known ? words[static_cast<std::size_t>(*number - 1)] : words.front();
}

}  // namespace

std::optional<Battery> parse_battery(std::string_view dumpsys) {
  const Values values = read_values(dumpsys);
  const auto level = battery_number(values, "level");
  const auto scale = battery_number(values, "scale").value_or(100);
  if (!level || *level < 0 || scale <= 0 || *level > scale) return std::nullopt;
  Battery battery{.percent = *level * 100 / scale};
  battery.status = battery_word(kStatuses, battery_number(values, "status"));
  battery.health = battery_word(kHealths, battery_number(values, "health"));
  for (const Plug& plug : kPlugs) {
    const auto found = values.find(plug.printed);
    if (found != values.end() && found->second == "true") battery.plugged.emplace_back(plug.name);
  }
  if (const auto tenths = battery_number(values, "temperature")) {
    battery.celsius = static_cast<double>(*tenths) / 10;
  }
  battery.millivolts = battery_number(values, "voltage");
  battery.frozen = dumpsys.contains("UPDATES STOPPED");
  return battery;
}

Task<Battery> read_battery(adbproto::Device* device) {
  CO_TRY(const CommandOutput printed, co_await run_on_device(device, battery_line()));
  auto battery = parse_battery(printed.out);
  if (battery) co_return *std::move(battery);
  co_return fail(errc::device_shell_unavailable,
                 "the device does not tell its battery's level: " + one_message(printed.text()));
}

JsonObject& add_battery(JsonObject& json, const Battery& battery) {
  json.number("percent", battery.percent).text("status", battery.status);
  json.strings("plugged", battery.plugged).text("health", battery.health);
  if (battery.celsius) json.real("celsius", *battery.celsius);
  if (battery.millivolts) json.number("millivolts", *battery.millivolts);
  return json.boolean("frozen", battery.frozen);
}

}  // namespace clawperator
