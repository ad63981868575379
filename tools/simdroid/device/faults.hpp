#pragma once
// The faults, set from outside by `simctl fault NAME [VALUE]`. faults_table.cpp has the names,
// their meaning and the default of a missing VALUE.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "simdroid/device/prelude.hpp"

namespace simdroid {

enum class Fault : std::uint8_t {
  envelope_none,
  envelope_late,
  envelope_duplicate,
  envelope_malformed,
  envelope_foreign,
  envelope_foreign_malformed,
  envelope_held,
  envelope_altered,
  envelope_forged,
  piece_lost,
  piece_repeated,
  pieces_swapped,
  piece_hash_wrong,
  piece_announces,
  pieces_foreign,
  foreign_command,
  app_restarts,
  step_hangs,
  step_gap,
  scroll_unknown,
  log_noise,
  log_drop,
  logcat_dies,
  logcat_refused,
  logcat_silent,
  logcat_behind,
  broadcast_refused,
  broadcast_hangs,
  broadcast_dropped,
  broadcast_says,
  autostart_guard,
  package_missing,
  package_variant,
  accessibility_off,
  screencap_empty,
  screencap_truncated,
  screencap_fails,
  screencap_hangs,
  link_cut,
  link_stall,
  link_slow,
  link_hostile_length,
  link_garbage,
  shell_hostile_length,
  shell_no_exit,
  sync_hostile_length,
  service_refused,
  feature_off,
  storage_unavailable,
  app_data_closed,
  boot_unfinished,
  install_refused,
  grant_refused,
  setting_ignored,
  escape_ignored,
  clear_ignored,
  dumpsys_garbled,
  last_anr,
  focus_none,
  screenrecord_fails,
  second_user,
  current_user,
  shell_restricted,
  package_stopped,
  restricted_settings,
  accessibility_unbound,
  ui_automation,
  log_level,
  log_queue,
  clock_back,
  second_display,
  screencap_format,
  secure_window,
  uiautomator_fails,
  tree_file,
  screen_untold,
  linker_warns,
  start_refused,
};

struct FaultRow {
  Fault fault;
  std::string_view name;
  std::string_view default_value;
  std::string_view meaning;
};

std::span<const FaultRow> fault_table();

class Faults {
 public:
  // errc::invalid_argument for a name that is not in the table. A value given to
  // service-refused or feature-off adds to the values already given.
  Result<void> set(std::string_view name, std::string value);
  Result<void> clear(std::string_view name);
  void reset() { active_.clear(); }

  [[nodiscard]] bool active(Fault fault) const { return active_.contains(fault); }
  // Requires active(fault).
  [[nodiscard]] const std::string& text(Fault fault) const { return *active_.at(fault).rbegin(); }
  [[nodiscard]] std::int64_t number(Fault fault) const;
  [[nodiscard]] const std::set<std::string>& values(Fault fault) const;

  [[nodiscard]] const std::map<Fault, std::set<std::string>>& all() const { return active_; }

 private:
  std::map<Fault, std::set<std::string>> active_;
};

}  // namespace simdroid
