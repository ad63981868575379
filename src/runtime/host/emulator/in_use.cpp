#include "runtime/host/emulator/in_use.hpp"

#include <algorithm>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/host/emulator/avd_folder.hpp"
#include "runtime/host/emulator/lifecycle.hpp"

namespace clawperator {

namespace {

Error occupied(const RunningEmulator& emulator, const std::string& name) {
  const std::string& serial = emulator.row.serial;
  ErrorMembers details;
  details.text("avdName", name).text("serial", serial).text("state", emulator.row.state.text());
  const std::string what = emulator.avd_name == name
                               ? "Emulator " + name + " is already running as " + serial
                               : serial + " does not tell its name; it may be emulator " + name;
  return {errc::emulator_already_running, what,
          ErrorMembers()
              .text("hint", "stop it first: clawperator emulator stop " +
                                (emulator.avd_name == name ? name : serial))
              .object("details", details)
              .str()};
}

Error locked(const std::string& name, const AvdLock& lock) {
  ErrorMembers details;
  details.text("avdName", name).text("lockFile", lock.file.string()).number("pid", lock.holder);
  return {errc::emulator_already_running,
          "Emulator " + name + " is already running as process " + std::to_string(lock.holder),
          ErrorMembers()
              .text("hint", "close its window or end that process; it holds " + lock.file.string())
              .object("details", details)
              .str()};
}

Task<void> require(AvdUse use, Doubt doubt) {
  CO_TRY(const auto running, co_await emulators_in_any_state(use.target));
  if (const RunningEmulator* emulator = in_the_way(running, use.name, doubt)) {
    co_return std::unexpected(occupied(*emulator, use.name));
  }
  if (const auto lock = held_lock(use.avds, use.name)) {
    co_return std::unexpected(locked(use.name, *lock));
  }
  co_return ok();
}

}  // namespace

const RunningEmulator* in_the_way(const std::vector<RunningEmulator>& running,
                                  std::string_view name, Doubt doubt) {
  if (const RunningEmulator* same = find_by_name(running, name)) return same;
  return doubt == Doubt::respect ? find_by_name(running, "") : nullptr;
}

Task<void> require_idle(AvdUse use) { co_return co_await require(std::move(use), Doubt::ignore); }

Task<void> require_surely_idle(AvdUse use) {
  co_return co_await require(std::move(use), Doubt::respect);
}

}  // namespace clawperator
