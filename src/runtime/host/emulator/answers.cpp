#include "runtime/host/emulator/answers.hpp"

#include "runtime/contract/json_text.hpp"
#include "runtime/host/emulator/avd_folder.hpp"

namespace clawperator {
namespace {

JsonObject booted_members(const RunningEmulator& emulator, std::string_view avd_name) {
  return JsonObject()
      .text("type", "emulator")
      .text("avdName", avd_name)
      .text("serial", emulator.row.serial)
      .boolean("booted", emulator.booted);
}

}  // namespace

std::string avds_json(std::vector<Avd>* avds, const std::vector<RunningEmulator>& running) {
  std::string list;
  for (Avd& avd : *avds) {
    avd.running = find_by_name(running, avd.name) != nullptr;
    list += (list.empty() ? "" : ",") + to_json(avd);
  }
  return JsonObject().json("avds", "[" + list + "]").str();
}

std::string running_json(const EmulatorHost& host, const std::vector<RunningEmulator>& running) {
  std::string list;
  for (const RunningEmulator& emulator : running) {
    // What a console says is a name only if it could be one.
    const Avd avd = is_avd_name(emulator.avd_name)
                        ? read_avd(host.avds, emulator.avd_name, host.arch)
                        : describe_avd(emulator.avd_name, {}, {}, host.arch);
    JsonObject json = booted_members(emulator, emulator.avd_name);
    json.boolean("supported", avd.supported).strings("unsupportedReasons", avd.unsupported_reasons);
    list += (list.empty() ? "" : ",") + json.str();
  }
  return JsonObject().json("devices", "[" + list + "]").str();
}

std::string provisioned_json(const Provisioned& done) {
  return booted_members(done.emulator, done.emulator.avd_name)
      .boolean("created", done.created)
      .boolean("started", done.started)
      .boolean("reused", done.reused)
      .str();
}

std::string started_json(const RunningEmulator& emulator, std::string_view avd_name) {
  return booted_members(emulator, avd_name).str();
}

std::string stopped_json(const RunningEmulator& emulator, std::string_view name) {
  JsonObject json;
  json.boolean("ok", true).text("avdName", emulator.avd_name);
  if (name == emulator.row.serial) json.text("serial", name);
  return json.boolean("stopped", true).str();
}

std::string deleted_json(std::string_view avd_name) {
  return JsonObject().boolean("ok", true).text("avdName", avd_name).boolean("deleted", true).str();
}

}  // namespace clawperator
