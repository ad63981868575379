#pragma once
// The simulated phone: everything that commands and services work on. Single-threaded.
//
//   adbd services, shell commands  ->  Phone  { files, log, packages, settings, world, operator }
//   simctl                         ->  Phone  { faults, counters, received }

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "base/async/scope.hpp"
#include "base/async/signal.hpp"
#include "simdroid/device/accessibility.hpp"
#include "simdroid/device/faults.hpp"
#include "simdroid/device/file_system.hpp"
#include "simdroid/device/install_sessions.hpp"
#include "simdroid/device/log_buffer.hpp"
#include "simdroid/device/notifications.hpp"
#include "simdroid/device/operator_host.hpp"
#include "simdroid/device/packages.hpp"
#include "simdroid/device/phone_clock.hpp"
#include "simdroid/device/process_table.hpp"
#include "simdroid/device/properties.hpp"
#include "simdroid/device/received.hpp"
#include "simdroid/device/virtual_ports.hpp"
#include "simdroid/profile.hpp"
#include "simdroid/ui/ui_world.hpp"

namespace simdroid {

struct PhoneOptions {
  Profile profile = Profile::zero;
  std::uint64_t seed = 1;
  std::shared_ptr<const ScreenSet> screens;  // null: the bundled ones
  Identity identity;
  const PhoneProfile* kind = &default_phone_profile();
  std::string operator_version{kDefaultOperator};  // as operator_builds() reads it
  // The phone's clock at start; the epoch means "the host's time".
  WallTime boot{};
};

// Named counts since the start or `simctl reset`: the work that hosts caused on this phone.
class Counters {
 public:
  void add(std::string_view name) { ++counts_[std::string(name)]; }
  [[nodiscard]] std::uint64_t get(std::string_view name) const {
    const auto at = counts_.find(name);
    return at == counts_.end() ? 0 : at->second;
  }
  [[nodiscard]] const std::map<std::string, std::uint64_t, std::less<>>& all() const {
    return counts_;
  }
  void reset() { counts_.clear(); }

 private:
  std::map<std::string, std::uint64_t, std::less<>> counts_;
};

// The output of dumpsys battery; a test may have set it.
struct PhoneBattery {
  int level = 85;
  bool usb = true;
  bool frozen = false;
};

class Phone {
 public:
  Phone(asio::any_io_executor on, PhoneOptions with);
  ~Phone();
  Phone(const Phone&) = delete;
  Phone& operator=(const Phone&) = delete;

  // Starts the phone's own coroutines: the Operator app's clock, log noise. Call it exactly once.
  void start();
  // Required before destruction once started.
  asio::awaitable<void> stop();
  // Restores the phone of the options: only its faults, apps killed, screens, settings, properties,
  // packages and counters as at the start. Files and the log stay.
  void reset();
  // Becomes another phone, until the next reset. Connected hosts keep the banner of their
  // handshake.
  void become(const PhoneProfile* kind);
  [[nodiscard]] const PhoneProfile& kind() const { return *kind_; }
  [[nodiscard]] int sdk() const { return kind_->sdk; }
  // The identity in the banner and the properties.
  [[nodiscard]] Identity identity() const;

  // Sleeps until the work that began at `since` has taken the profile's time.
  asio::awaitable<void> spend(Cost cost, Clock::time_point since = Clock::now());

  // Adds an entry of one of the phone's own processes with the present time.
  void log_system(std::string_view tag, LogPriority priority, std::string message);

  // Of the display, in quarter turns. Apps that do not turn are made for portrait and let the user
  // turn that upside down: SCREEN_ORIENTATION_USER_PORTRAIT.
  [[nodiscard]] int rotation() const;

  // The shade is open again afterwards, as on phones.
  void clear_notifications();

  // UiWorld with time moved to now.
  UiWorld& ui();

  asio::any_io_executor executor;
  PhoneOptions options;
  Latencies costs;
  Jitter jitter;
  PhoneClock clock;
  Faults faults;
  Signal faults_changed;  // wakes coroutines that wait for a fault
  Counters counters;
  Received received;
  Properties properties;
  Settings settings;
  Accessibility accessibility;
  std::set<std::string> notification_listeners;  // that the notification manager lets in
  std::vector<PostedNotification> notifications;
  FileSystem files;
  LogBuffer log;
  ProcessTable processes;
  VirtualPorts ports;
  std::unique_ptr<Packages> packages;
  InstallSessions install_sessions;
  std::unique_ptr<UiWorld> world;
  std::string size_override;     // wm size
  std::string density_override;  // wm density
  PhoneBattery battery;
  Scope tasks;
  Scope changes;                                       // what a test has put off until a time,
  std::vector<std::function<void()>> after_next_read;  // or until the screen's tree is read
  OperatorHost operators;

 private:
  void tree_was_read();
  asio::awaitable<void> make_noise();
  [[nodiscard]] bool is_loggable(const LogEntry& entry) const;

  const PhoneProfile* kind_;
};

}  // namespace simdroid
