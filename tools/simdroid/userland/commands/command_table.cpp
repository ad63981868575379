#include <array>

#include "simdroid/userland/commands/commands.hpp"

namespace simdroid {
namespace {

constexpr std::array kGroups{
    activity_commands, control_commands,  date_commands,   dumpsys_commands,
    file_commands,     filter_commands,   input_commands,  logcat_commands,
    package_commands,  program_commands,  run_as_commands, screen_commands,
    service_commands,  settings_commands, system_commands, video_commands};

constexpr std::string_view kFolders[] = {"/system/bin/", "/bin/", "/vendor/bin/", "/system/xbin/"};

bool is_left_out(std::string_view name, const Faults& faults) {
  return name == "screenrecord" && faults.active(Fault::screenrecord_fails) &&
         faults.text(Fault::screenrecord_fails) == "missing";
}

}  // namespace

const CommandEntry* find_command(std::string_view name, const Faults& faults) {
  for (const std::string_view folder : kFolders) {
    if (!name.starts_with(folder)) continue;
    name.remove_prefix(folder.size());
    break;
  }
  if (is_left_out(name, faults)) return nullptr;
  for (const auto group : kGroups) {
    for (const CommandEntry& entry : group()) {
      if (entry.name == name) return &entry;
    }
  }
  return nullptr;
}

}  // namespace simdroid
