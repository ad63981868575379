#include "runtime/host/verbs/battery.hpp"

#include "cli/chore.hpp"
#include "cli/commands/commands.hpp"
#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator::cli {
namespace {

std::string battery_for_people(const Battery& battery) {
  std::string text = std::to_string(battery.percent) + " %, " + battery.status;
  for (const std::string& plug : battery.plugged) text += ", " + plug;
  return text + (battery.frozen ? ", frozen by a test\n" : "\n");
}

Result<Answer> run_battery(const Invocation& invocation) {
  TRY(const auto found, do_on_device<Battery>(invocation.globals, "battery",
                                              [](auto* device) { return read_battery(device); }));
  JsonObject json = verb_answer(found.device_id);
  Answer answer{add_battery(json, found.value).str(), {}, {}, 0};
  if (invocation.globals.output == OutputMode::pretty) {
    answer.text = battery_for_people(found.value);
  }
  return answer;
}

}  // namespace

constinit const Command kBattery = {
    "battery",
    "",
    "",
    "Tell the battery's level, health and plugs",
    "\"frozen\":true where somebody set it for a test. On Android 7 to 16.",
    "battery\n",
    Reach::device,
    {},
    run_battery};

}  // namespace clawperator::cli
