#pragma once
// The system's accessibility manager. It owns the setting: it notices a change after a delay and
// only then reads it, so that two quick changes are one; it starts and ends services, and rewrites
// the list.
//
//   settings put --> changed() ... kObserverDelay ... the list is read: start, end, drop
//   process died --> ... kRestartDelay ... runs again
//   force-stop   --> off the list, at once
//
// Nothing runs by itself: every reader first brings the manager up to date.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simdroid/profile.hpp"

namespace simdroid {

class Phone;

inline constexpr std::string_view kAccessibilityList = "enabled_accessibility_services";
inline constexpr std::string_view kAccessibilitySwitch = "accessibility_enabled";

class Accessibility {
 public:
  explicit Accessibility(Phone* phone) : phone_(phone) {}

  // Starts every service that the setting names.
  void reset();
  // Carries out the changes that are due; call it before every read and write of the setting.
  void catch_up();
  // Call it after the setting was written.
  void changed();
  void process_died(std::string_view package);
  // A UI automation client has ended. It suppresses all services; they start again.
  void was_suppressed();
  void force_stopped(std::string_view package);

  // True if a service of this package runs and is connected now.
  [[nodiscard]] bool serves(std::string_view package);
  // The running services, by component.
  [[nodiscard]] std::vector<std::string> running();

 private:
  void read_list();
  [[nodiscard]] bool may_run(std::string_view package) const;
  void write_list(const std::vector<std::string>& components);
  void start(const std::string& component, Time when);

  Phone* phone_;
  std::optional<Time> notice_at_;          // when the change that was made is noticed
  std::map<std::string, Time> runs_from_;  // component -> since when
};

// The components of a list: separated by colons; `p/.C` is `p/p.C`.
std::vector<std::string> listed_components(std::string_view list);

}  // namespace simdroid
