#include "cli/pretty/emulators_for_people.hpp"

#include "cli/pretty/people.hpp"

namespace clawperator::cli {
namespace {

std::string verdict_of(const Avd& avd) {
  if (avd.supported) return "fits";
  std::string text;
  for (const std::string& reason : avd.unsupported_reasons) {
    text += (text.empty() ? "" : ", ") + reason;
  }
  return text;
}

std::string state_of(const Avd& avd) {
  if (!avd.exists) return "does not exist";
  return avd.running ? "running" : "stopped";
}

}  // namespace

std::string avds_for_people(const std::vector<Avd>& avds) {
  if (avds.empty()) return "no virtual devices\n";
  std::vector<std::vector<std::string>> cells{
      {"NAME", "STATE", "API", "ABI", "DEVICE", "PLAY STORE", "VERDICT"}};
  for (const Avd& avd : avds) {
    cells.push_back({avd.name, state_of(avd), avd.api_level ? std::to_string(*avd.api_level) : "?",
                     printable_name(avd.abi.value_or("?")),
                     printable_name(avd.device_profile.value_or("?")),
                     avd.play_store ? "yes" : "no", verdict_of(avd)});
  }
  return table(cells);
}

std::string running_for_people(const std::vector<RunningEmulator>& running) {
  if (running.empty()) return "no emulators run\n";
  std::vector<std::vector<std::string>> cells{{"NAME", "SERIAL", "STATE"}};
  for (const RunningEmulator& emulator : running) {
    cells.push_back({emulator.avd_name.empty() ? "?" : printable_name(emulator.avd_name),
                     emulator.row.serial, emulator.booted ? "booted" : "booting"});
  }
  return table(cells);
}

std::string provisioned_for_people(const Provisioned& done) {
  const std::string way = done.created   ? "created and started"
                          : done.started ? "started"
                                         : "reused";
  return printable_name(done.emulator.avd_name) + " was " + way + " as " +
         done.emulator.row.serial + "\n";
}

}  // namespace clawperator::cli
