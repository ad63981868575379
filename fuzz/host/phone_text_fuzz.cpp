// What phones print, read for the verbs that act by their shell. The first byte chooses the reader.
// Invariants: everything that is read is a part of what was printed.

#include "runtime/android/screen_commands.hpp"
#include "runtime/host/verbs/app_log.hpp"
#include "runtime/host/verbs/apps.hpp"
#include "runtime/host/verbs/input.hpp"
#include "runtime/host/verbs/system.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using namespace clawperator;

namespace {

void read_apps(std::string_view text) {
  for (const AppRow& row : parse_app_rows(text)) {
    fuzz::require(!row.package.empty() && text.contains(row.package));
  }
  const auto paths = parse_package_paths(text);
  for (const PackagePath& path : paths) {
    fuzz::require(text.contains(path.path + "=" + path.package));
  }
  fuzz::require(new_paths(paths, paths).empty());
  for (const std::int64_t id : parse_process_ids(text)) fuzz::require(id > 0);
}

void read_facts(std::string_view text) {
  const auto facts = parse_app_facts(text, "a.b", 0);
  if (!facts) return;
  fuzz::require(text.contains("Package [a.b"));
  for (const AppPermission& permission : facts->permissions) {
    fuzz::require(text.contains(permission.name + ": granted="));
    fuzz::require(is_granted(*facts, permission.name).has_value());
  }
}

void read_crashes(const std::string& text) {
  const CrashReport report = parse_crashes(text, "a.b");
  fuzz::require(report.last.has_value() == (report.crashes + report.anrs > 0));
  if (!report.last) return;
  fuzz::require(is_process_of(report.last->process, "a.b") && text.contains(report.last->process));
  fuzz::require(text.contains(report.last->message) && text.contains(report.last->exception));
}

void read_processes(const std::string& text) {
  PackageProcesses processes("a.b");
  processes.read_listing(text);
  adbproto::LogEntry entry;
  entry.tag = "ActivityManager";
  entry.message = text;
  processes.note(entry);
  fuzz::require(text.contains("a.b") || !processes.has(31));
}

void read_battery(const std::string& text) {
  const auto battery = parse_battery(text);
  fuzz::require(!battery || (battery->percent >= 0 && battery->percent <= 100));
}

void read_rotation(const std::string& text) {
  const auto turns = main_rotation(text);
  fuzz::require(!turns || text.contains(", rotation " + std::to_string(*turns) + ","));
}

void read_keyboard(const std::string& text) {
  const auto state = parse_keyboard(text);
  if (!state) return;
  fuzz::require(text.contains("mInputShown=") && text.contains(state->activity));
  fuzz::require(!state->shown || text.contains("mInputShown=true"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 7) {
    case 0: read_apps(text); break;
    case 1: read_crashes(text); break;
    case 2: read_processes(text); break;
    case 3: read_battery(text); break;
    case 4: read_rotation(text); break;
    case 5: read_keyboard(text); break;
    default: read_facts(text); break;
  }
  return 0;
}
